// agon/posterior/parent_table.h
//
// The scores of all parent sets that one node may have, and sums of their exponentials. Both ways to the posterior, the
// exact one and the sample, see the table of data through these tables alone.
//
//   const auto lists = candidate_parents(score, knowledge, {champion.dag}, 12);
//   ParentTable t = make_parent_table(score, knowledge, 5, lists[5], 4, watch);
//   t.own[0b11];         // s(5, required parents + candidates[0] + candidates[1])
//   t.within[0b11];      // ln of the sum of exp(own) over the four subsets of these two candidates
//
// What may be relied on: required parents are in every set and are not among the candidates; forbidden ones are in
// none. A set whose score is undefined, or that has more parents than allowed, has weight 0 (kLogZero).
#pragma once

#include <cstdint>
#include <vector>

#include "agon/base/stop.h"
#include "agon/graph/dag.h"
#include "agon/graph/knowledge.h"
#include "agon/posterior/log_sum.h"
#include "agon/score/local_score.h"

namespace agon {

using ParentMask = uint32_t;  // bit k stands for candidates[k]

struct ParentTable {
  Node child = 0;
  std::vector<Node> always;      // required parents, sorted
  std::vector<Node> candidates;  // sorted
  std::vector<double> own;       // by mask
  std::vector<double> within;    // by mask

  std::vector<Node> parents(ParentMask mask) const;  // sorted, those of `always` among them
  void sum_up();                                     // `within` from `own`
};

// The nodes that take part: those that are not constant.
std::vector<Node> varying_nodes(const LocalScore& score);

// By node: at most `most` nodes that may become its parents, sorted; neither forbidden nor required ones. First come
// parents in one of the graphs, then other neighbours there, then those that gain most, in turns alone and on top of
// the parents in graphs[0]. There must be at least one graph.
std::vector<std::vector<Node>> candidate_parents(const LocalScore& score, const Knowledge& knowledge,
                                                 const std::vector<Dag>& graphs, int most);

// By node: all nodes that may become its parents.
std::vector<std::vector<Node>> all_parents(const LocalScore& score, const Knowledge& knowledge);

// `most_parents` bounds the size of a set, the required ones included; so does the score. After a stop the table is not
// complete, and of no use.
ParentTable make_parent_table(const LocalScore& score, const Knowledge& knowledge, Node child,
                              const std::vector<Node>& candidates, int most_parents, const Watch& watch = {});

}  // namespace agon
