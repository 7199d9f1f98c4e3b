// agon/agent/flat.h
//
// The flat challenger: the paper's game at any size. Single edits, episodes that begin at the warm start, a Double DQN
// that may pay now to gain later.
//
//   Champion champion{game.dag(), game.score(), {}};
//   FlatPlayer player(game, {}, rng);
//   player.play(game, champion, {.moves = 5000});     // goes on learning from call to call
//   player.show(game, champion);                      // one episode of what it has learned, no exploration
//
// Q is a known part and a learned, bounded one:
//
//   Q(A, a) = r(A, a) + gamma W(phi(A, a)),      |W| <= w
//
// r comes exactly from the delta table; W, what follows after the move, is one small network shared by all moves over
// the numbers of flat_features.h, zero at the start. Untrained it is steepest ascent on the reward. Because W is
// bounded, only moves with r >= r_max - 2 gamma w can be the arg max, and only those are looked at (flat_moves.h).
//
// Departure D8: r is counted in nats and relative to standing still, p (r(A -> A') - r(A -> A)). The moves of a state
// keep their order; what is summed becomes (S(A_T) - S(A_0)) - lambda p (|A_T| - |A_0|), while the literal sum charges
// lambda |A| at every step, which at gamma = 0.99 is worth lambda p / (1 - gamma) = p / 2 nats per edge: more than most
// edges gain. Departure D9: when more moves than `candidates` lie within reach, the arg max runs over the best of them
// by r. As in the paper's algorithm 1, the end of an episode is a cut, not a terminal state: what follows it counts.
//
// What may be relied on: as in challenger.h; every visited state is held against the champion.
#pragma once

#include <optional>

#include "agon/agent/challenger.h"
#include "agon/agent/double_dqn.h"
#include "agon/agent/flat_features.h"
#include "agon/agent/flat_moves.h"
#include "agon/agent/replay.h"
#include "agon/agent/schedule.h"

namespace agon {

struct FlatOptions {
  bool learning = true;            // false: the unlearned twin, W = 0, the same moves otherwise
  bool follow = true;              // play() begins at the champion when that stands above the warm start. Departure D20
  int episode_moves = 0;           // T, moves of an episode, >= 0; 0: min(20 p, 300). The paper: 20 p
  double discount = 0.95;          // gamma, [0, 1). Nearer than the paper's 0.99: a pit is crossed in few moves
  double bound = 10;               // w in nats, > 0: the future of a move counts for at most this. Tried: 1, 3, 10
  int candidates = 32;             // most moves per state that the network sees, >= 1
  std::vector<int> hidden = {32};  // widths of the network's hidden layers, each >= 1
  double learning_rate = 1e-3;     // of Adam, > 0. Prototype
  double target_rate = 0.01;       // tau, (0, 1]. Prototype
  int batch = 16;                  // transitions per update, >= 1. Prototype
  int train_every = 4;             // moves per update, >= 1. Prototype
  int replay = 8000;               // transitions kept, >= batch. Prototype
  Exploration exploration = {.from = 0.25, .floor = 0.05, .steps = 20000};  // departure D10
};

// Throws UsageError that names every field outside its range.
void check(const FlatOptions& options);

class FlatPlayer : public Challenger {
 public:
  // The warm start A_0 is where the game stands.
  FlatPlayer(const Game& game, const FlatOptions& options, Rng rng);

  // A new warm start: where the game stands now. What was learned stays.
  void set_warm_start(const Game& game) override;
  void exchange_state(Archive& archive, const Game& game) override;

  // Episodes from A_0 until the budget is used; the game is left where the last one ended. With `follow`, a champion
  // that stands above A_0 takes its place first.
  PlayCounts play(Game& game, Champion& champion, const PlayBudget& budget, const Watch& watch = {}) override;
  // One episode from A_0 by the arg max alone: nothing is explored, nothing learned. Returns its moves.
  std::vector<Undo> show(Game& game, Champion& champion, const Watch& watch = {});

  // The move the player holds best where the game stands, which must have been reached by this player's own play or be
  // A_0; nothing when no move is valid.
  std::optional<EdgeMove> best_move(const Game& game, const Champion& champion);
  // Q in nats of a valid move there.
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

  double score_ = 0;         // of the game's graph, by adding gains up
  std::vector<Node> dirty_;  // nodes whose parents this episode changed
  std::vector<WorthyMove> found_;
  NetMatrix<float> columns_;  // features of found_, one column each
  NetVector<float> taken_;    // features of the move made, waiting for what follows
  double taken_worth_ = 0;
  bool waiting_ = false;
  mutable MlpWork<float> work_;
  std::vector<const Learner::Transition*> batch_;
};

}  // namespace agon
