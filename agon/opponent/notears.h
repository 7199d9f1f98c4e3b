// agon/opponent/notears.h
//
// NOTEARS: fits a linear model by least squares, with a smooth constraint that drives its graph to be acyclic (Zheng,
// Aragam, Ravikumar & Xing 2018, NeurIPS 31).
//
//   SearchResult r = notears(data, score, {}, watch, knowledge);
//
//   minimise  1/2n ||X - X W||^2 + l1 sum |w|   subject to   h(W) = tr(e^(W o W)) - p = 0
//
// The constraint is enforced by an augmented Lagrangian: alpha h + rho/2 h^2 is added, and each subproblem is solved by
// OWL-QN (owl_qn.h) from where the last one ended. rho grows tenfold until h has fallen to a quarter; then
// alpha += rho h. It ends when h <= 1e-8 or rho >= 1e16. Edges whose weight is below `threshold` are dropped, and a
// cycle that is still there loses its weakest edge (weighted_graph.h).
//
// What may be relied on: the answer is acyclic and satisfies the knowledge: forbidden edges have no weight, required
// ones are never dropped. It uses no random numbers and no threads. By default columns are standardised. On the columns
// as they are, the method exploits their variances, which grow along the causal order in simulated data (Reisach,
// Seiler & Weichwald 2021, NeurIPS 34) and elsewhere are a matter of units. Categorical columns are used as codes.
//
// Departure from the authors' code: they take l1 = 0.1. That pulls true weights below the threshold and leads to worse
// minima (the true graph has the lower objective). On 20 nodes with 40 expected edges, 1000 rows and equal variances,
// the mean SHD over 20 seeds not used for the choice is 4.90 with 0.1 and 2.10 with 0.02. With fewer rows, a larger l1
// is needed against noise.
#pragma once

#include <vector>

#include "agon/base/stop.h"
#include "agon/graph/knowledge.h"
#include "agon/opponent/opponent.h"
#include "agon/opponent/owl_qn.h"
#include "agon/score/local_score.h"

namespace agon {

class LinearModel;  // linear_weights.h
struct LearnedWeights;

struct NotearsOptions {     // defaults are those of the authors' code, except for l1
  double l1 = -1;           // weight of the sum of |w|; negative: default_l1(number of rows)
  double threshold = 0.3;   // edges below it are dropped
  double h_end = 1e-8;      // h at most this: acyclic enough
  double rho_end = 1e16;    // gives up on becoming more acyclic when rho reaches this
  int max_rounds = 100;     // of the multiplier alpha
  bool standardise = true;  // see above
  OwlQnOptions inner = {};
};

double default_l1(size_t rows);  // 20 / n, but at least 0.02 and at most 0.1

LearnedWeights learn_notears(LinearModel& model, const NotearsOptions& options, const Watch& watch = {});  // l1 >= 0

SearchResult notears(const Dataset& data, const LocalScore& score, const NotearsOptions& options = {},
                     const Watch& watch = {}, const Knowledge& knowledge = {});

}  // namespace agon
