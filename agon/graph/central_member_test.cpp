#include "agon/graph/central_member.h"

#include <gtest/gtest.h>

#include "agon/graph/equivalence.h"
#include "agon/graph/test_graphs.h"

namespace agon {
namespace {

using test::members_by_walk;

int reversed_between(const Dag& a, const Dag& b) {  // two members of a class
  int count = 0;
  for (const Edge& e : a.edges()) count += b.has_edge(e.to, e.from);
  return count;
}

long distance_to_all(const Dag& dag, const std::vector<Dag>& members) {
  long sum = 0;
  for (const Dag& member : members) sum += reversed_between(dag, member);
  return sum;
}

Dag random_tree(int nodes, Rng& rng) {  // all edges away from one root
  Dag dag(nodes);
  for (Node v = 1; v < nodes; ++v) dag.add_edge(static_cast<Node>(rng.below(v)), v);
  std::vector<Node> names(nodes);
  for (Node v = 0; v < nodes; ++v) names[v] = v;
  rng.shuffle(names);
  return relabel(dag, names);
}

TEST(CentralMember, PathsStarsAndCollidersByHand) {
  Dag chain(5);
  for (Node v = 0; v < 4; ++v) chain.add_edge(v, v + 1);
  EXPECT_EQ(central_member(cpdag_of(chain))->edges(), (std::vector<Edge>{{1, 0}, {2, 1}, {2, 3}, {3, 4}}));

  Dag star(4);  // out of a leaf
  star.add_edge(3, 1);
  star.add_edge(1, 0);
  star.add_edge(1, 2);
  EXPECT_EQ(central_member(cpdag_of(star))->edges(), (std::vector<Edge>{{1, 0}, {1, 2}, {1, 3}}));

  Dag collider(3);
  collider.add_edge(0, 2);
  collider.add_edge(1, 2);
  EXPECT_EQ(central_member(cpdag_of(collider)), collider);
  EXPECT_EQ(central_member(Pdag(3)), Dag(3));
}

TEST(CentralMember, NothingWhereThereIsNoExtension) {
  Pdag square(4);
  for (Node v = 0; v < 4; ++v) square.add_undirected(v, (v + 1) % 4);
  EXPECT_FALSE(central_member(square));
}

// Directed edges it was given stand, and so does the class.
TEST(CentralMember, IsAConsistentExtension) {
  Rng rng(11);
  int extendable = 0;
  for (int round = 0; round < 2000; ++round) {
    const Pdag pdag = round % 2 ? test::random_pdag(6, 0.4, rng) : cpdag_of(test::random_dag(7, 0.4, rng)).pdag();
    const std::optional<Dag> extension = consistent_extension(pdag), central = central_member(pdag);
    ASSERT_EQ(extension.has_value(), central.has_value());
    if (!central) continue;
    ++extendable;
    ASSERT_TRUE(same_class(*extension, *central));
    for (const Edge& e : pdag.directed_edges()) ASSERT_TRUE(central->has_edge(e.from, e.to));
  }
  EXPECT_GT(extendable, 1000);
}

TEST(CentralMember, OfTreesIsNearestToAllMembers) {
  Rng rng(12);
  for (int round = 0; round < 200; ++round) {
    const Dag tree = random_tree(2 + static_cast<int>(rng.below(12)), rng);
    const std::vector<Dag> members = members_by_walk(tree);
    long least = distance_to_all(tree, members);
    for (const Dag& member : members) least = std::min(least, distance_to_all(member, members));
    ASSERT_EQ(distance_to_all(*central_member(cpdag_of(tree)), members), least);
  }
}

// Whatever the shape: no farther from the others than members are on average, and over many classes all but as near as
// can be.
TEST(CentralMember, IsNearToAllMembers) {
  Rng rng(13);
  double spared = 0, sparable = 0;
  for (int round = 0; round < 400; ++round) {
    const Dag dag = round % 2 ? test::random_chordal_dag(6, rng) : test::random_dag(7, 0.3, rng);
    const std::vector<Dag> members = members_by_walk(dag);
    const auto count = static_cast<long>(members.size());
    long all = 0, least = -1;
    for (const Dag& member : members) {
      const long distance = distance_to_all(member, members);
      all += distance;
      least = least < 0 ? distance : std::min(least, distance);
    }
    const long central = distance_to_all(*central_member(cpdag_of(dag)), members);
    ASSERT_LE(central * count, all);
    spared += static_cast<double>(all - central * count);
    sparable += static_cast<double>(all - least * count);
  }
  EXPECT_GT(spared, 0.95 * sparable);
}

// The same class gives the same graph, whichever member it is known by.
TEST(CentralMember, DependsOnTheClassAlone) {
  Rng rng(14);
  for (int round = 0; round < 100; ++round) {
    const Dag dag = test::random_dag(6, 0.4, rng);
    const std::optional<Dag> central = central_member(cpdag_of(dag));
    for (const Dag& member : members_by_walk(dag)) ASSERT_EQ(central_member(cpdag_of(member)), central);
  }
}

}  // namespace
}  // namespace agon
