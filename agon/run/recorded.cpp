#include "agon/run/recorded.h"

#include <fmt/format.h>

#include <algorithm>

#include "agon/base/error.h"
#include "agon/base/suggest.h"
#include "agon/data/bins.h"
#include "agon/data/kinds.h"
#include "agon/score/own_score.h"

namespace agon {
namespace {

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

}  // namespace

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
  options.priced_edges = options.priced_edges || record.score.edge_price > 0;  // the run may have chosen it
  if (record.score.matrix) {                                                   // and this, by the table
    options.basis = record.score.matrix->basis;
    if (options.basis < 1 || options.basis > 5) throw InputError(place, "\"basis\" is not between 1 and 5");
  }
  return options;
}

MissingPlan recorded_missing(const RunRecord& record, const std::string& place) {
  MissingPlan plan;
  if (record.data.missing.policy.empty()) return plan;
  plan.used = missing_treatment(record.data.missing.policy);
  plan.draws = static_cast<int>(recorded_number(record, "draws", plan.draws));
  plan.seed = record.seed;
  if (plan.draws < 1 || plan.draws > 1000) throw InputError(place, "\"draws\" is not between 1 and 1000");
  return plan;
}

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

Dataset converted_as_recorded(Dataset data, const RunRecord& record, const std::string& place) {
  if (const int bins = recorded_bins(record, place); bins > 0) return with_bins(data, bins);
  if (record.score.name == kOwnScore) return data;
  const auto kind = only_kind(recorded_entry(record, place));
  // A score that was asked for by name converts columns; one that was chosen by their kinds leaves constant columns of
  // the other kind as they are.
  const bool as_read = std::ranges::all_of(record.data.columns, [&](const ColumnRecord& column) {
    const int node = data.index_of(column.name);
    return node >= 0 && data.column(node).kind == column.kind;
  });
  if (!kind || as_read) return data;
  std::vector<std::string> notes;
  return with_kind(std::move(data), *kind, notes, true);  // a run that may not code text is refused, and has no record
}

void require_same_table(const RunRecord& record, const Dataset& data, const std::string& place) {
  if (data.checksum() == record.data.checksum) return;
  throw InputError(place,
                   fmt::format("was made from another table, {} ({}), or from this one read with other options ({})",
                               shown(record.data.source), record.data.checksum, data.checksum()),
                   "`agon verify RESULT DATA` says where they differ");
}

}  // namespace agon
