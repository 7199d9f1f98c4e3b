#include "agon/data/column_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "agon/base/error.h"
#include "agon/base/hash.h"
#include "agon/base/item_list.h"
#include "agon/base/text.h"
#include "agon/data/records.h"

namespace agon {
namespace {

// How a number is written as a label, whatever its spelling was.
std::string label_of(double number) {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  if (number == std::floor(number) && std::abs(number) <= kExact) return std::to_string(static_cast<int64_t>(number));
  return fmt::format("{}", number);
}

std::string place(const std::string& file, size_t line) { return fmt::format("{}:{}", file, line); }

[[noreturn]] void refuse_bytes(const std::string& name, std::string_view cell, const std::string& file, size_t line) {
  throw InputError(place(file, line),
                   fmt::format("column {}: {} is not UTF-8 text", quoted(name), quoted(std::string(cell))),
                   "convert the file first, e.g. iconv -f LATIN1 -t UTF-8");
}

}  // namespace

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
      if (parse_integer(cell, integer, mark_)) {
        state_ = State::kIntegers;
        add_integer(cell, integer);
      } else if (parse_number(cell, number, mark_)) {
        become_numbers();
        values_.push_back(number);
      } else {
        become_labels();
        add_label(cell, file, line);
      }
      return;
    case State::kNumbers:
      if (parse_number(cell, number, mark_)) {
        values_.push_back(number);
      } else if (wish_ == Wish::kNumbers) {
        refuse_text(std::string(cell), file, line, "a number");
      } else {
        become_labels();
        add_label(cell, file, line);
      }
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

void ColumnBuilder::add_missing() {
  missing_.insert(rows());
  if (state_ == State::kNumbers) {
    values_.push_back(kMissingNumber);
  } else {
    codes_.push_back(kMissingCode);
  }
}

void ColumnBuilder::become_numbers() {
  state_ = State::kNumbers;
  values_.reserve(std::max(reserved_, codes_.size() + 1));
  codes_.visit([&](const auto& cells) {
    for (size_t row = 0; row < cells.size(); ++row) {
      values_.push_back(missing_[row] ? kMissingNumber : static_cast<double>(integers_[cells[row]]));
    }
  });
  codes_ = {};
  integers_ = {};
}

// The first text has come. What was read so far are numbers, and they become labels by value.
void ColumnBuilder::become_labels() {
  expected_ = expected_text();
  if (state_ == State::kIntegers) {
    for (const int64_t value : integers_) number_label(std::to_string(value));  // the codes stay as they are
  } else if (state_ == State::kNumbers) {
    codes_.reserve(reserved_);
    for (size_t row = 0; row < values_.size(); ++row) {
      const bool stop = numbers_ > kMostNumbersInText;  // check() will refuse it; no need to hold all of them
      codes_.push_back(missing_[row] || stop ? kMissingCode : number_label(label_of(values_[row])));
    }
    values_ = {};
  }
  integers_ = {};
  recent_ = {};
  state_ = State::kLabels;
}

uint32_t ColumnBuilder::number_label(const std::string& label) {
  bool is_new = false;
  const uint32_t code = labels_.find_or_add(label, is_new);
  numbers_ += is_new;
  return code;
}

void ColumnBuilder::add_label(std::string_view cell, const std::string& file, size_t line) {
  if (wish_ == Wish::kInfer) {
    add_inferred_label(cell, file, line);
    return;
  }
  bool is_new = false;
  const uint32_t code = labels_.find_or_add(cell, is_new);
  if (is_new && !is_utf8(cell)) refuse_bytes(name_, cell, file, line);
  add_code(cell, code);
}

void ColumnBuilder::add_inferred_label(std::string_view cell, const std::string& file, size_t line) {
  double number = 0;
  if (looks_like_number(cell, number, mark_)) {
    int64_t integer = 0;
    const uint32_t code = number_label(parse_integer(cell, integer, mark_) ? std::to_string(integer)
                                       : std::isfinite(number)             ? label_of(number)
                                                                           : std::string(cell));
    if (first_number_line_ == 0) {
      first_number_ = cell;
      first_number_line_ = line;
    }
    if (numbers_ > kMostNumbersInText) check(file);
    add_code(cell, code);
    return;
  }
  bool is_new = false;
  const uint32_t code = labels_.find_or_add(cell, is_new);
  if (is_new) {
    if (!is_utf8(cell)) refuse_bytes(name_, cell, file, line);
    if (is_foreign_number(cell, mark_)) refuse_foreign_number(std::string(cell), file, line);
    if (first_text_line_ == 0) {
      first_text_ = cell;
      first_text_line_ = line;
      if (numbers_ > kMostNumbersInText) check(file);
    }
  }
  add_code(cell, code);
}

std::string ColumnBuilder::expected_text() const {
  if (state_ == State::kIntegers && integers_.size() >= 2 && integers_.size() <= 8) {
    std::vector<int64_t> values = integers_;
    std::sort(values.begin(), values.end());
    std::vector<std::string> texts;
    for (int64_t value : values) texts.push_back(std::to_string(value));
    return "one of " + joined(texts, ", ");
  }
  return state_ == State::kNothing ? "" : "a number";
}

void ColumnBuilder::refuse_text(const std::string& text, const std::string& file, size_t line,
                                const std::string& expected) const {
  if (is_foreign_number(text, mark_)) refuse_foreign_number(text, file, line);
  std::string hint = fmt::format("if {} marks a missing value, pass {}", quoted(text), typed_items("na", {text}));
  hint += wish_ == Wish::kNumbers
              ? fmt::format("; if {} holds labels, do not name it in --continuous", quoted(name_))
              : fmt::format("; if {} holds labels, pass {}", quoted(name_), typed_items("discrete", {name_}));
  throw InputError(place(file, line),
                   fmt::format("column {}: found {}, expected {}", quoted(name_), quoted(text), expected), hint);
}

void ColumnBuilder::refuse_foreign_number(const std::string& text, const std::string& file, size_t line) const {
  const bool comma = mark_ == ',';
  double number = 0;
  std::string hint = parse_number(text, number, comma ? '.' : ',')
                         ? fmt::format("if {} is its decimal mark, pass --decimal {}",
                                       comma ? "the point" : "the comma", comma ? "point" : "comma")
                         : "write numbers without separators of thousands";
  hint += wish_ == Wish::kNumbers ? fmt::format("; if {} holds labels, do not name it in --continuous", quoted(name_))
                                  : fmt::format("; if these are labels, pass {}", typed_items("discrete", {name_}));
  throw InputError(place(file, line),
                   fmt::format("column {}: found {}, expected a number with a decimal {} and no {}", quoted(name_),
                               quoted(text), comma ? "comma" : "point", comma ? "points" : "commas"),
                   hint);
}

void ColumnBuilder::check(const std::string& file) const {
  if (state_ != State::kLabels || wish_ != Wish::kInfer || numbers_ == 0) return;
  const size_t texts = labels_.size() - numbers_;
  if (texts >= numbers_ && numbers_ <= kMostNumbersInText) return;
  // Text that is not finite, such as inf, counts as a number and may be all there is.
  const std::string& text = first_text_line_ > 0 ? first_text_ : first_number_;
  const size_t line = first_text_line_ > 0 ? first_text_line_ : first_number_line_;
  const std::string expected =
      !expected_.empty()     ? expected_
      : first_text_line_ > 0 ? fmt::format("a number like the {} on line {}", quoted(first_number_), first_number_line_)
                             : "a number";
  refuse_text(text, file, line, expected);
}

ColumnFacts ColumnBuilder::facts() const {
  ColumnFacts facts;
  if (wish_ != Wish::kInfer) {
    facts.told = wish_ == Wish::kLabels ? ColumnKind::kCategorical : ColumnKind::kContinuous;
  }
  facts.seen = static_cast<double>(rows() - missing_.count());
  facts.text = state_ == State::kLabels;
  facts.integers = state_ == State::kIntegers;
  facts.distinct = state_ == State::kLabels ? labels_.size() : integers_.size();
  if (state_ != State::kNumbers) return facts;
  double one = 0, two = 0;
  for (size_t row = 0; row < values_.size() && facts.distinct < 3; ++row) {
    const double x = values_[row];
    if (missing_[row] || (facts.distinct > 0 && x == one) || (facts.distinct > 1 && x == two)) continue;
    (facts.distinct == 0 ? one : two) = x;
    ++facts.distinct;
  }
  return facts;
}

Column ColumnBuilder::finish() {
  Column column;
  column.name = std::move(name_);
  column.missing = std::move(missing_);
  missing_ = {};
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
