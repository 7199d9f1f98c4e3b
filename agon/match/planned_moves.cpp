// How long a match plays, unless it is told.
#include <algorithm>
#include <cmath>

#include "agon/match/match.h"
#include "agon/match/seats.h"
#include "agon/score/block_moments.h"

namespace agon {

// The more nodes, and the more columns stand for each of them, the more a move costs, so patience falls with both. The
// floor makes sure that large tables are searched at all. A graph of few nodes has few edits, so a hundred moves for
// every ordered pair of nodes suffice there.
long default_patience(const LocalScore& score) {
  const long nodes = std::max(1, score.size());
  const long columns = std::max<long>(nodes, score.moments() ? score.moments()->columns() : 1);
  const long affordable = std::clamp(20'000'000L * nodes / (columns * columns), 60'000L, 300'000L);
  return std::min(affordable, std::max(20'000L, 100 * nodes * nodes));
}

// On blocks of columns, and with missing cells, play may go on finding graphs that are better by a little for minutes.
// A move takes about 1.6 microseconds and 0.04 for each column that the score works on, and all of them together at
// most two seconds of one core. Patience alone ends the play on complete tables of one kind.
long default_moves(const LocalScore& score) {
  if (score.size() <= 1) return 0;
  const long patience = default_patience(score);
  const BlockMoments* const moments = score.moments();
  if (moments == nullptr) return 20 * patience;
  const double microseconds = 1.6 + 0.04 * moments->columns();
  return std::clamp(std::lround(2e6 / microseconds), patience, 20 * patience);
}

long planned_moves(const LocalScore& score, const MatchOptions& options, size_t opponents) {
  if (options.moves >= 0) return options.moves;
  const std::vector<Arm> arms = make_arms(options.challenger);
  const long usual = default_moves(score);
  if (!arms[0].wants || usual == 0) return usual;
  const long seats = static_cast<long>(seats_of(options, arms, opponents));
  return seats * arms[0].wants(score.size(), usual / seats);
}

}  // namespace agon
