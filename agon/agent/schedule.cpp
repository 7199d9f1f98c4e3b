#include "agon/agent/schedule.h"

#include <fmt/format.h>

#include <algorithm>

#include "agon/base/error.h"

namespace agon {
namespace {

constexpr int kTries = 200;

}  // namespace

double epsilon_at(const Exploration& exploration, long step) {
  if (step >= exploration.steps) return exploration.floor;
  const double done = static_cast<double>(std::max(step, 0L)) / static_cast<double>(exploration.steps);
  return exploration.from + (exploration.floor - exploration.from) * done;
}

void check(const Exploration& e) {
  if (!(e.floor > 0 && e.floor <= 1)) {
    throw UsageError(fmt::format("exploration floor {}: it must be above 0 and at most 1", e.floor));
  }
  if (!(e.from >= e.floor && e.from <= 1)) {
    throw UsageError(fmt::format("exploration starts at {}: it must lie between its floor {} and 1", e.from, e.floor));
  }
  if (e.steps < 0) throw UsageError(fmt::format("exploration over {} steps: it must be at least 0", e.steps));
}

std::optional<EdgeMove> random_valid_move(const Game& game, Rng& rng) {
  const int p = game.size();
  if (p < 2) return std::nullopt;
  // Uniform over the 3p(p - 1) moves and kept when valid: uniform over the valid ones.
  for (int tries = 0; tries < kTries; ++tries) {
    const Node from = rng.below(p), to = rng.below(p);
    const EdgeMove move{static_cast<MoveKind>(rng.below(3)), from, to};
    if (from != to && game.is_valid(move)) return move;
  }
  const std::vector<EdgeMove> valid = game.valid_moves();
  if (valid.empty()) return std::nullopt;
  return valid[rng.below(static_cast<int>(valid.size()))];
}

}  // namespace agon
