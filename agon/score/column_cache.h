// agon/score/column_cache.h
//
// Columns of gains, kept by (node, parent set). A search returns to the same parent sets again and again; the second
// time a column costs a look-up.
//
//   ColumnCache cache(score, 256 << 20);                    // bytes
//   std::shared_ptr<const GainColumn> c = cache.column(5, parents);
//   c->addition[2];                                         // what 2 would gain as one more parent of 5
//
// The limit never changes an answer: a column that was dropped is computed again, to the same bits. Not for use by
// several threads at once; give each its own.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "agon/score/local_score.h"

namespace agon {

// Everything a search asks about one node with its present parents.
struct GainColumn {
  Node child = 0;
  std::vector<Node> parents;
  double score = 0;              // local(child, parents)
  std::vector<double> addition;  // by node; -infinity where it may not be added
  std::vector<double> removal;   // by position in `parents`
  std::vector<ParentGain> best;  // additions that gain, best first
  size_t bytes() const;
};

struct CacheCounts {
  long columns = 0;  // computed
  long hits = 0;     // found
};

class ColumnCache {
 public:
  explicit ColumnCache(const LocalScore& score, size_t byte_limit = size_t{256} << 20);

  const LocalScore& score() const { return score_; }
  std::shared_ptr<const GainColumn> column(Node child, Parents parents);

  // Computes the columns of all nodes of `dag` that are not kept yet, on several threads.
  void prefetch(const Dag& dag, int threads);

  const CacheCounts& counts() const { return counts_; }
  size_t bytes() const { return young_bytes_ + old_bytes_; }

 private:
  using Entry = std::shared_ptr<const GainColumn>;
  // A hash table with open addressing: the keys are hashes already. A key that clashes is a miss.
  class Map {
   public:
    Entry* find(uint64_t key);               // nullptr when there is none; an entry that was moved away is null
    bool insert(uint64_t key, Entry entry);  // false: the key was there

   private:
    struct Slot {
      uint64_t key = 0;
      bool used = false;
      Entry entry;
    };
    Slot& slot(uint64_t key);  // of the key, or the free one where it belongs
    std::vector<Slot> slots_;  // a power of two of them, at most half used
    size_t used_ = 0;
  };
  Entry find(uint64_t key, Node child, Parents parents);
  void insert(uint64_t key, Entry entry);

  const LocalScore& score_;
  size_t byte_limit_;
  // Two generations: what is used moves to the young one; when that fills half the limit, the old one is dropped.
  Map young_, old_;
  size_t young_bytes_ = 0, old_bytes_ = 0;
  CacheCounts counts_;
};

// The key of (child, parents) in caches; the order of parents is irrelevant. Different families may share a key.
uint64_t family_key(Node child, Parents parents);

// The column computed without a cache.
GainColumn compute_column(const LocalScore& score, Node child, Parents parents);

}  // namespace agon
