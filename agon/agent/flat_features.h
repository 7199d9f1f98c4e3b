// agon/agent/flat_features.h
//
// The inputs of the flat challenger's network: kFlatFeatures numbers of order one that describe a move, the same
// features for any number of variables.
//
//   FlatFeatures features(warm_start);
//   features.begin_episode(200);
//   float column[kFlatFeatures];
//   features.write(game, sieve.blocked(), champion, game.score(), move, column);   // sieve: flat_moves.h
//   game.play(move);  features.played(move);
//
// The list: kind of move (3 numbers), gain squashed at 2, 10 and 50 nats (3), gain of removing the edge and of adding
// the opposite one (2), parents and children of both ends (4), whether the edge is covered (its reversal keeps the
// class), common neighbours, best gain of one more parent of either end (2), the best gain that a cycle blocks and this
// move may unblock, whether the move touches a node of a blocked gain, whether the edge is in the warm start and in the
// champion (2), how recently the pair was edited, whether the move takes the last one back, how far the score is below
// the champion's, edges / budget, share of the episode left.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>

#include "agon/agent/challenger.h"
#include "agon/agent/flat_moves.h"

namespace agon {

constexpr int kFlatFeatures = 25;

class FlatFeatures {
 public:
  explicit FlatFeatures(Dag warm_start) : warm_start_(std::move(warm_start)) {}

  void begin_episode(int length);
  void played(EdgeMove move);
  // `score` is that of the game's graph, kept by the caller; `out` has room for kFlatFeatures numbers.
  void write(const Game& game, std::span<const BlockedGain> blocked, const Champion& champion, double score,
             EdgeMove move, float* out) const;

 private:
  Dag warm_start_;
  int length_ = 1, step_ = 0;
  std::unordered_map<uint64_t, int> edited_;  // pair -> step of its last edit in this episode; never iterated
  EdgeMove last_{MoveKind::kAdd, -1, -1};
};

}  // namespace agon
