#include "agon/graph/equivalence.h"

#include <algorithm>
#include <cassert>
#include <set>
#include <tuple>

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
//   - a parent z of y that is no parent of x is not adjacent to x (x is the latest), so z -> y <- x is a v-structure,
//     and everything into y is forced as well;
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

// Dor & Tarsi's elimination. A node can be taken off the graph as a sink when
//   (a) it has no directed edge out, and
//   (b) each of its neighbours is adjacent to all its other adjacent nodes: then no edge at it makes a v-structure.
// Both depend on its own edges and on edges among its adjacent nodes only, so taking a node off can change the answer
// for its adjacent nodes alone, and only from "no" to "yes". `cost` counts how far (a) and (b) are from holding.
class Elimination {
 public:
  explicit Elimination(const Pdag& pdag)
      : pdag_(pdag), adjacency_(pdag.size()), neighbours_(pdag.size()), out_(pdag.size()), cost_(pdag.size()) {
    for (Node v = 0; v < pdag.size(); ++v) {
      adjacency_.merge_row(v, pdag.adjacency(v));
      neighbours_.merge_row(v, pdag.neighbours(v));
      out_[v] = pdag.children(v).count();
    }
    for (Node v = 0; v < pdag.size(); ++v) queue_.insert(cost_[v] = cost(v));
  }

  bool done() const { return queue_.empty(); }
  bool is_free() const { return std::get<0>(*queue_.begin()) == 0 && std::get<1>(*queue_.begin()) == 0; }

  // Takes the cheapest node off; all its remaining edges point at it.
  void take_off(Dag& dag) {
    const Node v = std::get<2>(*queue_.begin());
    queue_.erase(queue_.begin());
    const std::vector<Node> left = adjacency_[v].to_vector();
    for (Node u : left) {
      dag.add_edge(u, v);
      adjacency_.reset(u, v);
      neighbours_.reset(u, v);
      if (pdag_.has_directed(u, v)) --out_[u];
    }
    for (Node u : left) {
      const Cost now = cost(u);
      if (now == cost_[u]) continue;
      queue_.erase(cost_[u]);
      queue_.insert(cost_[u] = now);
    }
  }

 private:
  using Cost = std::tuple<int, int, Node>;  // edges out, pairs that spoil (b), index

  Cost cost(Node v) const {
    if (out_[v] > 0) return {out_[v], 0, v};
    int pairs = 0;
    const NodeView around = adjacency_[v];
    for (Node u : neighbours_[v]) {
      const NodeView seen = adjacency_[u];
      for (int k = 0; k < around.word_count(); ++k) pairs += std::popcount(around.word(k) & ~seen.word(k));
      --pairs;  // u itself, which is not adjacent to u
    }
    return {0, pairs, v};
  }

  const Pdag& pdag_;
  BitRows adjacency_;   // among the nodes still there
  BitRows neighbours_;  // among the nodes still there
  std::vector<int> out_;
  std::vector<Cost> cost_;
  std::set<Cost> queue_;
};

}  // namespace

std::optional<Dag> consistent_extension(const Pdag& pdag) {
  Elimination elimination(pdag);
  Dag dag(pdag.size());
  while (!elimination.done()) {
    if (!elimination.is_free()) return std::nullopt;
    elimination.take_off(dag);
  }
  return dag;
}

Dag dag_by_rule(const Pdag& pdag) {
  Elimination elimination(pdag);
  Dag dag(pdag.size());
  while (!elimination.done()) elimination.take_off(dag);
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
void close_under_meek(Pdag& pdag) {
  std::vector<Edge> work = pdag.directed_edges();
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

std::optional<Cpdag> completed(const Pdag& pdag) {
  const std::optional<Dag> dag = consistent_extension(pdag);
  if (!dag) return std::nullopt;
  return cpdag_of(*dag);
}

std::optional<Cpdag> as_cpdag(const Pdag& pdag) {
  std::optional<Cpdag> cpdag = completed(pdag);
  if (cpdag && cpdag->pdag() == pdag) return cpdag;
  return std::nullopt;
}

bool same_class(const Dag& a, const Dag& b) {
  return a.size() == b.size() && a.edge_count() == b.edge_count() && cpdag_of(a) == cpdag_of(b);
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

bool covered(const Dag& dag, Edge edge) {
  assert(dag.has_edge(edge.from, edge.to));
  return subset_except(dag.parents(edge.to), edge.from, dag.parents(edge.from)) &&
         dag.parents(edge.from).is_subset_of(dag.parents(edge.to));
}

}  // namespace agon
