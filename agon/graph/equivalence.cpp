#include "agon/graph/equivalence.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <queue>
#include <utility>

namespace agon {

namespace {

// a - {except} is a subset of b.
bool subset_except(NodeView a, Node except, NodeView b) {
  for (int k = 0; k < a.word_count(); ++k) {
    uint64_t left = a.word(k) & ~b.word(k);
    if (k == except / detail::kWordBits) left &= ~detail::bit(except);
    if (left) return false;
  }
  return true;
}

}  // namespace

// Chickering visits the nodes y in topological order and the parents of each from the latest to the earliest. Looking
// at his labels for one y, the first parent x already decides all of them:
//   - a compelled w -> x with w not a parent of y forces x -> y (w -> x - y), and with it everything into y;
//   - a parent z of y that is not a parent of x is not adjacent to x (x is the latest), so z -> y <- x is a
//     v-structure, and everything into y is forced as well;
//   - otherwise the compelled parents of y are those of x, and the other edges into y are reversible.
Cpdag cpdag_of(const Dag& dag) {
  const int p = dag.size();
  const std::vector<Node> order = topological_order(dag);
  assert(static_cast<int>(order.size()) == p);
  std::vector<int> place(p);
  for (int k = 0; k < p; ++k) place[order[k]] = k;

  BitRows compelled(p);  // row y: compelled parents of y
  Pdag pdag(p);
  for (Node y : order) {
    const NodeView parents = dag.parents(y);
    Node x = -1;  // the latest parent
    for (Node u : parents) {
      if (x < 0 || place[u] > place[x]) x = u;
    }
    if (x < 0) continue;
    const bool all = !compelled[x].is_subset_of(parents) || !subset_except(parents, x, dag.parents(x));
    compelled.merge_row(y, all ? parents : compelled[x]);
    for (Node u : parents) {
      if (compelled.test(y, u)) {
        pdag.add_directed(u, y);
      } else {
        pdag.add_undirected(u, y);
      }
    }
  }
  return Cpdag::trusted(std::move(pdag));
}

namespace {

int count_outside(NodeView a, NodeView b) {  // members of a that are not in b
  int total = 0;
  for (int k = 0; k < a.word_count(); ++k) total += std::popcount(a.word(k) & ~b.word(k));
  return total;
}

// Dor & Tarsi's elimination. A node can be taken off the graph as a sink when
//   (a) it has no directed edge out, and
//   (b) each of its neighbours is adjacent to all its other adjacent nodes: then no edge at it makes a v-structure.
// Both depend on its own edges and on edges among its adjacent nodes only, so taking a node off can change the answer
// for its adjacent nodes alone, and only from "no" to "yes". `out` and `pairs` count what still spoils (a) and (b).
class Elimination {
 public:
  explicit Elimination(const Pdag& pdag)
      : pdag_(pdag),
        adjacency_(pdag.size()),
        neighbours_(pdag.size()),
        out_(pdag.size()),
        pairs_(pdag.size()),
        there_(pdag.size(), 1) {
    for (Node v = 0; v < pdag.size(); ++v) {
      adjacency_.merge_row(v, pdag.adjacency(v));
      neighbours_.merge_row(v, pdag.neighbours(v));
      out_[v] = pdag.children(v).count();
      // For each neighbour u the adjacent nodes it misses, without u itself.
      for (Node u : pdag.neighbours(v)) pairs_[v] += count_outside(pdag.adjacency(v), pdag.adjacency(u)) - 1;
      if (is_free(v)) free_.push(v);
    }
  }

  // The smallest node that can be taken off, -1 when there is none.
  Node next_free() const { return free_.empty() ? -1 : free_.top(); }

  // The node that comes closest, -1 when none is left. Looks at all nodes: for when no node is free.
  Node next_forced() const {
    Node best = -1;
    for (Node v = 0; v < pdag_.size(); ++v) {
      if (!there_[v]) continue;
      if (best < 0 || std::pair(out_[v], pairs_[v]) < std::pair(out_[best], pairs_[best])) best = v;
    }
    return best;
  }

  // Takes off v, which next_free() or next_forced() gave; all its remaining edges point at it.
  void take_off(Node v, Dag& dag) {
    if (is_free(v)) free_.pop();
    there_[v] = 0;
    for (Node u : adjacency_[v]) {
      dag.add_edge(u, v);
      const bool was_free = is_free(u);
      if (pairs_[u] > 0) {
        pairs_[u] -= count_outside(neighbours_[u], adjacency_[v]);  // neighbours that missed v, and v if it is one
        if (neighbours_.test(u, v)) pairs_[u] -= count_outside(adjacency_[u], adjacency_[v]) - 2;  // v twice
      }
      if (pdag_.has_directed(u, v)) --out_[u];
      if (!was_free && is_free(u)) free_.push(u);
    }
    for (Node u : adjacency_[v]) {
      adjacency_.reset(u, v);
      neighbours_.reset(u, v);
    }
  }

 private:
  bool is_free(Node v) const { return out_[v] == 0 && pairs_[v] == 0; }

