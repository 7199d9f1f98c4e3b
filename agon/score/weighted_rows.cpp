#include "agon/score/weighted_rows.h"

#include <algorithm>
#include <numeric>

#include "agon/data/capability.h"

namespace agon {
namespace {

constexpr Capabilities kWeightedRowsTake = {.categorical = true, .continuous = true, .mixed = true, .weights = true};
constexpr Capabilities kTakesByRowSet = {
    .categorical = true, .continuous = true, .mixed = true, .weights = true, .regimes = true};

// Each configuration is the sum of its cells, `levels` of them in a row.
void add_up(WeightedCounts& counts, size_t levels) {
  counts.configurations.assign(counts.cells.size() / levels, 0);
  for (size_t c = 0, cell = 0; c < counts.configurations.size(); ++c) {
    for (size_t level = 0; level < levels; ++level) counts.configurations[c] += counts.cells[cell++];
  }
}

// Rows of a table, and the group of each.
struct GroupedRows {
  std::vector<size_t> rows;
  std::vector<uint32_t> group;
};

GroupedRows rows_of(const Dataset& data, const RowSet& set) {
  refuse_beyond(kTakesByRowSet, data, "a table of weights");
  GroupedRows out;
  for (size_t row = 0; row < data.rows(); ++row) {
    const int group = set.group[data.regime_of(row)];
    if (group < 0) continue;
    out.rows.push_back(row);
    out.group.push_back(static_cast<uint32_t>(group));
  }
  return out;
}

std::vector<size_t> all_rows(const Dataset& data) {
  refuse_beyond(kWeightedRowsTake, data, "a table of weights");
  std::vector<size_t> rows(data.rows());
  std::iota(rows.begin(), rows.end(), size_t{0});
  return rows;
}

}  // namespace

WeightedRows::WeightedRows(const Dataset& data) : WeightedRows(data, all_rows(data), {}, 1) {}

WeightedRows::WeightedRows(const Dataset& data, const RowSet& row_set) {
  GroupedRows grouped = rows_of(data, row_set);
  *this = WeightedRows(data, grouped.rows, std::move(grouped.group), row_set.groups);
}

WeightedRows::WeightedRows(const Dataset& data, const std::vector<size_t>& rows, std::vector<uint32_t> group,
                           int groups)
    : group_(std::move(group)), groups_(groups) {
  std::vector<Node> varying;
  for (Node v = 0; v < data.size(); ++v) {
    const Column& column = data.column(v);
    levels_.push_back(column.is_isolated() ? 1 : static_cast<int>(column.levels.size()));
    if (!column.is_isolated()) varying.push_back(v);
  }
  codes_.resize(levels_.size());
  const auto take_codes = [&](Node v, const std::vector<size_t>& of) {
    codes_[v] = Codes();
    codes_[v].reserve(of.size());
    for (const size_t row : of) codes_[v].push_back(data.column(v).codes[row]);
  };

  // Classes of equal rows: all columns at once, so that sorting compares two numbers instead of two rows.
  weights_.assign(rows.size(), 1);  // only its length counts yet
  Partition equal = partition({});
  for (const Node v : varying) {
    take_codes(v, rows);
    refine(equal, v);
  }
  std::vector<size_t> order(rows.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    if (equal.of_row[a] != equal.of_row[b]) return equal.of_row[a] < equal.of_row[b];
    return data.weight(rows[a]) < data.weight(rows[b]);
  });

  weights_.assign(equal.classes, 0);
  std::vector<size_t> one_of(equal.classes);
  std::vector<uint32_t> merged_group(group_.empty() ? 0 : equal.classes);
  for (const size_t k : order) {
    const uint32_t at = equal.of_row[k];
    weights_[at] += data.weight(rows[k]);
    one_of[at] = rows[k];
    if (!group_.empty()) merged_group[at] = group_[k];
  }
  group_ = std::move(merged_group);
  for (const Node v : varying) take_codes(v, one_of);
  total_ = std::accumulate(weights_.begin(), weights_.end(), 0.0);
}

WeightedRows::Partition WeightedRows::partition(Parents by) const {
  Partition all{group_, static_cast<uint32_t>(groups_)};
  if (group_.empty()) all.of_row.assign(merged(), 0);
  for (const Node v : by) refine(all, v);
  return all;
}

