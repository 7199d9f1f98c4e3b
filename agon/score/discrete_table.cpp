// Four ways to count, because no single one is fast everywhere. n rows, k parents, r_v levels of v:
//
//   way           what is done                                                 pays for
//   merged rows   a weighted loop over the distinct rows                       rows that repeat often
//   bit masks     AND and popcount of masks and planes, 64 rows at a time      families of few configurations
//   sorted rows   the rows sorted by slot, then all variables counted at once  many configurations and possible parents
//   row by row    a partition of the rows, refined variable by variable        variables of many levels
//
// All four give the same integers, in an order that depends on the levels alone, whatever the order of the rows. So the
// choice between them may rest on estimates of cost and on what the processor can do, and no sum over the counts
// depends on it. discrete_table_test.cpp compares them with a plain count into a map.
#include "agon/score/discrete_table.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <numeric>
#include <unordered_map>

#include "agon/base/hash.h"
#include "agon/data/capability.h"
#include "agon/score/bit_count.h"

namespace agon {
namespace {

// Merging pays when at least this many rows share one stored row on average: a weighted loop costs about as much per
// row as popcount does per ten rows.
constexpr size_t kMergeFactor = 16;

constexpr size_t kMostRowBytes = size_t{128} << 20;  // for the rows of bits; random access to more would be slow

// The row indices of the first occurrence of each distinct row, ascending, and how often it occurs. Empty if there are
// too many for merging to pay. The indices depend on the order of the rows, which does no harm: partitions number
// classes by level.
struct DistinctRows {
  std::vector<uint32_t> row;
  std::vector<uint32_t> weight;
};

// Constant columns and identifiers count as columns of one level: they take no part in a search.
bool has_levels(const Column& column) { return column.levels.size() > 1 && !column.identifier; }

// The codes of a column of one level, which may have none of its own.
Codes zero_codes(size_t rows) {
  Codes codes;
  for (size_t row = 0; row < rows; ++row) codes.push_back(0);
  return codes;
}

// One pass over the columns for the hashes, and one over the rows to look them up: O(n p). It gives up as soon as there
// are more than n / kMergeFactor distinct rows, which in most tables is early. A column of one level does not
// distinguish rows and is skipped (a constant column of numbers has no codes at all).
DistinctRows distinct_rows(const Dataset& data) {
  const size_t n = data.rows(), most = n / kMergeFactor;
  std::vector<uint64_t> hash(n, 0);
  for (const Column& column : data.columns()) {
    if (!has_levels(column)) continue;
    column.codes.visit([&](const auto& cells) {
      for (size_t row = 0; row < n; ++row) hash[row] = hash_combine(hash[row], cells[row]);
    });
  }
  DistinctRows distinct;
  std::unordered_map<uint64_t, uint32_t> seen;  // hash -> index in `distinct`; looked up, never iterated
  const auto same = [&](size_t a, size_t b) {
    return std::all_of(data.columns().begin(), data.columns().end(),
                       [&](const Column& c) { return !has_levels(c) || c.codes[a] == c.codes[b]; });
  };
  for (size_t row = 0; row < n; ++row) {
    const auto [it, is_new] = seen.emplace(hash[row], static_cast<uint32_t>(distinct.row.size()));
    if (is_new) {
      if (distinct.row.size() == most) return {};
      distinct.row.push_back(static_cast<uint32_t>(row));
      distinct.weight.push_back(1);
    } else if (same(row, distinct.row[it->second])) {  // equal hashes alone do not suffice
      ++distinct.weight[it->second];
    } else {
      return {};  // two different rows with one hash: so rare that the other layout may have such tables
    }
  }
  return distinct;
}

uint64_t next_table() {
  static std::atomic<uint64_t> tables = 0;
  return ++tables;
}

}  // namespace

DiscreteTable::DiscreteTable(const Dataset& data) : id_(next_table()), rows_(data.rows()) {
  refuse_beyond(kOrdinaryTables, data, "a table of counts");
  // A constant column of numbers may be among the categorical ones: it has one level, the same in every row.
  for (const Column& column : data.columns()) {
    levels_.push_back(has_levels(column) ? static_cast<int>(column.levels.size()) : 1);
  }
  // Where rows repeat, each distinct row is kept once, and everything is counted row by row over those.
  const DistinctRows distinct = distinct_rows(data);
  if (!distinct.row.empty()) {
    weights_ = distinct.weight;
    stored_rows_ = distinct.row.size();
    for (const Column& column : data.columns()) {
      Codes codes;
      for (uint32_t row : distinct.row) codes.push_back(has_levels(column) ? column.codes[row] : 0);
      codes_.push_back(std::move(codes));
    }
    return;
  }
  // Otherwise there is one bit plane for every level of every variable: n / 8 bytes times the sum of all levels. A
  // variable of many levels gets none: its planes would be nearly empty, and counting row by row is cheaper.
  stored_rows_ = rows_;
  words_ = static_cast<int>((rows_ + 63) / 64);
  int planes = 0;
  for (Node v = 0; v < size(); ++v) {
    codes_.push_back(has_levels(data.column(v)) ? data.column(v).codes : zero_codes(rows_));
    first_plane_.push_back(planes);
    if (levels_[v] <= kMostPlanes) planes += levels_[v];
  }
  planes_.assign(static_cast<size_t>(planes) * words_, 0);
  for (Node v = 0; v < size(); ++v) {
    if (levels_[v] > kMostPlanes) continue;
    codes_[v].visit([&](const auto& cells) {
      uint64_t* base = planes_.data() + static_cast<size_t>(first_plane_[v]) * words_;
      for (size_t row = 0; row < rows_; ++row) {
        base[static_cast<size_t>(cells[row]) * words_ + row / 64] |= uint64_t{1} << (row % 64);
      }
    });
  }
  // The same bits, stored row by row, for counting all variables at once. The last level of a variable is omitted: its
  // count is the number of rows minus the others. Rows are padded to 256 bits, the width that count_columns() works in.
  // The row of zeros at the end pads lists of rows to a multiple of eight.
  for (Node v = 0; v < size(); ++v) {
    first_bit_.push_back(bits_);
    if (has_planes(v)) bits_ += levels_[v] - 1;
  }
  row_words_ = (bits_ + 255) / 256 * 4;
  if (!can_count_columns() || (rows_ + 1) * row_words_ * sizeof(uint64_t) > kMostRowBytes) return;
  rows_by_bit_.assign((rows_ + 1) * row_words_, 0);
  for (Node v = 0; v < size(); ++v) {
    if (!has_planes(v)) continue;
    codes_[v].visit([&](const auto& cells) {
      for (size_t row = 0; row < rows_; ++row) {
        if (static_cast<int>(cells[row]) + 1 == levels_[v]) continue;
        const int bit = first_bit_[v] + static_cast<int>(cells[row]);
        rows_by_bit_[row * row_words_ + bit / 64] |= uint64_t{1} << (bit % 64);
      }
    });
  }
}

// ---------------------------------------------------------------------------------------------------- row by row
//
// A partition numbers the combinations of levels that occur, in the order of the levels (the first variable outermost).
// The numbers are dense, so that a table indexed by them is never larger than the rows.

namespace {

// A counting sort: the items row_at(0), row_at(1), ... by key, of which there are `keys`. Items of one key keep their
// order.
template <class Key, class RowAt>
std::vector<uint32_t> sorted_by(size_t rows, uint64_t keys, Key key, RowAt row_at) {
  std::vector<uint32_t> next(keys + 1), sorted(rows);
  for (size_t row = 0; row < rows; ++row) ++next[key(row) + 1];
  for (size_t k = 1; k <= keys; ++k) next[k] += next[k - 1];
  for (size_t k = 0; k < rows; ++k) {
    const uint32_t row = static_cast<uint32_t>(row_at(k));
    sorted[next[key(row)]++] = row;
  }
  return sorted;
}

}  // namespace

DiscreteTable::Partition DiscreteTable::partition(const RowSample& sample, Parents by) const {
  Partition out;
  out.of_row.assign(sample.rows.empty() ? stored_rows_ : sample.rows.size(), 0);
  for (Node q : by) refine(sample, out, q);
  return out;
}

// Class c and level a become slot c * r + a, and the slots that occur are renumbered in their own order. So the order
// of levels is kept from one variable to the next. O(n + slots) through a table of slots, or O(n + r + classes) by two
// counting sorts where there are many more slots than rows. Both give the same numbers.
void DiscreteTable::refine(const RowSample& sample, Partition& partition, Node by) const {
  const uint64_t r = static_cast<uint64_t>(levels_[by]);
  const uint64_t slots = partition.classes * r;
  const size_t rows = partition.of_row.size();
  codes_[by].visit([&](const auto& cells) {
    // If the sample is the whole table, row k of the sample is row k of the table.
    const auto level = [&](size_t k) { return sample.rows.empty() ? cells[k] : cells[sample.rows[k]]; };
    if (worth_dense(slots, rows)) {
      std::vector<uint32_t> id(slots, 0);  // first: does the slot occur? then: its number
      for (size_t k = 0; k < rows; ++k) {
        const uint32_t slot = static_cast<uint32_t>(partition.of_row[k] * r + level(k));
        partition.of_row[k] = slot;
        id[slot] = 1;
      }
      uint32_t classes = 0;
      for (uint32_t& slot : id) slot = slot ? classes++ : 0;
      for (uint32_t& c : partition.of_row) c = id[c];
      partition.classes = classes;
    } else {
      // Too many combinations for a table. The rows are sorted by level and then, keeping that order, by class, so that
      // those of one combination become neighbours.
      const std::vector<uint32_t> all = sorted_by(rows, r, level, [](size_t k) { return k; });
      const std::vector<uint32_t> order = sorted_by(
          rows, partition.classes, [&](size_t k) { return partition.of_row[k]; }, [&](size_t k) { return all[k]; });
      uint32_t classes = 0, last_class = 0;
      uint64_t last_level = 0;
      for (size_t k = 0; k < rows; ++k) {
        uint32_t& of_row = partition.of_row[order[k]];
        const uint64_t own = level(order[k]);
        if (k > 0 && (of_row != last_class || own != last_level)) ++classes;
        last_class = of_row;
        last_level = own;
        of_row = classes;
      }
      partition.classes = rows > 0 ? classes + 1 : 0;
    }
  });
}

// Counts the rows as read, not as stored: a merged row counts as often as it occurred.
std::vector<uint32_t> DiscreteTable::class_sizes(const RowSample& sample, const Partition& partition) const {
  const std::vector<uint32_t>& weights = sample.weights.empty() ? weights_ : sample.weights;
  std::vector<uint32_t> sizes(partition.classes);
  for (size_t k = 0; k < partition.of_row.size(); ++k) sizes[partition.of_row[k]] += weights.empty() ? 1 : weights[k];
  return sizes;
}

// Dense if there are not many more cells than rows. Otherwise only the cells that occur, together with the sizes of the
// configurations, which the cells alone would not give.
FamilyCounts DiscreteTable::count(const RowSample& sample, const Partition& by_parents, Node child) const {
  Partition joint = by_parents;
  const uint64_t cells = static_cast<uint64_t>(by_parents.classes) * levels_[child];
  if (!worth_dense(cells, joint.of_row.size())) {
    refine(sample, joint, child);
    return {levels_[child], class_sizes(sample, joint), class_sizes(sample, by_parents)};
  }
  codes_[child].visit([&](const auto& codes) {
    for (size_t k = 0; k < joint.of_row.size(); ++k) {
      joint.of_row[k] = joint.of_row[k] * levels_[child] + (sample.rows.empty() ? codes[k] : codes[sample.rows[k]]);
    }
  });
  joint.classes = static_cast<uint32_t>(cells);
  return {levels_[child], class_sizes(sample, joint), {}};
}

// -------------------------------------------------------------------------------------------------------- by masks

// One family. Building the masks already counts them, so the sizes of the slots are the answer and the masks are not
// used.
FamilyCounts DiscreteTable::count(Node child, Parents parents) const {
  if (!countable_by_bits(child, parents)) return count({}, partition({}, parents), child);
  Classes& classes = scratch_classes();
  find_classes(child, parents, classes);
  return {levels_[child], classes.slot_size, {}};
}

// Only if this holds is every step of the walk below an AND with a plane. A possible parent may have too many levels
// for planes: each one is checked by itself.
bool DiscreteTable::countable_by_bits(Node child, Parents parents) const {
  return has_planes(child) && std::all_of(parents.begin(), parents.end(), [&](Node q) { return has_planes(q); });
}

DiscreteTable::Classes& DiscreteTable::scratch_classes() {
  static thread_local Classes classes;  // static only to keep its memory from one call to the next
  return classes;
}

// Walks the tree of levels, parents[0] outermost and the child innermost, and divides the rows at each step: by AND
// while they are many, through their list once they are few. A branch without rows is not entered, so the work is
// bounded by the configurations that occur, not by the product of the levels. Configurations come out in the order of
// their levels; merge_configurations() relies on this.
//
// One mask and one list per depth are enough: a branch is finished before its sibling overwrites them.
class DiscreteTable::ClassBuilder {
 public:
  ClassBuilder(const DiscreteTable& table, Node child, Parents parents, Classes& out)
      : table_(table), child_(child), parents_(parents), out_(out), small_(table.words_ / 8) {
    out_.configurations = 0;
    for (auto* v : {&out_.levels, &out_.mask_slot, &out_.mask_configuration, &out_.list_slot}) v->clear();
    for (auto* v : {&out_.slot_size, &out_.list_start, &out_.list_rows}) v->clear();
    out_.masks.clear();
    out_.list_start.push_back(0);
    masks_.resize((parents.size() + 2) * table.words_);
    lists_.resize(parents.size() + 2);
    path_.resize(parents.size());
  }

