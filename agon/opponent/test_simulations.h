// agon/opponent/test_simulations.h
//
// Simulations with known answers that tests and the benchmark of the classical algorithms share.
#pragma once

#include <cmath>
#include <vector>

#include "agon/base/rng.h"

namespace agon::testing {

// Two columns, where x causes y through a bent function: a parabola for even seeds, a bent line for odd ones. All noise
// is Gaussian, so that only the shape tells the direction.
struct BentPair {
  std::vector<double> x, y;
};
inline BentPair bent_pair(uint64_t seed, size_t rows = 1000) {
  Rng rng(seed);
  const double a = rng.uniform(1, 2), b = rng.uniform(-1, 1), c = rng.uniform(0.5, 1.5) * (rng.below(2) ? 1 : -1);
  BentPair out;
  for (size_t r = 0; r < rows; ++r) {
    const double x = rng.normal();
    const double f = seed % 2 ? c * std::tanh(a * (x + b)) + 0.3 * c * x : c * (x + b) * (x + b) * 0.5;
    out.x.push_back(x);
    out.y.push_back(f + 0.4 * rng.normal());
  }
  return out;
}

// Does every parent come before its child?
inline bool follows(const std::vector<int>& order, const std::vector<std::vector<int>>& parents) {
  std::vector<int> place(order.size());
  for (size_t k = 0; k < order.size(); ++k) place[order[k]] = static_cast<int>(k);
  for (size_t child = 0; child < parents.size(); ++child) {
    for (int parent : parents[child]) {
      if (place[parent] > place[child]) return false;
    }
  }
  return true;
}

}  // namespace agon::testing
