#include "agon/score/regret.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace agon {
namespace {

// ln C(n, K) for K = 1 .. most, exactly: C(n, 1) = 1, C(n, 2) by its definition, a sum over how often the first level
// occurs, and C(n, K + 2) = C(n, K + 1) + n / K C(n, K) (Kontkanen & Myllymäki 2007, theorem 1).
std::vector<double> exact_regrets(int n, int most) {
  double two = 0;
  for (int h = 0; h <= n; ++h) {
    double term = std::lgamma(n + 1.0) - std::lgamma(h + 1.0) - std::lgamma(n - h + 1.0);
    for (const int count : {h, n - h}) term += count > 0 ? count * std::log(static_cast<double>(count) / n) : 0;
    two += std::exp(term);
  }
  std::vector<double> out = {0, 0, std::log(two)};  // by K; K = 0 is not used
  double before = 1, now = two, scale = 0;
  for (int levels = 3; levels <= most; ++levels) {
    const double next = now + n / (levels - 2.0) * before;
    before = now, now = next;
    if (now > 1e200) before /= 1e200, now /= 1e200, scale += 200 * std::log(10.0);
    out.push_back(std::log(now) + scale);
  }
  return out;
}

// One draw: each of the K sequences has the largest probability 1. Two draws of two levels: 1, 1, 1/4, 1/4. Three: 1,
// 1, and six of 4/27.
TEST(Regret, TheExactTwinCountsByHand) {
  EXPECT_NEAR(exact_regrets(1, 7)[7], std::log(7.0), 1e-12);
  EXPECT_NEAR(exact_regrets(2, 2)[2], std::log(2.5), 1e-12);
  EXPECT_NEAR(exact_regrets(3, 2)[2], std::log(2 + 24.0 / 27), 1e-12);
}

// What the header says of the error.
TEST(Regret, IsTooLargeByLessThanAFifthOfANatPerLevel) {
  for (const int n : {1, 2, 3, 5, 10, 50, 100, 1000, 10000}) {
    const std::vector<double> exact = exact_regrets(n, 20000);
    for (int levels = 2; levels <= 20000; levels += 1 + levels / 20) {
      const double error = multinomial_regret(n, levels) - exact[levels];
      ASSERT_GT(error, -1e-8) << n << " draws, " << levels << " levels";
      ASSERT_LT(error, 0.2 / levels + 1e-8) << n << " draws, " << levels << " levels";
    }
  }
}

// python3 -c "from math import *; n, K = 1000, 6; a = K/n; c = .5 + .5*sqrt(1 + 4/a);
//             print(n*(log(a) + (a + 2)*log(c) - 1/c) - .5*log(c + 2/a))"
TEST(Regret, Golden) {
  EXPECT_NEAR(multinomial_regret(1000, 6), 15.578577243450685, 1e-9);
  EXPECT_NEAR(exact_regrets(1000, 6)[6], 15.549982852060706, 1e-9);
}

// Four fifths of R, then a line of one nat a level; the quotient is the difference.
//
// python3 -c "from math import *
// def R(n, K): a = K/n; c = .5 + .5*sqrt(1 + 4/a); return n*(log(a) + (a + 2)*log(c) - 1/c) - .5*log(c + 2/a)
// b = 1000/(exp(2.5) - exp(1.25)); print(.8*R(1000, 100), .8*R(1000, b) + 1500 - b)"
TEST(Regret, GoesStraightOnFromOneNatALevel) {
  EXPECT_NEAR(straight_regret(1000, 100), 139.24901338641976, 1e-9);
  EXPECT_NEAR(straight_regret(1000, 1500), 1539.6444004766256, 1e-9);
  for (const double n : {0.4, 1.0, 7.0, 200.0, 5000.0}) {
    for (double levels = 1; levels < 1e9; levels *= 1.7) {
      const double bent = multinomial_regret(n, levels), straight = straight_regret(n, levels);
      if (levels <= 0.115 * n) {
        EXPECT_EQ(straight, 0.8 * bent);
      }
      if (levels >= 0.51 * n) {
        EXPECT_GE(straight, bent - 1e-9) << n << " " << levels;
      }
      // No level costs less than one nat, nor more than the one before: up to the last term of R.
      const double next = straight_regret(n, levels + 1) - straight;
      const double later = straight_regret(n, levels + 2) - straight_regret(n, levels + 1);
      EXPECT_GT(next, 0.97 - 1e-9 * straight) << n << " " << levels;
      EXPECT_LE(later, next + 0.03 + 1e-9 * straight) << n << " " << levels;
      const double quotient = straight_regret(n, 3 * levels) - straight;
      EXPECT_NEAR(straight_regret_of_levels(n, levels, 3), quotient, 1e-9 * (1 + quotient)) << n << " " << levels;
    }
  }
  EXPECT_TRUE(std::isfinite(straight_regret_of_levels(1000, std::numeric_limits<double>::infinity(), 3)));
}

TEST(Regret, NothingToLearnCostsNothing) {
  EXPECT_EQ(straight_regret_of_levels(0, 5, 3), 0);
  EXPECT_EQ(multinomial_regret(0, 5), 0);
  EXPECT_EQ(multinomial_regret(100, 1), 0);
  EXPECT_EQ(regret_of_levels(100, 7, 1), 0);
  EXPECT_EQ(regret_of_levels(100, 1, 3), multinomial_regret(100, 3));
}

// With far more cells than rows every row is in a configuration of its own, and a level costs ln r a row.
TEST(Regret, ReachesItsLimitWithoutLosingDigits) {
  for (const double configurations : {1e9, 1e12, 1e15, 1e100, 1e199, 1e250, std::numeric_limits<double>::infinity()}) {
    EXPECT_NEAR(regret_of_levels(1000, configurations, 3), 1000 * std::log(3.0), 2e6 / configurations + 1e-9)
        << configurations;
  }
}

TEST(Regret, GrowsWithDrawsAndLevels) {
  for (double n = 0.25; n < 1e7; n *= 3) {
    for (double levels = 2; levels < 1e12; levels *= 7) {
      EXPECT_GT(multinomial_regret(n, levels * 1.5), multinomial_regret(n, levels));
      EXPECT_GT(multinomial_regret(n * 1.5, levels), multinomial_regret(n, levels));
    }
  }
}

}  // namespace
}  // namespace agon
