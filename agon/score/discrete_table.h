// agon/score/discrete_table.h
//
// A categorical table laid out for counting. Two layouts, chosen from the data:
//
//   merged rows   when few distinct rows occur, each is kept once with its weight; counting loops over them
//   bit planes    one bit column per (variable, level); counting is AND and popcount over 64 rows at a time
//
// Everything a discrete score needs is counts, so it is written once against this table (discrete_score.h).
//
// A *class* is the set of rows that agree on a parent configuration and on the child's level. Classes come grouped by
// configuration, configurations in the order of their levels, so that no sum depends on the order of rows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "agon/data/dataset.h"
#include "agon/graph/node_set.h"

namespace agon {

// Counts of a child against its parents. Dense: cells[configuration * child_levels + level], zeros included, and
// `configurations` empty, since each is the sum of its cells. Sparse, where a dense table would be mostly zeros: the
// cells that occur, in some fixed order, and beside them how many rows each configuration has.
struct FamilyCounts {
  int child_levels = 0;
  std::vector<uint32_t> cells;
  std::vector<uint32_t> configurations;
};

class DiscreteTable {
 public:
  // `data` must be categorical throughout; the table keeps copies of what it needs.
  explicit DiscreteTable(const Dataset& data);

  int size() const { return static_cast<int>(levels_.size()); }
  size_t rows() const { return rows_; }                // n, as read
  size_t stored_rows() const { return stored_rows_; }  // distinct rows when merged, else n
  bool is_merged() const { return !weights_.empty(); }
  int levels(Node v) const { return levels_[v]; }

  FamilyCounts count(Node child, Parents parents) const;

  // Counts for every single-parent addition: visit(v, counts of child against parents + v) for each v in `candidates`.
  // Dense cells stand as [configuration of parents][level of v][level of child].
  template <class Visit>
  void count_additions(Node child, Parents parents, std::span<const Node> candidates, Visit visit) const;

  // Counts for every single-parent removal: visit(k, counts of child against parents without parents[k]).
  template <class Visit>
  void count_removals(Node child, Parents parents, Visit visit) const;

 private:
  // Some stored rows with their weights: all of them, or one for each combination of levels that matters.
  struct RowSample {
    std::vector<uint32_t> rows;     // empty: all stored rows
    std::vector<uint32_t> weights;  // empty: the table's own
  };
  // Rows of a sample cut into classes by the levels of some variables; class ids are dense and ordered by level.
  struct Partition {
    std::vector<uint32_t> of_row;
    uint32_t classes = 1;
  };
  Partition partition(const RowSample& sample, Parents by) const;
  void refine(const RowSample& sample, Partition& partition, Node by) const;
  std::vector<uint32_t> class_sizes(const RowSample& sample, const Partition& partition) const;
  FamilyCounts count(const RowSample& sample, const Partition& by_parents, Node child) const;
  bool worth_dense(uint64_t cells, size_t rows) const { return cells <= 4 * rows + 4096; }

  // Bit masks of the classes of (parents, child), or row lists for classes too small to be worth a mask. A slot is
  // configuration * levels(child) + level of child.
  struct Classes {
    int configurations = 0;
    std::vector<int> levels;           // [configuration][parent]: the parents' levels
    std::vector<uint32_t> slot_size;   // rows in each slot
    std::vector<int> mask_slot;        // by mask
    std::vector<uint64_t> masks;       // mask after mask, words_ each
    std::vector<int> list_slot;        // by list
    std::vector<uint32_t> list_start;  // by list, and one past the last: where its rows begin
    std::vector<uint32_t> list_rows;
  };
  class ClassBuilder;
  bool countable_by_bits(Node child, Parents parents) const;
  void find_classes(Node child, Parents parents, Classes& out) const;
  // The counts of child against parents without parents[dropped], from the classes with it.
  FamilyCounts merge_configurations(const Classes& classes, Node child, Parents parents, size_t dropped) const;
  static Classes& scratch_classes();
  void count_addition_by_rows(Node child, const Partition& by_parents, Node v, FamilyCounts& counts) const;
  void count_addition_by_bits(Node child, const Classes& classes, Node v, FamilyCounts& counts,
                              std::vector<uint32_t>& scratch) const;
  bool has_planes(Node v) const { return !is_merged() && levels_[v] <= kMostPlanes; }
  const uint64_t* plane(Node v, int level) const {
    return planes_.data() + static_cast<size_t>(first_plane_[v] + level) * words_;
  }

  static constexpr int kMostPlanes = 32;  // a variable with more levels is counted row by row

  size_t rows_ = 0;
  size_t stored_rows_ = 0;
  int words_ = 0;
  std::vector<int> levels_;
  std::vector<Codes> codes_;       // by variable, per stored row
  std::vector<uint32_t> weights_;  // per stored row; empty when rows are not merged
  std::vector<int> first_plane_;
  std::vector<uint64_t> planes_;
};

template <class Visit>
void DiscreteTable::count_additions(Node child, Parents parents, std::span<const Node> candidates, Visit visit) const {
  const bool by_bits = countable_by_bits(child, parents);
  Classes& bit_classes = scratch_classes();
  if (by_bits) find_classes(child, parents, bit_classes);
  Partition by_parents;
  FamilyCounts counts;
  std::vector<uint32_t> scratch;
  for (Node v : candidates) {
    const uint64_t cells = static_cast<uint64_t>(bit_classes.configurations) * levels_[child] * levels_[v];
    if (by_bits && has_planes(v) && worth_dense(cells, stored_rows_)) {
      count_addition_by_bits(child, bit_classes, v, counts, scratch);
    } else {
      if (by_parents.of_row.empty()) by_parents = partition({}, parents);
      count_addition_by_rows(child, by_parents, v, counts);
    }
    visit(v, static_cast<const FamilyCounts&>(counts));
  }
}

template <class Visit>
void DiscreteTable::count_removals(Node child, Parents parents, Visit visit) const {
  if (countable_by_bits(child, parents)) {
    Classes& bit_classes = scratch_classes();
    find_classes(child, parents, bit_classes);
    for (size_t k = 0; k < parents.size(); ++k) visit(k, merge_configurations(bit_classes, child, parents, k));
    return;
  }
  // Rows that agree on child and all parents stay together when a parent is dropped, so each removal is counted over
  // the distinct combinations instead of over the rows.
  Partition joint = partition({}, parents);
  refine({}, joint, child);
  RowSample combinations{std::vector<uint32_t>(joint.classes), class_sizes({}, joint)};
  for (size_t row = 0; row < stored_rows_; ++row) combinations.rows[joint.of_row[row]] = static_cast<uint32_t>(row);
  for (size_t dropped = 0; dropped < parents.size(); ++dropped) {
    std::vector<Node> kept(parents.begin(), parents.end());
    kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(dropped));
    visit(dropped, count(combinations, partition(combinations, kept), child));
  }
}

}  // namespace agon
