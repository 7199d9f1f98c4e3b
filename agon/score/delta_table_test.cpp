#include "agon/score/delta_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "agon/graph/live_dag.h"
#include "agon/score/gain_store.h"
#include "agon/score/gaussian_score.h"
#include "agon/score/test_scores.h"
#include "agon/score/test_tables.h"

namespace agon {
namespace {

Dataset random_table(ColumnKind kind, Rng& rng) {
  if (kind == ColumnKind::kContinuous) return testing::random_continuous(7, 200, false, rng);
  return testing::random_categorical({.variables = 7, .rows = 200, .most_levels = 4}, rng);
}

// Random play over every score: each gain equals the difference of totals computed from scratch.
TEST(DeltaTable, GainsEqualDifferencesOfTotalsInRandomPlay) {
  for (const testing::TestScore& entry : testing::all_scores()) {
    for (uint64_t seed = 0; seed < 5; ++seed) {
      Rng rng(seed);
      const Dataset data = random_table(entry.kind, rng);
      const auto score = entry.make(data, {});
      ColumnCache cache(*score, 20'000);  // so small that columns are dropped and computed again
      LiveDag live{Dag(data.size())};
      DeltaTable deltas(cache, live.dag());
      int played = 0;
      for (int step = 0; step < 60; ++step) {
        const EdgeMove move{static_cast<MoveKind>(rng.below(3)), rng.below(data.size()), rng.below(data.size())};
        if (!live.is_legal(move)) continue;
        const double before = total(*score, live.dag());
        const double claimed = deltas.gain(move);
        if (claimed == kNoGain) continue;  // a constant column; discrete_score_test.cpp says when
        ++played;
        EXPECT_NEAR(claimed, gain(*score, live.dag(), move), 1e-9 * std::abs(before)) << entry.name;
        live.apply(move);
        deltas.refresh(live.dag(), move);
        EXPECT_NEAR(total(*score, live.dag()) - before, claimed, 1e-9 * std::abs(before)) << entry.name;
        EXPECT_NEAR(deltas.total(), total(*score, live.dag()), 1e-9 * std::abs(before)) << entry.name;
      }
      EXPECT_GT(played, 5);
      EXPECT_LE(cache.bytes(), 20'000u);
    }
  }
}

// Columns of wide tables hold what gains alone, and give the other gains when asked, to the bits of a whole column.
TEST(DeltaTable, ShortColumnsGiveTheGainsOfWholeOnes) {
  Rng rng(5);
  std::vector<Column> columns;
  for (int v = 0; v < 4100; ++v) {
    std::vector<double> x(60);
    for (size_t k = 0; k < x.size(); ++k) {
      x[k] = (v % 50 == 7 ? 0.1 : 1) * rng.normal() + (v > 0 ? columns[v / 2].values[k] : 0);  // some are almost copies
    }
    columns.push_back(continuous_column("x" + std::to_string(v), x));
  }
  const Dataset data = make_dataset(columns, "wide");
  const GaussianBic score(data, GaussianBic::Scale::kCopula);
  ASSERT_TRUE(score.keeps_columns_short());
  ColumnCache cache(score);
  Dag dag(data.size());
  for (Node v = 1; v < data.size(); ++v) {
    for (int k = rng.below(5); k > 0; --k) {
      if (const Node q = rng.below(v); !dag.has_edge(q, v)) dag.add_edge(q, v);
    }
  }
  const DeltaTable deltas(cache, dag);
  std::vector<double> gains(data.size());
  std::vector<ParentGain> best;
  for (Node v = 0; v < data.size(); v += 41) {
    EXPECT_EQ(deltas.local(v), score.addition_gains(v, dag.parent_list(v), gains));
    EXPECT_TRUE(deltas.column(v).is_short());
    EXPECT_TRUE(std::ranges::equal(deltas.additions(v), gains));
    for (Node u = 0; u < data.size(); ++u) ASSERT_EQ(deltas.addition(u, v), gains[u]) << u << " to " << v;
    sort_positive(gains, best);
    EXPECT_EQ(deltas.column(v).best, best);
  }
}

TEST(ColumnCache, KeepsAndDropsWithoutChangingABit) {
  Rng rng(9);
  const Dataset data = random_table(ColumnKind::kCategorical, rng);
  const auto score = make_score("discrete-bic", data);
  ColumnCache roomy(*score), tight(*score, 1000);
  for (int round = 0; round < 200; ++round) {
    const auto family = testing::random_family(data.size(), 3, rng);
    const auto a = roomy.column(family.child, family.parents), b = tight.column(family.child, family.parents);
    const GainColumn fresh = compute_column(*score, family.child, family.parents);
    for (const auto& c : {a, b}) {
      EXPECT_EQ(c->score, fresh.score);
      EXPECT_EQ(c->addition, fresh.addition);
      EXPECT_EQ(c->removal, fresh.removal);
      EXPECT_EQ(c->best, fresh.best);
    }
  }
  EXPECT_GT(roomy.counts().hits, 0);
  EXPECT_GT(tight.counts().columns, roomy.counts().columns);
}

TEST(ColumnCache, PrefetchGivesTheSameColumnsForAnyNumberOfThreads) {
  Rng rng(10);
  const Dataset data = random_table(ColumnKind::kContinuous, rng);
  const auto score = make_score("copula-bic", data);
  const Dag dag = testing::random_dag(data.size(), 0.4, rng);
  ColumnCache one(*score), four(*score);
  one.prefetch(dag, 1);
  four.prefetch(dag, 4);
  EXPECT_EQ(four.counts().columns, data.size());
  for (Node v = 0; v < data.size(); ++v) {
    EXPECT_EQ(one.column(v, dag.parent_list(v))->addition, four.column(v, dag.parent_list(v))->addition);
  }
  EXPECT_EQ(four.counts().columns, data.size());
}

TEST(GainStore, HoldsThePositiveGainsOfAColumn) {
  Rng rng(11);
  for (const testing::TestScore& entry : testing::all_scores()) {
    const Dataset data = random_table(entry.kind, rng);
    const auto score = entry.make(data, {});
    GainStore store(*score, 4096);
    for (int round = 0; round < 100; ++round) {
      const auto family = testing::random_family(data.size(), 3, rng);
      const GainColumn column = compute_column(*score, family.child, family.parents);
      const GainEntry& kept = store.entry(family.child, family.parents);
      EXPECT_EQ(kept.score, column.score);
      EXPECT_EQ(std::vector<ParentGain>(kept.best.begin(), kept.best.end()), column.best);
      if (store.over_limit()) store.clear();
    }
  }
}

// Reversing a covered edge leads to an equivalent Dag (Chickering 1995, theorem 2); every score here must agree.
TEST(Scores, EquivalentDagsScoreTheSame) {
  for (const testing::TestScore& entry : testing::all_scores()) {
    int reversed = 0;
    for (uint64_t seed = 0; seed < 10; ++seed) {
      Rng rng(seed);
      const Dataset data = random_table(entry.kind, rng);
      const auto score = entry.make(data, {});
      ASSERT_TRUE(score->traits().score_equivalent);
      Dag dag = testing::random_dag(data.size(), 0.4, rng);
      const double first = total(*score, dag);
      for (int round = 0; round < 100; ++round) {
        const auto edges = dag.edges();
        if (edges.empty()) break;
        const Edge e = edges[rng.below(static_cast<int>(edges.size()))];
        NodeSet with_tail(dag.parents(e.from));
        with_tail.insert(e.from);
        if (!(with_tail.view() == dag.parents(e.to))) continue;
        dag.apply({MoveKind::kReverse, e.from, e.to});
        ++reversed;
        EXPECT_NEAR(total(*score, dag), first, 1e-9 * std::abs(first)) << entry.name;
      }
    }
    EXPECT_GT(reversed, 50);
  }
}

}  // namespace
}  // namespace agon
