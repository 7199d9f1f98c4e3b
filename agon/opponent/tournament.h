// agon/opponent/tournament.h
//
// The largest of many numbers of which one changes at a time, as in a knockout tournament: every inner node of a tree
// holds the larger of the two below it.
//
//   Tournament t(1000);               // all -infinity
//   t.set(7, 2.5);
//   t.most();                         // 2.5
//   t.first(2.5, 0);                  // 7, the smallest index from 0 on with a number of 2.5 or more
#pragma once

#include <algorithm>
#include <bit>
#include <limits>
#include <vector>

namespace agon {

class Tournament {
 public:
  explicit Tournament(int size)
      : size_(size),
        leaves_(static_cast<int>(std::bit_ceil(static_cast<unsigned>(std::max(1, size))))),
        most_(2 * static_cast<size_t>(leaves_), -std::numeric_limits<double>::infinity()) {}

  int size() const { return size_; }
  double operator[](int k) const { return most_[leaves_ + k]; }
  double most() const { return most_[1]; }

  void set(int k, double value) {
    int at = leaves_ + k;
    most_[at] = value;
    while (at > 1) {
      at /= 2;
      const double larger = std::max(most_[2 * at], most_[2 * at + 1]);
      if (most_[at] == larger) return;
      most_[at] = larger;
    }
  }

  // The smallest index >= `from` with a number >= `bar`; size() if there is none. The bar is not -infinity.
  int first(double bar, int from) const {
    if (from >= size_) return size_;
    int at = leaves_ + from;
    while (!(most_[at] >= bar)) {  // up to the next subtree on the right that may hold one
      while (at & 1) at /= 2;
      if (at == 0) return size_;
      ++at;
    }
    while (at < leaves_) at = most_[2 * at] >= bar ? 2 * at : 2 * at + 1;
    return at - leaves_;
  }

 private:
  int size_, leaves_;
  std::vector<double> most_;  // [1] is the root, the children of [k] are [2k] and [2k + 1]
};

}  // namespace agon
