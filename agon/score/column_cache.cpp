#include "agon/score/column_cache.h"

#include <algorithm>

#include "agon/base/hash.h"
#include "agon/base/parallel.h"

namespace agon {

uint64_t family_key(Node child, Parents parents) {
  uint64_t key = mix64(~static_cast<uint64_t>(child));
  for (Node q : parents) key += mix64(static_cast<uint64_t>(q));  // a sum, so that the order does not matter
  return key;
}

size_t GainColumn::bytes() const {
  constexpr size_t kOverhead = 320;  // the object, its control block, its blocks' headers and its place in the map
  return kOverhead + parents.size() * sizeof(Node) + (addition.size() + removal.size()) * sizeof(double) +
         best.size() * sizeof(ParentGain);
}

GainColumn compute_column(const LocalScore& score, Node child, Parents parents) {
  GainColumn column;
  column.child = child;
  column.parents.assign(parents.begin(), parents.end());
  column.removal.resize(parents.size());
  if (score.keeps_columns_short()) {
    column.score = score.positive_additions(child, parents, column.best);
    if (!parents.empty()) score.removal_gains(child, parents, column.removal);
    return column;
  }
  column.addition.resize(score.size());
  column.score = score.column_gains(child, parents, column.addition, column.removal);
  sort_positive(column.addition, column.best);
  return column;
}

ColumnCache::ColumnCache(const LocalScore& score, size_t byte_limit) : score_(score), byte_limit_(byte_limit) {}

ColumnCache::Map::Slot& ColumnCache::Map::slot(uint64_t key) {
  const size_t mask = slots_.size() - 1;
  size_t k = key & mask;
  while (slots_[k].used && slots_[k].key != key) k = (k + 1) & mask;
  return slots_[k];
}

ColumnCache::Entry* ColumnCache::Map::find(uint64_t key) {
  if (slots_.empty()) return nullptr;
  Slot& at = slot(key);
  return at.used ? &at.entry : nullptr;
}

bool ColumnCache::Map::insert(uint64_t key, Entry entry) {
  if (2 * (used_ + 1) > slots_.size()) {
    std::vector<Slot> smaller = std::move(slots_);
    slots_.clear();
    slots_.resize(std::max<size_t>(16, 2 * smaller.size()));
    for (Slot& s : smaller) {
      if (s.used) slot(s.key) = std::move(s);
    }
  }
  Slot& at = slot(key);
  if (at.used) return false;
  at = {key, true, std::move(entry)};
  ++used_;
  return true;
}

ColumnCache::Entry ColumnCache::find(uint64_t key, Node child, Parents parents) {
  const auto matches = [&](const Entry* e) {
    return e && *e && (*e)->child == child && std::ranges::equal((*e)->parents, parents);
  };
  if (Entry* young = young_.find(key); matches(young)) return *young;
  Entry* old = old_.find(key);
  if (!matches(old)) return nullptr;
  Entry entry = std::move(*old);
  old_bytes_ -= entry->bytes();
  insert(key, entry);
  return entry;
}

void ColumnCache::insert(uint64_t key, Entry entry) {
  const size_t bytes = entry->bytes();
  if (young_bytes_ + bytes > byte_limit_ / 2) {
    old_ = std::move(young_);
    old_bytes_ = young_bytes_;
    young_ = {};
    young_bytes_ = 0;
  }
  if (young_.insert(key, std::move(entry))) young_bytes_ += bytes;
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

void ColumnCache::prefetch(const Dag& dag, int threads, const Watch& watch) {
  std::vector<Node> missing;
  for (Node v = 0; v < dag.size(); ++v) {
    const std::vector<Node> parents = dag.parent_list(v);
    if (!find(family_key(v, parents), v, parents)) missing.push_back(v);
  }
  std::vector<Entry> computed(missing.size());
  parallel_for(static_cast<int>(missing.size()), threads, [&](int k) {
    if (watch.stop_requested()) throw Interrupted("stopped before all gains were known");
    computed[k] = std::make_shared<const GainColumn>(compute_column(score_, missing[k], dag.parent_list(missing[k])));
  });
  for (Entry& entry : computed) {
    ++counts_.columns;
    const uint64_t key = family_key(entry->child, entry->parents);
    insert(key, std::move(entry));
  }
}

}  // namespace agon
