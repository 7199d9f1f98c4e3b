#include "agon/run/score_settings.h"

#include <fmt/format.h>

#include <algorithm>

#include "agon/base/error.h"
#include "agon/base/suggest.h"
#include "agon/data/bins.h"
#include "agon/data/kinds.h"
#include "agon/run/describe.h"

namespace agon {
namespace {

// `table` in place of the one that was loaded; the log says what was changed.
std::shared_ptr<const LoadedData> replaced(const std::shared_ptr<const LoadedData>& data, Dataset table,
                                           const std::vector<std::string>& notes, Journal& log) {
  LoadedData other{std::move(table), data->record};
  const DataRecord changed = describe_data(other.table);
  other.record.columns = changed.columns;
  other.record.checksum = changed.checksum;
  for (const std::string& note : notes) log.note(note);
  return std::make_shared<const LoadedData>(std::move(other));
}

// The table with every column converted to this kind where possible.
std::shared_ptr<const LoadedData> converted(const std::shared_ptr<const LoadedData>& data, ColumnKind kind,
                                            Journal& log) {
  std::vector<std::string> notes;
  Dataset table = with_kind(data->table, kind, notes);
  return notes.empty() ? data : replaced(data, std::move(table), notes, log);
}

// The table with its continuous columns cut into bins.
std::shared_ptr<const LoadedData> binned(const std::shared_ptr<const LoadedData>& data, int bins, Journal& log) {
  std::vector<std::string> cut;
  for (const Column& column : data->table.columns()) {
    if (column.kind == ColumnKind::kContinuous && !column.is_isolated()) cut.push_back(column.name);
  }
  if (cut.empty()) {
    log.note("no column is continuous, so there is nothing to cut into bins");
    return data;
  }
  std::sort(cut.begin(), cut.end());
  const std::string note = fmt::format("cut into at most {} bins of about equal weight: {}", bins, listed(cut));
  return replaced(data, with_bins(data->table, bins), {note}, log);
}

std::string why_automatic(const Dataset& data) {
  const Capabilities needs = needs_of(data);
  if (needs.mixed) return "because there are both kinds of columns; --score chooses another";
  const std::string kind = needs.categorical || needs.continuous ? column_kinds(needs) : "constant";
  return fmt::format("because every column is {}; --score chooses another", kind);
}

}  // namespace

ScoreSettings::ScoreSettings(Settings& settings, Purpose purpose) : settings_(settings) {
  settings.option(name_, {.name = "score",
                          .value = "NAME",
                          .help = "score to maximise, see `agon list scores`; auto chooses by the kinds of the columns",
                          .common = true});
  for (const ScoreParameter& parameter : score_parameters()) {
    settings.option(options_.*parameter.field, parameter.option);
  }
  settings.option(bins_, {.name = "bins",
                          .value = "K",
                          .help = "cut continuous columns into K bins of about equal weight, for scores of categories",
                          .range = at_least(2).at_most(20),
                          .otherwise = "columns are not cut"});
  if (purpose != Purpose::kSearch) return;
  settings.option(options_.max_parents, {.name = "max-parents",
                                         .value = "M",
                                         .help = "most parents of a node",
                                         .range = at_least(1),
                                         .otherwise = "as many as the score can take",
                                         .common = true});
}

std::vector<std::string> ScoreSettings::given() const {
  std::vector<std::string> names = {"score", "bins"};
  for (const ScoreParameter& parameter : score_parameters()) names.push_back(parameter.option.name);
  std::erase_if(names, [&](const std::string& name) { return !settings_.given(name); });
  return names;
}

void ScoreSettings::refuse_other_parameters(const ScoreEntry& entry) const {
  std::vector<std::string> own;
  for (const ScoreParameter& parameter : entry.parameters) own.push_back("--" + parameter.option.name);
  for (const std::string& name : given()) {
    const std::string option = "--" + name;
    if (name == "score" || name == "bins" || std::find(own.begin(), own.end(), option) != own.end()) continue;
    throw UsageError(fmt::format("{} has no effect on {}", option, entry.name),
                     own.empty() ? "it has no parameters" : "it is tuned by " + listed(own));
  }
}

ChosenScore ScoreSettings::make(std::shared_ptr<const LoadedData>& data, Journal& log) const {
  if (bins_ > 0) {
    const ScoreEntry& entry = name_ == "auto" ? choose_score(name_, data->table) : score_entry(name_);
    if (entry.takes.continuous) {
      throw UsageError(
          fmt::format("--bins has no effect on {}, which takes continuous columns as they are", entry.name),
          "pass --score discrete-bic with it");
    }
    data = binned(data, bins_, log);
  } else if (name_ != "auto") {
    const std::optional<ColumnKind> kind = only_kind(score_entry(name_));
    if (kind && !data->table.all_of(*kind)) data = converted(data, *kind, log);
  }
  const ScoreEntry& entry = choose_score(name_, data->table);
  refuse_other_parameters(entry);
  check_parameters(entry, options_);

  ChosenScore chosen;
  chosen.score = entry.make(data->table, options_);
  chosen.make_plain = [&entry, data, options = options_] { return entry.make_plain(data->table, options); };
  chosen.reason = name_ != "auto" ? "as --score asks" : why_automatic(data->table);
  return chosen;
}

}  // namespace agon
