// agon/agent/local.h
//
// The local challenger: perturb a little, climb, keep what is not worse. A few valid edits near each other, then
// steepest ascent to a 1-optimal graph, then on from there unless the score fell; else everything is taken back.
//
//   LocalPlayer player(game, {}, Rng(0).split("local"));
//   PlayCounts n = player.play(game, champion, {.moves = 5000}, watch);    // goes on from call to call
//
// Who draws the edits is the proposal (proposal.h): uniform, by a hand-set rule, or ranked by a network trained
// beforehand. How many edits is a bandit's choice (`adaptive`): lengths fall into bins, and a bin is drawn in
// proportion to its successes per move, lately; a fifth of the draws stay uniform. With `learning` a Double DQN goes on
// learning during the match: the reward of a perturbation is what it gained, cut to [-1, 5] in units of ten nats, given
// at its last edit; gamma = 1. Its values are added to the proposal's scores, zero at the start, so the twin that does
// not learn plays the same game with the same draws until the first difference in value.
#pragma once

#include <memory>
#include <vector>

#include "agon/agent/challenger.h"
#include "agon/agent/double_dqn.h"
#include "agon/agent/proposal.h"
#include "agon/agent/replay.h"

namespace agon {

struct LocalOptions {
  ProposalOptions proposal = {};
  int longest = 20;          // most edits of a perturbation, >= 1
  bool adaptive = true;      // lengths by what succeeded; false: uniform on 1 .. longest
  double temperature = 1.5;  // nats, >= 0: a loss of d is kept with probability exp(-d / temperature); 0: none is kept
  int return_after = 200;    // with a temperature: kept episodes without a new champion after which play returns to it

  bool learning = false;           // refine by Double DQN during the match. Prototype: it does not pay in general
  std::vector<int> hidden = {32};  // widths of that network's hidden layers, each >= 1
  double learning_rate = 1e-3;     // of Adam, > 0. Prototype
  double target_rate = 0.01;       // tau, (0, 1]. Prototype
  int batch = 16;                  // transitions per update, >= 1. Prototype
  int train_every = 4;             // edits per update, >= 1. Prototype
  int replay = 8000;               // transitions kept, >= batch. Prototype
  double value_temperature = 0.1;  // what is learned is divided by this before the softmax, > 0. Prototype
};

// Throws UsageError that names every field outside its range.
void check(const LocalOptions& options);

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

  double perturb(Game& game);        // fills played_; returns what the edits gained together
  void remember_edit();              // what the last edit led to: the candidates of the next
  void remember_end(double gained);  // what the whole perturbation came to
  void learn();

  LocalOptions options_;
  Rng rng_, sample_;
  Proposer proposer_;
  LengthBandit lengths_;
  std::vector<Undo> played_;
  int idle_ = 0;  // kept episodes since the champion last changed

  std::unique_ptr<Learner> dqn_;
  std::unique_ptr<Replay<Learner::Transition>> replay_;
  NetVector<float> taken_;  // features of the last edit, whose sequel is not known yet
  bool waiting_ = false;
  std::vector<const Learner::Transition*> batch_;
  long edits_ = 0;
};

}  // namespace agon
