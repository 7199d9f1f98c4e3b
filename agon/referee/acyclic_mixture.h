// agon/referee/acyclic_mixture.h
//
// Is what a point says about a few nodes a mixture of acyclic graphs on them, or less? If not, which inequality tells?
//
//   std::vector<Pattern> patterns = {{0, 0b010, 0.9}, {1, 0b001, 0.9}};      // 1 -> 0 and 0 -> 1, both with weight 0.9
//   AcyclicChoice choice(2);
//   std::vector<double> w = facet(patterns, choice, 0.01);   // {1, 1}: no acyclic graph has both, so w x <= 1
//   choice.best(patterns, w);                            // 1: the highest sum of weights of an acyclic graph
//
// The mixture is found by column generation: the cheapest sum of multiples of acyclic choices that covers the shares.
// Its columns are the acyclic choices of one pattern, or none, for each node; the one that improves most comes from
// dynamic programming over the subsets. If the sum exceeds 1, the duals are the weights of a facet. The simplex method
// keeps the inverse of its small basis as a dense matrix: a few microseconds a step, which no general solver can do.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace agon {

struct Pattern {
  int child;         // place in the set of nodes
  uint32_t parents;  // places, as bits
  double share;      // of the point
};

// The best acyclic choice of one pattern, or none, for each node. At most kMost nodes.
class AcyclicChoice {
 public:
  static constexpr int kMost = 12;

  explicit AcyclicChoice(int size);
  int size() const { return size_; }
  // The highest sum of weights, weights[k] >= 0 belonging to patterns[k]; `chosen` gets the patterns that make it.
  // `forced`: this node has exactly these parents, and adds nothing. Single precision: whole numbers are exact.
  double best(const std::vector<Pattern>& patterns, const std::vector<double>& weights,
              std::vector<int>* chosen = nullptr, int forced = -1, uint32_t forced_parents = 0);

  double work = 0;  // nanoseconds so far, roughly

 private:
  void trace(const std::vector<Pattern>& patterns, const std::vector<double>& weights, std::vector<int>& chosen) const;
  int size_;
  std::vector<std::array<float, kMost>> row_;  // by set of nodes placed: what each node can have then
  std::vector<float> whole_;                   // by set: the best of its nodes
};

// Weights with a sum of weight * share of at least 1 + `least`, although every acyclic choice has at most 1: those of a
// facet. Empty if there are none, or the steps did not suffice.
std::vector<double> facet(const std::vector<Pattern>& patterns, AcyclicChoice& choice, double least);

}  // namespace agon
