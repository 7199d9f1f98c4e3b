#include "agon/posterior/consensus.h"

#include <gtest/gtest.h>

#include "agon/base/rng.h"
#include "agon/graph/test_graphs.h"
#include "agon/posterior/posterior.h"
#include "agon/posterior/test_posteriors.h"

namespace agon {
namespace {

TEST(Consensus, TakesWhatIsMoreProbableThanNothing) {
  const Dag dag = consensus(3, {0, 0.9, 0, 0.1, 0, 0.3, 0, 0.3, 0}, 2);
  EXPECT_EQ(dag.edge_count(), 1);
  EXPECT_TRUE(dag.has_edge(0, 1));
}

// 0 -> 1 -> 2 -> 0 would be a cycle: the least certain arrow gives way, and points the other way if that is better
// than nothing.
TEST(Consensus, BreaksCyclesAtTheLeastCertainArrow) {
  const Dag without = consensus(3, {0, 0.9, 0.1, 0, 0, 0.8, 0.7, 0, 0}, 2);
  EXPECT_EQ(without.edge_count(), 2);
  EXPECT_FALSE(without.adjacent(0, 2));
  const Dag turned = consensus(3, {0, 0.9, 0.4, 0, 0, 0.8, 0.6, 0, 0}, 2);
  EXPECT_EQ(turned.edge_count(), 3);
  EXPECT_TRUE(turned.has_edge(0, 2));
  EXPECT_EQ(consensus(3, {0, 0.9, 0.4, 0, 0, 0.8, 0.6, 0, 0}, 1).edge_count(), 2);  // 2 has one parent already
}

// How many mistakes less than the empty graph: an arrow that is there counts 1, one between nodes that are not adjacent
// -1, and one the other way round 0.
double expected_gain(const Dag& dag, const std::vector<double>& arrow) {
  const auto p = static_cast<size_t>(dag.size());
  double sum = 0;
  for (const Edge& edge : dag.edges()) {
    const auto from = static_cast<size_t>(edge.from), to = static_cast<size_t>(edge.to);
    sum += 2 * arrow[from * p + to] + arrow[to * p + from] - 1;
  }
  return sum;
}

// Against all DAGs of four nodes. Taking the best arrow first is not always best, but never far from it here.
TEST(Consensus, IsNearlyTheBestOfAllDags) {
  int best = 0;
  constexpr int kTrials = 60;
  for (uint64_t seed = 0; seed < kTrials; ++seed) {
    const test::RandomScore score(4, 2, seed);
    const Posterior posterior = edge_posterior(score, {}, {Dag(4)}, {}, Rng(0));
    const Dag found = consensus(4, posterior.arrow, 3);
    double most = 0;
    for (const Dag& dag : test::all_dags(4)) most = std::max(most, expected_gain(dag, posterior.arrow));
    const double gain = expected_gain(found, posterior.arrow);
    EXPECT_GE(gain, 0.9 * most) << seed;
    best += gain > most - 1e-12;
    for (const Edge& edge : found.edges()) EXPECT_GT(posterior.pair(edge.from, edge.to).edge, 0.5);
    EXPECT_TRUE(is_acyclic(found));
  }
  EXPECT_GT(best, kTrials * 9 / 10);
}

}  // namespace
}  // namespace agon
