#include "agon/graph/central_member.h"

#include <algorithm>
#include <cassert>
#include <limits>

#include "agon/graph/equivalence.h"

namespace agon {
namespace {

// The nodes that undirected edges connect with `from`, itself first, nearest first; `sum` becomes the sum of their
// distances from it, or more than `enough` as soon as that is certain.
std::vector<Node> reached(const Pdag& pdag, Node from, long enough, long& sum) {
  std::vector<Node> out{from};
  NodeSet seen(pdag.size());
  seen.insert(from);
  sum = 0;
  long distance = 1;
  for (size_t begin = 0; begin < out.size() && sum <= enough; ++distance) {
    const size_t end = out.size();
    for (; begin < end; ++begin) {
      for (Node u : pdag.neighbours(out[begin])) {
        if (seen.contains(u)) continue;
        seen.insert(u);
        out.push_back(u);
      }
    }
    sum += distance * static_cast<long>(out.size() - end);
  }
  return out;
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
  constexpr long kNoSum = std::numeric_limits<long>::max();
  for (const Node first : order) {
    while (!pdag.neighbours(first).empty()) {
      long sum = 0;
      std::vector<char> in_piece(pdag.size(), 0);
      const std::vector<Node> piece = reached(pdag, first, kNoSum, sum);
      for (Node v : piece) in_piece[v] = 1;
      Node median = -1;
      long least = kNoSum;
      for (const Node v : order) {
        if (!in_piece[v]) continue;
        reached(pdag, v, least, sum);
        if (sum >= least) continue;
        median = v;
        least = sum;
        if (least == static_cast<long>(piece.size()) - 1) break;  // next to all others: it cannot be less
      }
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