void WeightedRows::refine(Partition& partition, Node by) const {
  if (levels_[by] == 1 || partition.of_row.empty()) return;
  const uint64_t levels = static_cast<uint64_t>(levels_[by]);
  const uint64_t range = partition.classes * levels;
  codes_[by].visit([&](const auto& codes) {
    if (worth_dense(range)) {
      std::vector<uint32_t> number(range, 0);
      for (size_t row = 0; row < codes.size(); ++row) {
        partition.of_row[row] = static_cast<uint32_t>(partition.of_row[row] * levels + codes[row]);
        number[partition.of_row[row]] = 1;
      }
      partition.classes = 0;
      for (uint32_t& n : number) n = n == 0 ? 0 : partition.classes++;
      for (uint32_t& id : partition.of_row) id = number[id];
      return;
    }
    std::vector<uint64_t> wide(codes.size());
    for (size_t row = 0; row < codes.size(); ++row) wide[row] = partition.of_row[row] * levels + codes[row];
    std::vector<uint64_t> used = wide;
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    for (size_t row = 0; row < codes.size(); ++row) {
      const auto at = std::lower_bound(used.begin(), used.end(), wide[row]);
      partition.of_row[row] = static_cast<uint32_t>(at - used.begin());
    }
    partition.classes = static_cast<uint32_t>(used.size());
  });
}

WeightedCounts WeightedRows::count(const Partition& by_parents, Node child) const {
  const size_t levels = static_cast<size_t>(levels_[child]);
  if (!worth_dense(by_parents.classes * uint64_t{levels})) return count_sparse(by_parents, child);
  WeightedCounts counts;
  counts.cells.assign(by_parents.classes * levels, 0);
  if (levels == 1) {
    for (size_t row = 0; row < merged(); ++row) counts.cells[by_parents.of_row[row]] += weights_[row];
  } else {
    codes_[child].visit([&](const auto& codes) {
      for (size_t row = 0; row < codes.size(); ++row) {
        counts.cells[by_parents.of_row[row] * levels + codes[row]] += weights_[row];
      }
    });
  }
  add_up(counts, levels);
  return counts;
}

// Where a table of all cells would be mostly zeros: only those that occur, which are the classes of parents and child.
WeightedCounts WeightedRows::count_sparse(const Partition& by_parents, Node child) const {
  Partition joint = by_parents;
  refine(joint, child);
  WeightedCounts counts;
  counts.cells.assign(joint.classes, 0);
  counts.configurations.assign(by_parents.classes, 0);
  for (size_t row = 0; row < merged(); ++row) {
    counts.cells[joint.of_row[row]] += weights_[row];
    counts.configurations[by_parents.of_row[row]] += weights_[row];
  }
  return counts;
}

WeightedRows::Additions::Additions(const WeightedRows& rows, const Partition& by_parents, Node child)
    : rows_(rows), by_parents_(by_parents), child_(child) {
  const uint64_t levels = static_cast<uint64_t>(rows.levels(child));
  slots_ = by_parents.classes * levels;
  if (!rows.worth_dense(slots_) || levels == 1) return;
  slot_.resize(rows.merged());
  rows.codes_[child].visit([&](const auto& codes) {
    for (size_t row = 0; row < codes.size(); ++row) {
      slot_[row] = static_cast<uint32_t>(by_parents.of_row[row] * levels + codes[row]);
    }
  });
}

// [level of v][class][level of the child]: a row's slot is known before v is.
const WeightedCounts& WeightedRows::Additions::with(Node v) {
  const uint64_t cells = slots_ * static_cast<uint64_t>(rows_.levels(v));
  if (slot_.empty() || rows_.levels(v) == 1 || !rows_.worth_dense(cells)) {
    Partition by_all = by_parents_;
    rows_.refine(by_all, v);
    counts_ = rows_.count(by_all, child_);
    return counts_;
  }
  counts_.cells.assign(cells, 0);
  rows_.codes_[v].visit([&](const auto& codes) {
    for (size_t row = 0; row < codes.size(); ++row) {
      counts_.cells[slots_ * codes[row] + slot_[row]] += rows_.weights_[row];
    }
  });
  add_up(counts_, static_cast<size_t>(rows_.levels(child_)));
  return counts_;
}

WeightedRows WeightedRows::merged_by(const Partition& classes, Parents variables) const {
  WeightedRows out;
  out.levels_ = levels_;
  out.codes_.resize(codes_.size());
  out.weights_.assign(classes.classes, 0);
  out.group_.assign(group_.empty() ? 0 : classes.classes, 0);
  out.groups_ = groups_;
  out.total_ = total_;
  std::vector<size_t> one_of(classes.classes);
  for (size_t row = 0; row < merged(); ++row) {
    out.weights_[classes.of_row[row]] += weights_[row];
    one_of[classes.of_row[row]] = row;
    if (!group_.empty()) out.group_[classes.of_row[row]] = group_[row];
  }
  for (const Node v : variables) {
    if (levels_[v] == 1) continue;
    for (const size_t row : one_of) out.codes_[v].push_back(codes_[v][row]);
  }
  return out;
}

}  // namespace agon
