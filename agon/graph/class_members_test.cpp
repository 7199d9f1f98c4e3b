#include "agon/graph/class_members.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "agon/graph/equivalence.h"
#include "agon/graph/test_graphs.h"

namespace agon {
namespace {

using test::members_by_walk;

Cpdag undirected(int p, const std::vector<Edge>& edges) {
  Pdag pdag(p);
  for (const Edge& e : edges) pdag.add_undirected(e.from, e.to);
  return as_cpdag(pdag).value();
}

TEST(ClassSize, KnownFamilies) {
  EXPECT_EQ(class_size(Cpdag(4)), 1);
  EXPECT_EQ(class_size(Cpdag(0)), 1);
  for (int p = 2; p <= 30; ++p) {
    std::vector<Edge> path, star;
    for (Node v = 1; v < p; ++v) {
      path.push_back({v - 1, v});
      star.push_back({0, v});
    }
    EXPECT_EQ(class_size(undirected(p, path)), p);  // a tree has one orientation per root
    EXPECT_EQ(class_size(undirected(p, star)), p);
  }
  double factorial = 1;
  for (int p = 2; p <= 12; ++p) {
    std::vector<Edge> all;
    for (Node a = 0; a < p; ++a) {
      for (Node b = a + 1; b < p; ++b) all.push_back({a, b});
    }
    factorial *= p;
    EXPECT_EQ(class_size(undirected(p, all)), factorial);
    // One edge short of complete (He, Jia & Yu 2015, theorem 3): 2 (p-1)! - (p-2)!.
    if (p == 2) continue;
    all.pop_back();
    EXPECT_EQ(class_size(undirected(p, all)), 2 * factorial / p - factorial / p / (p - 1));
  }
}

TEST(ClassSize, PastTheLargestDouble) {
  const int p = 400;
  std::vector<Edge> all;
  for (Node a = 0; a < p; ++a) {
    for (Node b = a + 1; b < p; ++b) all.push_back({a, b});
  }
  const ClassMembers complete(undirected(p, all));
  EXPECT_TRUE(std::isinf(complete.size()));
  EXPECT_NEAR(complete.log_size(), std::lgamma(p + 1.0), 1e-9 * std::lgamma(p + 1.0));
  all.pop_back();
  const ClassMembers short_one(undirected(p, all));
  const double expected = std::lgamma(p - 1.0) + std::log(2.0 * (p - 1) - 1);
  EXPECT_NEAR(short_one.log_size(), expected, 1e-9 * expected);
}

TEST(ClassSize, EqualsTheWalkOnEveryClassOfFiveNodes) {
  for (int p = 1; p <= 5; ++p) {
    std::map<std::pair<std::vector<Edge>, std::vector<Edge>>, std::pair<Cpdag, int>> classes;
    for (const Dag& dag : test::all_dags(p)) {
      const Cpdag cpdag = cpdag_of(dag);
      auto& entry = classes[{cpdag.directed_edges(), cpdag.undirected_edges()}];
      entry.first = cpdag;
      ++entry.second;
    }
    for (const auto& [key, entry] : classes) ASSERT_EQ(class_size(entry.first), entry.second);
  }
}

TEST(ClassSize, EqualsTheWalkOnRandomChordalGraphs) {
  Rng rng(1);
  double largest = 0;
  for (int round = 0; round < 300; ++round) {
    const Dag dag = test::random_chordal_dag(3 + rng.below(6), rng);
    const double size = class_size(cpdag_of(dag));
    largest = std::max(largest, size);
    ASSERT_EQ(size, static_cast<double>(members_by_walk(dag).size()));
  }
  EXPECT_GT(largest, 200);
}

TEST(RandomMember, IsUniform) {
  // Two overlapping cliques with a tail, a tree, and a clique short of one edge with a compelled part elsewhere. Each
  // member is expected 400 times; with the seed fixed the largest deviation allowed is 5 standard deviations, which a
  // uniform sampler exceeds with probability below 1e-4 over all members of the three classes.
  Rng rng(2);
  const std::vector<Dag> examples = {
      dag_from_parents({{}, {0}, {0, 1}, {1, 2}, {1, 2, 3}, {4}}),
      dag_from_parents({{}, {0}, {0}, {1}, {1}, {2}}),
      dag_from_parents({{}, {0}, {0, 1}, {0, 1}, {}, {4, 3}, {5}}),
  };
  for (const Dag& example : examples) {
    const Cpdag cpdag = cpdag_of(example);
    const ClassMembers members(cpdag);
    const std::vector<Dag> all = members_by_walk(example);
    ASSERT_EQ(members.size(), static_cast<double>(all.size()));
    ASSERT_GT(all.size(), 3u);
    std::map<std::vector<Edge>, int> seen;
    const int draws = 400 * static_cast<int>(all.size());
    for (int k = 0; k < draws; ++k) ++seen[members.draw(rng).edges()];
    EXPECT_EQ(seen.size(), all.size());
    for (const Dag& dag : all) {
      EXPECT_NEAR(seen[dag.edges()], 400, 5 * std::sqrt(400.0));
    }
  }
}

TEST(RandomMember, StaysInTheClass) {
  Rng rng(3);
  for (int round = 0; round < 1000; ++round) {
    const Dag dag = test::random_dag(2 + rng.below(70), rng.uniform() * rng.uniform(), rng);
    const Dag member = random_member(cpdag_of(dag), rng);
    ASSERT_TRUE(is_acyclic(member));
    ASSERT_TRUE(same_class(member, dag));
  }
}

TEST(RandomMember, IsRepeatable) {
  Rng rng(4);
  const Cpdag cpdag = cpdag_of(test::random_dag(40, 0.05, rng));
  Rng first(5), second(5);
  EXPECT_EQ(random_member(cpdag, first), random_member(cpdag, second));
}

}  // namespace
}  // namespace agon
