#include "agon/data/kinds.h"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include "agon/base/error.h"
#include "agon/base/suggest.h"

namespace agon {
namespace {

bool parse_label(const std::string& label, double& value) {
  const char* end = label.data() + label.size();
  const auto [stop, error] = fast_float::from_chars(label.data(), end, value);
  return error == std::errc() && stop == end && std::isfinite(value);
}

// A column of the other kind with the same gaps.
Column with_gaps_of(const Column& old, Column column) {
  column.missing = old.missing;
  column.drawn = old.drawn;
  return column;
}

std::optional<Column> as_categories(const Column& column) {
  std::map<double, uint32_t> code;  // in order of value
  bool integers = true;
  for (size_t row = 0; row < column.values.size(); ++row) {
    if (column.is_missing(row)) continue;
    code.emplace(column.values[row], 0);
    integers = integers && column.values[row] == std::floor(column.values[row]);
    if (code.size() > (integers ? kMostLevels : kMostNumericLevels)) return std::nullopt;
  }
  if (code.empty()) return std::nullopt;
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
  return with_gaps_of(column, std::move(out));
}

// The category with a number for each level.
Column with_values(const Column& column, const std::vector<double>& value) {
  std::vector<double> values;
  values.reserve(column.codes.size());
  column.codes.visit([&](const auto& codes) {
    for (size_t row = 0; row < codes.size(); ++row) {
      values.push_back(column.is_missing(row) ? kMissingNumber : value[codes[row]]);
    }
  });
  return with_gaps_of(column, continuous_column(column.name, std::move(values)));
}

std::optional<Column> as_numbers(const Column& column) {
  std::vector<double> value;
  for (const std::string& label : column.levels) {
    double x = 0;
    if (!parse_label(label, x)) return std::nullopt;
    value.push_back(x);
  }
  return with_values(column, value);
}

Column as_codes(const Column& column) {
  std::vector<double> value(column.levels.size());
  std::iota(value.begin(), value.end(), 0.0);
  return with_values(column, value);
}

bool enough(const ColumnFacts& facts) { return facts.seen >= 10.0 * static_cast<double>(facts.distinct); }

// A column as it may stand in a table of codes (line 5 of the rule), or one that says nothing.
bool is_coded(const ColumnFacts& facts) {
  if (facts.told) return facts.told == ColumnKind::kCategorical;
  if (facts.text || facts.distinct <= 2) return true;
  return facts.integers && facts.distinct <= kMostIntegerLevels && enough(facts);
}

InferredKind kind_of_text(const ColumnFacts& facts) {
  const bool identifier = facts.distinct > 2 && facts.seen < 5.0 * static_cast<double>(facts.distinct);
  return {ColumnKind::kCategorical, identifier, identifier ? "identifier" : "text"};
}

InferredKind kind_of(const ColumnFacts& facts, bool table_of_codes) {
  constexpr size_t kFewIntegers = 6;
  if (facts.distinct == 0) return {ColumnKind::kContinuous, false, "no cell"};
  if (facts.told) return {*facts.told, false, "as told"};
  if (facts.distinct == 1) {
    const bool number = !facts.text && !facts.integers;
    return {number ? ColumnKind::kContinuous : ColumnKind::kCategorical, false, "constant"};
  }
  if (facts.text) return kind_of_text(facts);
  if (facts.distinct == 2) return {ColumnKind::kCategorical, false, "two values"};
  if (!facts.integers) return {ColumnKind::kContinuous, false, "numbers"};
  if (facts.distinct > kMostIntegerLevels) return {ColumnKind::kContinuous, false, "many integers"};
  const std::string count = fmt::format("{} integers", facts.distinct);
  if (!enough(facts)) return {ColumnKind::kContinuous, false, count + " in few rows"};
  if (facts.distinct <= kFewIntegers) return {ColumnKind::kCategorical, false, count};
  if (table_of_codes) return {ColumnKind::kCategorical, false, count + ", in a table of codes"};
  return {ColumnKind::kContinuous, false, count};
}

}  // namespace

std::vector<InferredKind> infer_kinds(const std::vector<ColumnFacts>& columns) {
  const bool table_of_codes = std::all_of(columns.begin(), columns.end(), is_coded);
  std::vector<InferredKind> kinds;
  kinds.reserve(columns.size());
  for (const ColumnFacts& facts : columns) kinds.push_back(kind_of(facts, table_of_codes));
  return kinds;
}

bool is_category_in_any_table(const ColumnFacts& column) {
  return kind_of(column, /*table_of_codes=*/false).kind == ColumnKind::kCategorical;
}

size_t pool_levels(Column& column, const std::vector<double>& weights) {
  const size_t levels = column.levels.size();
  if (levels <= kMostLevels) return 0;
  std::vector<double> weight(levels);
  column.codes.visit([&](const auto& cells) {
    for (size_t row = 0; row < cells.size(); ++row) {
      if (!column.is_missing(row)) weight[cells[row]] += weights.empty() ? 1 : weights[row];
    }
  });
  std::vector<uint32_t> order(levels);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return weight[a] != weight[b] ? weight[a] > weight[b] : label_less(column.levels[a], column.levels[b]);
  });
  std::vector<uint32_t> new_code(levels);
  std::vector<std::string> kept;
  for (size_t rank = 0; rank + 1 < kMostLevels; ++rank) {
    new_code[order[rank]] = static_cast<uint32_t>(kept.size());
    kept.push_back(column.levels[order[rank]]);
  }
  const auto known = std::find(kept.begin(), kept.end(), kOtherLevel);  // a label may happen to be called so
  const auto other = static_cast<uint32_t>(known - kept.begin());
  if (known == kept.end()) kept.emplace_back(kOtherLevel);
  for (size_t rank = kMostLevels - 1; rank < levels; ++rank) new_code[order[rank]] = other;
  column.levels = std::move(kept);
  column.codes.recode(new_code);
  return levels - kMostLevels + 1;
}

