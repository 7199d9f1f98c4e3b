#include "agon/base/draws.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "agon/base/distributions.h"

namespace agon {
namespace {

// Each count against its probability, by chi-square; counts of little probability are pooled.
double fit(uint32_t n, double p, int samples, Rng& rng) {
  std::vector<double> seen(n + 1, 0);
  for (int k = 0; k < samples; ++k) seen.at(binomial(n, p, rng)) += 1;
  double statistic = 0, dof = -1, pooled_seen = 0, pooled = 0;
  for (uint32_t k = 0; k <= n; ++k) {
    const double log_probability = std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0) +
                                   k * std::log(p) + (n - k) * std::log1p(-p);
    pooled += samples * std::exp(log_probability);
    pooled_seen += seen[k];
    if (pooled < 20 && k < n) continue;
    if (pooled > 0) {
      statistic += (pooled_seen - pooled) * (pooled_seen - pooled) / std::max(pooled, 1.0);
      dof += 1;
    }
    pooled = pooled_seen = 0;
  }
  return chi_square_tail(statistic, dof);
}

TEST(Draws, BinomialCountsHaveTheirProbabilities) {
  Rng rng(5);
  for (const auto& [n, p] : std::vector<std::pair<uint32_t, double>>{{1, 0.3},
                                                                     {7, 0.5},
                                                                     {60, 0.1},
                                                                     {60, 0.2},
                                                                     {60, 0.9},
                                                                     {200, 0.5},
                                                                     {1000, 0.004},
                                                                     {1000, 0.03},
                                                                     {1000, 0.98}}) {
    EXPECT_GT(fit(n, p, 20000, rng), 1e-4) << n << " trials of " << p;
  }
}

TEST(Draws, SureThings) {
  Rng rng(6);
  EXPECT_EQ(binomial(0, 0.5, rng), 0u);
  EXPECT_EQ(binomial(9, 0, rng), 0u);
  EXPECT_EQ(binomial(9, 1, rng), 9u);
}

TEST(Draws, SumToTheirNumberAndFollowTheWeights) {
  Rng rng(8);
  const std::vector<double> weights = {0.5, 2, 1e-9, 1.5};
  const std::vector<uint32_t> times = drawn_by_weight(weights, 2'000'000'000, rng);
  EXPECT_EQ(std::accumulate(times.begin(), times.end(), uint64_t{0}), 2'000'000'000u);
  const double total = 4 + 1e-9;
  for (size_t k = 0; k < weights.size(); ++k) {
    const double share = weights[k] / total, expected = 2e9 * share;
    EXPECT_NEAR(times[k], expected, 6 * std::sqrt(expected * (1 - share)) + 6) << k;
  }
  EXPECT_TRUE(drawn_by_weight({}, 10, rng).empty());
}

}  // namespace
}  // namespace agon
