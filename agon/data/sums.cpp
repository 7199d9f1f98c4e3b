#include "agon/data/sums.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "agon/base/error.h"
#include "agon/data/kinds.h"

namespace agon {
namespace {

void refuse_too_many(const Summary& summary, const std::string& place) {
  for (const SummaryColumn& column : summary.columns) {
    const size_t levels = column.levels.size();
    // Which levels a part of a table would pool depends on the part.
    const bool pooled = levels == kMostLevels && std::ranges::find(column.levels, kOtherLevel) != column.levels.end();
    if (levels <= kMostLevels && !pooled) continue;
    throw InputError(place,
                     fmt::format("column {} has more levels than the {} that a summary keeps of a category",
                                 quoted(column.name), kMostLevels),
                     fmt::format("--drop {0} omits it; --continuous {0} takes it as numbers", shell_word(column.name)));
  }
  for (const std::vector<Sums>& part : summary.parts) {
    size_t cells = 0;
    for (const Sums& sums : part) cells += sums.cells.size();
    if (cells <= kMostCells) continue;
    throw InputError(place, fmt::format("there are more than {} distinct rows", with_commas(kMostCells)),
                     "--moments keeps means and products of indicators instead of distinct rows; or --drop columns of "
                     "many levels");
  }
}

void refuse_overflow(const Summary& summary, const std::string& place) {
  for (const std::vector<Sums>& part : summary.parts) {
    for (const Sums& sums : part) {
      if (sums.scatter.empty()) continue;
      size_t at = 0;
      for (const SummaryColumn& column : summary.columns) {
        for (size_t k = 0; k < column.width(); ++k, ++at) {
          if (std::isfinite(sums.scatter[packed(at, at)])) continue;
          throw InputError(place,
                           fmt::format("the squares of column {} are too large to be summed", quoted(column.name)),
                           "rescale it, or --drop it");
        }
      }
    }
  }
}

}  // namespace

size_t width_of(const std::vector<SummaryColumn>& columns) {
  size_t q = 0;
  for (const SummaryColumn& column : columns) q += column.width();
  return q;
}

// Chan, Golub & LeVeque 1983, equation 2.1 with means.
void add_sums(Sums& to, const Sums& from) {
  if (from.weight == 0) return;
  if (to.weight == 0) {
    to = from;
    return;
  }
  const double share = from.weight / (to.weight + from.weight), apart = to.weight * share;
  const size_t q = to.mean.size();
  std::vector<double> delta(q);
  for (size_t a = 0; a < q; ++a) delta[a] = from.mean[a] - to.mean[a];
  for (size_t a = 0, at = 0; a < q; ++a) {
    for (size_t b = 0; b <= a; ++b, ++at) to.scatter[at] += from.scatter[at] + apart * delta[a] * delta[b];
    to.mean[a] += share * delta[a];
  }
  for (const auto& [cell, weight] : from.cells) to.cells[cell] += weight;
  to.rows += from.rows;
  to.weight += from.weight;
  to.squares += from.squares;
}

void refuse_too_much(const Summary& summary, const std::string& place) {
  refuse_too_many(summary, place);
  refuse_overflow(summary, place);
}

}  // namespace agon
