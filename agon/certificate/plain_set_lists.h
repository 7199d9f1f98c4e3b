// agon/certificate/plain_set_lists.h
//
// The lists of plain_families.h for scores that are differences of a function of sets (plain_set_scores.h). A set is
// looked at once for all nodes: it is the parents of those outside it, and a family of those within.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "agon/certificate/plain_families.h"
#include "agon/certificate/plain_set_scores.h"

namespace agon {

constexpr int64_t kNoBound = INT64_MIN / 4;  // of a family without a score

// What the knowledge says about each node, over the nodes that vary.
struct AllowedParents {
  std::vector<Node> active;        // nodes that may have edges
  std::vector<NodeBits> required;  // by node, its parents
  std::vector<NodeBits> children;  // by node, those that may have it as a parent

  AllowedParents(const plain::FamilyScorer& scorer, const Knowledge& knowledge)
      : required(scorer.size()), children(scorer.size()) {
    for (Node v = 0; v < scorer.size(); ++v) {
      if (!scorer.is_constant(v)) active.push_back(v);
    }
    for (const Node from : active) {
      for (const Node to : active) {
        if (from == to) continue;
        if (!knowledge.is_forbidden({from, to})) children[from].insert(to);
        if (knowledge.is_required({from, to})) required[to].insert(from);
      }
    }
  }
};

// Nothing if a stop was requested.
std::optional<FamilyLists> list_by_set(const plain::SetScores& scores, const AllowedParents& allowed,
                                       const FamilyOptions& options, int nodes, const Watch& watch);

}  // namespace agon
