#include "agon/score/column_cache.h"

#include <algorithm>

#include "agon/base/hash.h"
#include "agon/base/parallel.h"

namespace agon {

uint64_t family_key(Node child, Parents parents) {
  uint64_t key = mix64(~static_cast<uint64_t>(child));
  for (Node q : parents) key += mix64(static_cast<uint64_t>(q));  // order is irrelevant
  return key;
}

size_t GainColumn::bytes() const {
  constexpr size_t kOverhead = 160;  // the object, its control block and its place in the map
  return kOverhead + parents.size() * sizeof(Node) + (addition.size() + removal.size()) * sizeof(double) +
         best.size() * sizeof(Candidate);
}

GainColumn compute_column(const LocalScore& score, Node child, Parents parents) {
  GainColumn column;
  column.child = child;
  column.parents.assign(parents.begin(), parents.end());
  column.addition.resize(score.size());
  column.removal.resize(parents.size());
  column.score = score.addition_gains(child, parents, column.addition);
  if (!parents.empty()) score.removal_gains(child, parents, column.removal);
  sort_positive(column.addition, column.best);
  return column;
}

ColumnCache::ColumnCache(const LocalScore& score, size_t byte_limit) : score_(score), byte_limit_(byte_limit) {}

ColumnCache::Entry ColumnCache::find(uint64_t key, Node child, Parents parents) {
  const auto matches = [&](const Entry& e) { return e->child == child && std::ranges::equal(e->parents, parents); };
  if (const auto it = young_.find(key); it != young_.end() && matches(it->second)) return it->second;
  const auto it = old_.find(key);
  if (it == old_.end() || !matches(it->second)) return nullptr;
  Entry entry = std::move(it->second);
  old_.erase(it);
  old_bytes_ -= entry->bytes();
  insert(key, entry);
  return entry;
}

void ColumnCache::insert(uint64_t key, Entry entry) {
  if (young_bytes_ + entry->bytes() > byte_limit_ / 2) {
    old_ = std::move(young_);
    old_bytes_ = young_bytes_;
    young_.clear();
    young_bytes_ = 0;
  }
  const size_t bytes = entry->bytes();
  if (young_.emplace(key, std::move(entry)).second) young_bytes_ += bytes;
}

std::shared_ptr<const GainColumn> ColumnCache::column(Node child, Parents parents) {
  const uint64_t key = family_key(child, parents);
  if (Entry entry = find(key, child, parents)) {
    ++counts_.hits;
    return entry;
  }
  ++counts_.columns;
  auto entry = std::make_shared<const GainColumn>(compute_column(score_, child, parents));
  insert(key, entry);
  return entry;
}

void ColumnCache::prefetch(const Dag& dag, int threads) {
  std::vector<Node> missing;
  for (Node v = 0; v < dag.size(); ++v) {
    const std::vector<Node> parents = dag.parent_list(v);
    if (!find(family_key(v, parents), v, parents)) missing.push_back(v);
  }
  std::vector<Entry> computed(missing.size());
  parallel_for(static_cast<int>(missing.size()), threads, [&](int k) {
    computed[k] = std::make_shared<const GainColumn>(compute_column(score_, missing[k], dag.parent_list(missing[k])));
  });
  for (Entry& entry : computed) {
    ++counts_.columns;
    const uint64_t key = family_key(entry->child, entry->parents);
    insert(key, std::move(entry));
  }
}

}  // namespace agon
