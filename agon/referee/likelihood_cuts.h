// agon/referee/likelihood_cuts.h
//
// Likelihood cuts that a point of the relaxation violates (plain_bound.h): its families fit the nodes of D better than
// all of D together can.
//
//   const LikelihoodCuts found = violated_likelihood_cuts(point, pool.cuts().gains(), 0.1);
//   found.cuts;                    // the most violated first, each by at least 0.1 nats
//
// How they are found: from all nodes, and from each node with those it is torn with, a search that adds and removes
// single nodes.
#pragma once

#include <vector>

#include "agon/certificate/plain_bound.h"
#include "agon/referee/relaxed_point.h"

namespace agon {

struct LikelihoodCuts {
  std::vector<ProofCut> cuts;
  double work = 0;  // nanoseconds, roughly
};

LikelihoodCuts violated_likelihood_cuts(const RelaxedPoint& point, const FitGains& gains, double least);

}  // namespace agon
