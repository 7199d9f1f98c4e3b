// agon/opponent/anm.h
//
// Additive noise models: if y = f(x) + noise with the noise independent of x, then in general x is not a function of y
// plus independent noise (Hoyer, Janzing, Mooij, Peters & Scholkopf 2008, NIPS 21). So the causal direction is the one
// in which the residuals are independent.
//
//   AnmPair d = anm_pair(x, y);           // two columns: d.forward > d.backward speaks for x -> y
//   SearchResult r = resit(data, score, {}, watch, knowledge);
//
// resit (regression with subsequent independence test; Peters, Mooij, Janzing & Scholkopf 2014, JMLR 15, algorithm 1)
// orders the variables from the last to the first. Of those left, the variable whose residual, after regression on the
// others, depends on them least comes last. Dependence is the mean excess of HSIC (hsic.h) over the others.
//
// The regression is additive, with a slight ridge. Every other variable enters with its value and splines of its normal
// score, or with its levels where it has few. Departures from the paper: HSIC is computed for one regressor at a time,
// not for all jointly; parents are then dropped by the F test of CAM's pruning (Buhlmann et al. 2014) instead of more
// tests of independence, which keep every parent once a model does not hold; above `select_above` variables, each is
// regressed on a selection of at most `neighbours` others (neighbour_selection.h).
//
// What may be relied on: the answer is acyclic, satisfies the knowledge (a variable that is required to cause another,
// or belongs to an earlier tier, comes before it), uses no random numbers, and is the same for any number of threads.
// Categorical columns are used as codes. If cut short, variables without a place so far get only their required edges.
#pragma once

#include <vector>

#include "agon/base/stop.h"
#include "agon/graph/knowledge.h"
#include "agon/opponent/opponent.h"
#include "agon/score/local_score.h"

namespace agon {

struct AnmOptions {
  int hsic_rows = 500;         // at most, spread evenly; fewer if the kernels of all columns would exceed 100 MB
  int regression_rows = 5000;  // at most, spread evenly
  double level = 0.001;        // of the F test that keeps a parent
  double ridge = 1e-4;         // added to the variance of each term, as a share of it
  int select_above = 50;
  int neighbours = 20;
  int threads = 1;  // the answer does not depend on it
};

struct AnmPair {
  double forward = 0;                              // p-value of the residual of y on x being independent of x
  double backward = 0;                             // p-value of the residual of x on y being independent of y
  double excess_forward = 0, excess_backward = 0;  // of HSIC, comparable when both p-values are 0
  bool is_forward() const { return excess_forward < excess_backward; }
};
AnmPair anm_pair(const std::vector<double>& x, const std::vector<double>& y, const AnmOptions& options = {});

SearchResult resit(const Dataset& data, const LocalScore& score, const AnmOptions& options = {},
                   const Watch& watch = {}, const Knowledge& knowledge = {});

}  // namespace agon
