#include "agon/opponent/boss_backward.h"

#include <algorithm>

#include "agon/graph/equivalence.h"

namespace agon {
namespace {

struct Deletion {
  double gain = 0;
  Node x = -1, y = -1;
  std::vector<Node> kept;  // the common neighbours that stay neighbours; a clique
};

// Extends the clique `kept` by members of `common` from index `from` on, offering each clique on the way.
void offer(const LocalScore& score, const Pdag& g, Node x, Node y, const std::vector<Node>& common, size_t from,
           std::vector<Node>& kept, Deletion& best, double tolerance) {
  NodeSet set(g.parents(y));
  for (Node v : kept) set.insert(v);
  set.erase(x);
  const double without = score.local(y, set.to_vector());
  set.insert(x);
  const double gain = without - score.local(y, set.to_vector());
  if (gain > best.gain + tolerance) best = {gain, x, y, kept};
  for (size_t k = from; k < common.size(); ++k) {
    if (!std::ranges::all_of(kept, [&](Node v) { return g.adjacent(v, common[k]); })) continue;
    kept.push_back(common[k]);
    offer(score, g, x, y, common, k + 1, kept, best, tolerance);
    kept.pop_back();
  }
}

}  // namespace

Cpdag plain_backward_phase(const LocalScore& score, Cpdag cpdag, const Watch& watch) {
  const double tolerance = tie_tolerance(score);
  while (!watch.stop_requested()) {
    const Pdag& g = cpdag;
    Deletion best;
    for (Node y = 0; y < g.size(); ++y) {
      NodeSet sources(g.parents(y));
      sources |= g.neighbours(y);
      for (Node x : sources) {
        NodeSet common(g.neighbours(y));
        common &= g.adjacency(x);
        std::vector<Node> kept;
        offer(score, g, x, y, common.to_vector(), 0, kept, best, tolerance);
      }
    }
    if (best.x < 0) break;
    Pdag next = g;
    NodeSet released(g.neighbours(best.y));
    released &= g.adjacency(best.x);
    for (Node v : best.kept) released.erase(v);
    next.remove_between(best.x, best.y);
    for (Node h : released) {
      next.orient(best.y, h);
      if (next.has_undirected(best.x, h)) next.orient(best.x, h);
    }
    auto done = completed(next);
    if (!done) break;
    cpdag = std::move(*done);
  }
  return cpdag;
}

}  // namespace agon
