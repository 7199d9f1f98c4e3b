#include "agon/referee/dual_ascent.h"

#include <algorithm>
#include <map>

namespace agon {
namespace {

class Ascent {
 public:
  Ascent(const SearchSpace& space, CutPool& pool) : space_(space), pool_(pool), p_(static_cast<Node>(space.of.size())) {
    for (const auto& list : space.of) {
      cost_.emplace_back();
      int64_t best = INT64_MIN;
      for (const BoundedFamily& f : list) best = std::max(best, f.score);
      bound_ += best;
      for (const BoundedFamily& f : list) cost_.back().push_back(best - f.score);
    }
  }

  AscentResult run(double work, const Watch& watch) {
    while (work_ < work && !watch.stop_requested()) {
      NodeBits cluster = unplaced({});
      if (cluster.empty()) break;  // a graph of reduced cost 0 is left: the bound is its score
      cluster = shrunk(cluster);
      if (!raise(cluster)) break;
    }
    AscentResult out{{}, bound_, work_};
    for (const auto& [cut, value] : multipliers_) out.multipliers.push_back({cut, value});
    return out;
  }

 private:
  // Nodes that cannot be placed when those of `free` are placed already.
  NodeBits unplaced(NodeBits free) {
    NodeBits left;
    for (Node v = 0; v < p_; ++v) left.insert(v);
    left = left - free;
    for (bool again = true; again;) {
      again = false;
      for (const Node v : left.to_vector()) {
        if (!has_free_family(v, left)) continue;
        left.erase(v);
        again = true;
      }
    }
    return left;
  }
  bool has_free_family(Node v, NodeBits left) {
    const auto& list = space_.of[v];
    work_ += static_cast<double>(tight(v).size()) * 2;
    return std::ranges::any_of(tight(v), [&](int k) { return !list[k].parents.intersects(left); });
  }
  // Families of reduced cost 0.
  const std::vector<int>& tight(Node v) {
    if (tight_.empty()) tight_.resize(p_);
    if (!tight_[v].empty()) return tight_[v];
    for (size_t k = 0; k < cost_[v].size(); ++k) {
      if (cost_[v][k] == 0) tight_[v].push_back(static_cast<int>(k));
    }
    work_ += static_cast<double>(cost_[v].size()) * 1;
    return tight_[v];
  }
  NodeBits shrunk(NodeBits cluster) {
    NodeBits all;
    for (Node v = 0; v < p_; ++v) all.insert(v);
    for (const Node v : cluster.to_vector()) {
      if (!cluster.contains(v)) continue;
      const NodeBits smaller = unplaced(all - cluster.without(v));
      if (!smaller.empty()) cluster = smaller;
    }
    return cluster;
  }
  bool raise(NodeBits cluster) {
    int64_t step = INT64_MAX;
    for (const Node v : cluster.to_vector()) {
      for (size_t k = 0; k < cost_[v].size(); ++k) {
        if (!space_.of[v][k].parents.intersects(cluster)) step = std::min(step, cost_[v][k]);
      }
      work_ += static_cast<double>(cost_[v].size()) * 2;
    }
    if (step == INT64_MAX || step <= 0) return false;
    // A family with a parent inside pays the multiplier, and so does the best family of its node.
    for (const Node v : cluster.to_vector()) {
      for (size_t k = 0; k < cost_[v].size(); ++k) {
        if (!space_.of[v][k].parents.intersects(cluster)) cost_[v][k] -= step;
      }
      tight_[v].clear();
    }
    const std::vector<Node> nodes = cluster.to_vector();
    multipliers_[pool_.add({1, static_cast<int64_t>(nodes.size()) - 1, nodes, {}})] += step;
    bound_ -= step;
    return true;
  }

  const SearchSpace& space_;
  CutPool& pool_;
  Node p_;
  std::vector<std::vector<int64_t>> cost_;  // reduced costs, by node and family
  std::vector<std::vector<int>> tight_;
  std::map<int, int64_t> multipliers_;
  Units bound_ = 0;
  double work_ = 0;
};

}  // namespace

AscentResult dual_ascent(const SearchSpace& space, CutPool& pool, double work, const Watch& watch) {
  return Ascent(space, pool).run(work, watch);
}

}  // namespace agon
