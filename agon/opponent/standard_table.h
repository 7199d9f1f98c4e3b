// agon/opponent/standard_table.h
//
// The columns of a table as numbers with mean 0 and variance 1, row by row, for learners that work on numbers only.
//
//   StandardTable t = standardise(data);
//   t.at(417, 2);                // variable 2 in row 417
//   t.node[2];                   // the node of the data that variable 2 is; constant columns are left out
//
// Categorical columns become the indices of their levels (in label order: numbers by value, then text), standardised
// like the rest: 0 and 1 where there are two. With more levels that is meaningful where they have an order, and a
// makeshift where they have none, so such columns are refused beside continuous ones; the message names them.
#pragma once

#include <vector>

#include "agon/data/dataset.h"

namespace agon {

struct StandardTable {
  int rows = 0;
  std::vector<int> node;     // by variable, ascending
  std::vector<float> value;  // [row][variable]
  int categorical = 0;       // how many variables are codes of levels

  int variables() const { return static_cast<int>(node.size()); }
  float at(int row, int v) const { return value[static_cast<size_t>(row) * node.size() + v]; }
};

StandardTable standardise(const Dataset& data);
// The same variables with the values as they are. Where one is beyond a million, all columns are divided by one number,
// so that products of them stay finite; ratios of variances are the same.
StandardTable as_it_is(const Dataset& data);

}  // namespace agon
