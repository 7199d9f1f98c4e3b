#include "agon/opponent/boss_trees.h"

#include <algorithm>

#include "agon/base/hash.h"

namespace agon {
namespace {

constexpr size_t kBlockBytes = size_t{1} << 19;
constexpr size_t kFirstTable = size_t{1} << 12;

}  // namespace

ParentTrees::ParentTrees(const LocalScore& score, const OrderRules& rules, size_t byte_limit, bool with_pairs)
    : score_(score), rules_(rules), tolerance_(tie_tolerance(score)), byte_limit_(byte_limit), with_pairs_(with_pairs) {
  clear();
}

void ParentTrees::clear() {
  nodes_ = std::vector<TreeNode>(1);
  roots_.assign(score_.size(), 0);
  table_ = std::vector<TreeIndex>(kFirstTable);
  blocks_.clear();
  block_used_ = block_size_ = block_bytes_ = 0;
}

size_t ParentTrees::bytes() const {
  return nodes_.capacity() * sizeof(TreeNode) + table_.size() * sizeof(TreeIndex) + block_bytes_;
}

template <class T>
T* ParentTrees::keep(size_t count) {
  static_assert(alignof(T) == 4 && sizeof(T) % 4 == 0);
  if (count == 0) return nullptr;
  const size_t size = count * sizeof(T);
  if (block_used_ + size > block_size_) {
    block_size_ = std::max(kBlockBytes, size);
    block_used_ = 0;
    blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(block_size_));
    block_bytes_ += block_size_;
  }
  std::byte* place = blocks_.back().get() + block_used_;
  block_used_ += size;
  return reinterpret_cast<T*>(place);
}

std::vector<Node> ParentTrees::grown_parents(TreeIndex at) const {
  const Parents required = rules_.required_parents(nodes_[at].child);
  std::vector<Node> parents(required.begin(), required.end());
  for (; nodes_[at].up != 0; at = nodes_[at].up) {
    parents.push_back(nodes_[at].added);
    if (nodes_[at].added_too >= 0) parents.push_back(nodes_[at].added_too);
  }
  std::sort(parents.begin(), parents.end());
  return parents;
}

// The place of (child, parents) in the table, or the empty place where it belongs.
const TreeIndex* ParentTrees::slot(uint64_t key, Node child, Parents parents) const {
  const size_t mask = table_.size() - 1;
  for (size_t i = mix64(key) & mask;; i = (i + 1) & mask) {
    const TreeIndex at = table_[i];
    if (at == 0) return &table_[i];
    if (nodes_[at].key == key && nodes_[at].child == child && std::ranges::equal(grown_parents(at), parents)) {
      return &table_[i];
    }
  }
}

void ParentTrees::enter(uint64_t key, Node child, Parents parents, TreeIndex at) {
  table_[static_cast<size_t>(slot(key, child, parents) - table_.data())] = at;
}

double ParentTrees::gains_at(Node child, Parents parents, std::vector<ParentGain>& gains) const {
  const double score = score_.positive_additions(child, parents, gains);
  std::erase_if(gains,
                [&](const ParentGain& c) { return c.gain <= tolerance_ || !rules_.may_be_parent(c.node, child); });
  return score;
}

void ParentTrees::pairs_at(Node child, Parents parents, std::vector<PairGain>& pairs) const {
  score_.pair_additions(child, parents, pairs);
  std::erase_if(pairs, [&](const PairGain& c) {
    return c.gain <= tolerance_ || !rules_.may_be_parent(c.first, child) || !rules_.may_be_parent(c.second, child);
  });
}

void ParentTrees::expect(std::vector<Column> columns) {
  expected_.clear();
  for (Column& column : columns) expected_.emplace(family_key(column.child, column.parents), std::move(column));
}

ParentTrees::Column* ParentTrees::expected(uint64_t key, Node child, Parents parents, bool pairs) {
  const auto [first, last] = expected_.equal_range(key);
  for (auto it = first; it != last; ++it) {
    Column& column = it->second;
    if (column.child == child && column.pairs.has_value() == pairs && std::ranges::equal(column.parents, parents)) {
      return &column;
    }
  }
  return nullptr;
}

