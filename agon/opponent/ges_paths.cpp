// The questions about paths that decide whether an operator of GES is valid. Every search has a number, and a mark on a
// node is the number of the search it belongs to; so nothing is ever cleared.
#include <algorithm>

#include "agon/opponent/ges_search.h"

namespace agon {

// Let N be the neighbours of both x and y. Does the intersection of the clique and N separate the rest of the one from
// the rest of the other among the neighbours of y? (This is the separation of Hauser & Buehlmann, proposition 31.)
// Searches breadth first from the part of the clique outside N; the clique itself is marked as seen, so that no path
// runs through it.
bool GesSearch::separates(Node y, Node x, const std::vector<Node>& clique) {
  const Pdag& g = pdag();
  ++search_;
  next_.clear();
  for (Node w : clique) {
    seen_from_[w] = search_;
    if (!g.has_undirected(w, x)) next_.push_back(w);
  }
  for (size_t k = 0; k < next_.size(); ++k) {
    for (Node w : g.neighbours(y)) {
      if (seen_from_[w] == search_ || w == x || !g.has_undirected(next_[k], w)) continue;
      if (g.has_undirected(w, x)) return false;
      seen_from_[w] = search_;
      next_.push_back(w);
    }
  }
  return true;
}

// A mark is the number of the search it belongs to, so marks are never cleared: ++block_ unblocks all nodes.
void GesSearch::block(std::span<const Node> nodes) {
  for (Node v : nodes) blocked_[v] = block_;
}

// Does a path that was found earlier, perhaps for another clique, still exist and avoid what is blocked now?
bool GesSearch::is_intact(const std::vector<Node>& path) const {
  for (size_t k = 0; k + 1 < path.size(); ++k) {
    if (!cpdag_.passes(path[k], path[k + 1]) || (k > 0 && blocked_[path[k]] == block_)) return false;
  }
  return true;
}

// Searches breadth first from both ends, always extending the side with fewer nodes: most paths are short, and where
// there is none, one side usually runs out early. At worst it visits the whole graph, O(p + edges). It is good that the
// path is short for two reasons: each of its steps has to be watched, and it breaks less often.
bool GesSearch::find_path(Node from, Node to, bool skip_edge) {
  ++counts_.path_tests;
  ++search_;
  frontier_from_.assign(1, from);
  frontier_to_.assign(1, to);
  seen_from_[from] = search_;
  seen_to_[to] = search_;
  before_[from] = after_[to] = -1;
  const auto finish = [&](Node a, Node b) {  // a was reached from the start, b from the end; a step leads from a to b
    path_.clear();
    for (Node v = a; v >= 0; v = before_[v]) path_.push_back(v);
    std::reverse(path_.begin(), path_.end());
    for (Node v = b; v >= 0; v = after_[v]) path_.push_back(v);
  };
  while (!frontier_from_.empty() && !frontier_to_.empty()) {
    next_.clear();
    if (frontier_from_.size() <= frontier_to_.size()) {
      for (Node v : frontier_from_) {
        for (Node w : cpdag_.out(v)) {
          if (blocked_[w] == block_ && w != to) continue;
          if (skip_edge && v == from && w == to) continue;
          if (seen_to_[w] == search_) {
            finish(v, w);
            return true;
          }
          if (seen_from_[w] == search_) continue;
          seen_from_[w] = search_;
          before_[w] = v;
          next_.push_back(w);
        }
      }
      frontier_from_.swap(next_);
    } else {
      for (Node w : frontier_to_) {
        for (Node v : cpdag_.in(w)) {
          if (blocked_[v] == block_ && v != from) continue;
          if (skip_edge && v == from && w == to) continue;
          if (seen_from_[v] == search_) {
            finish(v, w);
            return true;
          }
          if (seen_to_[v] == search_) continue;
          seen_to_[v] = search_;
          after_[v] = w;
          next_.push_back(v);
        }
      }
      frontier_to_.swap(next_);
    }
  }
  return false;
}

}  // namespace agon
