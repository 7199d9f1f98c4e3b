// agon/score/weighted_rows.h
//
// A categorical table whose rows have weights, laid out for counting: equal rows are merged, and their weights added.
// What DiscreteTable is to tables whose rows count once each, this is to the others, in doubles and without bit planes.
//
//   const WeightedRows rows(data);
//   rows.total();                                                  // n, the sum of all weights
//   const WeightedRows::Partition by_parents = rows.partition(std::vector<Node>{2, 3});
//   const WeightedCounts counts = rows.count(by_parents, 5);       // the weight of every cell of 5 given 2 and 3
//
// Of a table of experiments, the rows of one row set (row_sets.h): its groups divide them like one more parent, which
// every partition has, and levels are those of the whole table.
//
// What may be relied on: no sum depends on the order of the rows in the table, to the last bit. Merged rows are sorted
// by their levels, the weights of equal rows are added in ascending order, and all counting goes through the merged
// rows from first to last. Isolated columns count as columns of one level.
#pragma once

#include <cstdint>
#include <vector>

#include "agon/data/dataset.h"
#include "agon/data/row_sets.h"
#include "agon/graph/node_set.h"

namespace agon {

// The weight of each cell of a child against its parents, and of each configuration of the parents. In a fixed order;
// cells and configurations that do not occur are 0 or left out.
struct WeightedCounts {
  std::vector<double> cells;
  std::vector<double> configurations;
};

class WeightedRows {
 public:
  // `data` must be categorical, apart from isolated columns, and without gaps. Copies what it needs.
  explicit WeightedRows(const Dataset& data);                // without regimes: all rows, in one group
  WeightedRows(const Dataset& data, const RowSet& row_set);  // of a table with regimes

  int size() const { return static_cast<int>(levels_.size()); }
  size_t merged() const { return weights_.size(); }
  double total() const { return total_; }
  int groups() const { return groups_; }
  int levels(Node v) const { return levels_[v]; }
  const std::vector<double>& weights() const { return weights_; }  // by merged row

  // The merged rows, divided into classes by their groups and the levels of some variables. Class ids have no gaps and
  // are ordered by group and level.
  struct Partition {
    std::vector<uint32_t> of_row;
    uint32_t classes = 1;
  };
  Partition partition(Parents by) const;
  void refine(Partition& partition, Node by) const;

  WeightedCounts count(const Partition& by_parents, Node child) const;

  // The counts of a child against some parents and one more, for one v after the other in a single pass each.
  class Additions {
   public:
    Additions(const WeightedRows& rows, const Partition& by_parents, Node child);
    const WeightedCounts& with(Node v);

   private:
    const WeightedRows& rows_;
    const Partition& by_parents_;
    Node child_;
    std::vector<uint32_t> slot_;  // by row: class * levels of the child + its level; empty if that would be too long
    uint64_t slots_;
    WeightedCounts counts_;
  };

  // The rows that differ in one of these variables, merged further: all that is needed to count among them.
  WeightedRows merged_by(const Partition& classes, Parents variables) const;

 private:
  WeightedRows() = default;
  WeightedRows(const Dataset& data, const std::vector<size_t>& rows, std::vector<uint32_t> group, int groups);
  // Is a table of so many cells worth its zeros?
  bool worth_dense(uint64_t cells) const { return cells <= 4 * merged() + 4096; }
  WeightedCounts count_sparse(const Partition& by_parents, Node child) const;

  std::vector<int> levels_;
  std::vector<Codes> codes_;  // by variable, per merged row; empty for isolated columns
  std::vector<double> weights_;
  std::vector<uint32_t> group_;  // by merged row; empty: one group
  int groups_ = 1;
  double total_ = 0;
};

}  // namespace agon
