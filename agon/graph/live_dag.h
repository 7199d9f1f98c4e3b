// agon/graph/live_dag.h
//
// A Dag that is being edited. It keeps track of reachability, so that checking whether an edit is legal takes a few
// word operations.
//
//   LiveDag live(dag);
//   if (live.is_legal({MoveKind::kReverse, 2, 5})) live.apply({MoveKind::kReverse, 2, 5});
//   live.reaches(2, 7);                     // a directed path of at least one edge
//   live.apply(inverse(move));              // undoes a move
//
// Promise: after any sequence of legal edits, reachability and order equal those computed from scratch
// (check_invariants() recomputes them). Cost per edit: one row of p bits for each ancestor of the tail and descendant
// of the head whose row changes, and nothing at all if another path was there before, or is left.
#pragma once

#include <vector>

#include "agon/graph/dag.h"

namespace agon {

class LiveDag {
 public:
  explicit LiveDag(Dag dag);

  const Dag& dag() const { return dag_; }
  int size() const { return dag_.size(); }
  bool reaches(Node from, Node to) const { return descendants_.test(from, to); }
  NodeView descendants(Node v) const { return descendants_[v]; }  // without v
  NodeView ancestors(Node v) const { return ancestors_[v]; }      // without v
  const std::vector<Node>& order() const { return order_; }       // topological: parents before children

  // Add: the pair is not adjacent, and `to` does not reach `from`. Remove: the edge is there. Reverse: the edge is
  // there and is the only path from -> to.
  bool is_legal(EdgeMove move) const;
  bool is_legal_addition(Node from, Node to) const {
    return from != to && !dag_.has_edge(from, to) && !reaches(to, from);
  }
  bool is_legal_reversal(Node from, Node to) const { return !dag_.parents(to).intersects(descendants_[from]); }

  void apply(EdgeMove move);  // must be legal

  // Recomputes everything from the edges and compares; for assertions and tests.
  bool check_invariants() const;

 private:
  void add(Node from, Node to);
  void remove(Node from, Node to);
  void move_behind(Node from, Node to);
  bool close_row(BitRows& rows, Node v, NodeView next);
  int last_waiting(int place) const;
  int first_waiting(int place) const;

  Dag dag_;
  BitRows descendants_;
  BitRows ancestors_;
  std::vector<Node> order_;
  std::vector<int> position_;  // position_[order_[k]] == k
  // Scratch, which keeps its memory from one edit to the next and nothing else.
  NodeSet waiting_;  // places in the order whose rows may change
  NodeSet row_;
  std::vector<int> places_;
  std::vector<Node> lead_, follow_;
};

}  // namespace agon
