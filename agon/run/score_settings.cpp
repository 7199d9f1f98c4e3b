#include "agon/run/score_settings.h"

#include <fmt/format.h>

#include <cmath>

#include "agon/base/error.h"
#include "agon/data/kinds.h"
#include "agon/run/describe.h"
#include "agon/score/scores.h"

namespace agon {

ScoreSettings::ScoreSettings(Settings& settings, Purpose purpose) : settings_(settings) {
  settings.value("score", name_);
  settings.value("penalty", penalty_);
  settings.value("ess", ess_);
  if (purpose == Purpose::kSearch) settings.value("max-parents", max_parents_);
}

ChosenScore ScoreSettings::make(std::shared_ptr<const LoadedData>& data, Journal& log) const {
  if (!(penalty_ >= 0) || std::isinf(penalty_)) throw UsageError("--penalty must be 0 or more");
  if (!(ess_ > 0) || std::isinf(ess_)) throw UsageError("--ess must be more than 0");
  if (settings_.given("max-parents") && max_parents_ < 1) throw UsageError("--max-parents must be 1 or more");

  if (name_ != "auto" && !data->table.all_of(score_entry(name_).kind)) {
    std::vector<std::string> notes;
    LoadedData other{with_kind(data->table, score_entry(name_).kind, notes), data->record};
    if (!notes.empty()) {
      const DataRecord changed = describe_data(other.table);
      other.record.columns = changed.columns;
      other.record.checksum = changed.checksum;
      data = std::make_shared<const LoadedData>(std::move(other));
    }
    for (const std::string& note : notes) log.note(note);
  }
  const ScoreEntry& entry = score_entry(resolve_score(name_, data->table));
  if (settings_.given("penalty") && !entry.has_penalty) {
    throw UsageError(fmt::format("--penalty has no effect on {}", entry.name), "its prior is set by --ess");
  }
  if (settings_.given("ess") && entry.has_penalty) {
    throw UsageError(fmt::format("--ess has no effect on {}", entry.name), "its weight is set by --penalty");
  }

  ChosenScore chosen;
  chosen.score = entry.make(data->table, options());
  chosen.reason = name_ != "auto" ? "as --score asks"
                                  : fmt::format("because every column is {}; --score chooses another",
                                                to_string(data->table.column(0).kind));
  return chosen;
}

}  // namespace agon
