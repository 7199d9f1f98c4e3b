// The third way of discrete_table.cpp to count: the rows sorted by their slot, then all variables counted at once.
#include <algorithm>
#include <bit>
#include <numeric>

#include "agon/score/bit_count.h"
#include "agon/score/discrete_table.h"

namespace agon {
namespace {

constexpr uint64_t kMostMergedKeys = 512;  // combinations of levels that merge_configurations() tabulates
constexpr uint64_t kMostSortedSlots = uint64_t{1} << 16;  // there, slots are numbered in 16 bits
constexpr size_t kStretches = 4;                          // of rows, which are sorted side by side

}  // namespace

// Sorting costs about the same per row whatever the family, and counts all variables at once. Popcount passes over all
// rows for every mask and every plane of a possible parent, so it wins where these are few. The constants are relative
// times, fitted once on one machine: they decide how fast an answer comes, never what it is.
bool DiscreteTable::worth_sorting(Node child, Parents parents, std::span<const Node> possible) const {
  if (rows_by_bit_.empty()) return false;
  uint64_t slots = levels_[child];
  for (Node q : parents) {
    slots *= levels_[q];
    if (slots > std::min<uint64_t>(rows_, kMostSortedSlots)) return false;
  }
  int planes = 1;  // finding the masks costs about as much as counting one
  for (Node v : possible) planes += levels_[v] - 1;
  const double by_masks = static_cast<double>(slots) * planes * (0.17 * words_ + 8);
  const double by_rows = static_cast<double>(rows_) * (3 + 0.25 * row_words_);
  return by_rows < by_masks;
}

// The slot of every row, and the size of every slot. Configurations without rows are dropped, so that the slots are
// numbered as ClassBuilder numbers them. O(n k).
void DiscreteTable::number_slots(Node child, Parents parents, Classes& out) const {
  const size_t k = parents.size(), r = static_cast<size_t>(levels_[child]);
  size_t slots = r;
  for (Node q : parents) slots *= levels_[q];
  out.id.assign(rows_, 0);
  const auto append = [&](Node v) {
    const uint16_t levels = static_cast<uint16_t>(levels_[v]);
    codes_[v].visit([&](const auto& cells) {
      uint16_t* of_row = out.id.data();
      const auto* cell = cells.data();
      for (size_t row = 0; row < rows_; ++row) of_row[row] = static_cast<uint16_t>(of_row[row] * levels + cell[row]);
    });
  };
  // The parents are the digits of a number, the first the most significant and the child last. So slots are in the
  // order of levels.
  for (Node q : parents) append(q);
  append(child);

  // A counting sort of four stretches of rows side by side: successive rows often have the same slot, and incrementing
  // one counter twice in a row makes the second increment wait for the first.
  const size_t stretch = rows_ / kStretches;
  out.starts.assign(kStretches * slots, 0);
  uint32_t* at[kStretches];
  for (size_t s = 0; s < kStretches; ++s) at[s] = out.starts.data() + s * slots;
  for (size_t row = 0; row < stretch; ++row) {
    for (size_t s = 0; s < kStretches; ++s) ++at[s][out.id[s * stretch + row]];
  }
  for (size_t row = kStretches * stretch; row < rows_; ++row) ++at[kStretches - 1][out.id[row]];

  out.configurations = 0;
  out.levels.clear();
  out.slot_size.clear();
  out.first_id.clear();
  for (size_t first = 0; first < slots; first += r) {
    uint32_t in_configuration = 0;
    for (size_t slot = first; slot < first + r; ++slot) {
      uint32_t size = 0;
      for (size_t s = 0; s < kStretches; ++s) size += at[s][slot];
      out.slot_size.push_back(size);
      in_configuration += size;
    }
    if (in_configuration == 0) {
      out.slot_size.resize(out.slot_size.size() - r);
      continue;
    }
    ++out.configurations;
    out.first_id.push_back(static_cast<uint32_t>(first));
    out.levels.resize(out.levels.size() + k);
    size_t rest = first / r;  // the number of the configuration, whose digits are the levels; the last changes fastest
    for (size_t i = k; i-- > 0; rest /= levels_[parents[i]]) {
      out.levels[out.levels.size() - k + i] = static_cast<int>(rest % levels_[parents[i]]);
    }
  }
  out.holds(id_, child, parents);
}

// Sorts the rows by slot and counts every bit of every slot in one pass over them: all that any possible parent will
// need. O(n row_words_), whatever the number of possible parents. `which`: the configurations to do this for. The rows
// of the others come last and are not counted. Slots without rows have no place: with many configurations they are a
// third of all.
void DiscreteTable::sort_rows(std::span<const int> which, Classes& out) const {
  const size_t r = out.slot_size.size() / static_cast<size_t>(out.configurations);
  const size_t slots = out.starts.size() / kStretches;
  uint32_t* at[kStretches];
  for (size_t s = 0; s < kStretches; ++s) at[s] = out.starts.data() + s * slots;
  // Turns counts into places. Stretch s of a slot comes before stretch s + 1, so the sort is stable. Each slot begins
  // at a multiple of eight, because count_columns() takes eight rows at a time.
  uint32_t end = 0;
  const auto give_places = [&](size_t slot) {
    for (size_t s = 0; s < kStretches; ++s) {
      const uint32_t here = at[s][slot];
      at[s][slot] = end;
      end += here;
    }
  };
  out.slot_start.clear();
  size_t next = 0;
  for (const int c : which) {
    for (size_t a = 0; a < r; ++a) {
      if (out.slot_size[static_cast<size_t>(c) * r + a] == 0) continue;
      out.slot_start.push_back(end);
      give_places(out.first_id[static_cast<size_t>(c)] + a);
      end = (end + 7) / 8 * 8;
    }
  }
  out.slot_start.push_back(end);
  const uint32_t counted = end;
  for (size_t c = 0; c < out.first_id.size(); ++c) {
    if (next < which.size() && which[next] == static_cast<int>(c)) {
      ++next;
      continue;
    }
    for (size_t a = 0; a < r; ++a) give_places(out.first_id[c] + a);
  }
  // Puts the rows in their places. The places left at the end of a slot hold the row of zeros, which counts nothing.
  out.sorted_rows.resize(end);
  std::fill_n(out.sorted_rows.begin(), counted, static_cast<uint32_t>(rows_));
  uint32_t* sorted = out.sorted_rows.data();
  const uint16_t* id = out.id.data();
  const size_t stretch = rows_ / kStretches;
  for (size_t row = 0; row < stretch; ++row) {
    for (size_t s = 0; s < kStretches; ++s) {
      const size_t own = s * stretch + row;
      sorted[at[s][id[own]]++] = static_cast<uint32_t>(own);
    }
  }
  for (size_t row = kStretches * stretch; row < rows_; ++row) {
    sorted[at[kStretches - 1][id[row]]++] = static_cast<uint32_t>(row);
  }
  const size_t width = static_cast<size_t>(row_words_) * 64;
  out.bit_counts.resize((out.slot_start.size() - 1) * width);
  for (size_t slot = 0; slot + 1 < out.slot_start.size(); ++slot) {
    const uint32_t first = out.slot_start[slot];
    count_columns(rows_by_bit_.data(), row_words_, sorted + first, out.slot_start[slot + 1] - first, bits_,
                  out.bit_counts.data() + slot * width);
  }
}

void DiscreteTable::sort_rows(Node child, Parents parents, Classes& out) const {
  number_slots(child, parents, out);
  out.which.resize(static_cast<size_t>(out.configurations));
  std::iota(out.which.begin(), out.which.end(), 0);
  sort_rows(out.which, out);
}

// The counts of every bit are known already; an addition only has to put them in order. O(cells).
void DiscreteTable::count_addition_from_sorted(Node child, const Classes& classes, Node v, FamilyCounts& counts) const {
  const size_t r = static_cast<size_t>(levels_[child]), rv = static_cast<size_t>(levels_[v]);
  const size_t width = static_cast<size_t>(row_words_) * 64;
  counts.child_levels = levels_[child];
  counts.configurations.clear();
  counts.cells.resize(classes.slot_size.size() * rv);
  const uint32_t* bit_counts = classes.bit_counts.data() + first_bit_[v];
  const uint32_t* size = classes.slot_size.data();
  uint32_t* cells = counts.cells.data();
  // A slot (configuration, level a of the child) holds the counts of all levels of v. They go to every r-th cell,
  // beginning with cell a.
  for (int c = 0; c < classes.configurations; ++c, cells += r * rv) {
    for (size_t a = 0; a < r; ++a, ++size) {
      if (*size == 0) {
        for (size_t level = 0; level < rv; ++level) cells[level * r + a] = 0;
        continue;
      }
      uint32_t rest = *size;  // the last level gets the rows that the others leave
      for (size_t level = 0; level + 1 < rv; ++level) {
        cells[level * r + a] = bit_counts[level];
        rest -= bit_counts[level];
      }
      cells[(rv - 1) * r + a] = rest;
      bit_counts += width;
    }
  }
}

// Without one parent, configurations that differ only in its level become one: their cells are added up, and no row is
// read again. The merged configurations are in the order of the other parents' levels, as if they had been counted
// directly.
FamilyCounts DiscreteTable::merge_configurations(const Classes& classes, Node child, Parents parents,
                                                 size_t dropped) const {
  const size_t k = parents.size(), r = static_cast<size_t>(levels_[child]);
  uint64_t keys = 1;  // combinations of the other parents' levels
  for (size_t i = 0; i < k && keys <= kMostMergedKeys; ++i) keys *= i == dropped ? 1 : levels_[parents[i]];
  if (keys <= kMostMergedKeys) {
    // Use a table of them, in lexicographic order: mark those that occur, number them, add up.
    std::vector<uint32_t> key(classes.configurations), place(keys, 0);
    for (int c = 0; c < classes.configurations; ++c) {
      const int* level = classes.levels.data() + static_cast<size_t>(c) * k;
      for (size_t i = 0; i < k; ++i) {
        if (i != dropped) key[c] = key[c] * levels_[parents[i]] + level[i];
      }
      place[key[c]] = 1;
    }
    uint32_t merged = 0;
    for (uint32_t& at : place) at = at ? merged++ : 0;
    FamilyCounts counts{levels_[child], std::vector<uint32_t>(merged * r), {}};
    const uint32_t* size = classes.slot_size.data();
    for (int c = 0; c < classes.configurations; ++c, size += r) {
      uint32_t* cells = &counts.cells[place[key[c]] * r];
      for (size_t a = 0; a < r; ++a) cells[a] += size[a];
    }
    return counts;
  }
  // Too many combinations for a table: sort the configurations. They are in lexicographic order of levels, so nothing
  // needs sorting when the last parent is dropped: those that agree in the others are neighbours already.
  const auto levels = [&](int configuration) { return classes.levels.data() + static_cast<size_t>(configuration) * k; };
  const auto key_less = [&](int a, int b) {
    const int* x = levels(a);
    const int* y = levels(b);
    for (size_t i = 0; i < k; ++i) {
      if (i != dropped && x[i] != y[i]) return x[i] < y[i];
    }
    return false;
  };
  std::vector<int> order(classes.configurations);
  std::iota(order.begin(), order.end(), 0);
  if (dropped + 1 < k) std::stable_sort(order.begin(), order.end(), key_less);
  FamilyCounts counts{levels_[child], {}, {}};
  for (size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || key_less(order[i - 1], order[i])) counts.cells.resize(counts.cells.size() + r, 0);
    uint32_t* cells = &counts.cells[counts.cells.size() - r];
    for (size_t a = 0; a < r; ++a) cells[a] += classes.slot_size[static_cast<size_t>(order[i]) * r + a];
  }
  return counts;
}

}  // namespace agon
