#include "agon/report/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "agon/base/error.h"

namespace agon {
namespace {

// Code points, which is the width in a terminal but for wide and combining letters.
size_t width(const std::string& text) {
  return std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
}

}  // namespace

Table::Table(std::vector<std::string> headings) {
  for (std::string& heading : headings) {
    flush_right_.push_back(heading.starts_with('>'));
    if (flush_right_.back()) heading.erase(0, 1);
  }
  rows_.push_back(std::move(headings));
}

void Table::row(std::vector<std::string> cells) {
  cells.resize(flush_right_.size());
  rows_.push_back(std::move(cells));
}

std::string Table::text(std::string_view indent) const {
  std::vector<size_t> widths(flush_right_.size());
  for (const auto& row : rows_) {
    for (size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], width(row[k]));
  }
  const bool has_headings =
      std::any_of(rows_[0].begin(), rows_[0].end(), [](const std::string& heading) { return !heading.empty(); });
  std::string out;
  for (size_t r = has_headings ? 0 : 1; r < rows_.size(); ++r) {
    std::string line(indent);
    for (size_t k = 0; k < widths.size(); ++k) {
      const std::string pad(widths[k] - width(rows_[r][k]), ' ');
      if (k) line += "  ";
      line += flush_right_[k] ? pad + rows_[r][k] : rows_[r][k] + pad;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

std::string shown(const std::string& name) {
  const std::string safe = quoted(name, name.size());
  return safe.substr(1, safe.size() - 2) == name ? name : safe;
}

std::string with_commas(long long number) {
  std::string digits = std::to_string(number);
  const int first = number < 0 ? 1 : 0;
  for (int at = static_cast<int>(digits.size()) - 3; at > first; at -= 3) digits.insert(digits.begin() + at, ',');
  return digits;
}

std::string counted(long long number, const std::string& noun) {
  return with_commas(number) + " " + noun + (number == 1 ? "" : "s");
}

std::string duration_text(double seconds) {
  if (seconds < 0.9995e-3) return fmt::format("{:.3g} us", std::max(seconds, 0.0) * 1e6);
  if (seconds < 0.9995) return fmt::format("{:.3g} ms", seconds * 1e3);
  if (seconds < 99.95) return fmt::format("{:.3g} s", seconds);
  const long whole = std::lround(seconds);
  return fmt::format("{} min {} s", whole / 60, whole % 60);
}

}  // namespace agon
