// agon/data/row_weights.h
//
// Rows that count more than once, or less: counts say how often a row occurred, sampling weights how much it is to
// count. One rule for files and for tables that come from memory.
//
//   RowWeights given{.name = "n", .sampling = false, .weights = {3, 1, 2}};
//   given.expected();                                // "a whole number, 0 or more"
//   given.accepts(2.5);                              // false
//   settle(given, "cells.csv", 0, 3, notes);         // `"n" says how often each row occurred: the 3 rows stand for 6.`
//
// Rows that count 0 times are left out by whoever reads the table, before their cells are looked at.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace agon {

struct RowWeights {
  std::string name;             // of the column that holds them
  bool sampling = false;        // sampling weights; else counts
  std::vector<double> weights;  // by row, above 0

  std::string option() const { return sampling ? "--weights" : "--counts"; }
  std::string expected() const;
  bool accepts(double weight) const;  // 0 or more; a count is whole, and small enough to be exact
  std::string hint() const;           // of errors
};

// Rescales sampling weights so that their sum is the effective number of rows, (sum w)^2 / sum w^2 (Kish 1965); equal
// ones become 1. Says what the weights mean, and how many of the rows read were left out because they count 0 times.
// InputError when weights are too far apart.
void settle(RowWeights& given, const std::string& source, size_t rows_of_zero, size_t rows_read,
            std::vector<std::string>& notes);

}  // namespace agon
