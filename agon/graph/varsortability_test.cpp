#include "agon/graph/varsortability.h"

#include <gtest/gtest.h>

#include "agon/data/simulate.h"
#include "agon/graph/test_graphs.h"

namespace agon {
namespace {

TEST(Varsortability, WorkedExamples) {
  const std::vector<Edge> chain = {{0, 1}, {1, 2}};
  EXPECT_EQ(varsortability(3, chain, {1, 2, 3}), 1);
  EXPECT_EQ(varsortability(3, chain, {3, 2, 1}), 0);
  EXPECT_EQ(varsortability(3, chain, {1, 1, 1}), 0.5);
  EXPECT_DOUBLE_EQ(*varsortability(3, chain, {1, 3, 2}), 2.0 / 3);  // 0 -> 1 and 0 -> 1 -> 2 grow, 1 -> 2 does not
  // A pair joined by paths of two lengths counts for both.
  EXPECT_DOUBLE_EQ(*varsortability(3, {{0, 1}, {1, 2}, {0, 2}}, {1, 3, 2}), 3.0 / 4);
  EXPECT_FALSE(varsortability(3, {}, {1, 2, 3}).has_value());
  EXPECT_FALSE(varsortability(2, {{0, 1}, {1, 0}}, {1, 2}).has_value());
}

// Powers of the adjacency matrix, as the definition has it.
TEST(Varsortability, AgreesWithThePlainTwin) {
  Rng rng(1);
  for (int trial = 0; trial < 30; ++trial) {
    const int p = 7;
    const Dag dag = test::random_dag(p, 0.4, rng);
    if (dag.edge_count() == 0) continue;
    std::vector<double> variance(p);
    for (double& v : variance) v = 1 + rng.below(4);
    std::vector<std::vector<bool>> power(p, std::vector<bool>(p));
    for (const Edge& e : dag.edges()) power[e.from][e.to] = true;
    double paths = 0, grows = 0;
    for (int length = 1; length < p; ++length) {
      std::vector<std::vector<bool>> next(p, std::vector<bool>(p));
      for (int a = 0; a < p; ++a) {
        for (int b = 0; b < p; ++b) {
          if (!power[a][b]) continue;
          paths += 1;
          grows += variance[b] > variance[a] ? 1 : variance[b] == variance[a] ? 0.5 : 0;
          for (Node c : dag.children(b)) next[a][c] = true;
        }
      }
      power = next;
    }
    EXPECT_DOUBLE_EQ(*varsortability(p, dag.edges(), variance), grows / paths);
  }
}

TEST(Varsortability, IsHighInSimulatedDataAsItComes) {
  const auto parents = random_graph({.nodes = 20, .average_degree = 4}, Rng(1));
  const Simulated s = simulate_sem(parents, 500, {.weight_high = 2}, Rng(2));
  EXPECT_GT(*varsortability(20, dag_from_parents(s.parents).edges(), column_variances(s.data)), 0.85);
}

}  // namespace
}  // namespace agon
