#include "agon/graph/central_member.h"

#include <cassert>
#include <limits>

#include "agon/graph/equivalence.h"

namespace agon {
namespace {

struct Reach {
  std::vector<Node> nodes;  // the start first, then nearest first
  long distances = 0;       // their sum
};

// What undirected edges connect with `from`. Breaks off when the sum of distances is above `enough`.
Reach reach(const Pdag& pdag, Node from, long enough) {
  Reach out{{from}};
  NodeSet seen(pdag.size());
  seen.insert(from);
  long distance = 1;
  for (size_t begin = 0; begin < out.nodes.size() && out.distances <= enough; ++distance) {
    const size_t end = out.nodes.size();
    for (; begin < end; ++begin) {
      for (Node u : pdag.neighbours(out.nodes[begin])) {
        if (seen.contains(u)) continue;
        seen.insert(u);
        out.nodes.push_back(u);
      }
    }
    out.distances += distance * static_cast<long>(out.nodes.size() - end);
  }
  return out;
}

// Of the nodes connected with `start` by undirected edges the one with the smallest sum of distances to the others, the
// first of them in `order`.
Node median_around(const Pdag& pdag, Node start, const std::vector<Node>& order) {
  constexpr long kAny = std::numeric_limits<long>::max();
  NodeSet piece(pdag.size());
  for (Node v : reach(pdag, start, kAny).nodes) piece.insert(v);
  const long fewest = piece.count() - 1;  // where all others are next to it
  Node median = -1;
  long least = kAny;
  for (const Node v : order) {
    if (!piece.contains(v)) continue;
    const long distances = reach(pdag, v, least).distances;
    if (distances >= least) continue;
    median = v;
    least = distances;
    if (least == fewest) break;
  }
  return median;
}

}  // namespace

std::optional<Dag> central_member(const Pdag& given) {
  const std::optional<Dag> extension = consistent_extension(given);
  if (!extension || given.undirected_count() == 0) return extension;
  const std::vector<Node> order = topological_order(*extension);
  Pdag pdag = given;
  close_under_meek(pdag);

  // With all rules applied every undirected edge may point either way in some member (Meek 1995, theorem 4), so edges
  // are directed one at a time, each followed by what it forces.
  for (const Node first : order) {
    while (!pdag.neighbours(first).empty()) {
      const Node median = median_around(pdag, first, order);
      for (const Node u : order) {
        if (!pdag.has_undirected(median, u)) continue;
        pdag.orient(median, u);
        close_under_meek(pdag, {{median, u}});
      }
    }
  }
  Dag dag(pdag.size());
  for (const Edge& e : pdag.directed_edges()) dag.add_edge(e.from, e.to);
  assert(is_acyclic(dag));
  return dag;
}

}  // namespace agon
