#include "agon/certificate/selection.h"

#include <gtest/gtest.h>

#include <cmath>

#include "agon/certificate/test_scorers.h"
#include "agon/graph/equivalence.h"
#include "agon/graph/test_graphs.h"
#include "agon/score/test_scores.h"
#include "agon/score/test_tables.h"

namespace agon {
namespace {

// Eight rows of two binary columns: 00 three times, 11 three times, 01 and 10 once each. The champion is a -> b, the
// other candidate the empty graph.
//   p(b | a) = 3/4 for b = a, 1/4 otherwise; p(b) = 1/2: per-row differences ln(3/2) six times, ln(1/2) twice
//   range R = ln 3
//   D = (6 ln 3/2 + 2 ln 1/2)/8 - penalty/8, penalty = 1/2 ln 8 * (2 - 1), times c
TEST(Selection, HandWorkedHoeffding) {
  const Dataset data = make_dataset(
      {categorical_column("a", {0, 0, 0, 1, 1, 1, 0, 1}), categorical_column("b", {0, 0, 0, 1, 1, 1, 1, 0})}, "eight");
  Dag champion(2);
  champion.add_edge(data.index_of("a"), data.index_of("b"));
  const double c = 0.1;
  const auto scorer = plain::discrete_bic(data, c);
  const Selection s = selection_figures(*scorer, champion, {Dag(2)}, {.resamples = 0, .delta = 0.1});
  const double gap = (6 * std::log(1.5) + 2 * std::log(0.5)) / 8 - c * 0.5 * std::log(8.0) / 8;
  const double range = std::log(3.0);
  EXPECT_EQ(s.candidates, 2);
  EXPECT_NEAR(s.gap, gap, 1e-12);
  EXPECT_NEAR(s.lipschitz, range, 1e-12);
  EXPECT_NEAR(s.n_required, range * range / (2 * gap * gap) * std::log(2 / 0.1), 1e-9);
  EXPECT_NEAR(s.n_required, 130.24, 0.01);
  EXPECT_NEAR(s.delta, std::min(1.0, 2 * std::exp(-2 * 8 * gap * gap / (range * range))), 1e-12);
  EXPECT_FALSE(s.assumptions.empty());
}

TEST(Selection, TheBoundsAreSolvedBothWays) {
  for (double delta : {0.2, 0.05, 1e-6}) {
    EXPECT_NEAR(lipschitz_delta(3, 0.1, 5, lipschitz_rows(3, 0.1, 5, delta)), delta, 1e-12);
    EXPECT_NEAR(hoeffding_delta(3, 0.1, 5, hoeffding_rows(3, 0.1, 5, delta)), delta, 1e-12);
  }
  EXPECT_NEAR(lipschitz_rows(2, 0.5, 4, 0.05), 8 * 4 / 0.25 * std::log(8 / 0.05), 1e-9);
  EXPECT_EQ(lipschitz_delta(2, 0.5, 4, 1), 1);
  EXPECT_TRUE(std::isinf(hoeffding_rows(2, 0, 4, 0.05)));
  EXPECT_EQ(hoeffding_delta(2, -0.1, 4, 1e9), 1);
}

TEST(Selection, WideTablesGetFewerResamples) {
  EXPECT_EQ(affordable_resamples(200, 0), 200u);
  EXPECT_EQ(affordable_resamples(200, 1e7), 200u);
  EXPECT_EQ(affordable_resamples(200, 2.5e7), 80u);
  EXPECT_EQ(affordable_resamples(200, 1e12), 20u);
  EXPECT_EQ(affordable_resamples(7, 1e12), 7u);
  EXPECT_EQ(affordable_resamples(0, 1e12), 0u);
}

TEST(Selection, GaussianFiguresFollowFromGapAndSlope) {
  Rng rng(41);
  const Dataset data = testing::random_continuous(6, 500, false, rng);
  const auto score = make_score("copula-bic", data);
  const auto scorer = plain::copula_bic(data, 1);
  std::vector<Dag> graphs;
  for (int k = 0; k < 5; ++k) graphs.push_back(testing::random_dag(6, 0.4, rng));
  std::sort(graphs.begin(), graphs.end(),
            [&](const Dag& a, const Dag& b) { return total(*score, a) > total(*score, b); });
  const Selection s = selection_figures(*scorer, graphs[0], graphs, {.resamples = 20});
  EXPECT_EQ(s.candidates, 5);
  EXPECT_NEAR(s.gap, (total(*score, graphs[0]) - total(*score, graphs[1])) / 500, 1e-9);
  EXPECT_DOUBLE_EQ(s.lipschitz, scorer->row_constant(graphs, 1));
  EXPECT_DOUBLE_EQ(s.n_required, 8 * s.lipschitz * s.lipschitz / (s.gap * s.gap) * std::log(2 * 5 / 0.05));
  EXPECT_EQ(s.resamples, 20);
}

TEST(Selection, CountsClassesNotGraphs) {
  Rng rng(42);
  const Dataset data = testing::random_categorical({.variables = 5, .rows = 200, .most_levels = 3}, rng);
  const auto scorer = plain::discrete_bic(data, 1);
  const Dag champion = test::random_chordal_dag(5, rng);
  std::vector<Dag> members = test::members_by_walk(champion);
  ASSERT_GT(members.size(), 1u);
  const Selection alone = selection_figures(*scorer, champion, members, {});
  EXPECT_EQ(alone.candidates, 1);
  EXPECT_TRUE(std::isinf(alone.gap));
  EXPECT_EQ(alone.delta, 0);
  EXPECT_EQ(alone.bootstrap_share, 1);
  EXPECT_EQ(alone.assumptions.size(), 1u);
  members.push_back(Dag(5));
  members.push_back(Dag(5));
  EXPECT_EQ(selection_figures(*scorer, champion, members, {.resamples = 5}).candidates, 2);
}

TEST(Selection, BootstrapShareIsOneWhenTheChampionDominates) {
  Rng rng(43);
  std::vector<double> x(500), y(500);
  std::vector<int> a, b;
  for (int row = 0; row < 500; ++row) {
    x[row] = rng.normal();
    y[row] = x[row] + 0.2 * rng.normal();
    a.push_back(rng.below(3));
    b.push_back(rng.uniform() < 0.9 ? a.back() : 0);
  }
  const Dataset numbers = make_dataset({continuous_column("x", x), continuous_column("y", y)}, "t");
  const Dataset words = make_dataset({categorical_column("x", a), categorical_column("y", b)}, "t");
  Dag edge(2);
  edge.add_edge(0, 1);
  for (const auto& [data, name] :
       {std::pair{&words, "discrete-bic"}, {&words, "bdeu"}, {&numbers, "gaussian-bic"}, {&numbers, "copula-bic"}}) {
    const auto scorer = testing::plain_scorer(name, *data);
    EXPECT_EQ(selection_figures(*scorer, edge, {Dag(2)}, {}).bootstrap_share, 1) << name;
    const Selection swapped = selection_figures(*scorer, Dag(2), {edge}, {});
    EXPECT_EQ(swapped.bootstrap_share, 0) << name;
    EXPECT_LT(swapped.gap, 0);
    EXPECT_TRUE(std::isinf(swapped.n_required));
    EXPECT_EQ(swapped.delta, 1);
  }
}

// Two candidates that differ by an edge between independent columns. The share depends on the seed, not on the threads.
TEST(Selection, BootstrapShareDependsOnTheSeedAlone) {
  Rng rng(44);
  std::vector<double> x(100), y(100);
  for (int row = 0; row < 100; ++row) {
    x[row] = rng.normal();
    y[row] = 0.18 * x[row] + rng.normal();
  }
  const Dataset data = make_dataset({continuous_column("x", x), continuous_column("y", y)}, "t");
  const auto scorer = plain::gaussian_bic(data, 1);
  Dag edge(2);
  edge.add_edge(0, 1);
  const auto share = [&](uint64_t seed, int threads) {
    return selection_figures(*scorer, edge, {Dag(2)}, {.seed = seed, .threads = threads}).bootstrap_share;
  };
  EXPECT_GT(share(1, 1), 0.05);
  EXPECT_LT(share(1, 1), 0.95);
  EXPECT_EQ(share(1, 1), share(1, 4));
  EXPECT_NE(share(1, 1), share(2, 1));
}

}  // namespace
}  // namespace agon
