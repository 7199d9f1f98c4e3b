// agon/opponent/boss_plain.h
//
// The search over orders written plainly: every grow-shrink starts from nothing, for every place of every variable. It
// is the twin that OrderSearch is tested and timed against; hundreds of times slower.
#pragma once

#include <vector>

#include "agon/graph/dag.h"
#include "agon/opponent/boss_trees.h"

namespace agon {

// Grow: add the variable of `prefix` that gains most, or, where none gains, the pair that does, as long as there is
// one. Shrink: drop the parent whose removal gains most, as long as one gains. Required parents are there from the
// start and stay.
std::vector<Node> plain_grow_shrink(const LocalScore& score, const OrderRules& rules, Node child,
                                    const std::vector<Node>& prefix, bool with_pairs = false);

double plain_order_score(const LocalScore& score, const OrderRules& rules, const std::vector<Node>& order,
                         bool with_pairs = false);
Dag plain_order_dag(const LocalScore& score, const OrderRules& rules, const std::vector<Node>& order,
                    bool with_pairs = false);

// Moves every variable in turn to the first of its best places; returns how many moved.
int plain_order_sweep(const LocalScore& score, const OrderRules& rules, std::vector<Node>& order,
                      bool with_pairs = false);

}  // namespace agon