  // The root holds all rows. Bits past the last row stay 0, because they would be counted.
  void build() {
    uint64_t* all = mask(0);
    std::fill(all, all + table_.words_, ~uint64_t{0});
    if (table_.rows_ % 64) all[table_.words_ - 1] = (uint64_t{1} << (table_.rows_ % 64)) - 1;
    descend(0, true);
  }

 private:
  uint64_t* mask(size_t depth) { return masks_.data() + depth * table_.words_; }

  // Passes the rows at `depth` that have this level of `by` on to depth + 1. Returns how many there are; `as_mask` says
  // how they are held. Once a list, always a list: the parts of a small class are small.
  uint32_t cut(size_t depth, bool& as_mask, Node by, int level) {
    std::vector<uint32_t>& rows = lists_[depth + 1];
    if (!as_mask) {
      rows.clear();
      table_.codes_[by].visit([&](const auto& codes) {
        for (uint32_t row : lists_[depth]) {
          if (codes[row] == static_cast<uint32_t>(level)) rows.push_back(row);
        }
      });
      return static_cast<uint32_t>(rows.size());
    }
    uint64_t* both = mask(depth + 1);
    const uint32_t count = intersect_bits(mask(depth), table_.plane(by, level), table_.words_, both);
    if (count > small_) return count;
    as_mask = false;
    rows.clear();
    for (int k = 0; count > 0 && k < table_.words_; ++k) {
      for (uint64_t rest = both[k]; rest; rest &= rest - 1) {
        rows.push_back(static_cast<uint32_t>(k * 64 + std::countr_zero(rest)));
      }
    }
    return count;
  }

