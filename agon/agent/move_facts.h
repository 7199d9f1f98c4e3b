// agon/agent/move_facts.h
//
// Facts about a move that the networks of several challengers take as inputs, each a number of order one.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "agon/game/game.h"

namespace agon {

// The unordered pair of nodes as one number.
inline uint64_t pair_key(Node a, Node b) {
  return (static_cast<uint64_t>(std::min(a, b)) << 32) | static_cast<uint32_t>(std::max(a, b));
}

// A rational sigmoid: bounded by 1, and far cheaper than tanh.
inline float squash(double x, double scale) {
  if (!(x > -1e9)) return -1;  // a model that cannot be fitted
  return static_cast<float>(x / (scale + std::abs(x)));
}

// The squashed gain if it is positive, else 0.
inline float gain_size(double gain) { return gain > 0 ? squash(gain, 10) : 0; }

// How many nodes are in both (a or b) and (c or d).
inline int common(NodeView a, NodeView b, NodeView c, NodeView d) {
  int count = 0;
  for (int k = 0; k < a.word_count(); ++k) {
    count += std::popcount((a.word(k) | b.word(k)) & (c.word(k) | d.word(k)));
  }
  return count;
}

inline int common_neighbours(const Dag& dag, Node a, Node b) {
  return common(dag.parents(a), dag.children(a), dag.parents(b), dag.children(b));
}

// Pa(to) = Pa(from) + from: reversing from -> to keeps the equivalence class (Chickering 1995, definition 2).
inline bool is_covered(const Dag& dag, Node from, Node to) {
  const NodeView pf = dag.parents(from), pt = dag.parents(to);
  return pf.is_subset_of(pt) && pt.count() == pf.count() + 1;
}

// The gain of the best new parent of v, legal or not; 0 if none would gain.
inline double best_addition(const Game& game, Node v) {
  const std::span<const ParentGain> best = game.deltas().best_additions(v);
  return best.empty() ? 0 : best[0].gain;
}

}  // namespace agon
