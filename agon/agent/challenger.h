// agon/agent/challenger.h
//
// Who plays the game against the opponent's graph. A challenger starts where the game stands, plays until its budget of
// moves is used, and reports every graph that beats the best so far. Its members: local.h, flat.h, paper.h.
//
//   Champion champion{game.dag(), game.score(), {}};
//   LocalPlayer player(game, {}, Rng(0).split("play"));
//   PlayCounts n = player.play(game, champion, {.moves = 100000}, watch);
//   champion.dag, champion.score;           // never below what it was
//
// What may be relied on: the champion changes only on a gain above the game's tolerance, recomputed from the local
// scores of its graph; the same game, budget and rng give the same play; `watch` can only cut it short.
#pragma once

#include <functional>
#include <vector>

#include "agon/base/archive.h"
#include "agon/base/rng.h"
#include "agon/base/stop.h"
#include "agon/game/game.h"

namespace agon {

// The best graph so far. `on_new` is told of each new one: how many moves the game has seen, and its score.
struct Champion {
  Dag dag;
  double score = 0;
  std::function<void(long moves, double score, const Dag& dag)> on_new;

  // Takes the game's graph when it beats the champion; true when it did.
  bool challenge(const Game& game);
};

struct PlayBudget {
  long moves = 100000;  // most moves to make, those taken back included
};

struct PlayCounts {
  long moves = 0;
  long episodes = 0;      // perturbations, for the local challenger
  long accepted = 0;      // episodes after which play went on from the new graph
  long improved = 0;      // new champions
  double taken_back = 0;  // what the last episode had gained when it was taken back; 0: play stands where it ended
};

class Challenger {
 public:
  virtual ~Challenger() = default;

  // Plays on; what was learned before is kept. The game must be the one of the last call, where that call left it, or
  // have been handed over by set_warm_start().
  virtual PlayCounts play(Game& game, Champion& champion, const PlayBudget& budget, const Watch& watch = {}) = 0;
  // A new warm start: where the game stands now.
  virtual void set_warm_start(const Game& game) = 0;
  // Everything that the next play() depends on beside the game, written or read (base/archive.h). To go on from what
  // was saved, make the challenger as then, put the game where it stood, and read: play goes on as if nothing had
  // happened.
  virtual void exchange_state(Archive& archive, const Game& game) = 0;
};

}  // namespace agon
