// agon/data/number_text.h
//
// Numbers as cells of a table spell them. The decimal mark, before the fraction, is a point or a comma. Digits in
// groups ("1.234.567") are no number.
#pragma once

#include <cstdint>
#include <string_view>

namespace agon {

// The whole of `cell` as a finite number (a leading + is allowed), or false.
bool parse_number(std::string_view cell, double& value, char mark = '.');
// The same for an integer by value: `7`, `+7`, `7.0`, `70e-1`.
bool parse_integer(std::string_view cell, int64_t& value, char mark = '.');

// A number, also one that is not finite: never a label that the reader would infer by itself.
bool looks_like_number(std::string_view cell, double& value, char mark = '.');
// 1,5 or 1,234 or 1.234,5 where the mark is a point, 1.5 or 1.234,5 or 1.234.567 where it is a comma: a number in the
// notation of another country, which must not be taken for a label.
bool is_foreign_number(std::string_view cell, char mark = '.');

}  // namespace agon
