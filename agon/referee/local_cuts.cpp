#include "agon/referee/local_cuts.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "agon/base/rng.h"
#include "agon/referee/linear_program.h"

namespace agon {
namespace {

constexpr int kLargestWeight = 24;
constexpr double kWorkPerProgram = 3e5;      // nanoseconds for solving one again
constexpr double kLeastCutViolation = 5e-3;  // in units of the right side

struct Pattern {
  int child;         // place in D
  uint32_t parents;  // places in D
  double share;      // of the point
};

// Acyclic choices of one pattern, or none, for each node of D.
class AcyclicChoice {
 public:
  explicit AcyclicChoice(int size)
      : size_(size), best_(size), pick_(size), whole_(size_t{1} << size), sink_(size_t{1} << size) {
    for (auto& b : best_) b.resize(size_t{1} << size);
    for (auto& b : pick_) b.resize(size_t{1} << size);
  }
  // The highest sum of weights; `chosen` gets the patterns. weights[k] belongs to patterns[k]. `forced`: this node has
  // exactly these parents, and adds nothing.
  double best(const std::vector<Pattern>& patterns, const std::vector<double>& weights, std::vector<int>* chosen,
              int forced = -1, uint32_t forced_parents = 0) {
    const size_t sets = size_t{1} << size_;
    work += static_cast<double>(sets) * size_ * (size_ + 4);
    for (int k = 0; k < size_; ++k) {
      std::fill(best_[k].begin(), best_[k].end(), k == forced ? -1e9 : 0.0);
      std::fill(pick_[k].begin(), pick_[k].end(), -1);
    }
    if (forced >= 0) best_[forced][forced_parents] = 0;
    for (size_t k = 0; k < patterns.size(); ++k) {
      const Pattern& pattern = patterns[k];
      if (pattern.child == forced) continue;
      if (weights[k] > best_[pattern.child][pattern.parents]) {
        best_[pattern.child][pattern.parents] = weights[k];
        pick_[pattern.child][pattern.parents] = static_cast<int>(k);
      }
    }
    for (int j = 0; j < size_; ++j) {
      for (int bit = 0; bit < size_; ++bit) {
        const size_t flag = size_t{1} << bit;
        for (size_t s = 0; s < sets; ++s) {
          if ((s & flag) != 0 && best_[j][s ^ flag] > best_[j][s]) {
            best_[j][s] = best_[j][s ^ flag];
            pick_[j][s] = pick_[j][s ^ flag];
          }
        }
      }
    }
    whole_[0] = 0;
    for (size_t s = 1; s < sets; ++s) {
      whole_[s] = -1e18;
      for (int j = 0; j < size_; ++j) {
        if ((s >> j & 1) == 0) continue;
        const size_t rest = s ^ (size_t{1} << j);
        if (const double sum = whole_[rest] + best_[j][rest]; sum > whole_[s]) {
          whole_[s] = sum;
          sink_[s] = j;
        }
      }
    }
    if (chosen != nullptr) {
      chosen->clear();
      for (size_t s = sets - 1; s != 0;) {
        const int j = sink_[s];
        s ^= size_t{1} << j;
        if (pick_[j][s] >= 0) chosen->push_back(pick_[j][s]);
      }
    }
    return whole_[sets - 1];
  }

  double work = 0;  // nanoseconds, roughly

