#include "agon/data/dataset.h"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>

#include "agon/base/error.h"
#include "agon/base/hash.h"

namespace agon {
namespace {

template <class To, class From>
std::vector<To> converted(const std::vector<From>& cells) {
  return std::vector<To>(cells.begin(), cells.end());
}

// Numbers by value come before text; text by bytes.
bool label_less(const std::string& a, const std::string& b) {
  const auto number = [](const std::string& s, double& value) {
    const auto [end, error] = fast_float::from_chars(s.data(), s.data() + s.size(), value);
    return error == std::errc() && end == s.data() + s.size() && std::isfinite(value);
  };
  double x = 0, y = 0;
  const bool a_number = number(a, x), b_number = number(b, y);
  if (a_number != b_number) return a_number;
  if (a_number && x != y) return x < y;
  return a < b;
}

// Levels in label order, those that never occur dropped.
void settle_levels(Column& column) {
  std::vector<bool> occurs(column.levels.size());
  column.codes.visit([&](const auto& cells) {
    for (auto c : cells) occurs[c] = true;
  });
  std::vector<uint32_t> kept;
  for (uint32_t c = 0; c < occurs.size(); ++c) {
    if (occurs[c]) kept.push_back(c);
  }
  std::sort(kept.begin(), kept.end(),
            [&](uint32_t a, uint32_t b) { return label_less(column.levels[a], column.levels[b]); });
  std::vector<uint32_t> new_code(column.levels.size());
  std::vector<std::string> levels;
  for (uint32_t c : kept) {
    new_code[c] = static_cast<uint32_t>(levels.size());
    levels.push_back(std::move(column.levels[c]));
  }
  column.levels = std::move(levels);
  column.codes.recode(new_code);
}

uint64_t column_hash(const Column& column) {
  uint64_t h = hash_text(column.name);
  if (column.kind == ColumnKind::kCategorical) {
    std::vector<uint64_t> label_hash;
    for (const std::string& label : column.levels) label_hash.push_back(hash_text(label));
    column.codes.visit([&](const auto& cells) {
      for (auto c : cells) h = hash_combine(h, label_hash[c]);
    });
  } else {
    for (double x : column.values) h = hash_combine(h, std::bit_cast<uint64_t>(x));
  }
  return h;
}

}  // namespace

const char* to_string(ColumnKind kind) { return kind == ColumnKind::kCategorical ? "categorical" : "continuous"; }

void Codes::push_back_wide(uint32_t code) {
  if (auto* narrow = std::get_if<0>(&cells_)) cells_ = converted<uint16_t>(*narrow);
  if (auto* middle = std::get_if<1>(&cells_)) {
    if (code <= UINT16_MAX) {
      middle->push_back(static_cast<uint16_t>(code));
      return;
    }
    cells_ = converted<uint32_t>(*middle);
  }
  std::get<2>(cells_).push_back(code);
}

void Codes::recode(const std::vector<uint32_t>& new_code) {
  const uint32_t largest = new_code.empty() ? 0 : *std::max_element(new_code.begin(), new_code.end());
  const size_t width = largest <= UINT8_MAX ? 0 : largest <= UINT16_MAX ? 1 : 2;
  std::visit(
      [&](auto& cells) {
        using Cell = typename std::decay_t<decltype(cells)>::value_type;
        // A wider code than the cells can hold cannot occur among the cells themselves: codes only close gaps.
        for (auto& c : cells) c = static_cast<Cell>(new_code[c]);
      },
      cells_);
  if (width < cells_.index()) {
    cells_ = visit([&](const auto& cells) -> decltype(cells_) {
      if (width == 0) return converted<uint8_t>(cells);
      return converted<uint16_t>(cells);
    });
  }
}

void Codes::reserve(size_t rows) {
  std::visit([rows](auto& cells) { cells.reserve(rows); }, cells_);
}

void Codes::shrink_to_fit() {
  std::visit([](auto& cells) { cells.shrink_to_fit(); }, cells_);
}

bool Codes::operator==(const Codes& other) const {
  return cells_.index() == other.cells_.index() && cells_ == other.cells_;
}

bool Column::is_constant() const {
  if (kind == ColumnKind::kCategorical) return levels.size() <= 1;
  return std::all_of(values.begin(), values.end(), [&](double x) { return x == values.front(); });
}

std::vector<std::string> Dataset::names() const {
  std::vector<std::string> out;
  for (const Column& column : columns_) out.push_back(column.name);
  return out;
}

int Dataset::index_of(const std::string& name) const {
  const auto it = std::find_if(columns_.begin(), columns_.end(), [&](const Column& c) { return c.name == name; });
  return it == columns_.end() ? -1 : static_cast<int>(it - columns_.begin());
}

std::vector<int> Dataset::file_order() const {
  std::vector<int> order(columns_.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return columns_[a].file_index < columns_[b].file_index; });
  return order;
}

