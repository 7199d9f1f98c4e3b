#include "agon/graph/d_separation.h"

#include <cassert>
#include <vector>

namespace agon {

namespace {

// Everything reached from `nodes` by steps to `next(v)`.
template <class Next>
NodeSet closure(NodeView nodes, Next next) {
  NodeSet reached(nodes);
  std::vector<Node> stack = nodes.to_vector();
  while (!stack.empty()) {
    const Node v = stack.back();
    stack.pop_back();
    for (Node u : next(v)) {
      if (reached.contains(u)) continue;
      reached.insert(u);
      stack.push_back(u);
    }
  }
  return reached;
}

}  // namespace

NodeSet ancestors(const Dag& dag, NodeView nodes) {
  return closure(nodes, [&](Node v) { return dag.parents(v); });
}

NodeSet descendants(const Dag& dag, NodeView nodes) {
  return closure(nodes, [&](Node v) { return dag.children(v); });
}

// A path is followed edge by edge. What may follow depends on the node and on how it was entered: `from_child` against
// the arrow, `from_parent` along it. A collider with a descendant in `given` needs no care of its own: the walk goes
// down to that descendant, turns there and comes back up (Shachter 1998 calls it a bouncing ball).
NodeSet d_connected(const Dag& dag, Node a, NodeView given) {
  assert(!given.contains(a));
  NodeSet from_child(dag.size());
  NodeSet from_parent(dag.size());
  std::vector<std::pair<Node, bool>> stack;  // node, entered from a child
  const auto enter = [&](Node v, bool by_child) {
    NodeSet& seen = by_child ? from_child : from_parent;
    if (seen.contains(v)) return;
    seen.insert(v);
    stack.push_back({v, by_child});
  };
  enter(a, true);  // as if from a child: from a any edge may be taken
  while (!stack.empty()) {
    const auto [v, by_child] = stack.back();
    stack.pop_back();
    const bool blocked = given.contains(v);
    if (by_child != blocked) {
      for (Node u : dag.parents(v)) enter(u, true);
    }
    if (!blocked) {
      for (Node u : dag.children(v)) enter(u, false);
    }
  }
  from_child |= from_parent;
  from_child -= given;
  return from_child;
}

bool d_separated(const Dag& dag, Node a, Node b, NodeView given) {
  assert(a != b && !given.contains(b));
  return !d_connected(dag, a, given).contains(b);
}

NodeSet markov_blanket(const Dag& dag, Node v) {
  NodeSet blanket(dag.parents(v));
  for (Node child : dag.children(v)) {
    blanket.insert(child);
    blanket |= dag.parents(child);
  }
  blanket.erase(v);
  return blanket;
}

}  // namespace agon
