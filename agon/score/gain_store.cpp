#include "agon/score/gain_store.h"

#include <algorithm>
#include <cstring>

namespace agon {
namespace {

constexpr size_t kBlockBytes = size_t{1} << 20;
constexpr size_t kEntryOverhead = 96;  // the entry and its place in the map

}  // namespace

GainStore::GainStore(const LocalScore& score, size_t byte_limit) : score_(score), byte_limit_(byte_limit) {}

template <class T>
std::span<const T> GainStore::keep(std::span<const T> items) {
  const size_t size = (items.size_bytes() + 15) / 16 * 16;
  if (size == 0) return {};
  if (block_used_ + size > block_size_) {
    block_size_ = std::max(kBlockBytes, size);
    block_used_ = 0;
    blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(block_size_));
    bytes_ += block_size_;
  }
  std::byte* place = blocks_.back().get() + block_used_;
  block_used_ += size;
  std::memcpy(place, items.data(), items.size_bytes());
  return {reinterpret_cast<const T*>(place), items.size()};
}

const GainEntry& GainStore::entry(Node child, Parents parents) {
  const uint64_t key = family_key(child, parents);
  const auto [first, last] = kept_.equal_range(key);
  for (auto it = first; it != last; ++it) {
    if (it->second.child == child && std::ranges::equal(it->second.parents, parents)) {
      ++counts_.hits;
      return it->second.entry;
    }
  }
  ++counts_.columns;
  Kept kept;
  kept.child = child;
  kept.entry.score = score_.positive_additions(child, parents, scratch_);
  kept.entry.best = keep(std::span<const ParentGain>(scratch_));
  kept.parents = keep(parents);
  bytes_ += kEntryOverhead;
  return kept_.emplace(key, kept)->second.entry;
}

void GainStore::clear() {
  kept_.clear();
  blocks_.clear();
  block_used_ = block_size_ = 0;
  bytes_ = 0;
}

}  // namespace agon
