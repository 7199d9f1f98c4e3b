// How often the intervals of `agon effect` hold the true effect: linear Gaussian models over random graphs, all pairs
// in which the first may cause the second. The figures are in docs/results/effects.md.
//
//   cmake --build build --target effects && build/effects 10 1000 3 100 2
//                                    columns, rows, average degree, graphs, penalty
//
// Prints one line each for the class that made the table and for the class that BOSS and some play found in it (the
// search of a resample, match/bootstrap.h; gaussian-bic): pairs, how often the true effect is in one of the intervals
// printed or is 0 where 0 is possible, the same of the graphs whose class was found exactly and of the others, and the
// share of identified effects. For the true class also the share of pairs whose interval with the adjustment set of the
// true graph alone holds the effect: the nominal rate is 95 %.
#include <fmt/format.h>

#include <Eigen/Core>
#include <cmath>
#include <cstdlib>

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

}  // namespace

int main(int count, char** words) {
  if (count != 6) {
    fmt::print(stderr, "usage: effects COLUMNS ROWS DEGREE GRAPHS PENALTY\n");
    return 2;
  }
  const int columns = std::atoi(words[1]), graphs = std::atoi(words[4]);
  const size_t rows = static_cast<size_t>(std::atol(words[2]));
  const double degree = std::atof(words[3]), penalty = std::atof(words[5]);
  Rates of_truth, of_found;
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
    ask(CausalClass(cpdag_of(found).pdag()), table, truth, effects, is_right, of_found);
  }
  fmt::print("{} columns, {} rows, degree {}, {} graphs, penalty {}\n", columns, rows, degree, graphs, penalty);
  fmt::print("  true class:  {} pairs, held {:.1f} %, with the true set {:.1f} %, identified {:.1f} %\n",
             of_truth.any.all, of_truth.any.percent(), of_truth.own.percent(), of_truth.identified.percent());
  fmt::print(
      "  found class: {} pairs, held {:.1f} %, identified {:.1f} %; class right {} of {}: held {:.1f} % of {} pairs "
      "there, {:.1f} % of {} elsewhere\n",
      of_found.any.all, of_found.any.percent(), of_found.identified.percent(), class_is_right.held, class_is_right.all,
      of_found.right.percent(), of_found.right.all, of_found.wrong.percent(), of_found.wrong.all);
  return 0;
}
