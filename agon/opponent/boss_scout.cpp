#include "agon/opponent/boss_scout.h"

#include <algorithm>
#include <utility>

namespace agon {
namespace {

constexpr TreeIndex kOwn = TreeIndex{1} << 31;  // marks the nodes that only the scout has

}  // namespace

std::span<const ParentTrees::Branch> Scout::branches(TreeIndex at) const {
  if ((at & kOwn) != 0) return own_[at ^ kOwn].branches;
  return trees_.branches(at);
}

std::vector<Node> Scout::parents_at(TreeIndex at) const {
  return (at & kOwn) != 0 ? own_[at ^ kOwn].parents : trees_.grown_parents(at);
}

TreeIndex Scout::root() {
  const Parents required = trees_.rules().required_parents(child_);
  return discover({required.begin(), required.end()});
}

std::span<const ParentTrees::PairBranch> Scout::pairs(TreeIndex at) {
  if ((at & kOwn) == 0 && trees_.has_pairs(at)) return trees_.known_pairs(at);
  if (!trees_.with_pairs()) return {};
  const auto [found, fresh] = own_pairs_.try_emplace(at);
  if (fresh && room_.load(std::memory_order_relaxed) > 0) {
    ParentTrees::Column column{.child = child_, .parents = parents_at(at), .pairs = std::vector<PairGain>()};
    trees_.pairs_at(child_, column.parents, *column.pairs);
    for (const PairGain& pair : *column.pairs) found->second.push_back({pair.first, pair.second, 0});
    room_ -= static_cast<long>(sizeof column + column.pairs->size() * sizeof(PairGain));
    columns_.push_back(std::move(column));
  }
  return found->second;
}

TreeIndex Scout::grown(TreeIndex at, int k) {
  const auto singles = branches(at);
  const size_t i = static_cast<size_t>(k);
  std::vector<Node> added;
  if (i < singles.size()) {
    if (singles[i].grown != 0) return singles[i].grown;
    added = {singles[i].node};
  } else {
    const ParentTrees::PairBranch& pair = pairs(at)[i - singles.size()];
    if (pair.grown != 0) return pair.grown;
    added = {pair.first, pair.second};
  }
  std::vector<Node> parents = parents_at(at);
  parents.insert(parents.end(), added.begin(), added.end());
  std::sort(parents.begin(), parents.end());
  return discover(std::move(parents));
}

// Where there is no room left, or no score, it has no branches, and the walk ends there.
TreeIndex Scout::discover(std::vector<Node> parents) {
  const uint64_t key = family_key(child_, parents);
  if (const TreeIndex known = trees_.find(key, child_, parents); known != 0) return known;
  for (size_t k = 0; k < own_.size(); ++k) {
    if (own_[k].key == key && own_[k].parents == parents) return static_cast<TreeIndex>(k) | kOwn;
  }
  Own own{.parents = std::move(parents), .key = key, .branches = {}};
  if (room_.load(std::memory_order_relaxed) > 0) {
    try {
      ParentTrees::Column column{.child = child_, .parents = own.parents, .gains = std::vector<ParentGain>()};
      column.score = trees_.gains_at(child_, column.parents, *column.gains);
      for (const ParentGain& gain : *column.gains) own.branches.push_back({gain.node, 0});
      room_ -= static_cast<long>(sizeof column + column.gains->size() * sizeof(ParentGain));
      columns_.push_back(std::move(column));
    } catch (const ScoreUndefined&) {  // the search will say so, if it comes here
    }
  }
  own_.push_back(std::move(own));
  return static_cast<TreeIndex>(own_.size() - 1) | kOwn;
}

std::vector<ParentTrees::Column> Scout::take() { return std::exchange(columns_, {}); }

}  // namespace agon
