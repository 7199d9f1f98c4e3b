#include "agon/data/column_builder.h"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "agon/base/error.h"
#include "agon/base/hash.h"
#include "agon/data/records.h"

namespace agon {
namespace {

constexpr size_t kMostIntegerLevels = 20;

// 1,5 or 1,234: a number in the notation of another country, which must not be taken for a label.
bool has_number_comma(std::string_view cell) {
  if (!cell.empty() && (cell[0] == '-' || cell[0] == '+')) cell.remove_prefix(1);
  if (cell.empty() || !is_digit(cell.front()) || !is_digit(cell.back())) return false;
  size_t commas = 0;
  for (char c : cell) {
    if (!is_digit(c) && c != ',' && c != '.') return false;
    commas += c == ',';
  }
  return commas > 0;
}

std::string place(const std::string& file, size_t line) { return fmt::format("{}:{}", file, line); }

}  // namespace

bool parse_number(std::string_view cell, double& value) {
  if (!cell.empty() && cell[0] == '+') {
    cell.remove_prefix(1);
    if (!cell.empty() && cell[0] == '-') return false;
  }
  const auto [end, error] = fast_float::from_chars(cell.data(), cell.data() + cell.size(), value);
  return error == std::errc() && end == cell.data() + cell.size() && std::isfinite(value) && !cell.empty();
}

bool parse_integer(std::string_view cell, int64_t& value) {
  const bool negative = !cell.empty() && cell[0] == '-';
  const std::string_view digits = !cell.empty() && (negative || cell[0] == '+') ? cell.substr(1) : cell;
  if (!digits.empty() && digits.size() <= 18 && std::all_of(digits.begin(), digits.end(), is_digit)) {
    int64_t magnitude = 0;
    for (char c : digits) magnitude = 10 * magnitude + (c - '0');
    value = negative ? -magnitude : magnitude;
    return true;
  }
  double number = 0;
  constexpr double kExact = 9007199254740992.0;  // 2^53: above it, not every integer is a double
  if (!parse_number(cell, number) || number != std::floor(number) || std::abs(number) > kExact) return false;
  value = static_cast<int64_t>(number);
  return true;
}

uint32_t LabelTable::find_or_add(std::string_view text, bool& is_new) {
  if (2 * (labels_.size() + 1) > slots_.size()) {
    slots_.assign(std::max<size_t>(16, 2 * slots_.size()), 0);
    for (uint32_t number = 0; number < labels_.size(); ++number) {
      size_t at = hash_text(labels_[number]) & (slots_.size() - 1);
      while (slots_[at] != 0) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = number + 1;
    }
  }
  size_t at = hash_text(text) & (slots_.size() - 1);
  for (; slots_[at] != 0; at = (at + 1) & (slots_.size() - 1)) {
    if (labels_[slots_[at] - 1] == text) {
      is_new = false;
      return slots_[at] - 1;
    }
  }
  is_new = true;
  labels_.emplace_back(text);
  slots_[at] = static_cast<uint32_t>(labels_.size());
  return slots_[at] - 1;
}

void ColumnBuilder::reserve(size_t rows) {
  reserved_ = rows;
  if (state_ == State::kNumbers) {
    values_.reserve(rows);
  } else {
    codes_.reserve(rows);
  }
}

void ColumnBuilder::add_slowly(std::string_view cell, const std::string& file, size_t line) {
  int64_t integer = 0;
  double number = 0;
  switch (state_) {
    case State::kNothing:
    case State::kIntegers:
      if (parse_integer(cell, integer)) {
        state_ = State::kIntegers;
        add_integer(cell, integer);
      } else if (parse_number(cell, number)) {
        become_numbers();
        values_.push_back(number);
      } else if (state_ == State::kNothing) {
        state_ = State::kLabels;
        add_label(cell, file, line);
      } else {
        refuse_text(cell, file, line);
      }
      return;
    case State::kNumbers:
      if (!parse_number(cell, number)) refuse_text(cell, file, line);
      values_.push_back(number);
      return;
    case State::kLabels:
      add_label(cell, file, line);
      return;
  }
}

void ColumnBuilder::add_code(std::string_view cell, uint32_t code) {
  codes_.push_back(code);
  if (cell.size() - 1 < 8) recent_[slot(key(cell))] = {key(cell), code};
}

void ColumnBuilder::add_integer(std::string_view cell, int64_t value) {
  const auto known = std::find(integers_.begin(), integers_.end(), value);
  const auto code = static_cast<uint32_t>(known - integers_.begin());
  if (known == integers_.end()) {
    if (integers_.size() == kMostIntegerLevels) {
      become_numbers();
      values_.push_back(static_cast<double>(value));
      return;
    }
    integers_.push_back(value);
  }
  add_code(cell, code);
}

void ColumnBuilder::become_numbers() {
  state_ = State::kNumbers;
  values_.reserve(std::max(reserved_, codes_.size() + 1));
  codes_.visit([&](const auto& cells) {
    for (auto code : cells) values_.push_back(static_cast<double>(integers_[code]));
  });
  codes_ = {};
  integers_ = {};
}

void ColumnBuilder::add_label(std::string_view cell, const std::string& file, size_t line) {
  bool is_new = false;
  const uint32_t code = labels_.find_or_add(cell, is_new);
  if (is_new) {
    if (!is_utf8(cell)) {
      throw InputError(place(file, line),
                       fmt::format("column {}: {} is not UTF-8 text", quoted(name_), quoted(std::string(cell))),
                       "convert the file first, e.g. iconv -f LATIN1 -t UTF-8");
    }
    double number = 0;
    if (wish_ == Wish::kInfer && parse_number(cell, number)) refuse_number(cell, file, line);
    if (wish_ == Wish::kInfer && has_number_comma(cell)) {
      throw InputError(place(file, line),
                       fmt::format("column {}: found {}, expected a number with a decimal point and no commas",
                                   quoted(name_), quoted(std::string(cell))),
                       fmt::format("if these are labels, pass --discrete {}", shell_word(name_)));
    }
    if (code == 0) {
      first_text_ = cell;
      first_text_line_ = line;
    }
  }
  add_code(cell, code);
}

void ColumnBuilder::refuse_text(std::string_view cell, const std::string& file, size_t line) const {
  const std::string text(cell);
  std::string expected = "a number";
  if (state_ == State::kIntegers && integers_.size() >= 2 && integers_.size() <= 8) {
    std::vector<int64_t> values = integers_;
    std::sort(values.begin(), values.end());
    expected = fmt::format("one of {}", fmt::join(values, ", "));
  }
  std::string hint = fmt::format("if {} marks a missing value, pass --na {}", quoted(text), shell_word(text));
  hint += wish_ == Wish::kNumbers
              ? fmt::format("; if {} holds labels, do not name it in --continuous", quoted(name_))
              : fmt::format("; if {} holds labels, pass --discrete {}", quoted(name_), shell_word(name_));
  throw InputError(place(file, line),
                   fmt::format("column {}: found {}, expected {}", quoted(name_), quoted(text), expected), hint);
}

void ColumnBuilder::refuse_number(std::string_view cell, const std::string& file, size_t line) const {
  throw InputError(place(file, first_text_line_),
                   fmt::format("column {}: found {}, expected a number like the {} on line {}", quoted(name_),
                               quoted(first_text_), quoted(std::string(cell)), line),
                   fmt::format("if {} marks a missing value, pass --na {}; if {} holds labels, pass --discrete {}",
                               quoted(first_text_), shell_word(first_text_), quoted(name_), shell_word(name_)));
}

Column ColumnBuilder::finish() {
  Column column;
  column.name = std::move(name_);
  if (state_ == State::kNumbers) {
    column.kind = ColumnKind::kContinuous;
    if (values_.capacity() - values_.size() > values_.size() / 8) values_.shrink_to_fit();
    column.values = std::move(values_);
    return column;
  }
  column.kind = ColumnKind::kCategorical;
  if (state_ == State::kIntegers) {
    for (int64_t value : integers_) column.levels.push_back(std::to_string(value));
  } else {
    column.levels = labels_.take();
    labels_ = {};
  }
  const size_t rows = codes_.size();
  if (column.levels.size() > 256 || reserved_ - std::min(reserved_, rows) > rows / 8) codes_.shrink_to_fit();
  column.codes = std::move(codes_);
  return column;
}

}  // namespace agon
