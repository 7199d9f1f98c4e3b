#include "agon/posterior/convergence.h"

#include <gtest/gtest.h>

#include <cmath>

#include "agon/base/rng.h"

namespace agon {
namespace {

std::vector<std::vector<double>> autoregressive(double memory, size_t length, double shift) {
  Rng rng(1);
  std::vector<std::vector<double>> chains(2);
  for (size_t c = 0; c < 2; ++c) {
    double x = rng.normal();
    for (size_t t = 0; t < length; ++t) {
      x = memory * x + std::sqrt(1 - memory * memory) * rng.normal();
      chains[c].push_back(x + shift * static_cast<double>(c));
    }
  }
  return chains;
}

// By hand: halves {0, 2}, {1, 3}, {0, 2}, {1, 3}; W = 2, the means 1, 2, 1, 2 have variance 1/3, so
// var+ = 1/2 * 2 + 1/3 = 4/3, and R-hat = sqrt(2/3).
TEST(Convergence, RHatByHand) { EXPECT_NEAR(split_r_hat({{0, 2, 1, 3}, {0, 2, 1, 3}}), std::sqrt(2.0 / 3), 1e-15); }

TEST(Convergence, RHatTellsApartWhatHasConverged) {
  EXPECT_LT(split_r_hat(autoregressive(0.5, 1000, 0)), 1.01);
  EXPECT_GT(split_r_hat(autoregressive(0.5, 1000, 1)), 1.1);
  std::vector<std::vector<double>> drift(2);
  for (int t = 0; t < 100; ++t) drift[0].push_back(t), drift[1].push_back(t);
  EXPECT_GT(split_r_hat(drift), 1.5);  // both chains agree, but neither stands still
}

TEST(Convergence, EdgeCases) {
  EXPECT_TRUE(std::isinf(split_r_hat({{1, 2}, {1, 2}})));
  EXPECT_EQ(effective_samples({{1, 2}, {1, 2}}), 0);
  EXPECT_EQ(split_r_hat({{1, 1, 1, 1}, {1, 1, 1, 1}}), 1);
  EXPECT_EQ(effective_samples({{1, 1, 1, 1}, {1, 1, 1, 1}}), 8);
  EXPECT_TRUE(std::isinf(split_r_hat({{1, 1, 1, 1}, {2, 2, 2, 2}})));
}

// An autoregression with memory a is worth n (1 - a) / (1 + a) draws. Its estimate from 2 x 4000 samples scatters by
// about 10 %; the bounds are three times that, and the seed is fixed.
TEST(Convergence, EffectiveSamplesOfAnAutoregression) {
  for (const double memory : {0.0, 0.5, 0.9}) {
    const double expected = 8000 * (1 - memory) / (1 + memory);
    EXPECT_NEAR(effective_samples(autoregressive(memory, 4000, 0)), expected, 0.3 * expected) << memory;
  }
}

}  // namespace
}  // namespace agon
