#include "agon/referee/rounding.h"

#include <algorithm>

namespace agon {
namespace {

constexpr int64_t kNoFamily = INT64_MIN / 1024;  // a node without a family; few enough of them do not overflow

// Lists are sorted by score, so the first family that fits is the best.
const BoundedFamily* best_family(const std::vector<BoundedFamily>& list, NodeBits before) {
  const auto at = std::ranges::find_if(list, [&](const BoundedFamily& f) { return f.parents.is_subset_of(before); });
  return at == list.end() ? nullptr : &*at;
}
int64_t score_of(const std::vector<BoundedFamily>& list, NodeBits before) {
  const BoundedFamily* family = best_family(list, before);
  return family == nullptr ? kNoFamily : family->score;
}

}  // namespace

RoundedDag round_order(std::vector<Node> order, const std::vector<std::vector<BoundedFamily>>& lists) {
  const size_t p = order.size();
  // Moving the node at one place step by step to the others: each step swaps two neighbours.
  for (int sweep = 0; sweep < 20; ++sweep) {
    bool improved = false;
    for (size_t at = 0; at < p; ++at) {
      int64_t change = 0, best = 0;
      size_t best_place = at;
      std::vector<Node> now = order;
      const auto try_direction = [&](int step) {
        now = order;
        change = 0;
        NodeBits before;
        for (size_t k = 0; k < at; ++k) before.insert(order[k]);
        for (size_t k = at; step > 0 ? k + 1 < p : k > 0; k += static_cast<size_t>(step)) {
          const size_t low = step > 0 ? k : k - 1;
          const Node a = now[low], b = now[low + 1];
          if (step < 0) before.erase(a);
          NodeBits with_a = before, with_b = before;
          with_a.insert(a);
          with_b.insert(b);
          change -= score_of(lists[a], before) + score_of(lists[b], with_a);
          change += score_of(lists[b], before) + score_of(lists[a], with_b);
          std::swap(now[low], now[low + 1]);
          if (step > 0) before.insert(b);
          if (change > best) {
            best = change;
            best_place = step > 0 ? low + 1 : low;
          }
        }
      };
      try_direction(1);
      try_direction(-1);
      if (best <= 0) continue;
      const Node moved = order[at];
      order.erase(order.begin() + static_cast<long>(at));
      order.insert(order.begin() + static_cast<long>(best_place), moved);
      improved = true;
    }
    if (!improved) break;
  }
  RoundedDag out{Dag(static_cast<int>(p)), 0, true};
  NodeBits before;
  for (const Node v : order) {
    const BoundedFamily* family = best_family(lists[v], before);
    if (family == nullptr) return {};
    for (const Node q : family->parents.to_vector()) out.dag.add_edge(q, v);
    out.score += family->score;
    before.insert(v);
  }
  return out;
}

RoundedDag round_point(const RelaxedPoint& point, const std::vector<std::vector<BoundedFamily>>& lists) {
  std::vector<Node> order;
  NodeBits placed;
  while (static_cast<int>(order.size()) < point.nodes) {
    std::vector<double> ready(point.nodes, 0);
    for (const WeightedFamily& f : point.families) {
      if (f.parents.is_subset_of(placed)) ready[f.child] += f.weight;
    }
    Node next = -1;
    for (Node v = 0; v < point.nodes; ++v) {
      if (!placed.contains(v) && (next < 0 || ready[v] > ready[next] + 1e-9)) next = v;
    }
    placed.insert(next);
    order.push_back(next);
  }
  return round_order(order, lists);
}

}  // namespace agon
