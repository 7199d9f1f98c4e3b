#include "agon/data/copied_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <unordered_map>

#include "agon/base/error.h"
#include "agon/base/hash.h"
#include "agon/base/suggest.h"
#include "agon/base/text.h"
#include "agon/data/linear_dependence.h"

namespace agon {
namespace {

uint64_t appearance_hash(const Column& c) {
  std::vector<uint32_t> number(c.levels.size(), 0);
  uint32_t seen = 0;
  uint64_t h = c.levels.size();
  c.codes.visit([&](const auto& cells) {
    for (size_t row = 0; row < cells.size(); ++row) {
      const bool missing = c.is_missing(row);
      if (!missing && number[cells[row]] == 0) number[cells[row]] = ++seen;
      h = (h ^ (missing ? 0 : number[cells[row]])) * 0x9E3779B97F4A7C15ull;
      h ^= h >> 29;
    }
  });
  return h;
}

bool is_relabelling(const Column& a, const Column& b) {
  if (a.levels.size() != b.levels.size() || a.missing != b.missing) return false;
  constexpr uint32_t kNone = UINT32_MAX;
  std::vector<uint32_t> image(a.levels.size(), kNone);  // equally many levels, all occur: a function is one-to-one
  return a.codes.visit([&](const auto& from) {
    return b.codes.visit([&](const auto& to) {
      for (size_t row = 0; row < from.size(); ++row) {
        if (a.is_missing(row)) continue;
        if (image[from[row]] == kNone) image[from[row]] = to[row];
        if (image[from[row]] != to[row]) return false;
      }
      return true;
    });
  });
}

std::string pairing(const Column& a, const Column& b) {
  std::vector<std::string> pairs(a.levels.size());
  for (size_t row = 0; row < a.codes.size(); ++row) {
    if (a.is_missing(row)) continue;
    std::string& pair = pairs[a.codes[row]];
    if (pair.empty())
      pair = fmt::format("{} for {}", quoted(b.levels[b.codes[row]], 20), quoted(a.levels[a.codes[row]], 20));
  }
  return listed(pairs, 4);
}

struct Affine {
  bool found = false;
  double slope = 0, offset = 0;
};

// y = offset + slope * x in every row, up to rounding.
Affine is_affine(const std::vector<double>& x, const std::vector<double>& y) {
  const auto [low, high] = std::minmax_element(x.begin(), x.end());
  const size_t a = low - x.begin(), b = high - x.begin();
  Affine map;
  map.slope = (y[b] - y[a]) / (x[b] - x[a]);
  map.offset = y[a] - map.slope * x[a];
  const double size = std::max({std::abs(y[a]), std::abs(y[b]), std::abs(y[b] - y[a])});
  const double tolerance = std::min(1e-9 * std::abs(y[b] - y[a]) + 1e-15 * size, 1e-6 * std::abs(y[b] - y[a]));
  if (std::abs(map.offset) <= 1e-9 * size) map.offset = 0;
  map.found = true;
  for (size_t row = 0; row < x.size() && map.found; ++row) {
    map.found = std::abs(y[a] + map.slope * (x[row] - x[a]) - y[row]) <= tolerance;
  }
  return map;
}

// Gaps in the same rows, and affine in every other.
Affine is_affine(const Column& from, const Column& to) {
  if (from.missing != to.missing) return {};
  if (!from.has_missing()) return is_affine(from.values, to.values);
  return is_affine(seen_values(from), seen_values(to));
}

class Finder {
 public:
  Finder(const Dataset& data, const std::vector<int>& order) : data_(data), order_(order) {}

  std::vector<CopiedColumn> find() {
    find_labels();
    find_numbers();
    return std::move(found_);
  }

 private:
  size_t size() const { return order_.size(); }
  const Column& column(size_t k) const { return data_.column(order_[k]); }
  bool is_categorical(size_t k) const { return column(k).kind == ColumnKind::kCategorical; }
  void report(size_t original, size_t copy, std::string sentence) {
    found_.push_back({original, copy, std::move(sentence)});
  }

  // Copies except for the names of the levels: equal after numbering levels by first appearance.
  void find_labels() {
    std::unordered_map<uint64_t, std::vector<size_t>> by_hash;
    for (size_t k = 0; k < size(); ++k) {
      if (!is_categorical(k) || column(k).is_constant()) continue;
      std::vector<size_t>& same = by_hash[appearance_hash(column(k))];
      const auto original = std::find_if(same.begin(), same.end(),
                                         [&](size_t other) { return is_relabelling(column(other), column(k)); });
      if (original == same.end()) {
        same.push_back(k);
        continue;
      }
      const Column &a = column(*original), &b = column(k);
      const bool equal = a.levels == b.levels && a.codes == b.codes;
      report(*original, k,
             equal ? fmt::format("{} is a copy of {}.", quoted(b.name), quoted(a.name))
                   : fmt::format("{} is {} under other labels ({}).", quoted(b.name), quoted(a.name), pairing(a, b)));
    }
  }

