// agon/referee/edge_losses.h
//
// How sure is an edge? "Score lost if removed" keeps the rest of the graph as it is, and so it flatters the edge:
// another graph may explain the same rows nearly as well without it. The referee compares with the best graph there is:
//
//   adjacency loss   the score of the champion less that of the best graph in which the two nodes are not adjacent
//   direction loss   the same for the best graph without this arrow; the reverse arrow may stand
//
//   const std::vector<EdgeLoss> losses = edge_losses(score, knowledge, v.proof, v.upper_bound, options, watch);
//   losses[0].adjacency->value, losses[0].adjacency->proven;      // 114.2, true; false: it loses at least so much
//
// Each is a proof of its own with some families gone, from the cuts and multipliers of the proof of the champion. The
// lists stay valid: a subset that makes a set superfluous does without the edge if the set does. Both compare graphs
// within the limit of that proof. Where the champion is not proven to be the best graph, a loss can be negative.
#pragma once

#include <optional>
#include <vector>

#include "agon/referee/referee.h"

namespace agon {

struct LossBound {
  double value = 0;     // nats
  bool proven = false;  // it is the loss, up to epsilon; otherwise the loss is at least this
};

struct EdgeLoss {
  Edge edge;
  // None: the knowledge requires the edge, or time was up.
  std::optional<LossBound> adjacency, direction;
};

// For every edge of proof.graph, in the order of Dag::edges(). `options.work` is for all of them.
// `upper_bound` is what the proof shows.
std::vector<EdgeLoss> edge_losses(const JudgedScore& score, const Knowledge& knowledge, const Proof& proof,
                                  double upper_bound, const RefereeOptions& options, const Watch& watch = {});

}  // namespace agon
