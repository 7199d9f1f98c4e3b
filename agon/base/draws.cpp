#include "agon/base/draws.h"

#include <algorithm>
#include <cmath>

#include "agon/base/distributions.h"

namespace agon {
namespace {

// The trials between two successes are geometric; they are skipped until all n are used up.
uint32_t by_waiting(uint32_t n, double p, Rng& rng) {
  const double log_q = std::log1p(-p);
  uint32_t successes = 0;
  double trials = 0;
  while (true) {
    trials += std::floor(-rng.exponential() / log_q) + 1;
    if (trials > n) return successes;
    ++successes;
  }
}

// p <= 1/2. The constants are those of the paper; m is the mode.
uint32_t by_rejection(uint32_t n, double p, Rng& rng) {
  const double spread = std::sqrt(n * p * (1 - p));
  const double b = 1.15 + 2.53 * spread;
  const double a = -0.0873 + 0.0248 * b + 0.01 * p;
  const double centre = n * p + 0.5, sure = 0.92 - 4.2 / b;
  const double alpha = (2.83 + 5.1 / b) * spread;
  const double m = std::floor((n + 1.0) * p);
  const double at_mode = log_gamma(m + 1) + log_gamma(n - m + 1), log_odds = std::log(p / (1 - p));
  while (true) {
    const double u = rng.uniform() - 0.5, v = rng.uniform();
    const double left = 0.5 - std::abs(u);
    if (left <= 0) continue;
    const double k = std::floor((2 * a / left + b) * u + centre);
    if (k < 0 || k > n) continue;
    if (left >= 0.07 && v <= sure) return static_cast<uint32_t>(k);
    const double height = std::log(v * alpha / (a / (left * left) + b));
    if (height <= at_mode - log_gamma(k + 1) - log_gamma(n - k + 1) + (k - m) * log_odds) {
      return static_cast<uint32_t>(k);
    }
  }
}

}  // namespace

uint32_t binomial(uint32_t n, double p, Rng& rng) {
  if (n == 0 || p <= 0) return 0;
  if (p >= 1) return n;
  if (p > 0.5) return n - binomial(n, 1 - p, rng);
  return n * p < 10 ? by_waiting(n, p, rng) : by_rejection(n, p, rng);
}

std::vector<uint32_t> drawn_by_weight(std::span<const double> weights, uint32_t draws, Rng& rng) {
  // What is left is summed from the end, so that the last thing has all of it.
  std::vector<double> left(weights.size() + 1, 0);
  for (size_t k = weights.size(); k-- > 0;) left[k] = left[k + 1] + weights[k];
  std::vector<uint32_t> times(weights.size());
  for (size_t k = 0; k < weights.size() && draws > 0; ++k) {
    times[k] = k + 1 == weights.size() ? draws : binomial(draws, weights[k] / left[k], rng);
    draws -= times[k];
  }
  return times;
}

}  // namespace agon
