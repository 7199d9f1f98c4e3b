// agon/certificate/node_bits.h
//
// A set of at most 128 nodes in two words, for the hundreds of thousands of parent sets of a proof.
//
//   NodeBits s;
//   s.insert(70);
//   s.contains(70), s.count();                  // true, 1
//   for (Node v : s.to_vector()) ...            // ascending
#pragma once

#include <bit>
#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "agon/graph/node_set.h"

namespace agon {

// Bits that are set. std::popcount is a slow call of libgcc where a processor may lack the instruction.
constexpr int count_bits(uint64_t word) {
  word -= (word >> 1) & 0x5555555555555555;                                 // in pairs
  word = (word & 0x3333333333333333) + ((word >> 2) & 0x3333333333333333);  // in fours
  word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0F;                         // in bytes
  return static_cast<int>((word * 0x0101010101010101) >> 56);
}

struct NodeBits {
  static constexpr int kMost = 128;
  uint64_t low = 0, high = 0;

  bool contains(Node v) const { return ((v < 64 ? low >> v : high >> (v - 64)) & 1) != 0; }
  void insert(Node v) { (v < 64 ? low : high) |= uint64_t{1} << (v & 63); }
  void erase(Node v) { (v < 64 ? low : high) &= ~(uint64_t{1} << (v & 63)); }
  int count() const { return count_bits(low) + count_bits(high); }
  bool empty() const { return (low | high) == 0; }
  bool is_subset_of(NodeBits other) const { return (low & ~other.low) == 0 && (high & ~other.high) == 0; }
  bool intersects(NodeBits other) const { return ((low & other.low) | (high & other.high)) != 0; }
  NodeBits without(Node v) const {
    NodeBits out = *this;
    out.erase(v);
    return out;
  }
  Node first() const {
    return low != 0 ? std::countr_zero(low) : 64 + std::countr_zero(high);
  }  // of a set with members
  std::vector<Node> to_vector() const {
    std::vector<Node> out;
    for (NodeBits rest = *this; !rest.empty(); rest.erase(out.back())) out.push_back(rest.first());
    return out;
  }
  auto operator<=>(const NodeBits&) const = default;
};

inline NodeBits operator&(NodeBits a, NodeBits b) { return {a.low & b.low, a.high & b.high}; }
inline NodeBits operator|(NodeBits a, NodeBits b) { return {a.low | b.low, a.high | b.high}; }
inline NodeBits operator-(NodeBits a, NodeBits b) { return {a.low & ~b.low, a.high & ~b.high}; }

inline NodeBits bits_of(std::span<const Node> nodes) {
  NodeBits out;
  for (const Node v : nodes) out.insert(v);
  return out;
}

}  // namespace agon
