#include "agon/data/number_text.h"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <cmath>

#include "agon/base/text.h"

namespace agon {
namespace {

auto read(std::string_view cell, double& value, char mark) {
  return fast_float::from_chars_advanced(cell.data(), cell.data() + cell.size(), value,
                                         fast_float::parse_options(fast_float::chars_format::general, mark));
}

// Digits in groups of three, with points between them.
bool has_thousands(std::string_view digits) {
  size_t group = 0;
  for (size_t at = digits.size(); at-- > 0;) {
    if (digits[at] != '.') {
      if (++group > 3) return false;
    } else if (group == 3) {
      group = 0;
    } else {
      return false;
    }
  }
  return group > 0;
}

}  // namespace

bool parse_number(std::string_view cell, double& value, char mark) {
  if (!cell.empty() && cell[0] == '+') {
    cell.remove_prefix(1);
    if (!cell.empty() && cell[0] == '-') return false;
  }
  const auto [end, error] = read(cell, value, mark);
  return error == std::errc() && end == cell.data() + cell.size() && std::isfinite(value) && !cell.empty();
}

bool parse_integer(std::string_view cell, int64_t& value, char mark) {
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
  if (!parse_number(cell, number, mark) || number != std::floor(number) || std::abs(number) > kExact) return false;
  value = static_cast<int64_t>(number);
  return true;
}

bool is_foreign_number(std::string_view cell, char mark) {
  if (!cell.empty() && (cell[0] == '-' || cell[0] == '+')) cell.remove_prefix(1);
  if (cell.empty() || !is_digit(cell.front()) || !is_digit(cell.back())) return false;
  size_t commas = 0, points = 0;
  for (char c : cell) {
    if (!is_digit(c) && c != ',' && c != '.') return false;
    commas += c == ',';
    points += c == '.';
  }
  if (mark == '.') return commas > 0;
  // Dates and versions have points too: 24.12.2020 is no number, 1.234.567 is one.
  if (points > 1 && commas == 0) return has_thousands(cell);
  return points > 0 || commas > 1;
}

bool looks_like_number(std::string_view cell, double& value, char mark) {
  if (!cell.empty() && cell[0] == '+') cell.remove_prefix(1);
  const auto [end, error] = read(cell, value, mark);
  return error != std::errc::invalid_argument && end == cell.data() + cell.size() && !cell.empty();
}

}  // namespace agon