std::vector<Column> with_inferred_kinds(std::vector<Column> columns, const std::vector<InferredKind>& kinds,
                                        const std::vector<double>& weights, std::vector<std::string>& notes) {
  for (size_t k = 0; k < columns.size(); ++k) {
    Column& column = columns[k];
    if (column.kind != kinds[k].kind) {
      std::optional<Column> other =
          kinds[k].kind == ColumnKind::kCategorical ? as_categories(column) : as_numbers(column);
      if (other) column = std::move(*other);
    }
    column.identifier = kinds[k].identifier;
    if (column.kind != ColumnKind::kCategorical || column.identifier) continue;
    if (const size_t pooled = pool_levels(column, weights); pooled > 0) {
      notes.push_back(fmt::format("{} has {} levels: the {} most common are kept, the other {} become one level, {}.",
                                  quoted(column.name), with_commas(kMostLevels - 1 + pooled), kMostLevels - 1,
                                  with_commas(pooled), quoted(kOtherLevel)));
    }
  }
  return columns;
}

Dataset with_kind(Dataset data, ColumnKind kind, std::vector<std::string>& notes, bool code_text) {
  if (data.all_of(kind)) return data;
  std::vector<Column> columns;
  std::vector<std::string> changed, coded;
  for (int node : data.file_order()) {
    const Column& column = data.column(node);
    std::optional<Column> other;
    if (column.kind != kind) other = kind == ColumnKind::kCategorical ? as_categories(column) : as_numbers(column);
    if (other) changed.push_back(column.name);
    if (!other && column.kind != kind && code_text && kind == ColumnKind::kContinuous && !column.is_isolated()) {
      other = as_codes(column);
      coded.push_back(column.name);
    }
    columns.push_back(other ? std::move(*other) : column);
  }
  if (changed.empty() && coded.empty()) return data;
  std::sort(changed.begin(), changed.end());
  std::sort(coded.begin(), coded.end());
  if (!changed.empty()) {
    notes.push_back(fmt::format("taken as {} because the score asks for it: {}", to_string(kind), listed(changed)));
  }
  if (!coded.empty()) {
    notes.push_back("levels taken as the numbers 0, 1, 2, .. in the order of their labels: " + listed(coded));
  }
  return make_dataset(std::move(columns), data.source(), data.row_info());
}

}  // namespace agon
