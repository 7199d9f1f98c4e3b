// agon/score/discrete_table.h
//
// A categorical table laid out for counting. There are two layouts, chosen from the data:
//
//   merged rows   when few distinct rows occur, each is kept once with its weight; counting loops over them
//   bit planes    one bit column per (variable, level); counting is AND and popcount over 64 rows at a time
//
// All that a discrete score needs is counts, so each score is written once against this table (discrete_score.h).
//
// A *class* is the set of rows that agree on a parent configuration and on the child's level. Classes are grouped by
// configuration, and configurations are ordered by their levels, so that no sum depends on the order of the rows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "agon/data/dataset.h"
#include "agon/graph/node_set.h"

namespace agon {

// Counts of a child against its parents. Dense: cells[configuration * child_levels + level], zeros included;
// `configurations` is empty, since each is the sum of its cells. Sparse, where a dense table would be mostly zeros:
// only the cells that occur, in some fixed order, and in `configurations` the number of rows of each configuration.
struct FamilyCounts {
  int child_levels = 0;
  std::vector<uint32_t> cells;
  std::vector<uint32_t> configurations;
};

class DiscreteTable {
 public:
  // `data` must be categorical throughout. The table copies what it needs.
  explicit DiscreteTable(const Dataset& data);

  int size() const { return static_cast<int>(levels_.size()); }
  size_t rows() const { return rows_; }                // n, as read
  size_t stored_rows() const { return stored_rows_; }  // distinct rows when merged, else n
  bool is_merged() const { return !weights_.empty(); }
  int levels(Node v) const { return levels_[v]; }

  FamilyCounts count(Node child, Parents parents) const;

  // A family and its neighbours. Calls now(counts of child against parents), then addition(v, counts of child against
  // parents + v) for each v in `possible`, then removal(k, counts of child against parents without parents[k]) for each
  // k; `removal` may be nullptr. Additions for which wanted(v), asked after now(), is false are left out. None of the
  // four may call the table itself. The dense cells of an addition are laid out as [configuration of parents][level of
  // v][level of child].
  struct Everyone {
    bool operator()(Node) const { return true; }
  };
  template <class Now, class Addition, class Removal, class Wanted = Everyone>
  void count_neighbours(Node child, Parents parents, std::span<const Node> possible, Now now, Addition addition,
                        Removal removal, Wanted wanted = {}) const;

  // The same for a score that is the sum of term(N) over the cells less the sum of term(N) over the configurations, as
  // log-likelihoods are: term(0) must be 0, and no configuration may add more than 0. For most additions calls
  // summed(v, that sum), which is the same to the last bit as if it was added up from the counts in their order; for
  // the others addition(v, counts). Additions whose sum is not above least(v), asked after now(), may be left out: they
  // need not be counted to their end.
  struct AnySum {
    double operator()(Node) const { return -std::numeric_limits<double>::infinity(); }
  };
  template <class Now, class Least, class Term, class Summed, class Addition, class Removal = std::nullptr_t>
  void sum_additions(Node child, Parents parents, std::span<const Node> possible, Now now, Least least, Term term,
                     Summed summed, Addition addition, Removal removal = nullptr) const;

 private:
  // Some stored rows with their weights: all rows, or one for each combination of levels that matters.
  struct RowSample {
    std::vector<uint32_t> rows;     // empty: all stored rows
    std::vector<uint32_t> weights;  // empty: the table's own
  };
  // The rows of a sample, divided into classes by the levels of some variables. Class ids are dense and ordered by
  // level.
  struct Partition {
    std::vector<uint32_t> of_row;
    uint32_t classes = 1;
  };
  Partition partition(const RowSample& sample, Parents by) const;
  void refine(const RowSample& sample, Partition& partition, Node by) const;
  std::vector<uint32_t> class_sizes(const RowSample& sample, const Partition& partition) const;
  FamilyCounts count(const RowSample& sample, const Partition& by_parents, Node child) const;
  bool worth_dense(uint64_t cells, size_t rows) const { return cells <= 4 * rows + 4096; }

