#include "agon/score/discrete_table.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "agon/base/hash.h"
#include "agon/score/bit_count.h"

namespace agon {
namespace {

// Merging pays when this many rows, or more, share one stored row on average: a weighted loop costs about as much per
// row as popcount does per ten.
constexpr size_t kMergeFactor = 16;

// Row indices of the first occurrence of each distinct row (in lexicographic order of codes) and their weights; empty
// as soon as there are too many to be worth it.
struct DistinctRows {
  std::vector<uint32_t> row;
  std::vector<uint32_t> weight;
};

DistinctRows distinct_rows(const Dataset& data) {
  const size_t n = data.rows(), most = n / kMergeFactor;
  std::vector<uint64_t> hash(n, 0);
  for (const Column& column : data.columns()) {
    column.codes.visit([&](const auto& cells) {
      for (size_t row = 0; row < n; ++row) hash[row] = hash_combine(hash[row], cells[row]);
    });
  }
  DistinctRows distinct;
  std::unordered_map<uint64_t, uint32_t> seen;  // hash -> index in `distinct`; looked up, never iterated
  const auto same = [&](size_t a, size_t b) {
    return std::all_of(data.columns().begin(), data.columns().end(),
                       [&](const Column& c) { return c.codes[a] == c.codes[b]; });
  };
  for (size_t row = 0; row < n; ++row) {
    const auto [it, is_new] = seen.emplace(hash[row], static_cast<uint32_t>(distinct.row.size()));
    if (is_new) {
      if (distinct.row.size() == most) return {};
      distinct.row.push_back(static_cast<uint32_t>(row));
      distinct.weight.push_back(1);
    } else if (same(row, distinct.row[it->second])) {
      ++distinct.weight[it->second];
    } else {
      return {};  // two rows of one hash: so rare that the other layout may have them
    }
  }
  return distinct;
}

}  // namespace

DiscreteTable::DiscreteTable(const Dataset& data) : rows_(data.rows()) {
  for (const Column& column : data.columns()) levels_.push_back(static_cast<int>(column.levels.size()));
  const DistinctRows distinct = distinct_rows(data);
  if (!distinct.row.empty()) {
    weights_ = distinct.weight;
    stored_rows_ = distinct.row.size();
    for (const Column& column : data.columns()) {
      Codes codes;
      for (uint32_t row : distinct.row) codes.push_back(column.codes[row]);
      codes_.push_back(std::move(codes));
    }
    return;
  }
  stored_rows_ = rows_;
  words_ = static_cast<int>((rows_ + 63) / 64);
  int planes = 0;
  for (Node v = 0; v < size(); ++v) {
    codes_.push_back(data.column(v).codes);
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
}

DiscreteTable::Partition DiscreteTable::partition(const RowSample& sample, Parents by) const {
  Partition out;
  out.of_row.assign(sample.rows.empty() ? stored_rows_ : sample.rows.size(), 0);
  for (Node q : by) refine(sample, out, q);
  return out;
}

void DiscreteTable::refine(const RowSample& sample, Partition& partition, Node by) const {
  const uint64_t r = static_cast<uint64_t>(levels_[by]);
  const uint64_t slots = partition.classes * r;
  const size_t rows = partition.of_row.size();
  codes_[by].visit([&](const auto& cells) {
    const auto level = [&](size_t k) { return sample.rows.empty() ? cells[k] : cells[sample.rows[k]]; };
    if (worth_dense(slots, rows)) {
      std::vector<uint32_t> id(slots, 0);
      for (size_t k = 0; k < rows; ++k) {
        const uint32_t slot = static_cast<uint32_t>(partition.of_row[k] * r + level(k));
        partition.of_row[k] = slot;
        id[slot] = 1;
      }
      uint32_t classes = 0;
      for (uint32_t& slot : id) slot = slot ? classes++ : 0;
      for (uint32_t& c : partition.of_row) c = id[c];
      partition.classes = classes;
    } else {  // too many combinations for a table of them: sort those that occur
      std::vector<uint64_t> slot(rows);
      for (size_t k = 0; k < rows; ++k) slot[k] = partition.of_row[k] * r + level(k);
      std::vector<uint64_t> occurring = slot;
      std::sort(occurring.begin(), occurring.end());
      occurring.erase(std::unique(occurring.begin(), occurring.end()), occurring.end());
      for (size_t k = 0; k < rows; ++k) {
        partition.of_row[k] =
            static_cast<uint32_t>(std::lower_bound(occurring.begin(), occurring.end(), slot[k]) - occurring.begin());
      }
      partition.classes = static_cast<uint32_t>(occurring.size());
    }
  });
}

std::vector<uint32_t> DiscreteTable::class_sizes(const RowSample& sample, const Partition& partition) const {
  const std::vector<uint32_t>& weights = sample.weights.empty() ? weights_ : sample.weights;
  std::vector<uint32_t> sizes(partition.classes);
  for (size_t k = 0; k < partition.of_row.size(); ++k) sizes[partition.of_row[k]] += weights.empty() ? 1 : weights[k];
  return sizes;
}

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

FamilyCounts DiscreteTable::count(Node child, Parents parents) const {
  return count({}, partition({}, parents), child);
}

DiscreteTable::Classes DiscreteTable::classes(Node child, Parents parents) const {
  // Classes of fewer rows than this go into lists: walking them costs less than a sweep over all words.
  const uint32_t small = static_cast<uint32_t>(words_ / 4);
  struct Group {
    std::vector<uint64_t> mask;  // empty: rows are listed
    std::vector<uint32_t> rows;
  };
  std::vector<Group> groups(1);
  groups[0].mask.assign(words_, ~uint64_t{0});
  if (rows_ % 64) groups[0].mask.back() = (uint64_t{1} << (rows_ % 64)) - 1;

  std::vector<uint64_t> both(words_);
  const auto split = [&](const Group& group, Node by, int level, Group& out) -> uint32_t {
    if (group.mask.empty()) {
      for (uint32_t row : group.rows) {
        if (codes_[by][row] == static_cast<uint32_t>(level)) out.rows.push_back(row);
      }
      return static_cast<uint32_t>(out.rows.size());
    }
    const uint32_t count = intersect_bits(group.mask.data(), plane(by, level), words_, both.data());
    if (count == 0) return 0;
    if (count > small) {
      out.mask = both;
    } else {
      for (int k = 0; k < words_; ++k) {
        for (uint64_t rest = both[k]; rest; rest &= rest - 1) {
          out.rows.push_back(static_cast<uint32_t>(k * 64 + std::countr_zero(rest)));
        }
      }
    }
    return count;
  };

  for (Node q : parents) {
    std::vector<Group> finer;
    for (const Group& group : groups) {
      for (int level = 0; level < levels_[q]; ++level) {
        Group part;
        if (split(group, q, level, part) > 0) finer.push_back(std::move(part));
      }
    }
    groups = std::move(finer);
  }

  Classes out;
  const int r = levels_[child];
  out.configurations = static_cast<int>(groups.size());
  out.slot_size.assign(groups.size() * r, 0);
  out.list_start.push_back(0);
  for (size_t g = 0; g < groups.size(); ++g) {
    for (int level = 0; level < r; ++level) {
      Group part;
      const int slot = static_cast<int>(g) * r + level;
      const uint32_t count = split(groups[g], child, level, part);
      out.slot_size[slot] = count;
      if (count == 0) continue;
      if (!part.mask.empty()) {
        out.mask_slot.push_back(slot);
        out.masks.insert(out.masks.end(), part.mask.begin(), part.mask.end());
      } else {
        out.list_slot.push_back(slot);
        out.list_rows.insert(out.list_rows.end(), part.rows.begin(), part.rows.end());
        out.list_start.push_back(static_cast<uint32_t>(out.list_rows.size()));
      }
    }
  }
  return out;
}

void DiscreteTable::count_addition_by_bits(Node child, const Classes& classes, Node v, FamilyCounts& counts,
                                           std::vector<uint32_t>& scratch) const {
  std::vector<uint32_t>& cells = counts.cells;
  counts.child_levels = levels_[child];
  counts.configurations.clear();
  const int r = levels_[child], rv = levels_[v];
  const int masks = static_cast<int>(classes.mask_slot.size());
  cells.assign(static_cast<size_t>(classes.configurations) * r * rv, 0);
  // Slot (configuration, child level) and level of v -> cell (configuration, level of v, child level).
  const auto cell = [&](int slot, int level) -> uint32_t& {
    return cells[static_cast<size_t>(slot / r * rv + level) * r + slot % r];
  };
  scratch.assign(static_cast<size_t>(masks) * (rv - 1), 0);
  for (int level = 0; level + 1 < rv; ++level) {  // the last level is what the others leave
    add_shared_bits(plane(v, level), classes.masks.data(), masks, words_, words_, scratch.data() + level * masks);
  }
  for (int m = 0; m < masks; ++m) {
    const int slot = classes.mask_slot[m];
    uint32_t rest = classes.slot_size[slot];
    for (int level = 0; level + 1 < rv; ++level) {
      const uint32_t count = scratch[level * masks + m];
      cell(slot, level) = count;
      rest -= count;
    }
    cell(slot, rv - 1) = rest;
  }
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
