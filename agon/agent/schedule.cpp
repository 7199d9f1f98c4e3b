#include "agon/agent/schedule.h"

#include <fmt/format.h>

#include <algorithm>

#include "agon/agent/learning_options.h"
#include "agon/base/error.h"

namespace agon {
namespace {

constexpr int kGraphTries = 200;

}  // namespace

double epsilon_at(const Exploration& exploration, long step) {
  if (step >= exploration.steps) return exploration.floor;
  const double done = static_cast<double>(std::max(step, 0L)) / static_cast<double>(exploration.steps);
  return exploration.from + (exploration.floor - exploration.from) * done;
}

void describe(Exploration& e, const Describe& option) {
  option(e.from, {.name = "epsilon",
                  .value = "X",
                  .help = "share of random moves at the start, not below the floor",
                  .range = more_than(0).at_most(1)});
  option(e.floor, {.name = "epsilon-floor",
                   .value = "X",
                   .help = "share of random moves in the end",
                   .range = more_than(0).at_most(1)});
  option(e.steps,
         {.name = "epsilon-steps", .value = "N", .help = "moves from the one to the other", .range = at_least(0)});
}

void check(const Exploration& e) {
  check_described("exploration", e);
  if (e.from < e.floor) {
    throw UsageError(fmt::format("--epsilon {} is below its floor, --epsilon-floor {}", e.from, e.floor));
  }
}

std::optional<EdgeMove> random_valid_move(const Game& game, Rng& rng) {
  const int p = game.size();
  if (p < 2) return std::nullopt;
  // Rejection sampling: uniform over the 3p(p - 1) moves, kept if valid, is uniform over the valid ones.
  for (int tries = 0; tries < kGraphTries; ++tries) {
    const Node from = rng.below(p), to = rng.below(p);
    const EdgeMove move{static_cast<MoveKind>(rng.below(3)), from, to};
    if (from != to && game.is_valid(move)) return move;
  }
  const std::vector<EdgeMove> valid = game.valid_moves();
  if (valid.empty()) return std::nullopt;
  return valid[rng.below(static_cast<int>(valid.size()))];
}

}  // namespace agon
