#include "agon/score/fitted_ess.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "agon/data/embedded.h"
#include "agon/score/discrete_score.h"
#include "agon/score/test_weights.h"
#include "agon/score/weighted_discrete.h"

namespace agon {
namespace {

// All forests over four variables, by brute force.
TEST(BestForest, NoForestScoresHigher) {
  Rng rng(7);
  for (int trial = 0; trial < 10; ++trial) {
    const Dataset data = testing::random_categorical({.variables = 4, .rows = 200, .most_levels = 3}, rng);
    const DiscreteBic score(data);
    double best = kNoGain;
    for (int code = 0; code < 625; ++code) {  // a parent or none for each of four
      Dag dag(4);
      bool fits = true;
      for (Node v = 0, rest = code; v < 4; ++v, rest /= 5) {
        const Node parent = rest % 5 - 1;
        if (parent < 0) continue;
        fits = fits && parent != v && !score.traits().constant[v] && !score.traits().constant[parent];
        fits = fits && !dag.adjacent(parent, v);
        if (fits) dag.add_edge(parent, v);
      }
      if (fits && is_acyclic(dag)) best = std::max(best, total(score, dag));
    }
    EXPECT_NEAR(total(score, best_forest(score)), best, 1e-5);
  }
}

TEST(FittedEss, IsTheBestOfTheListForTheForest) {
  Rng rng(8);
  for (int trial = 0; trial < 10; ++trial) {
    const Dataset data = testing::random_categorical({.variables = 6, .rows = 150, .most_levels = 4}, rng);
    const Dag forest = best_forest(DiscreteBic(data));
    const double chosen = total(Bdeu(data, {.ess = fitted_ess(data)}), forest);
    for (const double ess : kEssGrid) EXPECT_LE(total(Bdeu(data, {.ess = ess}), forest), chosen);
  }
}

TEST(FittedEss, CountsStandForRepeatedRows) {
  Rng rng(9);
  const testing::CountedTable table = testing::random_counted({.variables = 5, .rows = 60}, 12, rng);
  EXPECT_EQ(fitted_ess(table.counted), fitted_ess(table.expanded));
}

// Near certain answers want a small prior, near even ones a large one.
TEST(FittedEss, FollowsHowCertainTheAnswersAre) {
  Rng rng(10);
  const auto table = [&](double copied) {
    std::vector<int> a, b, c;
    for (int row = 0; row < 1000; ++row) {
      a.push_back(rng.uniform() < 1 - copied / 2 ? 0 : 1);
      b.push_back(rng.uniform() < copied ? a.back() : rng.below(2));
      c.push_back(rng.uniform() < copied ? b.back() : rng.below(2));
    }
    return make_dataset({categorical_column("a", a), categorical_column("b", b), categorical_column("c", c)}, "t");
  };
  EXPECT_LT(fitted_ess(table(0.99)), fitted_ess(table(0.2)));
}

}  // namespace
}  // namespace agon
