// agon/agent/challenger.h
//
// Who plays the game against the opponent's graph. A challenger starts where the game stands, plays until its budget of
// moves is used, and reports every graph that beats the best so far.
//
//   Champion champion{game.dag(), game.score()};
//   PlayCounts n = play_local(game, champion, {.moves = 100000}, {}, Rng(0).split("play"), watch);
//   champion.dag, champion.score            // never below what it was
//
// What may be relied on: the champion changes only on a gain above the game's tolerance, recomputed from the local
// scores of its graph; the same game, budget and rng give the same play; `watch` can only cut it short.
#pragma once

#include <functional>
#include <vector>

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
  long episodes = 0;  // perturbations, for the local challenger
  long accepted = 0;  // episodes after which play went on from the new graph
  long improved = 0;  // new champions
};

// How a perturbation stays near where it began, and when it is kept.
struct LocalOptions {
  int longest = 20;        // edits of a perturbation are uniform on 1 .. longest
  double locality = 0.9;   // share of edits that touch a node this perturbation has already touched, [0, 1]
  double temperature = 0;  // nats: a loss of d is kept with probability exp(-d / temperature); 0: no loss is kept
  int return_after = 200;  // with a temperature: episodes without a new champion after which play returns to it
};

// Perturb a little, climb, keep what is not worse: k valid edits, their kinds balanced between add, remove and reverse,
// most of them near each other; then steepest ascent to a 1-optimal graph; then on from there unless the score fell,
// and else everything is taken back. The unlearned player: edits are drawn uniformly.
PlayCounts play_local(Game& game, Champion& champion, const PlayBudget& budget, const LocalOptions& options, Rng rng,
                      const Watch& watch = {});

}  // namespace agon
