#include "agon/certificate/neighbours.h"

#include <algorithm>
#include <limits>

#include "agon/base/parallel.h"

namespace agon {
namespace {

struct Gain {
  double value = 0;
  double rounding = 0;
  bool defined = true;
};

Gain difference(const plain::Value& after, const plain::Value& before) {
  return {after.score - before.score, after.rounding + before.rounding, after.score != plain::kUndefined};
}

// Which single edits are valid. Those that add a parent to a node come first, by parent; then, for each parent in turn,
// its removal and its reversal.
class Edits {
 public:
  Edits(const plain::Scorer& scorer, const Neighbourhood& around, const BitRows& descendants)
      : scorer_(scorer), around_(around), descendants_(descendants) {
    room_for_edge_ = around.edge_budget == 0 || around.graph.edge_count() < around.edge_budget;
  }

  template <class Fn>
  void additions_to(Node j, Fn fn) const {  // calls fn(v) for each until it returns false
    if (!room_for_edge_ || !has_room(j)) return;
    const Dag& graph = around_.graph;
    for (Node v = 0; v < graph.size(); ++v) {
      if (v == j || scorer_.is_constant(v) || graph.adjacent(v, j) || descendants_.test(j, v)) continue;
      if (around_.knowledge.allows(EdgeMove{MoveKind::kAdd, v, j}) && !fn(v)) return;
    }
  }
  bool may_remove(Node q, Node j) const { return around_.knowledge.allows(EdgeMove{MoveKind::kRemove, q, j}); }
  bool may_reverse(Node q, Node j) const {
    if (!has_room(q) || scorer_.is_constant(j)) return false;
    // Any other path from q to j goes through another parent of j.
    return around_.knowledge.allows(EdgeMove{MoveKind::kReverse, q, j}) &&
           !around_.graph.parents(j).intersects(descendants_[q]);
  }

 private:
  bool has_room(Node v) const {
    return !scorer_.is_constant(v) &&
           (around_.max_parents == 0 || around_.graph.parents(v).count() < around_.max_parents);
  }

  const plain::Scorer& scorer_;
  const Neighbourhood& around_;
  const BitRows& descendants_;
  bool room_for_edge_;
};

// The edits that change the parents of one node, and what each of them gains there.
struct AtNode {
  long most_new = std::numeric_limits<long>::max();  // additions to look at, the first ones
  std::vector<Node> lost_parents;                    // valid removals q -> node
  std::vector<Node> turned;                          // parents q whose edge q -> node may be reversed
  std::vector<Node> back_parents;                    // children v whose edge node -> v may be reversed: v -> node
  std::vector<Gain> lost_gains, turned_gains, back_gains;
  char done = false;
};

long count_additions(const Edits& edits, Node j) {
  long count = 0;
  edits.additions_to(j, [&](Node) { return ++count > 0; });
  return count;
}

std::vector<AtNode> edits_within(const Edits& edits, const Dag& graph, long limit, bool& complete) {
  long left = limit > 0 ? limit : std::numeric_limits<long>::max();
  const auto take = [&] {
    if (left == 0) complete = false;
    return left > 0 && left-- > 0;
  };
  std::vector<AtNode> at(graph.size());
  for (Node j = 0; j < graph.size(); ++j) {
    if (limit > 0) {
      const long all = count_additions(edits, j);
      at[j].most_new = std::min(all, left);
      left -= at[j].most_new;
      complete = complete && at[j].most_new == all;
    }
    for (Node q : graph.parents(j)) {
      if (edits.may_remove(q, j) && take()) at[j].lost_parents.push_back(q);
      if (edits.may_reverse(q, j) && take()) {
        at[j].turned.push_back(q);
        at[q].back_parents.push_back(j);
      }
    }
  }
  return at;
}

// What is known of the edits judged so far. Of edits that gain the same, the first by move stands.
struct Verdict {
  double tolerance;
  long looked_at = 0, checked = 0;
  std::optional<EdgeMove> better = std::nullopt;
  double gain = 0;