  // Bit masks of the classes of (parents, child), or lists of rows for classes too small to be worth a mask. A slot is
  // configuration * levels(child) + level of child.
  struct Classes {
    int configurations = 0;
    std::vector<int> levels;          // [configuration][parent]: the parents' levels
    std::vector<uint32_t> slot_size;  // rows in each slot
    std::vector<int> mask_slot;       // by mask
    std::vector<int> mask_configuration;
    std::vector<uint64_t> masks;       // mask after mask, words_ each
    std::vector<int> list_slot;        // by list
    std::vector<uint32_t> list_start;  // by list, and one past the last: where its rows begin
    std::vector<uint32_t> list_rows;
    // The other way to count: the rows sorted by slot, and from them the count of every bit of rows_by_bit_ in every
    // slot.
    std::vector<uint16_t> id;           // by row: its slot, numbered as if all configurations occurred
    std::vector<uint32_t> starts;       // [stretch of rows][id]: how many, and then where they go
    std::vector<uint32_t> first_id;     // by configuration: the id of its first slot
    std::vector<int> which;             // the configurations whose slots follow
    std::vector<uint32_t> sorted_rows;  // each slot padded to a multiple of 8 with the row of zeros
    std::vector<uint32_t> slot_start;   // by slot that has rows, and one past the last: where its rows begin
    std::vector<uint32_t> bit_counts;   // [slot that has rows][bit]
    // The family that configurations, levels and slot_size are of.
    uint64_t table = 0;
    Node child = -1;
    std::vector<Node> parents;

    void holds(uint64_t of_table, Node j, Parents of_parents) {
      table = of_table;
      child = j;
      parents.assign(of_parents.begin(), of_parents.end());
    }
    bool are_of(uint64_t of_table, Node j, Parents of_parents) const {
      return table == of_table && child == j && std::ranges::equal(parents, of_parents);
    }
  };
  class ClassBuilder;
  bool countable_by_bits(Node child, Parents parents) const;
  void find_classes(Node child, Parents parents, Classes& out) const;
  bool worth_sorting(Node child, Parents parents, std::span<const Node> possible) const;
  template <int m, class Term>
  void add_configuration(const uint32_t* bit_counts, std::span<const uint32_t> size, std::span<const Node> possible,
                         Term term, std::span<double> sums, std::vector<uint32_t>& left) const;
  template <class Term>
  void add_terms(const Classes& classes, size_t levels, Term term, std::vector<Node>& possible,
                 std::vector<double>& least, std::vector<double>& sums) const;
  void number_slots(Node child, Parents parents, Classes& out) const;
  void sort_rows(std::span<const int> which, Classes& out) const;
  void sort_rows(Node child, Parents parents, Classes& out) const;
  void count_addition_from_sorted(Node child, const Classes& classes, Node v, FamilyCounts& counts) const;
  // The counts of child against parents without parents[dropped], from the classes that include it.
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

