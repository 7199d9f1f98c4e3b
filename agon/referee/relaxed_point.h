// agon/referee/relaxed_point.h
//
// A solution of the relaxation: families with weights, those of each node summing to 1. What separates and rounds it
// looks at this alone.
//
//   point.arcs()[3][8];            // the weight of the families of 8 that hold 3
#pragma once

#include <vector>

#include "agon/certificate/node_bits.h"

namespace agon {

struct WeightedFamily {
  Node child = 0;
  NodeBits parents;
  double weight = 0;
};

struct RelaxedPoint {
  int nodes = 0;
  std::vector<WeightedFamily> families;  // with a weight above kLeastWeight, by child

  static constexpr double kLeastWeight = 1e-7;
  std::vector<std::vector<double>> arcs() const {  // [from][to]
    std::vector<std::vector<double>> out(nodes, std::vector<double>(nodes, 0));
    for (const WeightedFamily& f : families) {
      for (const Node q : f.parents.to_vector()) out[q][f.child] += f.weight;
    }
    return out;
  }
  bool is_integral() const {
    for (const WeightedFamily& f : families) {
      if (f.weight < 1 - 1e-6) return false;
    }
    return true;
  }
};

}  // namespace agon
