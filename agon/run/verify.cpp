#include "agon/run/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "agon/base/error.h"
#include "agon/base/suggest.h"
#include "agon/catalog/scores.h"
#include "agon/certificate/plain_edge_price.h"
#include "agon/certificate/proof_check.h"
#include "agon/data/experiments.h"
#include "agon/report/table.h"
#include "agon/run/recorded.h"
#include "agon/run/regimes.h"
#include "agon/run/treatment.h"
#include "agon/score/block_moments.h"

namespace agon {
namespace {

ClaimCheck check_regimes(const RunRecord& record, const std::vector<RegimeRecord>& found) {
  const std::vector<RegimeRecord>& recorded = record.data.regimes;
  const auto differs = std::mismatch(recorded.begin(), recorded.end(), found.begin(), found.end());
  if (differs.first == recorded.end() && differs.second == found.end()) {
    return {Verdict::kHolds, "data.regimes",
            fmt::format("{}, their rows, what they set and what moved",
                        counted(static_cast<long long>(found.size()), "experiment"))};
  }
  const RegimeRecord& one = differs.second != found.end() ? *differs.second : *differs.first;
  return {Verdict::kFails, "data.regimes",
          fmt::format("the file does not say of {} what the table does", shown(one.name))};
}

// The score of a graph under one way to read the rows, by the certificate's code. Where EM filled gaps and its work is
// not repeated there, the matrix is that of the search.
plain::Value plain_total(const Dataset& read, const Dag& dag, const ScoreEntry& entry, ScoreOptions options,
                         const MissingPlan& missing) {
  std::unique_ptr<LocalScore> search;
  if (missing.used == MissingTreatment::kEm) {
    search = entry.make(read, options);
    options.given = search->moments();
    if (options.given != nullptr && options.given->em) options.em_steps = options.given->em->steps;
  }
  return plain::total(*entry.make_plain(read, options), dag);
}

// Every total is the score of the graph recorded with it, and the treatment used follows from the totals. That no graph
// scores higher is not claimed.
ClaimCheck check_treatments(const RunRecord& record, const Dataset& data, const ScoreEntry& entry,
                            const ScoreOptions& options, const MissingPlan& missing) {
  const std::vector<TreatmentRecord>& recorded = record.score.treatments;
  const Dataset table = missing.changes_table() ? treated(data, missing, {.threads = options.threads}).data : data;
  const std::vector<RegimeTreatment> possible = possible_treatments(table);
  std::vector<TreatmentTotal> totals;
  std::vector<std::string> wrong;
  if (possible.size() == 1 && recorded.empty()) {
    return {Verdict::kHolds, "score.treatments", fmt::format("{} is the only one", quoted(to_string(possible[0])))};
  }
  for (const RegimeTreatment& treatment : possible) {
    const std::string name = to_string(treatment);
    const auto at = std::find_if(recorded.begin(), recorded.end(), [&](const auto& one) { return one.name == name; });
    if (at == recorded.end()) {
      wrong.push_back(fmt::format("there is nothing about {}", quoted(name)));
      continue;
    }
    std::string why_not;
    const std::optional<Dag> dag = recorded_graph(table, at->edges, why_not);
    if (!dag) {
      wrong.push_back(fmt::format("{}: {}", quoted(name), why_not));
      continue;
    }
    const plain::Value found = plain_total(with_treatment(table, treatment), *dag, entry, options, missing);
    if (!is_same_score(at->total, found)) {
      wrong.push_back(fmt::format("the graph of {} scores {:.6f}, not {:.6f}", quoted(name), found.score, at->total));
    }
    totals.push_back({treatment, at->total, *dag});
  }
  if (recorded.size() > possible.size()) wrong.push_back("there are more than the table allows for");
  if (!wrong.empty()) return {Verdict::kFails, "score.treatments", listed(wrong, 4)};

  const TreatmentChoice choice = choose_among(table, std::move(totals));
  for (const TreatmentRecord& one : recorded) {
    const bool used = one.name == to_string(choice.used);
    if (one.used != used) wrong.push_back(fmt::format("{} is {}the one to use", quoted(one.name), used ? "" : "not "));
  }
  if (wrong.empty() && record.score.remark != choice.remark()) wrong.push_back("the remark does not follow from them");
  if (!wrong.empty()) return {Verdict::kFails, "score.treatments", listed(wrong, 4)};
  return {Verdict::kHolds, "score.treatments",
          fmt::format("each total is that of its graph; {} is the best that keeps what the experiments set",
                      quoted(to_string(choice.used)))};
}

// The proof beside the result, from the table: is it about the answer, and does it show what the record says?
ClaimCheck check_optimum(const RunRecord& record, const std::string& text, const JudgedScore& score,
                         const Knowledge& knowledge, int threads) {
  const std::string claim = "certificate.optimum";
  const Optimum& said = record.certificate->optimum;
  if (text.empty()) return {Verdict::kNotChecked, claim, "there is no proof.txt beside the result"};
  const auto fails = [&](const std::string& why) { return ClaimCheck{Verdict::kFails, claim, why}; };
  Proof proof;
  try {
    proof = read_proof(text, "proof.txt");
  } catch (const InputError& error) {
    return fails(error.what());
  }
  std::vector<NamePair> edges;
  for (const EdgeRecord& edge : record.edges) edges.emplace_back(edge.from, edge.to);
  std::string why_not;
  const auto dag = recorded_graph(score.data, edges, why_not);
  if (!dag || *dag != proof.graph) return fails("the proof is about another graph than the answer");
  const ProofVerdict found = check_proof(proof, score, knowledge, threads);
  if (!found.accepted) return fails("the proof does not hold: " + found.why);
  if (found.limit != said.max_parents) return fails("the proof has another limit on parents than the record");
  if (found.proven != (said.status == Optimum::Status::kProven)) {
    return fails(fmt::format("the proof shows a gap of {:.6g}", found.gap()));
  }
  if (!(std::abs(found.upper_bound - said.upper_bound) <= 1e-6 + 1e-9 * std::abs(found.upper_bound))) {
    return fails(fmt::format("the proof shows the bound {:.6f}, not {:.6f}", found.upper_bound, said.upper_bound));
  }
  return {Verdict::kHolds, claim,
          fmt::format("{} (proof.txt: {} families that can matter, {}, {})",
                      optimum_sentence(said, record.score.value, !knowledge.empty()), with_commas(found.families),
                      counted(static_cast<long>(proof.cuts.size()), "cut"),
                      found.leaves == 1 ? "1 leaf" : with_commas(found.leaves) + " leaves")};
}

ClaimCheck another_table(const RunRecord& record, const Dataset& data, const std::vector<std::string>& differences) {
  return {
      Verdict::kFails, "data.checksum",
      fmt::format("the result was made from another table, {} ({}), or from this one read with other options ({}): {}",
                  shown(record.data.source), record.data.checksum, data.checksum(), listed(differences, 4))};
}

std::optional<ClaimCheck> check_kinds(const RunRecord& record, const Dataset& data) {
  std::vector<std::string> differences;
  for (const ColumnRecord& column : record.data.columns) {
    const ColumnKind kind = data.column(data.index_of(column.name)).kind;
    if (kind == column.kind) continue;
    differences.push_back(
        fmt::format("{} was {}, here it is {}", shown(column.name), to_string(column.kind), to_string(kind)));
  }
  if (differences.empty()) return std::nullopt;
  return another_table(record, data, differences);
}

}  // namespace

std::optional<ClaimCheck> check_is_its_table(const RunRecord& record, const Dataset& data) {
  std::vector<std::string> recorded, found = data.names(), differences;
  for (const ColumnRecord& column : record.data.columns) recorded.push_back(column.name);
  std::sort(recorded.begin(), recorded.end());
  std::sort(found.begin(), found.end());
  if (recorded == found) return std::nullopt;
  for (const std::string& name : recorded) {
    if (!std::binary_search(found.begin(), found.end(), name))
      differences.push_back("there is no column " + shown(name));
  }
  for (const std::string& name : found) {
    if (std::binary_search(recorded.begin(), recorded.end(), name)) continue;
    differences.push_back("there is nothing about " + shown(name));
  }
  if (differences.empty()) differences.push_back("the file names a column twice");
  return another_table(record, data, differences);
}

std::vector<ClaimCheck> verify_file(const std::string& text, const RunRecord& record, Dataset data,
                                    const Knowledge& knowledge, const std::string& place, int threads,
                                    const std::string& proof) {
  if (const auto other = check_is_its_table(record, data)) return {*other};
  const ScoreEntry& entry = recorded_entry(record, place);
  ScoreOptions options = recorded_options(entry, record, place);
  const std::vector<RegimeRecord> regimes = describe_regimes(data);
  data = converted_as_recorded(std::move(data), record, place);
  if (data.checksum() != record.data.checksum) {
    if (const auto other = check_kinds(record, data)) return {*other};
  }
  const MissingPlan missing = recorded_missing(record, place);
  options.gap_columns = missing.used == MissingTreatment::kLevel;
  options.threads = threads;
  std::vector<ClaimCheck> about_experiments;
  if (data.has_regimes()) {
    about_experiments.push_back(check_regimes(record, regimes));
    about_experiments.push_back(check_treatments(record, data, entry, options, missing));
    data = with_treatment(data, recorded_treatment(record, data, place));
  } else if (!record.data.regimes.empty() || !record.score.treatments.empty()) {
    about_experiments.push_back(
        {Verdict::kFails, "data.regimes", "the file mentions experiments, but the table has none"});
  }
  const Treated scored = treated(data, missing, {.threads = threads});
  if (record.score.matrix && record.score.matrix->em) options.em_steps = record.score.matrix->em->steps;
  choose_score(entry.name, scored.data);  // refuses a table that the score cannot take
  std::unique_ptr<LocalScore> search;     // only where its EM is not repeated by the certificate
  if (record.score.matrix && record.score.matrix->em && record.score.matrix->em->restricted) {
    search = entry.make(scored.data, options);
    options.given = search->moments();
  }
  const auto scorer = entry.make_plain(scored.data, options);
  std::vector<ClaimCheck> checks =
      verify_record(record, data, *scorer, entry.max_parents(scored.data), knowledge, threads);
  if (const double price = plain::edge_price(*scorer); price > 0 || record.score.edge_price != 0) {
    const bool same = std::abs(price - record.score.edge_price) <= 1e-9;
    checks.push_back({same ? Verdict::kHolds : Verdict::kFails, "score.edge_price",
                      fmt::format("each parent costs {:.6g} nats beside the penalty", price)});
  }
  if (const auto gaps = check_gaps(data, scored.data, missing, scored.fit, nullptr, *scorer)) {
    checks.push_back({gaps->holds ? Verdict::kHolds : Verdict::kFails, "data.missing", gaps->text});
  }
  if (record.certificate && record.certificate->optimum.status != Optimum::Status::kNotAttempted) {
    const JudgedScore score{*scorer, entry.name, options.penalty, scored.data};
    checks.push_back(check_optimum(record, proof, score, knowledge, threads));
  }
  checks.insert(checks.end(), about_experiments.begin(), about_experiments.end());
  for (ClaimCheck& check : verify_repetitions(text, record)) checks.push_back(std::move(check));
  return checks;
}

}  // namespace agon
