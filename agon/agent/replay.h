// agon/agent/replay.h
//
// The replay memory: past transitions to learn from, in a ring that forgets the oldest (Lin 1992; Mnih et al. 2015).
//
//   using Transition = MoveOutputs<float>::Transition;          // or any other type that can be copied
//   Replay<Transition> replay(200000);
//   std::vector<const Transition*> batch;
//   replay.add(transition);
//   if (replay.size() >= 512) replay.sample(512, rng, batch);   // uniform, with replacement
#pragma once

#include <cassert>
#include <utility>
#include <vector>

#include "agon/base/archive.h"
#include "agon/base/rng.h"

namespace agon {

template <class T>
class Replay {
 public:
  explicit Replay(int capacity) : capacity_(capacity) { assert(capacity >= 1); }

  int size() const { return static_cast<int>(items_.size()); }
  int capacity() const { return capacity_; }
  const T& operator[](int k) const { return items_[k]; }  // in no meaningful order

  void add(T item) { slot() = std::move(item); }
  // The slot of the next item, for the caller to overwrite; it may still hold the oldest item.
  T& slot() {
    if (size() < capacity_) return items_.emplace_back();
    T& oldest = items_[next_];
    next_ = (next_ + 1) % capacity_;
    return oldest;
  }

  // `count` items, each uniform over those kept. The pointers are valid until the next add() or slot().
  void sample(int count, Rng& rng, std::vector<const T*>& batch) const {
    assert(size() > 0);
    batch.clear();
    for (int k = 0; k < count; ++k) batch.push_back(&items_[rng.below(size())]);
  }

  void exchange_state(Archive& archive) {
    archive(next_);
    archive(items_);
    Archive::demand(size() <= capacity_ && next_ >= 0 && next_ < capacity_);
  }

 private:
  int capacity_;
  int next_ = 0;  // the oldest, once the ring is full
  std::vector<T> items_;
};

}  // namespace agon
