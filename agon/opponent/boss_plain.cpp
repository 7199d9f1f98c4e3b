#include "agon/opponent/boss_plain.h"

#include <algorithm>

namespace agon {
namespace {

// Does every required parent come before its child?
bool respects(const OrderRules& rules, const std::vector<Node>& order) {
  for (size_t i = 0; i < order.size(); ++i) {
    for (size_t k = i + 1; k < order.size(); ++k) {
      const Parents required = rules.required_parents(order[i]);
      if (std::binary_search(required.begin(), required.end(), order[k])) return false;
    }
  }
  return true;
}

}  // namespace

std::vector<Node> plain_grow_shrink(const LocalScore& score, const OrderRules& rules, Node child,
                                    const std::vector<Node>& prefix, bool with_pairs) {
  const double tolerance = tie_tolerance(score);
  const Parents required = rules.required_parents(child);
  std::vector<Node> parents(required.begin(), required.end());
  std::vector<double> gains(score.size());
  for (;;) {
    score.addition_gains(child, parents, gains);
    Node best = -1;
    for (Node v = 0; v < score.size(); ++v) {
      if (std::find(prefix.begin(), prefix.end(), v) == prefix.end() || !rules.may_be_parent(v, child)) continue;
      if (gains[v] > (best < 0 ? tolerance : gains[best])) best = v;
    }
    if (best >= 0) {
      parents.insert(std::upper_bound(parents.begin(), parents.end(), best), best);
      continue;
    }
    if (!with_pairs) break;
    std::vector<PairGain> pairs;
    score.pair_additions(child, parents, pairs);
    const auto usable = [&](Node v) {
      return std::find(prefix.begin(), prefix.end(), v) != prefix.end() && rules.may_be_parent(v, child);
    };
    const auto pair = std::ranges::find_if(
        pairs, [&](const PairGain& c) { return c.gain > tolerance && usable(c.first) && usable(c.second); });
    if (pair == pairs.end()) break;
    parents.push_back(pair->first);
    parents.push_back(pair->second);
    std::sort(parents.begin(), parents.end());
  }
  while (!parents.empty()) {
    std::vector<double> removal(parents.size());
    score.removal_gains(child, parents, removal);
    int best = -1;
    for (size_t k = 0; k < parents.size(); ++k) {
      if (std::binary_search(required.begin(), required.end(), parents[k])) continue;
      if (removal[k] > (best < 0 ? tolerance : removal[best])) best = static_cast<int>(k);
    }
    if (best < 0) break;
    parents.erase(parents.begin() + best);
  }
  return parents;
}

Dag plain_order_dag(const LocalScore& score, const OrderRules& rules, const std::vector<Node>& order, bool with_pairs) {
  Dag dag(score.size());
  std::vector<Node> prefix;
  for (Node w : order) {
    for (Node q : plain_grow_shrink(score, rules, w, prefix, with_pairs)) dag.add_edge(q, w);
    prefix.push_back(w);
  }
  return dag;
}

double plain_order_score(const LocalScore& score, const OrderRules& rules, const std::vector<Node>& order,
                         bool with_pairs) {
  return total(score, plain_order_dag(score, rules, order, with_pairs));
}

int plain_order_sweep(const LocalScore& score, const OrderRules& rules, std::vector<Node>& order, bool with_pairs) {
  const double tolerance = tie_tolerance(score);
  int moved = 0;
  for (Node v = 0; v < score.size(); ++v) {
    const auto here = std::find(order.begin(), order.end(), v);
    if (here == order.end()) continue;
    std::vector<Node> rest = order;
    rest.erase(rest.begin() + (here - order.begin()));
    std::vector<Node> best = order;
    double best_score = plain_order_score(score, rules, order, with_pairs);
    for (size_t place = 0; place <= rest.size(); ++place) {
      std::vector<Node> tried = rest;
      tried.insert(tried.begin() + static_cast<long>(place), v);
      if (!respects(rules, tried)) continue;
      const double s = plain_order_score(score, rules, tried, with_pairs);
      if (s > best_score + tolerance) {
        best_score = s;
        best = tried;
      }
    }
    moved += best != order;
    order = best;
  }
  return moved;
}

}  // namespace agon
