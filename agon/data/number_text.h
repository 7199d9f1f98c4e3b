// agon/data/number_text.h
//
// Numbers as cells of a table spell them.
#pragma once

#include <cstdint>
#include <string_view>

namespace agon {

// The whole of `cell` as a finite number (a leading + is allowed), or false.
bool parse_number(std::string_view cell, double& value);
// The same for an integer by value: `7`, `+7`, `7.0`, `70e-1`.
bool parse_integer(std::string_view cell, int64_t& value);

// A number, also one that is not finite: never a label that the reader would infer by itself.
bool looks_like_number(std::string_view cell, double& value);
// 1,5 or 1,234: a number in the notation of another country, which must not be taken for a label.
bool has_number_comma(std::string_view cell);

}  // namespace agon
