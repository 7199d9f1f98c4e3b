#include "agon/effect/effect.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "agon/base/error.h"
#include "agon/base/parallel.h"
#include "agon/base/suggest.h"
#include "agon/base/text.h"
#include "agon/effect/counted_effect.h"
#include "agon/match/bootstrap.h"
#include "agon/score/completion.h"
#include "agon/score/curvature.h"

namespace agon {
namespace {

constexpr int kDraws = 10;  // rows for an incomplete one

std::vector<std::string> names_of(const Dataset& data, const std::vector<Node>& nodes) {
  std::vector<std::string> out;
  for (const Node v : nodes) out.push_back(data.column(v).name);
  std::sort(out.begin(), out.end());
  return out;
}

// The table of some columns. An experiment keeps those of its targets that are among them.
Dataset with_columns(const Dataset& data, const std::set<Node>& nodes) {
  std::vector<Column> columns;
  for (const int node : data.file_order()) {
    if (nodes.contains(node)) columns.push_back(data.column(node));
  }
  RowInfo info = data.row_info();
  for (Regime& regime : info.regimes) {
    std::erase_if(regime.targets, [&](const std::string& target) { return !nodes.contains(data.index_of(target)); });
  }
  return make_dataset(std::move(columns), data.source(), std::move(info));
}

// Are two numbers related by more than a line?
bool curved(const Dataset& data, Node a, Node b) {
  if (data.column(a).kind != ColumnKind::kContinuous || data.column(b).kind != ColumnKind::kContinuous) return false;
  if (data.is_summary() || data.column(a).is_isolated() || data.column(b).is_isolated()) return false;
  std::vector<Column> columns = {data.column(a), data.column(b)};
  RowInfo info;
  info.weights = data.row_info().weights;
  return curvature(make_dataset(std::move(columns), data.source(), std::move(info))).curved > 0;
}

void add_warning(EffectAnswer& answer, const std::string& text) {
  if (std::find(answer.warnings.begin(), answer.warnings.end(), text) == answer.warnings.end()) {
    answer.warnings.push_back(text);
  }
}

void add_warnings(EffectAnswer& answer, const EffectTable& table, const EffectQuestion& question) {
  for (const EffectEntry& entry : answer.list) {
    for (const std::string& warning : entry.figures.warnings) add_warning(answer, warning);
  }
  const Dataset& data = table.data();
  const bool some = std::any_of(answer.list.begin(), answer.list.end(), [](const auto& entry) { return !entry.none; });
  if (!some) return;
  const Column& outcome = data.column(question.outcome);
  const bool numbers = outcome.kind == ColumnKind::kContinuous;
  if (numbers && question.look_for_curves) {
    for (const Node cause : question.causes) {
      if (!curved(data, cause, question.outcome)) continue;
      add_warning(answer,
                  fmt::format("{} and {} are related by more than a line: the effect of a unit is a mean slope, "
                              "and differs along the range",
                              shown(data.column(cause).name), shown(outcome.name)));
    }
  }
  if (data.has_missing()) {
    add_warning(answer, numbers ? "missing cells were integrated out (EM), as if they were missing at random"
                                : "missing cells were filled given the others, as if they were missing at random: the "
                                  "intervals are somewhat too narrow");
  }
}

// Are several causes taken together, as categories?
bool set_together(const Dataset& data, const EffectQuestion& question) {
  return question.causes.size() > 1 && data.column(question.outcome).kind == ColumnKind::kCategorical;
}

EffectEntry entry_of(const EffectTable& table, const EffectQuestion& question, const PossibleEffect& effect) {
  const Dataset& data = table.data();
  EffectEntry out{.share = effect.share, .none = true};
  std::set<std::string> paths;
  for (const Adjustment& adjustment : effect.on_outcome) {
    out.none = out.none && adjustment.none;
    out.adjustment.push_back(names_of(data, adjustment.set));
    for (const Node v : adjustment.paths) paths.insert(data.column(v).name);
  }
  out.paths.assign(paths.begin(), paths.end());
  if (question.causes.size() > 1 && set_together(data, question)) {
    if (!out.none) out.figures = table.together(question.causes, question.outcome, effect);
  } else if (question.causes.size() > 1) {
    for (const double value : table.joint(question.causes, question.outcome, effect)) {
      out.joint.push_back({value, kUnknown, kUnknown, kUnknown});
    }
  } else if (!out.none) {
    out.figures = table.estimate(question.causes[0], question.outcome, effect.on_outcome[0], question.levels);
  }
  return out;
}

EffectAnswer begun(const EffectTable& table, const EffectQuestion& question) {
  check_question(table.data(), question);
  EffectAnswer out;
  for (const Node cause : question.causes) out.causes.push_back(table.data().column(cause).name);
  out.outcome = table.data().column(question.outcome).name;
  return out;
}

RankedEffect ranked(const EffectTable& table, Node cause, Node outcome, const std::vector<PossibleEffect>& list) {
  const Dataset& data = table.data();
  RankedEffect out{.cause = data.column(cause).name, .outcome = data.column(outcome).name};
  out.identified = list.size() == 1;
  out.least = std::numeric_limits<double>::infinity();
  out.nonzero = 0;
  bool first = true;
  for (const PossibleEffect& effect : list) {
    const Adjustment& adjustment = effect.on_outcome[0];
    double size = 0;
    std::optional<Estimate> change = Estimate{};
    if (!adjustment.none) {
      const EffectFigures figures = table.estimate(cause, outcome, adjustment);
      size = std::abs(figures.standardised);
      out.nonzero += effect.share;
      const auto reading = one_reading(figures);
      change = reading ? std::optional(figures.change[*reading]) : std::nullopt;
      if (std::isnan(size)) out.known = false;
    }
    if (size < out.least) {
      out.least = size;
      out.smallest = change;
    }
    out.most = std::max(out.most, size);
    if (!change) continue;
    out.low = first ? change->low : std::min(out.low, change->low);
    out.high = first ? change->high : std::max(out.high, change->high);
    first = false;
  }
  if (list.empty() || std::isinf(out.least)) {
    out.known = false;
    out.least = 0;
  }
  return out;
}

bool is_zero(const std::vector<PossibleEffect>& list) { return list.size() == 1 && list[0].on_outcome[0].none; }

void sort_ranked(std::vector<RankedEffect>& list) {
  std::sort(list.begin(), list.end(), [](const RankedEffect& a, const RankedEffect& b) {
    if (a.known != b.known) return a.known;
    if (a.least != b.least) return a.least > b.least;
    if (a.most != b.most) return a.most > b.most;
    return std::tie(a.cause, a.outcome) < std::tie(b.cause, b.outcome);
  });
}

using PairEffects = std::function<std::optional<RankedEffect>(Node cause, Node outcome)>;

std::vector<RankedEffect> all_pairs(const Dataset& data, std::optional<Node> cause, std::optional<Node> outcome,
                                    int threads, const PairEffects& pair) {
  std::vector<std::optional<RankedEffect>> found(data.size());
  parallel_for(data.size(), threads, [&](int other) {
    const Node from = cause.value_or(other), to = outcome.value_or(other);
    if (from != to && !data.column(other).is_isolated()) found[other] = pair(from, to);
  });
  std::vector<RankedEffect> out;
  for (auto& one : found) {
    if (one) out.push_back(std::move(*one));
  }
  sort_ranked(out);
  return out;
}

PairEffects pairs_of(const CausalClass& graphs, const EffectTable& table) {
  return [&](Node cause, Node outcome) -> std::optional<RankedEffect> {
    const EffectSet effects = possible_effects(graphs, cause, outcome);
    if (is_zero(effects.list)) return std::nullopt;
    return ranked(table, cause, outcome, effects.list);
  };
}

std::vector<PossibleEffect> listed(const PagEffect& found) {
  if (found.status == PagEffect::kNotIdentified) return {};
  Adjustment adjustment{.none = found.status == PagEffect::kNone, .set = found.set};
  return {PossibleEffect{.share = 1, .on_outcome = {adjustment}, .among = {}}};
}

PairEffects pairs_of(const Pag& pag, const EffectTable& table) {
  return [&](Node cause, Node outcome) -> std::optional<RankedEffect> {
    const std::vector<PossibleEffect> list = listed(pag_adjustment(pag, cause, outcome, table.data().names()));
    if (is_zero(list)) return std::nullopt;
    RankedEffect out = ranked(table, cause, outcome, list);
    out.hidden_allowed = true;
    return out;
  };
}

// A value with the share of the drawings that it stands for.
struct Weighted {
  double value, weight;
};

Estimate spread_of(std::vector<Weighted> values) {
  if (values.empty()) return {kUnknown, kUnknown, kUnknown, kUnknown};
  std::sort(values.begin(), values.end(), [](const Weighted& a, const Weighted& b) { return a.value < b.value; });
  double total = 0, mean = 0, square = 0;
  for (const Weighted& one : values) total += one.weight;
  for (const Weighted& one : values) mean += one.weight * one.value / total;
  for (const Weighted& one : values) square += one.weight * (one.value - mean) * (one.value - mean) / total;
  const auto quantile = [&](double share) {
    double below = 0;
    for (const Weighted& one : values) {
      below += one.weight;
      if (below >= share * total * (1 - 1e-12)) return one.value;
    }
    return values.back().value;
  };
  const double tail = (1 - kConfidence) / 2;
  return {quantile(0.5), std::sqrt(square), quantile(tail), quantile(1 - tail)};
}

bool has_all_levels(const Dataset& resample, const Dataset& data) {
  for (int v = 0; v < data.size(); ++v) {
    if (resample.column(v).levels.size() != data.column(v).levels.size()) return false;
    if (resample.column(v).is_isolated() != data.column(v).is_isolated()) return false;
  }
  return true;
}

}  // namespace

EffectTable::EffectTable(const Dataset& data, int threads) : data_(std::make_shared<const Dataset>(data)) {
  complete_ = data_;
  const bool some_categories = std::any_of(data.columns().begin(), data.columns().end(), [](const Column& column) {
    return column.kind == ColumnKind::kCategorical;
  });
  if (!data.all_of(ColumnKind::kCategorical)) linear_ = std::make_unique<const LinearEffects>(data, threads);
  if (data.has_missing() && some_categories) {
    complete_ = std::make_shared<const Dataset>(complete_by_draws(data, kDraws, 0, {.threads = threads}).data);
  }
}

bool EffectTable::counts(Node cause, Node outcome, const std::vector<Node>& set) const {
  const auto is_category = [&](Node v) { return data_->column(v).kind == ColumnKind::kCategorical; };
  return is_category(cause) && is_category(outcome) && std::all_of(set.begin(), set.end(), is_category);
}

EffectFigures EffectTable::estimate(Node cause, Node outcome, const Adjustment& adjustment,
                                    const LevelPair& levels) const {
  return counts(cause, outcome, adjustment.set) ? counted_effect(*complete_, cause, outcome, adjustment, levels)
                                                : linear_->estimate(cause, outcome, adjustment, levels);
}

std::vector<double> EffectTable::joint(const std::vector<Node>& causes, Node outcome,
                                       const PossibleEffect& effect) const {
  return linear_->joint(causes, outcome, effect);
}

EffectFigures EffectTable::together(const std::vector<Node>& causes, Node outcome, const PossibleEffect& effect) const {
  for (size_t i = 0; i < causes.size(); ++i) {
    if (counts(causes[i], outcome, effect.on_outcome[i].set)) continue;
    const std::vector<std::string>& readings = data_->column(outcome).levels;
    EffectFigures out{.readings = readings, .standardised = kUnknown};
    out.change.assign(readings.size(), {kUnknown, kUnknown, kUnknown, kUnknown});
    out.warnings.push_back(
        "some columns to adjust for are numbers: causes set together are estimated by counting alone");
    return out;
  }
  return counted_effect(*complete_, causes, outcome, effect);
}

std::optional<size_t> one_reading(const EffectFigures& figures) {
  if (figures.readings.empty()) return 0;
  if (figures.readings.size() == 2) return 1;
  return std::nullopt;
}

double EffectEntry::size() const { return none ? 0 : std::abs(figures.standardised); }

Node node_named(const Dataset& data, const std::string& name) {
  const Node found = data.index_of(name);
  if (found >= 0) return found;
  const std::vector<std::string> names = data.names();
  const std::string hint = did_you_mean(name, names);
  throw UsageError(fmt::format("there is no column {} in {}", quoted(name), shown(data.source())),
                   hint.empty() ? "the columns are " + agon::listed(names) : hint);
}

namespace {
void check_several(const Dataset& data, const EffectQuestion& question) {
  const Column& outcome = data.column(question.outcome);
  double settings = 1;
  for (const Node cause : question.causes) {
    const Column& column = data.column(cause);
    settings *= static_cast<double>(column.levels.size());
    if (column.kind == outcome.kind) continue;
    throw InputError(
        data.source(),
        fmt::format("several causes at once and their outcome must be all numbers or all categories: {} is "
                    "{}, {} is {}",
                    quoted(column.name), to_string(column.kind), quoted(outcome.name), to_string(outcome.kind)),
        "ask for one cause at a time");
  }
  if (!question.levels.from.empty() || !question.levels.to.empty()) {
    throw UsageError("--levels compares two levels of a single cause",
                     "omit --levels: all combinations of several causes are shown");
  }
  if (outcome.kind == ColumnKind::kCategorical && settings > static_cast<double>(kMostSettings)) {
    throw InputError(
        data.source(),
        fmt::format("the causes have {:.0f} combinations of levels together, more than {}", settings, kMostSettings),
        "set fewer of them at once");
  }
}
}  // namespace

EffectSet possible_effects(const CausalClass& graphs, const Dataset& data, const EffectQuestion& question) {
  return possible_effects(graphs, question.causes, question.outcome,
                          set_together(data, question) ? SeveralCauses::kTogether : SeveralCauses::kByPairs);
}

void check_question(const Dataset& data, const EffectQuestion& question) {
  std::vector<Node> asked = question.causes;
  asked.push_back(question.outcome);
  for (size_t i = 0; i < asked.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (asked[i] != asked[j]) continue;
      throw UsageError(fmt::format("{} is named twice: an effect is that of one column on another",
                                   quoted(data.column(asked[i]).name)),
                       "name two different columns");
    }
    const Column& column = data.column(asked[i]);
    if (column.identifier) {
      throw InputError(data.source(),
                       fmt::format("column {} holds names or codes that differ from row to row: it has no "
                                   "effects",
                                   quoted(column.name)));
    }
    if (column.is_constant()) {
      throw InputError(
          data.source(),
          fmt::format("column {} has the same value in every row: its effects cannot be seen", quoted(column.name)));
    }
    if (!column.more.empty()) {
      throw InputError(data.source(),
                       fmt::format("column {} is a category known by a matrix alone: effects of and on it "
                                   "are not supported",
                                   quoted(column.name)));
    }
  }
  if (question.causes.size() > 1) check_several(data, question);
  if (question.causes.empty()) return;
  const Column& cause = data.column(question.causes[0]);
  if (!question.levels.from.empty() && question.levels.from == question.levels.to) {
    throw UsageError(fmt::format("the level {} is compared with itself", quoted(question.levels.from)));
  }
  for (const std::string& level : {question.levels.from, question.levels.to}) {
    if (level.empty()) continue;
    if (cause.kind == ColumnKind::kContinuous) {
      throw UsageError(fmt::format("column {} is a number: it has no levels", quoted(cause.name)),
                       "its effect is that of one unit more");
    }
    if (std::find(cause.levels.begin(), cause.levels.end(), level) != cause.levels.end()) continue;
    throw UsageError(fmt::format("column {} has no level {}", quoted(cause.name), quoted(level)),
                     "its levels are " + agon::listed(cause.levels));
  }
}