  void descend(size_t depth, bool as_mask) {
    if (depth == parents_.size()) return emit(as_mask);
    for (int level = 0; level < table_.levels_[parents_[depth]]; ++level) {
      bool part_as_mask = as_mask;
      if (cut(depth, part_as_mask, parents_[depth], level) == 0) continue;
      path_[depth] = level;
      descend(depth + 1, part_as_mask);
    }
  }

  // A configuration is complete. Every level of the child gets a slot, even an empty one, so that slot / levels(child)
  // is the configuration. Only slots with rows get a mask or a list.
  void emit(bool as_mask) {
    const size_t depth = parents_.size();
    for (int level = 0; level < table_.levels_[child_]; ++level) {
      const int slot = static_cast<int>(out_.slot_size.size());
      bool part_as_mask = as_mask;
      const uint32_t count = cut(depth, part_as_mask, child_, level);
      out_.slot_size.push_back(count);
      if (count == 0) continue;
      if (part_as_mask) {
        out_.mask_slot.push_back(slot);
        out_.mask_configuration.push_back(out_.configurations);
        out_.masks.insert(out_.masks.end(), mask(depth + 1), mask(depth + 1) + table_.words_);
      } else {
        out_.list_slot.push_back(slot);
        out_.list_rows.insert(out_.list_rows.end(), lists_[depth + 1].begin(), lists_[depth + 1].end());
        out_.list_start.push_back(static_cast<uint32_t>(out_.list_rows.size()));
      }
    }
    out_.levels.insert(out_.levels.end(), path_.begin(), path_.end());
    ++out_.configurations;
  }

