// tests/results.h
//
// What the tests of the program look for in what it printed.
#pragma once

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

namespace agon::testing {

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
inline bool lacks(const std::string& text, const std::string& part) { return !contains(text, part); }

// What a result says apart from times and from where the table came.
inline nlohmann::json comparable(const std::string& text) {
  nlohmann::json result = nlohmann::json::parse(text);
  result["data"].erase("source");
  result["run"].erase("seconds");
  if (result.contains("bootstrap")) result["bootstrap"].erase("seconds");
  result["run"].erase("command");
  result["run"].erase("threads");
  result["run"]["options"].erase("threads");
  return result;
}

// The table with its columns in another order.
inline std::string with_columns(const std::string& text, const std::vector<int>& order) {
  std::istringstream lines(text);
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> cells;
    std::istringstream parts(line);
    for (std::string cell; std::getline(parts, cell, ',');) cells.push_back(cell);
    for (size_t k = 0; k < order.size(); ++k) out += (k ? "," : "") + cells[order[k]];
    out += "\n";
  }
  return out;
}

}  // namespace agon::testing
