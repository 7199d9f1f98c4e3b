// agon/graph/equivalence.h
//
// Markov equivalence: from a DAG to the CPDAG of its class, and back to a DAG.
//
//   Cpdag c = cpdag_of(dag);
//   c.compelled_count();  c.reversible_count();
//   Dag member = *consistent_extension(c);         // some DAG of the class: same_class(member, dag)
//
// Two DAGs are equivalent when they have the same skeleton and the same v-structures a -> m <- b with a, b not
// adjacent (Verma & Pearl 1990). A *consistent extension* of a Pdag is a DAG with the same skeleton, the same directed
// edges and no v-structure that the Pdag does not already show.
//
// Everything here is deterministic; ties go to the smallest node index. At p = 2000 with 6000 edges cpdag_of() and
// consistent_extension() take a few milliseconds.
#pragma once

#include <compare>
#include <optional>
#include <vector>

#include "agon/graph/dag.h"
#include "agon/graph/pdag.h"

namespace agon {

// The CPDAG of the class of `dag`, which must be acyclic. Compelled edges by the labelling of Chickering 1995 (UAI,
// "A transformational characterization of equivalent Bayesian network structures"), in time near linear in the edges.
Cpdag cpdag_of(const Dag& dag);

// The interventional class. `row_set` says by node on which rows its family is scored (row_sets.h): experiments tell
// apart two equivalent DAGs that disagree on an edge between nodes of different row sets, and no others. So those edges
// are directed as in `dag`, and Meek's rules give the rest (Hauser & Bühlmann 2012; Yang, Katcoff & Uhler 2018 for soft
// interventions). Like any CPDAG it is a chain graph with chordal pieces, which is all that ClassMembers asks for.
// Empty: cpdag_of(dag).
Cpdag cpdag_of(const Dag& dag, const std::vector<int>& row_set);

// A consistent extension by Dor & Tarsi 1992, or nothing when there is none (a directed cycle is one reason). Sinks
// are taken off smallest index first, and a work list re-examines only what touched the node just taken off.
std::optional<Dag> consistent_extension(const Pdag& pdag);

// A DAG on the same skeleton for *any* Pdag: its consistent extension if one exists. Otherwise Dor & Tarsi's
// elimination is forced: whenever no node qualifies, the next node taken off is the one with (1) the fewest outgoing
// directed edges to nodes still there, (2) the fewest pairs of a neighbour and another adjacent node that are not
// adjacent to each other, (3) the smallest index; all its edges to nodes still there then point at it. So all directed
// edges are kept unless they form a cycle, and new v-structures appear only where elimination was forced.
Dag dag_by_rule(const Pdag& pdag);

// Directs every undirected edge that the four rules of Meek 1995 force, until none applies. A Pdag that has a
// consistent extension keeps exactly the same ones; with the v-structures of a DAG directed the result is its CPDAG,
// with further directed edges (background knowledge) it is the MPDAG. A Pdag without an extension may gain cycles or
// v-structures: ask consistent_extension() first.
void close_under_meek(Pdag& pdag);
// The same for a Pdag to which all rules had been applied before the edges `fresh` were directed.
void close_under_meek(Pdag& pdag, std::vector<Edge> fresh);

// The class of the consistent extensions of `pdag`, or nothing when it has none. (There is one class: all extensions
// share the skeleton and the v-structures shown.) A search calls this after editing a CPDAG (Chickering
// 2002, section 5). With row sets, every edge between nodes of different ones must be directed in `pdag`; then its
// extensions are of one interventional class as well.
std::optional<Cpdag> completed(const Pdag& pdag, const std::vector<int>& row_set = {});

// `pdag` as a Cpdag when it is one, nothing when it is not.
std::optional<Cpdag> as_cpdag(const Pdag& pdag);

// Equivalent: same nodes, skeleton and v-structures; with row sets, also the same edges between different ones.
bool same_class(const Dag& a, const Dag& b, const std::vector<int>& row_set = {});

// The v-structures a -> middle <- b, a < b not adjacent, sorted by (middle, a, b).
struct VStructure {
  Node a;
  Node middle;
  Node b;
  auto operator<=>(const VStructure&) const = default;
};
std::vector<VStructure> v_structures(const Dag& dag);

// A covered edge, pa(to) = pa(from) + {from}, is one whose reversal stays in the class (Chickering 1995, Lemma 1). With
// row sets, those of its ends must be equal too.
bool covered(const Dag& dag, Edge edge, const std::vector<int>& row_set = {});

// Do experiments show the direction of an edge between these two?
inline bool is_cut(const std::vector<int>& row_set, Node a, Node b) {
  return !row_set.empty() && row_set[a] != row_set[b];
}

}  // namespace agon
