// agon/opponent/boss_walks.h
//
// How growing walks down a tree of parent sets (boss_trees.h) under a prefix of an order. The walks are templates over
// what holds the tree, because two of them walk it: the search (ParentTrees), and scouts, which compute ahead of it on
// other threads (boss_scout.h).
//
// enters(v) is the position at which v enters a prefix: the prefix that ends at `place` holds the variables that enter
// before it. kNowhere is after every place.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "agon/opponent/boss_trees.h"

namespace agon::boss_walks {

inline constexpr int kNowhere = std::numeric_limits<int>::max() / 2;  // halved, so that adding 1 is safe

// Is this choice the one that no branch and no pair can be taken?
template <class Trees>
bool is_last(Trees& trees, TreeIndex at, int choice) {
  const size_t singles = trees.branches(at).size(), k = static_cast<size_t>(choice);
  return k >= singles && k == singles + trees.pairs(at).size();
}

// The first branch, else the first pair, that is in the prefix ending at `place`, from index `from` on. Pairs are
// searched for only where no single branch can be taken: the search is expensive (quadratic in p), and most nodes never
// need it.
template <class Trees, class Enters>
int choose(Trees& trees, TreeIndex at, int from, int place, const Enters& enters) {
  const auto branches = trees.branches(at);
  const int singles = static_cast<int>(branches.size());
  int k = from;
  while (k < singles && enters(branches[k].node) >= place) ++k;
  if (k < singles) return k;
  const auto pairs = trees.pairs(at);
  const int all = singles + static_cast<int>(pairs.size());
  for (; k < all; ++k) {
    const auto& pair = pairs[k - singles];
    if (std::max(enters(pair.first), enters(pair.second)) < place) break;
  }
  return k;
}

// Where growing ends that begins at node `at`, whose branches are examined from index `from` on.
template <class Trees, class Enters>
TreeIndex walk(Trees& trees, TreeIndex at, int from, int place, const Enters& enters) {
  for (int k = choose(trees, at, from, place, enters);; k = choose(trees, at, 0, place, enters)) {
    if (is_last(trees, at, k)) return at;
    at = trees.grown(at, k);
  }
}

struct ClimbScratch {
  std::vector<TreeIndex> at;  // the path
  std::vector<int> next;      // by level: the position of the first variable passed over that will enter the prefix
};

// Calls visit(place, node) where growing ends under the empty prefix, and wherever it ends elsewhere as the prefix
// grows to everything. go_on() is asked between two visits; false when it said no.
//
// Under a longer prefix, the path differs only from the first level at which a variable that was passed over has
// entered. `next` holds for each level the first time that happens. The smallest of them is the next event: everything
// above its level is kept, and everything below is walked again. Between two events nothing changes, however many
// places there are between them.
template <class Trees, class Enters, class Visit, class GoOn>
bool climb(Trees& trees, TreeIndex root, ClimbScratch& scratch, const Enters& enters, Visit visit, GoOn go_on) {
  scratch.at.assign(1, root);
  scratch.next.clear();
  for (int place = 0;;) {
    // Finish the path below the last level that is set. `next` is known for all levels but that one.
    for (;;) {
      const TreeIndex at = scratch.at.back();
      const auto branches = trees.branches(at);
      const int singles = static_cast<int>(branches.size());
      int first = kNowhere, k = 0;
      // A variable that enters the prefix at position `entry` is passed over as long as the prefix ends before it.
      const auto passes = [&](int entry) {
        if (entry < place) return false;
        first = std::min(first, entry);
        return true;
      };
      while (k < singles && passes(enters(branches[k].node))) ++k;
      if (k == singles) {
        const auto pairs = trees.pairs(at);
        const int all = singles + static_cast<int>(pairs.size());
        while (k < all && passes(std::max(enters(pairs[k - singles].first), enters(pairs[k - singles].second)))) ++k;
      }
      scratch.next.push_back(first);
      if (is_last(trees, at, k)) break;
      scratch.at.push_back(trees.grown(at, k));
    }
    visit(place, scratch.at.back());
    const auto event = std::min_element(scratch.next.begin(), scratch.next.end());  // of equal ones, the highest level
    if (*event >= kNowhere) return true;
    if (!go_on()) return false;
    place = *event + 1;
    const auto depth = event - scratch.next.begin();
    scratch.at.resize(static_cast<size_t>(depth) + 1);
    scratch.next.resize(static_cast<size_t>(depth));
  }
}

}  // namespace agon::boss_walks
