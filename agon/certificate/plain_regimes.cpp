#include "agon/certificate/plain_regimes.h"

#include <algorithm>
#include <map>
#include <string>

namespace agon::plain {
namespace {

enum class Part { kNone, kMoved, kSet };  // of a variable in a regime

Part part_of(const Dataset& data, Node v, int regime) {
  const std::vector<int>& targets = data.targets(regime);
  if (std::find(targets.begin(), targets.end(), v) == targets.end()) return Part::kNone;
  return data.regimes()[regime].intervention == Intervention::kPerfect ? Part::kSet : Part::kMoved;
}

// The group of a variable by regime, numbered as they come.
std::vector<int> groups_of(const Dataset& data, Node v) {
  std::vector<int> out;
  std::map<std::string, int> by_name, by_batch;
  for (int k = 0; k < static_cast<int>(data.regimes().size()); ++k) {
    const Regime& regime = data.regimes()[k];
    const Part part = part_of(data, v, k);
    const int fresh = static_cast<int>(by_name.size() + by_batch.size());
    if (part == Part::kSet) out.push_back(-1);
    if (part == Part::kMoved) out.push_back(by_name.try_emplace(regime.name, fresh).first->second);
    if (part == Part::kNone) out.push_back(by_batch.try_emplace(regime.batch, fresh).first->second);
  }
  return out;
}

}  // namespace

Experiments::Experiments(const Dataset& data) {
  if (!data.has_regimes()) {
    sets_.push_back({{}, 1, data.rows(), data.total_weight()});
    return;
  }
  std::map<std::vector<int>, int> known;
  for (Node v = 0; v < data.size(); ++v) {
    const std::vector<int> group = groups_of(data, v);
    const auto [at, fresh] = known.try_emplace(group, static_cast<int>(sets_.size()));
    row_set_.push_back(at->second);
    for (int k = 0; k < static_cast<int>(group.size()); ++k) {
      if (group[k] < 0) set_cells_.push_back({v, k});
    }
    if (!fresh) continue;
    FamilyRows rows;
    rows.groups = 1 + *std::max_element(group.begin(), group.end());
    for (size_t row = 0; row < data.rows(); ++row) {
      rows.group.push_back(group[data.regime_of(row)]);
      if (rows.group.back() < 0) continue;
      ++rows.rows;
      rows.weight += data.weight(row);
    }
    sets_.push_back(std::move(rows));
  }
}

}  // namespace agon::plain
