#include "agon/graph/pdag.h"

#include <gtest/gtest.h>

#include "agon/base/rng.h"
#include "agon/graph/test_graphs.h"

namespace agon {
namespace {

TEST(Pdag, ShowsTheEdgesItWasGiven) {
  Pdag g(4);
  g.add_undirected(2, 0);
  g.add_directed(3, 1);
  g.add_undirected(0, 3);
  EXPECT_TRUE(g.has_undirected(0, 2));
  EXPECT_TRUE(g.has_directed(3, 1));
  EXPECT_FALSE(g.has_directed(1, 3));
  EXPECT_FALSE(g.adjacent(0, 1));
  EXPECT_EQ(g.undirected_edges(), (std::vector<Edge>{{0, 2}, {0, 3}}));
  EXPECT_EQ(g.directed_edges(), (std::vector<Edge>{{3, 1}}));
  EXPECT_EQ(g.adjacency(3).to_vector(), (std::vector<Node>{0, 1}));

  g.orient(3, 0);
  EXPECT_EQ(g.parents(0).to_vector(), (std::vector<Node>{3}));
  EXPECT_EQ(g.neighbours(0).to_vector(), (std::vector<Node>{2}));
  EXPECT_EQ(g.children(3).to_vector(), (std::vector<Node>{0, 1}));
  EXPECT_EQ(g.directed_count(), 2);
  EXPECT_EQ(g.undirected_count(), 1);

  g.remove_between(0, 3);
  g.remove_between(0, 2);
  g.remove_between(0, 1);  // nothing there: nothing happens
  Pdag expected(4);
  expected.add_directed(3, 1);
  EXPECT_EQ(g, expected);
}

TEST(Pdag, FromADagDirectsEveryEdge) {
  Rng rng(1);
  const Dag dag = test::random_dag(70, 0.1, rng);
  const Pdag g(dag);
  EXPECT_TRUE(g.check_invariants());
  EXPECT_EQ(g.directed_edges(), dag.edges());
  EXPECT_EQ(g.undirected_count(), 0);
}

TEST(Pdag, RandomEditsKeepTheViewsTogether) {
  Rng rng(2);
  const int p = 67;  // more than one word
  Pdag g(p);
  for (int step = 0; step < 3000; ++step) {
    const Node a = rng.below(p);
    const Node b = (a + 1 + rng.below(p - 1)) % p;
    if (!g.adjacent(a, b)) {
      if (rng.below(2)) {
        g.add_directed(a, b);
      } else {
        g.add_undirected(a, b);
      }
    } else if (g.has_undirected(a, b) && rng.below(2)) {
      g.orient(a, b);
    } else {
      g.remove_between(a, b);
    }
    if (step % 50 == 0) {
      ASSERT_TRUE(g.check_invariants()) << "step " << step;
    }
  }
  EXPECT_GT(g.directed_count(), 0);
  EXPECT_GT(g.undirected_count(), 0);
}

}  // namespace
}  // namespace agon
