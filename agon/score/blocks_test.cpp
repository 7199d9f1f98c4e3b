#include "agon/score/blocks.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>

#include "agon/score/gaussian_score.h"
#include "agon/score/test_mixed_tables.h"

namespace agon {
namespace {

std::vector<double> column_of(const Blocks& blocks, int column) {
  const size_t n = blocks.data().rows();
  std::vector<double> all(n * static_cast<size_t>(blocks.columns()));
  blocks.fill(0, n, all.data());
  return {all.begin() + static_cast<long>(n) * column, all.begin() + static_cast<long>(n) * (column + 1)};
}

// Shares 1/2, 1/3, 1/6. Contrast 1: sqrt((1/2) / (1/2 * 1)) = 1 at the first level, -1 at the others. Contrast 2, with
// own share 1/3 and 1/6 after it: sqrt((1/6) / (1/3 * 1/2)) = 1 at the second, -sqrt((1/3) / (1/6 * 1/2)) = -2 after.
TEST(Blocks, LevelsSeenThreeTwoAndOneTimes) {
  const Dataset data = make_dataset({categorical_column("A", {0, 0, 0, 1, 1, 2})}, "t");
  const Blocks blocks(data, {});
  ASSERT_EQ(blocks.columns(), 2);
  const std::vector<double> first = column_of(blocks, 0), second = column_of(blocks, 1);
  const std::vector<double> one = {1, 1, 1, -1, -1, -1}, two = {0, 0, 0, 1, 1, -2};
  for (size_t row = 0; row < 6; ++row) {
    EXPECT_NEAR(first[row], one[row], 1e-14);
    EXPECT_NEAR(second[row], two[row], 1e-14);
  }
}

TEST(Blocks, CompleteUnweightedNumbersAreTheNormalScoresOfCopulaBic) {
  Rng rng(3);
  const Dataset data = testing::random_continuous(3, 60, false, rng);
  const Blocks blocks(data, {});
  for (Node v = 0; v < 3; ++v) {
    const std::vector<double> z = column_of(blocks, v), expected = normal_scores(data.column(v).values);
    for (size_t row = 0; row < z.size(); ++row) EXPECT_NEAR(z[row], expected[row], 1e-13);
  }
}

// Over the cells seen, by weight, every block has mean 0 and covariance I; in the gaps it is 0.
TEST(Blocks, AreOrthonormalOverTheCellsSeen) {
  EXPECT_TRUE(rc::check([](uint64_t seed) {
    Rng rng(seed);
    const Dataset data = testing::random_mixed({.gaps = 0.2, .weights = true}, rng);
    const BlockOptions options{.raw = rng.below(2) == 0, .basis = 1 + rng.below(3), .gap_columns = rng.below(3) == 0};
    const Blocks blocks(data, options);
    for (Node v = 0; v < data.size(); ++v) {
      for (int a = blocks.start(v); a < blocks.start(v) + blocks.width(v); ++a) {
        const std::vector<double> x = column_of(blocks, a);
        for (int b = blocks.start(v); b <= a; ++b) {
          const std::vector<double> y = column_of(blocks, b);
          double weight = 0, mean = 0, product = 0;
          for (size_t row = 0; row < data.rows(); ++row) {
            if (blocks.is_missing(v, row)) {
              RC_ASSERT(x[row] == 0);
              continue;
            }
            weight += data.weight(row);
            mean += data.weight(row) * x[row];
            product += data.weight(row) * x[row] * y[row];
          }
          RC_ASSERT(std::abs(mean / weight) < 1e-9);
          RC_ASSERT(std::abs(product / weight - (a == b)) < 1e-8);
        }
      }
    }
  }));
}

TEST(Blocks, ANumberWithTwoValuesHasNoSquareOfItsOwn) {
  const Dataset data =
      make_dataset({continuous_column("x", {1, 1, 5, 5, 1}), continuous_column("y", {1, 2, 3, 4, 5})}, "t");
  const Blocks blocks(data, {.basis = 3});
  EXPECT_EQ(blocks.width(data.index_of("x")), 1);
  EXPECT_EQ(blocks.width(data.index_of("y")), 3);
}

TEST(SeenTogether, CountsRowsByWeight) {
  Column x = continuous_column("x", {1, 2, 3, 4}), y = continuous_column("y", {4, 3, 1, 2});
  x.missing.insert(0);
  y.missing.insert(0);
  y.missing.insert(1);
  const Dataset data = make_dataset({x, y, continuous_column("z", {0, 1, 0, 1})}, "t", {.weights = {1, 2, 3, 4}});
  const std::vector<double> share = seen_together(data);
  const auto f = [&](const char* a, const char* b) { return share[data.index_of(a) * 3 + data.index_of(b)]; };
  EXPECT_DOUBLE_EQ(f("x", "y"), 0.7);
  EXPECT_DOUBLE_EQ(f("x", "z"), 0.9);
  EXPECT_DOUBLE_EQ(f("z", "z"), 1);
  EXPECT_TRUE(seen_together(make_dataset({continuous_column("z", {0, 1})}, "t")).empty());
}

}  // namespace
}  // namespace agon
