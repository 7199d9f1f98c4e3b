// agon/agent/local.h
//
// The local challenger: perturb a little, climb, keep what is not worse. A few valid edits near each other, then
// steepest ascent to a 1-optimal graph, then on from there unless the score fell; else everything is taken back.
//
// Who draws the edits is the proposal (proposal.h): uniform, by a hand-set rule, or ranked by a network trained
// beforehand. How many edits is a bandit's choice (`adaptive`): lengths fall into bins, and a bin is drawn in
// proportion to its successes per move, lately; a fifth of the draws stay uniform. With `learning` a Double DQN goes on
// learning during the match: the reward of a perturbation is what it gained, cut to [-1, 5] in units of ten nats, given
// at its last edit; gamma = 1. Its values are added to the proposal's scores, zero at the start, so the twin that does
// not learn plays the same game with the same draws until the first difference in value.
//
// Here are the options; the player is in local_player.h.
#pragma once

#include <vector>

#include "agon/agent/proposal.h"

namespace agon {

// Defaults without a source were chosen by trial on a few tables.
struct LocalOptions {
  ProposalOptions proposal = {};
  int longest = 20;          // most edits of a perturbation
  bool adaptive = true;      // lengths by what succeeded; false: uniform on 1 .. longest
  double temperature = 1.5;  // nats: a loss of d is kept with probability exp(-d / temperature); 0: none is kept
  int return_after = 200;    // with a temperature: kept episodes without a new champion after which play returns to it

  bool learning = false;           // refine by Double DQN during the match. Pays per move, not per second: docs/results
  std::vector<int> hidden = {32};  // widths of that network's hidden layers
  double learning_rate = 1e-3;     // of Adam
  double target_rate = 0.01;       // tau
  int batch = 16;                  // transitions per update
  int train_every = 4;             // edits per update
  int replay = 8000;               // transitions kept, at least a batch
  double value_temperature = 0.1;  // what is learned is divided by this before the softmax
};

// Each field as an option, with its range; `delta_plays_too` as in proposal.h.
void describe(LocalOptions& options, const Describe& option, bool delta_plays_too = false);
// Throws UsageError that names every field outside its range.
void check(const LocalOptions& options);

}  // namespace agon
