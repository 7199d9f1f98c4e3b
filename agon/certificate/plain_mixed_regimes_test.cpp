// mixed-bic, and with it copula-bic and gaussian-bic, derived again on tables of experiments.

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <numbers>

#include "agon/certificate/plain_mixed.h"
#include "agon/data/embedded.h"
#include "agon/graph/class_members.h"
#include "agon/graph/equivalence.h"
#include "agon/score/experiment_score.h"
#include "agon/score/test_mixed_tables.h"
#include "agon/score/test_regimes.h"

namespace agon {
namespace {

using plain::MixedOptions;
using plain::MixedScorer;

bool near(double a, double b, double tolerance = 1e-9) { return std::abs(a - b) <= tolerance * (1 + std::abs(b)); }

Dataset random_experiments(double gaps, Rng& rng) {
  const Dataset rows = testing::random_mixed(
      {.variables = 2 + rng.below(5), .rows = 40 + rng.below(100), .gaps = gaps, .weights = rng.below(2) == 0}, rng);
  return testing::with_random_regimes(rows, rng);
}

MixedOptions random_options(Rng& rng) {
  return {.penalty = rng.uniform(0.5, 2), .raw = rng.below(2) == 0, .basis = 1 + rng.below(2)};
}

// Four rows were seen, and in four more somebody set x. (x, y) = (-1, -1), (1, 2), (0, 0), (0, -1), and with x set
// (2, 2), (-2, -1), (1, 0), (-1, -1). n = 8.
//   x where it was not set: variance 1/2; where it was: 5/2. y: variance 87/64 over all eight rows.
//   y given x over eight rows: covariance 12/8, variance of x 12/8.  x given y over four: 3/4, variance of y 3/2.
// The cells that were set are -2 (ln(2 pi 5/2) + 1) - ln 8 = -9.587777138 in every graph.
TEST(PlainMixedRegimes, SetCellsTellNothingAboutParents) {
  RowInfo info{.regimes = {{.name = "seen"}, {.name = "set", .targets = {"x"}}}};
  for (const uint32_t k : {0, 0, 0, 0, 1, 1, 1, 1}) info.regime.push_back(k);
  const Dataset data = make_dataset(
      {continuous_column("x", {-1, 1, 0, 0, 2, -2, 1, -1}), continuous_column("y", {-1, 2, 0, -1, 2, -1, 0, -1})}, "t",
      info);
  const Node x = data.index_of("x"), y = data.index_of("y");
  const MixedScorer scorer(data, {.raw = true, .floor = 0});
  const double set = -9.587777138;
  EXPECT_NEAR(scorer.local(x, {}).score, set - 6.368901313, 1e-8);
  EXPECT_NEAR(scorer.local(y, {}).score, -15.052810240, 1e-8);
  EXPECT_NEAR(scorer.local(y, std::vector<Node>{x}).score, -11.350036348, 1e-8);
  EXPECT_NEAR(scorer.local(x, std::vector<Node>{y}).score, set - 4.636033362, 1e-8);
  Dag forward(2), backward(2);
  forward.add_edge(x, y);
  backward.add_edge(y, x);
  EXPECT_NEAR(plain::total(scorer, forward).score - plain::total(scorer, backward).score, 1.969905940, 1e-8);
}

// (0, 0), (1, 0), (0, 1), (1, 1), and the same + 10: together r = 0.990099, within each batch nothing.
TEST(PlainMixedRegimes, BatchesHaveTheirOwnMeans) {
  const std::vector<Column> columns = {continuous_column("x", {0, 1, 0, 1, 10, 11, 10, 11}),
                                       continuous_column("y", {0, 0, 1, 1, 10, 10, 11, 11})};
  const auto gain = [&](const std::string& second) {
    RowInfo info{.regimes = {{.name = "1", .batch = "first"}, {.name = "2", .batch = second}}};
    for (const uint32_t k : {0, 0, 0, 0, 1, 1, 1, 1}) info.regime.push_back(k);
    const Dataset data = make_dataset(columns, "t", info);
    const MixedScorer scorer(data, {.raw = true, .floor = 0});
    return scorer.local(0, std::vector<Node>{1}).score - scorer.local(0, {}).score;
  };
  EXPECT_NEAR(gain("first"), 14.668023732, 1e-8);
  EXPECT_NEAR(gain("second"), -0.5 * std::log(8.0), 1e-12);
}

// A variable that was set to one value has no variance there: it counts as the floor times that of the table.
TEST(PlainMixedRegimes, OneValueHasAVarianceAllTheSame) {
  RowInfo info{.regimes = {{.name = "seen"}, {.name = "set", .targets = {"x"}}}};
  for (const uint32_t k : {0, 0, 1, 1}) info.regime.push_back(k);
  const Dataset data = make_dataset({continuous_column("x", {-1, 1, 3, 3})}, "t", info);
  const double all = 11.0 / 4;  // the variance of all four
  const auto likelihood = [](double variance) { return -(std::log(2 * std::numbers::pi * variance) + 1); };
  EXPECT_NEAR(MixedScorer(data, {.raw = true}).local(0, {}).score,
              likelihood(1) + likelihood(1e-6 * all) - 2 * std::log(4.0), 1e-9);
}

// Batches a, b with levels 3 : 1 and 1 : 1, and two cells that were set.
TEST(PlainMixedRegimes, LevelsHaveTheirOwnShares) {
  RowInfo info{.regimes = {{.name = "a", .batch = "a"},
                           {.name = "b", .batch = "b"},
                           {.name = "set", .targets = {"x"}, .batch = "b"}}};
  for (const uint32_t k : {0, 0, 0, 0, 1, 1, 2, 2}) info.regime.push_back(k);
  const Dataset data = make_dataset({categorical_column("x", {0, 0, 0, 1, 0, 1, 1, 1})}, "t", info);
  EXPECT_NEAR(MixedScorer(data, {}).local(0, {}).score,
              3 * std::log(0.75) + std::log(0.25) + 2 * std::log(0.5) - 1.5 * std::log(8.0), 1e-12);
}

TEST(PlainMixedRegimes, NothingSetIsAnOrdinaryTable) {
  EXPECT_TRUE(rc::check([](uint64_t seed) {
    Rng rng(seed);
    const Dataset plain = testing::random_mixed({.variables = 5, .rows = 80, .weights = rng.below(2) == 0}, rng);
    RowInfo info = plain.row_info();
    info.regimes = {{.name = "monday"}, {.name = "tuesday"}};
    for (size_t row = 0; row < plain.rows(); ++row) info.regime.push_back(row % 2);
    const Dataset data = make_dataset(plain.columns(), "t", info);
    const MixedOptions options = random_options(rng);
    const Dag dag = testing::random_dag(5, 0.5, rng);
    RC_ASSERT(near(total(MixedScorer(data, options), dag).score, total(MixedScorer(plain, options), dag).score));
  }));
}

// Two derivations of one score, with EM in half of the tables.
TEST(PlainMixedRegimes, ScoresAsInTheSearch) {
  EXPECT_TRUE(rc::check([](uint64_t seed, bool gaps) {
    Rng rng(seed);
    const Dataset data = random_experiments(gaps ? 0.1 : 0, rng);
    RC_PRE(data.has_regimes());
    const MixedOptions options = random_options(rng);
    const MixedScorer scorer(data, options);
    const ExperimentBic score(data, {.penalty = options.penalty, .basis = options.basis, .raw = options.raw});
    RC_ASSERT(scorer.row_set() == score.traits().row_set);
    if (scorer.em()) RC_ASSERT(!scorer.em()->likelihood_fell);  // RC_ASSERT takes both sides of an ||
    for (int k = 0; k < 5; ++k) {
      const testing::Family family = testing::random_family(data.size(), 3, rng);
      const plain::Value plain = scorer.local(family.child, family.parents);
      const double fast = score.local(family.child, family.parents);
      RC_LOG() << plain.score << " and " << fast << ", rounding " << plain.rounding << std::endl;
      RC_ASSERT(std::abs(plain.score - fast) <= 1e-7 * (1 + std::abs(fast)) + plain.rounding);
    }
  }));
}

// Where a missing number is marked by a column of its own, nothing is hidden.
TEST(PlainMixedRegimes, MarkedGapsScoreAsInTheSearch) {
  EXPECT_TRUE(rc::check([](uint64_t seed) {
    Rng rng(seed);
    std::vector<Column> columns = testing::random_continuous(4, 60, false, rng).columns();
    for (Column& column : columns) {
      for (size_t row = 0; row < 60; ++row) {
        if (rng.uniform() < 0.2) column.missing.insert(row);
      }
    }
    const Dataset data = testing::with_random_regimes(make_dataset(columns, "t"), rng);
    RC_PRE(data.has_regimes());
    const bool raw = rng.below(2) == 0;
    const MixedScorer scorer(data, {.raw = raw, .gap_columns = true});
    const ExperimentBic score(data, {.raw = raw, .gap_columns = true});
    const testing::Family family = testing::random_family(data.size(), 3, rng);
    const plain::Value plain = scorer.local(family.child, family.parents);
    const double fast = score.local(family.child, family.parents);
    RC_LOG() << plain.score << " and " << fast << std::endl;
    RC_ASSERT(std::abs(plain.score - fast) <= 1e-9 * (1 + std::abs(fast)) + plain.rounding);
  }));
}

// A weight is as good as so many rows; for EM too.
TEST(PlainMixedRegimes, WeightsAreRepeatedRows) {
  EXPECT_TRUE(rc::check([](uint64_t seed, bool gaps) {
    Rng rng(seed);
    const Dataset data = random_experiments(gaps ? 0.1 : 0, rng);
    RC_PRE(data.has_weights());
    std::vector<size_t> rows;
    for (size_t row = 0; row < data.rows(); ++row) {
      rows.insert(rows.end(), static_cast<size_t>(data.weight(row)), row);
    }
    const Dataset repeated = with_rows(data, rows);
    RowInfo once = repeated.row_info();
    once.weights = {};
    const Dataset expanded = make_dataset(repeated.columns(), "t", once);
    const Dag dag = testing::random_dag(data.size(), 0.4, rng);
    const double score = plain::total(MixedScorer(data, {}), dag).score;
    RC_ASSERT(near(plain::total(MixedScorer(expanded, {}), dag).score, score, gaps ? 1e-6 : 1e-9));
  }));
}

TEST(PlainMixedRegimes, EquivalentDagsScoreTheSame) {
  Rng rng(8);
  int compared = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const Dataset data = random_experiments(trial % 3 == 0 ? 0.1 : 0, rng);
    const MixedScorer scorer(data, random_options(rng));
    const Dag dag = testing::random_dag(data.size(), 0.5, rng);
    const plain::Value expected = plain::total(scorer, dag);
    const ClassMembers members(cpdag_of(dag, scorer.row_set()));
    for (int k = 0; k < 4; ++k) {
      const Dag other = members.draw(rng);
      compared += !(other == dag);
      EXPECT_NEAR(plain::total(scorer, other).score, expected.score, 1e-7 * (1 + std::abs(expected.score)));
    }
  }
  EXPECT_GT(compared, 40);
}

TEST(PlainMixedRegimes, AdditionsAndResamplesAreLocalScores) {
  EXPECT_TRUE(rc::check([](uint64_t seed) {
    Rng rng(seed);
    const Dataset data = testing::with_random_regimes(testing::random_mixed({.variables = 5, .rows = 90}, rng), rng);
    const MixedScorer scorer(data, random_options(rng));
    const testing::Family family = testing::random_family(data.size(), 3, rng);
    std::vector<Node> candidates;
    for (Node v = 0; v < data.size(); ++v) {
      const bool parent = std::find(family.parents.begin(), family.parents.end(), v) != family.parents.end();
      if (v != family.child && !parent && !scorer.is_constant(v)) candidates.push_back(v);
    }
    const std::vector<plain::Value> additions = scorer.additions(family.child, family.parents, candidates);
    for (size_t k = 0; k < candidates.size() && !scorer.is_constant(family.child); ++k) {
      std::vector<Node> parents = family.parents;
      parents.push_back(candidates[k]);
      if (additions[k].score == plain::kUndefined) continue;
      RC_ASSERT(near(additions[k].score, scorer.local(family.child, parents).score));
    }
    const auto resampler = scorer.resampler({{family.child, family.parents}});
    const std::vector<uint32_t> once(data.rows(), 1);
    RC_ASSERT(near(resampler->scores(once)[0], scorer.local(family.child, family.parents).score));
  }));
}

// EM with nothing hidden but one cell in a row that no other variable tells about: as good as the complete table where
// the groups are, and the gap in its group.
TEST(PlainMixedRegimes, EmKnowsTheGroups) {
  Rng rng(3);
  std::vector<double> x, y;
  RowInfo info{.regimes = {{.name = "1", .batch = "a"}, {.name = "2", .batch = "b"}}};
  for (int row = 0; row < 400; ++row) {
    const bool second = row % 2 == 1;
    info.regime.push_back(second);
    x.push_back(rng.normal() + (second ? 50 : 0));
    y.push_back(0.5 * (x.back() - (second ? 50 : 0)) + rng.normal() + (second ? 80 : 0));
  }
  std::vector<Column> columns = {continuous_column("x", x), continuous_column("y", y)};
  const Dataset complete = make_dataset(columns, "t", info);
  for (size_t row = 0; row < 40; ++row) columns[0].missing.insert(row);
  const Dataset data = make_dataset(columns, "t", info);
  const MixedScorer whole(complete, {.raw = true}), gappy(data, {.raw = true});
  ASSERT_TRUE(gappy.em());
  EXPECT_FALSE(gappy.em()->likelihood_fell);
  EXPECT_NEAR(gappy.matrix_of(0)(0, 1), whole.matrix_of(0)(0, 1), 0.06);
}

// The best graph of all, by dynamic programming over sets of variables (Silander & Myllymäki 2006, UAI): the last
// variable of a set in the order of the graph has its parents among the others.
struct Best {
  double score = 0;
  int edges = 0;
};

Best best_graph(const plain::Scorer& scorer) {
  const int p = scorer.size();
  std::vector<std::vector<Best>> family(p, std::vector<Best>(size_t{1} << p));  // of v, with parents within a set
  for (Node v = 0; v < p; ++v) {
    for (size_t set = 0; set < size_t{1} << p; ++set) {
      if (set >> v & 1) continue;
      std::vector<Node> parents;
      for (Node q = 0; q < p; ++q) {
        if (set >> q & 1) parents.push_back(q);
      }
      Best best{scorer.local(v, parents).score, static_cast<int>(parents.size())};
      for (const Node q : parents) {
        const Best& fewer = family[v][set & ~(size_t{1} << q)];
        if (fewer.score > best.score) best = fewer;
      }
      family[v][set] = best;
    }
  }
  std::vector<Best> graph(size_t{1} << p, {plain::kUndefined, 0});
  graph[0].score = 0;
  for (size_t set = 1; set < graph.size(); ++set) {
    for (Node v = 0; v < p; ++v) {
      if (!(set >> v & 1)) continue;
      const Best &before = graph[set & ~(size_t{1} << v)], &last = family[v][set & ~(size_t{1} << v)];
      if (before.score + last.score > graph[set].score)
        graph[set] = {before.score + last.score, before.edges + last.edges};
    }
  }
  return graph.back();
}

// Sachs et al. 2005, as it was measured: nine experiments, in the order of the table. The totals of the best
// graphs were found by another program.
TEST(PlainMixedRegimes, SachsAsItWasMeasured) {
  struct Experiment {
    int rows;
    std::vector<std::string> targets;
  };
  const std::vector<Experiment> experiments = {{853, {}},       {902, {}},       {911, {"pakts473"}},
                                               {723, {"PKC"}},  {810, {"PIP2"}}, {799, {"pmek"}},
                                               {848, {"PIP3"}}, {913, {"PKC"}},  {707, {"PKA"}}};
  const Dataset table = embedded_table("sachs");
  const auto total_of = [&](bool targets, bool within, int edges) {
    RowInfo info;
    for (uint32_t k = 0; k < experiments.size(); ++k) {
      Regime regime{.name = std::to_string(k + 1)};
      if (targets) regime.targets = experiments[k].targets;
      if (within) regime.batch = regime.name;
      info.regimes.push_back(regime);
      for (int row = 0; row < experiments[k].rows; ++row) info.regime.push_back(k);
    }
    const Dataset data = make_dataset(table.columns(), "sachs", info);
    const MixedScorer scorer(data, {.floor = 0});
    const Best found = best_graph(scorer);
    EXPECT_EQ(found.edges, edges);
    return found.score;
  };
  EXPECT_NEAR(total_of(false, false, 38), -98641.961, 1e-3);
  EXPECT_NEAR(total_of(true, false, 44), -92778.492, 1e-3);
  EXPECT_NEAR(total_of(false, true, 10), -79429.401, 1e-3);
  EXPECT_NEAR(total_of(true, true, 10), -79474.630, 1e-3);
}

}  // namespace
}  // namespace agon
