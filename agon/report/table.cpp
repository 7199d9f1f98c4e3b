#include "agon/report/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

namespace agon {
namespace {

// The words of the text in lines of at most `room` letters; a longer word gets a line to itself.
std::vector<std::string> lines_of(const std::string& text, size_t room) {
  std::vector<std::string> lines(1);
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (!lines.back().empty() && letter_count(lines.back()) + 1 + letter_count(word) > room) lines.emplace_back();
    if (!lines.back().empty()) lines.back() += ' ';
    lines.back() += word;
  }
  return lines;
}

size_t longest_word(const std::string& text) {
  size_t most = 0;
  std::istringstream words(text);
  for (std::string word; words >> word;) most = std::max(most, letter_count(word));
  return most;
}

constexpr size_t kNarrowest = 8;        // of a shortened column
constexpr size_t kNarrowestLines = 20;  // of a wrapped one

}  // namespace

std::string painted(std::string_view text, Tone tone, const TextStyle& style) {
  static constexpr const char* kCodes[] = {"", "1", "2", "32", "33"};  // ECMA-48: bold, faint, green, yellow
  const char* code = kCodes[static_cast<int>(tone)];
  if (!style.colour || *code == '\0' || text.empty()) return std::string(text);
  return fmt::format("\033[{}m{}\033[0m", code, text);
}

Table::Table(const std::vector<std::string>& headings) {
  std::vector<TableCell> first;
  for (const std::string& heading : headings) {
    const char mark = heading.empty() ? ' ' : heading[0];
    kinds_.push_back(mark == '>' ? Kind::kRight : mark == '~' ? Kind::kWrapped : Kind::kWords);
    first.emplace_back(kinds_.back() == Kind::kWords ? heading : heading.substr(1), Tone::kFaint);
  }
  rows_.push_back(std::move(first));
}

void Table::row(std::vector<TableCell> cells) {
  cells.resize(kinds_.size(), "");
  rows_.push_back(std::move(cells));
}

// Only the columns that hold sentences; names stay as they are.
Table Table::respelled(std::string (*spelling)(std::string_view)) const {
  Table out = *this;
  for (std::vector<TableCell>& row : out.rows_) {
    for (size_t k = 0; k < row.size(); ++k) {
      if (kinds_[k] == Kind::kWrapped) row[k].text = spelling(row[k].text);
    }
  }
  return out;
}

// As wide as the cells, unless the style is narrower. In that case the headings of numbers are broken first, then
// wrapped columns become narrower, then words are shortened; among columns of a kind, the widest comes first.
std::vector<size_t> Table::widths(const TextStyle& style, size_t indent) const {
  std::vector<size_t> widths(kinds_.size()), body(kinds_.size());
  for (size_t r = 0; r < rows_.size(); ++r) {
    for (size_t k = 0; k < widths.size(); ++k) {
      widths[k] = std::max(widths[k], letter_count(rows_[r][k].text));
      if (r > 0) body[k] = std::max(body[k], letter_count(rows_[r][k].text));
    }
  }
  if (style.width <= 0) return widths;
  size_t all = indent + 2 * (widths.size() - 1);
  for (const size_t one : widths) all += one;
  for (const Kind kind : {Kind::kRight, Kind::kWrapped, Kind::kWords}) {
    while (all > static_cast<size_t>(style.width)) {
      size_t widest = widths.size();
      for (size_t k = 0; k < widths.size(); ++k) {
        const size_t narrowest = kind == Kind::kRight     ? std::max(body[k], longest_word(rows_[0][k].text))
                                 : kind == Kind::kWrapped ? kNarrowestLines
                                                          : kNarrowest;
        if (kinds_[k] != kind || widths[k] <= narrowest) continue;
        if (widest == widths.size() || widths[k] > widths[widest]) widest = k;
      }
      if (widest == widths.size()) break;
      --widths[widest];
      --all;
    }
  }
  return widths;
}

std::string Table::text(const TextStyle& style, std::string_view indent) const {
  if (style.spelling) return respelled(style.spelling).text({style.width, style.colour}, indent);
  const std::vector<size_t> widths = this->widths(style, indent.size());
  const bool has_headings =
      std::any_of(rows_[0].begin(), rows_[0].end(), [](const TableCell& heading) { return !heading.text.empty(); });
  std::string out;
  for (size_t r = has_headings ? 0 : 1; r < rows_.size(); ++r) {
    std::vector<std::vector<std::string>> lines;  // of each cell
    size_t height = 1;
    for (size_t k = 0; k < widths.size(); ++k) {
      const std::string& cell = rows_[r][k].text;
      if (letter_count(cell) <= widths[k]) {
        lines.push_back({cell});
      } else if (kinds_[k] == Kind::kWrapped || (r == 0 && kinds_[k] == Kind::kRight)) {
        lines.push_back(lines_of(cell, widths[k]));
      } else {
        lines.push_back({shortened(cell, widths[k])});
      }
      height = std::max(height, lines.back().size());
    }
    for (size_t h = 0; h < height; ++h) {
      std::string line(indent), blanks;
      for (size_t k = 0; k < widths.size(); ++k) {
        const std::string& cell = h < lines[k].size() ? lines[k][h] : "";
        const std::string pad(widths[k] - std::min(widths[k], letter_count(cell)), ' ');
        if (k) blanks += "  ";
        if (kinds_[k] == Kind::kRight) blanks += pad;
        if (!cell.empty()) {
          line += blanks + painted(cell, rows_[r][k].tone, style);
          blanks.clear();
        }
        if (kinds_[k] != Kind::kRight) blanks += pad;
      }
      line.erase(line.find_last_not_of(' ') + 1);
      out += line + "\n";
    }
  }
  return out;
}

std::string wrapped(const std::string& sentence, const TextStyle& style, std::string_view indent, size_t hanging) {
  const std::string text = style.spelling ? style.spelling(sentence) : sentence;
  const size_t all = static_cast<size_t>(std::max(style.width, 0));
  if (all == 0 || indent.size() + letter_count(text) <= all) return fmt::format("{}{}\n", indent, text);
  const size_t taken = indent.size() + hanging, room = all > taken + kNarrowestLines ? all - taken : kNarrowestLines;
  std::string out;
  for (const std::string& line : lines_of(text, room)) {
    out += fmt::format("{}{}{}\n", indent, out.empty() ? "" : std::string(hanging, ' '), line);
  }
  return out;
}

std::string shortened(const std::string& text, size_t most) {
  const size_t letters = letter_count(text);
  if (letters <= most || most == 0) return text;
  const size_t head = most / 2, tail = most - 1 - head;  // letters kept on either side of the dots
  std::string out;
  size_t letter = 0;
  bool dots = false;
  for (const char c : text) {
    if (!continues_letter(c)) ++letter;
    if (letter <= head || letter > letters - tail) {
      out += c;
    } else if (!dots) {
      out += "…";
      dots = true;
    }
  }
  return out;
}

std::string duration_text(double seconds) {
  if (seconds < 0.9995e-3) return fmt::format("{:.3g} us", std::max(seconds, 0.0) * 1e6);
  if (seconds < 0.9995) return fmt::format("{:.3g} ms", seconds * 1e3);
  if (seconds < 99.95) return fmt::format("{:.3g} s", seconds);
  const long whole = std::lround(seconds);
  return fmt::format("{} min {} s", whole / 60, whole % 60);
}

}  // namespace agon