  uint64_t id_;  // no other table of this process has it, but for copies
  size_t rows_ = 0;
  size_t stored_rows_ = 0;
  int words_ = 0;
  std::vector<int> levels_;
  std::vector<Codes> codes_;       // by variable, per stored row
  std::vector<uint32_t> weights_;  // per stored row; empty when rows are not merged
  std::vector<int> first_plane_;
  std::vector<uint64_t> planes_;
  // The same bits row by row, without the last level of each variable, followed by a row of zeros. Empty if too large.
  std::vector<int> first_bit_;
  int bits_ = 0;
  int row_words_ = 0;
  std::vector<uint64_t> rows_by_bit_;
};

template <class Now, class Addition, class Removal, class Wanted>
void DiscreteTable::count_neighbours(Node child, Parents parents, std::span<const Node> possible, Now now,
                                     Addition addition, Removal removal, Wanted wanted) const {
  const bool by_bits = countable_by_bits(child, parents);
  const bool sorted = by_bits && !possible.empty() && worth_sorting(child, parents, possible);
  Classes& classes = scratch_classes();
  Partition by_parents;
  if (by_bits) {
    if (sorted) {
      sort_rows(child, parents, classes);
    } else if (!possible.empty() || !classes.are_of(id_, child, parents)) {  // removals need no more than slots
      find_classes(child, parents, classes);
    }
    now(FamilyCounts{levels_[child], classes.slot_size, {}});
  } else {
    by_parents = partition({}, parents);
    now(count({}, by_parents, child));
  }
  FamilyCounts counts;
  std::vector<uint32_t> scratch;
  for (Node v : possible) {
    if (!wanted(v)) continue;
    const uint64_t cells = static_cast<uint64_t>(classes.configurations) * levels_[child] * levels_[v];
    if (by_bits && has_planes(v) && worth_dense(cells, stored_rows_)) {
      if (sorted) {
        count_addition_from_sorted(child, classes, v, counts);
      } else {
        count_addition_by_bits(child, classes, v, counts, scratch);
      }
    } else {
      if (by_parents.of_row.empty()) by_parents = partition({}, parents);
      count_addition_by_rows(child, by_parents, v, counts);
    }
    addition(v, static_cast<const FamilyCounts&>(counts));
  }
  if constexpr (!std::is_null_pointer_v<Removal>) {
    if (by_bits) {
      for (size_t k = 0; k < parents.size(); ++k) removal(k, merge_configurations(classes, child, parents, k));
      return;
    }
    // Rows that agree on the child and all parents stay together when a parent is dropped. So each removal is counted
    // over the distinct combinations instead of over the rows.
    Partition joint = std::move(by_parents);
    refine({}, joint, child);
    RowSample combinations{std::vector<uint32_t>(joint.classes), class_sizes({}, joint)};
    for (size_t row = 0; row < stored_rows_; ++row) combinations.rows[joint.of_row[row]] = static_cast<uint32_t>(row);
    for (size_t dropped = 0; dropped < parents.size(); ++dropped) {
      std::vector<Node> kept(parents.begin(), parents.end());
      kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(dropped));
      removal(dropped, count(combinations, partition(combinations, kept), child));
    }
  }
}

// One configuration, for all variables side by side: its slots that have rows, `m` of them, or, where m is 0, `slots`,
// known only at run time. The others would add exactly 0.
template <int m, class Term>
void DiscreteTable::add_configuration(const uint32_t* bit_counts, std::span<const uint32_t> size,
                                      std::span<const Node> possible, Term term, std::span<double> sums,
                                      std::vector<uint32_t>& left) const {
  const size_t width = static_cast<size_t>(row_words_) * 64, slots = m > 0 ? m : size.size();
  left.resize(slots);
  for (size_t k = 0; k < possible.size(); ++k) {
    const uint32_t* at = bit_counts + first_bit_[possible[k]];
    uint32_t few[m > 0 ? m : 1];  // in registers where m is known
    uint32_t* rest = m > 0 ? few : left.data();
    std::copy_n(size.data(), slots, rest);
    double sum = sums[k];
    for (const uint32_t* end = at + levels_[possible[k]] - 1; at < end; ++at) {
      uint32_t rows = 0;
      double in_configuration = 0;
      for (size_t a = 0; a < slots; ++a) {
        const uint32_t n = at[a * width];
        rest[a] -= n;
        rows += n;
        in_configuration += term(n);
      }
      sum += in_configuration - term(rows);
    }
    uint32_t rows = 0;  // the last level gets what the others leave
    double in_configuration = 0;
    for (size_t a = 0; a < slots; ++a) {
      rows += rest[a];
      in_configuration += term(rest[a]);
    }
    sums[k] = sum + (in_configuration - term(rows));
  }
}

