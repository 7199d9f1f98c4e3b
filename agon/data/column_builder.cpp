#include "agon/data/column_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>
#include <utility>

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
      } else if (!add_if_printed(cell, file, line)) {
        become_labels();
        add_label(cell, file, line);
      }
      return;
    case State::kNumbers:
      if (parse_number(cell, number, mark_)) {
        values_.push_back(number);
      } else if (add_if_printed(cell, file, line)) {
        return;
      } else if (wish_ == Wish::kNumbers) {
        refuse_text(std::string(cell), file, line, "a number");
      } else if (!looks_like_number(cell, number, mark_) && has_too_many_numbers_for_text()) {
        add_stray_text(cell, file, line);
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

// As the number it shows, so that the spelling of a column of numbers does not matter.
bool ColumnBuilder::add_if_printed(std::string_view cell, const std::string& file, size_t line) {
  double number = 0;
  if (!parse_printed_number(cell, number, printed_)) return false;
  if (first_printed_.empty()) {
    first_printed_ = cell;
    first_printed_line_ = line;
  }
  std::string plain = label_of(number) + std::string(8, '\0');  // a cell may be read for 8 bytes from its start
  if (mark_ == ',') std::ranges::replace(plain, '.', ',');
  add_slowly(std::string_view(plain).substr(0, plain.size() - 8), file, line);
  return true;
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

// Whether text from now on is stray because of the number of numbers alone. A set of them is gathered at the first text
// only: either they are too many, and that is settled, or they become labels.
bool ColumnBuilder::has_too_many_numbers_for_text() const {
  if (text_is_missing_ || stray_text_ == StrayText::kRefused) return text_is_missing_;
  std::unordered_set<double> distinct;
  for (size_t row = 0; row < values_.size() && distinct.size() <= kMostNumbersInText; ++row) {
    if (!missing_[row]) distinct.insert(values_[row]);
  }
  return distinct.size() > kMostNumbersInText;
}

void ColumnBuilder::add_stray_text(std::string_view cell, const std::string& file, size_t line) {
  text_is_missing_ = true;
  check_text(cell, file, line);
  note_first_text(cell, line);
  ++stray_cells_;
  add_missing();
}

// The first text has come. What was read so far are numbers, and they become labels by value.
void ColumnBuilder::become_labels() {
  expected_ = expected_text();
  if (state_ == State::kIntegers) {
    for (const int64_t value : integers_) number_label(std::to_string(value));  // the codes stay as they are
  } else if (state_ == State::kNumbers) {
    codes_.reserve(reserved_);
    for (size_t row = 0; row < values_.size(); ++row) {
      const bool stop = numbers_ > kMostNumbersInText;  // it will be refused; no need to hold all of them
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
  if (is_new) is_number_.push_back(true);
  numbers_ += is_new;
  return code;
}

// Labels turn out to be numbers: what is text among them becomes missing. Up to kMostIntegerLevels integers are kept as
// codes, as if there had been no text.
void ColumnBuilder::take_text_as_missing(const std::string& file) {
  if (first_infinite_line_ > 0) refuse_text(first_infinite_, file, first_infinite_line_, "a number");
  text_is_missing_ = true;
  std::vector<double> value(labels_.size(), kMissingNumber);
  std::vector<uint32_t> new_code(labels_.size(), kMissingCode);
  bool integers = numbers_ <= kMostIntegerLevels;
  for (uint32_t code = 0; code < labels_.size(); ++code) {
    if (!is_number_[code]) continue;
    parse_number(labels_[code], value[code]);
    int64_t integer = 0;
    integers = integers && parse_integer(labels_[code], integer);
    new_code[code] = static_cast<uint32_t>(integers_.size());
    if (integers) integers_.push_back(integer);
  }
  const Codes labels = std::exchange(codes_, {});
  state_ = integers ? State::kIntegers : State::kNumbers;
  if (!integers) integers_ = {};
  reserve(std::max(reserved_, labels.size()));
  labels.visit([&](const auto& cells) {
    for (size_t row = 0; row < cells.size(); ++row) {
      if (!missing_[row] && !is_number_[cells[row]]) {
        missing_.insert(row);
        ++stray_cells_;
      }
      if (integers) {
        codes_.push_back(missing_[row] ? kMissingCode : new_code[cells[row]]);
      } else {
        values_.push_back(missing_[row] ? kMissingNumber : value[cells[row]]);
      }
    }
  });
  labels_ = {};
  is_number_ = {};
  recent_ = {};
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
    if (!std::isfinite(number) && first_infinite_line_ == 0) {
      first_infinite_ = cell;
      first_infinite_line_ = line;
    }
    add_code(cell, code);
    if (numbers_ <= kMostNumbersInText) return;
    if (stray_text_ == StrayText::kRefused) refuse_mixture(file);
    take_text_as_missing(file);
    return;
  }
  if (add_if_printed(cell, file, line)) return;
  bool is_new = false;
  const uint32_t code = labels_.find_or_add(cell, is_new);
  if (is_new) {
    check_text(cell, file, line);
    is_number_.push_back(false);
    note_first_text(cell, line);
    if (numbers_ > kMostNumbersInText) refuse_mixture(file);
  }
  add_code(cell, code);
}

// Text that is neither a label nor anything else that may stand in a column without a wish.
void ColumnBuilder::check_text(std::string_view cell, const std::string& file, size_t line) const {
  if (!is_utf8(cell)) refuse_bytes(name_, cell, file, line);
  if (is_foreign_number(cell, mark_)) refuse_foreign_number(std::string(cell), file, line);
}

void ColumnBuilder::note_first_text(std::string_view cell, size_t line) {
  if (first_text_line_ > 0) return;
  first_text_ = cell;
  first_text_line_ = line;
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
  std::string hint =
      parse_number(text, number, comma ? '.' : ',')
          ? fmt::format("if {0} is its decimal mark, pass --decimal {1}{2}", comma ? "the point" : "the comma",
                        comma ? "point" : "comma",
                        parse_printed_number(text, number, {.mark = mark_})
                            ? fmt::format("; if it separates thousands, pass --decimal {}", comma ? "comma" : "point")
                            : "")
          : "write numbers without separators of thousands";
  hint += wish_ == Wish::kNumbers ? fmt::format("; if {} holds labels, do not name it in --continuous", quoted(name_))
                                  : fmt::format("; if these are labels, pass {}", typed_items("discrete", {name_}));
  throw InputError(place(file, line),
                   fmt::format("column {}: found {}, expected a number with a decimal {} and no {}", quoted(name_),
                               quoted(text), comma ? "comma" : "point", comma ? "points" : "commas"),
                   hint);
}

void ColumnBuilder::settle(const std::string& file, const std::vector<double>& counts) {
  if (state_ != State::kLabels || wish_ != Wish::kInfer || numbers_ == 0) return;
  const size_t texts = labels_.size() - numbers_;
  const bool much =
      texts >= kManyTexts && static_cast<double>(texts) >= kMuchText * static_cast<double>(labels_.size());
  if (texts >= numbers_ || (stray_text_ == StrayText::kAccepted && much)) return;
  if (stray_text_ == StrayText::kRefused || texts == 0) refuse_mixture(file);
  if (!numbers_are_categories(counts)) {
    take_text_as_missing(file);
    return;
  }
  codes_.visit([&](const auto& cells) {
    for (size_t row = 0; row < cells.size(); ++row) stray_cells_ += !missing_[row] && !is_number_[cells[row]];
  });
}

// By the rule of kinds, from the cells that are numbers.
bool ColumnBuilder::numbers_are_categories(const std::vector<double>& counts) const {
  if (first_infinite_line_ > 0) return false;
  ColumnFacts facts{.integers = true, .distinct = numbers_};
  for (uint32_t code = 0; code < labels_.size(); ++code) {
    int64_t integer = 0;
    facts.integers = facts.integers && (!is_number_[code] || parse_integer(labels_[code], integer));
  }
  codes_.visit([&](const auto& cells) {
    for (size_t row = 0; row < cells.size(); ++row) {
      if (!missing_[row] && is_number_[cells[row]]) facts.seen += counts.empty() ? 1 : counts[row];
    }
  });
  return is_category_in_any_table(facts);
}

std::string ColumnBuilder::stray_text_warning(const std::string& where) const {
  if (stray_cells_ == 0) return "";
  const size_t cells = rows() - missing_.count() + (text_is_missing_ ? stray_cells_ : 0);
  const std::string labels = typed_items("discrete", {name_}), marker = typed_items("na", {first_text_});
  return fmt::format("column {} holds numbers, and text in {} of {} cells, first {} {} {}: taken as {}", quoted(name_),
                     with_commas(stray_cells_), with_commas(cells), quoted(first_text_), where, first_text_line_,
                     text_is_missing_
                         ? fmt::format("missing; if the column holds labels, pass {}", labels)
                         : fmt::format("a level of its own; if it marks a missing value, pass {}", marker));
}

std::string ColumnBuilder::printed_numbers_note(const std::string& where) const {
  if (first_printed_.empty()) return "";
  double value = 0;
  std::string other;
  if (parse_number(first_printed_, value, mark_ == ',' ? '.' : ',')) {
    other = mark_ == ',' ? " If the point is its decimal mark, pass --decimal point."
                         : " If the comma is its decimal mark, pass --decimal comma.";
  }
  parse_printed_number(first_printed_, value, printed_);
  return fmt::format("Column {} holds numbers as they are printed for people: {} {} {} is read as {}.{}", quoted(name_),
                     quoted(first_printed_), where, first_printed_line_, label_of(value), other);
}

void ColumnBuilder::refuse_mixture(const std::string& file) const {
  // Text that is not finite, such as inf, counts as a number and may be all there is.
  const std::string& text = first_text_line_ > 0 ? first_text_ : first_number_;
  const size_t line = first_text_line_ > 0 ? first_text_line_ : first_number_line_;
  const std::string expected =
      !expected_.empty()     ? expected_
      : first_text_line_ > 0 ? fmt::format("a number like the {} on line {}", quoted(first_number_), first_number_line_)
                             : "a number";
  refuse_text(text, file, line, expected);
}

ColumnFacts ColumnBuilder::facts(const std::vector<double>& counts) const {
  ColumnFacts facts;
  if (wish_ != Wish::kInfer) {
    facts.told = wish_ == Wish::kLabels ? ColumnKind::kCategorical : ColumnKind::kContinuous;
  }
  facts.seen = static_cast<double>(rows() - missing_.count());
  if (!counts.empty()) {
    facts.seen = 0;
    for (size_t row = 0; row < counts.size(); ++row) facts.seen += missing_[row] ? 0 : counts[row];
  }
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
