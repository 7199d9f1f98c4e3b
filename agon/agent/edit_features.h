// agon/agent/edit_features.h
//
// The inputs of a proposal network: kEditFeatures numbers of order one that describe an edit which might begin or
// continue a perturbation. They are the same features for any number of variables and any score.
//
//   EditFeatures features(p);
//   features.begin(4);                           // a perturbation of four edits
//   float column[kEditFeatures];
//   features.write(game, move, column);
//   game.play(move);  features.played(move);
//
// The list: kind of edit (3 numbers); gain squashed at 2, 10 and 50 nats (3); gain of removing the edge and of adding
// the opposite one (2); parents and children of both ends (4); whether the edge is covered; common neighbours, common
// parents, common children and nodes on a path of two edges between the ends (4); best gain of one more parent of
// either end, even if it closes a cycle (2); the best gain that a cycle blocks and removing the edge may unblock;
// whether this perturbation touched either end (2), edited this very pair, changed the parents of either end (2);
// ancestors of the tail and descendants of the head, as shares of all nodes (2); whether it is the first edit, how many
// came before, how many are still to come; the number of nodes and of edges per node (2).
#pragma once

#include <vector>

#include "agon/game/game.h"

namespace agon {

constexpr int kEditFeatures = 32;

// Keeps track of the nodes and pairs that a perturbation has touched, and writes the features of its next edit.
class EditFeatures {
 public:
  explicit EditFeatures(int nodes) : marks_(nodes, 0) {}

  void begin(int length);  // starts a perturbation of `length` edits
  void played(EdgeMove move);

  bool any_touched() const { return !touched_.empty(); }
  const std::vector<Node>& touched() const { return touched_; }  // each once, in the order touched

  void write(const Game& game, EdgeMove move, float* out) const;

 private:
  void touch(Node v, bool parents_changed);

  static constexpr char kTouched = 1, kParentsChanged = 2;
  std::vector<char> marks_;  // by node
  std::vector<Node> touched_;
  std::vector<EdgeMove> edits_;
  int length_ = 1;
};

}  // namespace agon