EffectAnswer effect(const CausalClass& graphs, const EffectTable& table, const EffectQuestion& question) {
  EffectAnswer out = begun(table, question);
  const EffectSet effects = possible_effects(graphs, table.data(), question);
  if (effects.too_many) {
    out.why_not = fmt::format(
        "the open edges at {} can be directed in more than {} ways; knowledge of some of them would make it possible",
        joined(out.causes, ", "), with_commas(kMostWays));
    return out;
  }
  for (const PossibleEffect& effect : effects.list) out.list.push_back(entry_of(table, question, effect));
  out.identified = effects.identified;
  for (const Edge& edge : effects.deciding) {
    out.deciding.push_back({table.data().column(edge.from).name, table.data().column(edge.to).name});
  }
  if (!effects.counted()) {
    add_warning(out,
                "the shares of the graphs behind each effect are not known: knowledge makes counting too expensive");
  }
  add_warnings(out, table, question);
  return out;
}

EffectAnswer effect(const Pag& pag, const EffectTable& table, const EffectQuestion& question) {
  EffectAnswer out = begun(table, question);
  out.hidden_allowed = true;
  if (question.causes.size() > 1) {
    throw InputError(table.data().source(), "a graph that allows for hidden variables answers for one cause at a time");
  }
  const PagEffect found = pag_adjustment(pag, question.causes[0], question.outcome, table.data().names());
  if (found.status == PagEffect::kNotIdentified) {
    out.why_not = "not identified from this graph: " + found.why;
    return out;
  }
  for (const PossibleEffect& effect : listed(found)) out.list.push_back(entry_of(table, question, effect));
  out.identified = true;
  add_warnings(out, table, question);
  return out;
}

