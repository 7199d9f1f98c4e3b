#include "agon/data/number_text.h"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <cmath>

#include "agon/base/text.h"

namespace agon {

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

bool looks_like_number(std::string_view cell, double& value) {
  if (!cell.empty() && cell[0] == '+') cell.remove_prefix(1);
  const auto [end, error] = fast_float::from_chars(cell.data(), cell.data() + cell.size(), value);
  return error != std::errc::invalid_argument && end == cell.data() + cell.size() && !cell.empty();
}

}  // namespace agon
