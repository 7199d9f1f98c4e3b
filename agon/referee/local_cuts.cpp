#include "agon/referee/local_cuts.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "agon/base/rng.h"
#include "agon/referee/acyclic_mixture.h"

namespace agon {
namespace {

constexpr int kLargestWeight = 24;
constexpr size_t kMostLifted = 300;          // patterns that a cut is lifted by
constexpr double kLeastCutViolation = 5e-3;  // in units of the right side

uint32_t places(NodeBits parents, const std::vector<Node>& nodes) {
  uint32_t out = 0;
  for (size_t k = 0; k < nodes.size(); ++k) out |= parents.contains(nodes[k]) ? uint32_t{1} << k : 0;
  return out;
}

// What the point says about D, pattern by pattern.
std::vector<Pattern> patterns_of(const RelaxedPoint& point, const std::vector<Node>& nodes) {
  std::map<std::pair<int, uint32_t>, double> shares;
  for (const WeightedFamily& f : point.families) {
    const auto at = std::ranges::lower_bound(nodes, f.child);
    if (at == nodes.end() || *at != f.child) continue;
    if (const uint32_t parents = places(f.parents, nodes); parents != 0) {
      shares[{static_cast<int>(at - nodes.begin()), parents}] += f.weight;
    }
  }
  std::vector<Pattern> out;
  for (const auto& [key, share] : shares) out.push_back({key.first, key.second, share});
  return out;
}

// The smallest scale that makes all weights nearly whole; else the largest.
std::vector<double> whole_numbers(const std::vector<double>& weights) {
  for (int scale = 1; scale <= kLargestWeight; ++scale) {
    const bool fits =
        std::ranges::all_of(weights, [&](double w) { return std::abs(w * scale - std::round(w * scale)) < 1e-3; });
    if (!fits && scale < kLargestWeight) continue;
    std::vector<double> out;
    for (const double w : weights) out.push_back(std::round(w * scale));
    return out;
  }
  return weights;
}

ProofCut lifted_cut(const std::vector<Node>& nodes, std::vector<Pattern> patterns, std::vector<double> weights,
                    AcyclicChoice& choice, const std::vector<std::vector<FamilyInUse>>& columns) {
  const double right = choice.best(patterns, weights);
  // Patterns of families in use that the cut does not weigh yet, or not enough.
  std::map<std::pair<int, uint32_t>, double> more;  // with the least that one of its families loses
  for (size_t k = 0; k < nodes.size(); ++k) {
    for (const FamilyInUse& family : columns[nodes[k]]) {
      const uint32_t at = places(family.parents, nodes);
      if (at == 0) continue;
      double& loss = more.try_emplace({static_cast<int>(k), at}, family.loss).first->second;
      loss = std::min(loss, family.loss);
    }
  }
  std::vector<std::tuple<double, int, uint32_t>> order;
  for (const auto& [pattern, loss] : more) order.emplace_back(loss, pattern.first, pattern.second);
  std::ranges::sort(order);
  if (order.size() > kMostLifted) order.resize(kMostLifted);
  for (const auto& [loss, child, parents] : order) {
    double has = 0;
    for (size_t k = 0; k < patterns.size(); ++k) {
      if (patterns[k].child == child && (patterns[k].parents & ~parents) == 0) has = std::max(has, weights[k]);
    }
    const double room = right - choice.best(patterns, weights, nullptr, child, parents);
    if (room > has + 0.5) {
      patterns.push_back({child, parents, 0});
      weights.push_back(std::floor(room + 1e-9));
    }
  }
  ProofCut cut{0, std::llround(choice.best(patterns, weights)), nodes, {}};
  for (size_t k = 0; k < patterns.size(); ++k) {
    if (weights[k] < 0.5) continue;
    ProofCut::Generator g{nodes[patterns[k].child], {}, static_cast<int>(std::llround(weights[k]))};
    for (size_t q = 0; q < nodes.size(); ++q) {
      if ((patterns[k].parents >> q & 1) != 0) g.parents.push_back(nodes[q]);
    }
    cut.generators.push_back(std::move(g));
  }
  return cut;
}

}  // namespace

// Sets grow from fractional arcs, by the node with the most fractional arcs into what is there.
std::vector<NodeBits> LocalCutter::choose_sets(const RelaxedPoint& point, int largest, int tries) const {
  const std::vector<std::vector<double>> arcs = point.arcs();
  const auto torn = [&](Node a, Node b) {
    const double x = arcs[a][b], y = arcs[b][a];
    return std::min(x, 1 - x) + std::min(y, 1 - y) + std::min(x, y);
  };
  std::vector<NodeBits> sets;
  std::vector<std::pair<double, NodeBits>> known;
  for (const auto& [nodes, worth] : fruitful_) known.push_back({-worth, nodes});
  std::ranges::sort(known);
  for (size_t k = 0; k < known.size() && static_cast<int>(sets.size()) < tries / 2; ++k)
    sets.push_back(known[k].second);
  std::vector<std::tuple<double, Node, Node>> pairs;
  for (Node a = 0; a < nodes_; ++a) {
    for (Node b = 0; b < a; ++b) {
      if (const double x = torn(a, b); x > 0.02) pairs.emplace_back(-x, a, b);
    }
  }
  std::ranges::sort(pairs);
  if (pairs.empty()) return sets;
  Rng rng(static_cast<uint64_t>(calls_));
  const int wanted = tries;
  for (int k = 0; static_cast<int>(sets.size()) < wanted && k < 4 * wanted; ++k) {
    const auto& [amount, a, b] =
        k < static_cast<int>(pairs.size()) ? pairs[k] : pairs[rng.below(static_cast<int>(pairs.size()))];
    NodeBits nodes;
    nodes.insert(a);
    nodes.insert(b);
    while (nodes.count() < largest) {
      double best = 0;
      Node next = -1;
      for (Node v = 0; v < nodes_; ++v) {
        if (nodes.contains(v)) continue;
        double pull = 0;
        for (const Node u : nodes.to_vector()) pull += torn(u, v);
        pull *= 0.5 + rng.uniform();  // so that one pair leads to more than one set
        if (pull > best) {
          best = pull;
          next = v;
        }
      }
      if (next < 0) break;
      nodes.insert(next);
    }
    if (nodes.count() >= 3 && std::ranges::find(sets, nodes) == sets.end()) sets.push_back(nodes);
  }
  return sets;
}

std::vector<ProofCut> LocalCutter::cuts(const RelaxedPoint& point, const std::vector<std::vector<FamilyInUse>>& columns,
                                        int largest, int tries, const Watch& watch) {
  ++calls_;
  std::vector<ProofCut> out;
  for (const NodeBits& set : choose_sets(point, largest, tries)) {
    if (watch.stop_requested()) break;
    const std::vector<Node> nodes = set.to_vector();
    std::vector<Pattern> patterns = patterns_of(point, nodes);
    AcyclicChoice choice(static_cast<int>(nodes.size()));
    const std::vector<double> weights = facet(patterns, choice, kLeastCutViolation);
    double& worth = fruitful_[set];
    worth *= 0.5;
    if (!weights.empty()) {
      const std::vector<double> whole = whole_numbers(weights);
      double sum = 0;
      for (size_t k = 0; k < whole.size(); ++k) sum += whole[k] * patterns[k].share;
      const double right = choice.best(patterns, whole);
      if (right > 0 && sum / right > 1 + kLeastCutViolation) {
        worth += sum / right - 1;
        out.push_back(lifted_cut(nodes, patterns, whole, choice, columns));
      }
    }
    work_ += choice.work;
    if (worth < 1e-4) fruitful_.erase(set);
  }
  return out;
}

}  // namespace agon
