#include "agon/certificate/plain_regret.h"

#include <gtest/gtest.h>

#include <cmath>

#include "agon/certificate/test_scorers.h"
#include "agon/score/discrete_score.h"
#include "agon/score/fitted_ess.h"
#include "agon/score/regret.h"
#include "agon/score/test_weights.h"
#include "agon/score/weighted_discrete.h"

namespace agon::plain {
namespace {

// The closed form, its series, and their meeting point.
TEST(PlainRegret, IsThatOfTheSearch) {
  for (double n = 0.3; n < 2e6; n *= 2.7) {
    for (double levels = 1; levels < 1e180; levels *= levels < 1e7 ? 1.9 : 1e9) {
      const double expected = multinomial_regret(n, levels);
      EXPECT_NEAR(regret(n, levels), expected, 1e-10 * (1 + expected + n)) << n << " " << levels;
      const double quotient = regret_of_levels(n, levels, 3);
      EXPECT_NEAR(regret_quotient(n, levels, 3), quotient, 1e-9 * (1 + expected)) << n << " " << levels;
      const double straight = straight_regret_of_levels(n, levels, 3);
      EXPECT_NEAR(straight_quotient(n, levels, 3), straight, 1e-9 * (1 + straight)) << n << " " << levels;
    }
  }
  EXPECT_EQ(regret(0, 5), 0);
  EXPECT_EQ(regret(7, 1), 0);
}

// What the entropy rule of proofs needs of qnml-edges: one more parent never costs less in the company of others.
TEST(PlainRegret, PricesOfAParentDoNotFallWithTheOthers) {
  Rng rng(7);
  const auto some = [&] { return static_cast<double>(2 + rng.below(rng.below(2) == 0 ? 3 : 20)); };
  for (int k = 0; k < 20'000; ++k) {
    const double n = std::floor(std::exp(14 * rng.uniform())), child = some(), parent = some(), other = some();
    double q = 1;  // of the parents besides
    for (int more = rng.below(8); more > 0; --more) q *= some();
    const auto price = [&](double besides) {
      return straight_quotient(n, besides * parent, child) - straight_quotient(n, besides, child);
    };
    EXPECT_GE(price(q * other), price(q) * (1 - 1e-12)) << n << " " << child << " " << parent << " " << other;
  }
}

// The certificate chooses the equivalent sample size again, by a forest of its own.
TEST(PlainFitted, ChoosesAsTheSearchDoes) {
  Rng rng(31);
  for (int trial = 0; trial < 20; ++trial) {
    const testing::TableShape shape = {.variables = 7, .rows = 40 + 20 * trial, .most_levels = 2 + trial % 4};
    const Dataset data =
        trial % 2 == 0 ? testing::random_categorical(shape, rng) : testing::random_weighted(shape, 0, rng);
    const double ess = fitted_ess(data);
    const Dag dag = testing::random_dag(7, 0.3, rng);
    const double expected = total(*plain::bdeu(data, ess), dag).score;
    EXPECT_NEAR(total(*plain::bdeu_fitted(data), dag).score, expected, 1e-9 * (1 + std::abs(expected)));
  }
}

}  // namespace
}  // namespace agon::plain
