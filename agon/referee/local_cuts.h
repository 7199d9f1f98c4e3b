// agon/referee/local_cuts.h
//
// Cuts from a small set D of nodes: is what a point says about D a mixture of acyclic graphs on D, or less? If not, a
// linear program over weights w_j(A) finds an inequality that all acyclic graphs on D satisfy and the point does not.
//
//   LocalCutter cutter(p);
//   for (const ProofCut& cut : cutter.cuts(point, columns, 9, 40, watch)) ...
//
// The program has one weight for each pattern (j, A) that the point uses in D, and one row for each acyclic choice of
// patterns, which are found by dynamic programming over the subsets of D as they are violated. Its solution is scaled
// to small integers, the right side is computed again, and weights are lifted for patterns that occur among the
// families in use. Nobody has to believe any of it: the right side is what matters, and a checker computes it by
// itself.
#pragma once

#include <map>
#include <vector>

#include "agon/base/stop.h"
#include "agon/certificate/proof.h"
#include "agon/referee/relaxed_point.h"

namespace agon {

class LocalCutter {
 public:
  explicit LocalCutter(int nodes) : nodes_(nodes) {}

  // Tries about `tries` sets of at most `largest` nodes. `columns`: families in use, for lifting, by node.
  std::vector<ProofCut> cuts(const RelaxedPoint& point, const std::vector<std::vector<NodeBits>>& columns, int largest,
                             int tries, const Watch& watch);
  double work() const { return work_; }  // done so far, in nanoseconds, roughly

 private:
  std::vector<NodeBits> choose_sets(const RelaxedPoint& point, int largest, int tries) const;
  int nodes_;
  std::map<NodeBits, double> fruitful_;  // sets that gave cuts: they do so again
  long calls_ = 0;
  double work_ = 0;
};

}  // namespace agon
