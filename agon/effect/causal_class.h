// agon/effect/causal_class.h
//
// The DAGs that an MPDAG stands for, seen from a few nodes at a time: in which ways the open edges around those nodes
// can be directed, and what share of the DAGs has each way. Nothing here lists the DAGs.
//
//   CausalClass graphs(mpdag_of(dag, knowledge));
//   const Ways ways = graphs.ways_around({3});
//   for (const Way& way : ways.list) {
//     Dag member = graphs.member(ways, way);      // a DAG of the class in which the edges at node 3 point this way
//     way.share;                                  // of the class; not a number where nobody could count
//   }
//
// A *piece* is a set of nodes joined by open edges. An edge into a piece from outside points at all of its nodes
// (otherwise Meek's first rule, or his second, would direct an open edge), so the pieces can be directed one by one,
// whatever the others do: all work is done inside the pieces of the nodes asked about.
//
// At a node x, a set S of its open neighbours can be its further parents only if S is a clique, since two of them that
// are not adjacent would be a new v-structure. If no edge inside the piece is directed, that is enough (Maathuis,
// Kalisch & Bühlmann 2009, lemma 3.1). If knowledge directed some, the directed graph is accepted if it has a
// consistent extension. Meek's rules then direct what follows.
//
// Shares. When the open edges at a node of a chordal piece are directed, what is left are chordal pieces again (Hauser
// & Bühlmann 2012), which ClassMembers counts in polynomial time. With knowledge inside a piece, counting is #P-hard in
// general (Wienöbst, Bannach & Liskiewicz 2021): it is then done by cases, at most kMostCases of them.
#pragma once

#include <optional>
#include <vector>

#include "agon/graph/pdag.h"

namespace agon {

constexpr int kMostWays = 4096;   // of directing the edges around the nodes of one question
constexpr int kMostCases = 2000;  // that one count may distinguish

// One way to direct all open edges at the nodes asked about.
struct Way {
  Pdag graph;        // of the nodes `Ways::nodes`, by their place there; closed under Meek's rules
  double share = 0;  // of the members of the class; NaN: not counted
};

struct Ways {
  std::vector<Node> nodes;  // those of the pieces that hold the nodes asked about, ascending
  std::vector<Way> list;
  bool too_many = false;  // there are more than kMostWays, and `list` is empty

  bool counted() const;  // is every share known?
};

class CausalClass {
 public:
  // `mpdag` is closed under Meek's rules. InputError when no DAG fits it, as may be so for a graph from elsewhere.
  explicit CausalClass(Pdag mpdag);

  const Pdag& graph() const { return graph_; }
  int size() const { return graph_.size(); }
  const Dag& member() const { return member_; }  // one of them
  std::optional<double> log_size() const;        // ln of the number of members; nothing if it was not counted

  // The ways around these nodes together, at least one. Deterministic; in the order of the sets of parents.
  Ways ways_around(const std::vector<Node>& centres) const;

  Dag member(const Ways& ways, const Way& way) const;
  // The class after somebody has learnt that the edges point this way.
  CausalClass after(const Ways& ways, const Way& way) const;

  // The nodes of each piece, ascending; pieces by their smallest node. Nodes without an open edge are in none.
  const std::vector<std::vector<Node>>& pieces() const { return pieces_; }

 private:
  CausalClass(Pdag graph, Dag member);

  Pdag graph_;
  Dag member_;
  std::vector<std::vector<Node>> pieces_;
  std::vector<int> piece_of_;  // by node; -1: in none
};

// The part of `pdag` between these nodes (ascending), by their place among them.
Pdag induced(const Pdag& pdag, const std::vector<Node>& nodes);

// ln of how many DAGs a closed Pdag stands for; nothing when that would take more than kMostCases cases.
std::optional<double> log_members(const Pdag& closed);

}  // namespace agon
