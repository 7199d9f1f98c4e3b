#include "agon/posterior/convergence.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace agon {
namespace {

double mean_of(std::span<const double> x) {
  double sum = 0;
  for (const double value : x) sum += value;
  return sum / static_cast<double>(x.size());
}

// With n - 1 in the denominator.
double variance_of(std::span<const double> x, double mean) {
  double sum = 0;
  for (const double value : x) sum += (value - mean) * (value - mean);
  return sum / static_cast<double>(x.size() - 1);
}

// Both halves of every chain; of an odd number the middle sample is left out.
std::vector<std::span<const double>> halves_of(const std::vector<std::vector<double>>& chains) {
  std::vector<std::span<const double>> halves;
  for (const auto& chain : chains) {
    const size_t half = chain.size() / 2;
    halves.push_back(std::span(chain).first(half));
    halves.push_back(std::span(chain).last(half));
  }
  return halves;
}

struct Variances {
  std::vector<double> mean;  // by half
  double within = 0;         // W, the mean of the variances
  double pooled = 0;         // var+, which also holds how far the means are apart
};

Variances variances_of(const std::vector<std::span<const double>>& halves) {
  Variances out;
  const auto n = static_cast<double>(halves[0].size());
  for (const auto& half : halves) {
    out.mean.push_back(mean_of(half));
    out.within += variance_of(half, out.mean.back()) / static_cast<double>(halves.size());
  }
  const double between = variance_of(out.mean, mean_of(out.mean));  // B / n in the book
  out.pooled = (n - 1) / n * out.within + between;
  return out;
}

bool too_short(const std::vector<std::vector<double>>& chains) { return chains.empty() || chains[0].size() < 4; }

}  // namespace

double split_r_hat(const std::vector<std::vector<double>>& chains) {
  if (too_short(chains)) return std::numeric_limits<double>::infinity();
  const Variances v = variances_of(halves_of(chains));
  if (v.pooled <= 0) return 1;
  return v.within > 0 ? std::sqrt(v.pooled / v.within) : std::numeric_limits<double>::infinity();
}

double effective_samples(const std::vector<std::vector<double>>& chains) {
  if (too_short(chains)) return 0;
  const auto halves = halves_of(chains);
  const size_t n = halves[0].size();
  const double all = static_cast<double>(n * halves.size());
  const Variances v = variances_of(halves);
  if (v.pooled <= 0) return all;
  const auto correlation = [&](size_t lag) {
    double covariance = 0;  // mean over the halves
    for (size_t h = 0; h < halves.size(); ++h) {
      double sum = 0;
      for (size_t t = 0; t + lag < n; ++t) sum += (halves[h][t] - v.mean[h]) * (halves[h][t + lag] - v.mean[h]);
      covariance += sum / static_cast<double>(n - 1) / static_cast<double>(halves.size());
    }
    return 1 - (v.within - covariance) / v.pooled;
  };
  double sum = 0, last = std::numeric_limits<double>::infinity();
  for (size_t lag = 0; lag + 1 < n; lag += 2) {
    const double pair = std::min(last, correlation(lag) + correlation(lag + 1));
    if (pair <= 0) break;
    sum += pair;
    last = pair;
  }
  // 2 sum - 1 is the time between independent draws. Below 1, draws repel each other; no more is claimed than there
  // are.
  return all / std::max(1.0, 2 * sum - 1);
}

}  // namespace agon
