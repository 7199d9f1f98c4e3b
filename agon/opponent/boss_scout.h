// agon/opponent/boss_scout.h
//
// A scout walks the tree of one variable ahead of a search over orders, on a thread of its own, and computes the
// columns of gains that are not there yet. The search then finds them (ParentTrees::expect) and need not compute them
// itself.
//
//   ParentTrees trees(score, {}, 96 << 20, true);
//   std::atomic<long> room = 8 << 20;                              // bytes that all scouts together may bring
//   Scout scout(trees, 5, room);
//   boss_walks::walk(scout, scout.root(), 0, 1, [](Node) { return 0; });   // any walk of boss_walks.h
//   trees.expect(scout.take());                                    // when no scout walks any more
//
// Scouts change nothing, so any number of them may walk at a time while nobody else uses the trees. Nor does what they
// bring: the trees grow as they would have grown, with the same bits, counts and bytes. A scout that guessed wrong has
// wasted its time and no more.
#pragma once

#include <atomic>
#include <span>
#include <unordered_map>
#include <vector>

#include "agon/opponent/boss_trees.h"

namespace agon {

class Scout {
 public:
  Scout(const ParentTrees& trees, Node child, std::atomic<long>& room) : trees_(trees), child_(child), room_(room) {}

  // As ParentTrees has them.
  TreeIndex root();
  std::span<const ParentTrees::Branch> branches(TreeIndex at) const;
  std::span<const ParentTrees::PairBranch> pairs(TreeIndex at);
  TreeIndex grown(TreeIndex at, int k);

  std::vector<ParentTrees::Column> take();  // what it computed

 private:
  // A node that the trees do not have yet.
  struct Own {
    std::vector<Node> parents;
    uint64_t key;
    std::vector<ParentTrees::Branch> branches;
  };
  std::vector<Node> parents_at(TreeIndex at) const;
  TreeIndex discover(std::vector<Node> parents);

  const ParentTrees& trees_;
  Node child_;
  std::atomic<long>& room_;
  std::vector<Own> own_;
  std::unordered_map<TreeIndex, std::vector<ParentTrees::PairBranch>> own_pairs_;  // looked up, never iterated
  std::vector<ParentTrees::Column> columns_;
};

}  // namespace agon
