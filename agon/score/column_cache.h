// agon/score/column_cache.h
//
// Columns of gains, cached by (node, parent set). A search returns to the same parent sets again and again; from the
// second time on, a column costs only a look-up.
//
//   ColumnCache cache(score, 256 << 20);                    // bytes
//   std::shared_ptr<const GainColumn> c = cache.column(5, parents);
//   c->addition[2];                                         // what 2 would gain as one more parent of 5
//
// The memory limit never changes an answer: a column that was dropped is computed again, to the same bits. A cache must
// not be used by several threads at once; give each thread its own.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "agon/base/stop.h"
#include "agon/score/local_score.h"

namespace agon {

// Everything a search asks about one node with its current parents. Where the score keeps columns short, `addition` is
// empty: ten thousand columns of ten thousand gains, of which few are positive, would fill the memory.
struct GainColumn {
  Node child = 0;
  std::vector<Node> parents;
  double score = 0;              // local(child, parents)
  std::vector<double> addition;  // by node; -infinity where the node may not be added. Empty: see DeltaTable::addition
  std::vector<double> removal;   // by position in `parents`
  std::vector<ParentGain> best;  // additions that gain, best first
  bool is_short() const { return addition.empty(); }
  size_t bytes() const;
};

struct CacheCounts {
  long columns = 0;  // columns computed
  long hits = 0;     // columns found in the cache
};

class ColumnCache {
 public:
  explicit ColumnCache(const LocalScore& score, size_t byte_limit = size_t{256} << 20);

  const LocalScore& score() const { return score_; }
  std::shared_ptr<const GainColumn> column(Node child, Parents parents);

  // Computes the columns of all nodes of `dag` that are not cached yet, on several threads. A stop request between two
  // columns throws Interrupted.
  void prefetch(const Dag& dag, int threads, const Watch& watch = {});

  const CacheCounts& counts() const { return counts_; }
  size_t bytes() const { return young_bytes_ + old_bytes_; }

 private:
  using Entry = std::shared_ptr<const GainColumn>;
  // A hash table with open addressing. The keys are hashes already. A lookup whose key clashes with another is a miss.
  class Map {
   public:
    Entry* find(uint64_t key);               // nullptr if there is none; an entry that was moved away is null
    bool insert(uint64_t key, Entry entry);  // false if the key was already there

   private:
    struct Slot {
      uint64_t key = 0;
      bool used = false;
      Entry entry;
    };
    Slot& slot(uint64_t key);  // the slot of the key, or the free one where it belongs
    std::vector<Slot> slots_;  // their number is a power of two; at most half are used
    size_t used_ = 0;
  };
  Entry find(uint64_t key, Node child, Parents parents);
  void insert(uint64_t key, Entry entry);

  const LocalScore& score_;
  size_t byte_limit_;
  // Two generations: an entry that is used moves to the young one. When the young one fills half the limit, the old one
  // is dropped.
  Map young_, old_;
  size_t young_bytes_ = 0, old_bytes_ = 0;
  CacheCounts counts_;
};

// The key of (child, parents) in caches. The order of the parents does not matter. Different families may share a key.
uint64_t family_key(Node child, Parents parents);

// The column computed without a cache.
GainColumn compute_column(const LocalScore& score, Node child, Parents parents);

}  // namespace agon
