// agon/certificate/plain_regimes.h
//
// Which rows of a table of experiments tell about which variable, for the certificate: what agon/data/row_sets.h
// promises, derived a second time from the regimes.
//
//   const plain::Experiments experiments(data);
//   const plain::FamilyRows& rows = experiments.rows_of(5);   // on which the families of variable 5 are scored
//   rows.group[417];                                          // -1: somebody set variable 5 in row 417
//
// Where a regime set a variable (a perfect intervention), its families lose the rows. Where a regime moved it (a soft
// one), these rows are a group of their own. All other rows are grouped by batch.
#pragma once

#include <vector>

#include "agon/data/dataset.h"
#include "agon/graph/dag.h"

namespace agon::plain {

struct FamilyRows {
  std::vector<int> group;  // by row: its group, or -1 where it is left out; empty: all rows are in group 0
  int groups = 1;
  size_t rows = 0;    // that are not left out
  double weight = 0;  // of these

  int group_of(size_t row) const { return group.empty() ? 0 : group[row]; }
};

// The cells of a variable in a regime that set it.
struct SetCells {
  Node variable;
  int regime;
};

class Experiments {
 public:
  explicit Experiments(const Dataset& data);

  // By node: equal numbers, equal rows and groups. Empty without regimes: all rows tell about all variables.
  const std::vector<int>& row_set() const { return row_set_; }
  const std::vector<FamilyRows>& sets() const { return sets_; }
  const FamilyRows& rows_of(Node v) const { return sets_[index(v)]; }
  size_t index(Node v) const { return row_set_.empty() ? 0 : static_cast<size_t>(row_set_[v]); }  // into sets()
  const std::vector<SetCells>& set_cells() const { return set_cells_; }

 private:
  std::vector<int> row_set_;
  std::vector<FamilyRows> sets_;
  std::vector<SetCells> set_cells_;
};

}  // namespace agon::plain
