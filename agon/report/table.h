// agon/report/table.h
//
// Columns of text that line up, and names made safe to print.
//
//   Table t({"edge", ">lost"});                 // '>' asks for flush right
//   t.row({"asia -> tub", "12.31"});
//   t.text();                                   // lines, each ended; no trailing blanks
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace agon {

class Table {
 public:
  explicit Table(std::vector<std::string> headings);  // all empty: no heading line
  void row(std::vector<std::string> cells);
  std::string text(std::string_view indent = "") const;

 private:
  std::vector<bool> flush_right_;
  std::vector<std::vector<std::string>> rows_;  // the headings first
};

// The name as it may stand in a terminal: as it is, or quoted with escapes when it holds control characters.
std::string shown(const std::string& name);

// 1234567 as "1,234,567".
std::string with_commas(long long number);

// "1 row", "2 rows": the number with commas and its noun.
std::string counted(long long number, const std::string& noun);

// Seconds to three digits in a unit that suits: "740 us", "3.1 ms", "2.06 s", "3 min 20 s".
std::string duration_text(double seconds);

}  // namespace agon
