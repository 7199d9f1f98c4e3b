// agon/referee/local_cuts.h
//
// Cuts from a small set D of nodes: inequalities over weights w_j(A) that all acyclic graphs on D satisfy and a point
// does not, because what it says about D is no mixture of acyclic graphs (acyclic_mixture.h).
//
//   LocalCutter cutter(p);
//   for (const ProofCut& cut : cutter.cuts(point, columns, 9, 40, watch)) ...
//
// The weights of a facet are scaled to small integers, the right side is computed again, and weights are lifted for
// patterns that occur among the families in use, those first that lose least. Nobody has to believe any of it: the
// right side is what matters, and a checker computes it by itself.
#pragma once

#include <map>
#include <vector>

#include "agon/base/stop.h"
#include "agon/certificate/proof.h"
#include "agon/referee/relaxed_point.h"

namespace agon {

struct FamilyInUse {
  NodeBits parents;
  double loss = 0;  // nats that it is behind the best of its node, after the multipliers
};

class LocalCutter {
 public:
  explicit LocalCutter(int nodes) : nodes_(nodes) {}

  // Tries about `tries` sets of at most `largest` nodes. `columns`: families in use, for lifting, by node.
  std::vector<ProofCut> cuts(const RelaxedPoint& point, const std::vector<std::vector<FamilyInUse>>& columns,
                             int largest, int tries, const Watch& watch);
  double work() const { return work_; }  // done so far, in nanoseconds, roughly

 private:
  std::vector<NodeBits> choose_sets(const RelaxedPoint& point, int largest, int tries) const;
  int nodes_;
  std::map<NodeBits, double> fruitful_;  // sets that gave cuts: they do so again
  long calls_ = 0;
  double work_ = 0;
};

}  // namespace agon
