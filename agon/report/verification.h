// agon/report/verification.h
//
// Does a result.json tell the truth about a table? Every claim that can be re-derived is, with the code of
// agon/certificate, which shares nothing with the search.
//
//   RecordedResult recorded = read_result(text, "result.json");   // InputError names the key that is missing or wrong
//   for (const ClaimCheck& c : verify_result(recorded, data, knowledge)) ...   // c.verdict, c.claim, c.text
//   all_hold(checks);
//
// Claims: checksum, size and kinds of the table; the graphs are acyclic; scores of the empty graph, of every opponent
// and of the answer; never worse; 1-optimal, and how many neighbours that says; the classes (CPDAG, and MPDAG with
// knowledge) of all graphs; what each edge loses; knowledge, edge budget, the champions' history. Not re-derived, and
// said so: figures about candidates that the file does not hold, the bootstrap, measures against a truth.
//
// Two scores are the same when nine digits agree (nearly singular Gaussian models are given the digits they may lose).
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "agon/data/dataset.h"
#include "agon/graph/knowledge.h"
#include "agon/match/run_record.h"

namespace agon {

struct RecordedEdge {
  std::string from, to;
  bool compelled = false;
  double loss = 0;
};

struct RecordedCertificate {
  bool never_worse = false, one_optimal = false;
  long neighbours_checked = 0;
  std::optional<bool> acyclic, within_budget, knowledge_kept;
  std::optional<double> champion_score;
  std::vector<double> opponent_scores;
};

// What a result.json says, as far as it is looked at.
struct RecordedResult {
  std::string place;  // of the file, for messages
  size_t rows = 0, columns = 0;
  std::string checksum;
  std::map<std::string, std::string> kinds;
  std::string score;
  double empty = 0, value = 0;
  std::optional<double> opponent_score, champion_score;
  std::vector<OpponentRecord> opponents;   // empty: one algorithm ran alone
  std::optional<OpponentRecord> opponent;  // the best of them
  std::vector<NamePair> dag;
  PdagRecord cpdag;
  std::optional<PdagRecord> mpdag;
  std::vector<RecordedEdge> edges;
  std::optional<KnowledgeRecord> knowledge;
  std::optional<RecordedCertificate> certificate;
  std::vector<double> history;  // scores of the champions
  int edge_budget = 0;          // 0: none
  double penalty = 1, sample_size = 10;
  int max_parents = 0;  // as asked for; 0: what the score can carry
  nlohmann::ordered_json options;
  std::vector<std::string> not_checked;  // parts that are there and cannot be re-derived, with the reason
};

RecordedResult read_result(const std::string& text, const std::string& place);

enum class Verdict { kHolds, kFails, kNotChecked };
const char* to_string(Verdict verdict);  // "holds", "FAILS", "not checked"

struct ClaimCheck {
  Verdict verdict;
  std::string claim;  // its key in the file
  std::string text;   // what was found
};

// `data` as it was read; columns whose kind the score asked for changed are changed here too. `knowledge` is that of
// the run, empty when the file records none. The result does not depend on `threads`.
std::vector<ClaimCheck> verify_result(const RecordedResult& recorded, Dataset data, const Knowledge& knowledge,
                                      int threads = 1);
bool all_hold(const std::vector<ClaimCheck>& checks);  // none fails

}  // namespace agon
