#include "agon/data/kinds.h"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "agon/base/suggest.h"

namespace agon {
namespace {

std::optional<Column> as_categories(const Column& column) {
  std::map<double, uint32_t> code;  // in order of value
  for (size_t row = 0; row < column.values.size(); ++row) {
    if (column.is_missing(row)) continue;
    code.emplace(column.values[row], 0);
    if (code.size() > kMostNumericLevels) return std::nullopt;
  }
  Column out;
  out.name = column.name;
  out.kind = ColumnKind::kCategorical;
  for (auto& [value, index] : code) {
    index = static_cast<uint32_t>(out.levels.size());
    out.levels.push_back(fmt::format("{}", value));
  }
  for (size_t row = 0; row < column.values.size(); ++row) {
    out.codes.push_back(column.is_missing(row) ? kMissingCode : code.at(column.values[row]));
  }
  out.missing = column.missing;
  return out;
}

std::optional<Column> as_numbers(const Column& column) {
  std::vector<double> value;
  for (const std::string& label : column.levels) {
    double x = 0;
    const char* end = label.data() + label.size();
    const auto [stop, error] = fast_float::from_chars(label.data(), end, x);
    if (error != std::errc() || stop != end || !std::isfinite(x)) return std::nullopt;
    value.push_back(x);
  }
  std::vector<double> values;
  values.reserve(column.codes.size());
  column.codes.visit([&](const auto& codes) {
    for (size_t row = 0; row < codes.size(); ++row) {
      values.push_back(column.is_missing(row) ? kMissingNumber : value[codes[row]]);
    }
  });
  Column out = continuous_column(column.name, std::move(values));
  out.missing = column.missing;
  return out;
}

}  // namespace

Dataset with_kind(Dataset data, ColumnKind kind, std::vector<std::string>& notes) {
  if (data.all_of(kind)) return data;
  std::vector<Column> columns;
  std::vector<std::string> changed;
  for (int node : data.file_order()) {
    const Column& column = data.column(node);
    std::optional<Column> other;
    if (column.kind != kind) other = kind == ColumnKind::kCategorical ? as_categories(column) : as_numbers(column);
    if (other) changed.push_back(column.name);
    columns.push_back(other ? std::move(*other) : column);
  }
  if (changed.empty()) return data;
  std::sort(changed.begin(), changed.end());
  notes.push_back(fmt::format("taken as {} because the score asks for it: {}", to_string(kind), listed(changed)));
  return make_dataset(std::move(columns), data.source(), data.row_info());
}

}  // namespace agon
