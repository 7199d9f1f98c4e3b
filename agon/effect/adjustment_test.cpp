#include "agon/effect/adjustment.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "agon/graph/d_separation.h"
#include "agon/graph/knowledge.h"
#include "agon/graph/test_graphs.h"

namespace agon {
namespace {

// A random class: observational, of experiments, or with knowledge of some of its arrows; and all of its members.
struct RandomClass {
  Pdag mpdag;
  std::vector<Dag> members;
};

RandomClass random_class(Rng& rng) {
  const int p = 3 + rng.below(6);
  const Dag dag = rng.below(2) ? test::random_chordal_dag(p, rng) : test::random_dag(p, 0.2 + 0.5 * rng.uniform(), rng);
  const std::vector<int> row_set =
      rng.below(4) == 0 ? test::row_sets_of(test::random_targets(p, rng), p) : std::vector<int>{};
  std::vector<std::string> names;
  for (Node v = 0; v < p; ++v) names.push_back("v" + std::to_string(v));
  KnowledgeBuilder known(names);
  std::vector<Edge> required;
  if (rng.below(2)) {
    for (const Edge& edge : dag.edges()) {
      if (rng.below(6) > 0) continue;
      known.require(names[edge.from], names[edge.to], "test");
      required.push_back(edge);
    }
  }
  RandomClass out{mpdag_of(dag, known.build(), row_set), {}};
  for (const Dag& member : test::members_by_walk(dag, row_set)) {
    const bool fits = std::all_of(required.begin(), required.end(),
                                  [&](const Edge& edge) { return member.has_edge(edge.from, edge.to); });
    if (fits) out.members.push_back(member);
  }
  return out;
}

using Key = std::vector<std::pair<bool, std::vector<Node>>>;

Key key_of(const PossibleEffect& effect) {
  Key out;
  for (const Adjustment& a : effect.on_outcome) out.push_back({a.none, a.set});
  for (const auto& row : effect.among) {
    for (const Adjustment& a : row) out.push_back({a.none, a.set});
  }
  return out;
}

// The answers of all members, counted one by one.
std::map<Key, double> shares_by_enumeration(const RandomClass& graphs, const std::vector<Node>& causes, Node outcome) {
  std::map<Key, double> out;
  for (const Dag& dag : graphs.members) {
    PossibleEffect effect;
    for (const Node cause : causes) effect.on_outcome.push_back(optimal_adjustment(dag, cause, outcome));
    if (causes.size() > 1) {
      for (const Node cause : causes) {
        effect.among.emplace_back();
        for (const Node other : causes) {
          effect.among.back().push_back(cause == other ? Adjustment{.none = true}
                                                       : optimal_adjustment(dag, cause, other));
        }
      }
    }
    out[key_of(effect)] += 1.0 / static_cast<double>(graphs.members.size());
  }
  return out;
}

void expect_same_shares(const EffectSet& found, const std::map<Key, double>& counted) {
  ASSERT_FALSE(found.too_many);
  ASSERT_EQ(found.list.size(), counted.size());
  for (const PossibleEffect& effect : found.list) {
    const auto at = counted.find(key_of(effect));
    ASSERT_NE(at, counted.end());
    EXPECT_NEAR(effect.share, at->second, 1e-10);
  }
}

TEST(CausalClass, CountsItsMembersWithKnowledgeAndExperiments) {
  Rng rng(1);
  for (int trial = 0; trial < 400; ++trial) {
    const RandomClass graphs = random_class(rng);
    EXPECT_NEAR(std::exp(log_members(graphs.mpdag).value()), static_cast<double>(graphs.members.size()), 1e-6);
  }
}

TEST(CausalClass, WaysAroundANodeAreThoseOfItsMembers) {
  Rng rng(2);
  for (int trial = 0; trial < 200; ++trial) {
    const RandomClass graphs = random_class(rng);
    const CausalClass found(graphs.mpdag);
    for (Node x = 0; x < found.size(); ++x) {
      std::map<std::vector<Node>, double> parents;
      for (const Dag& dag : graphs.members) {
        parents[dag.parent_list(x)] += 1.0 / static_cast<double>(graphs.members.size());
      }
      const Ways ways = found.ways_around({x});
      ASSERT_EQ(ways.list.size(), parents.size());
      for (const Way& way : ways.list) {
        const Dag member = found.member(ways, way);
        ASSERT_NE(std::find(graphs.members.begin(), graphs.members.end(), member), graphs.members.end());
        EXPECT_NEAR(way.share, parents.at(member.parent_list(x)), 1e-10);
        // What is then known is the graph of the members that agree with it.
        EXPECT_NEAR(std::exp(found.after(ways, way).log_size().value()),
                    way.share * static_cast<double>(graphs.members.size()), 1e-6);
      }
    }
  }
}

TEST(PossibleEffects, AreThoseOfAllMembersWithTheirShares) {
  Rng rng(3);
  for (int trial = 0; trial < 60; ++trial) {
    const RandomClass graphs = random_class(rng);
    const CausalClass found(graphs.mpdag);
    for (Node x = 0; x < found.size(); ++x) {
      for (Node y = 0; y < found.size(); ++y) {
        if (x != y) expect_same_shares(possible_effects(found, x, y), shares_by_enumeration(graphs, {x}, y));
      }
    }
  }
}

TEST(PossibleEffects, OfCausesTakenTogetherAreThoseOfAllMembers) {
  Rng rng(14);
  for (int trial = 0; trial < 60; ++trial) {
    const RandomClass graphs = random_class(rng);
    const CausalClass found(graphs.mpdag);
    for (Node y = 0; y < found.size(); ++y) {
      const std::vector<Node> causes = {(y + 1) % found.size(), (y + 2) % found.size()};
      std::map<Key, double> counted;
      for (const Dag& dag : graphs.members) {
        PossibleEffect effect;
        const auto joint = joint_adjustment(dag, causes, y);
        for (const Node cause : causes) {
          effect.on_outcome.push_back(joint ? *joint : Adjustment{.set = dag.parent_list(cause)});
        }
        counted[key_of(effect)] += 1.0 / static_cast<double>(graphs.members.size());
      }
      expect_same_shares(possible_effects(found, causes, y, SeveralCauses::kTogether), counted);
    }
  }
}

TEST(PossibleEffects, OfSeveralCausesAreThoseOfAllMembers) {
  Rng rng(4);
  for (int trial = 0; trial < 60; ++trial) {
    const RandomClass graphs = random_class(rng);
    const CausalClass found(graphs.mpdag);
    for (Node y = 0; y < found.size(); ++y) {
      const Node a = (y + 1) % found.size(), b = (y + 2) % found.size();
      expect_same_shares(possible_effects(found, {a, b}, y), shares_by_enumeration(graphs, {a, b}, y));
    }
  }
}

// Perković 2020, theorem 3.6, by its definition: no path from x to y along which no edge points back, not even between
// nodes that are not next to each other, begins with an open edge.
bool begins_openly(const Pdag& g, Node y, std::vector<Node>& path) {
  const Node at = path.back();
  if (at == y) return true;
  for (const Node next : g.adjacency(at)) {
    if (std::find(path.begin(), path.end(), next) != path.end()) continue;
    if (path.size() == 1 && !g.has_undirected(at, next)) continue;
    const bool points_back =
        std::any_of(path.begin(), path.end(), [&](Node earlier) { return g.has_directed(next, earlier); });
    if (points_back) continue;
    path.push_back(next);
    if (begins_openly(g, y, path)) return true;
    path.pop_back();
  }
  return false;
}

TEST(PossibleEffects, AreIdentifiedWhereNoPathBeginsWithAnOpenEdge) {
  Rng rng(5);
  int identified = 0, not_identified = 0;
  for (int trial = 0; trial < 80; ++trial) {
    const RandomClass graphs = random_class(rng);
    const CausalClass found(graphs.mpdag);
    for (Node x = 0; x < found.size(); ++x) {
      for (Node y = 0; y < found.size(); ++y) {
        if (x == y) continue;
        const EffectSet effects = possible_effects(found, x, y);
        std::vector<Node> path = {x};
        EXPECT_EQ(effects.identified, !begins_openly(graphs.mpdag, y, path));
        (effects.identified ? identified : not_identified)++;
        std::set<Edge> deciding;
        for (const Dag& dag : graphs.members) {
          for (const Node next : graphs.mpdag.neighbours(x)) {
            NodeSet from(dag.size());
            from.insert(next);
            if (dag.has_edge(x, next) && descendants(dag, from).contains(y)) deciding.insert({x, next});
          }
        }
        EXPECT_EQ(std::vector<Edge>(deciding.begin(), deciding.end()), effects.deciding);
      }
    }
  }
  EXPECT_GT(identified, 500);
  EXPECT_GT(not_identified, 500);
}

TEST(PossibleDescendants, AreTheDescendantsInSomeMember) {
  Rng rng(6);
  for (int trial = 0; trial < 200; ++trial) {
    const RandomClass graphs = random_class(rng);
    for (Node v = 0; v < graphs.mpdag.size(); ++v) {
      NodeSet from(graphs.mpdag.size()), all(graphs.mpdag.size());
      from.insert(v);
      for (const Dag& dag : graphs.members) all |= descendants(dag, from);
      EXPECT_EQ(possible_descendants(graphs.mpdag, v), all);
    }
  }
}

// All valid sets of small DAGs: O is among them whenever x causes y.
TEST(OptimalAdjustment, IsValid) {
  for (const Dag& dag : test::all_dags(4)) {
    const Adjustment found = optimal_adjustment(dag, 0, 3);
    EXPECT_TRUE(found.none || is_valid_adjustment(dag, 0, 3, found.set));
  }
}

// x -> m -> y, c a common cause of x and m, w a cause of y alone, d an effect of m: O holds c and w, the cause of y
// that has nothing to do with x but makes the estimate more precise.
TEST(OptimalAdjustment, OfASmallGraph) {
  enum { x, m, y, c, w, d };
  const Dag dag = dag_from_edges(6, {{x, m}, {m, y}, {c, x}, {c, m}, {w, y}, {m, d}}).value();
  const Adjustment found = optimal_adjustment(dag, x, y);
  EXPECT_FALSE(found.none);
  EXPECT_EQ(found.set, (std::vector<Node>{c, w}));
  EXPECT_EQ(found.paths, (std::vector<Node>{m, y}));
  EXPECT_TRUE(optimal_adjustment(dag, y, x).none);
}

// A clique of n nodes has 2^(n-1) sets of parents for each node: refused from n = 14 on.
TEST(PossibleEffects, StopAtALimit) {
  for (const int p : {12, 20}) {
    Pdag clique(p);
    for (Node a = 0; a < p; ++a) {
      for (Node b = a + 1; b < p; ++b) clique.add_undirected(a, b);
    }
    const EffectSet found = possible_effects(CausalClass(clique), 0, 1);
    EXPECT_EQ(found.too_many, p == 20);
    if (p == 20) continue;
    EXPECT_EQ(found.list.size(), 1u + (1u << (p - 2)));  // none, or any set of the others first
    EXPECT_NEAR(found.list[0].share, 0.5, 1e-12);
    EXPECT_TRUE(found.list[0].on_outcome[0].none);
  }
}

}  // namespace
}  // namespace agon
