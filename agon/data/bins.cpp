#include "agon/data/bins.h"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace agon {
namespace {

// A number above `low` and at most `high`, with as few digits as possible.
std::string bound_between(double low, double high) {
  if (low < 0 && high >= 0) return "0";
  for (int digits = 1; digits < 17; ++digits) {
    for (const double wanted : {low / 2 + high / 2, high}) {
      const std::string text = fmt::format("{:.{}g}", wanted, digits);
      double value = 0;
      fast_float::from_chars(text.data(), text.data() + text.size(), value);
      if (low < value && value <= high) return fmt::format("{}", value);  // 50, where `text` may be 5e+01
    }
  }
  return fmt::format("{}", high);
}

struct Bin {
  double least, most;
};

std::vector<std::string> labels(const std::vector<Bin>& bins) {
  const int width = bins.size() < 10 ? 1 : 2;
  std::vector<std::string> out, bounds;
  for (size_t k = 1; k < bins.size(); ++k) bounds.push_back(bound_between(bins[k - 1].most, bins[k].least));
  for (size_t k = 0; k < bins.size(); ++k) {
    const std::string range = k == 0                 ? "below " + bounds[0]
                              : k + 1 == bins.size() ? bounds[k - 1] + " and above"
                                                     : fmt::format("[{}, {})", bounds[k - 1], bounds[k]);
    out.push_back(fmt::format("{:0{}}: {}", k + 1, width, range));
  }
  return out;
}

Column binned(const Dataset& data, const Column& column, int most) {
  struct Value {
    double weight = 0;
    uint32_t bin = 0;
  };
  std::map<double, Value> values;
  double total = 0;
  for (size_t row = 0; row < column.rows(); ++row) {
    if (column.is_missing(row)) continue;
    values[column.values[row]].weight += data.weight(row);
    total += data.weight(row);
  }
  Column out;
  out.name = column.name;
  out.kind = ColumnKind::kCategorical;
  out.missing = column.missing;
  out.drawn = column.drawn;
  if (values.size() <= static_cast<size_t>(most)) {
    for (auto& [x, value] : values) {
      value.bin = static_cast<uint32_t>(out.levels.size());
      out.levels.push_back(fmt::format("{}", x));
    }
  } else {
    std::vector<Bin> bins;
    int last = -1;
    double below = 0;
    for (auto& [x, value] : values) {
      const int place = std::min(most - 1, static_cast<int>(most * ((below + value.weight / 2) / total)));
      below += value.weight;
      if (place != last) bins.push_back({x, x});
      last = place;
      bins.back().most = x;
      value.bin = static_cast<uint32_t>(bins.size() - 1);
    }
    out.levels = labels(bins);
  }
  for (size_t row = 0; row < column.rows(); ++row) {
    out.codes.push_back(column.is_missing(row) ? kMissingCode : values.at(column.values[row]).bin);
  }
  return out;
}

}  // namespace

Dataset with_bins(const Dataset& data, int bins) {
  std::vector<Column> columns;
  for (const int node : data.file_order()) {
    const Column& column = data.column(node);
    const bool cut = column.kind == ColumnKind::kContinuous && !column.is_isolated();
    columns.push_back(cut ? binned(data, column, bins) : column);
  }
  return make_dataset(std::move(columns), data.source(), data.row_info());
}

}  // namespace agon
