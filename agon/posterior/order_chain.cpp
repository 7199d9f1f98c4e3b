#include "agon/posterior/order_chain.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace agon {
namespace {

constexpr int kStepsPerOrder = 4;  // between two draws of the order from q

void for_each_parent(const ParentSpace& space, int v, ParentMask mask, auto visit) {
  for (const int u : space.always(v)) visit(u);
  for (; mask; mask &= mask - 1) visit(space.candidates(v)[static_cast<size_t>(std::countr_zero(mask))]);
}

}  // namespace

ParentSpace::ParentSpace(const std::vector<ParentTable>& tables)
    : entries_(tables.size()), bits_(tables.size() * tables.size(), 0), required_(tables.size() * tables.size(), 0) {
  Node largest = 0;
  for (const ParentTable& table : tables) largest = std::max(largest, table.child);
  std::vector<int> index(static_cast<size_t>(largest) + 1, -1);
  for (size_t v = 0; v < tables.size(); ++v) index[static_cast<size_t>(tables[v].child)] = static_cast<int>(v);
  for (size_t v = 0; v < tables.size(); ++v) {
    Entry& entry = entries_[v];
    entry.table = &tables[v];
    for (size_t k = 0; k < tables[v].candidates.size(); ++k) {
      entry.candidates.push_back(index[static_cast<size_t>(tables[v].candidates[k])]);
      bits_[v * tables.size() + static_cast<size_t>(entry.candidates.back())] = ParentMask{1} << k;
    }
    for (const Node u : tables[v].always) {
      entry.always.push_back(index[static_cast<size_t>(u)]);
      required_[v * tables.size() + static_cast<size_t>(entry.always.back())] = 1;
    }
    const std::vector<double>& own = tables[v].own;
    for (ParentMask mask = 0; mask < own.size(); ++mask) {
      if (own[mask] != kLogZero) entry.best_first.push_back(mask);
    }
    std::ranges::stable_sort(entry.best_first, [&](ParentMask a, ParentMask b) { return own[a] > own[b]; });
  }
}

// Walks through the sets until their weights reach a random share of all. The best come first, so that the walk is
// short; where few sets are allowed, it goes through these alone.
ParentMask ParentSpace::draw(int v, ParentMask allowed, Rng& rng) const {
  const std::vector<double>& own = table(v).own;
  const double all = table(v).within[allowed], goal = rng.uniform();
  ParentMask chosen = 0;
  double sum = 0;
  const auto reaches = [&](ParentMask mask) {
    chosen = mask;
    return (sum += std::exp(own[mask] - all)) > goal;
  };
  if (std::popcount(allowed) <= 5) {
    for (ParentMask mask = 0;;) {
      if (own[mask] != kLogZero && reaches(mask)) break;
      mask = (mask - allowed) & allowed;
      if (mask == 0) break;
    }
    return chosen;
  }
  for (const ParentMask mask : entry(v).best_first) {
    if (!(mask & ~allowed) && reaches(mask)) break;
  }
  return chosen;
}

ParentMasks parents_in(const ParentSpace& space, const Dag& dag) {
  ParentMasks parents(static_cast<size_t>(space.size()), 0);
  for (int v = 0; v < space.size(); ++v) {
    const ParentTable& table = space.table(v);
    ParentMask mask = 0;
    for (size_t k = 0; k < table.candidates.size(); ++k) {
      if (dag.has_edge(table.candidates[k], table.child)) mask |= ParentMask{1} << k;
    }
    if (table.own[mask] != kLogZero) parents[static_cast<size_t>(v)] = mask;
  }
  return parents;
}

ParentMasks random_parents(const ParentSpace& space, Rng& rng) {
  std::vector<int> waiting(static_cast<size_t>(space.size()));
  std::iota(waiting.begin(), waiting.end(), 0);
  std::vector<char> placed(waiting.size(), 0);
  ParentMasks parents(waiting.size(), 0);
  const auto is_placed = [&](int u) { return placed[static_cast<size_t>(u)] != 0; };
  while (!waiting.empty()) {
    std::vector<size_t> ready;
    for (size_t k = 0; k < waiting.size(); ++k) {
      if (std::ranges::all_of(space.always(waiting[k]), is_placed)) ready.push_back(k);
    }
    const size_t pick = ready[static_cast<size_t>(rng.below(static_cast<int>(ready.size())))];
    const int v = waiting[pick];
    waiting.erase(waiting.begin() + static_cast<long>(pick));
    std::vector<int> earlier;
    std::ranges::copy_if(space.candidates(v), std::back_inserter(earlier), is_placed);
    rng.shuffle(earlier);
    earlier.resize(std::min(earlier.size(), static_cast<size_t>(rng.below(3))));
    ParentMask mask = 0;
    for (const int u : earlier) mask |= space.bit(v, u);
    if (space.table(v).own[mask] != kLogZero) parents[static_cast<size_t>(v)] = mask;
    placed[static_cast<size_t>(v)] = 1;
  }
  return parents;
}

