#include "agon/data/told_gaps.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "agon/base/suggest.h"
#include "agon/base/text.h"
#include "agon/data/kinds.h"

namespace agon {
namespace {

constexpr size_t kMostBins = 10;
constexpr uint16_t kUnseen = UINT16_MAX;

std::vector<int> nodes_by_name(const Dataset& data) {
  std::vector<int> order = data.file_order();
  std::sort(order.begin(), order.end(), [&](int a, int b) { return data.column(a).name < data.column(b).name; });
  return order;
}

// Columns with gaps, those with the same ones together.
std::vector<std::vector<int>> patterns_of(const Dataset& data) {
  std::vector<std::vector<int>> patterns;
  for (const int node : nodes_by_name(data)) {
    const Column& column = data.column(node);
    if (!column.has_missing() || column.missing.count() == data.rows()) continue;
    const auto same = std::find_if(patterns.begin(), patterns.end(), [&](const std::vector<int>& pattern) {
      return data.column(pattern[0]).missing == column.missing;
    });
    if (same == patterns.end()) {
      patterns.push_back({node});
    } else {
      same->push_back(node);
    }
  }
  return patterns;
}

// Per row the level of the teller, or its bin among values; kUnseen where it is missing.
std::vector<uint16_t> cells_of(const Column& teller) {
  std::vector<uint16_t> cells(teller.rows(), kUnseen);
  if (teller.kind == ColumnKind::kCategorical) {
    for (size_t row = 0; row < cells.size(); ++row) {
      if (!teller.is_missing(row)) cells[row] = static_cast<uint16_t>(teller.codes[row]);
    }
    return cells;
  }
  std::vector<double> sorted;
  for (size_t row = 0; row < cells.size(); ++row) {
    if (!teller.is_missing(row)) sorted.push_back(teller.values[row]);
  }
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> bounds;  // the least value of each bin but the first
  for (size_t bin = 1; bin < kMostBins; ++bin) {
    const double bound = sorted[bin * sorted.size() / kMostBins];
    if (bound > sorted.front() && (bounds.empty() || bound > bounds.back())) bounds.push_back(bound);
  }
  for (size_t row = 0; row < cells.size(); ++row) {
    if (teller.is_missing(row)) continue;
    const auto bin = std::upper_bound(bounds.begin(), bounds.end(), teller.values[row]) - bounds.begin();
    cells[row] = static_cast<uint16_t>(bin);
  }
  return cells;
}

// How the gaps fall on the levels of a teller.
struct Counts {
  std::vector<double> all, gaps;  // weight by level: of the rows, and of those with a gap
  size_t gap_rows = 0, seen_rows = 0;

  double share() const {
    double n = 0, g = 0, between = 0;
    for (size_t level = 0; level < all.size(); ++level) n += all[level], g += gaps[level];
    for (size_t level = 0; level < all.size(); ++level) {
      if (all[level] > 0) between += gaps[level] * (gaps[level] / all[level]);
    }
    const double p = g / n;
    return (between / n - p * p) / (p * (1 - p));
  }

  // Information between gap and level, in nats of all rows, less what its parameters cost.
  double gain() const {
    double n = 0, g = 0, sum = 0;
    size_t levels = 0;
    const auto term = [](double count, double expected) { return count > 0 ? count * std::log(count / expected) : 0; };
    for (size_t level = 0; level < all.size(); ++level) n += all[level], g += gaps[level], levels += all[level] > 0;
    for (size_t level = 0; level < all.size(); ++level) {
      sum += term(gaps[level], all[level] * (g / n)) + term(all[level] - gaps[level], all[level] * (1 - g / n));
    }
    return sum - 0.5 * std::log(n) * static_cast<double>(levels - 1);
  }

