// agon/report/verification.h
//
// Does a record tell the truth about a table? Every claim that can be derived again is derived again, with the code of
// agon/certificate, which shares nothing with the search.
//
//   const RunRecord record = read_record(text, "result.json");
//   std::vector<ClaimCheck> checks = verify_record(record, data, *scorer, most_parents, knowledge);
//   for (const ClaimCheck& c : checks) fmt::print("{} {}: {}\n", to_string(c.verdict), c.claim, c.text);
//   all_hold(checks);
//
// Claims: checksum, size and kinds of the table; that the graphs are acyclic; the scores of the empty graph, of every
// opponent and of the answer; never worse; 1-optimal, and how many neighbours were checked for it; the classes (CPDAG,
// and MPDAG with knowledge) of all graphs; how much removing each edge loses; knowledge, edge budget, the history of
// the champions; that the figures of a posterior fit each other. Not derived again, and reported as such: figures about
// candidates that the record does not hold, the bootstrap, the posterior itself, measures against a truth, a PAG.
//
// Two scores are the same when nine digits agree (fewer for nearly singular Gaussian models, by what they may lose).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agon/certificate/plain_score.h"
#include "agon/data/dataset.h"
#include "agon/graph/knowledge.h"
#include "agon/report/record_json.h"

namespace agon {

enum class Verdict { kHolds, kFails, kNotChecked };
const char* to_string(Verdict verdict);  // "holds", "FAILS", "not checked"

struct ClaimCheck {
  Verdict verdict;
  std::string claim;  // its key in the file
  std::string text;   // what was found
};

// `data` must have the kinds of columns that the score takes. `scorer` is the recorded score on that table, with the
// recorded parameters; `max_parents` is the cap of that score, in force unless the record has another. `knowledge` is
// that of the run, empty when the record has none. The result does not depend on `threads`. agon/run/verify.h finds the
// scorer by its name.
std::vector<ClaimCheck> verify_record(const RunRecord& record, const Dataset& data, const plain::Scorer& scorer,
                                      int max_parents, const Knowledge& knowledge, int threads = 1);

// Checks that a result.json is consistent wherever it repeats itself.
std::vector<ClaimCheck> verify_repetitions(const std::string& text, const RunRecord& record);

// The graph of these edges, if it is an acyclic graph over the columns; else nothing, and the reason.
std::optional<Dag> recorded_graph(const Dataset& data, const std::vector<NamePair>& edges, std::string& why_not);
// Nine digits agree, or what rounding may cost explains the difference.
bool is_same_score(double recorded, const plain::Value& found);

bool all_hold(const std::vector<ClaimCheck>& checks);  // none fails

}  // namespace agon