std::vector<PossibleEffect> possible_effects(const Pag& pag, Node cause, Node outcome) {
  return listed(pag_adjustment(pag, cause, outcome, std::vector<std::string>(static_cast<size_t>(pag.size()))));
}

void resample_intervals(EffectAnswer& answer, const std::vector<PossibleEffect>& effects, const EffectTable& table,
                        const EffectQuestion& question, int resamples, int threads, const Rng& rng,
                        const Watch& watch) {
  // Only the columns that matter are drawn, and nodes are found again by name.
  const Dataset& whole = table.data();
  std::set<Node> needed(question.causes.begin(), question.causes.end());
  needed.insert(question.outcome);
  const auto need = [&](const Adjustment& adjustment) {
    needed.insert(adjustment.set.begin(), adjustment.set.end());
    needed.insert(adjustment.paths.begin(), adjustment.paths.end());
  };
  for (const PossibleEffect& effect : effects) {
    for (const Adjustment& adjustment : effect.on_outcome) need(adjustment);
    for (const auto& row : effect.among) {
      for (const Adjustment& adjustment : row) need(adjustment);
    }
  }
  const Dataset data = with_columns(whole, needed);
  const auto moved = [&](Node v) { return data.index_of(whole.column(v).name); };
  const auto move_all = [&](std::vector<Node>& nodes) {
    for (Node& v : nodes) v = moved(v);
    std::sort(nodes.begin(), nodes.end());
  };
  EffectQuestion here = question;
  for (Node& cause : here.causes) cause = moved(cause);
  here.outcome = moved(here.outcome);
  std::vector<PossibleEffect> list = effects;
  for (PossibleEffect& effect : list) {
    for (Adjustment& adjustment : effect.on_outcome) move_all(adjustment.set), move_all(adjustment.paths);
    for (auto& row : effect.among) {
      for (Adjustment& adjustment : row) move_all(adjustment.set), move_all(adjustment.paths);
    }
  }

  std::vector<std::vector<EffectEntry>> drawn(resamples);  // by resample, then as in the list; empty: not usable
  parallel_for(resamples, threads, [&](int k) {
    if (watch.stop_requested()) return;
    const Dataset rows = resampled(data, rng.split("rows", static_cast<uint64_t>(k)));
    if (!has_all_levels(rows, data)) return;
    const EffectTable again(rows);
    for (const PossibleEffect& effect : list) drawn[k].push_back(entry_of(again, here, effect));
  });

  ResampledEffect summary{.asked = resamples};
  for (const auto& one : drawn) summary.resamples += !one.empty();
  const auto redo = [&](Estimate& estimate, size_t entry, const auto& value_of) {
    std::vector<Weighted> values;
    for (const auto& one : drawn) {
      if (!one.empty() && !std::isnan(value_of(one[entry]))) values.push_back({value_of(one[entry]), 1});
    }
    const Estimate spread = spread_of(std::move(values));
    estimate = {estimate.value, spread.error, spread.low, spread.high};
  };
  for (size_t e = 0; e < answer.list.size(); ++e) {
    EffectEntry& entry = answer.list[e];
    for (size_t r = 0; r < entry.figures.change.size(); ++r) {
      redo(entry.figures.change[r], e, [r](const EffectEntry& one) { return one.figures.change[r].value; });
    }
    for (size_t s = 0; s < entry.figures.under.size(); ++s) {
      for (size_t r = 0; r < entry.figures.under[s].size(); ++r) {
        redo(entry.figures.under[s][r], e, [s, r](const EffectEntry& one) { return one.figures.under[s][r].value; });
      }
    }
    for (size_t i = 0; i < entry.joint.size(); ++i) {
      redo(entry.joint[i], e, [i](const EffectEntry& one) { return one.joint[i].value; });
    }
  }
  answer.resampled = std::move(summary);
}

