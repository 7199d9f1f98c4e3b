// agon/graph/pdag.h
//
// A partially directed graph over nodes 0 .. p-1: between two nodes there is nothing, a directed edge or an undirected
// one. A value, like Dag.
//
//   Pdag g(3);
//   g.add_undirected(0, 1);
//   g.add_directed(2, 1);
//   g.orient(1, 0);                  // 1 - 0 becomes 1 -> 0
//   g.parents(0);                    // {1}, a view of bits
//
// What a Pdag promises: no self-loops, at most one edge between two nodes. Nothing is said about cycles.
//
// A Cpdag is a Pdag that is known to be *completed*: it represents one Markov equivalence class, its directed edges
// are those that all members share (compelled), its undirected ones those that differ between members (reversible).
// Andersson, Madigan & Perlman 1997 call it the essential graph. Cpdags come from equivalence.h; they are read, not
// edited: take a copy of pdag() for that.
#pragma once

#include <utility>
#include <vector>

#include "agon/graph/dag.h"
#include "agon/graph/node_set.h"

namespace agon {

class Pdag {
 public:
  Pdag() = default;
  explicit Pdag(int nodes) : parents_(nodes), children_(nodes), neighbours_(nodes), adjacency_(nodes) {}
  explicit Pdag(const Dag& dag);  // every edge directed

  int size() const { return parents_.size(); }
  bool has_directed(Node from, Node to) const { return children_.test(from, to); }
  bool has_undirected(Node a, Node b) const { return neighbours_.test(a, b); }
  bool adjacent(Node a, Node b) const { return adjacency_.test(a, b); }
  NodeView parents(Node v) const { return parents_[v]; }        // u with u -> v
  NodeView children(Node v) const { return children_[v]; }      // u with v -> u
  NodeView neighbours(Node v) const { return neighbours_[v]; }  // u with u - v
  NodeView adjacency(Node v) const { return adjacency_[v]; }    // all three

  int directed_count() const { return directed_count_; }
  int undirected_count() const { return undirected_count_; }
  int edge_count() const { return directed_count_ + undirected_count_; }
  std::vector<Edge> directed_edges() const;    // sorted by (from, to)
  std::vector<Edge> undirected_edges() const;  // each once with from < to, sorted

  void add_directed(Node from, Node to);  // no edge between them yet
  void add_undirected(Node a, Node b);    // no edge between them yet
  void orient(Node from, Node to);        // from - to becomes from -> to
  void remove_between(Node a, Node b);    // whatever is there, if anything

  bool operator==(const Pdag&) const = default;

  // Do the four views agree? For tests and assertions; looks at every pair.
  bool check_invariants() const;

 private:
  void link(Node a, Node b) {
    adjacency_.set(a, b);
    adjacency_.set(b, a);
  }

  BitRows parents_;
  BitRows children_;
  BitRows neighbours_;
  BitRows adjacency_;
  int directed_count_ = 0;
  int undirected_count_ = 0;
};

class Cpdag {
 public:
  Cpdag() = default;
  explicit Cpdag(int nodes) : pdag_(nodes) {}  // the class of the empty graph

  // For code that has proved completeness some other way; as_cpdag() in equivalence.h checks instead.
  static Cpdag trusted(Pdag pdag) { return Cpdag(std::move(pdag)); }

  const Pdag& pdag() const { return pdag_; }
  operator const Pdag&() const { return pdag_; }

  int size() const { return pdag_.size(); }
  bool has_directed(Node from, Node to) const { return pdag_.has_directed(from, to); }
  bool has_undirected(Node a, Node b) const { return pdag_.has_undirected(a, b); }
  bool adjacent(Node a, Node b) const { return pdag_.adjacent(a, b); }
  NodeView parents(Node v) const { return pdag_.parents(v); }
  NodeView children(Node v) const { return pdag_.children(v); }
  NodeView neighbours(Node v) const { return pdag_.neighbours(v); }
  NodeView adjacency(Node v) const { return pdag_.adjacency(v); }
  int compelled_count() const { return pdag_.directed_count(); }
  int reversible_count() const { return pdag_.undirected_count(); }
  int edge_count() const { return pdag_.edge_count(); }
  std::vector<Edge> directed_edges() const { return pdag_.directed_edges(); }
  std::vector<Edge> undirected_edges() const { return pdag_.undirected_edges(); }

  bool operator==(const Cpdag&) const = default;

 private:
  explicit Cpdag(Pdag pdag) : pdag_(std::move(pdag)) {}
  Pdag pdag_;
};

}  // namespace agon
