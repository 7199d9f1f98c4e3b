// agon/agent/local_player.h
//
// The player of the local challenger; local.h says what it does and has its options.
//
//   LocalPlayer player(game, {}, Rng(0).split("local"));
//   PlayCounts n = player.play(game, champion, {.moves = 5000}, watch);    // continues from call to call
#pragma once

#include <memory>
#include <vector>

#include "agon/agent/challenger.h"
#include "agon/agent/double_dqn.h"
#include "agon/agent/local.h"
#include "agon/agent/proposer.h"
#include "agon/agent/replay.h"

namespace agon {

// Bins of perturbation lengths, chosen by how often they succeeded per move.
class LengthBandit {
 public:
  explicit LengthBandit(int longest);
  int draw(Rng& rng);                     // a length; remembers its bin
  void report(bool success, long moves);  // of the perturbation last drawn
  void exchange_state(Archive& archive) { archive(bins_); }

 private:
  struct Bin {
    int first, last;
    double successes, moves;
  };
  std::vector<Bin> bins_;
  size_t drawn_ = 0;
};

class LocalPlayer : public Challenger {
 public:
  LocalPlayer(const Game& game, const LocalOptions& options, Rng rng);

  PlayCounts play(Game& game, Champion& champion, const PlayBudget& budget, const Watch& watch = {}) override;
  void set_warm_start(const Game&) override { idle_ = 0; }
  void exchange_state(Archive& archive, const Game& game) override;

  const LocalOptions& options() const { return options_; }
  long updates() const { return dqn_ ? dqn_->updates() : 0; }

 private:
  using Learner = DoubleDqn<MoveScorer<float>>;

  double perturb(Game& game);        // fills played_; returns the total gain of the edits
  void remember_edit();              // stores the last edit with the draws for the next
  void remember_end(double gained);  // stores the last edit with the gain of the episode
  void learn();

  LocalOptions options_;
  Rng rng_, sample_;
  Proposer proposer_;
  LengthBandit lengths_;
  std::vector<Undo> played_;
  int idle_ = 0;  // kept episodes since the champion last changed

  std::unique_ptr<Learner> dqn_;
  std::unique_ptr<Replay<Learner::Transition>> replay_;
  NetVector<float> taken_;  // features of the last edit, until it is known what follows
  bool waiting_ = false;
  std::vector<const Learner::Transition*> batch_;
  long edits_ = 0;
};

}  // namespace agon
