// agon/agent/flat.h
//
// The flat challenger: the paper's game at any size. Single edits, episodes that begin at the warm start, a Double DQN
// that may pay now to gain later.
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
// What may be relied on: as in challenger.h; every visited state is held against the champion. Here are the options;
// the player is in flat_player.h.
#pragma once

#include <vector>

#include "agon/agent/schedule.h"

namespace agon {

// Defaults without a source were chosen by trial on a few tables.
struct FlatOptions {
  bool learning = true;            // false: the unlearned twin, W = 0, the same moves otherwise
  bool follow = true;              // play() begins at the champion when that stands above the warm start. Departure D20
  int episode_moves = 0;           // T, moves of an episode; 0: min(20 p, 300). The paper: 20 p
  double discount = 0.95;          // gamma. Nearer than the paper's 0.99: a pit is crossed in few moves
  double bound = 10;               // w in nats: the future of a move counts for at most this. Tried: 1, 3, 10
  int candidates = 32;             // most moves per state that the network sees
  std::vector<int> hidden = {32};  // widths of the network's hidden layers
  double learning_rate = 1e-3;     // of Adam
  double target_rate = 0.01;       // tau
  int batch = 16;                  // transitions per update
  int train_every = 4;             // moves per update
  int replay = 8000;               // transitions kept, at least a batch
  Exploration exploration = {.from = 0.25, .floor = 0.05, .steps = 20000};  // departure D10
};

void describe(FlatOptions& options, const Describe& option);  // each field as an option, with its range
// Throws UsageError that names every field outside its range.
void check(const FlatOptions& options);

}  // namespace agon
