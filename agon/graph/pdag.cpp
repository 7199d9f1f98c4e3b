#include "agon/graph/pdag.h"

#include <cassert>

namespace agon {

Pdag::Pdag(const Dag& dag) : Pdag(dag.size()) {
  for (Node v = 0; v < dag.size(); ++v) {
    parents_.merge_row(v, dag.parents(v));
    children_.merge_row(v, dag.children(v));
    adjacency_.merge_row(v, dag.parents(v));
    adjacency_.merge_row(v, dag.children(v));
  }
  directed_count_ = dag.edge_count();
}

std::vector<Edge> Pdag::directed_edges() const {
  std::vector<Edge> out;
  for (Node from = 0; from < size(); ++from) {
    for (Node to : children(from)) out.push_back({from, to});
  }
  return out;
}

std::vector<Edge> Pdag::undirected_edges() const {
  std::vector<Edge> out;
  for (Node a = 0; a < size(); ++a) {
    for (Node b : neighbours(a)) {
      if (a < b) out.push_back({a, b});
    }
  }
  return out;
}

void Pdag::add_directed(Node from, Node to) {
  assert(from != to && !adjacent(from, to));
  parents_.set(to, from);
  children_.set(from, to);
  link(from, to);
  ++directed_count_;
}

void Pdag::add_undirected(Node a, Node b) {
  assert(a != b && !adjacent(a, b));
  neighbours_.set(a, b);
  neighbours_.set(b, a);
  link(a, b);
  ++undirected_count_;
}

void Pdag::orient(Node from, Node to) {
  assert(has_undirected(from, to));
  neighbours_.reset(from, to);
  neighbours_.reset(to, from);
  parents_.set(to, from);
  children_.set(from, to);
  --undirected_count_;
  ++directed_count_;
}

void Pdag::remove_between(Node a, Node b) {
  if (!adjacent(a, b)) return;
  --(has_undirected(a, b) ? undirected_count_ : directed_count_);
  for (BitRows* rows : {&parents_, &children_, &neighbours_, &adjacency_}) {
    rows->reset(a, b);
    rows->reset(b, a);
  }
}

bool Pdag::check_invariants() const {
  int directed = 0;
  int undirected = 0;
  for (Node a = 0; a < size(); ++a) {
    for (Node b = 0; b < size(); ++b) {
      const int marks = has_directed(a, b) + has_directed(b, a) + has_undirected(a, b);
      if (marks > (a == b ? 0 : 1)) return false;
      if (adjacent(a, b) != (marks == 1)) return false;
      if (has_directed(a, b) != parents(b).contains(a)) return false;
      if (has_undirected(a, b) != has_undirected(b, a)) return false;
      directed += has_directed(a, b);
      undirected += has_undirected(a, b) && a < b;
    }
  }
  return directed == directed_count_ && undirected == undirected_count_;
}

}  // namespace agon
