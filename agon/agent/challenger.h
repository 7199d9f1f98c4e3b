// agon/agent/challenger.h
//
// The interface of all challengers. A challenger starts from the game's current graph, plays until its budget of moves
// is used, and reports every graph that beats the best so far. Implementations: local.h, flat.h, paper.h.
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
#include <string>
#include <vector>

#include "agon/base/archive.h"
#include "agon/base/rng.h"
#include "agon/base/stop.h"
#include "agon/game/game.h"

namespace agon {

// The best graph so far. `on_new` is called for each new one, with the number of moves the game has seen by then.
struct Champion {
  Dag dag;
  double score = 0;
  std::function<void(long moves, double score, const Dag& dag)> on_new;

  // Takes over the game's graph if it beats the champion, and returns whether it did.
  bool challenge(const Game& game);
};

struct PlayBudget {
  long moves = 100000;  // most moves to make, including those taken back
};

struct PlayCounts {
  long moves = 0;
  long episodes = 0;      // perturbations, for the local challenger
  long accepted = 0;      // episodes after which play continued from the new graph
  long improved = 0;      // new champions
  double taken_back = 0;  // what the last episode had gained before it was taken back; 0: it was kept
};

class Challenger {
 public:
  virtual ~Challenger() = default;

  // Continues play with everything learned so far. The game must be as the last call left it, or have been passed to
  // set_warm_start() since.
  virtual PlayCounts play(Game& game, Champion& champion, const PlayBudget& budget, const Watch& watch = {}) = 0;
  // Makes the game's current graph the new warm start.
  virtual void set_warm_start(const Game& game) = 0;
  // Writes or reads everything that the next play() depends on, except the game (base/archive.h). To resume, construct
  // the challenger as before, set the game to the graph it had then, and read the state: play continues as if it had
  // never been interrupted.
  virtual void exchange_state(Archive& archive, const Game& game) = 0;
  // What a record of the play should say beside its counts: sentences, none by default.
  virtual std::vector<std::string> story() const { return {}; }
};

}  // namespace agon
