// agon/graph/fit_network.h
//
// Makes a Bayesian network of a Dag and a table: one probability table per node, estimated from counts of the rows.
//
//   BayesNet net = fit_network(data, dag);
//   write_bif(out, net);
//
// With N rows in a configuration of the parents, of which N_k have level k (or their weights, where rows have weights),
// the probability of level k is
//
//   (N_k + a / (q r)) / (N + a / q),     q configurations, r levels, a = 1
//
// the mean of the BDeu posterior with equivalent sample size 1 (Heckerman, Geiger & Chickering 1995): a configuration
// that was never seen is uniform, and no probability is 0. Nodes are in the order of their names.
#pragma once

#include "agon/data/bayes_net.h"
#include "agon/data/dataset.h"
#include "agon/graph/dag.h"

namespace agon {

// How many probabilities the tables would hold, as a double because it may be beyond counting.
double network_size(const Dataset& data, const Dag& dag);

// InputError when a column is continuous.
BayesNet fit_network(const Dataset& data, const Dag& dag);

}  // namespace agon
