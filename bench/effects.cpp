// How often the intervals of `agon effect` hold the true effect: linear Gaussian models over random graphs, all pairs
// in which the first may cause the second. The figures are in docs/results/effects.md.
//
//   cmake --build build --target effects && build/effects 10 1000 3 100 2 [200]
//                                    columns, rows, average degree, graphs, penalty, resamples
//
// Prints one line each for the class that made the table and for the class that BOSS and some play found in it (the
// search of a resample, match/bootstrap.h; gaussian-bic): pairs, how often the true effect is in one of the intervals
// printed or is 0 where 0 is possible, the same of the graphs whose class was found exactly and of the others, and the
// share of identified effects. For the true class also the share of pairs whose interval with the adjustment set of the
// true graph alone holds the effect: the nominal rate is 95 %. With resamples, a third line: ten of these pairs in each
// graph, drawn at random, and how often the interval of `--bootstrap` holds the effect, which searches each resample
// again.
#include <fmt/format.h>

#include <Eigen/Core>
#include <cmath>
#include <cstdlib>
#include <map>

#include "agon/base/linear_algebra.h"
#include "agon/catalog/scores.h"
#include "agon/data/simulate.h"
#include "agon/effect/effect.h"
#include "agon/graph/equivalence.h"
#include "agon/match/bootstrap.h"

namespace {

using namespace agon;

struct Rate {
  long held = 0, all = 0;
  void add(bool holds) {
    held += holds;
    ++all;
  }
  double percent() const { return all ? 100.0 * static_cast<double>(held) / static_cast<double>(all) : 0; }
};

struct Rates {
  Rate any, right, wrong, identified, own;
};

bool holds(const Estimate& e, double truth) { return e.low <= truth && truth <= e.high; }

// Asks about every pair that may have an effect in the class, or has one in truth.
void ask(const CausalClass& graphs, const EffectTable& table, const Dag& truth, const Eigen::MatrixXd& effects,
         bool is_right, Rates& rates) {
  for (Node x = 0; x < truth.size(); ++x) {
    for (Node y = 0; y < truth.size(); ++y) {
      if (x == y) continue;
      const Adjustment own = optimal_adjustment(truth, x, y);
      const EffectSet possible = possible_effects(graphs, x, y);
      if (possible.identified && possible.list[0].on_outcome[0].none && own.none) continue;
      const double effect = effects(x, y);
      bool any = false;
      for (const PossibleEffect& one : possible.list) {
        const Adjustment& adjustment = one.on_outcome[0];
        any = any || (adjustment.none ? own.none : holds(table.estimate(x, y, adjustment).change[0], effect));
      }
      rates.any.add(any);
      (is_right ? rates.right : rates.wrong).add(any);
      rates.identified.add(possible.identified);
      if (!own.none) rates.own.add(holds(table.estimate(x, y, own).change[0], effect));
    }
  }
}

// The pairs that `ask` asks about.
std::vector<Edge> pairs_of(const CausalClass& graphs, const Dag& truth) {
  std::vector<Edge> out;
  for (Node x = 0; x < truth.size(); ++x) {
    for (Node y = 0; y < truth.size(); ++y) {
      if (x == y) continue;
      const EffectSet possible = possible_effects(graphs, x, y);
      const bool zero = possible.identified && possible.list[0].on_outcome[0].none;
      if (!zero || !optimal_adjustment(truth, x, y).none) out.push_back({x, y});
    }
  }
  return out;
}

// Ten pairs, with every resample searched once for all of them.
void ask_resamples(const Dataset& data, std::vector<Edge> pairs, const Eigen::MatrixXd& effects, double penalty,
                   int resamples, bool is_right, Rng rng, Rates& rates) {
  std::map<std::string, Pdag> searched;  // by checksum of the resample
  const ClassSearch search = [&](const Dataset& rows, const Rng& own, const Watch& watch) {
    const auto [at, is_new] = searched.try_emplace(rows.checksum());
    if (is_new) {
      const auto score = make_score("gaussian-bic", rows, {.penalty = penalty});
      at->second = cpdag_of(quick_match(*score, Knowledge(), own, watch)).pdag();
    }
    return at->second;
  };
  const Rng drawn = rng.split("resamples");
  for (int k = 0; k < 10 && !pairs.empty(); ++k) {
    const size_t at = static_cast<size_t>(rng.below(static_cast<int>(pairs.size())));
    const Edge pair = pairs[at];
    pairs.erase(pairs.begin() + static_cast<long>(at));
    const EffectQuestion question{.causes = {pair.from}, .outcome = pair.to, .look_for_curves = false};
    const ResampledEffect found = resample_graph(data, search, question, resamples, 1, drawn);
    const bool held = holds(found.change[0], effects(pair.from, pair.to));
    rates.any.add(held);
    (is_right ? rates.right : rates.wrong).add(held);
  }
}

}  // namespace

