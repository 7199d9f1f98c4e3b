#include "agon/data/number_text.h"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

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

namespace {

constexpr std::array<std::string_view, 4> kCurrencies = {"$", "€", "£", "¥"};

void trim_left(std::string_view& text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
}

void trim_right(std::string_view& text) {
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
}

bool take_currency_before(std::string_view& text) {
  for (const std::string_view sign : kCurrencies) {
    if (!text.starts_with(sign)) continue;
    text.remove_prefix(sign.size());
    trim_left(text);
    return true;
  }
  return false;
}

bool take_sign_after(std::string_view& text) {
  const auto ends = [&](std::string_view sign) {
    if (!text.ends_with(sign)) return false;
    text.remove_suffix(sign.size());
    trim_right(text);
    return true;
  };
  return ends("%") || std::ranges::any_of(kCurrencies, ends);
}

// Digits in groups of three, the first of one to three and without a leading 0, then perhaps a fraction. Takes the
// groups out of `text`; `groups` counts them.
bool ungroup(std::string& text, char mark, size_t& groups) {
  const char separator = mark == '.' ? ',' : '.';
  const size_t whole = std::min(text.find(mark), text.size());
  groups = static_cast<size_t>(std::count(text.begin(), text.end(), separator)) + 1;
  if (groups == 1) return true;
  if (text.front() == '0' || text.find(separator, whole) != std::string::npos) return false;
  size_t from = 0;
  for (size_t k = 0; k < groups; ++k) {
    const size_t to = std::min(text.find(separator, from), whole);
    const bool fits = k == 0 ? to >= 1 && to <= 3 : to - from == 3;
    if (!fits || !std::all_of(text.begin() + static_cast<ptrdiff_t>(from), text.begin() + static_cast<ptrdiff_t>(to),
                              is_digit)) {
      return false;
    }
    from = to + 1;
  }
  std::erase(text, separator);
  return true;
}

}  // namespace

bool parse_printed_number(std::string_view cell, double& value, const PrintedNumbers& rules) {
  trim_left(cell);
  trim_right(cell);
  if (cell.size() < 2 || cell.size() > 40) return false;
  const auto may_begin = [](char c) { return is_digit(c) || c == '-' || c == '+' || c == '$' || (c & 0x80) != 0; };
  if (!may_begin(cell.front())) return false;  // most text
  bool negative = false;
  const auto take_minus = [&] {
    if (cell.empty() || (cell.front() != '-' && cell.front() != '+')) return;
    negative = cell.front() == '-';
    cell.remove_prefix(1);
  };
  take_minus();
  const bool currency = take_currency_before(cell);
  if (currency && !negative) take_minus();
  const bool sign = take_sign_after(cell) || currency;
  if (cell.empty() || !is_digit(cell.front()) || !is_digit(cell.back())) return false;
  std::string digits(cell);
  const bool has_mark = cell.find(rules.mark) != std::string_view::npos;
  size_t groups = 1;
  if (!ungroup(digits, rules.mark, groups)) return false;
  if (groups == 2 && !has_mark && !rules.thousands) return false;
  if (!std::all_of(digits.begin(), digits.end(), [&](char c) { return is_digit(c) || c == rules.mark; })) return false;
  if ((groups == 1 && !sign) || !parse_number(digits, value, rules.mark)) return false;
  if (negative) value = -value;
  return true;
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
