#include "agon/opponent/standard_table.h"

#include <algorithm>
#include <cmath>

#include "agon/data/capability.h"

namespace agon {

StandardTable standardise(const Dataset& data) {
  refuse_beyond(kTablesOfNumbers, data, "an algorithm on standardised columns");
  StandardTable out;
  out.rows = static_cast<int>(data.rows());
  std::vector<std::vector<double>> columns;
  for (int node = 0; node < data.size(); ++node) {
    const Column& column = data.column(node);
    if (column.is_isolated()) continue;
    std::vector<double> values = column.values;
    if (column.kind == ColumnKind::kCategorical) {
      ++out.categorical;
      values.clear();
      for (int r = 0; r < out.rows; ++r) values.push_back(column.codes[r]);
    }
    // Scaled first: the squares of values near 1e300 would not be finite.
    double largest = 0, mean = 0, square = 0;
    for (double x : values) largest = std::max(largest, std::abs(x));
    for (double& x : values) x /= largest;
    for (double x : values) mean += x / out.rows;
    for (double x : values) square += (x - mean) * (x - mean) / out.rows;
    if (!(square > 0)) continue;  // varies by less than a double can resolve
    for (double& x : values) x = (x - mean) / std::sqrt(square);
    out.node.push_back(node);
    columns.push_back(std::move(values));
  }
  out.value.resize(static_cast<size_t>(out.rows) * columns.size());
  for (size_t v = 0; v < columns.size(); ++v) {
    for (int r = 0; r < out.rows; ++r) out.value[r * columns.size() + v] = static_cast<float>(columns[v][r]);
  }
  return out;
}

StandardTable as_it_is(const Dataset& data) {
  StandardTable out = standardise(data);
  const int p = out.variables();
  const auto cell = [&](int v, int r) {
    const Column& column = data.column(out.node[v]);
    return column.kind == ColumnKind::kCategorical ? static_cast<double>(column.codes[r]) : column.values[r];
  };
  constexpr double kLarge = 1e6;
  double largest = kLarge;
  for (int v = 0; v < p; ++v) {
    for (int r = 0; r < out.rows; ++r) largest = std::max(largest, std::abs(cell(v, r)));
  }
  for (int v = 0; v < p; ++v) {
    for (int r = 0; r < out.rows; ++r) {
      out.value[static_cast<size_t>(r) * p + v] =
          static_cast<float>(largest > kLarge ? cell(v, r) / largest * kLarge : cell(v, r));
    }
  }
  return out;
}

}  // namespace agon
