// tests/advice.h
//
// Hints that are followed: an error is provoked, what its hint says is done literally, and that works. tests/hints
// finds the hints that no test follows.
//
//   INSTANTIATE_TEST_SUITE_P(Options, Hints, ::testing::Values(
//       Advice{"AWrongAlgorithm", small_table(), "run gse t.csv", "did you mean ges?", "run ges t.csv"}));
#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "agon/base/rng.h"

namespace agon::testing {

struct Advice {
  std::string name;
  std::string table;           // t.csv
  std::string command;         // is refused
  std::string hint;            // is in the message, literally
  std::string follow_up = "";  // works; empty: the command and the hint
  std::string repaired = "";   // t.csv after the hint was read; empty: it stays as it is
  std::string before = "";     // a command that must work first
};
inline std::ostream& operator<<(std::ostream& out, const Advice& advice) { return out << advice.command; }

// A file that is refused, whose text is then written as the hint says.
struct Repair {
  std::string name;
  std::string command;  // reads the file f, and may read the tables t.csv and experiments.csv
  std::string file;     // is refused
  std::string hint;     // is in the message, literally
  std::string repaired;
};
inline std::ostream& operator<<(std::ostream& out, const Repair& repair) { return out << repair.command; }

// The name of a test with such a parameter.
inline const auto kAdviceName = [](const auto& row) { return row.param.name; };

class Hints : public ::testing::TestWithParam<Advice> {};
class HintsOfFiles : public ::testing::TestWithParam<Repair> {};

// Numbers in three columns, enough rows for a search.
inline std::string numbers(const std::string& header, const std::string& odd_row = "") {
  Rng rng(3);
  std::string text = header + "\n";
  for (int row = 0; row < 60; ++row) {
    const double x = rng.normal();
    text += std::to_string(x) + "," + std::to_string(x + rng.normal()) + "," + std::to_string(rng.normal()) + "\n";
    if (row == 30) text += odd_row;
  }
  return text;
}

// Numbers x, y, z, what was set (y or nothing), and the day, a or b.
inline std::string experiments_table() {
  Rng rng(4);
  std::string text = "x,y,z,set,day\n";
  for (int row = 0; row < 60; ++row) {
    const double x = rng.normal();
    text += std::to_string(x) + "," + std::to_string(row % 2 ? rng.normal() : x + rng.normal()) + "," +
            std::to_string(rng.normal()) + (row % 2 ? ",y," : ",none,") + (row % 3 ? "a" : "b") + "\n";
  }
  return text;
}

}  // namespace agon::testing
