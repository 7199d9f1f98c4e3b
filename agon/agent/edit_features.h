// agon/agent/edit_features.h
//
// What a proposal network sees of an edit that might open or continue a perturbation: numbers of order one, the same
// for any number of variables and any score.
//
//   EditFeatures features(p);
//   features.begin(4);                           // a perturbation of four edits
//   float column[kEditFeatures];
//   features.write(game, move, column);
//   game.play(move);  features.played(move);
//
// The list: kind of edit (3 numbers); gain squashed at 2, 10 and 50 nats; gain of taking the edge away and of the other
// direction (2); parents and children of both ends (4); whether the edge is covered; common neighbours, common parents,
// common children and nodes on a path of two between the ends (4); best gain of one more parent at either end, blocked
// ones included (2); the gain that taking the edge away may free from a cycle; whether this perturbation touched either
// end (2), edited this very pair, changed the parents of either end (2); nodes above and below, as shares (2); whether
// it is the first edit, how many went before, how many are still to come; the number of nodes and edges (2).
#pragma once

#include <vector>

#include "agon/game/game.h"

namespace agon {

constexpr int kEditFeatures = 32;

// The nodes and pairs one perturbation has touched, and what an edit looks like in its light.
class EditFeatures {
 public:
  explicit EditFeatures(int nodes) : marks_(nodes, 0) {}

  void begin(int length);  // a new perturbation of so many edits
  void played(EdgeMove move);

  bool any_touched() const { return !touched_.empty(); }
  const std::vector<Node>& touched() const { return touched_; }  // each once, in order of touch

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
