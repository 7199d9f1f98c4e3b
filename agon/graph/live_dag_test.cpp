#include "agon/graph/live_dag.h"

#include <gtest/gtest.h>

#include "agon/base/rng.h"

namespace agon {
namespace {

// Legality by definition: edit a copy and look for a cycle.
bool legal_by_definition(const Dag& dag, EdgeMove move) {
  if (move.from == move.to) return false;
  if (move.kind == MoveKind::kAdd ? dag.adjacent(move.from, move.to) : !dag.has_edge(move.from, move.to)) return false;
  Dag copy = dag;
  copy.apply(move);
  return is_acyclic(copy);
}

TEST(LiveDag, RandomPlayKeepsReachabilityOrderAndLegality) {
  for (int seed = 0; seed < 40; ++seed) {
    Rng rng(seed);
    const int p = 2 + rng.below(9);
    LiveDag live{Dag(p)};
    for (int step = 0; step < 60; ++step) {
      std::vector<EdgeMove> legal;
      for (Node from = 0; from < p; ++from) {
        for (Node to = 0; to < p; ++to) {
          for (MoveKind kind : {MoveKind::kAdd, MoveKind::kRemove, MoveKind::kReverse}) {
            const EdgeMove move{kind, from, to};
            ASSERT_EQ(live.is_legal(move), legal_by_definition(live.dag(), move));
            if (live.is_legal(move)) legal.push_back(move);
          }
        }
      }
      ASSERT_FALSE(legal.empty());
      const EdgeMove move = legal[rng.below(static_cast<int>(legal.size()))];
      const Dag before = live.dag();
      live.apply(move);
      ASSERT_TRUE(live.check_invariants());
      live.apply(inverse(move));
      ASSERT_EQ(live.dag(), before);
      ASSERT_TRUE(live.check_invariants());
      live.apply(move);
    }
  }
}

TEST(LiveDag, WorksAcrossWordBoundaries) {
  Rng rng(7);
  const int p = 150;
  LiveDag live{Dag(p)};
  for (int step = 0; step < 600; ++step) {
    const EdgeMove move{static_cast<MoveKind>(rng.below(3)), rng.below(p), rng.below(p)};
    if (live.is_legal(move)) live.apply(move);
  }
  EXPECT_GT(live.dag().edge_count(), 100);
  EXPECT_TRUE(live.check_invariants());
}

}  // namespace
}  // namespace agon
