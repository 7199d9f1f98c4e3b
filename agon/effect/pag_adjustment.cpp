#include "agon/effect/pag_adjustment.h"

#include <fmt/format.h>

#include <algorithm>

#include "agon/base/text.h"

namespace agon {
namespace {

// May a cause b? No arrow at a.
bool may_lead(const Pag& pag, Node a, Node b) { return pag.adjacent(a, b) && pag.mark(b, a) != Mark::kArrow; }

NodeSet possible_ancestors(const Pag& pag, Node v, Node without) {
  NodeSet out(pag.size());
  out.insert(v);
  std::vector<Node> open = {v};
  for (size_t k = 0; k < open.size(); ++k) {
    for (const Node u : pag.neighbours(open[k])) {
      if (u == without || out.contains(u) || !may_lead(pag, u, open[k])) continue;
      out.insert(u);
      open.push_back(u);
    }
  }
  return out;
}

// Nodes with a directed path into the set: colliders that its members open.
NodeSet certain_ancestors(const Pag& pag, const NodeSet& set) {
  NodeSet out = set;
  std::vector<Node> open = set.to_vector();
  for (size_t k = 0; k < open.size(); ++k) {
    for (const Node u : pag.neighbours(open[k])) {
      if (out.contains(u) || !pag.is_directed(u, open[k])) continue;
      out.insert(u);
      open.push_back(u);
    }
  }
  return out;
}

// Is there a path of definite status between x and y in `pag` that the set leaves open? Walks stand for paths: a walk
// that meets a node twice can be cut short. `whole` says which nodes are adjacent, `pag` lacks some of its edges.
bool connected(const Pag& whole, const Pag& pag, Node x, Node y, const NodeSet& set) {
  const NodeSet opened = certain_ancestors(pag, set);
  BitRows seen(pag.size());  // [before][at]
  std::vector<std::pair<Node, Node>> waiting;
  const auto visit = [&](Node before, Node at) {
    if (seen.test(before, at)) return;
    seen.set(before, at);
    waiting.push_back({before, at});
  };
  for (const Node u : pag.neighbours(x)) visit(x, u);
  while (!waiting.empty()) {
    const auto [before, at] = waiting.back();
    waiting.pop_back();
    if (at == y) return true;
    for (const Node next : pag.neighbours(at)) {
      if (next == before || next == x) continue;
      const Mark in = pag.mark(before, at), out = pag.mark(next, at);  // both at `at`
      const bool collider = in == Mark::kArrow && out == Mark::kArrow;
      const bool passes = in == Mark::kTail || out == Mark::kTail ||
                          (in == Mark::kCircle && out == Mark::kCircle && !whole.adjacent(before, next));
      if (collider ? opened.contains(at) : passes && !set.contains(at)) visit(at, next);
    }
  }
  return false;
}

bool has_selection(const Pag& pag) {
  for (Node a = 0; a < pag.size(); ++a) {
    for (const Node b : pag.neighbours(a)) {
      if (pag.mark(a, b) == Mark::kTail && pag.mark(b, a) == Mark::kTail) return true;
    }
  }
  return false;
}

}  // namespace

NodeSet possible_pag_descendants(const Pag& pag, Node v, Node without) {
  NodeSet out(pag.size());
  out.insert(v);
  std::vector<Node> open = {v};
  for (size_t k = 0; k < open.size(); ++k) {
    for (const Node u : pag.neighbours(open[k])) {
      if (u == without || out.contains(u) || !may_lead(pag, open[k], u)) continue;
      out.insert(u);
      open.push_back(u);
    }
  }
  return out;
}

// Some node that is not adjacent to `to` has an edge into `from`, or reaches it by a path of colliders that are all
// parents of `to`. Followed backwards from `from`.
bool is_visible(const Pag& pag, Node from, Node to) {
  if (!pag.is_directed(from, to)) return false;
  NodeSet seen(pag.size());
  std::vector<Node> open = {from};
  seen.insert(from);
  for (size_t k = 0; k < open.size(); ++k) {
    const Node at = open[k];
    for (const Node u : pag.neighbours(at)) {
      if (u == to || seen.contains(u) || pag.mark(u, at) != Mark::kArrow) continue;  // u *-> at
      if (!pag.adjacent(u, to)) return true;
      if (pag.mark(at, u) != Mark::kArrow || !pag.is_directed(u, to)) continue;  // u <-> at, u --> to: goes on
      seen.insert(u);
      open.push_back(u);
    }
  }
  return false;
}

PagEffect pag_adjustment(const Pag& pag, Node cause, Node outcome, const std::vector<std::string>& names) {
  PagEffect out;
  if (!possible_pag_descendants(pag, cause, -1).contains(outcome)) return {.status = PagEffect::kNone};
  if (has_selection(pag)) {
    out.why = "some edges say that the rows were selected by an effect of the columns";
    return out;
  }
  const NodeSet before_outcome = possible_ancestors(pag, outcome, cause);
  Pag rest = pag;
  NodeSet forbidden(pag.size());
  for (const Node next : pag.neighbours(cause)) {
    if (!may_lead(pag, cause, next) || !before_outcome.contains(next)) continue;
    if (!is_visible(pag, cause, next)) {
      out.why =
          fmt::format("a hidden common cause of {} and {} cannot be excluded, or the arrow may point the other way",
                      shown(names[cause]), shown(names[next]));
      return out;
    }
    rest.remove(cause, next);
    forbidden |= possible_pag_descendants(pag, next, cause);
  }
  NodeSet set = possible_ancestors(pag, cause, -1);
  set |= possible_ancestors(pag, outcome, -1);
  set -= forbidden;
  set.erase(cause);
  set.erase(outcome);
  if (connected(pag, rest, cause, outcome, set)) {
    out.why = "no set of columns blocks every path that is not causal";
    return out;
  }
  for (const Node v : set.to_vector()) {
    set.erase(v);
    if (connected(pag, rest, cause, outcome, set)) set.insert(v);
  }
  out.status = PagEffect::kAdjust;
  out.set = set.to_vector();
  return out;
}

}  // namespace agon
