#include "agon/score/fitted_ess.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <tuple>

#include "agon/score/discrete_score.h"
#include "agon/score/weighted_discrete.h"

namespace agon {
namespace {

constexpr double kRounded = 1e6;  // gains are compared in units of 1 / kRounded nats

template <class Score, class Weighted>
std::unique_ptr<LocalScore> by_weight(const Dataset& data, const ScoreOptions& options) {
  if (data.has_weights() || data.has_drawn()) return std::make_unique<Weighted>(data, options);
  return std::make_unique<Score>(data, options);
}

struct Pair {
  double gain;
  Node a, b;  // a < b
};

std::vector<Pair> gaining_pairs(const LocalScore& score) {
  std::vector<Pair> pairs;
  std::vector<double> gains(static_cast<size_t>(score.size()));
  for (Node b = 0; b < score.size(); ++b) {
    score.addition_gains(b, {}, gains);
    for (Node a = 0; a < b; ++a) {
      const double rounded = std::round(gains[a] * kRounded);
      if (rounded > 0) pairs.push_back({rounded, a, b});
    }
  }
  std::ranges::sort(pairs, [](const Pair& x, const Pair& y) {
    return std::tuple(-x.gain, x.a, x.b) < std::tuple(-y.gain, y.a, y.b);
  });
  return pairs;
}

}  // namespace

// Kruskal's algorithm gives the neighbours; arrows then lead away from the smallest node of each tree.
Dag best_forest(const LocalScore& score) {
  const size_t p = static_cast<size_t>(score.size());
  std::vector<Node> tree(p);  // by node: the name of the tree it is in
  std::iota(tree.begin(), tree.end(), 0);
  std::vector<std::vector<Node>> neighbours(p);
  for (const Pair& pair : gaining_pairs(score)) {
    const Node kept = tree[pair.a], lost = tree[pair.b];
    if (kept == lost) continue;
    std::ranges::replace(tree, lost, kept);
    neighbours[pair.a].push_back(pair.b);
    neighbours[pair.b].push_back(pair.a);
  }
  Dag forest(score.size());
  std::vector<char> reached(p, 0);
  for (Node root = 0; root < score.size(); ++root) {
    std::vector<Node> waiting;
    if (!reached[root]) waiting.push_back(root);
    while (!waiting.empty()) {
      const Node from = waiting.back();
      waiting.pop_back();
      reached[from] = 1;
      for (const Node to : neighbours[from]) {
        if (reached[to]) continue;
        forest.add_edge(from, to);
        waiting.push_back(to);
      }
    }
  }
  return forest;
}

double fitted_ess(const Dataset& data) {
  const Dag forest = best_forest(*by_weight<DiscreteBic, WeightedDiscreteBic>(data, {}));
  double best = kEssGrid[0], highest = kNoGain;
  for (const double ess : kEssGrid) {
    const double evidence = total(*by_weight<Bdeu, WeightedBdeu>(data, {.ess = ess}), forest);
    if (evidence > highest) highest = evidence, best = ess;
  }
  return best;
}

}  // namespace agon
