// agon/opponent/gran_dag.h
//
// GraN-DAG: gradient-based neural DAG learning (Lachapelle, Brouillard, Deleu & Lacoste-Julien 2020, ICLR). Every
// variable gets a small network that predicts it from all others with Gaussian noise. The likelihood is maximised while
// an augmented Lagrangian drives the graph of dependences to be acyclic. The method finds nonlinear relations. Because
// it assumes additive noise it can also tell directions, unlike a score that is the same for a whole class.
//
//   SearchResult r = gran_dag(data, score, {}, Rng(0));
//   r.dag;  r.score;                      // its score under `score`, which the learning itself never looks at
//
// The problem and how it is solved (sections 3.2 and 3.3, appendix A):
//   minimise  L + lambda h + mu/2 h^2,   L = mean over rows and variables of -ln p(x_i | inputs),  h = tr(e^C) - p,
// by RMSprop on batches of rows. Every `window` steps the objective on held-out rows is examined. When it no longer
// falls, lambda += mu h, and mu grows tenfold unless h has fallen by a tenth since the last time. Inputs whose edge
// weighs less than `clamp` are cut for good. It ends when h <= 1e-8. The remaining edges are weighted by the mean of
// |d ln p / d x_j|, and cycles that are still there lose their weakest edge.
//
// What may be relied on: the answer is acyclic, satisfies the knowledge (forbidden edges are not inputs, required ones
// are never cut), and is the same for any number of threads and on every x86-64 machine. Columns are standardised;
// categorical ones are used as codes (standard_table.h), and the story says so. If cut short, it thresholds the
// networks as they are and returns that graph. Departures from the paper: docs/departures.md.
#pragma once

#include <string>
#include <vector>

#include "agon/base/rng.h"
#include "agon/base/stop.h"
#include "agon/graph/knowledge.h"
#include "agon/opponent/gran_dag_net.h"
#include "agon/opponent/opponent.h"
#include "agon/opponent/standard_table.h"
#include "agon/opponent/weighted_graph.h"
#include "agon/score/local_score.h"

namespace agon {

struct GranDagOptions {  // defaults are those of the paper's code where it has them
  GranDagShape shape = {};
  int batch = 64;            // rows of a step
  double rate = 1e-3;        // of RMSprop, until the first change of lambda ...
  double later_rate = 1e-4;  // ... and after it
  double mu = 1e-3;          // of the augmented Lagrangian, at the beginning
  double mu_growth = 10;     // factor on mu when h did not fall enough
  double fall = 0.9;         // h has fallen enough if it is at most this share of what it was
  double tolerance = 1e-4;   // slope of the objective, per step, below which it counts as settled
  int window = 100;          // steps between two checks of the held-out rows
  double holdout = 0.2;      // share of the rows that is held out
  double h_end = 1e-8;       // h at most this: acyclic enough
  double clamp = 1e-4;       // an edge that weighs less is cut
  int select_above = 50;     // with more variables than this, inputs are selected first ...
  int neighbours = 20;       // ... at most this many each
  long max_steps = 300'000;  // then it ends, whatever h is
  int threads = 1;           // the answer does not depend on it
};

// The state of the training at a check of the held-out rows.
struct GranDagCheck {
  long step;
  double loss, holdout_loss;  // mean of -ln p over rows and variables: over the steps since the last check; held out
  double h, lambda, mu;
  int edges;  // inputs that are left
};

// The result of the training, by variable of the table.
struct GranDagLearned {
  std::vector<WeightedEdge> edges;  // [from][to] are variables; weight: mean of |d ln p(x_to) / d x_from|
  double h = 0;
  long steps = 0;
  std::vector<GranDagCheck> checks;
  std::string stopped_by;  // "acyclic", "step limit", "time limit", "interrupted"
};

// inputs[i]: the variables that may cause variable i. keep(i, j): the edge j -> i is never cut.
GranDagLearned learn_gran_dag(const StandardTable& table, const std::vector<std::vector<int>>& inputs,
                              const std::function<bool(int to, int from)>& keep, const GranDagOptions& options, Rng rng,
                              const Watch& watch = {});

SearchResult gran_dag(const Dataset& data, const LocalScore& score, const GranDagOptions& options = {},
                      Rng rng = Rng(0), const Watch& watch = {}, const Knowledge& knowledge = {});

}  // namespace agon