  const Pdag& pdag_;
  BitRows adjacency_;       // among the nodes still there
  BitRows neighbours_;      // among the nodes still there
  std::vector<int> out_;    // directed edges out
  std::vector<int> pairs_;  // a neighbour and another adjacent node, not adjacent to each other
  std::vector<char> there_;
  std::priority_queue<Node, std::vector<Node>, std::greater<>> free_;
};

}  // namespace

Cpdag cpdag_of(const Dag& dag, const std::vector<int>& row_set) {
  const Cpdag observed = cpdag_of(dag);
  if (row_set.empty()) return observed;
  Pdag pdag = observed;
  std::vector<Edge> fresh;
  for (const Edge& edge : dag.edges()) {
    if (!is_cut(row_set, edge.from, edge.to) || !pdag.has_undirected(edge.from, edge.to)) continue;
    pdag.orient(edge.from, edge.to);
    fresh.push_back(edge);
  }
  close_under_meek(pdag, std::move(fresh));
  return Cpdag::trusted(std::move(pdag));
}

std::optional<Dag> consistent_extension(const Pdag& pdag) {
  Elimination elimination(pdag);
  Dag dag(pdag.size());
  for (int left = pdag.size(); left > 0; --left) {
    const Node v = elimination.next_free();
    if (v < 0) return std::nullopt;
    elimination.take_off(v, dag);
  }
  return dag;
}

Dag dag_by_rule(const Pdag& pdag) {
  Elimination elimination(pdag);
  Dag dag(pdag.size());
  for (int left = pdag.size(); left > 0; --left) {
    const Node v = elimination.next_free();
    elimination.take_off(v >= 0 ? v : elimination.next_forced(), dag);
  }
  return dag;
}

// The rules of Meek 1995, figure 1. The edge drawn with = is undirected and gets the direction written below; nodes not
// joined in a drawing are not adjacent; the dotted edge of rule 4 may have any mark.
//
//   rule 1       rule 2       rule 3       rule 4
//
//   x --> y      x --> y      x --> y      a --- x
//         =        =   |      |   = ^      = .   |
//         =          = v      | =   |      =   . v
//         c            c      a --- d      b <-- y
//
//   y -> c       x -> c       a -> y       a -> b
//
// Each rule has one or two directed premises. A directed edge x -> y is taken from the work list once, and every rule
// in which it is a premise is tried with the edges as they stand; the instance of a rule is thus seen at the latest
// when the last of its directed premises is taken from the list.
void close_under_meek(Pdag& pdag) { close_under_meek(pdag, pdag.directed_edges()); }

void close_under_meek(Pdag& pdag, std::vector<Edge> work) {
  NodeSet hits(pdag.size());
  const auto direct = [&](Node from, Node to) {
    if (!pdag.has_undirected(from, to)) return;
    pdag.orient(from, to);
    work.push_back({from, to});
  };
  for (size_t next = 0; next < work.size(); ++next) {
    const auto [x, y] = work[next];

    // Rule 1: x -> y - c, x and c not adjacent: y -> c.
    hits = pdag.neighbours(y);
    hits -= pdag.adjacency(x);
    for (Node c : hits) direct(y, c);

    // Rule 2: x -> y -> c, x - c: x -> c.
    hits = pdag.neighbours(x);
    hits &= pdag.children(y);
    for (Node c : hits) direct(x, c);
    // Rule 2: a -> x -> y, a - y: a -> y.
    hits = pdag.neighbours(y);
    hits &= pdag.parents(x);
    for (Node a : hits) direct(a, y);

    // Rule 3: x -> y <- d, x and d not adjacent, a - x, a - d, a - y: a -> y.
    for (Node d : pdag.parents(y).to_vector()) {
      if (d == x || pdag.adjacent(x, d)) continue;
      hits = pdag.neighbours(y);
      hits &= pdag.neighbours(x);
      hits &= pdag.neighbours(d);
      for (Node a : hits) direct(a, y);
    }

    // Rule 4: x -> y -> b, x and b not adjacent, a - x, a adjacent to y, a - b: a -> b.
    for (Node b : pdag.children(y).to_vector()) {
      if (pdag.adjacent(x, b)) continue;
      hits = pdag.neighbours(b);
      hits &= pdag.neighbours(x);
      hits &= pdag.adjacency(y);
      for (Node a : hits) direct(a, b);
    }
    // Rule 4: c -> x -> y, c and y not adjacent, a - c, a adjacent to x, a - y: a -> y.
    for (Node c : pdag.parents(x).to_vector()) {
      if (pdag.adjacent(c, y)) continue;
      hits = pdag.neighbours(y);
      hits &= pdag.neighbours(c);
      hits &= pdag.adjacency(x);
      for (Node a : hits) direct(a, y);
    }
  }
}

std::optional<Cpdag> completed(const Pdag& pdag, const std::vector<int>& row_set) {
  const std::optional<Dag> dag = consistent_extension(pdag);
  if (!dag) return std::nullopt;
  return cpdag_of(*dag, row_set);
}

std::optional<Cpdag> as_cpdag(const Pdag& pdag) {
  std::optional<Cpdag> cpdag = completed(pdag);
  if (cpdag && cpdag->pdag() == pdag) return cpdag;
  return std::nullopt;
}

bool same_class(const Dag& a, const Dag& b, const std::vector<int>& row_set) {
  return a.size() == b.size() && a.edge_count() == b.edge_count() && cpdag_of(a, row_set) == cpdag_of(b, row_set);
}

std::vector<VStructure> v_structures(const Dag& dag) {
  std::vector<VStructure> out;
  for (Node middle = 0; middle < dag.size(); ++middle) {
    const std::vector<Node> parents = dag.parent_list(middle);
    for (size_t i = 0; i < parents.size(); ++i) {
      for (size_t j = i + 1; j < parents.size(); ++j) {
        if (!dag.adjacent(parents[i], parents[j])) out.push_back({parents[i], middle, parents[j]});
      }
    }
  }
  return out;
}

bool covered(const Dag& dag, Edge edge, const std::vector<int>& row_set) {
  assert(dag.has_edge(edge.from, edge.to));
  return !is_cut(row_set, edge.from, edge.to) &&
         subset_except(dag.parents(edge.to), edge.from, dag.parents(edge.from)) &&
         dag.parents(edge.from).is_subset_of(dag.parents(edge.to));
}

}  // namespace agon
