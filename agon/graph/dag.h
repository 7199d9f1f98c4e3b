// agon/graph/dag.h
//
// A directed acyclic graph over nodes 0 .. p-1: a value that is copied, compared and edited. adjacency [from][to].
//
//   Dag dag(3);
//   dag.add_edge(0, 2);
//   dag.parents(2);                  // {0}, a view of bits
//   dag.parent_list(2);              // {0}, sorted, as the scores take it
//   topological_order(dag);          // parents before children; ties: smallest index first
//
// What a Dag promises: no self-loops, never both i -> j and j -> i. Whoever edits it has to keep it acyclic (LiveDag,
// in live_dag.h, says which edits are legal); dag_from_edges() checks edges that come from outside.
#pragma once

#include <optional>
#include <vector>

#include "agon/graph/edge_move.h"
#include "agon/graph/node_set.h"

namespace agon {

class Dag {
 public:
  Dag() = default;
  explicit Dag(int nodes) : parents_(nodes), children_(nodes) {}

  int size() const { return parents_.size(); }
  int edge_count() const { return edge_count_; }
  bool has_edge(Node from, Node to) const { return children_.test(from, to); }
  bool adjacent(Node a, Node b) const { return has_edge(a, b) || has_edge(b, a); }
  NodeView parents(Node child) const { return parents_[child]; }
  NodeView children(Node parent) const { return children_[parent]; }
  std::vector<Node> parent_list(Node child) const { return parents_[child].to_vector(); }
  std::vector<Edge> edges() const;  // sorted by (from, to)

  void add_edge(Node from, Node to);
  void remove_edge(Node from, Node to);
  void apply(EdgeMove move);

  bool operator==(const Dag&) const = default;

 private:
  BitRows parents_;
  BitRows children_;
  int edge_count_ = 0;
};

// Parents before children; where several nodes could come next, the smallest index does. Empty when the graph is
// cyclic.
std::vector<Node> topological_order(const Dag& dag);
bool is_acyclic(const Dag& dag);

// A directed cycle among the edges, as nodes v0 -> v1 -> ... -> v0 (v0 not repeated); empty when there is none.
// Two-cycles and self-loops count.
std::vector<Node> find_cycle(int nodes, const std::vector<Edge>& edges);

// The Dag of these edges, or nothing when they hold a cycle (find_cycle says which).
std::optional<Dag> dag_from_edges(int nodes, const std::vector<Edge>& edges);

// The Dag in which parents[v] are the parents of v, as networks and simulators give it. The lists must be acyclic.
Dag dag_from_parents(const std::vector<std::vector<Node>>& parents);

// Old node v becomes new_index[v].
Dag relabel(const Dag& dag, const std::vector<Node>& new_index);

}  // namespace agon
