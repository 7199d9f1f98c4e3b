#include "agon/run/verify.h"

#include <fmt/format.h>

#include <algorithm>

#include "agon/base/error.h"
#include "agon/base/suggest.h"
#include "agon/catalog/scores.h"
#include "agon/data/bins.h"
#include "agon/data/kinds.h"
#include "agon/run/treatment.h"
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
  const Treated scored = treated(data, missing, {.threads = threads});
  options.gap_columns = missing.used == MissingTreatment::kLevel;
  options.threads = threads;
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
  if (const auto gaps = check_gaps(data, scored.data, missing, scored.fit, nullptr, *scorer)) {
    checks.push_back({gaps->holds ? Verdict::kHolds : Verdict::kFails, "data.missing", gaps->text});
  }
  for (ClaimCheck& check : verify_repetitions(text, record)) checks.push_back(std::move(check));
  return checks;
}

}  // namespace agon
