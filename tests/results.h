// tests/results.h
//
// Tables that the tests of the program give it, and what they look for in what it printed.
#pragma once

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "agon/base/rng.h"

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

// A small table in which x causes y and z is noise; rows enough for an edge.
inline std::string small_table() {
  Rng rng(1);
  std::string text = "x,y,z\n";
  for (int row = 0; row < 200; ++row) {
    const int x = rng.below(2);
    const int y = rng.uniform() < 0.9 ? x : 1 - x;
    text += std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(rng.below(3)) + "\n";
  }
  return text;
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
