// agon/opponent/golem.h
//
// GOLEM: the likelihood of a linear Gaussian model with a soft penalty on cycles instead of a constraint (Ng, Ghassami
// & Zhang 2020, NeurIPS 33).
//
//   SearchResult r = golem(data, score, {}, watch, knowledge);
//
//   minimise  L(W) + l1 sum |w| + l2 h(W)       L: linear_weights.h;  h(W) = tr(e^(W o W)) - p
//
// The minimiser is Adam (Kingma & Ba 2015) on all rows at once. The first stage assumes equal variances of the noise
// (EV). The second starts from its result and lets each variable have its own variance (NV). Edges whose weight is
// below `threshold` are dropped; a cycle loses its weakest edge (weighted_graph.h).
//
// What may be relied on: the answer is acyclic and satisfies the knowledge (forbidden edges have no weight, required
// ones are never dropped). It uses no random numbers and no threads. Columns are standardised by default, for the
// reason given in notears.h. Departure from the authors' code: they take 100,000 steps at one rate; here there are a
// twentieth as many, over which the rate falls to a hundredth along a cosine.
#pragma once

#include <vector>

#include "agon/base/stop.h"
#include "agon/graph/knowledge.h"
#include "agon/opponent/opponent.h"
#include "agon/score/local_score.h"

namespace agon {

class LinearModel;  // linear_weights.h
struct LearnedWeights;

struct GolemOptions {
  double l1_ev = 2e-2, l1_nv = 2e-3;  // weight of the sum of |w|, in the two stages
  double l2 = 5;                      // weight of h
  bool own_variances = true;          // whether to run the second stage
  long steps = 5000;                  // of Adam, in each stage
  double rate = 1e-2;                 // at the beginning
  double threshold = 0.3;
  bool standardise = true;
};

LearnedWeights learn_golem(LinearModel& model, const GolemOptions& options, const Watch& watch = {});

SearchResult golem(const Dataset& data, const LocalScore& score, const GolemOptions& options = {},
                   const Watch& watch = {}, const Knowledge& knowledge = {});

}  // namespace agon
