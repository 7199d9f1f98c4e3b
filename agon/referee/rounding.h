// agon/referee/rounding.h
//
// From a point of the relaxation to a graph: nodes are ordered greedily by how much of their weight has all parents
// placed, every node takes its best family among those before it, and single nodes are moved in the order as long as
// that gains.
//
//   RoundedDag r = round_point(point, lists.of);
//   r.dag, r.score;                         // the score in the units of the lists
#pragma once

#include <vector>

#include "agon/certificate/plain_bound.h"
#include "agon/referee/relaxed_point.h"

namespace agon {

struct RoundedDag {
  Dag dag;
  Units score = 0;
  bool found = false;  // false: some node had no family in this order
};

RoundedDag round_point(const RelaxedPoint& point, const std::vector<std::vector<BoundedFamily>>& lists);
// The same from an order of the nodes.
RoundedDag round_order(std::vector<Node> order, const std::vector<std::vector<BoundedFamily>>& lists);

}  // namespace agon
