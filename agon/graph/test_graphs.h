// agon/graph/test_graphs.h
//
// Graphs for tests: all graphs on a few nodes, random ones, and whole equivalence classes the slow way.
#pragma once

#include <set>
#include <vector>

#include "agon/base/rng.h"
#include "agon/graph/dag.h"
#include "agon/graph/equivalence.h"
#include "agon/graph/pdag.h"

namespace agon::test {

// Every DAG on `nodes` labelled nodes, by giving each pair no edge or one of two directions: 1, 3, 25, 543, 29281.
inline std::vector<Dag> all_dags(int nodes) {
  std::vector<Dag> out = {Dag(nodes)};
  for (Node a = 0; a < nodes; ++a) {
    for (Node b = a + 1; b < nodes; ++b) {
      const size_t before = out.size();
      for (size_t k = 0; k < before; ++k) {
        for (const Edge e : {Edge{a, b}, Edge{b, a}}) {
          Dag dag = out[k];
          dag.add_edge(e.from, e.to);
          if (is_acyclic(dag)) out.push_back(dag);
        }
      }
    }
  }
  return out;
}

// Every Pdag on `nodes` labelled nodes, cyclic ones included: 4^pairs.
inline std::vector<Pdag> all_pdags(int nodes) {
  std::vector<Pdag> out = {Pdag(nodes)};
  for (Node a = 0; a < nodes; ++a) {
    for (Node b = a + 1; b < nodes; ++b) {
      const size_t before = out.size();
      for (size_t k = 0; k < before; ++k) {
        out.push_back(out[k]);
        out.back().add_directed(a, b);
        out.push_back(out[k]);
        out.back().add_directed(b, a);
        out.push_back(out[k]);
        out.back().add_undirected(a, b);
      }
    }
  }
  return out;
}

// A random order, then each forward pair with probability `density`.
inline Dag random_dag(int nodes, double density, Rng& rng) {
  std::vector<Node> order(nodes);
  for (Node v = 0; v < nodes; ++v) order[v] = v;
  rng.shuffle(order);
  Dag dag(nodes);
  for (int i = 0; i < nodes; ++i) {
    for (int j = i + 1; j < nodes; ++j) {
      if (rng.uniform() < density) dag.add_edge(order[i], order[j]);
    }
  }
  return dag;
}

// A DAG without v-structures, so that its CPDAG is undirected and chordal: each node's parents are a clique.
inline Dag random_chordal_dag(int nodes, Rng& rng) {
  Dag dag(nodes);
  for (Node v = 1; v < nodes; ++v) {
    for (Node u = v - 1; u >= 0; --u) {
      bool joined = rng.below(3) > 0;
      for (Node w : dag.parents(v)) joined = joined && dag.adjacent(u, w);
      if (joined) dag.add_edge(u, v);
    }
  }
  std::vector<Node> names(nodes);
  for (Node v = 0; v < nodes; ++v) names[v] = v;
  rng.shuffle(names);
  return relabel(dag, names);
}

// Every DAG of the class of `start`, by reversing covered edges, which reaches them all (Chickering 1995, theorem 2).
inline std::vector<Dag> members_by_walk(const Dag& start, const std::vector<int>& row_set = {}) {
  std::set<std::vector<Edge>> seen = {start.edges()};
  std::vector<Dag> out = {start};
  for (size_t next = 0; next < out.size(); ++next) {
    for (const Edge& e : out[next].edges()) {
      if (!covered(out[next], e, row_set)) continue;
      Dag other = out[next];
      other.apply({MoveKind::kReverse, e.from, e.to});
      if (seen.insert(other.edges()).second) out.push_back(other);
    }
  }
  return out;
}

// The nodes that each of a few experiments sets, as bits. No node is set in all of them; some families have a member
// without targets and some have none.
inline std::vector<unsigned> random_targets(int nodes, Rng& rng) {
  for (;;) {
    std::vector<unsigned> family(1 + rng.below(3) + rng.below(2));
    unsigned always = ~0u;
    for (unsigned& targets : family) {
      targets = static_cast<unsigned>(rng.below(1 << nodes));
      always &= targets;
    }
    if (always == 0) return family;
  }
}

// Nodes that are set in the same experiments have the same number.
inline std::vector<int> row_sets_of(const std::vector<unsigned>& family, int nodes) {
  std::vector<int> row_set(nodes);
  for (Node v = 0; v < nodes; ++v) {
    for (size_t k = 0; k < family.size(); ++k) row_set[v] |= static_cast<int>(family[k] >> v & 1) << k;
  }
  return row_set;
}

// Each pair gets an edge with probability `density`, of a random mark.
inline Pdag random_pdag(int nodes, double density, Rng& rng) {
  Pdag pdag(nodes);
  for (Node a = 0; a < nodes; ++a) {
    for (Node b = a + 1; b < nodes; ++b) {
      if (rng.uniform() >= density) continue;
      switch (rng.below(3)) {
        case 0:
          pdag.add_directed(a, b);
          break;
        case 1:
          pdag.add_directed(b, a);
          break;
        default:
          pdag.add_undirected(a, b);
      }
    }
  }
  return pdag;
}

}  // namespace agon::test
