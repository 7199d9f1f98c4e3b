#include "agon/referee/clusters.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace agon {
namespace {

constexpr double kLeastViolation = 1e-4;
constexpr int kMostK = 3;

// k - (weight of families with fewer than k parents in D): positive when violated.
double violation(const RelaxedPoint& point, NodeBits nodes, int k) {
  double few = 0;
  for (const WeightedFamily& f : point.families) {
    if (nodes.contains(f.child) && (f.parents & nodes).count() < k) few += f.weight;
  }
  return k - few;
}

class ClusterSearch {
 public:
  explicit ClusterSearch(const RelaxedPoint& point) : point_(point), arcs_(point.arcs()) {}

  std::vector<ProofCut> run(int most) {
    std::vector<NodeBits> seeds;
    for (Node a = 0; a < point_.nodes; ++a) {
      for (Node b = 0; b < point_.nodes; ++b) {
        if (arcs_[a][b] > 1e-6) seeds.push_back(shortest_cycle(a, b));
      }
    }
    if (const NodeBits left = unpeeled(); !left.empty()) seeds.push_back(left);
    std::ranges::sort(seeds);
    seeds.erase(std::unique(seeds.begin(), seeds.end()), seeds.end());
    for (int k = 1; k <= kMostK; ++k) {
      for (const NodeBits& seed : seeds) {
        if (!seed.empty()) climb(seed, k);
      }
      // What is violated for k often is a good beginning for k + 1.
      for (const auto& [key, amount] : found_) {
        if (key.first == k) seeds.push_back(key.second);
      }
    }
    std::vector<std::tuple<double, int, NodeBits>> ranked;
    for (const auto& [key, amount] : found_) ranked.emplace_back(-amount, key.first, key.second);
    std::ranges::sort(ranked);
    std::vector<ProofCut> out;
    for (const auto& [amount, k, nodes] : ranked) {
      if (static_cast<int>(out.size()) == most) break;
      out.push_back({k, nodes.count() - k, nodes.to_vector(), {}});
    }
    return out;
  }

 private:
  // The length of an arc. Weights of a node that sum to a little more than 1 must not make it negative: a way could
  // then run in circles.
  double arc_length(Node a, Node b) const { return std::max(0.0, 1 - arcs_[a][b]); }

  // a -> b and the shortest way back, as a set; empty if there is none of total length below 1.
  NodeBits shortest_cycle(Node a, Node b) const {
    const int p = point_.nodes;
    std::vector<double> length(p, 1e9);
    std::vector<Node> from(p, -1);
    std::vector<char> done(p, 0);
    length[b] = arc_length(a, b);
    for (;;) {
      Node v = -1;
      for (Node u = 0; u < p; ++u) {
        if (!done[u] && length[u] < 1 && (v < 0 || length[u] < length[v])) v = u;
      }
      if (v < 0) return {};
      if (v == a) break;
      done[v] = 1;
      for (Node u = 0; u < p; ++u) {
        const double way = length[v] + arc_length(v, u);
        if (arcs_[v][u] > 1e-6 && way < length[u] - 1e-12) {
          length[u] = way;
          from[u] = v;
        }
      }
    }
    NodeBits cycle;
    for (Node v = a; v >= 0; v = from[v]) cycle.insert(v);
    return cycle;
  }

  // What is left when nodes all of whose weight has parents among those gone are taken away, again and again.
  NodeBits unpeeled() const {
    NodeBits left;
    for (Node v = 0; v < point_.nodes; ++v) left.insert(v);
    for (bool again = true; again;) {
      again = false;
      NodeBits stay;
      for (const WeightedFamily& f : point_.families) {
        if (left.contains(f.child) && f.parents.intersects(left)) stay.insert(f.child);
      }
      again = stay != left;
      left = stay;
    }
    return left;
  }

  // By how much the violation changes when each node is added or removed.
  std::vector<double> changes(NodeBits nodes, int k) const {
    std::vector<double> out(point_.nodes, 0);
    for (const WeightedFamily& f : point_.families) {
      const int inside = (f.parents & nodes).count();
      if (inside < k) out[f.child] += nodes.contains(f.child) ? f.weight : -f.weight;
      if (!nodes.contains(f.child)) continue;
      if (inside == k - 1) {
        for (NodeBits more = f.parents - nodes; !more.empty(); more.erase(more.first())) out[more.first()] += f.weight;
      } else if (inside == k) {
        for (NodeBits less = f.parents & nodes; !less.empty(); less.erase(less.first())) out[less.first()] -= f.weight;
      }
    }
    return out;
  }

  // Adds or removes the node that raises the violation most, as long as one does; equal ones may be crossed a few
  // times.
  void climb(NodeBits nodes, int k) {
    NodeBits visited_last = nodes;
    double now = violation(point_, nodes, k);
    note(nodes, k, now);
    for (int flat = 0; flat < 3;) {
      double best = -1e9;
      NodeBits next;
      const std::vector<double> change = changes(nodes, k);
      for (Node v = 0; v < point_.nodes; ++v) {
        NodeBits tried = nodes;
        nodes.contains(v) ? tried.erase(v) : tried.insert(v);
        if (tried == visited_last || tried.count() <= k) continue;
        if (now + change[v] > best + 1e-9) {
          best = now + change[v];
          next = tried;
        }
      }
      if (best < now - 1e-9 && best < kLeastViolation) return;
      if (best < now + 1e-9) ++flat;
      visited_last = nodes;
      nodes = next;
      now = best;
      if (!note(nodes, k, now) && now > kLeastViolation) return;  // somebody was here
    }
  }
  bool note(NodeBits nodes, int k, double amount) {
    if (amount < kLeastViolation || nodes.count() <= k) return true;
    return found_.emplace(std::pair(k, nodes), amount).second;
  }

  const RelaxedPoint& point_;
  std::vector<std::vector<double>> arcs_;
  std::map<std::pair<int, NodeBits>, double> found_;
};

}  // namespace

std::vector<ProofCut> violated_clusters(const RelaxedPoint& point, int most) { return ClusterSearch(point).run(most); }

}  // namespace agon
