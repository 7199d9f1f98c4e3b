// agon/agent/schedule.h
//
// How often a challenger explores: epsilon falls in a straight line and then stays at a floor above zero, so that
// every path of valid moves keeps a positive probability (theorem 2 in docs/method.md).
//
//   double epsilon = epsilon_at({.from = 1, .floor = 0.05, .steps = 400000}, 1000);     // at step 1000
//   if (rng.uniform() < epsilon) game.play(*random_valid_move(game, rng));              // uniform over valid moves
#pragma once

#include <optional>

#include "agon/base/option.h"
#include "agon/base/rng.h"
#include "agon/game/game.h"

namespace agon {

struct Exploration {
  double from = 1;      // epsilon at step 0, from the floor to 1. The paper's config
  double floor = 0.05;  // epsilon at the end. The paper's config
  int steps = 400000;   // steps until the floor is reached. The paper's config
};

double epsilon_at(const Exploration& exploration, long step);

void describe(Exploration& exploration, const Describe& option);  // --epsilon, --epsilon-floor, --epsilon-steps
// Throws UsageError when a field is outside its range.
void check(const Exploration& exploration);

// Uniform over game.valid_moves(), usually without listing them: it draws until a move is valid, and turns to the list
// only when that fails too often (few valid moves among many). Nothing when no move is valid.
std::optional<EdgeMove> random_valid_move(const Game& game, Rng& rng);

}  // namespace agon