std::vector<NodeSet> ancestors_of(const ParentSpace& space, const ParentMasks& parents) {
  const int p = space.size();
  std::vector<NodeSet> ancestors(static_cast<size_t>(p), NodeSet(p));
  std::vector<std::vector<int>> children(static_cast<size_t>(p));
  std::vector<int> missing(static_cast<size_t>(p), 0), ready;
  for (int v = 0; v < p; ++v) {
    for_each_parent(space, v, parents[static_cast<size_t>(v)], [&](int u) {
      children[static_cast<size_t>(u)].push_back(v);
      ++missing[static_cast<size_t>(v)];
    });
    if (missing[static_cast<size_t>(v)] == 0) ready.push_back(v);
  }
  while (!ready.empty()) {
    const int u = ready.back();
    ready.pop_back();
    ancestors[static_cast<size_t>(u)].insert(u);
    for (const int v : children[static_cast<size_t>(u)]) {
      ancestors[static_cast<size_t>(v)] |= ancestors[static_cast<size_t>(u)];
      if (--missing[static_cast<size_t>(v)] == 0) ready.push_back(v);
    }
  }
  return ancestors;
}

void arrow_probabilities(const ParentSpace& space, const std::vector<NodeSet>& ancestors, int v,
                         std::span<double> out) {
  const std::vector<int>& candidates = space.candidates(v);
  ParentMask allowed = 0;  // those that are no descendants of v
  for (size_t k = 0; k < candidates.size(); ++k) {
    if (!ancestors[static_cast<size_t>(candidates[k])].contains(v)) allowed |= ParentMask{1} << k;
  }
  const std::vector<double>& within = space.table(v).within;
  for (size_t k = 0; k < candidates.size(); ++k) {
    const ParentMask bit = ParentMask{1} << k;
    out[k] = allowed & bit ? std::clamp(-std::expm1(within[allowed ^ bit] - within[allowed]), 0.0, 1.0) : 0;
  }
}

OrderChain::OrderChain(const ParentSpace& space, ParentMasks start, Rng rng)
    : space_(space),
      rng_(rng),
      order_(start.size()),
      at_(start.size()),
      parents_(std::move(start)),
      before_(parents_.size()),
      weight_(parents_.size()),
      log_(parents_.size() + 1, 0),
      ready_(parents_.size() + 1),
      first_child_(parents_.size()),
      missing_(parents_.size()) {
  for (size_t k = 1; k < log_.size(); ++k) log_[k] = std::log(static_cast<double>(k));
  draw_order();
}

// A node can be picked from the position after its last parent up to its own.
double OrderChain::log_order_probability() const {
  std::ranges::fill(ready_, 0);
  for (int v = 0; v < space_.size(); ++v) {
    int last = -1;
    for_each_parent(space_, v, parents_[static_cast<size_t>(v)],
                    [&](int u) { last = std::max(last, at_[static_cast<size_t>(u)]); });
    ++ready_[static_cast<size_t>(last + 1)];
    --ready_[static_cast<size_t>(at_[static_cast<size_t>(v)] + 1)];
  }
  double sum = 0;
  int ready = 0;
  for (size_t k = 0; k < order_.size(); ++k) sum -= log_[static_cast<size_t>(ready += ready_[k])];
  return sum;
}

void OrderChain::draw_order() {
  const int p = space_.size();
  // The children of u are a list: the first is first_child_[u], and after edge e comes edge next_[e].
  std::ranges::fill(first_child_, -1);
  std::ranges::fill(missing_, 0);
  next_.clear();
  child_.clear();
  std::vector<int>& ready = pickable_;
  ready.clear();
  for (int v = 0; v < p; ++v) {
    for_each_parent(space_, v, parents_[static_cast<size_t>(v)], [&](int u) {
      next_.push_back(first_child_[static_cast<size_t>(u)]);
      first_child_[static_cast<size_t>(u)] = static_cast<int>(child_.size());
      child_.push_back(v);
      ++missing_[static_cast<size_t>(v)];
    });
    if (missing_[static_cast<size_t>(v)] == 0) ready.push_back(v);
  }
  log_order_ = 0;
  for (int k = 0; k < p; ++k) {
    log_order_ -= log_[ready.size()];
    const auto pick = static_cast<size_t>(rng_.below(static_cast<int>(ready.size())));
    const int v = ready[pick];
    ready[pick] = ready.back();
    ready.pop_back();
    order_[static_cast<size_t>(k)] = v;
    at_[static_cast<size_t>(v)] = k;
    for (int e = first_child_[static_cast<size_t>(v)]; e >= 0; e = next_[static_cast<size_t>(e)]) {
      const int child = child_[static_cast<size_t>(e)];
      if (--missing_[static_cast<size_t>(child)] == 0) ready.push_back(child);
    }
  }
  for (int v = 0; v < p; ++v) {
    const std::vector<int>& candidates = space_.candidates(v);
    ParentMask before = 0;
    for (size_t k = 0; k < candidates.size(); ++k) {
      const bool is_before = at_[static_cast<size_t>(candidates[k])] < at_[static_cast<size_t>(v)];
      before |= static_cast<ParentMask>(is_before) << k;
    }
    before_[static_cast<size_t>(v)] = before;
  }
}

