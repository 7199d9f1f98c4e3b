// agon/run/search.h
//
// One run from its options to its record: what `agon discover`, `agon run` and Python share, so that all of them give
// the same graph, the same figures and the same complaints.
//
//   Settings settings;
//   SearchSettings search(settings);                       // ties --score, --seed, --bootstrap, ... and those of DATA
//   settings.set("seed", int64_t{3});
//   Prepared ready = search.prepare({.data = data}, log);  // reads and checks everything; nothing is searched yet
//   Found found = search.run(ready, work, "", watch, log);     // `work` from discover.h
//   found.dag, found.record, found.json();
//
// What is not given is read from the place its option names.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agon/base/checkpoint.h"
#include "agon/base/stop.h"
#include "agon/base/units.h"
#include "agon/catalog/settings.h"
#include "agon/certificate/certificate.h"
#include "agon/graph/named_graph.h"
#include "agon/graph/pag.h"
#include "agon/match/run_record.h"
#include "agon/report/comparison.h"
#include "agon/run/data_settings.h"
#include "agon/run/journal.h"
#include "agon/run/knowledge_settings.h"
#include "agon/run/score_settings.h"

namespace agon {

// What a search is given once everything was read and checked, and what it gives back.
struct Task {
  const Dataset& data;
  const LocalScore& score;
  const ScoreOptions& score_options;
  const Dag& start;
  const Knowledge& knowledge;
  uint64_t seed;
  int threads;
  const Watch& watch;
  Checkpoint* checkpoint = nullptr;  // null: none was asked for
};
struct Answer {
  Dag dag;
  std::string algorithm, reason;  // what searched, and why this
  bool own_start = false;         // it has a beginning of its own
  long moves = 0;
  std::string stopped_by;
  std::vector<std::string> story;
  std::optional<double> varsortability;  // of an algorithm that compares variances
  std::optional<Pag> pag;                // of an algorithm that allows for hidden variables
  std::optional<MatchRecord> match;      // of a match
  std::optional<Certificate> certificate;
};

// A search: of the table, and of one resample of it for --bootstrap, whose score is that of the task on the new rows.
struct SearchWork {
  std::function<Answer(const Task&)> search;
  std::function<Dag(const Task&)> resample;
  std::string resample_name;                         // what it does, for the reader
  std::shared_ptr<Checkpoint> checkpoint = nullptr;  // of this run; null: none was asked for
};

// What a program hands over as it is, where a user of the command line names a file.
using ScoreMaker = std::function<std::unique_ptr<LocalScore>(const Dataset&)>;
struct GivenInput {
  std::shared_ptr<const LoadedData> data = nullptr;
  std::optional<NamedGraph> start = {}, truth = {};
  std::optional<KnowledgeStatements> knowledge = {};
  ScoreMaker score = nullptr;  // a score of the caller's own; no certificate can derive it again
};

// Everything a run is made of, read and checked.
struct Prepared {
  std::shared_ptr<const LoadedData> data;  // the score looks at it
  ChosenScore chosen;
  ScoreOptions score_options;
  Dag start;
  std::string start_place;  // "": none was given
  Knowledge knowledge;
  std::vector<std::string> knowledge_sources;
  std::vector<Edge> truth;  // looked at when the search has ended
  std::string truth_place;  // "": none was given
};

struct Found {
  std::shared_ptr<const LoadedData> data;
  Dag dag;
  std::optional<Pag> pag;
  RunRecord record;
  std::optional<Certificate> certificate;  // of a match
  std::optional<Comparison> comparison;    // with a truth
  // Of a run that came to its end: remove() it when the answer is in safety. Null: none was asked for, or the run was
  // stopped before and can be gone on with.
  std::shared_ptr<Checkpoint> checkpoint;
  std::string json() const;  // result.json
};

class SearchSettings {
 public:
  explicit SearchSettings(Settings& settings);

  void check() const;         // UsageError; before anything is read
  double time_limit() const;  // seconds; 0: none
  double memory() const;      // bytes the search may use: --memory-limit, or what the machine has
  int resamples() const { return bootstrap_; }
  Prepared prepare(GivenInput given, Journal& log) const;
  // Lets the search do its work and writes down what came of it. `command` is what the user typed. The watch need not
  // know the time limit.
  Found run(const Prepared& ready, const SearchWork& work, const std::string& command, Watch watch, Journal& log) const;

 private:
  void run_bootstrap(RunRecord& record, const SearchWork& work, const Task& task) const;

  const Settings& settings_;
  DataSettings data_;
  ScoreSettings score_;
  KnowledgeSettings knowledge_;
  std::string start_, time_limit_, memory_limit_, truth_;
  int threads_ = 0, bootstrap_ = 0;
  uint64_t seed_ = 0;
};

}  // namespace agon
