#include "cli/score_args.h"

#include <fmt/format.h>

#include <cmath>

#include "agon/base/error.h"
#include "agon/data/kinds.h"
#include "agon/score/scores.h"

namespace agon::cli {

ScoreArgs::ScoreArgs(Binding& binding, Purpose purpose) : binding_(binding) {
  binding.value("score", name_);
  binding.value("penalty", penalty_);
  binding.value("ess", sample_size_);
  if (purpose == Purpose::kSearch) binding.value("max-parents", max_parents_);
}

ChosenScore ScoreArgs::make(LoadedData& data, Log& log) const {
  if (!(penalty_ >= 0) || std::isinf(penalty_)) throw UsageError("--penalty must be 0 or more");
  if (!(sample_size_ > 0) || std::isinf(sample_size_)) throw UsageError("--ess must be more than 0");
  if (binding_.given("max-parents") && max_parents_ < 1) throw UsageError("--max-parents must be 1 or more");

  if (name_ != "auto") {
    std::vector<std::string> notes;
    data.table = with_kind(std::move(data.table), score_entry(name_).kind, notes);
    if (!notes.empty()) {
      const DataRecord changed = describe_data(data.table);
      data.record.columns = changed.columns;
      data.record.checksum = changed.checksum;
    }
    for (const std::string& note : notes) log.note(note);
  }
  const ScoreEntry& entry = score_entry(resolve_score(name_, data.table));
  if (binding_.given("penalty") && !entry.has_penalty) {
    throw UsageError(fmt::format("--penalty has no effect on {}", entry.name), "its prior is set by --ess");
  }
  if (binding_.given("ess") && entry.has_penalty) {
    throw UsageError(fmt::format("--ess has no effect on {}", entry.name), "its weight is set by --penalty");
  }

  ChosenScore chosen;
  chosen.score = entry.make(data.table, options());
  chosen.reason = name_ != "auto" ? "as --score asks"
                                  : fmt::format("because every column is {}; --score chooses another",
                                                to_string(data.table.column(0).kind));
  return chosen;
}

}  // namespace agon::cli
