// agon/graph/pag.h
//
// A partial ancestral graph: what independences say about causes when some variables may be unobserved. Between two
// nodes there is nothing, or one edge with a mark at each end:
//
//   a --> b   a causes b, directly or through others         a <-> b   neither causes the other: a hidden common cause
//   a o-> b   b does not cause a; the rest is open           a o-o b   only that they are adjacent is known
//   a --- b   both cause what the rows were selected by
//
//   Pag g(3);
//   g.join(0, 1);                          // 0 o-o 1
//   g.set_mark(0, 1, Mark::kArrow);        // the mark at 1: 0 o-> 1
//   write_graph(out, named(g, names), "tetrad");
//
// A value, like Dag and Pdag. Zhang 2008 (Artificial Intelligence 172) defines it; FCI (opponent/fci.h) finds it.
#pragma once

#include <string>
#include <vector>

#include "agon/graph/named_graph.h"
#include "agon/graph/node_set.h"
#include "agon/graph/pdag.h"

namespace agon {

class Pag {
 public:
  Pag() = default;
  explicit Pag(int nodes) : adjacent_(nodes), marks_(static_cast<size_t>(nodes) * nodes, Mark::kCircle) {}

  int size() const { return adjacent_.size(); }
  int edge_count() const;
  bool adjacent(Node a, Node b) const { return adjacent_.test(a, b); }
  NodeView neighbours(Node v) const { return adjacent_[v]; }
  // The mark at b of the edge between a and b, which are adjacent.
  Mark mark(Node a, Node b) const { return marks_[place(a, b)]; }
  bool has(Node a, Node b, Mark at_b) const { return adjacent(a, b) && mark(a, b) == at_b; }
  bool is_directed(Node from, Node to) const { return has(from, to, Mark::kArrow) && has(to, from, Mark::kTail); }

  void join(Node a, Node b);  // a o-o b, whatever was there
  void remove(Node a, Node b);
  void set_mark(Node a, Node b, Mark at_b) { marks_[place(a, b)] = at_b; }

  bool operator==(const Pag& other) const;  // marks count where there are edges

 private:
  size_t place(Node a, Node b) const { return static_cast<size_t>(a) * size() + b; }
  BitRows adjacent_;
  std::vector<Mark> marks_;  // [a][b]: at b
};

NamedGraph named(const Pag& pag, const std::vector<std::string>& names);

// A Pdag on the same skeleton, for callers who need one: a --> b and a o-> b become a -> b; edges with arrows, circles
// or tails at both ends, and o--, become undirected. What the Pag says about hidden variables is lost.
Pdag without_hidden(const Pag& pag);

}  // namespace agon
