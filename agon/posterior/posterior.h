// agon/posterior/posterior.h
//
// How probable an edge, an arrow or a causal path is, given the table: the posterior over DAGs. The weight of a DAG is
// exp(score), its prior is uniform over all DAGs that satisfy the knowledge and the cap on parents.
//
//   Posterior found = edge_posterior(score, knowledge, {champion.dag}, {.threads = 2}, Rng(0), watch);
//   PairPosterior pair = found.pair(2, 5);       // pair.edge = pair.forward + pair.backward
//   found.path_probability(2, 5);                // 2 is an ancestor of 5
//   found.exact;                                 // or sampled: found.sample tells how well
//
// With bdeu the score is the logarithm of the marginal likelihood, and the posterior is what it says. A BIC
// approximates that logarithm (Schwarz 1978), and so the posterior. Scores see experiments through the rows they score
// each node on, so no more need be said of them here.
//
// Up to kMostExactNodes nodes that vary, the posterior is computed exactly (exact.h). Beyond, it is sampled by two
// chains (order_chain.h), one from the first graph given and one from a random DAG after annealing, with a list of
// candidate parents for each node: arrows that are not in the lists have probability 0 in the sample. `left_out` says
// how many there are, and `left_out_gain` what the strongest of them would add to the score of the first graph.
//
// What may be relied on: the same score, knowledge, graphs, options and rng give the same figures for any number of
// threads. After a stop the samples so far count; `stopped_by` says so, and without any sample all figures are 0.
//
// How long: in stages. After each, unless they have converged, the chains continue until they have made twice as many
// steps, up to 16 times the first stage of 2,000 steps for each node. The first quarter of each chain is dropped. The
// probability of an arrow is averaged over the samples, given the parents of all other nodes in each, where it is
// known exactly; paths are counted.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "agon/base/rng.h"
#include "agon/base/stop.h"
#include "agon/graph/dag.h"
#include "agon/graph/knowledge.h"
#include "agon/posterior/exact.h"
#include "agon/score/local_score.h"

namespace agon {

// Of two nodes. Both arrows of an open edge share its probability, in proportion to the DAGs that have each.
struct PairPosterior {
  double edge = 0;      // adjacent
  double forward = 0;   // from -> to
  double backward = 0;  // to -> from
  bool operator==(const PairPosterior&) const = default;
};

// Beyond this many nodes no sample of bearable length would tell anything.
inline constexpr int kMostSampledNodes = 1000;

// A sample is said to have converged with an R-hat of at most, and as many effective samples as this.
inline constexpr double kGoodRHat = 1.05;
inline constexpr double kGoodEss = 100;

struct PosteriorOptions {
  long steps = 0;                     // of each chain; 0: until it has converged, with a limit
  int candidates = 0;                 // most candidate parents of a node, up to 20; 0: by the number of nodes
  int max_parents = 0;                // most parents of a node in a sample; 0: by the graphs given
  int exact_nodes = kMostExactNodes;  // up to so many nodes the answer is exact
  int samples = 1000;                 // kept of each chain, about
  int threads = 1;                    // the answer does not depend on it
};

struct ChainTrace {
  std::string start;           // "the best graph found", "a random graph, annealed"
  std::vector<double> scores;  // of the DAGs kept, in order, the first quarter included
};

// How a sample was made, and how well its chains agree.
struct SampleFigures {
  long steps = 0;            // of each chain
  int samples = 0;           // of all chains, without the first quarters
  double r_hat = 1;          // the largest, over the score and all arrows with a probability between 0.01 and 0.99
  double r_hat_score = 1;    // of the scores of the DAGs
  double ess = 0;            // effective samples: the smallest, over the same figures
  double ess_score = 0;      // of the scores
  double apart = 0;          // the largest difference between the chains in the probability of an arrow
  double accepted = 0;       // share of the steps
  int candidates = 0;        // most candidate parents of a node
  int max_parents = 0;       // most parents that a node may have in the sample
  long left_out = 0;         // arrows that knowledge and table allow, but not the candidates
  double left_out_gain = 0;  // what the best of them adds to the score of the first graph; 0 where there is none
  std::vector<ChainTrace> traces;

  bool converged() const { return samples > 0 && r_hat <= kGoodRHat && ess >= kGoodEss; }
};

struct Posterior {
  bool exact = false;
  int nodes = 0;
  std::vector<double> arrow;  // [from * nodes + to]
  std::vector<double> path;   // [from * nodes + to]: from is an ancestor of to
  SampleFigures sample;       // unless it is exact
  std::string stopped_by;     // "": nothing cut it short

  PairPosterior pair(Node from, Node to) const;
  double path_probability(Node from, Node to) const;
  bool empty() const { return !exact && sample.samples == 0; }
  bool converged() const { return exact || sample.converged(); }
};

// `graphs`: those that searches found, the best first; they suggest candidates. There must be at least one.
Posterior edge_posterior(const LocalScore& score, const Knowledge& knowledge, const std::vector<Dag>& graphs,
                         const PosteriorOptions& options, const Rng& rng, const Watch& watch = {});

}  // namespace agon
