// agon/data/copied_columns.h
//
// Columns that say the same as another: equal, under other labels, or on another scale. And rows that repeat another.
//
//   for (const CopiedColumn& c : copied_columns(data, data.file_order())) out << c.sentence << "\n";
//
//   "x2" is a copy of "x1".
//   "sex" is "gender" under other labels ("f" for "female", "m" for "male").
//   "fahrenheit" is a rescaled copy: "fahrenheit" = 1.8 "celsius" + 32.
//
// Constant columns are copies of nothing. Gaps must be in the same rows. Cost: O(n p) and one sort.
#pragma once

#include <string>
#include <vector>

#include "agon/data/dataset.h"

namespace agon {

struct CopiedColumn {
  size_t original = 0, copy = 0;  // places in `order`; the original comes first there
  std::string sentence;
};

// Categories first, then numbers, each by copy. `order` names every column once.
std::vector<CopiedColumn> copied_columns(const Dataset& data, const std::vector<int>& order);

// How many rows repeat another in every cell, but for an accident of probability 2^-64 for each pair.
size_t repeated_rows(const Dataset& data, const std::vector<int>& order);

}  // namespace agon
