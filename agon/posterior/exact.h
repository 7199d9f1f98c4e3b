// agon/posterior/exact.h
//
// The posterior over all DAGs on a few nodes, exactly: every DAG has the weight exp(score), and what is asked is the
// share of the weight that has an arrow, or a directed path.
//
//   ExactPosterior exact = exact_posterior(tables);          // one ParentTable per node, in the order of the nodes
//   exact.arrow[2 * p + 5];                                  // P(2 -> 5)
//   exact.path[2 * p + 5];                                   // P(2 is an ancestor of 5)
//
// How: for a node s, let D be s and its descendants, and N the other nodes. A DAG falls apart into three pieces: a DAG
// on N whose parents are all in N; the parents of s, all in N; and a DAG on D in which s is the only node without a
// parent in D, while parents in N are free. So with A_v(U) the sum of exp s(v, P) over the sets P within U,
//
//   weight(s, D) = R(N) A_s(N) g_D(D)
//   R(S)   = sum over T in S, not empty, of (-1)^(|T|+1) R(S - T) prod over v in T of A_v(S - T)
//   g_D(S) = the same sum over T in S - s, with A_v(N + S - T) - A_v(N) in place of A_v(S - T), and g_D({s}) = 1
//
// R is Robinson's recurrence (1973) over the set of sinks, with weights as in Tian & He (2009, UAI, "Computing
// posterior probabilities of structural features in Bayesian networks"). The share of D gives the descendants of s;
// the share of A_s(N) that has u in it gives the arrow u -> s. All of it takes about 4^p steps.
//
// What may be relied on: no prior but the uniform one over DAGs that the tables allow; for every s the shares of all D
// sum to 1, and `error` is the largest deviation from that: what rounding and cancellation have cost.
#pragma once

#include <vector>

#include "agon/posterior/parent_table.h"

namespace agon {

struct ExactPosterior {
  std::vector<double> arrow;  // [from * p + to], p the number of tables; by index into the tables
  std::vector<double> path;   // [from * p + to]: from -> ... -> to
  double log_weight = 0;      // of all DAGs together: ln of the sum of exp(score)
  double error = 0;
};

// Nodes beyond this many take too long.
inline constexpr int kMostExactNodes = 12;

// The candidates must be children of other tables: those who are not can be no parents.
ExactPosterior exact_posterior(const std::vector<ParentTable>& tables);

}  // namespace agon
