#include "agon/graph/equivalence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "agon/base/rng.h"
#include "agon/graph/test_graphs.h"

namespace agon {
namespace {

using test::all_dags;
using test::all_pdags;
using test::random_dag;
using test::random_pdag;

// A text that two Pdags share exactly when they are equal: rows of marks.
std::string picture(const Pdag& g) {
  std::string out;
  for (Node a = 0; a < g.size(); ++a) {
    for (Node b = 0; b < g.size(); ++b) out += g.has_directed(a, b) ? '>' : g.has_undirected(a, b) ? '-' : '.';
    out += '\n';
  }
  return out;
}

// The plain twin of cpdag_of(): skeleton, v-structures, Meek's rules.
Pdag cpdag_by_rules(const Dag& dag) {
  Pdag pdag(dag.size());
  for (const Edge& e : dag.edges()) pdag.add_undirected(e.from, e.to);
  for (const VStructure& v : v_structures(dag)) {
    for (Node parent : {v.a, v.b}) {
      if (pdag.has_undirected(parent, v.middle)) pdag.orient(parent, v.middle);
    }
  }
  close_under_meek(pdag);
  return pdag;
}

// Skeleton and v-structures, written out.
std::pair<std::set<std::pair<Node, Node>>, std::vector<VStructure>> verma_pearl(const Dag& dag) {
  std::set<std::pair<Node, Node>> skeleton;
  for (const Edge& e : dag.edges()) skeleton.insert(std::minmax(e.from, e.to));
  return {skeleton, v_structures(dag)};
}

// By definition: same skeleton, directed edges kept, no v-structure that the Pdag does not show.
bool extends(const Dag& dag, const Pdag& pdag) {
  if (!is_acyclic(dag) || dag.edge_count() != pdag.edge_count()) return false;
  for (const Edge& e : dag.edges()) {
    if (!pdag.adjacent(e.from, e.to) || pdag.has_directed(e.to, e.from)) return false;
  }
  for (const VStructure& v : v_structures(dag)) {
    if (!pdag.has_directed(v.a, v.middle) || !pdag.has_directed(v.b, v.middle)) return false;
  }
  return true;
}

TEST(CpdagOf, WorkedExamples) {
  // A chain has no v-structure: everything is reversible.
  const Cpdag chain = cpdag_of(dag_from_parents({{}, {0}, {1}}));
  EXPECT_EQ(chain.reversible_count(), 2);
  EXPECT_EQ(chain.compelled_count(), 0);

  // 0 -> 2 <- 1 is a v-structure, and 2 -> 3 follows by rule 1.
  const Cpdag collider = cpdag_of(dag_from_parents({{}, {}, {0, 1}, {2}}));
  EXPECT_EQ(collider.directed_edges(), (std::vector<Edge>{{0, 2}, {1, 2}, {2, 3}}));
  EXPECT_EQ(collider.reversible_count(), 0);

  // Asia (Lauritzen & Spiegelhalter 1988): 0 asia, 1 tub, 2 smoke, 3 lung, 4 bronc, 5 either, 6 xray, 7 dysp.
  const Cpdag asia = cpdag_of(dag_from_parents({{}, {0}, {}, {2}, {2}, {1, 3}, {5}, {4, 5}}));
  EXPECT_EQ(asia.undirected_edges(), (std::vector<Edge>{{0, 1}, {2, 3}, {2, 4}}));
  EXPECT_EQ(asia.directed_edges(), (std::vector<Edge>{{1, 5}, {3, 5}, {4, 7}, {5, 6}, {5, 7}}));

  EXPECT_EQ(cpdag_of(Dag(3)), Cpdag(3));
  EXPECT_EQ(cpdag_of(Dag(0)), Cpdag(0));
}

// An edge is compelled exactly when all members of the class have it; classes by skeleton and v-structures.
TEST(CpdagOf, IsTheUnionOfItsClassOnAllDagsUpToFiveNodes) {
  for (int p = 1; p <= 5; ++p) {
    std::map<std::pair<std::set<std::pair<Node, Node>>, std::vector<VStructure>>, std::vector<Dag>> classes;
    for (const Dag& dag : all_dags(p)) classes[verma_pearl(dag)].push_back(dag);
    for (const auto& [key, members] : classes) {
      Pdag expected(p);
      for (const auto& [a, b] : key.first) {
        size_t forward = 0;
        for (const Dag& dag : members) forward += dag.has_edge(a, b);
        if (forward == members.size()) {
          expected.add_directed(a, b);
        } else if (forward == 0) {
          expected.add_directed(b, a);
        } else {
          expected.add_undirected(a, b);
        }
      }
      for (const Dag& dag : members) {
        ASSERT_EQ(cpdag_of(dag).pdag(), expected) << picture(Pdag(dag));
        ASSERT_EQ(cpdag_by_rules(dag), expected) << picture(Pdag(dag));
      }
    }
  }
}

TEST(CpdagOf, AgreesWithTheRulesOnRandomDags) {
  Rng rng(3);
  for (int round = 0; round < 4000; ++round) {
    const int p = 2 + rng.below(11);
    const Dag dag = random_dag(p, rng.uniform(), rng);
    ASSERT_EQ(cpdag_of(dag).pdag(), cpdag_by_rules(dag)) << picture(Pdag(dag));
  }
  for (double density : {0.01, 0.03, 0.1, 0.5}) {  // more than one word
    const Dag dag = random_dag(150, density, rng);
    ASSERT_EQ(cpdag_of(dag).pdag(), cpdag_by_rules(dag));
  }
}

// Legal single edits from the empty graph reach every DAG: Robinson's numbers of labelled DAGs (OEIS A003024), and the
// numbers of equivalence classes (Gillispie & Perlman 2002; OEIS A007984).
TEST(Counting, EditsReachEveryDagAndEveryClass) {
  const std::map<int, std::pair<size_t, size_t>> expected = {{3, {25, 11}}, {4, {543, 185}}, {5, {29281, 8782}}};
  for (const auto& [p, counts] : expected) {
    std::set<std::string> seen = {picture(Pdag(p))};
    std::set<std::string> classes;
    std::vector<Dag> queue = {Dag(p)};
    for (size_t next = 0; next < queue.size(); ++next) {
      const Dag dag = queue[next];
      classes.insert(picture(cpdag_of(dag)));
      for (Node from = 0; from < p; ++from) {
        for (Node to = 0; to < p; ++to) {
          for (MoveKind kind : {MoveKind::kAdd, MoveKind::kRemove, MoveKind::kReverse}) {
            const bool stands = dag.has_edge(from, to);
            if (from == to || (kind == MoveKind::kAdd ? dag.adjacent(from, to) : !stands)) continue;
            Dag edited = dag;
            edited.apply({kind, from, to});
            if (is_acyclic(edited) && seen.insert(picture(Pdag(edited))).second) queue.push_back(edited);
          }
        }
      }
    }
    EXPECT_EQ(queue.size(), counts.first) << p << " nodes";
    EXPECT_EQ(classes.size(), counts.second) << p << " nodes";
  }
}

TEST(ConsistentExtension, OfACpdagIsAMemberOfItsClass) {
  Rng rng(4);
  for (int round = 0; round < 2000; ++round) {
    const Dag dag = random_dag(2 + rng.below(11), rng.uniform(), rng);
    const auto member = consistent_extension(cpdag_of(dag));
    ASSERT_TRUE(member.has_value());
    ASSERT_EQ(verma_pearl(*member), verma_pearl(dag));
  }
  const Dag large = random_dag(200, 0.03, rng);
  EXPECT_TRUE(same_class(consistent_extension(cpdag_of(large)).value(), large));
}

TEST(ConsistentExtension, ExistsExactlyWhenSomeDagFits) {
  for (int p = 1; p <= 4; ++p) {
    const std::vector<Dag> dags = all_dags(p);
    for (const Pdag& pdag : all_pdags(p)) {
      const bool possible = std::any_of(dags.begin(), dags.end(), [&](const Dag& dag) { return extends(dag, pdag); });
      const auto found = consistent_extension(pdag);
      ASSERT_EQ(found.has_value(), possible) << picture(pdag);
      if (found) {
        ASSERT_TRUE(extends(*found, pdag)) << picture(pdag);
        ASSERT_EQ(dag_by_rule(pdag), *found);
      }
    }
  }
}

TEST(DagByRule, KeepsTheSkeletonAndWhatCanBeKept) {
  Rng rng(5);
  int cyclic = 0;
  for (int round = 0; round < 2000; ++round) {
    const Pdag pdag = random_pdag(2 + rng.below(9), rng.uniform(), rng);
    const Dag dag = dag_by_rule(pdag);
    ASSERT_TRUE(is_acyclic(dag));
    ASSERT_EQ(dag.edge_count(), pdag.edge_count());
    for (const Edge& e : dag.edges()) ASSERT_TRUE(pdag.adjacent(e.from, e.to));
    if (!find_cycle(pdag.size(), pdag.directed_edges()).empty()) {
      ++cyclic;
      continue;
    }
    for (const Edge& e : pdag.directed_edges()) ASSERT_TRUE(dag.has_edge(e.from, e.to)) << picture(pdag);
  }
  EXPECT_GT(cyclic, 100);
  EXPECT_LT(cyclic, 1900);
}

TEST(DagByRule, WorkedExamples) {
  // An undirected square has no extension. All nodes tie with two bad pairs each (counted from both neighbours), so 0
  // comes off first as 1 -> 0 <- 3; what is left is the path 1 - 2 - 3, whose end 1 comes off next, then 2.
  Pdag square(4);
  for (Node v = 0; v < 4; ++v) square.add_undirected(v, (v + 1) % 4);
  EXPECT_FALSE(consistent_extension(square).has_value());
  EXPECT_EQ(dag_by_rule(square).edges(), (std::vector<Edge>{{1, 0}, {2, 1}, {3, 0}, {3, 2}}));

  // A directed triangle: each has one edge out, 0 comes off first, and its edge out is reversed.
  Pdag triangle(3);
  for (Node v = 0; v < 3; ++v) triangle.add_directed(v, (v + 1) % 3);
  EXPECT_EQ(dag_by_rule(triangle).edges(), (std::vector<Edge>{{1, 0}, {1, 2}, {2, 0}}));
}

TEST(MeekRules, EachAlone) {
  const auto closed = [](int p, std::vector<Edge> directed, std::vector<Edge> undirected) {
    Pdag g(p);
    for (const Edge& e : directed) g.add_directed(e.from, e.to);
    for (const Edge& e : undirected) g.add_undirected(e.from, e.to);
    close_under_meek(g);
    return g.directed_edges();
  };
  EXPECT_EQ(closed(3, {{0, 1}}, {{1, 2}}), (std::vector<Edge>{{0, 1}, {1, 2}}));
  EXPECT_EQ(closed(3, {{0, 1}, {1, 2}}, {{0, 2}}), (std::vector<Edge>{{0, 1}, {0, 2}, {1, 2}}));
  EXPECT_EQ(closed(4, {{1, 3}, {2, 3}}, {{0, 1}, {0, 2}, {0, 3}}), (std::vector<Edge>{{0, 3}, {1, 3}, {2, 3}}));
  EXPECT_EQ(closed(4, {{1, 2}, {2, 3}}, {{0, 1}, {0, 2}, {0, 3}}), (std::vector<Edge>{{0, 3}, {1, 2}, {2, 3}}));
  // The middle of rule 1 is adjacent to both ends: nothing follows.
  EXPECT_EQ(closed(3, {{0, 1}}, {{1, 2}, {0, 2}}), (std::vector<Edge>{{0, 1}}));
}

// Meek 1995, theorem 4: background knowledge on a CPDAG, closed under the four rules, shows exactly the edges that all
// consistent members share.
void expect_closure_shows_what_members_share(const Dag& truth, const std::vector<Dag>& members, Rng& rng) {
  Pdag pdag = cpdag_of(truth);
  for (const Edge& e : truth.edges()) {
    if (pdag.has_undirected(e.from, e.to) && rng.below(3) == 0) pdag.orient(e.from, e.to);
  }
  std::vector<Dag> left;
  for (const Dag& dag : members) {
    bool fits = true;
    for (const Edge& e : pdag.directed_edges()) fits = fits && dag.has_edge(e.from, e.to);
    if (fits) left.push_back(dag);
  }
  Pdag expected = pdag;
  for (const Edge& e : pdag.undirected_edges()) {
    size_t forward = 0;
    for (const Dag& dag : left) forward += dag.has_edge(e.from, e.to);
    if (forward == left.size()) expected.orient(e.from, e.to);
    if (forward == 0) expected.orient(e.to, e.from);
  }
  Pdag closed = pdag;
  close_under_meek(closed);
  ASSERT_EQ(closed, expected) << picture(pdag) << "closed\n" << picture(closed) << "expected\n" << picture(expected);
}

TEST(MeekRules, WithKnowledgeShowWhatAllRemainingMembersShare) {
  Rng rng(6);
  std::map<std::string, std::vector<Dag>> classes;
  for (const Dag& dag : all_dags(4)) classes[picture(cpdag_of(dag))].push_back(dag);
  for (const auto& [key, members] : classes) {
    for (const Dag& truth : members) expect_closure_shows_what_members_share(truth, members, rng);
  }
  for (int round = 0; round < 400; ++round) {  // the undirected parts are where knowledge matters
    const std::vector<Dag> members = test::members_by_walk(test::random_chordal_dag(5 + rng.below(3), rng));
    const Dag& truth = members[rng.below(static_cast<int>(members.size()))];
    expect_closure_shows_what_members_share(truth, members, rng);
  }
  // A path 2 - 3 - 0 - 1 with 4 joined to all: 3 -> 0 by rule 1, then 4 -> 0 by rule 4 (2 -> 3 -> 0) and 4 -> 1 by
  // rule 4 or 2.
  Pdag fan(5);
  fan.add_directed(0, 1);
  fan.add_directed(2, 3);
  fan.add_undirected(3, 0);
  for (Node v = 0; v < 4; ++v) fan.add_undirected(v, 4);
  close_under_meek(fan);
  EXPECT_EQ(fan.directed_edges(), (std::vector<Edge>{{0, 1}, {2, 3}, {3, 0}, {4, 0}, {4, 1}}));
}

// Closing after one more edge got its direction, from that edge alone and from all edges.
TEST(MeekRules, GoOnFromAFreshEdgeAsFromTheBeginning) {
  Rng rng(7);
  int forced = 0;
  for (int round = 0; round < 300; ++round) {
    Pdag pdag = cpdag_of(test::random_chordal_dag(7, rng));
    while (pdag.undirected_count() > 0) {
      const std::vector<Edge> open = pdag.undirected_edges();
      Edge edge = open[rng.below(static_cast<int>(open.size()))];
      if (rng.below(2) == 0) std::swap(edge.from, edge.to);
      pdag.orient(edge.from, edge.to);
      Pdag whole = pdag;
      close_under_meek(whole);
      const int before = pdag.directed_count();
      close_under_meek(pdag, {edge});
      ASSERT_EQ(pdag, whole);
      forced += pdag.directed_count() > before;
    }
  }
  EXPECT_GT(forced, 300);
}

TEST(AsCpdag, AcceptsExactlyTheCpdags) {
  for (int p = 1; p <= 4; ++p) {
    std::set<std::string> cpdags;
    for (const Dag& dag : all_dags(p)) cpdags.insert(picture(cpdag_of(dag)));
    size_t accepted = 0;
    for (const Pdag& pdag : all_pdags(p)) {
      const auto cpdag = as_cpdag(pdag);
      accepted += cpdag.has_value();
      ASSERT_EQ(cpdag.has_value(), cpdags.count(picture(pdag)) == 1) << picture(pdag);
    }
    EXPECT_EQ(accepted, cpdags.size());
  }
}

TEST(SameClass, IsSkeletonAndVStructures) {
  const std::vector<Dag> dags = all_dags(4);
  std::vector<std::pair<std::set<std::pair<Node, Node>>, std::vector<VStructure>>> keys;
  for (const Dag& dag : dags) keys.push_back(verma_pearl(dag));
  for (size_t i = 0; i < dags.size(); i += 3) {
    for (size_t j = 0; j < dags.size(); ++j) ASSERT_EQ(same_class(dags[i], dags[j]), keys[i] == keys[j]);
  }
  EXPECT_FALSE(same_class(Dag(2), Dag(3)));
}

TEST(Covered, ExactlyTheEdgesWhoseReversalStaysInTheClass) {
  for (const Dag& dag : all_dags(4)) {
    for (const Edge& e : dag.edges()) {
      Dag reversed = dag;
      reversed.apply({MoveKind::kReverse, e.from, e.to});
      ASSERT_EQ(covered(dag, e), is_acyclic(reversed) && verma_pearl(reversed) == verma_pearl(dag));
    }
  }
}

}  // namespace
}  // namespace agon
