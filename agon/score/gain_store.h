// agon/score/gain_store.h
//
// The additions that gain, by (node, parent set), for searches that only ask "which parent would help most": GES and
// BOSS. Only positive gains are kept, best first, so that a column of thousands of variables takes a few entries.
//
//   GainStore store(score, 128 << 20);
//   const GainEntry& e = store.entry(5, parents);   // e.score, e.best[0].node, e.best[0].gain
//   if (store.over_limit()) store.clear();          // at a moment when no entry is held
//
// An entry keeps its address until clear(). Clearing never changes an answer: an entry that is computed again has the
// same bits. Must not be used by several threads at once.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "agon/score/column_cache.h"
#include "agon/score/local_score.h"

namespace agon {

struct GainEntry {
  double score = 0;                  // local(child, parents)
  std::span<const ParentGain> best;  // additions that gain, best first
};

class GainStore {
 public:
  explicit GainStore(const LocalScore& score, size_t byte_limit = size_t{128} << 20);

  const LocalScore& score() const { return score_; }
  const GainEntry& entry(Node child, Parents parents);

  struct Family {
    Node child;
    std::vector<Node> parents;
  };
  // Computes the entries of families that are not there yet, on several threads. One whose score is undefined is left
  // out: entry() will say so.
  void prefetch(const std::vector<Family>& families, int threads);

  size_t bytes() const { return bytes_; }
  bool over_limit() const { return bytes_ > byte_limit_; }
  void clear();
  const CacheCounts& counts() const { return counts_; }

 private:
  struct Kept {
    GainEntry entry;
    Node child;
    std::span<const Node> parents;
    bool asked = false;  // by entry()
  };
  Kept* find(uint64_t key, Node child, Parents parents);
  Kept& insert(uint64_t key, Node child, Parents parents, double score, std::span<const ParentGain> best);
  template <class T>
  std::span<const T> keep(std::span<const T> items);

  const LocalScore& score_;
  size_t byte_limit_;
  std::unordered_multimap<uint64_t, Kept> kept_;      // looked up, never iterated
  std::vector<std::unique_ptr<std::byte[]>> blocks_;  // the arena that entries point into
  size_t block_used_ = 0, block_size_ = 0;
  size_t bytes_ = 0;
  std::vector<ParentGain> scratch_;
  CacheCounts counts_;
};

}  // namespace agon