// A position for v, drawn in proportion to Z with v there. Only v and those that v passes change their factor.
int OrderChain::draw_position(int v) {
  const int p = space_.size(), from = at_[static_cast<size_t>(v)];
  const std::vector<double>& within = space_.table(v).within;
  int first = from, last = from;
  double most = weight_[static_cast<size_t>(from)] = within[before_[static_cast<size_t>(v)]];
  const auto sweep = [&](int step, int& reached) {
    ParentMask before = before_[static_cast<size_t>(v)];
    double passed = 0;
    for (int k = from + step; k >= 0 && k < p; k += step) {
      const int u = order_[static_cast<size_t>(k)];
      if (step < 0 ? space_.requires_parent(v, u) : space_.requires_parent(u, v)) return;
      before ^= space_.bit(v, u);
      if (const ParentMask bit = space_.bit(u, v)) {
        const ParentMask now = before_[static_cast<size_t>(u)];
        passed += space_.table(u).within[now ^ bit] - space_.table(u).within[now];
      }
      weight_[static_cast<size_t>(k)] = passed + within[before];
      most = std::max(most, weight_[static_cast<size_t>(k)]);
      reached = k;
    }
  };
  sweep(-1, first);
  sweep(1, last);
  double sum = 0;
  for (int k = first; k <= last; ++k) {
    double& weight = weight_[static_cast<size_t>(k)];
    sum += weight = std::exp(weight - most);
  }
  const double goal = rng_.uniform() * sum;
  double reached = 0;
  int chosen = from;
  for (int k = first; k <= last; ++k) {
    if (weight_[static_cast<size_t>(k)] == 0) continue;
    chosen = k;
    reached += weight_[static_cast<size_t>(k)];
    if (reached > goal) break;
  }
  return chosen;
}

// Changes order_, at_ and before_; notes what parents_ and before_ were for v and those that may lose or gain it.
void OrderChain::move(int v, int to) {
  const int from = at_[static_cast<size_t>(v)], step = to < from ? -1 : 1;
  changes_.push_back({v, parents_[static_cast<size_t>(v)], before_[static_cast<size_t>(v)]});
  for (int k = from; k != to; k += step) {
    const int u = order_[static_cast<size_t>(k + step)];
    order_[static_cast<size_t>(k)] = u;
    at_[static_cast<size_t>(u)] = k;
    before_[static_cast<size_t>(v)] ^= space_.bit(v, u);
    if (const ParentMask bit = space_.bit(u, v)) {
      changes_.push_back({u, parents_[static_cast<size_t>(u)], before_[static_cast<size_t>(u)]});
      before_[static_cast<size_t>(u)] ^= bit;
    }
  }
  order_[static_cast<size_t>(to)] = v;
  at_[static_cast<size_t>(v)] = to;
}

void OrderChain::step() {
  if (steps_++ % kStepsPerOrder == 0) draw_order();
  const int v = rng_.below(space_.size());
  const int from = at_[static_cast<size_t>(v)], to = draw_position(v);
  changes_.clear();
  move(v, to);
  for (const Change& change : changes_) {
    parents_[static_cast<size_t>(change.v)] = space_.draw(change.v, before_[static_cast<size_t>(change.v)], rng_);
  }
  const double log_order = log_order_probability();
  if (std::log(1 - rng_.uniform()) < log_order - log_order_) {
    log_order_ = log_order;
    ++accepted_;
    return;
  }
  const int step = from < to ? -1 : 1;
  for (int k = to; k != from; k += step) {
    const int u = order_[static_cast<size_t>(k + step)];
    order_[static_cast<size_t>(k)] = u;
    at_[static_cast<size_t>(u)] = k;
  }
  order_[static_cast<size_t>(from)] = v;
  at_[static_cast<size_t>(v)] = from;
  for (const Change& change : changes_) {
    parents_[static_cast<size_t>(change.v)] = change.parents;
    before_[static_cast<size_t>(change.v)] = change.before;
  }
}

}  // namespace agon
