#include "agon/graph/d_separation.h"

#include <gtest/gtest.h>

#include "agon/base/rng.h"
#include "agon/graph/equivalence.h"
#include "agon/graph/test_graphs.h"

namespace agon {
namespace {

NodeSet set_of(int p, unsigned bits) {
  NodeSet out(p);
  for (Node v = 0; v < p; ++v) {
    if (bits >> v & 1) out.insert(v);
  }
  return out;
}

// The plain twin (Lauritzen et al. 1990): keep the ancestors of a, b and the set, marry parents, drop directions, take
// the set out; separated means no path is left.
bool separated_in_moral_graph(const Dag& dag, Node a, Node b, const NodeSet& given) {
  NodeSet kept = given;
  kept.insert(a);
  kept.insert(b);
  kept = ancestors(dag, kept);
  Pdag moral(dag.size());
  const auto join = [&](Node u, Node v) {
    if (!moral.adjacent(u, v)) moral.add_undirected(u, v);
  };
  for (Node v : kept) {
    for (Node u : dag.parents(v)) {
      join(u, v);
      for (Node w : dag.parents(v)) {
        if (u != w) join(u, w);
      }
    }
  }
  NodeSet reached(dag.size());
  reached.insert(a);
  std::vector<Node> stack = {a};
  while (!stack.empty()) {
    const Node v = stack.back();
    stack.pop_back();
    for (Node u : moral.neighbours(v)) {
      if (reached.contains(u) || given.contains(u)) continue;
      reached.insert(u);
      stack.push_back(u);
    }
  }
  return !reached.contains(b);
}

TEST(DSeparation, WorkedExamples) {
  const Dag chain = dag_from_parents({{}, {0}, {1}});
  EXPECT_FALSE(d_separated(chain, 0, 2, NodeSet(3)));
  EXPECT_TRUE(d_separated(chain, 0, 2, set_of(3, 0b010)));

  const Dag collider = dag_from_parents({{}, {}, {0, 1}, {2}});  // 0 -> 2 <- 1, 2 -> 3
  EXPECT_TRUE(d_separated(collider, 0, 1, NodeSet(4)));
  EXPECT_FALSE(d_separated(collider, 0, 1, set_of(4, 0b0100)));
  EXPECT_FALSE(d_separated(collider, 0, 1, set_of(4, 0b1000)));  // a descendant of the collider opens it too
  EXPECT_EQ(d_connected(collider, 0, NodeSet(4)).to_vector(), (std::vector<Node>{0, 2, 3}));
}

TEST(DSeparation, AgreesWithTheMoralGraphOnAllDagsOfFourNodes) {
  for (const Dag& dag : test::all_dags(4)) {
    for (unsigned bits = 0; bits < 16; ++bits) {
      const NodeSet given = set_of(4, bits);
      for (Node a = 0; a < 4; ++a) {
        for (Node b = 0; b < 4; ++b) {
          if (a == b || given.contains(a) || given.contains(b)) continue;
          ASSERT_EQ(d_separated(dag, a, b, given), separated_in_moral_graph(dag, a, b, given));
        }
      }
    }
  }
}

TEST(DSeparation, AgreesWithTheMoralGraphOnRandomDags) {
  Rng rng(1);
  int separated = 0;
  for (int round = 0; round < 3000; ++round) {
    const int p = 5 + rng.below(70);
    const Dag dag = test::random_dag(p, 4.0 / p * rng.uniform(), rng);
    NodeSet given(p);
    const Node a = rng.below(p);
    const Node b = (a + 1 + rng.below(p - 1)) % p;
    for (Node v = 0; v < p; ++v) {
      if (v != a && v != b && rng.below(4) == 0) given.insert(v);
    }
    const bool answer = d_separated(dag, a, b, given);
    separated += answer;
    ASSERT_EQ(answer, separated_in_moral_graph(dag, a, b, given));
    ASSERT_EQ(answer, d_separated(dag, b, a, given));
  }
  EXPECT_GT(separated, 300);
  EXPECT_LT(separated, 2700);
}

// Equivalent DAGs promise the same independences, and only those do (Verma & Pearl 1990).
TEST(DSeparation, TellsClassesApart) {
  const std::vector<Dag> dags = test::all_dags(4);
  std::vector<std::vector<bool>> promises;
  for (const Dag& dag : dags) {
    std::vector<bool> promise;
    for (unsigned bits = 0; bits < 16; ++bits) {
      for (Node a = 0; a < 4; ++a) {
        for (Node b = a + 1; b < 4; ++b) {
          if (bits >> a & 1 || bits >> b & 1) continue;
          promise.push_back(d_separated(dag, a, b, set_of(4, bits)));
        }
      }
    }
    promises.push_back(promise);
  }
  for (size_t i = 0; i < dags.size(); i += 2) {
    for (size_t j = 0; j < dags.size(); ++j) ASSERT_EQ(promises[i] == promises[j], same_class(dags[i], dags[j]));
  }
}

TEST(MarkovBlanket, IsTheSmallestSetThatSeparatesANodeFromAllOthers) {
  Rng rng(8);
  const int p = 6;
  for (int round = 0; round < 30; ++round) {
    const Dag dag = test::random_dag(p, rng.uniform(), rng);
    for (Node v = 0; v < p; ++v) {
      const NodeSet blanket = markov_blanket(dag, v);
      for (unsigned bits = 0; bits < 1u << p; ++bits) {
        const NodeSet given = set_of(p, bits);
        if (given.contains(v)) continue;
        NodeSet reached = d_connected(dag, v, given);  // without v: what the set does not separate from it
        reached.erase(v);
        const bool separates = reached.empty();
        ASSERT_TRUE(!separates || given.count() >= blanket.count());
        ASSERT_TRUE(given != blanket || separates);
      }
    }
  }
}

}  // namespace
}  // namespace agon
