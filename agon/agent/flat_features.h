// agon/agent/flat_features.h
//
// What the flat challenger's network sees of a move: a few numbers of order one, the same for any number of variables.
//
//   FlatFeatures features(warm_start);
//   features.begin_episode(200);
//   float column[kFlatFeatures];
//   features.write(game, sieve.blocked(), champion, game.score(), move, column);   // sieve: flat_moves.h
//   game.play(move);  features.played(move);
//
// The list: kind of move (3 numbers), gain squashed at 2, 10 and 50 nats, gain of taking the edge away and of the other
// direction, degrees of both ends (4), whether the edge is covered (its reversal keeps the class), common neighbours,
// best gain of one more parent at either end (2), the gain that this move may free from a cycle, whether it touches
// such a blocked gain, membership of the edge in the warm start and in the champion (2), how recently the pair was
// edited, whether the move takes the last one back, score below the champion, edges / budget, share of the episode
// left.
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
  // `score` is that of the game's graph, kept by the caller; `out` has kFlatFeatures places.
  void write(const Game& game, std::span<const BlockedGain> blocked, const Champion& champion, double score,
             EdgeMove move, float* out) const;

 private:
  Dag warm_start_;
  int length_ = 1, step_ = 0;
  std::unordered_map<uint64_t, int> edited_;  // pair -> step of its last edit in this episode; looked up only
  EdgeMove last_{MoveKind::kAdd, -1, -1};
};

}  // namespace agon
