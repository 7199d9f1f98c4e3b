#include "agon/certificate/neighbours.h"

#include <algorithm>

#include "agon/base/parallel.h"

namespace agon {
namespace {

struct Gain {
  double value = 0;
  double rounding = 0;
  bool defined = true;
};

// The edits that change the parents of one node, and what each of them gains there.
struct AtNode {
  std::vector<Node> new_parents;   // valid additions v -> node
  std::vector<Node> lost_parents;  // valid removals q -> node
  std::vector<Node> turned;        // parents q whose edge q -> node may be reversed
  std::vector<Node> back_parents;  // children v whose edge node -> v may be reversed: v -> node
  std::vector<Gain> new_gains, lost_gains, turned_gains, back_gains;
  bool done = false;
};

Gain difference(const plain::Value& after, const plain::Value& before) {
  return {after.score - before.score, after.rounding + before.rounding, after.score != plain::kUndefined};
}

std::vector<AtNode> valid_edits(const plain::Scorer& scorer, const Neighbourhood& around, const BitRows& descendants,
                                long limit, bool& complete) {
  const Dag& graph = around.graph;
  const int p = graph.size();
  long left = limit > 0 ? limit : -1;
  const auto take = [&] {
    if (left == 0) {
      complete = false;
      return false;
    }
    if (left > 0) --left;
    return true;
  };
  const auto room = [&](Node v) {
    return !scorer.is_constant(v) && (around.max_parents == 0 || graph.parents(v).count() < around.max_parents);
  };
  const bool room_for_edge = around.edge_budget == 0 || graph.edge_count() < around.edge_budget;
  std::vector<AtNode> at(p);
  for (Node j = 0; j < p; ++j) {
    for (Node v = 0; v < p && room_for_edge && room(j); ++v) {
      if (v == j || scorer.is_constant(v) || graph.adjacent(v, j) || descendants.test(j, v)) continue;
      if (around.knowledge.allows(EdgeMove{MoveKind::kAdd, v, j}) && take()) at[j].new_parents.push_back(v);
    }
    for (Node q : graph.parents(j)) {
      if (around.knowledge.allows(EdgeMove{MoveKind::kRemove, q, j}) && take()) at[j].lost_parents.push_back(q);
      if (!room(q) || scorer.is_constant(j) || !around.knowledge.allows(EdgeMove{MoveKind::kReverse, q, j})) continue;
      // Any other path from q to j goes through another parent of j.
      if (!graph.parents(j).intersects(descendants[q]) && take()) {
        at[j].turned.push_back(q);
        at[q].back_parents.push_back(j);
      }
    }
  }
  return at;
}

void score_edits(const plain::Scorer& scorer, Node j, const std::vector<Node>& parents, AtNode& at) {
  const plain::Value now = scorer.local(j, parents);
  const auto without = [&](const std::vector<Node>& dropped, std::vector<Gain>& gains) {
    for (Node q : dropped) {
      std::vector<Node> rest = parents;
      std::erase(rest, q);
      gains.push_back(difference(scorer.local(j, rest), now));
    }
  };
  const auto with = [&](const std::vector<Node>& added, std::vector<Gain>& gains) {
    if (added.empty()) return;
    for (const plain::Value& value : scorer.additions(j, parents, added)) gains.push_back(difference(value, now));
  };
  without(at.lost_parents, at.lost_gains);
  without(at.turned, at.turned_gains);
  with(at.new_parents, at.new_gains);
  with(at.back_parents, at.back_gains);
  at.done = true;
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
  std::vector<AtNode> at = valid_edits(scorer, around, *descendants, options.limit, check.complete);
  parallel_for(graph.size(), options.threads, [&](int j) {
    if (!watch.stop_requested()) score_edits(scorer, j, graph.parent_list(j), at[j]);
  });

  const auto judge = [&](EdgeMove move, const Gain& gain) {
    if (!gain.defined) return;
    ++check.checked;
    if (!(gain.value > options.tolerance + gain.rounding)) return;
    if (!check.better || gain.value > check.gain || (gain.value == check.gain && move < *check.better)) {
      check.better = move;
      check.gain = gain.value;
    }
  };
  for (Node j = 0; j < graph.size(); ++j) {
    if (!at[j].done) {
      check.complete = false;
      continue;
    }
    for (size_t k = 0; k < at[j].new_parents.size(); ++k) {
      judge({MoveKind::kAdd, at[j].new_parents[k], j}, at[j].new_gains[k]);
    }
    for (size_t k = 0; k < at[j].lost_parents.size(); ++k) {
      judge({MoveKind::kRemove, at[j].lost_parents[k], j}, at[j].lost_gains[k]);
    }
    for (size_t k = 0; k < at[j].turned.size(); ++k) {
      const Node q = at[j].turned[k];
      if (!at[q].done) continue;
      const auto place = std::find(at[q].back_parents.begin(), at[q].back_parents.end(), j);
      const Gain& there = at[q].back_gains[place - at[q].back_parents.begin()];
      const Gain& here = at[j].turned_gains[k];
      judge({MoveKind::kReverse, q, j},
            {here.value + there.value, here.rounding + there.rounding, here.defined && there.defined});
    }
  }
  return check;
}

}  // namespace agon
