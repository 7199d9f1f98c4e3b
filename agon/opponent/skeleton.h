// agon/opponent/skeleton.h
//
// Which columns are adjacent: the first half of PC and FCI. The search begins with all pairs adjacent. It removes a
// pair as soon as some set of neighbours of one of the two makes them independent; sets of size 0 are tried first, then
// 1, 2, ... .
//
//   Skeleton s = find_skeleton(*make_independence(data), {.alpha = 0.01});
//   s.adjacent(2, 5);
//   s.separation(2, 5)->set;             // what made them independent
//
// This is the *stable* search of Colombo & Maathuis 2014 (JMLR 15, algorithm 4.1): the neighbours are those at the
// beginning of each size, so the skeleton depends neither on the order of the columns nor on that of the threads. For a
// pair a < b, sets of neighbours of a are tried first, in lexicographic order, then those of b. The first set that
// separates them is kept.
//
// Knowledge: a pair whose edge is forbidden both ways is never adjacent; a pair whose edge is required always is. A set
// of neighbours of a omits those that may not cause a: the parents of a or those of b are enough to separate the pair.
// Memory: 6 bytes and two bits for each ordered pair of columns, beside what the test keeps; and the sets.
// If cut short, the pairs not yet separated stay adjacent; if cut short among the empty sets, only required pairs are.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agon/base/stop.h"
#include "agon/graph/knowledge.h"
#include "agon/graph/node_set.h"
#include "agon/opponent/independence.h"

namespace agon {

struct SkeletonOptions {
  double alpha = 0.01;  // in (0, 1); a p-value above it means independent
  int max_given = -1;   // most columns in a set; -1: no limit
  int threads = 1;      // the answer does not depend on it
};

struct Separation {
  std::vector<Node> set;  // sorted
  double p_value = 1;
};

class Skeleton {
 public:
  explicit Skeleton(int nodes)
      : neighbours_(nodes), p_value_(pairs(nodes), kNotSeparated), set_(pairs(nodes), kNothing) {}

  int size() const { return neighbours_.size(); }
  bool adjacent(Node a, Node b) const { return neighbours_.test(a, b); }
  NodeView neighbours(Node v) const { return neighbours_[v]; }
  int edge_count() const;
  // Absent for adjacent pairs and for those that knowledge alone keeps apart.
  std::optional<Separation> separation(Node a, Node b) const;

  void join(Node a, Node b);
  void separate(Node a, Node b, const std::optional<Separation>& by);

  long tests = 0;
  int largest_given = 0;   // number of columns in the largest sets tried
  std::string stopped_by;  // "all sets tried", "set limit", "time limit", "interrupted"

 private:
  static constexpr double kNotSeparated = -1;
  static constexpr uint32_t kNothing = UINT32_MAX;
  static size_t pairs(int nodes) {
    return static_cast<size_t>(nodes) * static_cast<size_t>(std::max(nodes - 1, 0)) / 2;
  }
  static size_t place(Node a, Node b) { return pairs(std::max(a, b)) + static_cast<size_t>(std::min(a, b)); }

  // Most pairs are separated by nothing. So a pair has 12 bytes, and the sets that are not empty stand in one list,
  // each after its size.
  BitRows neighbours_;
  std::vector<double> p_value_;
  std::vector<uint32_t> set_;  // where its set begins in sets_; kNothing: it is empty
  std::vector<Node> sets_;
};

Skeleton find_skeleton(const Independence& test, const SkeletonOptions& options, const Knowledge& knowledge = {},
                       const Watch& watch = {});

// Calls visit(subset) for the subsets of `from` of this size, in lexicographic order of places, until it returns false.
template <class Visit>
void for_each_subset(const std::vector<Node>& from, int size, Visit visit) {
  const int n = static_cast<int>(from.size());
  if (size > n) return;
  std::vector<int> at(size);
  std::vector<Node> subset(size);
  for (int k = 0; k < size; ++k) at[k] = k;
  while (true) {
    for (int k = 0; k < size; ++k) subset[k] = from[at[k]];
    if (!visit(static_cast<const std::vector<Node>&>(subset))) return;
    int k = size - 1;
    while (k >= 0 && at[k] == n - size + k) --k;
    if (k < 0) return;
    ++at[k];
    for (int j = k + 1; j < size; ++j) at[j] = at[j - 1] + 1;
  }
}

}  // namespace agon
