#include "agon/run/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "agon/base/error.h"
#include "agon/base/suggest.h"
#include "agon/catalog/scores.h"
#include "agon/certificate/plain_extended.h"
#include "agon/data/bins.h"
#include "agon/data/experiments.h"
#include "agon/data/kinds.h"
#include "agon/report/table.h"
#include "agon/run/regimes.h"
#include "agon/run/treatment.h"
#include "agon/score/block_moments.h"
#include "agon/score/own_score.h"

namespace agon {
namespace {

const ScoreEntry& recorded_entry(const RunRecord& record, const std::string& place) {
  const std::string& name = record.score.name;
  if (name == kOwnScore) {
    throw InputError(place, "its score is a function that the caller wrote: nothing of it can be derived again");
  }
  const std::vector<std::string> names = score_names();
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    throw InputError(place, fmt::format("\"score.name\" is {}, which cannot be recomputed", quoted(name)),
                     "what can: " + listed(names));
  }
  return score_entry(name);
}

// The parameters of the score in that run. A parameter that the record does not hold had its default.
ScoreOptions recorded_options(const ScoreEntry& entry, const RunRecord& record, const std::string& place) {
  ScoreOptions options;
  for (const ScoreParameter& parameter : entry.parameters) {
    for (const auto& [name, value] : record.options) {
      if (name != parameter.option.name) continue;
      try {
        set_field(parameter.field(options), parameter.option, value);
      } catch (const UsageError& error) {
        throw InputError(place, error.what());
      }
    }
  }
  if (record.score.matrix) {  // the run may have chosen it by the table
    options.basis = record.score.matrix->basis;
    if (options.basis < 1 || options.basis > 5) throw InputError(place, "\"basis\" is not between 1 and 5");
  }
  return options;
}

// Into how many bins that run cut its continuous columns; 0: it did not.
int recorded_bins(const RunRecord& record, const std::string& place) {
  for (const auto& [name, value] : record.options) {
    const int64_t* bins = name == "bins" ? std::get_if<int64_t>(&value) : nullptr;
    if (bins == nullptr || *bins == 0) continue;
    if (*bins < 2 || *bins > 20) throw InputError(place, "\"bins\" is not between 2 and 20");
    return static_cast<int>(*bins);
  }
  return 0;
}

int64_t recorded_number(const RunRecord& record, const std::string& option, int64_t otherwise) {
  for (const auto& [name, value] : record.options) {
    const int64_t* number = name == option ? std::get_if<int64_t>(&value) : nullptr;
    if (number != nullptr) return *number;
  }
  return otherwise;
}

// What that run did about missing cells.
MissingPlan recorded_missing(const RunRecord& record, const std::string& place) {
  MissingPlan plan;
  if (record.data.missing.policy.empty()) return plan;
  plan.used = missing_treatment(record.data.missing.policy);
  plan.draws = static_cast<int>(recorded_number(record, "draws", plan.draws));
  plan.seed = record.seed;
  if (plan.draws < 1 || plan.draws > 1000) throw InputError(place, "\"draws\" is not between 1 and 1000");
  return plan;
}

// How that run read the rows of experiments; as they are, where there was nothing to choose.
RegimeTreatment recorded_treatment(const RunRecord& record, const Dataset& data, const std::string& place) {
  if (record.score.treatments.empty()) return full_treatment(data);
  for (const TreatmentRecord& treatment : record.score.treatments) {
    for (const bool targets : {false, true}) {
      for (const bool within : {false, true}) {
        const RegimeTreatment known{.targets = targets, .within = within};
        if (treatment.used && treatment.name == to_string(known)) return known;
      }
    }
  }
  throw InputError(place, "\"score.treatments\" does not say which one was used");
}

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
                                    const Knowledge& knowledge, const std::string& place, int threads) {
  if (const auto other = check_is_its_table(record, data)) return {*other};
  const ScoreEntry& entry = recorded_entry(record, place);
  ScoreOptions options = recorded_options(entry, record, place);
  const std::vector<RegimeRecord> regimes = describe_regimes(data);
  if (const int bins = recorded_bins(record, place); bins > 0) {
    data = with_bins(data, bins);
  } else if (const auto kind = only_kind(entry)) {
    std::vector<std::string> notes;
    data = with_kind(std::move(data), *kind, notes);
  }
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
        {Verdict::kFails, "data.regimes", "the file tells of experiments, but the table has none"});
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
  if (const double price = plain::price_of(*scorer); price > 0 || record.score.edge_price != 0) {
    const bool same = std::abs(price - record.score.edge_price) <= 1e-9;
    checks.push_back({same ? Verdict::kHolds : Verdict::kFails, "score.edge_price",
                      fmt::format("each parent costs {:.6g} nats beside the penalty", price)});
  }
  if (const auto gaps = check_gaps(data, scored.data, missing, scored.fit, nullptr, *scorer)) {
    checks.push_back({gaps->holds ? Verdict::kHolds : Verdict::kFails, "data.missing", gaps->text});
  }
  checks.insert(checks.end(), about_experiments.begin(), about_experiments.end());
  for (ClaimCheck& check : verify_repetitions(text, record)) checks.push_back(std::move(check));
  return checks;
}

}  // namespace agon
