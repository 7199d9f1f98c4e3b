#include "agon/score/experiment_score.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>

#include "agon/graph/class_members.h"
#include "agon/graph/test_graphs.h"
#include "agon/score/blocks.h"
#include "agon/score/test_mixed_tables.h"

namespace agon {
namespace {

using testing::Family;

// Rows 0 .. of the first regime, then those of the second, and so on.
RowInfo in_order(std::vector<Regime> regimes, const std::vector<int>& rows) {
  RowInfo info{.regimes = std::move(regimes)};
  for (uint32_t k = 0; k < rows.size(); ++k) {
    for (int row = 0; row < rows[k]; ++row) info.regime.push_back(k);
  }
  return info;
}

ExperimentBic raw_score(const Dataset& data) { return ExperimentBic(data, {.raw = true}, "mixed-bic", {.floor = 0}); }

// x was set in the last four rows. In the first four x has mean 0, variance 1/2, y mean 0, variance 3/2, covariance
// 3/4; over all rows y has mean 0 and variance 12/8, x variance 12/8, and their covariance is 10/8.
//   s(x)     = -4/2 (ln(2 pi 1/2) + 1) - 1/2 ln 8 * 2              = -6.368901313
//   s(y)     = -8/2 (ln(2 pi 12/8) + 1) - 1/2 ln 8 * 2             = -15.052810240
//   s(y | x) = s(y) - 8/2 ln(1 - 100/144) - 1/2 ln 8               = -11.350036348
//   s(x | y) = s(x) - 4/2 ln(1 - (9/16) / (3/4)) - 1/2 ln 8        = -4.636033362
//   cells set: x = 2, -2, 1, -1, variance 5/2: -4/2 (ln(2 pi 5/2) + 1) - 1/2 ln 8 * 2 = -9.587777138
TEST(ExperimentBic, OracleOfAPerfectIntervention) {
  const Dataset data = make_dataset(
      {continuous_column("x", {-1, 1, 0, 0, 2, -2, 1, -1}), continuous_column("y", {-1, 2, 0, -1, 2, -1, 0, -1})},
      "oracle", in_order({{.name = "seen"}, {.name = "set", .targets = {"x"}}}, {4, 4}));
  const ExperimentBic score = raw_score(data);
  const Node x = data.index_of("x"), y = data.index_of("y");
  const double set = -9.587777138;
  EXPECT_NEAR(score.local(x, {}), -6.368901313 + set, 1e-8);
  EXPECT_NEAR(score.local(y, {}), -15.052810240, 1e-8);
  EXPECT_NEAR(score.local(y, std::vector<Node>{x}), -11.350036348, 1e-8);
  EXPECT_NEAR(score.local(x, std::vector<Node>{y}), -4.636033362 + set, 1e-8);
  Dag forward(2), back(2);
  forward.add_edge(x, y);
  back.add_edge(y, x);
  EXPECT_NEAR(total(score, forward) - total(score, back), 1.969905940, 1e-8);
  EXPECT_TRUE(cpdag_of(forward, score.traits().row_set).has_directed(x, y));
}

// Four corners of a square, and the same moved by 10 along the diagonal. Pooled, r = 101/102; within, r = 0.
TEST(ExperimentBic, OracleOfBatches) {
  const std::vector<Column> columns = {continuous_column("x", {0, 1, 0, 1, 10, 11, 10, 11}),
                                       continuous_column("y", {0, 0, 1, 1, 10, 10, 11, 11})};
  const Dataset pooled = make_dataset(columns, "oracle");
  const Dataset apart =
      make_dataset(columns, "oracle", in_order({{.name = "a", .batch = "a"}, {.name = "b", .batch = "b"}}, {4, 4}));
  const std::vector<Node> other = {1};
  const MixedBic together(block_moments(pooled, {.raw = true}, {.floor = 0}), {}, "mixed-bic");
  EXPECT_NEAR(together.local(0, other) - together.local(0, {}), 14.668023732, 1e-8);
  const ExperimentBic within = raw_score(apart);
  EXPECT_NEAR(within.local(0, other) - within.local(0, {}), -0.5 * std::log(8), 1e-8);
}

// A variable that is 0 unless it is set has no family of its own, and its effects are still found.
TEST(ExperimentBic, AVariableMayVaryOnlyWhereItWasSet) {
  std::vector<double> drug, answer;
  Rng rng(3);
  for (int row = 0; row < 60; ++row) {
    drug.push_back(row < 30 ? 0 : rng.normal());
    answer.push_back(2 * drug.back() + rng.normal());
  }
  const Dataset data = make_dataset({continuous_column("drug", drug), continuous_column("answer", answer)}, "t",
                                    in_order({{.name = "without"}, {.name = "with", .targets = {"drug"}}}, {30, 30}));
  const ExperimentBic score(data);
  const Node d = data.index_of("drug"), a = data.index_of("answer");
  EXPECT_GT(score.local(a, std::vector<Node>{d}), score.local(a, {}) + 10);
  EXPECT_LT(score.local(d, std::vector<Node>{a}), score.local(d, {}));
  EXPECT_TRUE(std::isfinite(score.local(d, {})));
}

struct ExperimentTable {
  Dataset data;
  ScoreOptions options;
};

// Two or three regimes with random targets and batches, the first without targets.
Dataset with_experiments(const Dataset& data, Rng& rng) {
  RowInfo info = data.row_info();
  const int regimes = 2 + rng.below(2);
  for (int k = 0; k < regimes; ++k) {
    Regime regime{.name = std::to_string(k), .batch = rng.below(2) == 0 ? "x" : "y"};
    if (rng.below(3) == 0) regime.intervention = Intervention::kSoft;
    for (const Column& column : data.columns()) {
      if (k > 0 && rng.below(3) == 0) regime.targets.push_back(column.name);
    }
    info.regimes.push_back(regime);
  }
  for (size_t row = 0; row < data.rows(); ++row) info.regime.push_back(static_cast<uint32_t>(row) % regimes);
  std::vector<Column> columns = data.columns();
  return make_dataset(std::move(columns), "random", std::move(info));
}

ExperimentTable random_experiment(Rng& rng) {
  testing::MixedShape shape{.variables = 2 + rng.below(5), .rows = 80 + rng.below(120), .weights = rng.below(2) == 0};
  if (rng.below(3) == 0) shape.gaps = 0.1;
  return {testing::random_mixed(shape, rng),
          {.penalty = 1.0 + rng.below(2), .basis = 1 + rng.below(2), .gap_columns = rng.below(3) == 0}};
}

TEST(ExperimentBic, BatchCallsEqualTheirPlainTwins) {
  EXPECT_TRUE(rc::check([](uint64_t seed) {
    Rng rng(seed);
    const ExperimentTable table = random_experiment(rng);
    const Dataset data = with_experiments(table.data, rng);
    RC_PRE(data.has_regimes());
    const ExperimentBic score(data, table.options);
    const Family family = testing::random_family(data.size(), 2, rng);
    const double now = score.local(family.child, family.parents);
    const double close = 1e-8 * (1 + std::abs(now));
    std::vector<double> fast(data.size()), plain(data.size());
    RC_ASSERT(std::abs(score.addition_gains(family.child, family.parents, fast) - now) < close);
    plain_addition_gains(score, family.child, family.parents, plain);
    for (Node v = 0; v < data.size(); ++v) {
      // A small row set caps the columns of a family.
      RC_ASSERT(fast[v] == plain[v] || fast[v] == kNoGain || std::abs(fast[v] - plain[v]) < close);
    }
    std::vector<double> removed(family.parents.size()), removed_plainly(family.parents.size());
    RC_ASSERT(std::abs(score.removal_gains(family.child, family.parents, removed) - now) < close);
    plain_removal_gains(score, family.child, family.parents, removed_plainly);
    for (size_t k = 0; k < removed.size(); ++k) RC_ASSERT(std::abs(removed[k] - removed_plainly[k]) < close);
  }));
}

// Tables that differ in their experiments alone may share their blocks, and score the same to the last bit.
TEST(ExperimentBic, SharedBlocksChangeNothing) {
  EXPECT_TRUE(rc::check([](uint64_t seed) {
    Rng rng(seed);
    const ExperimentTable table = random_experiment(rng);
    SharedBlocks blocks;
    ScoreOptions sharing = table.options;
    sharing.blocks = &blocks;
    for (int k = 0; k < 3; ++k) {
      const Dataset data = with_experiments(table.data, rng);
      if (!data.has_regimes()) continue;
      sharing.raw = k == 2;  // other options need other blocks
      ScoreOptions alone = sharing;
      alone.blocks = nullptr;
      const ExperimentBic shared(data, sharing), own(data, alone);
      const Family family = testing::random_family(data.size(), 2, rng);
      RC_ASSERT(shared.local(family.child, family.parents) == own.local(family.child, family.parents));
    }
  }));
}

TEST(ExperimentBic, IsEqualOnAnInterventionalClass) {
  EXPECT_TRUE(rc::check([](uint64_t seed) {
    Rng rng(seed);
    const ExperimentTable table = random_experiment(rng);
    const Dataset data = with_experiments(table.data, rng);
    RC_PRE(data.has_regimes());
    const ExperimentBic score(data, table.options);
    const Dag dag = test::random_dag(data.size(), 0.5, rng);
    const ClassMembers members(cpdag_of(dag, score.traits().row_set));
    const double expected = total(score, dag);
    for (int k = 0; k < 5; ++k) {
      RC_ASSERT(std::abs(total(score, members.draw(rng)) - expected) < 1e-7 * (1 + std::abs(expected)));
    }
  }));
}

// Sums by regime and a pass over the rows of each set are the same matrices.
TEST(ExperimentBic, DoesNotDependOnHowRowsAreSummed) {
  Rng rng(5);
  const Dataset plain = testing::random_mixed({.variables = 5, .rows = 240, .weights = true}, rng);
  std::vector<double> gains;
  for (const uint32_t pieces : {1u, 40u}) {  // regimes that differ in name alone: 3, or 120 of them for 240 rows
    RowInfo info = plain.row_info();
    for (uint32_t k = 0; k < 3 * pieces; ++k) {
      Regime regime{.name = std::to_string(k), .batch = k % 3 == 0 ? "x" : "y"};
      if (k % 3 == 2) regime.targets = {plain.column(1).name};
      info.regimes.push_back(regime);
    }
    for (uint32_t row = 0; row < plain.rows(); ++row) info.regime.push_back(row % (3 * pieces));
    const Dataset data = make_dataset(plain.columns(), "random", std::move(info));
    const ExperimentBic score(data);
    Dag dag(data.size());
    for (Node v = 1; v < data.size(); ++v) dag.add_edge(v - 1, v);
    gains.push_back(total(score, dag) - total(score, Dag(data.size())));
  }
  EXPECT_NEAR(gains[0], gains[1], 1e-9 * (1 + std::abs(gains[0])));
}

// Regimes that say nothing change nothing: one batch, and no targets.
TEST(ExperimentBic, OneBatchWithoutTargetsIsAnOrdinaryTable) {
  EXPECT_TRUE(rc::check([](uint64_t seed) {
    Rng rng(seed);
    const ExperimentTable table = random_experiment(rng);
    RowInfo info = table.data.row_info();
    info.regimes = {{.name = "first", .batch = "x"}, {.name = "second", .batch = "x"}};
    for (size_t row = 0; row < table.data.rows(); ++row) info.regime.push_back(row % 2);
    const Dataset data = make_dataset(table.data.columns(), "random", std::move(info));
    const ExperimentBic score(data, table.options);
    const MixedBic ordinary(table.data, table.options);
    const Family family = testing::random_family(data.size(), 2, rng);
    const double expected = ordinary.local(family.child, family.parents);
    RC_ASSERT(std::abs(score.local(family.child, family.parents) - expected) < 1e-4 * (1 + std::abs(expected)));
  }));
}

}  // namespace
}  // namespace agon
