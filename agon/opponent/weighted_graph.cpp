#include "agon/opponent/weighted_graph.h"

#include <algorithm>

#include "agon/graph/live_dag.h"

namespace agon {
namespace {

bool stronger(const WeightedEdge& a, const WeightedEdge& b) {
  if (a.weight != b.weight) return a.weight > b.weight;
  return std::pair(a.edge.from, a.edge.to) < std::pair(b.edge.from, b.edge.to);
}

bool can_be_scored(const LocalScore& score, const Dag& dag, Edge edge) {
  std::vector<Node> parents = dag.parent_list(edge.to);
  parents.insert(std::upper_bound(parents.begin(), parents.end(), edge.from), edge.from);
  try {
    score.local(edge.to, parents);
  } catch (const ScoreUndefined&) {
    return false;
  }
  return true;
}

}  // namespace

Dag dag_from_weights(std::vector<WeightedEdge> edges, const LocalScore& score, const Knowledge& knowledge,
                     LeftOut* left_out) {
  std::sort(edges.begin(), edges.end(), stronger);
  LiveDag live(repair(Dag(score.size()), knowledge));
  LeftOut out;
  for (const auto& [edge, weight] : edges) {
    if (live.dag().has_edge(edge.from, edge.to)) continue;
    if (knowledge.is_forbidden(edge)) {
      ++out.forbidden;
    } else if (!live.is_legal_addition(edge.from, edge.to)) {
      ++out.cycle;
    } else if (live.dag().parents(edge.to).count() >= score.traits().max_parents) {
      ++out.over_cap;
    } else if (!can_be_scored(score, live.dag(), edge)) {
      ++out.unscored;
    } else {
      live.apply({MoveKind::kAdd, edge.from, edge.to});
    }
  }
  if (left_out != nullptr) *left_out = out;
  return live.dag();
}

int drop_until_acyclic(int nodes, std::vector<WeightedEdge>& edges, const Knowledge& knowledge) {
  // Required edges contain no cycle among themselves. So, going from the strongest edge on, the first that closes a
  // cycle sets the threshold.
  std::stable_sort(edges.begin(), edges.end(), stronger);
  std::stable_partition(edges.begin(), edges.end(), [&](const auto& e) { return knowledge.is_required(e.edge); });
  LiveDag live{Dag(nodes)};
  const size_t before = edges.size();
  for (size_t k = 0; k < edges.size(); ++k) {
    const Edge edge = edges[k].edge;
    if (live.is_legal_addition(edge.from, edge.to)) {
      live.apply({MoveKind::kAdd, edge.from, edge.to});
      continue;
    }
    const double threshold = edges[k].weight;
    std::erase_if(edges, [&](const auto& e) { return e.weight <= threshold && !knowledge.is_required(e.edge); });
    break;
  }
  return static_cast<int>(before - edges.size());
}

}  // namespace agon
