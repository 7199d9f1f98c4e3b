#include "agon/posterior/consensus.h"

#include <algorithm>
#include <tuple>

#include "agon/graph/live_dag.h"

namespace agon {
namespace {

struct Worth {
  double gain;
  Node from, to;
};

std::vector<Worth> worthwhile(int nodes, const std::vector<double>& arrow) {
  const auto probability = [&](Node from, Node to) {
    return arrow[static_cast<size_t>(from) * static_cast<size_t>(nodes) + static_cast<size_t>(to)];
  };
  std::vector<Worth> out;
  for (Node from = 0; from < nodes; ++from) {
    for (Node to = 0; to < nodes; ++to) {
      if (from == to) continue;
      const double gain = probability(from, to) - (1 - probability(from, to) - probability(to, from));
      if (gain > 0) out.push_back({gain, from, to});
    }
  }
  std::ranges::sort(out, [](const Worth& a, const Worth& b) {
    return std::tuple(-a.gain, a.from, a.to) < std::tuple(-b.gain, b.from, b.to);
  });
  return out;
}

}  // namespace

Dag consensus(int nodes, const std::vector<double>& arrow, int max_parents) {
  LiveDag live{Dag(nodes)};
  for (const Worth& worth : worthwhile(nodes, arrow)) {
    const EdgeMove addition{MoveKind::kAdd, worth.from, worth.to};
    if (live.dag().parents(worth.to).count() < max_parents && live.is_legal(addition)) live.apply(addition);
  }
  return live.dag();
}

}  // namespace agon
