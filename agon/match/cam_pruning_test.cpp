#include "agon/match/cam_pruning.h"

#include <gtest/gtest.h>

#include <cmath>

#include "agon/base/rng.h"
#include "agon/data/embedded.h"
#include "agon/data/simulate.h"
#include "agon/graph/test_graphs.h"
#include "agon/score/test_tables.h"

namespace agon {
namespace {

// c = a^2 / 2 + noise; b depends on a and so on c, but is not a parent of c; d is a copy of a.
Dataset quadratic_table(int rows, Rng rng) {
  std::vector<double> a, b, c;
  for (int r = 0; r < rows; ++r) {
    a.push_back(rng.normal());
    b.push_back(0.6 * a.back() + rng.normal());
    c.push_back(0.5 * a.back() * a.back() + rng.normal());
  }
  return make_dataset(
      {continuous_column("a", a), continuous_column("b", b), continuous_column("c", c), continuous_column("d", a)},
      "t");
}

Dag with_parents(const Dataset& data, const std::string& child, const std::vector<std::string>& parents) {
  Dag dag(data.size());
  for (const std::string& parent : parents) dag.add_edge(data.index_of(parent), data.index_of(child));
  return dag;
}

TEST(CamPruning, DropsIrrelevantParentsAndKeepsQuadraticOnes) {
  // At level 0.001 an irrelevant parent stays in one case of a thousand, so the probability that fewer than 95 of 100
  // are dropped is below 1e-12; the seeds are fixed anyway.
  int dropped = 0, kept = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const Dataset data = quadratic_table(300, Rng(seed));
    const Dag pruned = prune_splines(data, with_parents(data, "c", {"a", "b"}));
    kept += pruned.has_edge(data.index_of("a"), data.index_of("c"));
    dropped += !pruned.has_edge(data.index_of("b"), data.index_of("c"));
  }
  RecordProperty("kept", kept);
  RecordProperty("dropped", dropped);
  EXPECT_GE(kept, 95);
  EXPECT_GE(dropped, 95);
}

TEST(CamPruning, TailsAreUniformUnderTheNull) {
  // The Kolmogorov distance of 400 tail probabilities from the uniform distribution; its 0.1 % point is 1.95 / sqrt(n).
  std::vector<double> tails;
  for (uint64_t seed = 0; seed < 400; ++seed) {
    Rng rng(seed);
    const Dataset data = testing::random_continuous(4, 150, false, rng);
    Rng noise = rng.split("child");
    std::vector<Column> columns = data.columns();
    std::vector<double> child;
    for (size_t r = 0; r < data.rows(); ++r) child.push_back(noise.normal());
    columns.push_back(continuous_column("child", child));
    const Dataset with_child = make_dataset(columns, "t");
    std::vector<Node> parents;
    for (int v = 0; v < with_child.size(); ++v) {
      if (with_child.column(v).name != "child") parents.push_back(v);
    }
    tails.push_back(spline_significance(with_child, with_child.index_of("child"), parents)[seed % 4]);
  }
  std::sort(tails.begin(), tails.end());
  double distance = 0;
  for (size_t k = 0; k < tails.size(); ++k) {
    distance = std::max(distance, std::abs(tails[k] - (static_cast<double>(k) + 0.5) / tails.size()));
  }
  EXPECT_LT(distance, 1.95 / std::sqrt(400.0));
}

TEST(CamPruning, OfTwoCopiesOneIsEnough) {
  const Dataset data = quadratic_table(400, Rng(1));
  const Dag pruned = prune_splines(data, with_parents(data, "c", {"a", "b", "d"}));
  EXPECT_EQ(pruned.parents(data.index_of("c")).count(), 1);
}

TEST(CamPruning, ConstantParentsSayNothing) {
  const Dataset data = make_dataset({continuous_column("a", std::vector<double>(5, 1.5)),
                                     continuous_column("b", std::vector<double>{1, 2, 0.5, 3, 2.5})},
                                    "t");
  EXPECT_EQ(spline_significance(data, data.index_of("b"), {data.index_of("a")}), std::vector<double>{1.0});
}

TEST(CamPruning, LinearThresholdsDropSmallCoefficients) {
  Rng rng(4);
  std::vector<double> a, b, c;
  for (int r = 0; r < 5000; ++r) {
    a.push_back(10 * rng.normal() + 3);
    b.push_back(rng.normal());
    c.push_back(0.05 * a.back() + 0.1 * b.back() + rng.normal());  // 0.45 and 0.09 after standardising
  }
  const Dataset data =
      make_dataset({continuous_column("a", a), continuous_column("b", b), continuous_column("c", c)}, "t");
  const Dag dag = with_parents(data, "c", {"a", "b"});
  EXPECT_EQ(prune_linear(data, dag, 0.02), dag);
  EXPECT_EQ(prune_linear(data, dag, 0.2), with_parents(data, "c", {"a"}));
  EXPECT_EQ(prune_linear(data, dag, 0.6), Dag(3));
}

TEST(CamPruning, OnlyRemovesKeepsRequiredEdgesAndIsTheSameForAnyThreads) {
  Rng rng(8);
  const std::vector<Dataset> tables = {testing::random_continuous(8, 200, true, rng),
                                       testing::random_continuous(8, 5, false, rng), embedded_table("asia", 300),
                                       embedded_table("sachs", 500)};
  for (const Dataset& data : tables) {
    const Dag dag = testing::random_dag(data.size(), 0.6, rng);
    KnowledgeBuilder builder(data.names());
    const Edge required = dag.edges().front();
    builder.require(data.column(required.from).name, data.column(required.to).name, "test");
    const Knowledge known = builder.build();
    const std::vector<Dag> candidates = pruned_candidates(data, dag, {}, known);
    EXPECT_EQ(pruned_candidates(data, dag, {.threads = 4}, known), candidates);
    for (size_t k = 0; k < candidates.size(); ++k) {
      EXPECT_NE(candidates[k], dag);
      EXPECT_TRUE(candidates[k].has_edge(required.from, required.to));
      for (const Edge& e : candidates[k].edges()) EXPECT_TRUE(dag.has_edge(e.from, e.to));
      for (size_t other = 0; other < k; ++other) EXPECT_NE(candidates[k], candidates[other]);
    }
  }
}

TEST(CamPruning, MoreParentsThanRowsCanCarryAreLeftAlone) {
  Rng rng(9);
  const Dataset data = testing::random_continuous(9, 6, false, rng);
  Dag dag(9);
  for (Node from = 0; from < 8; ++from) dag.add_edge(from, 8);
  EXPECT_EQ(prune_splines(data, dag), dag);
}

// y = x^2 / 2 + noise, in two batches whose means differ. Where somebody set y, it was set in step with x.
Dataset quadratic_experiment(Rng rng) {
  std::vector<double> x, y, z;
  Codes regime;
  for (int r = 0; r < 900; ++r) {
    const uint32_t k = static_cast<uint32_t>(r / 300);
    const double shift = k == 1 ? 4 : 0;
    x.push_back(rng.normal());
    z.push_back(rng.normal() + shift);
    y.push_back(k == 2 ? 50 * x.back() + 9 : 0.5 * x.back() * x.back() + rng.normal() + shift);
    regime.push_back(k);
  }
  RowInfo info{.regimes = {{"a", {}, Intervention::kPerfect, "a"},
                           {"b", {}, Intervention::kPerfect, "b"},
                           {"set", {"y"}, Intervention::kPerfect, "a"}},
               .regime = regime};
  return make_dataset({continuous_column("x", x), continuous_column("y", y), continuous_column("z", z)}, "t", info);
}

// The tails are those of a plain table of the rows in which the child was not set, with the batch as a third parent
// (a spline of two values is one coefficient, which is what two means are).
TEST(CamPruning, ExperimentsLeaveOutTheRowsThatTheySet) {
  const Dataset data = quadratic_experiment(Rng(5));
  std::vector<double> x, y, z, batch;
  for (size_t row = 0; row < 600; ++row) {
    x.push_back(data.column(data.index_of("x")).values[row]);
    y.push_back(data.column(data.index_of("y")).values[row]);
    z.push_back(data.column(data.index_of("z")).values[row]);
    batch.push_back(row < 300 ? 0 : 1);
  }
  const Dataset plain = make_dataset({continuous_column("x", x), continuous_column("y", y), continuous_column("z", z),
                                      continuous_column("batch", batch)},
                                     "t");
  const auto nodes = [](const Dataset& table, const std::vector<std::string>& names) {
    std::vector<Node> out;
    for (const std::string& name : names) out.push_back(table.index_of(name));
    return out;
  };
  const std::vector<double> tails = spline_significance(data, data.index_of("y"), nodes(data, {"x", "z"}));
  const std::vector<double> twin = spline_significance(plain, plain.index_of("y"), nodes(plain, {"x", "z", "batch"}));
  EXPECT_NEAR(tails[0], twin[0], 1e-12);
  EXPECT_NEAR(tails[1], twin[1], 1e-9);
  EXPECT_LT(tails[0], 1e-10);
  EXPECT_GT(tails[1], 0.001);  // z and y differ between batches alone

  const Dag pruned = prune_splines(data, with_parents(data, "y", {"x", "z"}));
  EXPECT_EQ(pruned, with_parents(data, "y", {"x"}));
  // By a line x says nothing about y where y was not set.
  EXPECT_FALSE(
      prune_linear(data, with_parents(data, "y", {"x"}), 0.2).has_edge(data.index_of("x"), data.index_of("y")));
}

}  // namespace
}  // namespace agon