ResampledEffect resample_graph(const Dataset& data, const ClassSearch& search, const EffectQuestion& question,
                               int resamples, int threads, const Rng& rng, const Watch& watch) {
  std::vector<std::optional<EffectAnswer>> drawn(resamples);
  parallel_for(resamples, threads, [&](int k) {
    if (watch.stop_requested()) return;
    const uint64_t number = static_cast<uint64_t>(k);
    const Dataset rows = resampled(data, rng.split("rows", number));
    if (!has_all_levels(rows, data)) return;
    const Pdag graph = search(rows, rng.split("search", number), watch);
    if (watch.stop_requested()) return;
    const EffectAnswer answer = effect(CausalClass(graph), EffectTable(rows), question);
    if (answer.why_not.empty()) drawn[k] = answer;
  });
  ResampledEffect out{.asked = resamples, .graph = true};
  std::vector<std::vector<Weighted>> values;
  double total = 0;
  for (const auto& answer : drawn) {
    if (!answer) continue;
    ++out.resamples;
    out.identified += answer->identified;
    for (const EffectEntry& entry : answer->list) {
      // Where nobody could count, every possible effect counts alike.
      const double share = std::isnan(entry.share) ? 1.0 / static_cast<double>(answer->list.size()) : entry.share;
      total += share;
      out.none += entry.none ? share : 0;
      const size_t readings = std::max<size_t>(1, data.column(question.outcome).levels.size());
      values.resize(readings);
      for (size_t r = 0; r < readings; ++r) {
        values[r].push_back({entry.none ? 0 : entry.figures.change[r].value, share});
      }
    }
  }
  for (auto& reading : values) out.change.push_back(spread_of(std::move(reading)));
  if (out.resamples > 0) {
    out.identified /= out.resamples;
    out.none /= total;
  }
  return out;
}

std::vector<RankedEffect> effects_on(const CausalClass& graphs, const EffectTable& table, Node outcome, int threads) {
  return all_pairs(table.data(), std::nullopt, outcome, threads, pairs_of(graphs, table));
}
std::vector<RankedEffect> effects_of(const CausalClass& graphs, const EffectTable& table, Node cause, int threads) {
  return all_pairs(table.data(), cause, std::nullopt, threads, pairs_of(graphs, table));
}
std::vector<RankedEffect> effects_on(const Pag& pag, const EffectTable& table, Node outcome, int threads) {
  return all_pairs(table.data(), std::nullopt, outcome, threads, pairs_of(pag, table));
}
std::vector<RankedEffect> effects_of(const Pag& pag, const EffectTable& table, Node cause, int threads) {
  return all_pairs(table.data(), cause, std::nullopt, threads, pairs_of(pag, table));
}

}  // namespace agon
