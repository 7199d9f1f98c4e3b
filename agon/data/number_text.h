// agon/data/number_text.h
//
// Numbers as cells of a table spell them. The decimal mark, before the fraction, is a point or a comma. Digits in
// groups ("1.234.567") are no number, unless a number may be written for people to read:
//
//   double value = 0;
//   parse_number("$1,200", value);                      // false
//   parse_printed_number("$1,200", value, {});          // true: 1200
#pragma once

#include <cstdint>
#include <string_view>

namespace agon {

// The whole of `cell` as a finite number (a leading + is allowed), or false.
bool parse_number(std::string_view cell, double& value, char mark = '.');
// The same for an integer by value: `7`, `+7`, `7.0`, `70e-1`.
bool parse_integer(std::string_view cell, int64_t& value, char mark = '.');

struct PrintedNumbers {
  char mark = '.';        // decimal mark
  bool thousands = true;  // 1,234 is a whole number; false: only what can be nothing else is, as 1,234.5 or 1,234,567
};

// A number as it is printed for people, with at least one of: groups of thousands (1,234,567.8, or 1.234.567,8 where
// the mark is a comma), a sign of currency before or after it ($5, 5 €), a sign of percent after it. What the sign
// stands for is left out: 12 % is 12.
bool parse_printed_number(std::string_view cell, double& value, const PrintedNumbers& rules);

// A number, also one that is not finite: never a label that the reader would infer by itself.
bool looks_like_number(std::string_view cell, double& value, char mark = '.');
// 1,5 or 1,234 or 1.234,5 where the mark is a point, 1.5 or 1.234,5 or 1.234.567 where it is a comma: a number in the
// notation of another country, which must not be taken for a label.
bool is_foreign_number(std::string_view cell, char mark = '.');

}  // namespace agon