// Every few configurations those variables leave `possible` whose sum is no longer above their least.
template <class Term>
void DiscreteTable::add_terms(const Classes& classes, size_t levels, Term term, std::vector<Node>& possible,
                              std::vector<double>& least, std::vector<double>& sums) const {
  constexpr size_t kEvery = 4;
  const size_t width = static_cast<size_t>(row_words_) * 64;
  const uint32_t* bit_counts = classes.bit_counts.data();
  std::vector<uint32_t> size, left;
  for (size_t i = 0; i < classes.which.size() && !possible.empty(); ++i) {
    size.clear();
    for (size_t a = 0; a < levels; ++a) {
      const uint32_t rows = classes.slot_size[static_cast<size_t>(classes.which[i]) * levels + a];
      if (rows > 0) size.push_back(rows);
    }
    size.size() == 2   ? add_configuration<2>(bit_counts, size, possible, term, sums, left)
    : size.size() == 3 ? add_configuration<3>(bit_counts, size, possible, term, sums, left)
    : size.size() == 4 ? add_configuration<4>(bit_counts, size, possible, term, sums, left)
                       : add_configuration<0>(bit_counts, size, possible, term, sums, left);
    bit_counts += size.size() * width;
    if ((i + 1) % kEvery != 0) continue;
    size_t kept = 0;
    for (size_t k = 0; k < possible.size(); ++k) {
      if (!(sums[k] > least[k])) continue;
      possible[kept] = possible[k];
      least[kept] = least[k];
      sums[kept++] = sums[k];
    }
    for (auto* of : {&least, &sums}) of->resize(kept);
    possible.resize(kept);
  }
}

// Configurations whose rows all have one level of the child add exactly 0, whatever is added to the parents: they are
// not counted. The others are walked once, all variables side by side.
template <class Now, class Least, class Term, class Summed, class Addition, class Removal>
void DiscreteTable::sum_additions(Node child, Parents parents, std::span<const Node> possible, Now now, Least least,
                                  Term term, Summed summed, Addition addition, Removal removal) const {
  if (possible.empty() || !countable_by_bits(child, parents) || !worth_sorting(child, parents, possible)) {
    const auto wanted = [&](Node v) { return least(v) < 0; };
    return count_neighbours(child, parents, possible, now, addition, removal, wanted);
  }
  Classes& classes = scratch_classes();
  number_slots(child, parents, classes);
  now(FamilyCounts{levels_[child], classes.slot_size, {}});
  const size_t r = static_cast<size_t>(levels_[child]);
  std::vector<Node> by_rows, by_bits;
  std::vector<double> least_by_bits;
  for (Node v : possible) {
    const double own = least(v);
    if (!(own < 0)) continue;
    const bool dense = worth_dense(classes.slot_size.size() * static_cast<uint64_t>(levels_[v]), stored_rows_);
    if (has_planes(v) && dense) {
      by_bits.push_back(v);
      least_by_bits.push_back(own);
    } else {
      by_rows.push_back(v);
    }
  }
  if (!by_bits.empty()) {
    classes.which.clear();
    for (int c = 0; c < classes.configurations; ++c) {
      const auto first = classes.slot_size.begin() + static_cast<std::ptrdiff_t>(c * r);
      if (std::count(first, first + static_cast<std::ptrdiff_t>(r), 0u) + 1 < static_cast<std::ptrdiff_t>(r)) {
        classes.which.push_back(c);
      }
    }
    sort_rows(classes.which, classes);
    std::vector<double> sums(by_bits.size());
    add_terms(classes, r, term, by_bits, least_by_bits, sums);
    for (size_t k = 0; k < by_bits.size(); ++k) summed(by_bits[k], sums[k]);
  }
  if constexpr (!std::is_null_pointer_v<Removal>) {
    for (size_t k = 0; k < parents.size(); ++k) removal(k, merge_configurations(classes, child, parents, k));
  }
  if (by_rows.empty()) return;
  const Partition by_parents = partition({}, parents);
  FamilyCounts counts;
  for (Node v : by_rows) {
    count_addition_by_rows(child, by_parents, v, counts);
    addition(v, static_cast<const FamilyCounts&>(counts));
  }
}

}  // namespace agon
