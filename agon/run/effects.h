// agon/run/effects.h
//
// Effects from a result and its table: for `agon effect`, `agon effects`, `agon next` and Python.
//
//   const EffectSource source(record, data, "result.json");
//   const EffectAnswer answer = answer_effect(source, {.of = {"smoke"}, .on = "dysp"});
//   const std::vector<RankedEffect> causes = answer_effects(source, "", "dysp");
//   const NextAnswer next = answer_next(record, nullptr, {.budget = 2}, "result.json");
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agon/base/stop.h"
#include "agon/effect/effect.h"
#include "agon/effect/next_step.h"
#include "agon/graph/knowledge.h"
#include "agon/report/run_record.h"

namespace agon {

// The graph of a result with the table it was found in.
class EffectSource {
 public:
  // `data` is the table as that run scored it (converted_as_recorded); InputError if it is another one, or if the graph
  // of the record is not one of its columns. `place` is where the record came from.
  EffectSource(const RunRecord& record, Dataset data, const std::string& place, int threads = 1);
  // The table that the run has just searched, its gaps as they were: nothing has to be checked or converted.
  struct JustSearched {};
  EffectSource(const RunRecord& record, Dataset data, JustSearched, int threads = 1);

  const RunRecord& record() const { return record_; }
  const std::string& place() const { return place_; }
  const EffectTable& table() const { return *table_; }
  const Dataset& rows() const { return rows_; }                                // with experiments as that run read them
  const CausalClass* graphs() const { return graphs_ ? &*graphs_ : nullptr; }  // null: the result is a PAG
  const Pag* pag() const { return pag_ ? &*pag_ : nullptr; }

 private:
  void find_graph(int threads);

  RunRecord record_;
  std::string place_;
  Dataset rows_;
  std::unique_ptr<const EffectTable> table_;
  std::optional<CausalClass> graphs_;
  std::optional<Pag> pag_;
};

inline constexpr int kJointResamples = 200;  // for the intervals of several causes, where no number is given

struct EffectRequest {
  std::vector<std::string> of;
  std::string on;
  LevelPair levels = {};
  int resample = 0;   // resamples of the rows for the intervals; 0: by formula, and kJointResamples for several causes
  int bootstrap = 0;  // resamples of the rows on which the search is repeated
  uint64_t seed = 0;
  int threads = 1;
};

// `knowledge` is that of the run, for --bootstrap.
EffectAnswer answer_effect(const EffectSource& source, const EffectRequest& request, const Knowledge& knowledge = {},
                           const Watch& watch = {});

// All effects of one column, or on one: exactly one of the names is given, the other is "".
std::vector<RankedEffect> answer_effects(const EffectSource& source, const std::string& of, const std::string& on,
                                         int threads = 1);

// Whether about a second of work gives a page effects worth having: all of a small table, else those between the nodes
// with the shortest ways between them.
bool fits_page(const Dataset& data);
// The effects that report.html embeds, as its script reads them. A stop cuts the list short; nearest pairs come first.
std::string page_effects(const EffectSource& source, int threads = 1, const Watch& watch = {});

struct NextRequest {
  int budget = 1;
  std::string of = {}, on = {};  // the effect that matters; blank: none
};
// `source` may be null: then nothing is said about the size of effects.
NextAnswer answer_next(const RunRecord& record, const EffectSource* source, const NextRequest& request,
                       const std::string& place);

}  // namespace agon