TreeIndex ParentTrees::make(Node child, Parents parents, uint64_t key, TreeIndex up, Node added, Node added_too) {
  ++counts_.columns;
  double now = 0;
  if (Column* column = expected(key, child, parents, false)) {
    now = column->score;
    scratch_ = *column->gains;
  } else {
    now = gains_at(child, parents, scratch_);
  }
  Branch* branches = keep<Branch>(scratch_.size());
  for (size_t k = 0; k < scratch_.size(); ++k) branches[k] = {scratch_[k].node, 0};
  nodes_.push_back({.key = key,
                    .outcome = now,
                    .branches = branches,
                    .pairs = nullptr,
                    .branch_count = static_cast<uint32_t>(scratch_.size()),
                    .pair_count = 0,
                    .up = up,
                    .added = added,
                    .added_too = added_too,
                    .child = child,
                    .shrunk = false,
                    .paired = !with_pairs_});
  if (nodes_.size() * 2 > table_.size()) {
    table_.assign(table_.size() * 2, 0);
    const size_t mask = table_.size() - 1;
    for (TreeIndex at = 1; at + 1 < nodes_.size(); ++at) {
      size_t i = mix64(nodes_[at].key) & mask;
      while (table_[i] != 0) i = (i + 1) & mask;
      table_[i] = at;
    }
  }
  return static_cast<TreeIndex>(nodes_.size() - 1);
}

void ParentTrees::plant(Node child) {
  const Parents required = rules_.required_parents(child);
  const uint64_t key = family_key(child, required);
  const TreeIndex made = make(child, required, key, 0, -1, -1);
  enter(key, child, required, made);
  roots_[child] = made;
}

TreeIndex ParentTrees::grow(TreeIndex at, uint32_t k) {
  const TreeNode& node = nodes_[at];
  const Node child = node.child;
  const bool is_pair = k >= node.branch_count;
  PairBranch* pair = is_pair ? &node.pairs[k - node.branch_count] : nullptr;
  const Node added = is_pair ? pair->first : node.branches[k].node;
  const Node added_too = is_pair ? pair->second : -1;
  TreeIndex* link = is_pair ? &pair->grown : &node.branches[k].grown;  // in the arena, so its address does not change
  std::vector<Node> parents = grown_parents(at);
  parents.push_back(added);
  if (is_pair) parents.push_back(added_too);
  std::sort(parents.begin(), parents.end());
  const uint64_t key = family_key(child, parents);
  TreeIndex found = *slot(key, child, parents);
  if (found == 0) {
    found = make(child, parents, key, at, added, added_too);
    enter(key, child, parents, found);
  } else {
    ++counts_.hits;
  }
  *link = found;
  return found;
}

void ParentTrees::find_pairs(TreeIndex at) {
  const Node child = nodes_[at].child;
  const std::vector<Node> parents = grown_parents(at);
  if (Column* column = expected(nodes_[at].key, child, parents, true)) {
    pair_scratch_ = *column->pairs;
  } else {
    pairs_at(child, parents, pair_scratch_);
  }
  PairBranch* pairs = keep<PairBranch>(pair_scratch_.size());
  for (size_t k = 0; k < pair_scratch_.size(); ++k) pairs[k] = {pair_scratch_[k].first, pair_scratch_[k].second, 0};
  nodes_[at].pairs = pairs;
  nodes_[at].pair_count = static_cast<uint32_t>(pair_scratch_.size());
  nodes_[at].paired = true;
}

void ParentTrees::shrink_parents(Node child, std::vector<Node>& parents, double& score) const {
  const Parents required = rules_.required_parents(child);
  while (parents.size() > required.size()) {
    removal_.resize(parents.size());
    score_.removal_gains(child, parents, removal_);
    int best = -1;
    for (size_t k = 0; k < parents.size(); ++k) {
      if (removal_[k] > (best < 0 ? tolerance_ : removal_[best]) &&
          !std::binary_search(required.begin(), required.end(), parents[k])) {
        best = static_cast<int>(k);
      }
    }
    if (best < 0) return;
    score += removal_[best];
    parents.erase(parents.begin() + best);
  }
}

void ParentTrees::shrink(TreeIndex at) {
  TreeNode& node = nodes_[at];
  node.shrunk = true;
  // Parents that came in one step gained when they came; there is nothing to take back.
  if (node.up == 0 || nodes_[node.up].up == 0) return;
  std::vector<Node> parents = grown_parents(at);
  shrink_parents(node.child, parents, node.outcome);
}

std::vector<Node> ParentTrees::outcome_parents(TreeIndex at) const {
  std::vector<Node> parents = grown_parents(at);
  double score = 0;
  if (nodes_[at].up != 0 && nodes_[nodes_[at].up].up != 0) shrink_parents(nodes_[at].child, parents, score);
  return parents;
}

}  // namespace agon
