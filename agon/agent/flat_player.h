// agon/agent/flat_player.h
//
// The player of the flat challenger; flat.h says what it does and has its options.
//
//   Champion champion{game.dag(), game.score(), {}};
//   FlatPlayer player(game, {}, rng);
//   player.play(game, champion, {.moves = 5000});     // keeps learning from call to call
//   player.show(game, champion);                      // one episode of what it has learned, no exploration
#pragma once

#include <optional>
#include <vector>

#include "agon/agent/challenger.h"
#include "agon/agent/double_dqn.h"
#include "agon/agent/flat.h"
#include "agon/agent/flat_features.h"
#include "agon/agent/flat_moves.h"
#include "agon/agent/replay.h"

namespace agon {

class FlatPlayer : public Challenger {
 public:
  // The warm start A_0 is the game's current graph.
  FlatPlayer(const Game& game, const FlatOptions& options, Rng rng);

  // Makes the game's current graph the new warm start. What was learned is kept.
  void set_warm_start(const Game& game) override;
  void exchange_state(Archive& archive, const Game& game) override;

  // Plays episodes from A_0 until the budget is used, and leaves the game where the last one ended. With `follow`, a
  // champion that scores above A_0 replaces it first.
  PlayCounts play(Game& game, Champion& champion, const PlayBudget& budget, const Watch& watch = {}) override;
  // Plays one episode from A_0 by the arg max alone, without exploring or learning. Returns its moves.
  std::vector<Undo> show(Game& game, Champion& champion, const Watch& watch = {});

  // The move that the player considers best in the game's current graph, which must be A_0 or have been reached by this
  // player's own play; nothing when no move is valid.
  std::optional<EdgeMove> best_move(const Game& game, const Champion& champion);
  // Q of a valid move there, in nats.
  double q(const Game& game, const Champion& champion, EdgeMove move);

  const FlatOptions& options() const { return options_; }
  const Mlp& network() const { return dqn_.online(); }
  long updates() const { return dqn_.updates(); }

 private:
  using Learner = DoubleDqn<MoveScorer<float>>;

  void begin_episode(Game& game);
  void look(const Game& game, const Champion& champion);  // fills found_ and, when learning, their features
  size_t choose() const;                                  // index into found_
  Undo move_to(Game& game, Champion& champion, EdgeMove move, PlayCounts& counts);
  void remember();
  void learn();
  double reach() const { return options_.learning ? 2 * options_.discount * options_.bound : 0; }

  FlatOptions options_;
  int episode_moves_;
  Dag warm_start_;
  double warm_score_;
  Rng explore_, sample_;
  MoveSieve sieve_;
  FlatFeatures features_;
  Learner dqn_;
  Replay<Learner::Transition> replay_;
  long steps_ = 0;  // moves of play() so far, for the schedule

  double score_ = 0;         // of the game's graph, kept by adding up gains
  std::vector<Node> dirty_;  // nodes whose parents this episode changed
  std::vector<WorthyMove> found_;
  NetMatrix<float> columns_;  // features of found_, one column each
  NetVector<float> taken_;    // features of the last move, until it is known what follows
  double taken_worth_ = 0;
  bool waiting_ = false;
  mutable MlpWork<float> work_;
  std::vector<const Learner::Transition*> batch_;
};

}  // namespace agon
