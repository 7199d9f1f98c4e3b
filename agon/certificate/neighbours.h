// agon/certificate/neighbours.h
//
// Is a graph 1-optimal? Every valid single edit is scored with the plain scores, and none may gain.
//
//   auto scorer = plain::discrete_bic(data, 1);
//   NeighbourCheck check = check_neighbours(*scorer, {.graph = dag, .knowledge = knowledge}, {.tolerance = 1e-6});
//   check.better;                                  // the edit that gains most, or nothing
//
// An edit is valid when it raises no node above `max_parents` parents, adds no edge at a constant column, and its
// result is acyclic, has at most `edge_budget` edges, satisfies the knowledge and has a defined score (a Gaussian model
// in which the parents determine the child has none). Acyclicity is decided here from the edges, without the
// bookkeeping of the searches.
//
// Nodes are taken in batches, on all threads, and of an addition no more is kept than whether it gains. Scores with a
// bound (Scorer::may_gain) score only additions that it does not exclude; the others count as checked.
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
  int max_parents = 0;  // 0: no cap
  int edge_budget = 0;  // 0: no limit
};

struct NeighbourOptions {
  double tolerance = 0;  // a gain up to this (plus the rounding of a nearly singular model) does not count
  long limit = 0;        // look at no more than this many edits; 0: all
  int threads = 1;       // the result does not depend on it
};

struct NeighbourCheck {
  bool complete = true;  // neither a limit nor a stop cut the check short
  long checked = 0;      // valid edits that were scored, or shown not to gain
  long left = 0;         // valid edits that a limit or a stop left out
  std::optional<EdgeMove> better = std::nullopt;
  double gain = 0;  // of `better`
};

// A stop request cuts the check short: `complete` is then false.
NeighbourCheck check_neighbours(const plain::Scorer& scorer, const Neighbourhood& around,
                                const NeighbourOptions& options, const Watch& watch = {});

// The descendants of every node, without the node itself; nullopt when the graph has a cycle. By depth-first search.
std::optional<BitRows> descendants_of(const Dag& graph);

}  // namespace agon
