// agon/game/game.h
//
// The game that challengers play: edit a Dag, one edge at a time, so that its score rises.
//
//   ColumnCache cache(score);
//   Game game(cache, warm_start, {}, knowledge);
//   Undo u = game.play({MoveKind::kAdd, 2, 5});      // u.gain, u.reward
//   game.take_back(u);                               // everything as before
//
// State: a Dag A. Moves: Add, Remove, Reverse on an ordered pair. A move is *valid* when the result is acyclic, has at
// most B edges, respects the knowledge, and has a score (a model that cannot be fitted has none). The reward is
//
//   r(A -> A') = (S(A') - S(A)) / p - lambda |A'| - c,      |A'| the number of edges
//
// and forcing an invalid move leaves A as it is and costs delta. Gains are look-ups in the delta table.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "agon/base/rng.h"
#include "agon/graph/knowledge.h"
#include "agon/graph/live_dag.h"
#include "agon/score/delta_table.h"
#include "agon/score/move_choice.h"

namespace agon {

struct GameOptions {
  int edge_budget = 0;         // B, most edges; 0: max(2 |A_0|, 4 p), which does not bind; never below |A_0|
  double lambda = 0.005;       // price per edge and move, >= 0. The paper's config
  double step_cost = 0.01;     // c, price per move, >= 0. The paper's config
  double illegal_penalty = 1;  // delta, what forcing an invalid move costs, >= 0
};

// What a move did, and what take_back() needs.
struct Undo {
  EdgeMove move;
  bool made = false;  // false: the move was not valid and nothing changed
  double gain = 0;    // S(A') - S(A)
  double reward = 0;
};

// What can happen to a game, as reported to its onlooker.
enum class GameEvent {
  kPlayed,        // a move was made, or refused (Undo::made)
  kTakenBack,     // a move was taken back
  kReset,         // the whole graph was replaced
  kAscentBegins,  // the moves until kAscentEnds are steepest ascent
  kAscentEnds
};

class Game {
 public:
  // Called after each event; playthroughs and timings are recorded this way.
  using Onlooker = std::function<void(const Game& game, GameEvent event, const Undo& undo)>;

  // `start` must satisfy the knowledge. The cache and the knowledge must outlive the game. With many nodes the gains
  // take seconds: a stop request throws Interrupted before there is a game.
  Game(ColumnCache& cache, const Dag& start, const GameOptions& options, const Knowledge& knowledge,
       const Watch& watch = {});

  int size() const { return live_.size(); }
  const Dag& dag() const { return live_.dag(); }
  const LiveDag& live() const { return live_; }
  const DeltaTable& deltas() const { return deltas_; }
  const Knowledge& knowledge() const { return knowledge_; }
  const GameOptions& options() const { return options_; }
  int edge_budget() const { return edge_budget_; }
  void raise_edge_budget(int most) { edge_budget_ = std::max(edge_budget_, most); }
  long moves() const { return moves_; }            // made since construction, including those taken back
  double score() const;                            // S(A), summed from the local scores in node order
  double tolerance() const { return tolerance_; }  // gains closer than this are ties (tie_tolerance)

  bool is_valid(EdgeMove move) const;
  double gain(EdgeMove move) const { return deltas_.gain(move); }  // of a move that is legal in the graph
  double reward(EdgeMove move) const;                              // of a valid move
  std::vector<EdgeMove> valid_moves() const;                       // the mask as a list, by head, tail, kind
  // The valid move that gains most, if any gains; ties go to fewer edges, then to smaller nodes.
  std::optional<EdgeMove> best_gaining_move() const;

  Undo play(EdgeMove move);
  void take_back(const Undo& undo);
  void count_pass() { ++moves_; }  // counts a turn in which no move was found
  // Begins a new episode; moves() keeps counting. After a stop request, which throws Interrupted, the game is useless.
  void reset(const Dag& dag, const Watch& watch = {});

  void set_onlooker(Onlooker onlooker) { onlooker_ = std::move(onlooker); }
  void tell(GameEvent event, const Undo& undo = {}) const {
    if (onlooker_) onlooker_(*this, event, undo);
  }

 private:
  double make(EdgeMove move);  // returns the change in score

  const Knowledge& knowledge_;
  GameOptions options_;
  LiveDag live_;
  DeltaTable deltas_;
  int edge_budget_;
  double tolerance_;
  mutable GainingMoves gaining_;  // catches up with the graph when asked
  long moves_ = 0;
  Onlooker onlooker_;
};

// Steepest ascent from the game's current graph to a 1-optimal one; returns the moves made.
std::vector<Undo> ascend(Game& game);
void ascend(Game& game, std::vector<Undo>& played);  // appends them
// Returns false if it was asked to stop on the way, where each move still gained.
bool ascend(Game& game, std::vector<Undo>& played, const Watch& watch);

// Text for people, one line per fact: the state with its edges by name, and a move with what it did.
std::string describe(const Game& game, const std::vector<std::string>& names);
std::string describe(const Undo& played, const std::vector<std::string>& names);

}  // namespace agon
