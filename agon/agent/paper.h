// agon/agent/paper.h
//
// The published challenger, as it is: a network from the flattened adjacency (p^2 inputs) to one value per move
// (3p(p - 1) outputs), single edits, episodes from the warm start, one Double-DQN update per move (the paper's
// algorithm 1). It is here for comparison: it does not scale, and refuses to begin what would take too long.
//
//   paper_cost(game.size(), options, 1000).seconds;     // what 1000 moves would take, roughly
//   refuse_what_is_too_much(game.size(), options, 1000, false);
//
// Departures from the paper: D1 (the mask in the target's arg max) and D5 (every visited state is compared with the
// champion). Its reward is exactly that of the game, so lambda and c are in GameOptions (the paper: 0.005 and 0.01),
// and so is B (the paper: 2p).
//
// What may be relied on: as in challenger.h. The first layer is kept as an accumulator: a move adds or subtracts
// columns of its weights instead of multiplying p^2 inputs; a test compares it with the plain product.
//
// This header has the options and the estimate of cost; the player is in paper_player.h.
#pragma once

#include <vector>

#include "agon/agent/schedule.h"

namespace agon {

// Defaults without another source are those of the paper's config.
struct PaperOptions {
  bool learning = true;                  // false: the unlearned twin, which makes the move with the highest reward
  int episode_moves = 0;                 // T; 0: 20 p
  std::vector<int> hidden = {512, 512};  // widths, at least one layer
  double discount = 0.99;                // gamma
  double target_rate = 0.005;            // tau
  double learning_rate = 5e-4;           // of Adam
  int batch = 512;                       // transitions per update; learning starts once that many are kept
  int train_every = 1;                   // moves per update. Algorithm 1: every move
  int replay = 200000;                   // transitions kept, at least a batch
  Exploration exploration = {};          // 1 to 0.05 over 400,000 moves
  double most_seconds = 3600;            // a budget estimated to take longer is refused, > 0. Ours
  double most_bytes = 2e9;               // networks and replay larger than this are refused, > 0. Ours
};

void describe(PaperOptions& options, const Describe& option);  // each field as an option, with its range
// Throws a UsageError that names every field outside its range.
void check(const PaperOptions& options);

struct PaperCost {
  double seconds = 0;  // of the whole budget on one core, within a factor of a few
  double bytes = 0;    // networks, Adam's means, a batch, and the replay as far as the budget fills it
};
PaperCost paper_cost(int nodes, const PaperOptions& options, long moves);

// The index of an edge among the inputs, and of a move among the outputs: 3 * pair(from, to) + kind.
int paper_input(int nodes, Edge edge);
int paper_output(int nodes, EdgeMove move);

// Throws UsageError when the estimate exceeds most_bytes, or when it exceeds most_seconds and there is no time limit.
void refuse_what_is_too_much(int nodes, const PaperOptions& options, long moves, bool has_time_limit);

}  // namespace agon
