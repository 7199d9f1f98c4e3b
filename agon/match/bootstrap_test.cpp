#include "agon/match/bootstrap.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "agon/data/embedded.h"
#include "agon/graph/equivalence.h"
#include "agon/opponent/hill_climbing.h"
#include "agon/score/test_scores.h"
#include "agon/score/test_weights.h"
#include "agon/score/weighted_discrete.h"

namespace agon {
namespace {

Dag search_rows(const Dataset& rows, const Rng& rng, const Watch& watch) {
  const auto score = make_score("auto", rows);
  return quick_match(*score, {}, rng, watch);
}

TEST(Bootstrap, DrawsRowsOfTheTable) {
  const Dataset data = embedded_table("sachs", 50);
  const Dataset drawn = resampled(data, Rng(1));
  EXPECT_EQ(drawn.names(), data.names());
  ASSERT_EQ(drawn.rows(), data.rows());
  size_t distinct = 0;
  for (size_t row = 0, from = 0; row < drawn.rows(); ++row) {  // in the order of the table, whole rows, some repeated
    const auto is_same = [&](size_t other) {
      for (int v = 0; v < data.size(); ++v) {
        if (data.column(v).values[other] != drawn.column(v).values[row]) return false;
      }
      return true;
    };
    if (row > 0 && is_same(from)) continue;
    while (from < data.rows() && !is_same(from)) ++from;
    ASSERT_LT(from, data.rows()) << "row " << row << " is not in the table";
    ++distinct;
  }
  EXPECT_LT(distinct, data.rows());
  EXPECT_GT(distinct, data.rows() / 2);  // 1 - 1/e of them are expected
  EXPECT_EQ(resampled(data, Rng(1)).checksum(), drawn.checksum());
  EXPECT_NE(resampled(data, Rng(2)).checksum(), drawn.checksum());
}

// The number of a row determines its regime, and whether its cell in `gaps` is missing.
TEST(Bootstrap, RowsTakeAllTheyHaveAlong) {
  constexpr size_t kRows = 60;
  std::vector<double> numbers;
  RowInfo info{.regimes = {{.name = "a"}, {.name = "b"}, {.name = "c"}}};
  for (uint32_t row = 0; row < kRows; ++row) {
    numbers.push_back(row);
    info.regime.push_back(row % 3);
  }
  Column gaps = continuous_column("gaps", numbers);
  for (size_t row = 0; row < kRows; row += 2) gaps.missing.insert(row);
  const Dataset data = make_dataset({continuous_column("number", numbers), gaps}, "t", info);
  const Dataset drawn = resampled(data, Rng(3));
  ASSERT_TRUE(drawn.check_invariants());
  const Column &number = drawn.column(drawn.index_of("number")), &gap = drawn.column(drawn.index_of("gaps"));
  for (size_t row = 0; row < kRows; ++row) {
    const int from = static_cast<int>(number.values[row]);
    EXPECT_EQ(gap.is_missing(row), from % 2 == 0);
    EXPECT_EQ(drawn.regime_of(row), from % 3);
  }
}

// How many rows an experiment has was decided, so every resample has as many.
TEST(Bootstrap, DrawsWithinExperiments) {
  constexpr size_t kRows = 50;
  std::vector<double> numbers;
  RowInfo info{.regimes = {{.name = "a"}, {.name = "b", .targets = {"number"}}, {.name = "c"}}};
  const auto regime = [](size_t row) { return row % 10 == 0 ? 2u : row % 3 == 0 ? 1u : 0u; };
  for (size_t row = 0; row < kRows; ++row) {
    numbers.push_back(static_cast<double>(row));
    info.regime.push_back(regime(row));
  }
  for (const bool weighted : {false, true}) {
    if (weighted) {
      for (size_t row = 0; row < kRows; ++row) info.weights.push_back(0.25 + static_cast<double>(row % 4));
    }
    const Dataset data = make_dataset({continuous_column("number", numbers)}, "t", info);
    std::vector<double> weight(3), mean(kRows);
    for (size_t row = 0; row < kRows; ++row) weight[regime(row)] += data.weight(row);
    constexpr int kResamples = 1000;
    for (int k = 0; k < kResamples; ++k) {
      const Dataset drawn = resampled(data, Rng(8).split("rows", static_cast<uint64_t>(k)));
      ASSERT_TRUE(drawn.check_invariants());
      std::vector<double> in_regime(3);
      for (size_t row = 0; row < drawn.rows(); ++row) {
        const size_t from = static_cast<size_t>(drawn.column(0).values[row]);
        ASSERT_EQ(drawn.regime_of(row), static_cast<int>(regime(from)));
        in_regime[regime(from)] += drawn.weight(row);
        mean[from] += drawn.weight(row) / kResamples;
      }
      for (size_t r = 0; r < 3; ++r) ASSERT_NEAR(in_regime[r], weight[r], 1e-9);
    }
    for (size_t row = 0; row < kRows; ++row) {  // within five standard errors
      EXPECT_NEAR(mean[row], data.weight(row), 5 * std::sqrt(data.weight(row) * 1.1 / kResamples)) << row;
    }
  }
}

TEST(Bootstrap, RowsWithWeightsAreDrawnInProportionToThem) {
  const RowInfo info = {.weights = {0.5, 2, 40, 7.25}};  // 49.75 in all: 50 draws
  Column gaps = categorical_column("gaps", {0, 1, 0, 1});
  gaps.missing.insert(2);
  const Dataset data = make_dataset({continuous_column("number", {0, 1, 2, 3}), gaps}, "t", info);
  std::vector<double> sums(4, 0);
  constexpr int kResamples = 2000;
  for (int k = 0; k < kResamples; ++k) {
    const Dataset drawn = resampled(data, Rng(5).split("rows", static_cast<uint64_t>(k)));
    ASSERT_TRUE(drawn.check_invariants());
    EXPECT_NEAR(drawn.total_weight(), 49.75, 1e-9);
    for (size_t row = 0; row < drawn.rows(); ++row) {
      const size_t from = static_cast<size_t>(drawn.column(drawn.index_of("number")).values[row]);
      EXPECT_EQ(drawn.column(drawn.index_of("gaps")).is_missing(row), from == 2);
      sums[from] += drawn.weight(row) / kResamples;
    }
  }
  for (size_t row = 0; row < 4; ++row) {  // within five standard errors
    EXPECT_NEAR(sums[row], info.weights[row], 5 * std::sqrt(info.weights[row] / kResamples));
  }
}

// A table of counts is resampled as the rows that it stands for: the shares agree as two bootstraps of one table do.
TEST(Bootstrap, CountsStandForRepeatedRows) {
  Rng rng(12);
  const testing::CountedTable table = testing::random_counted({.variables = 4, .rows = 40, .most_levels = 3}, 6, rng);
  const auto search = [](const Dataset& rows, const Rng&, const Watch& watch) {
    if (rows.has_weights()) return hill_climb(WeightedDiscreteBic(rows), Dag(rows.size()), {}, watch).dag;
    return hill_climb(DiscreteBic(rows), Dag(rows.size()), {}, watch).dag;
  };
  constexpr int kResamples = 200;
  const Bootstrap counted = bootstrap_edges(table.counted, search, {.resamples = kResamples}, {}, Rng(1));
  const Bootstrap expanded = bootstrap_edges(table.expanded, search, {.resamples = kResamples}, {}, Rng(2));
  ASSERT_FALSE(expanded.pairs.empty());
  for (const auto& [pair, shares] : expanded.pairs) {
    EXPECT_NEAR(counted.shares(pair.first, pair.second).edge, shares.edge, 5 * std::sqrt(0.5 / kResamples));
  }
}

TEST(Bootstrap, SameForAnyNumberOfThreadsAndSharesAddUp) {
  const Dataset data = embedded_table("asia", 500);
  const Bootstrap one = bootstrap_edges(data, search_rows, {.resamples = 12, .threads = 1}, {}, Rng(7));
  EXPECT_EQ(one.resamples, 12);
  ASSERT_FALSE(one.pairs.empty());
  for (const int threads : {2, 4}) {
    const Bootstrap more = bootstrap_edges(data, search_rows, {.resamples = 12, .threads = threads}, {}, Rng(7));
    ASSERT_EQ(more.pairs.size(), one.pairs.size());
    for (const auto& [pair, shares] : one.pairs) {
      const PairShares other = more.shares(pair.first, pair.second);
      EXPECT_EQ(other.edge, shares.edge);
      EXPECT_EQ(other.forward, shares.forward);
      EXPECT_EQ(other.backward, shares.backward);
    }
  }
  for (const auto& [pair, shares] : one.pairs) {
    EXPECT_LT(pair.first, pair.second);
    EXPECT_GT(shares.edge, 0);
    EXPECT_LE(shares.edge, 1);
    EXPECT_NEAR(shares.edge, shares.forward + shares.backward + shares.open, 1e-12);
    const PairShares turned = one.shares(pair.second, pair.first);
    EXPECT_EQ(turned.backward, shares.forward);
    EXPECT_EQ(turned.forward, shares.backward);
  }
}

// What votes is the class of the graph that the search returns, here a known one.
TEST(Bootstrap, CountsClassesNotMembers) {
  const Dataset data = embedded_table("asia", 100);
  Dag collider(data.size()), chain(data.size());
  collider.add_edge(0, 1);
  collider.add_edge(2, 1);
  chain.add_edge(0, 1);
  std::atomic<int> calls{0};
  const auto by_turns = [&](const Dataset&, const Rng&, const Watch&) { return calls++ % 4 == 0 ? collider : chain; };
  const Bootstrap b = bootstrap_edges(data, by_turns, {.resamples = 8}, {}, Rng(0));
  const PairShares kept = b.shares(0, 1), turned = b.shares(2, 1);
  EXPECT_EQ(kept.edge, 1);
  EXPECT_EQ(kept.forward, 0.25);  // fixed only in the collider
  EXPECT_EQ(kept.open, 0.75);     // the chain may point either way
  EXPECT_EQ(turned.edge, 0.25);
  EXPECT_EQ(turned.forward, 0.25);
  EXPECT_EQ(b.shares(3, 4).edge, 0);

  // Experiments show the direction of an edge between different row sets.
  std::vector<int> row_set(static_cast<size_t>(data.size()), 0);
  row_set[1] = 1;
  const Bootstrap set = bootstrap_edges(data, by_turns, {.resamples = 8, .row_set = row_set}, {}, Rng(0));
  EXPECT_EQ(set.shares(0, 1).forward, 1);
  EXPECT_EQ(set.shares(0, 1).open, 0);
}

TEST(Bootstrap, KeepsKnowledgeAndEndsWhenAsked) {
  const Dataset data = embedded_table("asia", 300);
  KnowledgeBuilder builder(data.names());
  builder.require("dysp", "asia", "test");
  const Knowledge knowledge = builder.build();
  const auto search = [&](const Dataset& rows, const Rng& rng, const Watch& watch) {
    const auto score = make_score("auto", rows);
    return quick_match(*score, knowledge, rng, watch);
  };
  const Bootstrap b = bootstrap_edges(data, search, {.resamples = 5}, knowledge, Rng(3));
  EXPECT_EQ(b.shares(data.index_of("dysp"), data.index_of("asia")).forward, 1);

  std::atomic<bool> stop{false};
  std::atomic<int> calls{0};
  Watch watch;
  watch.interrupted = &stop;
  const auto stopping = [&](const Dataset& rows, const Rng&, const Watch&) {
    if (++calls == 3) stop = true;
    return Dag(rows.size());
  };
  const Bootstrap cut = bootstrap_edges(data, stopping, {.resamples = 50}, {}, Rng(3), watch);
  EXPECT_EQ(cut.asked, 50);
  EXPECT_EQ(cut.resamples, 2);
}

TEST(Bootstrap, TakesFinishedResamplesFromACheckpoint) {
  std::string folder = (std::filesystem::temp_directory_path() / "agon-bootstrap-XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  const Dataset data = embedded_table("asia", 200);
  const Bootstrap undisturbed = bootstrap_edges(data, search_rows, {.resamples = 9}, {}, Rng(3));
  std::atomic<int> calls{0};
  std::atomic<bool> interrupted{false};
  const auto counted = [&](const Dataset& rows, const Rng& rng, const Watch& watch) {
    ++calls;
    return search_rows(rows, rng, watch);
  };
  Watch watch;
  watch.interrupted = &interrupted;
  watch.report = [&](const Progress& p) { interrupted = p.steps == 4; };
  {
    Checkpoint checkpoint(folder, {}, 0);
    EXPECT_EQ(bootstrap_edges(data, counted, {.resamples = 9, .checkpoint = &checkpoint}, {}, Rng(3), watch).resamples,
              4);
  }
  Checkpoint checkpoint(folder, {}, 0);
  const Bootstrap b =
      bootstrap_edges(data, counted, {.resamples = 9, .threads = 2, .checkpoint = &checkpoint}, {}, Rng(3));
  EXPECT_EQ(calls, 9) << "four before, five after";
  EXPECT_EQ(b.resamples, 9);
  ASSERT_EQ(b.pairs.size(), undisturbed.pairs.size());
  for (const auto& [pair, shares] : undisturbed.pairs) {
    EXPECT_EQ(b.shares(pair.first, pair.second).edge, shares.edge);
    EXPECT_EQ(b.shares(pair.first, pair.second).forward, shares.forward);
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace agon