  const DiscreteTable& table_;
  Node child_;
  Parents parents_;
  Classes& out_;
  // Classes of at most this many rows go into lists: with fewer than one row in eight words, a pass over the words
  // costs more than looking up the rows one by one.
  uint32_t small_;
  std::vector<uint64_t> masks_;
  std::vector<std::vector<uint32_t>> lists_;
  std::vector<int> path_;
};

void DiscreteTable::find_classes(Node child, Parents parents, Classes& out) const {
  ClassBuilder(*this, child, parents, out).build();
  out.holds(id_, child, parents);
}

// ------------------------------------------------------------------------------------- one possible parent at a time

// Masks of the family against the planes of v: one popcount of n bits for each mask and each level of v but the last.
// Classes that are lists are counted row by row.
void DiscreteTable::count_addition_by_bits(Node child, const Classes& classes, Node v, FamilyCounts& counts,
                                           std::vector<uint32_t>& scratch) const {
  std::vector<uint32_t>& cells = counts.cells;
  counts.child_levels = levels_[child];
  counts.configurations.clear();
  const int r = levels_[child], rv = levels_[v];
  const int masks = static_cast<int>(classes.mask_slot.size());
  cells.assign(static_cast<size_t>(classes.configurations) * r * rv, 0);
  // All masks against one plane after the other: first laid out as [level of v][mask], then put in place below.
  scratch.assign(static_cast<size_t>(masks) * (rv - 1), 0);
  for (int level = 0; level + 1 < rv; ++level) {
    add_shared_bits(plane(v, level), classes.masks.data(), masks, words_, words_, scratch.data() + level * masks);
  }
  // The last level of v gets the rows of the slot that the other levels leave.
  for (int m = 0; m < masks; ++m) {
    // Slot (configuration, child level) and level of v -> cell (configuration, level of v, child level).
    const int slot = classes.mask_slot[m], first = classes.mask_configuration[m] * r;
    uint32_t* cell = &cells[static_cast<size_t>(first) * rv + (slot - first)];
    uint32_t rest = classes.slot_size[slot];
    for (int level = 0; level + 1 < rv; ++level, cell += r) {
      *cell = scratch[level * masks + m];
      rest -= *cell;
    }
    *cell = rest;
  }
  // The small classes, one row at a time: they have few rows in total.
  codes_[v].visit([&](const auto& codes) {
    for (size_t list = 0; list < classes.list_slot.size(); ++list) {
      const int slot = classes.list_slot[list];
      uint32_t* base = &cells[static_cast<size_t>(slot / r * rv) * r + slot % r];
      for (uint32_t k = classes.list_start[list]; k < classes.list_start[list + 1]; ++k) {
        ++base[static_cast<size_t>(codes[classes.list_rows[k]]) * r];
      }
    }
  });
}

// For tables of merged rows and for variables of many levels: one pass over the rows. The cells are dense unless there
// would be many more of them than rows; then v refines the partition like any other parent.
void DiscreteTable::count_addition_by_rows(Node child, const Partition& by_parents, Node v,
                                           FamilyCounts& counts) const {
  const uint64_t r = levels_[child], rv = levels_[v];
  if (!worth_dense(by_parents.classes * r * rv, stored_rows_)) {
    Partition finer = by_parents;
    refine({}, finer, v);
    counts = count({}, finer, child);
    return;
  }
  counts.child_levels = levels_[child];
  counts.configurations.clear();
  counts.cells.assign(by_parents.classes * r * rv, 0);
  codes_[child].visit([&](const auto& child_codes) {
    codes_[v].visit([&](const auto& v_codes) {
      for (size_t row = 0; row < stored_rows_; ++row) {
        const uint64_t cell = (by_parents.of_row[row] * rv + v_codes[row]) * r + child_codes[row];
        counts.cells[cell] += is_merged() ? weights_[row] : 1;
      }
    });
  });
}

}  // namespace agon
