// agon/opponent/boss_trees.h
//
// Grow-shrink parent sets, kept as trees: one tree per variable, and in it one node per parent set that greedy growing
// can pass through. The branches of a node are sorted best first. So the next parent under any order of the variables
// is the first branch whose variable comes earlier in the order, and following it costs one pointer, not one column of
// scores.
//
//   ParentTrees trees(score, {}, 96 << 20, true);
//   TreeIndex at = trees.root(5);
//   trees.branches(at)[0].node;              // what would help 5 most
//   at = trees.grown(at, 0);                 // the node with that parent added
//   trees.outcome(at);                       // local score after shrinking what was grown
//   trees.pairs(at)                          // two at a time, for when no single branch can be taken
//
// This is the grow-shrink tree of Andrews et al. 2023, section 3.2, with three departures: a parent set reached along
// two branches is computed once (the branches meet); only additions that gain are kept, 8 bytes each; and where no
// single branch is left, growing looks for two that gain together (LocalScore::pair_additions). Two causes that
// nearly cancel each other are invisible to steps of one: without pairs, one dense Gaussian graph in ten or twenty
// scores below the truth whatever the order.
//
// clear() frees everything and invalidates every TreeIndex. What is computed again has the same bits. Not thread-safe:
// give each thread its own. Scouts (boss_scout.h) may look at the trees from many threads while nobody changes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "agon/graph/node_set.h"
#include "agon/score/column_cache.h"
#include "agon/score/local_score.h"

namespace agon {

// What background knowledge means to a search over orders.
struct OrderRules {
  std::vector<std::vector<Node>> required;  // by child: its required parents, ascending; empty: no required edges
  BitRows forbidden;                        // [from][to]; size 0: none
  std::vector<int> tier;  // by node, -1: in no tier; empty: no tiers. A hint for random orders: `forbidden` is binding

  Parents required_parents(Node child) const { return required.empty() ? Parents() : Parents(required[child]); }
  bool may_be_parent(Node from, Node to) const { return forbidden.size() == 0 || !forbidden.test(from, to); }
};

using TreeIndex = uint32_t;

class ParentTrees {
 public:
  struct Branch {
    Node node;        // the parent it adds
    TreeIndex grown;  // where adding it leads; 0 until first asked for
  };
  struct PairBranch {
    Node first, second;
    TreeIndex grown;
  };

  // What a scout computed for one parent set: its column of gains, or its pairs.
  struct Column {
    Node child;
    std::vector<Node> parents;
    double score = 0;
    std::optional<std::vector<ParentGain>> gains = std::nullopt;
    std::optional<std::vector<PairGain>> pairs = std::nullopt;
  };

  ParentTrees(const LocalScore& score, const OrderRules& rules, size_t byte_limit, bool with_pairs);

  double tolerance() const { return tolerance_; }
  TreeIndex root(Node child) {
    if (roots_[child] == 0) plant(child);
    return roots_[child];
  }
  std::span<const Branch> branches(TreeIndex at) const { return {nodes_[at].branches, nodes_[at].branch_count}; }
  std::span<const PairBranch> pairs(TreeIndex at) {
    if (!nodes_[at].paired) find_pairs(at);
    return {nodes_[at].pairs, nodes_[at].pair_count};
  }
  // The node after branch k, or, if k >= branches(at).size(), after pair k - branches(at).size().
  TreeIndex grown(TreeIndex at, int k) {
    const TreeNode& node = nodes_[at];
    const uint32_t i = static_cast<uint32_t>(k);
    const TreeIndex next = i < node.branch_count ? node.branches[i].grown : node.pairs[i - node.branch_count].grown;
    return next != 0 ? next : grow(at, i);
  }
  double outcome(TreeIndex at) {
    if (!nodes_[at].shrunk) shrink(at);
    return nodes_[at].outcome;
  }
  std::vector<Node> grown_parents(TreeIndex at) const;    // ascending
  std::vector<Node> outcome_parents(TreeIndex at) const;  // after shrinking, ascending

  size_t bytes() const;  // without what is expected
  bool over_limit() const { return bytes() > byte_limit_; }
  void clear();
  const CacheCounts& counts() const { return counts_; }

  // From here on, these columns need not be computed; until the next call, which forgets those that nobody asked for.
  void expect(std::vector<Column> columns);

  // What scouts ask. find() is 0 where there is no node.
  TreeIndex find(uint64_t key, Node child, Parents parents) const { return *slot(key, child, parents); }
  bool has_pairs(TreeIndex at) const { return nodes_[at].paired; }
  std::span<const PairBranch> known_pairs(TreeIndex at) const { return {nodes_[at].pairs, nodes_[at].pair_count}; }
  bool with_pairs() const { return with_pairs_; }
  const OrderRules& rules() const { return rules_; }
  // The additions, and the pairs, that gain and are allowed; gains_at() returns the score of the parent set.
  double gains_at(Node child, Parents parents, std::vector<ParentGain>& gains) const;
  void pairs_at(Node child, Parents parents, std::vector<PairGain>& pairs) const;

 private:
  struct TreeNode {
    uint64_t key;       // family_key of (child, parents)
    double outcome;     // until shrunk: the score as grown
    Branch* branches;   // in the arena
    PairBranch* pairs;  // in the arena
    uint32_t branch_count;
    uint32_t pair_count;
    TreeIndex up;  // 0 for a root
    Node added;
    Node added_too;  // the second of a pair, else -1
    Node child;
    bool shrunk;
    bool paired;  // pairs have been looked for
  };

  void plant(Node child);
  TreeIndex grow(TreeIndex at, uint32_t k);
  void find_pairs(TreeIndex at);
  TreeIndex make(Node child, Parents parents, uint64_t key, TreeIndex up, Node added, Node added_too);
  void shrink(TreeIndex at);
  void shrink_parents(Node child, std::vector<Node>& parents, double& score) const;
  const TreeIndex* slot(uint64_t key, Node child, Parents parents) const;
  void enter(uint64_t key, Node child, Parents parents, TreeIndex at);
  Column* expected(uint64_t key, Node child, Parents parents, bool pairs);
  template <class T>
  T* keep(size_t count);

  const LocalScore& score_;
  const OrderRules& rules_;
  double tolerance_;
  size_t byte_limit_;
  bool with_pairs_;
  std::vector<TreeNode> nodes_;  // nodes_[0] is unused: index 0 means none
  std::vector<TreeIndex> roots_;
  std::vector<TreeIndex> table_;  // open addressing by key; the size is a power of two; 0 is empty
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  size_t block_used_ = 0, block_size_ = 0, block_bytes_ = 0;
  std::vector<ParentGain> scratch_;
  std::vector<PairGain> pair_scratch_;
  std::unordered_multimap<uint64_t, Column> expected_;  // looked up, never iterated
  mutable std::vector<double> removal_;
  CacheCounts counts_;
};

}  // namespace agon
