#include "agon/data/row_sets.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace agon {
namespace {

RowSet row_set_of(const Dataset& data, int node) {
  RowSet set;
  std::map<std::pair<std::string, int>, int> number;  // by batch, and by regime where that is a group of its own
  for (int k = 0; k < static_cast<int>(data.regimes().size()); ++k) {
    const Regime& regime = data.regimes()[k];
    const bool target = std::binary_search(data.targets(k).begin(), data.targets(k).end(), node);
    if (target && regime.intervention == Intervention::kPerfect) {
      set.group.push_back(-1);
      continue;
    }
    const auto [at, fresh] = number.try_emplace({regime.batch, target ? k : -1}, set.groups);
    set.groups += fresh;
    set.group.push_back(at->second);
  }
  return set;
}

}  // namespace

RowSets row_sets(const Dataset& data) {
  RowSets out;
  if (!data.has_regimes()) return out;
  for (int v = 0; v < data.size(); ++v) {
    RowSet set = row_set_of(data, v);
    const auto at = std::find(out.sets.begin(), out.sets.end(), set);
    out.of.push_back(static_cast<int>(at - out.sets.begin()));
    if (at == out.sets.end()) out.sets.push_back(std::move(set));
  }
  return out;
}

}  // namespace agon
