// The classes that experiments leave, against the definition: all Dags on a few nodes are grouped by what they imply in
// every experiment.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "agon/graph/central_member.h"
#include "agon/graph/class_members.h"
#include "agon/graph/equivalence.h"
#include "agon/graph/knowledge.h"
#include "agon/graph/test_graphs.h"

namespace agon {
namespace {

using Implied = std::vector<std::pair<std::set<std::pair<Node, Node>>, std::vector<VStructure>>>;

// Hauser & Buehlmann 2012, theorem 10: a set node loses the edges into it, and what is left of two equivalent Dags is
// Markov equivalent in every experiment.
Implied implied(const Dag& dag, const std::vector<unsigned>& family) {
  Implied out;
  for (const unsigned targets : family) {
    Dag cut(dag.size());
    for (const Edge& e : dag.edges()) {
      if ((targets >> e.to & 1) == 0) cut.add_edge(e.from, e.to);
    }
    std::set<std::pair<Node, Node>> skeleton;
    for (const Edge& e : cut.edges()) skeleton.insert(std::minmax(e.from, e.to));
    out.emplace_back(std::move(skeleton), v_structures(cut));
  }
  return out;
}

std::map<Implied, std::vector<Dag>> classes_of(const std::vector<Dag>& dags, const std::vector<unsigned>& family) {
  std::map<Implied, std::vector<Dag>> classes;
  for (const Dag& dag : dags) classes[implied(dag, family)].push_back(dag);
  return classes;
}

// Directed where all agree.
Pdag union_of(const std::vector<Dag>& members) {
  Pdag pdag(members[0].size());
  for (const Edge& e : members[0].edges()) {
    const bool all = std::ranges::all_of(members, [&](const Dag& dag) { return dag.has_edge(e.from, e.to); });
    all ? pdag.add_directed(e.from, e.to) : pdag.add_undirected(e.from, e.to);
  }
  return pdag;
}

std::set<std::vector<Edge>> edges_of(const std::vector<Dag>& dags) {
  std::set<std::vector<Edge>> out;
  for (const Dag& dag : dags) out.insert(dag.edges());
  return out;
}

struct Setting {
  int nodes;
  std::vector<unsigned> family;
  std::vector<int> row_set;
};

std::vector<Setting> random_settings(std::map<int, int> how_many) {
  std::vector<Setting> out;
  for (const auto& [nodes, count] : how_many) {
    for (int k = 0; k < count; ++k) {
      Rng rng = Rng(static_cast<uint64_t>(nodes)).split("targets", static_cast<uint64_t>(k));
      std::vector<unsigned> family = test::random_targets(nodes, rng);
      std::vector<int> row_set = test::row_sets_of(family, nodes);
      out.push_back({nodes, std::move(family), std::move(row_set)});
    }
  }
  return out;
}

TEST(InterventionalClass, WorkedExamples) {
  Dag chain(3);
  chain.add_edge(0, 1);
  chain.add_edge(1, 2);
  EXPECT_EQ(cpdag_of(chain, {}), cpdag_of(chain));
  EXPECT_EQ(cpdag_of(chain, {7, 7, 7}), cpdag_of(chain));
  // Node 0 was set: 0 -> 1 shows, and by rule 1 so does 1 -> 2.
  EXPECT_EQ(cpdag_of(chain, {1, 0, 0}).compelled_count(), 2);
  // Node 2 was set: 1 -> 2 shows; 0 - 1 could point either way.
  const Cpdag last = cpdag_of(chain, {0, 0, 1});
  EXPECT_TRUE(last.has_directed(1, 2));
  EXPECT_TRUE(last.has_undirected(0, 1));
}

TEST(InterventionalClass, EqualsTheDefinitionOnAllDags) {
  int without_observation = 0, smaller = 0;
  std::map<int, std::vector<Dag>> dags;
  for (int p = 1; p <= 5; ++p) dags[p] = test::all_dags(p);
  for (const Setting& at : random_settings({{1, 1}, {2, 5}, {3, 15}, {4, 25}, {5, 4}})) {
    without_observation += std::ranges::count(at.family, 0u) == 0;
    Rng rng(5);
    for (const auto& [key, members] : classes_of(dags[at.nodes], at.family)) {
      const Pdag expected = union_of(members);
      const std::set<std::vector<Edge>> all = edges_of(members);
      for (const Dag& dag : members) ASSERT_EQ(cpdag_of(dag, at.row_set).pdag(), expected);
      const Cpdag cpdag = cpdag_of(members.back(), at.row_set);
      smaller += cpdag != cpdag_of(members.back());
      EXPECT_EQ(edges_of(test::members_by_walk(members.back(), at.row_set)), all);
      EXPECT_TRUE(all.contains(central_member(cpdag)->edges()));
      EXPECT_EQ(completed(cpdag, at.row_set), cpdag);

      const ClassMembers of_class(cpdag);
      ASSERT_EQ(of_class.size(), static_cast<double>(members.size()));
      for (int k = 0; k < 3; ++k) ASSERT_TRUE(all.contains(of_class.draw(rng).edges()));
    }
  }
  EXPECT_GT(without_observation, 5);
  EXPECT_GT(smaller, 1000);
}

// The chance to miss one of n <= 6 members in 400 draws is below 6 (5/6)^400 = 1e-31.
TEST(InterventionalClass, DrawsReachEveryMember) {
  const std::vector<Dag> dags = test::all_dags(4);
  Rng rng(3);
  int compared = 0;
  for (const Setting& at : random_settings({{4, 4}})) {
    for (const auto& [key, members] : classes_of(dags, at.family)) {
      if (members.size() < 2 || members.size() > 6) continue;
      const ClassMembers of_class(cpdag_of(members[0], at.row_set));
      std::set<std::vector<Edge>> drawn;
      for (int k = 0; k < 400; ++k) drawn.insert(of_class.draw(rng).edges());
      EXPECT_EQ(drawn, edges_of(members));
      ++compared;
    }
  }
  EXPECT_GT(compared, 50);
}

TEST(InterventionalClass, SameClassAndCoveredFollowIt) {
  const std::vector<Dag> dags = test::all_dags(4);
  Rng rng(9);
  int same = 0, reversed = 0;
  for (const Setting& at : random_settings({{4, 10}})) {
    const auto classes = classes_of(dags, at.family);
    for (int k = 0; k < 300; ++k) {
      const Dag& a = dags[rng.below(static_cast<int>(dags.size()))];
      const std::vector<Dag>& near = classes.at(implied(a, at.family));
      const Dag& b =
          k % 2 ? dags[rng.below(static_cast<int>(dags.size()))] : near[rng.below(static_cast<int>(near.size()))];
      const bool expected = implied(a, at.family) == implied(b, at.family);
      EXPECT_EQ(same_class(a, b, at.row_set), expected);
      same += expected && a != b;
      for (const Edge& e : a.edges()) {
        Dag other = a;
        other.apply({MoveKind::kReverse, e.from, e.to});
        const bool stays = is_acyclic(other) && implied(a, at.family) == implied(other, at.family);
        EXPECT_EQ(covered(a, e, at.row_set), stays);
        reversed += stays;
      }
    }
  }
  EXPECT_GT(same, 100);
  EXPECT_GT(reversed, 100);
}

// With knowledge: what all members agree on that satisfy it.
TEST(InterventionalClass, MpdagShowsWhatTheRemainingMembersShare) {
  const std::vector<Dag> dags = test::all_dags(4);
  const std::vector<std::string> names = {"a", "b", "c", "d"};
  Rng rng(11);
  int narrowed = 0;
  for (const Setting& at : random_settings({{4, 12}})) {
    KnowledgeBuilder builder(names);
    const int from = rng.below(4), to = (from + 1 + rng.below(3)) % 4;
    builder.forbid(names[from], names[to], "test");
    const Knowledge knowledge = builder.build();
    for (const auto& [key, members] : classes_of(dags, at.family)) {
      std::vector<Dag> left;
      std::ranges::copy_if(members, std::back_inserter(left), [&](const Dag& d) { return satisfies(d, knowledge); });
      if (left.empty()) continue;
      narrowed += left.size() < members.size();
      const Pdag mpdag = mpdag_of(left.back(), knowledge, at.row_set);
      ASSERT_EQ(mpdag, union_of(left));
      EXPECT_TRUE(edges_of(left).contains(central_member(mpdag)->edges()));
    }
  }
  EXPECT_GT(narrowed, 30);
}

}  // namespace
}  // namespace agon
