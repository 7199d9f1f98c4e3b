#include "agon/graph/dag.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "agon/base/rng.h"
#include "agon/graph/test_graphs.h"

namespace agon {
namespace {

TEST(Dag, ShowsTheEdgesItWasGiven) {
  Dag dag(4);
  dag.add_edge(3, 1);
  dag.add_edge(0, 1);
  dag.add_edge(1, 2);
  EXPECT_TRUE(dag.has_edge(3, 1));
  EXPECT_FALSE(dag.has_edge(1, 3));
  EXPECT_TRUE(dag.adjacent(1, 3));
  EXPECT_FALSE(dag.adjacent(0, 3));
  EXPECT_EQ(dag.parent_list(1), (std::vector<Node>{0, 3}));
  EXPECT_EQ(dag.children(1).to_vector(), (std::vector<Node>{2}));
  EXPECT_EQ(dag.edges(), (std::vector<Edge>{{0, 1}, {1, 2}, {3, 1}}));
  EXPECT_EQ(dag.edge_count(), 3);
  dag.remove_edge(0, 1);
  EXPECT_EQ(dag, dag_from_parents({{}, {3}, {1}, {}}));
}

TEST(Dag, EveryMoveIsTakenBackByItsInverse) {
  Rng rng(1);
  Dag dag = test::random_dag(70, 0.05, rng);
  for (int round = 0; round < 500; ++round) {
    const Dag before = dag;
    const Node a = rng.below(70);
    const Node b = (a + 1 + rng.below(69)) % 70;
    EdgeMove move{MoveKind::kAdd, a, b};
    if (dag.adjacent(a, b)) {
      const MoveKind kind = rng.below(2) ? MoveKind::kRemove : MoveKind::kReverse;
      move = dag.has_edge(a, b) ? EdgeMove{kind, a, b} : EdgeMove{kind, b, a};
    }
    dag.apply(move);
    ASSERT_NE(dag, before);
    ASSERT_EQ(inverse(inverse(move)), move);
    dag.apply(inverse(move));
    ASSERT_EQ(dag, before);
    ASSERT_EQ(dag.edge_count(), before.edge_count());
  }
}

TEST(TopologicalOrder, PutsTheSmallestFreeNodeFirst) {
  EXPECT_EQ(topological_order(dag_from_parents({{3}, {}, {1}, {}})), (std::vector<Node>{1, 2, 3, 0}));
  EXPECT_EQ(topological_order(Dag(3)), (std::vector<Node>{0, 1, 2}));
}

TEST(TopologicalOrder, PutsParentsBeforeChildren) {
  Rng rng(2);
  for (int round = 0; round < 100; ++round) {
    const Dag dag = test::random_dag(1 + rng.below(100), rng.uniform(), rng);
    const std::vector<Node> order = topological_order(dag);
    ASSERT_EQ(static_cast<int>(order.size()), dag.size());
    std::vector<int> place(dag.size());
    for (size_t k = 0; k < order.size(); ++k) place[order[k]] = static_cast<int>(k);
    for (const Edge& e : dag.edges()) ASSERT_LT(place[e.from], place[e.to]);
  }
}

TEST(Acyclicity, AgreesWithPowersOfTheAdjacency) {
  Rng rng(3);
  int cyclic = 0;
  for (int round = 0; round < 1000; ++round) {
    const int p = 1 + rng.below(8);
    const double density = rng.uniform() / 2;
    std::vector<Edge> edges;
    std::vector<std::vector<int>> reach(p, std::vector<int>(p));
    for (Node a = 0; a < p; ++a) {
      for (Node b = 0; b < p; ++b) {
        if (rng.uniform() < density) edges.push_back({a, b});  // self-loops and two-cycles too
      }
    }
    for (const Edge& e : edges) reach[e.from][e.to] = 1;
    for (int k = 0; k < p; ++k) {
      for (int i = 0; i < p; ++i) {
        for (int j = 0; j < p; ++j) reach[i][j] |= reach[i][k] & reach[k][j];
      }
    }
    bool has_cycle = false;
    for (int i = 0; i < p; ++i) has_cycle = has_cycle || reach[i][i];
    const std::vector<Node> cycle = find_cycle(p, edges);
    ASSERT_EQ(!cycle.empty(), has_cycle);
    ASSERT_EQ(dag_from_edges(p, edges).has_value(), !has_cycle);
    for (size_t k = 0; k < cycle.size(); ++k) {
      const Edge step{cycle[k], cycle[(k + 1) % cycle.size()]};
      ASSERT_TRUE(std::count(edges.begin(), edges.end(), step)) << "the cycle uses an edge that is not there";
    }
    cyclic += has_cycle;
  }
  EXPECT_GT(cyclic, 100);
  EXPECT_LT(cyclic, 900);
}

TEST(FindCycle, SurvivesAVeryLongChain) {
  const int p = 200000;
  std::vector<Edge> edges;
  for (Node v = 1; v < p; ++v) edges.push_back({v - 1, v});
  EXPECT_TRUE(find_cycle(p, edges).empty());
  edges.push_back({p - 1, 0});
  EXPECT_EQ(find_cycle(p, edges).size(), static_cast<size_t>(p));
}

TEST(DagFromEdges, TakesARepeatedEdgeOnce) {
  const auto dag = dag_from_edges(3, {{0, 1}, {0, 1}, {2, 1}});
  ASSERT_TRUE(dag.has_value());
  EXPECT_EQ(dag->edges(), (std::vector<Edge>{{0, 1}, {2, 1}}));
  EXPECT_EQ(dag->edge_count(), 2);
}

TEST(Relabel, MovesEveryEdge) {
  EXPECT_EQ(relabel(dag_from_parents({{}, {0}, {1}}), {2, 0, 1}).edges(), (std::vector<Edge>{{0, 1}, {2, 0}}));
}

}  // namespace
}  // namespace agon
