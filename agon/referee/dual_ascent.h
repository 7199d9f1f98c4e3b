// agon/referee/dual_ascent.h
//
// A first bound, without a linear program: clusters whose multipliers are raised one at a time, each as far as it goes.
// Nodes are placed greedily by families of reduced cost 0 with all parents placed. Those that cannot be placed hold a
// set in which every such family has a parent: a violated cluster. It is made as small as single removals can make it,
// and its multiplier is raised by the smallest reduced cost of a family of it without a parent inside, which lowers the
// bound by as much.
//
//   CutPool pool(p);
//   AscentResult r = dual_ascent(space, pool, 1e9, watch);
//   r.multipliers, r.bound;
//
// Source: after Trösser, de Givry & Katsirelos 2021, IJCAI 30.
#pragma once

#include "agon/base/stop.h"
#include "agon/referee/cut_pool.h"

namespace agon {

struct AscentResult {
  std::vector<ProofMultiplier> multipliers;
  Units bound = 0;
  double work = 0;  // nanoseconds, roughly
};

// Adds the clusters it needs to `pool`. No list of `space` may be empty.
AscentResult dual_ascent(const SearchSpace& space, CutPool& pool, double work, const Watch& watch);

}  // namespace agon
