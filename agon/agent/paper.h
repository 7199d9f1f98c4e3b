// agon/agent/paper.h
//
// The published challenger, as it is: a network from the flattened adjacency (p^2 inputs) to one value per move
// (3p(p - 1) outputs), single edits, episodes from the warm start, one Double-DQN update per move (the paper's
// algorithm 1). It is here for comparison, and refuses to begin what would take too long.
//
//   paper_cost(game.size(), options, 1000).seconds;     // what 1000 moves would take, roughly
//   refuse_what_is_too_much(game.size(), options, 1000, false);
//
// Departures from the paper: D1 (the mask in the target's arg max) and, unless `champion_every` is set, D5 (every
// visited state is compared with the champion). Its reward is exactly that of the game, so lambda and c are in
// GameOptions (the paper: 0.005 and 0.01), and so is B (the paper: 2p). Invalid moves are masked, as in the paper, so
// that their price delta never falls due. `--preset paper` puts all of it together (run/preset.h).
//
// What may be relied on: as in challenger.h. An episode that the end of a budget cuts is continued by the next play().
//
// This header has the options and the estimate of cost; the player is in paper_player.h, its network in
// paper_learner.h.
#pragma once

#include <string>
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
  double learning_rate = 5e-4;
  std::string optimizer = "adam";  // or "sgd". The text: SGD; the authors' code: Adam
  double clip = 0;                 // longest gradient; 0: any. The code: 5
  int rate_steps = 0;              // updates after which the rate is multiplied by rate_decay; 0: never
  double rate_decay = 0.9;         // (0, 1]. The code: every 10,000 updates
  double bonus = 0;                // added to the reward of a new best graph of this player. The code: 0.5
  int batch = 512;                 // transitions per update; learning starts once that many are kept
  int train_every = 1;             // moves per update. Algorithm 1: every move; the code: 4
  int replay = 200000;             // transitions kept, at least a batch
  Exploration exploration = {};    // 1 to 0.05 over 400,000 moves
  int episodes = 0;                // E, of each player; 0: as many as fit into the budget of moves
  int champion_every = 0;          // P: only the last graph of every P-th episode may become champion; 0: any
  double most_hours = 1;           // a match estimated to take longer is refused, > 0. Ours
  double most_gigabytes = 2;       // networks and replay larger than this are refused, > 0. Ours
};

void describe(PaperOptions& options, const Describe& option);  // each field as an option, with its range
// Throws a UsageError that names every field outside its range.
void check(const PaperOptions& options);

struct PaperCost {
  double seconds = 0;  // of the whole budget on one core, within a factor of a few
  double bytes = 0;    // networks, Adam's means, a batch, and the replay as far as the budget fills it
};
PaperCost paper_cost(int nodes, const PaperOptions& options, long moves);

int paper_episode_moves(int nodes, const PaperOptions& options);  // T

// The moves of a player where no budget is given: E episodes, or as many moves of the `usual` number as fit into
// most_hours.
long paper_moves(int nodes, const PaperOptions& options, long usual);

// Throws UsageError when the estimate exceeds most_gigabytes, or when it exceeds most_hours and there is no time limit.
void refuse_what_is_too_much(int nodes, const PaperOptions& options, long moves, bool has_time_limit);

}  // namespace agon
