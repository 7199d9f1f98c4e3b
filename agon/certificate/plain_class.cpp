#include "agon/certificate/plain_class.h"

namespace agon::plain {
namespace {

// Does one of the four rules direct a - b as a -> b?
bool is_forced(const Pdag& g, Node a, Node b) {
  for (const Node c : g.adjacency(a)) {
    if (c == b) continue;
    if (g.has_directed(c, a) && !g.adjacent(c, b)) return true;     // 1: b -> a would make a v-structure with c -> a
    if (g.has_directed(a, c) && g.has_directed(c, b)) return true;  // 2: b -> a would close a cycle
    if (!g.has_undirected(a, c)) continue;
    for (const Node d : g.adjacency(a)) {
      if (d == b || d == c) continue;
      const bool cd_apart = !g.adjacent(c, d);
      // 3: c - a - d, c -> b <- d
      if (cd_apart && g.has_undirected(a, d) && g.has_directed(c, b) && g.has_directed(d, b)) return true;
      // 4: c - a, c -> d -> b, c and b not adjacent, a and d adjacent
      if (!g.adjacent(c, b) && g.has_directed(c, d) && g.has_directed(d, b)) return true;
    }
  }
  return false;
}

}  // namespace

Pdag class_of(const Dag& dag, const Knowledge& knowledge, const std::vector<int>& row_set) {
  Pdag g(dag.size());
  for (const Edge& edge : dag.edges()) g.add_undirected(edge.from, edge.to);
  for (const Edge& edge : dag.edges()) {
    bool is_determined = knowledge.is_required({edge.from, edge.to}) || knowledge.is_forbidden({edge.to, edge.from});
    if (!row_set.empty() && row_set[edge.from] != row_set[edge.to]) is_determined = true;
    for (const Node other : dag.parents(edge.to)) {
      is_determined = is_determined || (other != edge.from && !dag.adjacent(other, edge.from));
    }
    if (is_determined) g.orient(edge.from, edge.to);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const Edge& edge : g.undirected_edges()) {
      const bool forward = is_forced(g, edge.from, edge.to);
      if (!forward && !is_forced(g, edge.to, edge.from)) continue;
      g.orient(forward ? edge.from : edge.to, forward ? edge.to : edge.from);
      changed = true;
    }
  }
  return g;
}

}  // namespace agon::plain
