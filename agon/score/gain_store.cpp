#include "agon/score/gain_store.h"

#include <algorithm>
#include <cstring>

#include "agon/base/parallel.h"

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

GainStore::Kept* GainStore::find(uint64_t key, Node child, Parents parents) {
  const auto [first, last] = kept_.equal_range(key);
  for (auto it = first; it != last; ++it) {
    if (it->second.child == child && std::ranges::equal(it->second.parents, parents)) return &it->second;
  }
  return nullptr;
}

GainStore::Kept& GainStore::insert(uint64_t key, Node child, Parents parents, double score,
                                   std::span<const ParentGain> best) {
  bytes_ += kEntryOverhead;
  return kept_.emplace(key, Kept{{score, keep(best)}, child, keep(parents)})->second;
}

const GainEntry& GainStore::entry(Node child, Parents parents) {
  const uint64_t key = family_key(child, parents);
  Kept* kept = find(key, child, parents);
  if (!kept) {
    const double score = score_.positive_additions(child, parents, scratch_);
    kept = &insert(key, child, parents, score, scratch_);
  }
  ++(kept->asked ? counts_.hits : counts_.columns);  // as if nothing had been computed in advance
  kept->asked = true;
  return kept->entry;
}

void GainStore::prefetch(const std::vector<Family>& families, int threads) {
  struct Computed {
    double score = 0;
    std::vector<ParentGain> best;
    bool wanted = false;
  };
  std::vector<Computed> computed(families.size());
  parallel_for(static_cast<int>(families.size()), threads, [&](int k) {
    const auto& [child, parents] = families[k];
    Computed& out = computed[k];
    if (find(family_key(child, parents), child, parents)) return;
    try {
      out.score = score_.positive_additions(child, parents, out.best);
      out.wanted = true;
    } catch (const ScoreUndefined&) {
    }
  });
  for (size_t k = 0; k < families.size(); ++k) {
    const auto& [child, parents] = families[k];
    if (computed[k].wanted) insert(family_key(child, parents), child, parents, computed[k].score, computed[k].best);
  }
}

void GainStore::clear() {
  kept_.clear();
  blocks_.clear();
  block_used_ = block_size_ = 0;
  bytes_ = 0;
}

}  // namespace agon
