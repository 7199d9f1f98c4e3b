// agon/report/verification.h
//
// Does a record tell the truth about a table? Every claim that can be re-derived is, with the code of agon/certificate,
// which shares nothing with the search.
//
//   const RunRecord record = read_record(text, "result.json");
//   std::vector<ClaimCheck> checks = verify_record(record, data, knowledge, "result.json");
//   for (const ClaimCheck& c : checks) fmt::print("{} {}: {}\n", to_string(c.verdict), c.claim, c.text);
//   all_hold(checks);
//
// Claims: checksum, size and kinds of the table; the graphs are acyclic; scores of the empty graph, of every opponent
// and of the answer; never worse; 1-optimal, and how many neighbours that says; the classes (CPDAG, and MPDAG with
// knowledge) of all graphs; what each edge loses; knowledge, edge budget, the champions' history. Not re-derived, and
// said so: figures about candidates that the record does not hold, the bootstrap, measures against a truth, a PAG.
//
// Two scores are the same when nine digits agree (nearly singular Gaussian models are given the digits they may lose).
#pragma once

#include <string>
#include <vector>

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

// `data` as it was read; columns whose kind the score asked for changed are changed here too. `knowledge` is that of
// the run, empty when the record has none. `place` is where the record came from, for messages. The result does not
// depend on `threads`.
std::vector<ClaimCheck> verify_record(const RunRecord& record, Dataset data, const Knowledge& knowledge,
                                      const std::string& place, int threads = 1);

// The same for the text of a result.json: also, does it say the same wherever it repeats itself?
std::vector<ClaimCheck> verify_file(const std::string& text, const RunRecord& record, Dataset data,
                                    const Knowledge& knowledge, const std::string& place, int threads = 1);

bool all_hold(const std::vector<ClaimCheck>& checks);  // none fails

}  // namespace agon
