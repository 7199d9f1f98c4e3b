// agon/opponent/weighted_graph.h
//
// A Dag from weighted edges, such as learners of weights produce.
//
//   std::vector<WeightedEdge> edges = {{{0, 2}, 0.8}, {{2, 5}, 0.3}};
//   drop_until_acyclic(p, edges, knowledge);                       // one threshold for all, the smallest that does
//   LeftOut left_out;
//   Dag dag = dag_from_weights(edges, score, knowledge, &left_out);    // cycles broken weakest edge first
//
// dag_from_weights adds the required edges first, then the others from the strongest on. An edge is left out if it is
// forbidden, closes a cycle, exceeds the score's cap on parents, or leads to a model that cannot be scored. So every
// cycle loses its weakest edge that is not required, the answer satisfies the knowledge, and it has a score. Among
// equal weights, the smaller (from, to) comes first.
#pragma once

#include <vector>

#include "agon/graph/dag.h"
#include "agon/graph/knowledge.h"
#include "agon/score/local_score.h"

namespace agon {

struct WeightedEdge {
  Edge edge;
  double weight;
  bool operator==(const WeightedEdge&) const = default;
};

struct LeftOut {  // edges that were not added
  int forbidden = 0, cycle = 0, over_cap = 0, unscored = 0;
};

Dag dag_from_weights(std::vector<WeightedEdge> edges, const LocalScore& score, const Knowledge& knowledge,
                     LeftOut* left_out = nullptr);

// Removes the weakest edges that are not required, those of equal weight together, until the rest contain no cycle.
// Returns how many were removed.
int drop_until_acyclic(int nodes, std::vector<WeightedEdge>& edges, const Knowledge& knowledge);

}  // namespace agon
