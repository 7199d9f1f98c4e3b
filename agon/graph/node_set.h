// agon/graph/node_set.h
//
// Sets of nodes as bits. A node is the index of a variable: 0 .. p-1.
//
//   NodeSet s(p);  s.insert(3);
//   for (Node v : s) ...                     // ascending
//   if (s.intersects(dag.parents(5))) ...    // NodeSet and the rows of a BitRows mix freely through NodeView
//
// NodeView looks at bits owned elsewhere (a row of a BitRows, a NodeSet) and is passed by value, like a string_view.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

namespace agon {

using Node = int;

// Parents as the scores take them: sorted ascending, distinct, without the child.
using Parents = std::span<const Node>;

namespace detail {
constexpr int kWordBits = 64;
constexpr int word_count(int nodes) { return (nodes + kWordBits - 1) / kWordBits; }
constexpr uint64_t bit(Node v) { return uint64_t{1} << (v % kWordBits); }
}  // namespace detail

class NodeView {
 public:
  NodeView(const uint64_t* words, int word_count) : words_(words), word_count_(word_count) {}

  bool contains(Node v) const { return words_[v / detail::kWordBits] & detail::bit(v); }
  int word_count() const { return word_count_; }
  uint64_t word(int k) const { return words_[k]; }
  int count() const {
    int total = 0;
    for (int k = 0; k < word_count_; ++k) total += std::popcount(words_[k]);
    return total;
  }
  bool empty() const {
    for (int k = 0; k < word_count_; ++k) {
      if (words_[k]) return false;
    }
    return true;
  }
  bool intersects(NodeView other) const {
    for (int k = 0; k < word_count_; ++k) {
      if (words_[k] & other.words_[k]) return true;
    }
    return false;
  }
  bool is_subset_of(NodeView other) const {
    for (int k = 0; k < word_count_; ++k) {
      if (words_[k] & ~other.words_[k]) return false;
    }
    return true;
  }
  bool operator==(NodeView other) const {
    for (int k = 0; k < word_count_; ++k) {
      if (words_[k] != other.words_[k]) return false;
    }
    return true;
  }

  // Members in ascending order.
  class Iterator {
   public:
    Iterator(const uint64_t* words, int count, int k) : words_(words), count_(count), k_(k) {
      if (k_ < count_) {
        rest_ = words_[k_];
        settle();
      }
    }
    Node operator*() const { return k_ * detail::kWordBits + std::countr_zero(rest_); }
    Iterator& operator++() {
      rest_ &= rest_ - 1;
      settle();
      return *this;
    }
    bool operator!=(const Iterator& other) const { return k_ != other.k_ || rest_ != other.rest_; }

   private:
    void settle() {
      while (rest_ == 0 && ++k_ < count_) rest_ = words_[k_];
    }
    const uint64_t* words_;
    int count_;
    int k_;
    uint64_t rest_ = 0;
  };
  Iterator begin() const { return {words_, word_count_, 0}; }
  Iterator end() const { return {words_, word_count_, word_count_}; }

  std::vector<Node> to_vector() const {
    std::vector<Node> nodes;
    for (Node v : *this) nodes.push_back(v);
    return nodes;
  }

 private:
  const uint64_t* words_;
  int word_count_;
};

// p rows of p bits: the adjacency of a graph, or its reachability.
class BitRows {
 public:
  BitRows() = default;
  explicit BitRows(int nodes)
      : nodes_(nodes), word_count_(detail::word_count(nodes)), words_(static_cast<size_t>(nodes) * word_count_) {}

  int size() const { return nodes_; }
  int word_count() const { return word_count_; }
  NodeView operator[](Node row) const { return {words(row), word_count_}; }
  bool test(Node row, Node v) const { return words(row)[v / detail::kWordBits] & detail::bit(v); }
  void set(Node row, Node v) { words(row)[v / detail::kWordBits] |= detail::bit(v); }
  void reset(Node row, Node v) { words(row)[v / detail::kWordBits] &= ~detail::bit(v); }
  void clear_row(Node row) {
    for (int k = 0; k < word_count_; ++k) words(row)[k] = 0;
  }
  void merge_row(Node row, NodeView other) {
    for (int k = 0; k < word_count_; ++k) words(row)[k] |= other.word(k);
  }
  uint64_t* words(Node row) { return words_.data() + static_cast<size_t>(row) * word_count_; }
  const uint64_t* words(Node row) const { return words_.data() + static_cast<size_t>(row) * word_count_; }
  bool operator==(const BitRows&) const = default;

 private:
  int nodes_ = 0;
  int word_count_ = 0;
  std::vector<uint64_t> words_;
};

class NodeSet {
 public:
  NodeSet() = default;
  explicit NodeSet(int nodes) : words_(detail::word_count(nodes)) {}
  NodeSet(NodeView view) {
    for (int k = 0; k < view.word_count(); ++k) words_.push_back(view.word(k));
  }

  operator NodeView() const { return view(); }
  NodeView view() const { return {words_.data(), static_cast<int>(words_.size())}; }
  bool contains(Node v) const { return view().contains(v); }
  int count() const { return view().count(); }
  bool empty() const { return view().empty(); }
  bool intersects(NodeView other) const { return view().intersects(other); }
  bool is_subset_of(NodeView other) const { return view().is_subset_of(other); }
  NodeView::Iterator begin() const { return view().begin(); }
  NodeView::Iterator end() const { return view().end(); }
  std::vector<Node> to_vector() const { return view().to_vector(); }

  void insert(Node v) { words_[v / detail::kWordBits] |= detail::bit(v); }
  void erase(Node v) { words_[v / detail::kWordBits] &= ~detail::bit(v); }
  void clear() { words_.assign(words_.size(), 0); }
  NodeSet& operator|=(NodeView other) {
    for (size_t k = 0; k < words_.size(); ++k) words_[k] |= other.word(static_cast<int>(k));
    return *this;
  }
  NodeSet& operator&=(NodeView other) {
    for (size_t k = 0; k < words_.size(); ++k) words_[k] &= other.word(static_cast<int>(k));
    return *this;
  }
  NodeSet& operator-=(NodeView other) {
    for (size_t k = 0; k < words_.size(); ++k) words_[k] &= ~other.word(static_cast<int>(k));
    return *this;
  }
  bool operator==(const NodeSet&) const = default;

 private:
  std::vector<uint64_t> words_;
};

}  // namespace agon
