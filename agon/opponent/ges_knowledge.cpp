// The part of GesSearch that respects background knowledge: which operators lead to a class with a member that
// satisfies it.
#include <algorithm>

#include "agon/graph/equivalence.h"
#include "agon/opponent/ges_search.h"

namespace agon {

// Checks what the operator is certain to direct: the edges of the v-structures it makes, and x -> y where experiments
// show it.
bool GesSearch::is_plainly_inadmissible(OperatorKind kind, Node y, Node x, std::span<const Node> clique) const {
  const Pdag& g = pdag();
  if (kind == OperatorKind::kRemove) {
    if (knowledge_.is_required({x, y}) || knowledge_.is_required({y, x})) return true;
    for (Node h : g.neighbours(y)) {
      if (h == x || !g.adjacent(h, x) || std::find(clique.begin(), clique.end(), h) != clique.end()) continue;
      if (knowledge_.is_forbidden({x, h}) || knowledge_.is_forbidden({y, h})) return true;
    }
    return false;
  }
  bool directed = false;
  for (Node t : clique) {
    if (g.adjacent(t, x)) continue;
    directed = true;
    if (knowledge_.is_forbidden({t, y})) return true;
  }
  if (knowledge_.allows(Edge{x, y})) return false;
  if (directed || cpdag_.is_cut(x, y) || knowledge_.is_forbidden({y, x})) return true;
  for (Node w : g.parents(y)) {
    if (!g.adjacent(w, x)) return true;
  }
  return false;
}

// Applies the operator, checks only what it changed, and takes it back.
bool GesSearch::is_admissible(const GesOperator& op) {
  if (knowledge_.empty()) return true;
  if (is_plainly_inadmissible(op.kind, op.y, op.x, op.clique)) return false;
  edit(op);
  const bool answer = is_change_admissible();
  cpdag_.undo();
  return answer;
}

// Given that some member satisfied the knowledge before the last operator, does some member satisfy it now? Directed
// edges must be allowed. The members direct each connected set of undirected edges independently, in any way that makes
// no v-structure and no cycle (Andersson, Madigan & Perlman 1997; with experiments, Hauser & Buehlmann 2012,
// section 3). So only the sets that contain a changed pair are checked.
bool GesSearch::is_change_admissible() {
  const Pdag& g = pdag();
  ++search_;
  std::vector<Node> members;
  const auto add = [&](Node v) {
    if (seen_from_[v] == search_ || g.neighbours(v).empty()) return;
    seen_from_[v] = search_;
    before_[v] = static_cast<Node>(members.size());
    members.push_back(v);
  };
  for (const PairChange& change : cpdag_.changes()) {
    if (change.after == PairState::kForward && knowledge_.is_forbidden({change.a, change.b})) return false;
    if (change.after == PairState::kBackward && knowledge_.is_forbidden({change.b, change.a})) return false;
    add(change.a);
    add(change.b);
  }
  std::vector<Edge> directed, undirected;
  for (size_t k = 0; k < members.size(); ++k) {
    const Node v = members[k];
    for (Node w : g.neighbours(v)) {
      add(w);
      if (w < v) continue;
      const bool there = knowledge_.allows(Edge{v, w}), back = knowledge_.allows(Edge{w, v});
      if (!there && !back) return false;
      if (there && back) undirected.push_back({before_[v], before_[w]});
      if (there != back) directed.push_back(there ? Edge{before_[v], before_[w]} : Edge{before_[w], before_[v]});
    }
  }
  if (directed.empty()) return true;
  Pdag part(static_cast<int>(members.size()));
  for (const Edge& e : directed) part.add_directed(e.from, e.to);
  for (const Edge& e : undirected) part.add_undirected(e.from, e.to);
  const std::optional<Dag> dag = consistent_extension(part);
  return dag && cpdag_of(*dag).compelled_count() == 0;
}

}  // namespace agon
