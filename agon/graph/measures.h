// agon/graph/measures.h
//
// How far a predicted graph is from the true one: the measures of docs/method.md.
//
//   Measures m = measure(true_edges, dag);              // dag over the same nodes; match them by name first
//   m.tpr;  m.shd;  m.shd_cpdag.value_or(-1);
//   MeanMeasures c = class_mean(true_edges, cpdag_of(dag), 100, rng);   // mean over the class of dag
//   MeanMeasures r = random_control(true_edges, p, dag.edge_count(), 100, rng);
//   Measures e = measure(true_edges, Dag(p));           // the other control: the empty graph
//
// A single member of an equivalence class gets its reversible edges right by luck. Read tpr, fdr, shd and score beside
// their class means, and rank by shd_cpdag, skeleton F1 and the score on the data.
//
// Definitions, with T true edges, P predicted edges, C predicted edges that are true:
//   reversed     predicted edges that are not true but whose reverse is
//   extra        predicted edges between nodes that are not adjacent in the truth
//   missing      T - C - reversed: a reversed edge is charged once, as reversed
//   tpr          C / T               1 when T = 0: there was nothing to find
//   fdr          (reversed + extra) / P          0 when P = 0: nothing was claimed
//   shd          missing + extra + reversed = the fewest additions, removals and reversals that repair the prediction
//   score        (tpr + (1 - fdr) + 1 / (1 + shd)) / 3
//   skeleton_*   the same edges without direction: precision (1 when P = 0), recall (1 when T = 0), F1 = 2 both /
//                (true + predicted) (1 when both are empty)
//   shd_cpdag    pairs of nodes between which the two CPDAGs differ in any way, each counted once; with row sets
//                (equivalence.h), the two interventional classes
//   sid          structural intervention distance (sid.h)
//
// A truth with cycles has no CPDAG and no interventions to compare: shd_cpdag and sid are then absent, and the rest
// applies. In a two-cycle i -> j -> i both edges are true; predicting one finds one and misses the other.
//
// On thousands of nodes sid takes most of the time. A stop leaves it out, and ends the means after the graph before; a
// mean is over one graph at least.
#pragma once

#include <optional>
#include <vector>

#include "agon/base/rng.h"
#include "agon/base/stop.h"
#include "agon/graph/dag.h"
#include "agon/graph/pdag.h"

namespace agon {

struct Measures {
  int true_edges = 0;
  int predicted_edges = 0;
  int correct = 0;
  int reversed = 0;
  int extra = 0;
  int missing = 0;
  double tpr = 0;
  double fdr = 0;
  int shd = 0;
  double score = 0;
  double skeleton_precision = 0;
  double skeleton_recall = 0;
  double skeleton_f1 = 0;
  std::optional<int> shd_cpdag;  // absent when the truth has a cycle
  std::optional<long> sid;       // absent when the truth has a cycle, and after a stop

  int shd_reversal_twice() const { return shd + reversed; }  // the convention of CDT, for comparisons
};

// Nodes are 0 .. predicted.size() - 1 in both graphs. The true edges are distinct and may have cycles; a self-loop or a
// node out of range is an InputError.
Measures measure(const std::vector<Edge>& truth, const Dag& predicted, const std::vector<int>& row_set = {},
                 const Watch& watch = {});

// For a prediction that is not a DAG: what can be said without choosing directions. The Pdag is compared as it is; pass
// a Cpdag for the usual meaning of shd_cpdag.
struct PdagMeasures {
  double skeleton_precision = 0;
  double skeleton_recall = 0;
  double skeleton_f1 = 0;
  std::optional<int> shd_cpdag;
};
PdagMeasures measure(const std::vector<Edge>& truth, const Pdag& predicted);

// A class measured as gCastle's MetricsDAG measures it: an undirected edge counts as right if its ends are adjacent in
// the truth. So a class that holds the true graph is without fault, where a member of it would be charged for the edges
// that happen to point the other way. tpr, fdr, shd and score as above, of these counts.
struct CreditedMeasures {
  double tpr = 0;
  double fdr = 0;
  int shd = 0;
  double score = 0;
};
CreditedMeasures measure_credited(const std::vector<Edge>& truth, const Pdag& predicted);

// Pairs of nodes between which the two differ: absent, undirected, or directed one way or the other.
int shd(const Pdag& a, const Pdag& b);

// Means over several predicted graphs.
struct MeanMeasures {
  int graphs = 0;  // fewer than asked for if a stop ended it
  double tpr = 0;
  double fdr = 0;
  double shd = 0;
  double score = 0;
  double skeleton_precision = 0;
  double skeleton_recall = 0;
  double skeleton_f1 = 0;
  std::optional<double> shd_cpdag;
  std::optional<double> sid;
};

// Over `members` DAGs drawn uniformly from the class (class_members.h), members >= 1.
MeanMeasures class_mean(const std::vector<Edge>& truth, const Cpdag& predicted, int members, Rng& rng,
                        const std::vector<int>& row_set = {}, const Watch& watch = {});

// Over `graphs` random DAGs with this many edges: what density alone is worth.
MeanMeasures random_control(const std::vector<Edge>& truth, int nodes, int edges, int graphs, Rng& rng,
                            const std::vector<int>& row_set = {}, const Watch& watch = {});

// A random order of the nodes, and `edges` of the p(p-1)/2 pairs, all choices equally likely. Too many edges is a
// UsageError.
Dag random_dag_like(int nodes, int edges, Rng& rng);

}  // namespace agon