 private:
  int size_;
  std::vector<std::vector<double>> best_;
  std::vector<std::vector<int>> pick_;
  std::vector<double> whole_;
  std::vector<int> sink_;
};

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

// Patterns that fit an order of the nodes, for each node the one with the largest share: an acyclic choice.
LinearProgram::Row choice_by_order(const std::vector<Pattern>& patterns, const std::vector<int>& order) {
  std::vector<int> best(order.size(), -1);
  std::vector<uint32_t> before(order.size(), 0);
  uint32_t placed = 0;
  for (const int v : order) {
    before[v] = placed;
    placed |= uint32_t{1} << v;
  }
  for (size_t k = 0; k < patterns.size(); ++k) {
    const Pattern& pattern = patterns[k];
    int& now = best[pattern.child];
    if ((pattern.parents & ~before[pattern.child]) == 0 && (now < 0 || pattern.share > patterns[now].share)) {
      now = static_cast<int>(k);
    }
  }
  LinearProgram::Row row{1, false, {}};
  for (const int k : best) {
    if (k >= 0) row.entries.push_back({k, 1.0});
  }
  std::ranges::sort(row.entries);
  return row;
}

// Weights with sum of w * share > 1 although every acyclic choice has at most 1; empty if there are none to speak of.
// The program over some of the choices says how much there can be at most, and its solution divided by what the best
// choice makes of it how much there is: when the second is near the first, that is enough.
std::vector<double> separating_weights(const std::vector<Pattern>& patterns, int size, AcyclicChoice& choice,
                                       Rng& rng) {
  const auto lp = make_linear_program();
  if (!lp) return {};
  std::vector<LinearProgram::Column> columns;
  for (const Pattern& pattern : patterns) columns.push_back({pattern.share, {}});
  lp->add_columns(columns);
  std::vector<LinearProgram::Row> first;
  for (size_t k = 0; k < patterns.size(); ++k) first.push_back({1, false, {{static_cast<int>(k), 1.0}}});
  std::vector<int> order(size);
  for (int v = 0; v < size; ++v) order[v] = v;
  for (int k = 0; k < 4 * size; ++k) {
    rng.shuffle(order);
    first.push_back(choice_by_order(patterns, order));
  }
  lp->add_rows(first);
  std::vector<double> weights(patterns.size());
  std::vector<int> chosen;
  for (int round = 0; round < 100; ++round) {
    choice.work += kWorkPerProgram;
    if (!lp->solve(5000)) return {};
    double sum = 0;
    for (size_t k = 0; k < patterns.size(); ++k) {
      weights[k] = std::max(0.0, lp->value(static_cast<int>(k)));
      sum += weights[k] * patterns[k].share;
    }
    if (sum < 1 + kLeastCutViolation) return {};
    const double most = choice.best(patterns, weights, &chosen);
    if (sum / most - 1 > 0.5 * (sum - 1)) {
      for (double& w : weights) w /= most;
      return weights;
    }
    LinearProgram::Row row{1, false, {}};
    for (const int k : chosen) row.entries.push_back({k, 1.0});
    std::ranges::sort(row.entries);
    lp->add_rows({row});
  }
  return {};
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
                    AcyclicChoice& choice, const std::vector<std::vector<NodeBits>>& columns) {
  const double right = choice.best(patterns, weights, nullptr);
  // Patterns of families in use that the cut does not weigh yet, or not enough.
  std::set<std::pair<int, uint32_t>> more;
  for (size_t k = 0; k < nodes.size(); ++k) {
    for (const NodeBits& parents : columns[nodes[k]]) {
      if (const uint32_t at = places(parents, nodes); at != 0) more.insert({static_cast<int>(k), at});
    }
  }
  std::vector<std::pair<int, uint32_t>> order(more.begin(), more.end());
  std::ranges::stable_sort(order, {}, [](const auto& x) { return std::popcount(x.second); });
  if (order.size() > 150) order.resize(150);
  for (const auto& [child, parents] : order) {
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
  ProofCut cut{0, std::llround(choice.best(patterns, weights, nullptr)), nodes, {}};
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

std::vector<ProofCut> LocalCutter::cuts(const RelaxedPoint& point, const std::vector<std::vector<NodeBits>>& columns,
                                        int largest, int tries, const Watch& watch) {
  Rng rng(static_cast<uint64_t>(++calls_));
  std::vector<ProofCut> out;
  for (const NodeBits& set : choose_sets(point, largest, tries)) {
    if (watch.stop_requested()) break;
    const std::vector<Node> nodes = set.to_vector();
    std::vector<Pattern> patterns = patterns_of(point, nodes);
    AcyclicChoice choice(static_cast<int>(nodes.size()));
    const std::vector<double> weights = separating_weights(patterns, static_cast<int>(nodes.size()), choice, rng);
    double& worth = fruitful_[set];
    worth *= 0.5;
    if (!weights.empty()) {
      const std::vector<double> whole = whole_numbers(weights);
      double sum = 0;
      for (size_t k = 0; k < whole.size(); ++k) sum += whole[k] * patterns[k].share;
      const double right = choice.best(patterns, whole, nullptr);
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
