// agon/data/row_sets.h
//
// In a table of experiments not every row tells about every variable. Where an experiment set a variable, its causes
// had no part in its value (a perfect intervention); where it moved it, or where it was measured in another batch, it
// may have another mean. The *row set* of a variable is what its family is scored on: the rows in which it was not set,
// cut into groups that share a mean.
//
//   const RowSets sets = row_sets(data);
//   sets.of[2];                                // the set of variable 2; `of` is empty without regimes
//   sets.sets[0].group[data.regime_of(417)];   // -1: row 417 is not in this set
//
// Variables with equal row sets have the same number. An edge between two variables of different row sets has its
// direction in the data (Hauser & Bühlmann 2012, theorem 10): see cpdag_of(dag, row_set) in equivalence.h.
#pragma once

#include <vector>

#include "agon/data/dataset.h"

namespace agon {

struct RowSet {
  std::vector<int> group;  // by regime: the rows of one group share a mean; -1: left out
  int groups = 0;
  bool operator==(const RowSet&) const = default;
};

struct RowSets {
  std::vector<int> of;  // by node, index into sets; empty: the table has no regimes
  std::vector<RowSet> sets;
};

// Sets are numbered by the first node that has them, groups by their first regime. A perfect target leaves the rows of
// its regime out; a soft one has a group of its own there; all other rows are grouped by batch.
RowSets row_sets(const Dataset& data);

}  // namespace agon
