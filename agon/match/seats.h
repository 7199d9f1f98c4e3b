// agon/match/seats.h
//
// How many players a match has: at least one for each arm, so that each arm plays, and for each opponent, so that each
// of their graphs is a warm start. It depends on the options and the opponents, never on the machine.
//
//   size_t seats = seats_of({.players = 4}, make_arms({}), 2);  // 4, unless there are more arms
#pragma once

#include <algorithm>
#include <vector>

#include "agon/match/match.h"

namespace agon {

inline size_t seats_of(const MatchOptions& options, const std::vector<Arm>& arms, size_t opponents) {
  return std::max({arms.size(), static_cast<size_t>(std::max(1, options.players)), opponents});
}

}  // namespace agon