  // Affine copies. Each standardised column is projected onto a few random directions. Copies, even with a negative
  // slope, agree in all of them up to sign. Columns that do, and are neighbours when sorted, are compared in full.
  void find_numbers() {
    constexpr size_t kDirections = 4;
    constexpr double kClose = 1e-6;
    struct Shadow {
      size_t k;
      std::array<double, kDirections> at;
    };
    std::vector<Shadow> shadows;
    std::vector<Moments> scale;  // of each shadow's column
    for (size_t k = 0; k < size(); ++k) {
      if (is_categorical(k) || column(k).is_constant()) continue;
      const Moments m = seen_moments(column(k));
      if (!(m.deviation > 0) || !std::isfinite(m.deviation)) continue;
      shadows.push_back({k, {}});
      scale.push_back(m);
    }
    // A stretch of the directions at a time serves all columns.
    constexpr size_t kStretch = 1024;
    std::vector<std::array<double, kDirections>> directions(std::min(kStretch, data_.rows()));
    for (size_t first = 0; first < data_.rows(); first += kStretch) {
      const size_t count = std::min(kStretch, data_.rows() - first);
      for (size_t i = 0; i < count; ++i) {
        const uint64_t bits = mix64(first + i);
        for (size_t d = 0; d < kDirections; ++d) {
          directions[i][d] = static_cast<double>((bits >> (16 * d)) & 0xFFFF) / 32768.0 - 1.0;
        }
      }
      for (size_t s = 0; s < shadows.size(); ++s) {
        const Column& own = column(shadows[s].k);
        for (size_t i = 0; i < count; ++i) {
          if (own.is_missing(first + i)) continue;
          const double z = (own.values[first + i] - scale[s].mean) / scale[s].deviation;
          for (size_t d = 0; d < kDirections; ++d) shadows[s].at[d] += z * directions[i][d];
        }
      }
    }
    for (Shadow& shadow : shadows) {
      for (double& s : shadow.at) s = std::abs(s) / std::sqrt(static_cast<double>(data_.rows()));
    }
    std::sort(shadows.begin(), shadows.end(),
              [](const Shadow& a, const Shadow& b) { return a.at[0] != b.at[0] ? a.at[0] < b.at[0] : a.k < b.k; });
    std::vector<std::pair<size_t, size_t>> pairs;  // (copy, original): the first by name of those it equals
    for (size_t i = 0; i < shadows.size(); ++i) {
      const auto close = [&](const Shadow& other) {
        for (size_t d = 1; d < kDirections; ++d) {
          if (std::abs(other.at[d] - shadows[i].at[d]) > kClose) return false;
        }
        return is_affine(column(shadows[i].k), column(other.k)).found;
      };
      size_t original = shadows[i].k;
      for (size_t j = i; j-- > 0 && shadows[i].at[0] - shadows[j].at[0] <= kClose;) {
        if (shadows[j].k < original && close(shadows[j])) original = shadows[j].k;
      }
      for (size_t j = i + 1; j < shadows.size() && shadows[j].at[0] - shadows[i].at[0] <= kClose; ++j) {
        if (shadows[j].k < original && close(shadows[j])) original = shadows[j].k;
      }
      if (original != shadows[i].k) pairs.emplace_back(shadows[i].k, original);
    }
    std::sort(pairs.begin(), pairs.end());
    for (const auto& [copy, original] : pairs) {
      const Column &a = column(original), &b = column(copy);
      const Affine map = is_affine(a, b);
      if (seen_values(a) == seen_values(b)) {
        report(original, copy, fmt::format("{} is a copy of {}.", quoted(b.name), quoted(a.name)));
      } else {
        report(original, copy,
               fmt::format("{} is a rescaled copy: {}.", quoted(b.name),
                           equation_text(b.name, {{a.name, map.slope}}, map.offset)));
      }
    }
  }

  const Dataset& data_;
  const std::vector<int>& order_;
  std::vector<CopiedColumn> found_;
};

}  // namespace

std::vector<CopiedColumn> copied_columns(const Dataset& data, const std::vector<int>& order) {
  return Finder(data, order).find();
}

size_t repeated_rows(const Dataset& data, const std::vector<int>& order) {
  std::vector<uint64_t> hash(data.rows());
  for (const int node : order) {
    const Column& column = data.column(node);
    const bool gaps = column.has_missing(), labels = column.kind == ColumnKind::kCategorical;
    for (size_t row = 0; row < hash.size(); ++row) {
      const uint64_t cell = gaps && column.is_missing(row) ? ~uint64_t{0}
                            : labels                       ? column.codes[row]
                                                           : std::bit_cast<uint64_t>(column.values[row]);
      hash[row] = hash_combine(hash[row], cell);
    }
  }
  std::sort(hash.begin(), hash.end());
  return static_cast<size_t>(hash.end() - std::unique(hash.begin(), hash.end()));
}

}  // namespace agon