int main(int count, char** words) {
  if (count != 6 && count != 7) {
    fmt::print(stderr, "usage: effects COLUMNS ROWS DEGREE GRAPHS PENALTY [RESAMPLES]\n");
    return 2;
  }
  const int columns = std::atoi(words[1]), graphs = std::atoi(words[4]);
  const size_t rows = static_cast<size_t>(std::atol(words[2]));
  const double degree = std::atof(words[3]), penalty = std::atof(words[5]);
  const int resamples = count == 7 ? std::atoi(words[6]) : 0;
  Rates of_truth, of_found, of_resamples;
  Rate class_is_right;
  for (int k = 0; k < graphs; ++k) {
    const Rng rng = Rng(1).split("graph", static_cast<uint64_t>(k));
    const Simulated made = simulate_sem(random_graph({.nodes = columns, .average_degree = degree}, rng.split("graph")),
                                        rows, {}, rng.split("rows"));
    const Dag truth = dag_from_parents(made.parents);
    Eigen::MatrixXd step = Eigen::MatrixXd::Identity(columns, columns);
    for (Node v = 0; v < columns; ++v) {
      for (size_t q = 0; q < made.parents[v].size(); ++q) step(made.parents[v][q], v) = -made.weights[v][q];
    }
    const Eigen::MatrixXd effects = invert(step).inverse;
    const EffectTable table(made.data);
    const auto score = make_score("gaussian-bic", made.data, {.penalty = penalty});
    const Dag found = quick_match(*score, Knowledge(), rng.split("search"));
    const bool is_right = same_class(found, truth);
    class_is_right.add(is_right);
    ask(CausalClass(cpdag_of(truth).pdag()), table, truth, effects, true, of_truth);
    const CausalClass found_class(cpdag_of(found).pdag());
    ask(found_class, table, truth, effects, is_right, of_found);
    if (resamples > 0) {
      ask_resamples(made.data, pairs_of(found_class, truth), effects, penalty, resamples, is_right, rng.split("pairs"),
                    of_resamples);
    }
  }
  fmt::print("{} columns, {} rows, degree {}, {} graphs, penalty {}\n", columns, rows, degree, graphs, penalty);
  fmt::print("  true class:  {} pairs, held {:.1f} %, with the true set {:.1f} %, identified {:.1f} %\n",
             of_truth.any.all, of_truth.any.percent(), of_truth.own.percent(), of_truth.identified.percent());
  fmt::print(
      "  found class: {} pairs, held {:.1f} %, identified {:.1f} %; class right {} of {}: held {:.1f} % of {} pairs "
      "there, {:.1f} % of {} elsewhere\n",
      of_found.any.all, of_found.any.percent(), of_found.identified.percent(), class_is_right.held, class_is_right.all,
      of_found.right.percent(), of_found.right.all, of_found.wrong.percent(), of_found.wrong.all);
  if (resamples > 0) {
    fmt::print(
        "  {} resamples, searched anew: {} pairs, held {:.1f} %; {:.1f} % where the class is right, {:.1f} % "
        "elsewhere\n",
        resamples, of_resamples.any.all, of_resamples.any.percent(), of_resamples.right.percent(),
        of_resamples.wrong.percent());
  }
  return 0;
}
