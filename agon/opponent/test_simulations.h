// agon/opponent/test_simulations.h
//
// Simulations with known answers that tests and the benchmark of the classical algorithms share.
#pragma once

#include <cmath>
#include <vector>

#include "agon/base/rng.h"
#include "agon/data/simulate.h"
#include "agon/graph/dag.h"

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

// Five variables in a chain with equal noise, so that the scales of the columns give the order away.
inline Simulated rising_chain(size_t rows) {
  std::vector<std::vector<int>> parents(5);
  for (int v = 1; v < 5; ++v) parents[v] = {v - 1};
  return simulate_sem(parents, rows, {.weight_low = 1, .weight_high = 1.5}, Rng(4));
}

inline std::vector<Edge> true_edges(const Simulated& s) {
  std::vector<Edge> out;
  for (size_t v = 0; v < s.parents.size(); ++v) {
    for (int u : s.parents[v]) out.push_back({u, static_cast<Node>(v)});
  }
  return out;
}

}  // namespace agon::testing