bool Dataset::all_of(ColumnKind kind) const {
  return std::all_of(columns_.begin(), columns_.end(), [&](const Column& c) { return c.kind == kind; });
}

std::string Dataset::checksum() const {
  uint64_t h = rows_;
  for (const Column& column : columns_) h = hash_combine(h, column_hash(column));
  return hex64(h);
}

Dataset make_dataset(std::vector<Column> columns, std::string source) {
  std::map<std::string, size_t> seen;
  for (size_t k = 0; k < columns.size(); ++k) {
    Column& column = columns[k];
    column.file_index = static_cast<int>(k);
    if (column.name.find_first_not_of(" \t\r\n") == std::string::npos) {
      throw InputError(source, fmt::format("column {} has no name", k + 1),
                       "name every column in the header, or pass --no-header if there is none");
    }
    const auto [it, is_new] = seen.emplace(column.name, k);
    if (!is_new) {
      throw InputError(source,
                       fmt::format("columns {} and {} are both named {}", it->second + 1, k + 1, quoted(column.name)),
                       "give each column a name of its own");
    }
    if (column.rows() != columns.front().rows()) {
      throw InputError(source, fmt::format("column {} has {} rows, column {} has {}", quoted(column.name),
                                           column.rows(), quoted(columns.front().name), columns.front().rows()));
    }
    if (column.kind == ColumnKind::kCategorical) {
      settle_levels(column);
    } else {
      for (size_t row = 0; row < column.values.size(); ++row) {
        if (!std::isfinite(column.values[row])) {
          throw InputError(source,
                           fmt::format("column {}: row {} is not a finite number", quoted(column.name), row + 1));
        }
        if (column.values[row] == 0) column.values[row] = 0;  // -0 and 0 are one value
      }
    }
  }
  std::vector<std::string> names;
  for (const Column& column : columns) names.push_back(column.name);
  Dataset dataset;
  dataset.source_ = std::move(source);
  dataset.rows_ = columns.empty() ? 0 : columns.front().rows();
  for (int k : canonical_order(names)) dataset.columns_.push_back(std::move(columns[k]));
  return dataset;
}

Column categorical_column(std::string name, const std::vector<int>& codes, std::vector<std::string> levels) {
  Column column;
  column.name = std::move(name);
  column.kind = ColumnKind::kCategorical;
  if (levels.empty()) {
    const int largest = codes.empty() ? -1 : *std::max_element(codes.begin(), codes.end());
    for (int c = 0; c <= largest; ++c) levels.push_back(std::to_string(c));
  }
  column.levels = std::move(levels);
  for (int c : codes) column.codes.push_back(static_cast<uint32_t>(c));
  return column;
}

Column continuous_column(std::string name, std::vector<double> values) {
  Column column;
  column.name = std::move(name);
  column.kind = ColumnKind::kContinuous;
  column.values = std::move(values);
  return column;
}

std::vector<int> canonical_order(const std::vector<std::string>& names) {
  std::vector<uint64_t> hash;
  for (const std::string& name : names) hash.push_back(hash_text(name));
  std::vector<int> order(names.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return hash[a] != hash[b] ? hash[a] < hash[b] : names[a] < names[b]; });
  return order;
}

}  // namespace agon
