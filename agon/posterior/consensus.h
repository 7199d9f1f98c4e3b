// agon/posterior/consensus.h
//
// The edges to trust most. The graph that scores highest is one graph; the posterior weighs all of them. This is a DAG
// of which few mistakes are to be expected under the posterior: an arrow is worth the probability that it is there,
// less the probability that its ends are not adjacent.
//
//   Dag trusted = consensus(posterior.nodes, posterior.arrow, score.traits().max_parents);
//   consensus(3, {0, 0.9, 0,  0.1, 0, 0.3,  0, 0.3, 0}, 2);  // 0 -> 1; whether 1 and 2 are adjacent is too uncertain
//
// Arrows are taken in the order of their worth, as long as it is positive and no cycle arises; of equals the first by
// (from, to). So it is a good graph by that measure, not always the best one. Departure: the expected SHD between
// CPDAGs is not what is maximised, because the probabilities of arrows do not determine it.
//
// What may be relied on: it is acyclic; an arrow that knowledge forbids is not in it, one that it requires is, since
// these have the probabilities 0 and 1; an edge in it is more probable than not; no node has more than `max_parents`.
#pragma once

#include <vector>

#include "agon/graph/dag.h"

namespace agon {

// `arrow`: probabilities, [from * nodes + to].
Dag consensus(int nodes, const std::vector<double>& arrow, int max_parents);

}  // namespace agon
