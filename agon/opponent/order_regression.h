// agon/opponent/order_regression.h
//
// From an order of the variables to a graph: every variable is regressed on those before it, and only the significant
// ones stay its parents. The last step of the LiNGAM methods.
//
//   Correlations c = correlations(standardise(data));
//   std::vector<WeightedEdge> edges = regress_in_order(c, order, {}, threads);   // weight: |standardised coefficient|
//
// Selection is stepwise by the Gaussian BIC. The variable that lowers the residual variance most enters, as long as
// that pays for its 1/2 ln n; then those that no longer pay leave. Required edges always enter, forbidden ones never.
// Everything is computed from one correlation matrix by the sweep operator (Goodnight 1979, American Statistician 33).
// A variable that is determined by those already in does not enter, and a variable that is determined itself takes no
// more parents.
#pragma once

#include <vector>

#include "agon/base/stop.h"
#include "agon/graph/knowledge.h"
#include "agon/opponent/standard_table.h"
#include "agon/opponent/weighted_graph.h"

namespace agon {

struct Correlations {
  int size = 0;
  double rows = 0;
  std::vector<double> value;  // [a][b], by variable of the table
  std::vector<int> node;      // by variable
  double at(int a, int b) const { return value[static_cast<size_t>(a) * size + b]; }
};

Correlations correlations(const StandardTable& table);

// `order` holds variables, causes first; edges are between nodes. Variables that were not reached before a stop get no
// parents.
std::vector<WeightedEdge> regress_in_order(const Correlations& c, const std::vector<int>& order,
                                           const Knowledge& knowledge, int threads = 1, const Watch& watch = {});

// May v come before all of `rest` in an order? None of them may be required to cause v. With `tiers`, in addition, v
// must be allowed to cause each of them that may cause v.
bool may_come_first(int v, const std::vector<int>& rest, const std::vector<int>& node, const Knowledge& knowledge,
                    bool tiers);

}  // namespace agon
