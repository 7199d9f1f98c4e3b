// agon/data/column_builder.h
//
// One column of a table while it is being read: takes cells as text and gathers, as they come, what the rule of kinds
// (kinds.h) wants to know: whether they are labels, integers or other numbers, and how many differ.
//
//   ColumnBuilder x("x", ColumnBuilder::Wish::kInfer);
//   x.add("1", "t.csv", 2), x.add_missing(), x.add("2", "t.csv", 4);  // cells may be read for 8 bytes from their start
//   x.facts().distinct;                                                   // 2
//   Column column = x.finish();                                           // categories "1" and "2", and a gap
//
//   nothing yet --integer--> integers --21st distinct, or a fraction--> numbers
//        |                       |                                         |
//        +-------text------------+------------------text-------------------+--> labels
//
// A column of integers is kept as codes into a small dictionary and turns into doubles only when it must, so that a
// table of codes never costs eight bytes a cell.
//
// A number may be printed for people ("$1,200", "12 %", "1,234,567"): it goes by value, and the user is told.
//
// A column of text may hold numbers too, when at least half of its distinct cells are not numbers. Its numbers go by
// value then, as integers do: the order of the rows must not matter, and how the first of them were spelled is
// forgotten. With fewer texts, or more than kMostNumbersInText distinct numbers, it is a column of numbers in which
// something else was written now and then: "rotary", "<0.006", a slip of the pen. Such stray text is an error, or it is
// accepted with a warning, as the reader says. Accepted, it is a level beside numbers that are categories by themselves
// (3, 4, 5, 6 and "rotary"), and missing among measurements. Where it is accepted, eight texts that are a fifth of the
// distinct cells are too much to be stray (the tickets "113803" and "PC 17599"), and the column is text.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "agon/data/dataset.h"
#include "agon/data/kinds.h"
#include "agon/data/number_text.h"

namespace agon {

// Distinct texts numbered in order of arrival.
class LabelTable {
 public:
  // The number of `text`; `is_new` says whether it came for the first time.
  uint32_t find_or_add(std::string_view text, bool& is_new);
  size_t size() const { return labels_.size(); }
  const std::string& operator[](uint32_t number) const { return labels_[number]; }
  std::vector<std::string> take() { return std::move(labels_); }

 private:
  std::vector<std::string> labels_;
  std::vector<uint32_t> slots_;  // open addressing: 1 + number, 0 is free; a power of two long
};

class ColumnBuilder {
 public:
  enum class Wish { kInfer, kLabels, kNumbers };
  enum class StrayText { kRefused, kAccepted };

  ColumnBuilder(std::string name, Wish wish, const PrintedNumbers& numbers = {.thousands = false},
                StrayText stray = StrayText::kRefused)
      : name_(std::move(name)), wish_(wish), printed_(numbers), mark_(numbers.mark), stray_text_(stray) {
    state_ = wish == Wish::kLabels ? State::kLabels : wish == Wish::kNumbers ? State::kNumbers : State::kNothing;
  }

  // Adds a cell that is not missing. `cell` may be read for 8 bytes from its start. Throws InputError, with
  // `file`:`line` as its place, for a cell that cannot be used.
  void add(std::string_view cell, const std::string& file, size_t line) {
    if (double number = 0; state_ == State::kNumbers && parse_number(cell, number, mark_)) {
      values_.push_back(number);
      return;
    }
    if (state_ != State::kNumbers && cell.size() - 1 < 8) {  // the same few short cells again and again
      const Recent& recent = recent_[slot(key(cell))];
      if (recent.key == key(cell)) {
        codes_.push_back(recent.code);
        return;
      }
    }
    add_slowly(cell, file, line);
  }

  void add_missing();

