// agon/certificate/neighbours.h
//
// Is a graph 1-optimal? Every valid single edit is scored with the plain scores; none may gain.
//
//   auto scorer = plain::discrete_bic(data, 1);
//   NeighbourCheck check = check_neighbours(*scorer, {.graph = dag, .knowledge = knowledge}, {.tolerance = 1e-6});
//   check.better;                                  // the edit that gains most, or nothing
//
// An edit is valid when the result is acyclic, has at most `edge_budget` edges, keeps the knowledge, gives no node more
// than `max_parents` parents through it, joins no constant column, and has a defined score (a Gaussian model in which
// the parents determine the child has none). Acyclicity is decided here from the edges, without the bookkeeping of
// searches.
#pragma once

#include <optional>

#include "agon/base/stop.h"
#include "agon/certificate/plain_score.h"
#include "agon/graph/edge_move.h"
#include "agon/graph/knowledge.h"

namespace agon {

struct Neighbourhood {
  const Dag& graph;  // acyclic
  const Knowledge& knowledge;
  int max_parents = 0;  // 0: none
  int edge_budget = 0;  // 0: none
};

struct NeighbourOptions {
  double tolerance = 0;  // a gain up to this (and the rounding of a nearly singular model) is none
  long limit = 0;        // most edits to look at; 0: all
  int threads = 1;       // the result does not depend on it
};

struct NeighbourCheck {
  bool complete = true;  // no limit and no interruption cut the check short
  long checked = 0;      // valid edits that were scored
  std::optional<EdgeMove> better = std::nullopt;
  double gain = 0;  // of `better`
};

// A stop that is requested cuts the check short: `complete` is then false.
NeighbourCheck check_neighbours(const plain::Scorer& scorer, const Neighbourhood& around,
                                const NeighbourOptions& options, const Watch& watch = {});

// The descendants of every node, without itself; nothing when the graph has a cycle. By depth-first search.
std::optional<BitRows> descendants_of(const Dag& graph);

}  // namespace agon
