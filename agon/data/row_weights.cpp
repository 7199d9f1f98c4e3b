#include "agon/data/row_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "agon/base/error.h"
#include "agon/base/text.h"

namespace agon {
namespace {

void rescale(std::vector<double>& weights, const std::string& source) {
  const auto [least, most] = std::minmax_element(weights.begin(), weights.end());
  const double low = *least, high = *most;
  if (low == high) {
    weights.assign(weights.size(), 1.0);
    return;
  }
  double sum = 0, squares = 0;
  for (double& w : weights) {
    w /= high;  // so that no square overflows
    sum += w;
    squares += w * w;
  }
  for (double& w : weights) w *= sum / squares;
  if (low / high * (sum / squares) > 0) return;
  throw InputError(source, fmt::format("the weights range from {} to {}, too wide a range to compute with", low, high),
                   "set the least to 0: their rows are then left out");
}

}  // namespace

std::string RowWeights::expected() const { return sampling ? "a number, 0 or more" : "a whole number, 0 or more"; }

bool RowWeights::accepts(double weight) const {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  return std::isfinite(weight) && weight >= 0 && (sampling || (weight == std::floor(weight) && weight <= kExact));
}

std::string RowWeights::hint() const {
  return fmt::format("{} names a column that says how often each row counts", option());
}

void settle(RowWeights& given, const std::string& source, size_t rows_of_zero, size_t rows_read,
            std::vector<std::string>& notes) {
  if (given.sampling) rescale(given.weights, source);
  const double total = std::accumulate(given.weights.begin(), given.weights.end(), 0.0);
  const std::string rows = counted(static_cast<long long>(given.weights.size()), "row");
  notes.push_back(given.sampling
                      ? fmt::format("{} says how much each row counts: the {} are worth {:.6g} of equal weight.",
                                    quoted(given.name), rows, total)
                      : fmt::format("{} says how often each row occurred: the {} stand for {:.15g}.",
                                    quoted(given.name), rows, total));
  if (rows_of_zero == 0) return;
  notes.push_back(fmt::format("Left out {} of {} rows, where {} is 0.", with_commas(rows_of_zero),
                              with_commas(rows_read), quoted(given.name)));
}

}  // namespace agon
