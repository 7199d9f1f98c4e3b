// agon/agent/local.h
//
// The local challenger: perturb a little, climb, keep what is not worse. It makes a few valid edits near each other,
// then climbs by steepest ascent to a 1-optimal graph. Unless the score fell, play continues from there; if it fell,
// the whole episode is taken back (but see `temperature`).
//
// The proposal (proposal.h) says how edits are drawn: uniformly, by gain, by a hand-set rule, or ranked by a network
// trained beforehand. A bandit chooses how many (`adaptive`): lengths are grouped into bins, and a bin is chosen in
// proportion to its recent successes per move; a fifth of the choices are uniform. With `learning`, a Double DQN learns
// during the match: the reward of a perturbation is what it gained, clamped to [-1, 5] in units of ten nats, and given
// at its last edit; gamma = 1. Its values start at zero and are added to the proposal's scores. So the twin that does
// not learn plays the same game with the same draws until the values first make a difference.
//
// This header has the options; the player is in local_player.h.
#pragma once

#include <vector>

#include "agon/agent/proposal.h"

namespace agon {

// Defaults without a source were chosen by trial on a few tables.
struct LocalOptions {
  ProposalOptions proposal = {};
  int longest = 20;          // most edits of a perturbation
  bool adaptive = true;      // lengths by recent success; false: uniform on 1 .. longest
  double temperature = 1.5;  // nats: a loss of d is kept with probability exp(-d / temperature); 0: none is kept
  int return_after = 200;    // with a temperature: kept episodes without a new champion before play returns to it

  bool learning = false;           // refine by Double DQN in the match. Pays off per move, not per second: docs/results
  std::vector<int> hidden = {32};  // widths of that network's hidden layers
  double learning_rate = 1e-3;     // of Adam
  double target_rate = 0.01;       // tau
  int batch = 16;                  // transitions per update
  int train_every = 4;             // edits per update
  int replay = 8000;               // transitions kept, at least a batch
  double value_temperature = 0.1;  // the learned value is divided by this before the softmax
};

// Each field as an option, with its range; `delta_plays_too` as in proposal.h.
void describe(LocalOptions& options, const Describe& option, bool delta_plays_too = false);
// Throws a UsageError that names every field outside its range.
void check(const LocalOptions& options);

}  // namespace agon
