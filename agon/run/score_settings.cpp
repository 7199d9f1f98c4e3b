#include "agon/run/score_settings.h"

#include <fmt/format.h>

#include <algorithm>

#include "agon/base/error.h"
#include "agon/base/suggest.h"
#include "agon/data/bins.h"
#include "agon/data/kinds.h"
#include "agon/run/describe.h"
#include "agon/score/block_moments.h"
#include "agon/score/blocks.h"
#include "agon/score/edge_price.h"
#include "agon/score/gaussian_score.h"
#include "agon/score/uneven.h"

namespace agon {
namespace {

// `table` in place of the one that was loaded; the log says what was changed.
std::shared_ptr<const LoadedData> replaced(const std::shared_ptr<const LoadedData>& data, Dataset table,
                                           const std::vector<std::string>& notes, Journal& log) {
  LoadedData other{std::move(table), data->record};
  describe_columns(other.record, other.table);
  for (const std::string& note : notes) log.note(note);
  return std::make_shared<const LoadedData>(std::move(other));
}

// The table with every column converted to this kind where possible.
std::shared_ptr<const LoadedData> converted(const std::shared_ptr<const LoadedData>& data, ColumnKind kind,
                                            bool code_text, Journal& log) {
  std::vector<std::string> notes;
  Dataset table = with_kind(data->table, kind, notes, code_text);
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

constexpr Capabilities kBothKinds = {.categorical = true, .continuous = true, .mixed = true};

// The default for the same kinds of columns where rows may be of any sort, which is a BIC.
const ScoreEntry& bic_for(const ScoreEntry& entry) {
  Capabilities any_rows = entry.takes;
  any_rows.missing = true;
  return default_score(any_rows);
}

// docs/results/scores.md: discrete-bic is what most other programs maximise; penalty.md: penalty 2 is second to a price
// for each edge.
std::optional<NextScore> next_score(const ScoreEntry& entry, const ScoreOptions& options, const Dataset& data) {
  if (data.has_missing() || data.has_drawn() || data.has_regimes()) return std::nullopt;
  ScoreOptions next = options;
  next.priced_edges = false;
  if (!has_penalty(entry)) return NextScore{bic_for(entry).name, bic_for(entry).name, next};
  if (!options.priced_edges) return std::nullopt;
  next.penalty = 2;
  return NextScore{entry.name + " with penalty 2", entry.name, next};
}

std::string why_automatic(const Dataset& data, const ScoreEntry& entry, bool penalty_given) {
  const Capabilities needs = needs_of(data);
  if (data.is_summary()) return "because a matrix was given, so there are no ranks";
  if (needs.mixed) return "because there are both kinds of columns; --score chooses another";
  if (entry.takes.mixed) return "because an option of it was given";
  const std::string kind = needs.categorical || needs.continuous ? column_kinds(needs) : "constant";
  if (penalty_given && needs.categorical) {
    return "because every column is categorical and a penalty was given; --score chooses another";
  }
  return fmt::format("because every column is {}; --score chooses another", kind);
}

bool is_mostly_categorical(const Dataset& data) {
  int categorical = 0, all = 0;
  for (const Column& column : data.columns()) {
    if (column.is_isolated()) continue;
    ++all;
    categorical += column.kind == ColumnKind::kCategorical;
  }
  return categorical < all && 3 * categorical >= 2 * all;
}

// Squares pay where variances and slopes change with the levels; elsewhere they cost power, so the table must ask.
void choose_basis(const Dataset& data, ScoreOptions& options, Journal& log) {
  const UnevenSpread found = uneven_spread(data, options.raw);
  if (!found.asks_for_squares()) return;
  options.basis = 2;
  log.note(
      fmt::format("squares of numbers are used too, because {} of {} numbers scatter more in some rows than in others, "
                  "depending on another column; --basis 1 switches that off",
                  found.uneven, found.numbers));
}

}  // namespace

ScoreSettings::ScoreSettings(Settings& settings, Purpose purpose) : settings_(settings) {
  settings.option(name_, {.name = "score",
                          .value = "NAME",
                          .help = "score to maximise, see `agon list scores`; auto chooses by the kinds of the columns",
                          .common = true});
  for (const ScoreParameter& parameter : score_parameters()) {
    settings.option(parameter.field(options_), parameter.option);
  }
  settings.option(
      bins_, {.name = "bins",
              .value = "K",
              .help = "cut continuous columns into K bins of about equal weight, for scores of categorical columns",
              .range = at_least(2).at_most(20),
              .otherwise = "columns are not cut"});
  if (purpose != Purpose::kSearch) return;
  settings.option(options_.max_parents, {.name = "max-parents",
                                         .value = "M",
                                         .help = "most parents of a node",
                                         .range = at_least(1),
                                         .otherwise = "as many as the score can take"});
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
    std::vector<std::string> others;
    for (const ScoreEntry& other : score_entries()) {
      const auto same = [&](const ScoreParameter& parameter) { return parameter.option.name == name; };
      if (std::ranges::any_of(other.parameters, same)) others.push_back(other.name);
    }
    throw UsageError(
        fmt::format("{} has no effect on {}", option, entry.name),
        own.empty() ? fmt::format("pass --score {} with it", joined(others, " or ")) : "it is tuned by " + listed(own));
  }
}

// A score asked for by name may need columns of the other kind.
void ScoreSettings::change_kinds(std::shared_ptr<const LoadedData>& data, bool code_text, Journal& log) const {
  if (bins_ > 0) {
    const ScoreEntry& entry = entry_for(data->table);
    if (entry.takes.continuous) {
      throw UsageError(
          fmt::format("--bins has no effect on {}, which takes continuous columns as they are", entry.name),
          "pass --score discrete-bic with it");
    }
    data = binned(data, bins_, log);
  } else if (name_ != "auto") {
    const std::optional<ColumnKind> kind = only_kind(score_entry(name_));
    if (kind && !data->table.all_of(*kind)) data = converted(data, *kind, code_text, log);
  }
}

// Where the score is left open, an option of mixed-bic asks for mixed-bic, unless there are categories alone, and a
// penalty asks for a BIC.
const ScoreEntry& ScoreSettings::entry_for(const Dataset& data) const {
  if (name_ != "auto") return score_entry(name_);
  const Capabilities needs = needs_of(data);
  if ((settings_.given("basis") || settings_.given("scale")) && needs.continuous) return default_score(kBothKinds);
  const ScoreEntry& entry = default_score(data);
  return settings_.given("penalty") && !has_penalty(entry) ? bic_for(entry) : entry;
}

namespace {

// Numbers that determine each other leave families without a score, unless it has a floor.
bool is_singular(const LocalScore& score) {
  const auto* gaussian = dynamic_cast<const GaussianBic*>(&without_edge_price(score));
  return gaussian != nullptr && gaussian->is_singular();
}

// Reads the rows of experiments as the score says. The record lists all that is known of them; its checksum is that of
// the table as it is read, before gaps are filled.
// `pooled` is the score of the rows read as one sample, where it was made already; `options` are those of all scores.
void settle_regimes(std::shared_ptr<const LoadedData>& data, const ScoreEntry& entry, const ScoreOptions& options,
                    const TreatmentRequest& request, std::unique_ptr<LocalScore> pooled, ChosenScore& chosen,
                    Journal& log) {
  if (!data->table.has_regimes()) return;
  const auto make = [&](const Dataset& table) {
    return pooled && !table.has_regimes() ? std::move(pooled) : entry.make(table, options);
  };
  Watch watch = request.watch != nullptr ? *request.watch : Watch();
  if (request.seconds > 0) {
    watch.deadline = Watch::Clock::now() + std::chrono::duration_cast<Watch::Clock::duration>(
                                               std::chrono::duration<double>(request.seconds / 4));
  }
  chosen.regimes = choose_treatment(data->table, make, {request.seed, request.threads, &watch, request.effort});
  LoadedData read{with_treatment(chosen.untreated->table, chosen.regimes.used), data->record};
  read.record.checksum = read.table.checksum();
  const bool filled = chosen.untreated != data;
  chosen.untreated = std::make_shared<const LoadedData>(std::move(read));
  data = filled ? std::make_shared<const LoadedData>(
                      LoadedData{with_treatment(data->table, chosen.regimes.used), chosen.untreated->record})
                : chosen.untreated;
  for (const TreatmentTotal& total : chosen.regimes.totals) {
    log.detail(
        fmt::format("rows read as {}: the best graph found scores {:.3f}", to_string(total.treatment), total.total));
  }
  if (const std::string remark = chosen.regimes.remark(); !remark.empty()) log.warning(remark);
}

}  // namespace

ChosenScore ScoreSettings::make(std::shared_ptr<const LoadedData>& data, const TreatmentRequest& request,
                                Journal& log) const {
  change_kinds(data, request.code_text, log);
  const ScoreEntry* entry = &entry_for(data->table);
  refuse_other_parameters(*entry);
  check_parameters(*entry, options_);

  ChosenScore chosen;
  chosen.untreated = data;
  chosen.missing = plan_missing(data->table, *entry, request.missing, request.draws, request.seed);
  chosen.options = options_;
  if (name_ == "auto" && !settings_.given("penalty")) {
    chosen.options = with_defaults(chosen.options, *entry);
  }
  chosen.options.gap_columns = chosen.missing.used == MissingTreatment::kLevel;
  chosen.options.threads = request.threads;
  chosen.options.watch = request.watch;
  if (chosen.missing.changes_table()) {
    Treated table = treated(data->table, chosen.missing, {.threads = request.threads, .watch = request.watch});
    chosen.fit = table.fit;
    data = std::make_shared<const LoadedData>(LoadedData{std::move(table.data), data->record});
  }
  choose_score(entry->name, data->table);  // refuses a table that the score cannot take
  if (name_ == "auto" && needs_of(data->table).mixed && !settings_.given("basis")) {
    choose_basis(data->table, chosen.options, log);
  }
  chosen.reason = name_ != "auto" ? "as --score asks" : why_automatic(data->table, *entry, settings_.given("penalty"));
  const auto take_floor = [&] {
    entry = &default_score(kBothKinds);
    chosen.reason = "because some columns determine others exactly; --score chooses another";
  };
  SharedBlocks blocks;  // the ways to read the rows of experiments have the same cells
  ScoreOptions sharing = chosen.options;
  if (data->table.has_regimes()) sharing.blocks = &blocks;
  std::optional<Dataset> as_one_sample;  // lives as long as `pooled`
  std::unique_ptr<LocalScore> pooled;
  if (name_ == "auto" && data->table.has_regimes()) {
    as_one_sample = with_treatment(data->table, {});
    pooled = entry->make(*as_one_sample, sharing);
    if (is_singular(*pooled)) {
      take_floor();
      pooled.reset();
    }
  }
  settle_regimes(data, *entry, sharing, request, std::move(pooled), chosen, log);
  chosen.score = entry->make(data->table, sharing);
  if (name_ == "auto" && is_singular(*chosen.score)) {
    take_floor();
    chosen.score = entry->make(data->table, sharing);
  }
  if (name_ == "auto" && is_mostly_categorical(data->table)) {
    log.note(
        "two thirds of the columns or more are categorical: --score discrete-bic --bins 3 sees interactions among "
        "them that mixed-bic does not");
  }
  if (name_ == "auto") chosen.next = next_score(*entry, chosen.options, data->table);
  ScoreOptions again = chosen.options;
  again.watch = nullptr;
  if (chosen.score->moments() != nullptr && chosen.score->moments()->em) {
    again.em_steps = chosen.score->moments()->em->steps;
    again.given = chosen.score->moments();  // lives as long as the score
  }
  chosen.make_plain = [entry, data, again] { return entry->make_plain(data->table, again); };
  return chosen;
}

}  // namespace agon
