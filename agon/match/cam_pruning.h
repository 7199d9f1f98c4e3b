// agon/match/cam_pruning.h
//
// Pruning as in CAM (Buehlmann, Peters & Ernest 2014, Annals of Statistics 42, section 2.4): every node is regressed on
// its parents, and parents that explain nothing are dropped.
//
//   Dag leaner = prune_splines(data, dag);                      // additive model, significance 0.001
//   Dag linear = prune_linear(data, dag, 0.1);                  // coefficients of standardised columns under 0.1
//   for (const Dag& d : pruned_candidates(data, dag)) ...       // both, several thresholds, without repeats
//
// The additive model is x_j = c + f_1(x_1) + .. + f_m(x_m) + noise with natural cubic regression splines f_k (knots at
// quantiles of the parent; a parent with few values gets one coefficient per value). A parent stays when the F test of
// all coefficients of its f_k against zero has a tail probability below `level`; all tests are made in the full model.
// A table of categorical columns alone is used as codes (standard_table.h). With both kinds of columns only edges into
// continuous nodes are tested, and a coefficient of a parent with more than two levels never counts as small. In a
// table of experiments a node is regressed on the rows in which it was not set, with a mean of its own in every group
// of its row set (row_sets.h). Missing cells and weights are refused.
//
// What may be relied on: edges are only removed, required edges never, and the outcome depends neither on threads nor
// on the order of columns. A pruned graph may score lower than the original: it is a candidate, not yet an answer.
// Departure: CAM uses penalised splines and Wood's approximate tests (mgcv); the F test here is exact for Gaussian
// noise (docs/departures.md).
#pragma once

#include <vector>

#include "agon/data/capability.h"
#include "agon/graph/dag.h"
#include "agon/graph/knowledge.h"

namespace agon {

constexpr Capabilities kPrunedTables = {.categorical = true, .continuous = true, .mixed = true, .regimes = true};

struct CamOptions {
  double level = 0.001;  // of the F tests, (0, 1). CAM's default
  int knots = 10;        // of a spline, >= 2; fewer if there are fewer than 3 rows per knot and parent, as in CAM
  int threads = 1;       // the outcome does not depend on it
};

Dag prune_splines(const Dataset& data, const Dag& dag, const CamOptions& options = {}, const Knowledge& knowledge = {});

// Drops the parents whose coefficient in the linear regression of the node on its parents, all columns standardised, is
// below `threshold` in absolute value.
Dag prune_linear(const Dataset& data, const Dag& dag, double threshold, const Knowledge& knowledge = {});

// The graphs that pruning makes of `dag`: by splines, then by the linear thresholds 0.02, 0.05, 0.1, 0.2 and 0.3. Only
// graphs that differ from `dag` and from each other.
std::vector<Dag> pruned_candidates(const Dataset& data, const Dag& dag, const CamOptions& options = {},
                                   const Knowledge& knowledge = {});

// Tail probability of every parent of a node in the additive model, in the order of the parents. For tests and reports.
std::vector<double> spline_significance(const Dataset& data, Node child, const std::vector<Node>& parents,
                                        int knots = 10);

}  // namespace agon
