// agon/referee/clusters.h
//
// Clusters that a point of the relaxation violates. In an acyclic graph, at least k nodes of a set D have fewer than k
// parents in D: the first k in a topological order. A point violates the k-cluster of D when the weight of the families
// with fewer than k parents in D is less than k.
//
//   for (const ProofCut& cut : violated_clusters(point, 100)) ...     // the most violated first
//
// How they are found: shortest cycles with the lengths 1 - arc, then from each cycle, arc and k a search that adds and
// removes single nodes; what gave a cluster for k is tried for k + 1. A cyclic point of weights 0 and 1 always yields
// one.
//
// Source: Cussens 2011; Bartlett & Cussens 2017 (which clusters matter; our search is another).
#pragma once

#include <vector>

#include "agon/certificate/proof.h"
#include "agon/referee/relaxed_point.h"

namespace agon {

std::vector<ProofCut> violated_clusters(const RelaxedPoint& point, int most);

}  // namespace agon