  bool determined() const {
    for (size_t level = 0; level < all.size(); ++level) {
      if (gaps[level] != 0 && gaps[level] != all[level]) return false;
    }
    return true;
  }
};

Counts count_gaps(const Dataset& data, const MissingCells& gaps, const std::vector<uint16_t>& cells) {
  Counts counts;
  for (size_t row = 0; row < cells.size(); ++row) {
    if (cells[row] == kUnseen) continue;
    if (cells[row] >= counts.all.size()) {
      counts.all.resize(cells[row] + 1);
      counts.gaps.resize(cells[row] + 1);
    }
    const double weight = data.weight(row);
    counts.all[cells[row]] += weight;
    if (gaps[row]) counts.gaps[cells[row]] += weight;
    ++(gaps[row] ? counts.gap_rows : counts.seen_rows);
  }
  return counts;
}

// All gaps lie where the teller is at most, or at least, some value, and no cell that is seen does.
std::optional<std::string> threshold(const Column& teller, const MissingCells& gaps) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::array<double, 2> least = {kInfinity, kInfinity}, most = {-kInfinity, -kInfinity};  // [1]: where there is a gap
  for (size_t row = 0; row < teller.rows(); ++row) {
    if (teller.is_missing(row)) continue;
    const size_t side = gaps[row];
    least[side] = std::min(least[side], teller.values[row]);
    most[side] = std::max(most[side], teller.values[row]);
  }
  if (most[1] < least[0]) return fmt::format("exactly where {} is below {:.6g}", quoted(teller.name), least[0]);
  if (least[1] > most[0]) return fmt::format("exactly where {} is above {:.6g}", quoted(teller.name), most[0]);
  return std::nullopt;
}

std::string where_text(const Column& teller, const Counts& counts) {
  std::vector<std::string> levels;
  for (size_t level = 0; level < counts.all.size(); ++level) {
    if (counts.gaps[level] > 0) levels.push_back(quoted(teller.levels[level], 20));
  }
  return fmt::format("exactly where {} is {}{}", quoted(teller.name), levels.size() > 1 ? "one of " : "",
                     listed(levels, 4));
}

std::string unless_unseen(const Column& teller) {
  return teller.has_missing() ? fmt::format(" (in rows in which {} is seen)", quoted(teller.name)) : "";
}

// What this teller says of the gaps: nothing, if the share is 0.
ToldGap tell(const Dataset& data, const std::vector<int>& pattern, int teller, const std::vector<uint16_t>& cells) {
  static const double kOneNat = 1 - std::exp(-2.0);
  const Column& column = data.column(teller);
  const MissingCells& gaps = data.column(pattern[0]).missing;
  ToldGap told{pattern, teller, 0, ""};
  const Counts counts = count_gaps(data, gaps, cells);
  if (counts.gap_rows < kFewestTold || counts.seen_rows < kFewestTold) return told;
  if (2 * counts.gap_rows < gaps.count()) return told;  // the teller itself is missing in most of these rows
  if (column.kind == ColumnKind::kContinuous) {
    if (const auto where = threshold(column, gaps)) {
      told.share = 1;
      told.where = *where + unless_unseen(column);
      return told;
    }
  }
  const double share = counts.share();
  if (share <= kOneNat || counts.gain() <= 0) return told;
  told.share = share;
  if (column.kind == ColumnKind::kCategorical && counts.determined()) {
    told.share = 1;
    told.where = where_text(column, counts) + unless_unseen(column);
  }
  return told;
}

bool may_tell(const Column& column) {
  return !column.is_isolated() && (column.kind == ColumnKind::kContinuous || column.levels.size() <= kMostLevels);
}

}  // namespace

std::vector<ToldGap> told_gaps(const Dataset& data, const Watch& watch) {
  const std::vector<std::vector<int>> patterns = patterns_of(data);
  std::vector<ToldGap> best(patterns.size());
  for (const int teller : patterns.empty() ? std::vector<int>{} : nodes_by_name(data)) {
    if (watch.stop_requested()) break;
    if (!may_tell(data.column(teller))) continue;
    const std::vector<uint16_t> cells = cells_of(data.column(teller));
    for (size_t k = 0; k < patterns.size(); ++k) {
      if (data.column(patterns[k][0]).missing == data.column(teller).missing) continue;
      ToldGap told = tell(data, patterns[k], teller, cells);
      if (told.share > best[k].share) best[k] = std::move(told);
    }
  }
  std::erase_if(best, [](const ToldGap& gap) { return gap.share == 0; });
  return best;
}

double told_gaps_work(const Dataset& data) {
  return static_cast<double>(data.rows()) * data.size() * static_cast<double>(patterns_of(data).size());
}

}  // namespace agon