  void judge(EdgeMove move, const Gain& found) {
    ++looked_at;
    if (!found.defined) return;
    ++checked;
    if (found.value > tolerance + found.rounding) offer(move, found.value);
  }
  void offer(EdgeMove move, double value) {
    if (better && (value < gain || (value == gain && !(move < *better)))) return;
    better = move;
    gain = value;
  }
  void add(const Verdict& part) {
    looked_at += part.looked_at;
    checked += part.checked;
    if (part.better) offer(*part.better, part.gain);
  }
};

// `may`: the nodes that may gain; null: all.
void score_edits(const plain::Scorer& scorer, const Edits& edits, const plain::Family& family, const NodeSet* may,
                 AtNode& at, Verdict& verdict) {
  const Node j = family.child;
  const std::vector<Node>& parents = family.parents;
  const plain::Value now = scorer.local(j, parents);
  const auto without = [&](const std::vector<Node>& dropped, std::vector<Gain>& gains) {
    for (Node q : dropped) {
      std::vector<Node> rest = parents;
      std::erase(rest, q);
      gains.push_back(difference(scorer.local(j, rest), now));
    }
  };
  without(at.lost_parents, at.lost_gains);
  without(at.turned, at.turned_gains);
  if (!at.back_parents.empty()) {
    for (const plain::Value& value : scorer.additions(j, parents, at.back_parents)) {
      at.back_gains.push_back(difference(value, now));
    }
  }
  std::vector<Node> added;
  long seen = 0, excluded = 0;
  edits.additions_to(j, [&](Node v) {
    if (seen == at.most_new) return false;
    ++seen;
    if (may == nullptr || may->contains(v)) {
      added.push_back(v);
    } else {
      ++excluded;
    }
    return true;
  });
  verdict.looked_at += excluded;
  verdict.checked += excluded;
  if (!added.empty()) {
    const std::vector<plain::Value> values = scorer.additions(j, parents, added);
    for (size_t k = 0; k < added.size(); ++k) {
      verdict.judge({MoveKind::kAdd, added[k], j}, difference(values[k], now));
    }
  }
  at.done = true;
}

long count_all(const Edits& edits, const Dag& graph) {
  long count = 0;
  for (Node j = 0; j < graph.size(); ++j) {
    count += count_additions(edits, j);
    for (Node q : graph.parents(j)) count += edits.may_remove(q, j) + edits.may_reverse(q, j);
  }
  return count;
}

}  // namespace

std::optional<BitRows> descendants_of(const Dag& graph) {
  const int p = graph.size();
  BitRows descendants(p);
  enum : char { kNew, kOpen, kClosed };
  std::vector<char> state(p, kNew);
  std::vector<Node> stack;
  for (Node root = 0; root < p; ++root) {
    if (state[root] != kNew) continue;
    stack.push_back(root);
    while (!stack.empty()) {
      const Node v = stack.back();
      if (state[v] == kNew) {
        state[v] = kOpen;
        for (Node child : graph.children(v)) {
          if (state[child] == kOpen) return std::nullopt;
          if (state[child] == kNew) stack.push_back(child);
        }
        continue;
      }
      stack.pop_back();
      if (state[v] == kClosed) continue;  // it was pushed twice
      state[v] = kClosed;
      for (Node child : graph.children(v)) {
        descendants.set(v, child);
        descendants.merge_row(v, descendants[child]);
      }
    }
  }
  return descendants;
}

NeighbourCheck check_neighbours(const plain::Scorer& scorer, const Neighbourhood& around,
                                const NeighbourOptions& options, const Watch& watch) {
  NeighbourCheck check;
  const Dag& graph = around.graph;
  const std::optional<BitRows> descendants = descendants_of(graph);
  if (!descendants) {
    check.complete = false;
    return check;
  }
  const Edits edits(scorer, around, *descendants);
  std::vector<AtNode> at = edits_within(edits, graph, options.limit, check.complete);
  constexpr int kBatch = 32;
  const int batches = (graph.size() + kBatch - 1) / kBatch;
  std::vector<Verdict> verdicts(batches, Verdict{options.tolerance});
  parallel_for(batches, options.threads, [&](int batch) {
    if (watch.stop_requested()) return;
    std::vector<plain::Family> families;
    for (Node j = batch * kBatch; j < std::min(graph.size(), (batch + 1) * kBatch); ++j) {
      families.push_back({j, graph.parent_list(j)});
    }
    const std::vector<NodeSet> may = scorer.may_gain(families, options.tolerance);
    for (size_t k = 0; k < families.size() && !watch.stop_requested(); ++k) {
      score_edits(scorer, edits, families[k], may.empty() ? nullptr : &may[k], at[families[k].child], verdicts[batch]);
    }
  });

  Verdict all{options.tolerance};
  for (const Verdict& verdict : verdicts) all.add(verdict);
  for (Node j = 0; j < graph.size(); ++j) {
    if (!at[j].done) {
      check.complete = false;
      continue;
    }
    for (size_t k = 0; k < at[j].lost_parents.size(); ++k) {
      all.judge({MoveKind::kRemove, at[j].lost_parents[k], j}, at[j].lost_gains[k]);
    }
    for (size_t k = 0; k < at[j].turned.size(); ++k) {
      const Node q = at[j].turned[k];
      if (!at[q].done) continue;
      const auto place = std::find(at[q].back_parents.begin(), at[q].back_parents.end(), j);
      const Gain& there = at[q].back_gains[place - at[q].back_parents.begin()];
      const Gain& here = at[j].turned_gains[k];
      all.judge({MoveKind::kReverse, q, j},
                {here.value + there.value, here.rounding + there.rounding, here.defined && there.defined});
    }
  }
  check.checked = all.checked;
  check.better = all.better;
  check.gain = all.gain;
  if (!check.complete) check.left = count_all(edits, graph) - all.looked_at;
  return check;
}

}  // namespace agon