  void reserve(size_t rows);
  const std::string& name() const { return name_; }
  size_t rows() const { return state_ == State::kNumbers ? values_.size() : codes_.size(); }
  // To be called after the last cell: decides whether numbers and text are labels, or numbers with stray text. `counts`
  // says how often each row occurred; empty: once. Throws InputError when there is stray text and it is refused.
  void settle(const std::string& file, const std::vector<double>& counts = {});
  // What to tell the user of stray text that was accepted; "": there was none. `where` stands before a line's number.
  std::string stray_text_warning(const std::string& where) const;
  // The same of numbers that were printed for people.
  std::string printed_numbers_note(const std::string& where) const;
  ColumnFacts facts(const std::vector<double>& counts = {}) const;
  Column finish();  // categories or numbers, whatever the cells were; the builder is empty afterwards

 private:
  enum class State { kNothing, kIntegers, kNumbers, kLabels };
  struct Recent {
    uint64_t key = 0;  // the bytes of the cell; no cell has a zero byte
    uint32_t code = 0;
  };

  static uint64_t key(std::string_view cell) {  // 1 to 8 bytes
    uint64_t bytes;
    std::memcpy(&bytes, cell.data(), 8);
    const size_t unused = 8 * (8 - cell.size());
    return std::endian::native == std::endian::little ? bytes & (~uint64_t{0} >> unused) : bytes >> unused;
  }
  static size_t slot(uint64_t key) { return (key * 0x9E3779B97F4A7C15ull) >> 61; }

  void add_slowly(std::string_view cell, const std::string& file, size_t line);
  bool add_if_printed(std::string_view cell, const std::string& file, size_t line);
  void add_code(std::string_view cell, uint32_t code);
  void add_integer(std::string_view cell, int64_t value);
  void add_label(std::string_view cell, const std::string& file, size_t line);
  void add_inferred_label(std::string_view cell, const std::string& file, size_t line);
  void add_stray_text(std::string_view cell, const std::string& file, size_t line);
  void check_text(std::string_view cell, const std::string& file, size_t line) const;
  void note_first_text(std::string_view cell, size_t line);
  bool has_too_many_numbers_for_text() const;
  void become_numbers();
  void become_labels();
  bool numbers_are_categories(const std::vector<double>& counts) const;
  void take_text_as_missing(const std::string& file);
  uint32_t number_label(const std::string& label);
  [[noreturn]] void refuse_mixture(const std::string& file) const;
  std::string expected_text() const;
  [[noreturn]] void refuse_text(const std::string& text, const std::string& file, size_t line,
                                const std::string& expected) const;
  [[noreturn]] void refuse_foreign_number(const std::string& text, const std::string& file, size_t line) const;

  std::string name_;
  Wish wish_;
  PrintedNumbers printed_;
  char mark_;
  StrayText stray_text_;
  State state_;
  size_t reserved_ = 0;
  std::array<Recent, 8> recent_;
  Codes codes_;                    // kIntegers, kLabels
  std::vector<int64_t> integers_;  // kIntegers: value of each code
  LabelTable labels_;              // kLabels
  std::vector<double> values_;     // kNumbers
  MissingCells missing_;

  // Of labels that are inferred: the first text, number and infinite number, if any, to name them where there are both.
  std::string first_text_, first_number_, first_infinite_;
  // 0: there was none, or it came before the first text.
  size_t first_text_line_ = 0, first_number_line_ = 0, first_infinite_line_ = 0;
  std::string expected_;          // the numbers that came before the first text, in words
  std::vector<bool> is_number_;   // by label
  size_t numbers_ = 0;            // distinct ones
  bool text_is_missing_ = false;  // it was decided that the column holds measurements
  size_t stray_cells_ = 0;
  std::string first_printed_;  // the first number that was printed for people; "": there was none
  size_t first_printed_line_ = 0;
};

constexpr size_t kMostNumbersInText = size_t{1} << 16;
constexpr size_t kManyTexts = 8;   // distinct ones, from which on they may be too much to be stray
constexpr double kMuchText = 0.2;  // of the distinct cells

}  // namespace agon
