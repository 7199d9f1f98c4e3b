// agon/match/player.h
//
// A player of a match, for match.cpp.
#pragma once

#include <memory>

#include "agon/agent/challenger.h"
#include "agon/base/archive.h"
#include "agon/game/game.h"
#include "agon/graph/graph_archive.h"

namespace agon {

// A player and its seat: a game, a cache and a random stream of its own, and the best graph it has seen since it was
// last given one. Players share nothing that changes, so a round may be played by any number of threads.
struct Player {
  ColumnCache cache;
  Game game;
  Champion best;
  size_t arm;
  std::unique_ptr<Challenger> challenger;
  PlayCounts counts;    // of the last round
  double gained = 0;    // in the last round
  int idle_rounds = 0;  // rounds since its best last rose

  Player(const LocalScore& score, const Dag& start, const GameOptions& options, const Knowledge& knowledge,
         size_t cache_bytes, size_t arm_number)
      : cache(score, cache_bytes), game(cache, start, options, knowledge), arm(arm_number) {
    best.dag = start;
    best.score = game.score();
  }

  // Restarts from a graph found elsewhere. The score is computed by this player's own game. Idle rounds are counted
  // from here, so the player gets as much time with the new graph as it had with the old.
  void restart(const Dag& dag) {
    game.reset(dag);
    best.dag = dag;
    best.score = game.score();
    challenger->set_warm_start(game);
    idle_rounds = 0;
  }

  // Gains are measured on the best graph, not on the current one: a challenger may go down for a while, and must
  // neither be credited for coming back nor blamed for the detour.
  void play(long moves, double tolerance, const Watch& watch) {
    const double before = best.score;
    counts = challenger->play(game, best, {.moves = moves}, watch);
    gained = best.score - before;
    idle_rounds = gained > tolerance ? 0 : idle_rounds + 1;
  }

  // The state between two rounds. Counts and gains of the last round have been booked by then, and are omitted. So is
  // the cache: it changes how long an answer takes, never the answer.
  void exchange_state(Archive& archive) {
    Dag stands = game.dag();
    archive(stands);
    archive(best.dag);
    archive(best.score);
    archive(idle_rounds);
    Archive::demand(stands.size() == game.size() && best.dag.size() == game.size());
    if (archive.reads()) game.reset(stands);
    challenger->exchange_state(archive, game);
  }
};

}  // namespace agon
