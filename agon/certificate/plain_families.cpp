#include "agon/certificate/plain_families.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <tuple>
#include <unordered_map>

#include "agon/base/hash.h"
#include "agon/base/parallel.h"
#include "agon/certificate/plain_set_lists.h"
#include "agon/certificate/plain_set_scores.h"

namespace agon {
namespace {

using plain::SetScores;
using plain::SetValue;

// Room for the last digits of a score in double precision.
double slack_of(const plain::Value& value) { return value.rounding + 1e-11 * (1 + std::abs(value.score)); }

struct BitsHash {
  size_t operator()(const NodeBits& b) const { return hash_combine(mix64(b.low), b.high); }
};

// The families of one node through the scorer, size by size.
class NodeLister {
 public:
  NodeLister(const plain::FamilyScorer& scorer, const AllowedParents& allowed, Node child)
      : scorer_(scorer), child_(child) {
    required_ = allowed.required[child];
    for (const Node v : allowed.active) {
      if (v != child && allowed.children[v].contains(child)) candidates_.push_back(v);
    }
    add({}, scorer.local(child, {}), kNoBound);
  }
  double sets(int size) const {
    double sets = 1;
    for (int k = 0; k < size; ++k) sets *= static_cast<double>(static_cast<int>(candidates_.size()) - k) / (k + 1);
    return std::max(0.0, sets);
  }
  void grow(const Watch& watch) {
    const auto smaller = std::move(best_);
    best_.clear();
    for (const auto& [parents, best] : smaller) {
      if (watch.stop_requested()) return;
      const std::vector<Node> given = parents.to_vector();
      std::vector<Node> more;
      for (const Node v : candidates_) {
        if (given.empty() || v > given.back()) more.push_back(v);
      }
      if (more.empty()) continue;
      const std::vector<plain::Value> values = scorer_.additions(child_, given, more);
      for (size_t k = 0; k < more.size(); ++k) {
        NodeBits set = parents;
        set.insert(more[k]);
        int64_t subsets = kNoBound;
        for (const Node y : set.to_vector()) subsets = std::max(subsets, smaller.at(set.without(y)));
        add(set, values[k], subsets);
      }
    }
  }

  std::vector<BoundedFamily> list;
  double rounding = 0;

 private:
  void add(NodeBits parents, const plain::Value& value, int64_t best) {
    if (value.score != plain::kUndefined && required_.is_subset_of(parents)) {
      const int64_t bound = plain::units_above(static_cast<long double>(value.score) + slack_of(value));
      if (bound > best) {
        list.push_back({bound, parents});
        rounding = std::max(rounding, slack_of(value));
        best = bound;
      }
    }
    best_.emplace(parents, best);
  }

  const plain::FamilyScorer& scorer_;
  Node child_;
  NodeBits required_;
  std::vector<Node> candidates_;
  std::unordered_map<NodeBits, int64_t, BitsHash>
      best_;  // of the last size: the highest bound of a set and its subsets
};

std::optional<FamilyLists> list_by_family(const plain::FamilyScorer& scorer, const AllowedParents& allowed,
                                          const FamilyOptions& options, const Watch& watch) {
  FamilyLists out;
  out.of.resize(scorer.size());
  std::vector<NodeLister> nodes;
  for (const Node v : allowed.active) nodes.emplace_back(scorer, allowed, v);
  double left = options.work;
  out.sets = static_cast<long>(nodes.size());
  bool complete = true;
  for (int size = 1; complete; ++size) {
    double sets = 0;
    for (const NodeLister& node : nodes) sets += node.sets(size);
    if (sets == 0) break;
    const double cost = sets * scorer.work_per_family(size);
    const bool over = size > options.least && (cost > left || sets * 64 > options.memory);
    if (over) out.stopped = cost > left ? "time" : "memory";
    if (over || (options.limit > 0 && size > options.limit)) {
      out.limit = size - 1;
      complete = false;
      break;
    }
    left -= cost;
    out.sets += static_cast<long>(sets);
    parallel_for(static_cast<int>(nodes.size()), options.threads, [&](int k) { nodes[k].grow(watch); });
    if (watch.stop_requested()) return std::nullopt;
  }
  for (size_t k = 0; k < nodes.size(); ++k) {
    out.rounding += nodes[k].rounding;
    out.of[allowed.active[k]] = std::move(nodes[k].list);
  }
  return out;
}

// One family as list_families would bound it, from above or from below.
struct Enclosed {
  int64_t up = 0, down = 0;
};
Enclosed enclose(const plain::FamilyScorer& scorer, const SetScores* sets, Node child,
                 const std::vector<Node>& parents) {
  if (sets == nullptr || scorer.is_constant(child)) {
    const plain::Value value = scorer.local(child, parents);
    if (value.score == plain::kUndefined) return {kNoBound, kNoBound};
    if (value.score == 0) return {};
    return {plain::units_above(static_cast<long double>(value.score) + slack_of(value)),
            plain::units_below(static_cast<long double>(value.score) - slack_of(value))};
  }
  const auto walk = sets->walk();
  double configurations = 1;
  SetValue without = sets->of_empty();
  for (const Node q : parents) {
    without = walk->with(q);
    walk->push(q);
    configurations *= sets->levels(q);
  }
  const SetValue with = walk->with(child);
  const int count = static_cast<int>(parents.size());
  return {with.up - without.down - sets->price(child, count, configurations),
          with.down - without.up - sets->price_above(child, count, configurations)};
}

}  // namespace

long FamilyLists::size() const {
  long out = 0;
  for (const auto& list : of) out += static_cast<long>(list.size());
  return out;
}

std::optional<FamilyLists> list_families(const plain::FamilyScorer& scorer, const Knowledge& knowledge,
                                         const FamilyOptions& options, const Watch& watch) {
  if (scorer.size() > kMostProofNodes) return std::nullopt;
  const AllowedParents allowed(scorer, knowledge);
  const std::shared_ptr<const SetScores> sets = scorer.set_scores(0);
  std::optional<FamilyLists> lists = sets ? list_by_set(*sets, allowed, options, scorer.size(), watch)
                                          : list_by_family(scorer, allowed, options, watch);
  if (!lists) return std::nullopt;
  if (sets && sets->has_likelihoods()) lists->likelihoods = sets;
  lists->exact = sets && sets->is_exact();
  if (sets) lists->rounding = sets->rounding() * static_cast<double>(allowed.active.size());
  for (Node v = 0; v < scorer.size(); ++v) {
    if (scorer.is_constant(v)) lists->of[v].push_back({enclose(scorer, sets.get(), v, {}).up, {}});
    if (options.besides == nullptr || lists->limit == 0) continue;
    const std::vector<Node> parents = options.besides->parent_list(v);
    if (static_cast<int>(parents.size()) <= lists->limit) continue;
    lists->of[v].push_back({enclose(scorer, sets.get(), v, parents).up, bits_of(parents)});
  }
  for (auto& list : lists->of) {
    std::ranges::sort(list, [](const BoundedFamily& a, const BoundedFamily& b) {
      return std::tuple(-a.score, a.parents) < std::tuple(-b.score, b.parents);
    });
  }
  return lists;
}

int64_t score_below(const plain::FamilyScorer& scorer, const Dag& dag) {
  const std::unique_ptr<SetScores> sets = scorer.set_scores(0);
  int64_t out = 0;
  for (Node v = 0; v < dag.size(); ++v) out += enclose(scorer, sets.get(), v, dag.parent_list(v)).down;
  return out;
}

}  // namespace agon
