#include "agon/run/effects.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <tuple>
#include <utility>

#include "agon/base/error.h"
#include "agon/base/parallel.h"
#include "agon/base/suggest.h"
#include "agon/effect/pag_next.h"
#include "agon/graph/equivalence.h"
#include "agon/match/bootstrap.h"
#include "agon/report/effect_texts.h"
#include "agon/run/recorded.h"

namespace agon {
namespace {

class Names {
 public:
  Names(std::vector<std::string> names, std::string place) : names_(std::move(names)), place_(std::move(place)) {}
  const std::vector<std::string>& list() const { return names_; }
  Node of_graph(const std::string& name) const {
    const auto at = std::find(names_.begin(), names_.end(), name);
    if (at != names_.end()) return static_cast<Node>(at - names_.begin());
    throw InputError(place_, fmt::format("its graph has a node {}, which is not a column", quoted(name)));
  }
  Node asked(const std::string& name) const {
    const auto at = std::find(names_.begin(), names_.end(), name);
    if (at != names_.end()) return static_cast<Node>(at - names_.begin());
    const std::string hint = did_you_mean(name, names_);
    throw UsageError(fmt::format("there is no column {} in the result", quoted(name)),
                     hint.empty() ? "the columns are " + listed(names_) : hint);
  }

 private:
  std::vector<std::string> names_;
  std::string place_;
};

// By node, as in the table.
std::vector<std::string> recorded_names(const RunRecord& record) {
  std::vector<std::string> given, out;
  for (const ColumnRecord& column : record.data.columns) given.push_back(column.name);
  for (const int index : canonical_order(given)) out.push_back(given[static_cast<size_t>(index)]);
  return out;
}

// What data and knowledge leave open. The file may have been edited, so it is checked and closed again.
CausalClass recorded_class(const RunRecord& record, const Names& names, const std::string& place) {
  Pdag graph(static_cast<int>(names.list().size()));
  const auto add = [&](const NamePair& edge, bool directed) {
    const Node from = names.of_graph(edge.first), to = names.of_graph(edge.second);
    if (from == to || graph.adjacent(from, to)) {
      throw InputError(place,
                       fmt::format("its graph has two edges between {} and {}", shown(edge.first), shown(edge.second)));
    }
    directed ? graph.add_directed(from, to) : graph.add_undirected(from, to);
  };
  for (const NamePair& edge : record.mpdag.directed) add(edge, true);
  for (const NamePair& edge : record.mpdag.undirected) add(edge, false);
  if (!consistent_extension(graph)) throw InputError(place, "no directed acyclic graph fits its graph");
  close_under_meek(graph);
  return CausalClass(std::move(graph));
}

Pag recorded_pag(const RunRecord& record, const Names& names) {
  Pag pag(static_cast<int>(names.list().size()));
  for (const NamedEdge& edge : *record.pag) {
    const Node a = names.of_graph(edge.a), b = names.of_graph(edge.b);
    pag.join(a, b);
    pag.set_mark(a, b, edge.at_b);
    pag.set_mark(b, a, edge.at_a);
  }
  return pag;
}

// The table on which the run searched: experiments as it read them, missing categories as a level if it did that.
Dataset as_searched(Dataset data, const RunRecord& record, const std::string& place) {
  require_same_table(record, data, place);
  if (data.has_regimes()) data = with_treatment(data, recorded_treatment(record, data, place));
  if (recorded_missing(record, place).used == MissingTreatment::kLevel) data = with_missing_level(std::move(data));
  return data;
}

// BOSS and some play on the rows of a resample, with the score of the run.
ClassSearch search_of(const EffectSource& source, const Knowledge& knowledge) {
  const ScoreEntry& entry = recorded_entry(source.record(), source.place());
  const ScoreOptions options = recorded_options(entry, source.record(), source.place());
  const MissingPlan plan = recorded_missing(source.record(), source.place());
  return [entry, options, plan, knowledge](const Dataset& rows, const Rng& rng, const Watch& watch) {
    MissingPlan missing = plan;
    missing.seed = Rng(rng).split("gaps").next();
    std::optional<Dataset> filled;
    if (missing.used == MissingTreatment::kDraws) filled = treated(rows, missing, {.watch = &watch}).data;
    const Dataset& table = filled ? *filled : rows;
    ScoreOptions own = options;
    own.threads = 1;
    own.watch = &watch;
    own.gap_columns = missing.used == MissingTreatment::kLevel;
    const auto score = entry.make(table, own);
    const Dag dag = quick_match(*score, knowledge, rng, watch);
    return mpdag_of(dag, knowledge, score->traits().row_set);
  };
}

}  // namespace

EffectSource::EffectSource(const RunRecord& record, Dataset data, const std::string& place, int threads)
    : record_(record), place_(place), rows_(as_searched(std::move(data), record, place)) {
  find_graph(threads);
}

EffectSource::EffectSource(const RunRecord& record, Dataset data, JustSearched, int threads)
    : record_(record), place_("the result"), rows_(std::move(data)) {
  if (record.data.missing.policy == to_string(MissingTreatment::kLevel)) rows_ = with_missing_level(std::move(rows_));
  find_graph(threads);
}

void EffectSource::find_graph(int threads) {
  const Names names(rows_.names(), place_);
  if (record_.pag) {
    pag_ = recorded_pag(record_, names);
  } else {
    graphs_ = recorded_class(record_, names, place_);
  }
  table_ = std::make_unique<const EffectTable>(rows_, threads);
}

namespace {

constexpr int kMostPairs = 3600;  // of a cause and an outcome, in a page

// How many pairs about a second of work allows for.
int affordable_pairs(const Dataset& data) {
  constexpr int kMostColumns = 2000;     // ways are looked for between all of them
  constexpr double kMostCounted = 6e6;   // cells: rows are counted for each pair of categories
  constexpr double kMostProducts = 2e9;  // for the matrix of a regression
  constexpr double kMostEm = 1e8;        // at worst every row has gaps of its own, in each of its steps
  const double rows = static_cast<double>(data.rows()), columns = data.size();
  if (data.size() > kMostColumns) return 0;
  if (data.has_missing() && rows * columns * columns * columns > kMostEm) return 0;
  if (!data.all_of(ColumnKind::kCategorical) && rows * columns * columns > kMostProducts) return 0;
  if (data.all_of(ColumnKind::kContinuous)) return kMostPairs;
  return static_cast<int>(std::min(kMostCounted / rows, 1.0 * kMostPairs));
}

struct Pairs {
  std::vector<Edge> list;  // from cause to outcome, the nearest first
  bool complete = true;    // all that may have an effect are among them
};

// The pairs to show: those with the shortest way from cause to outcome, as many as are affordable. `next` lists the
// nodes that a node may have an arrow to. Where not all pairs of a length fit, they are taken by name, so that the page
// does not depend on the order of columns.
Pairs nearest_pairs(const std::vector<std::vector<Node>>& next, const std::vector<std::string>& names, size_t most) {
  const int p = static_cast<int>(next.size());
  Pairs out;
  std::vector<std::vector<char>> reached(p, std::vector<char>(p, 0));
  std::vector<std::vector<Node>> border(p);
  for (Node v = 0; v < p; ++v) {
    reached[v][v] = 1;
    border[v] = {v};
  }
  for (bool grows = true; grows && out.complete;) {
    std::vector<Edge> found;
    for (Node cause = 0; cause < p; ++cause) {
      std::vector<Node> ahead;
      for (const Node v : border[cause]) {
        for (const Node to : next[v]) {
          if (std::exchange(reached[cause][to], 1)) continue;
          ahead.push_back(to);
          found.push_back({cause, to});
        }
      }
      border[cause] = std::move(ahead);
    }
    grows = !found.empty();
    if (found.size() > most - out.list.size()) {
      out.complete = false;
      std::sort(found.begin(), found.end(), [&](const Edge& a, const Edge& b) {
        return std::tie(names[a.from], names[a.to]) < std::tie(names[b.from], names[b.to]);
      });
      found.resize(most - out.list.size());
    }
    out.list.insert(out.list.end(), found.begin(), found.end());
  }
  return out;
}

std::vector<std::vector<Node>> possible_children(const EffectSource& source) {
  const int p = source.table().data().size();
  std::vector<std::vector<Node>> out(p);
  for (Node a = 0; a < p; ++a) {
    for (Node b = 0; b < p; ++b) {
      if (a == b) continue;
      const bool leads = source.pag()
                             ? source.pag()->adjacent(a, b) && source.pag()->mark(b, a) != Mark::kArrow
                             : source.graphs()->graph().adjacent(a, b) && !source.graphs()->graph().has_directed(b, a);
      if (leads) out[a].push_back(b);
    }
  }
  return out;
}

}  // namespace

bool fits_page(const Dataset& data) {
  constexpr int kFewest = 100;  // below this a page with effects is more puzzling than useful
  return affordable_pairs(data) >= std::min(kFewest, data.size() * data.size());
}

std::string page_effects(const EffectSource& source, int threads, const Watch& watch) {
  const Dataset& data = source.table().data();
  const Pairs pairs =
      nearest_pairs(possible_children(source), data.names(), static_cast<size_t>(affordable_pairs(data)));
  std::vector<std::optional<EffectAnswer>> found(pairs.list.size());
  std::atomic<bool> cut = false;
  const auto is_usable = [&](Node v) { return !data.column(v).is_isolated() && data.column(v).more.empty(); };
  parallel_for(static_cast<int>(pairs.list.size()), threads, [&](int k) {
    const auto [cause, outcome] = pairs.list[static_cast<size_t>(k)];
    if (!is_usable(cause) || !is_usable(outcome)) return;
    if (watch.stop_requested()) {
      cut = true;
      return;
    }
    const EffectQuestion question{.causes = {cause}, .outcome = outcome, .look_for_curves = false};
    EffectAnswer answer = source.pag() ? effect(*source.pag(), source.table(), question)
                                       : effect(*source.graphs(), source.table(), question);
    const bool is_zero = answer.identified && answer.list[0].none;
    if (!answer.list.empty() && !is_zero) found[static_cast<size_t>(k)] = std::move(answer);
  });
  std::vector<EffectAnswer> all;
  for (std::optional<EffectAnswer>& answer : found) {
    if (answer) all.push_back(std::move(*answer));
  }
  // By name, so that the page does not depend on the order of columns.
  std::sort(all.begin(), all.end(), [](const EffectAnswer& a, const EffectAnswer& b) {
    return std::tie(a.causes, a.outcome) < std::tie(b.causes, b.outcome);
  });
  return page_effects_json(all, pairs.complete && !cut);
}

EffectAnswer answer_effect(const EffectSource& source, const EffectRequest& request, const Knowledge& knowledge,
                           const Watch& watch) {
  const EffectTable& table = source.table();
  EffectQuestion question{.causes = {}, .outcome = 0, .levels = request.levels};
  for (const std::string& name : request.of) question.causes.push_back(node_named(table.data(), name));
  question.outcome = node_named(table.data(), request.on);
  const bool several = question.causes.size() > 1;
  if (request.bootstrap > 0) {
    if (source.pag()) throw UsageError("--bootstrap repeats a search for DAGs, and the result is a PAG");
    if (several) throw UsageError("--bootstrap takes a single cause");
  }
  if ((request.resample > 0 || request.bootstrap > 0 || several) && source.rows().is_summary()) {
    throw InputError(source.rows().source(), "a matrix has no rows to draw from");
  }

  const Rng rng(request.seed);
  EffectAnswer answer =
      source.pag() ? effect(*source.pag(), table, question) : effect(*source.graphs(), table, question);
  const int resamples = request.resample > 0 ? request.resample : several ? kJointResamples : 0;
  if (resamples > 0 && answer.why_not.empty()) {
    const std::vector<PossibleEffect> effects =
        source.pag() ? possible_effects(*source.pag(), question.causes[0], question.outcome)
                     : possible_effects(*source.graphs(), table.data(), question).list;
    resample_intervals(answer, effects, table, question, resamples, request.threads, rng, watch);
  }
  if (request.bootstrap > 0) {
    answer.resampled = resample_graph(source.rows(), search_of(source, knowledge), question, request.bootstrap,
                                      request.threads, rng, watch);
  }
  return answer;
}

std::vector<RankedEffect> answer_effects(const EffectSource& source, const std::string& of, const std::string& on,
                                         int threads) {
  const EffectTable& table = source.table();
  if (of.empty() == on.empty()) throw UsageError("give either --on Y, for its causes, or --of X, for its effects");
  const Node node = node_named(table.data(), of.empty() ? on : of);
  const Column& column = table.data().column(node);
  if (column.is_isolated() || !column.more.empty()) {  // throws with the reason
    check_question(table.data(), {.causes = {}, .outcome = node});
  }
  if (source.pag()) {
    return of.empty() ? effects_on(*source.pag(), table, node, threads)
                      : effects_of(*source.pag(), table, node, threads);
  }
  return of.empty() ? effects_on(*source.graphs(), table, node, threads)
                    : effects_of(*source.graphs(), table, node, threads);
}

NextAnswer answer_next(const RunRecord& record, const EffectSource* source, const NextRequest& request,
                       const std::string& place) {
  if (record.pag && !request.of.empty()) {
    throw InputError(place,
                     "its graph allows for hidden variables (a PAG), and what an experiment does for an effect is not "
                     "known there",
                     "without --of and --on the open marks are counted that each experiment settles");
  }
  if (request.of.empty() != request.on.empty())
    throw UsageError("--of and --on belong together: an effect has two ends");
  const Names names(recorded_names(record), place);
  if (record.pag) return next_answer(recorded_pag(record, names), names.list(), request.budget, place);
  std::optional<ChosenEffect> chosen;
  if (!request.of.empty()) {
    chosen = ChosenEffect{names.asked(request.of), names.asked(request.on)};
    if (chosen->cause == chosen->outcome) {
      throw UsageError(fmt::format("{} is named twice: an effect is that of one column on another", quoted(request.of)),
                       "name two different columns");
    }
    if (source) check_question(source->table().data(), {.causes = {chosen->cause}, .outcome = chosen->outcome});
  }
  return next_answer(recorded_class(record, names, place), names.list(), request.budget, chosen,
                     source ? &source->table() : nullptr);
}

}  // namespace agon
