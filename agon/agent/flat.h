// agon/agent/flat.h
//
// The flat challenger: the paper's game at any size. It makes single edits, in episodes that begin at the warm start,
// chosen by a Double DQN that may accept a loss now for a gain later.
//
// Q is the sum of a known part and a learned, bounded one:
//
//   Q(A, a) = r(A, a) + gamma W(phi(A, a)),      |W| <= w
//
// r comes exactly from the delta table; W, the value of what follows the move, is one small network shared by all moves
// over the features of flat_features.h, zero at the start. Untrained, this is steepest ascent on the reward. Because W
// is bounded, only moves with r >= r_max - 2 gamma w can be the arg max, and only those are considered (flat_moves.h).
//
// Departure D8: r is measured in nats and relative to standing still, p (r(A -> A') - r(A -> A)). The moves of a state
// keep their order; the sum of rewards becomes (S(A_T) - S(A_0)) - lambda p (|A_T| - |A_0|). The literal sum charges
// lambda |A| at every step, which at gamma = 0.99 is worth lambda p / (1 - gamma) = p / 2 nats per edge: more than most
// edges gain. Departure D9: when more than `shortlist` moves are that near to r_max, the arg max runs over the best of
// them by r. As in the paper's algorithm 1, an episode is cut off, and its last state is not terminal: the value of
// what would follow counts.
//
// What may be relied on: as in challenger.h; every visited state is compared with the champion. This header has the
// options; the player is in flat_player.h.
#pragma once

#include <vector>

#include "agon/agent/schedule.h"

namespace agon {

// Defaults without a source were chosen by trial on a few tables.
struct FlatOptions {
  bool learning = true;            // false: the unlearned twin, with W = 0 and all else the same
  bool follow = true;              // play() begins at the champion if it scores above the warm start. Departure D20
  int episode_moves = 0;           // T, moves of an episode; 0: min(20 p, 300). The paper: 20 p
  double discount = 0.95;          // gamma. Smaller than the paper's 0.99: a dip in the score is crossed in few moves
  double bound = 10;               // w in nats: what follows a move counts for at most this. Tried: 1, 3, 10
  int shortlist = 32;              // most moves per state that the network sees
  std::vector<int> hidden = {32};  // widths of the network's hidden layers
  double learning_rate = 1e-3;     // of Adam
  double target_rate = 0.01;       // tau
  int batch = 16;                  // transitions per update
  int train_every = 4;             // moves per update
  int replay = 8000;               // transitions kept, at least a batch
  Exploration exploration = {.from = 0.25, .floor = 0.05, .steps = 20000};  // departure D10
};

void describe(FlatOptions& options, const Describe& option);  // each field as an option, with its range
// Throws a UsageError that names every field outside its range.
void check(const FlatOptions& options);

}  // namespace agon
