#include "agon/certificate/plain_class.h"

#include <gtest/gtest.h>

#include "agon/base/rng.h"
#include "agon/graph/equivalence.h"
#include "agon/graph/test_graphs.h"

namespace agon {
namespace {

TEST(PlainClass, AgreesWithTheOtherAlgorithmOnEverySmallGraph) {
  for (int nodes = 1; nodes <= 4; ++nodes) {
    for (const Dag& dag : test::all_dags(nodes)) EXPECT_EQ(plain::class_of(dag), cpdag_of(dag).pdag());
  }
}

TEST(PlainClass, AgreesWithTheOtherAlgorithmOnRandomGraphs) {
  Rng rng(5);
  for (int round = 0; round < 200; ++round) {
    const Dag dag = test::random_dag(2 + rng.below(30), 0.02 + 0.4 * rng.uniform(), rng);
    EXPECT_EQ(plain::class_of(dag), cpdag_of(dag).pdag());
  }
}

TEST(PlainClass, AgreesWithTheOtherAlgorithmUnderExperiments) {
  Rng rng(7);
  int differs = 0;
  for (int round = 0; round < 200; ++round) {
    const Dag dag = test::random_dag(2 + rng.below(12), 0.1 + 0.6 * rng.uniform(), rng);
    std::vector<int> row_set;
    for (Node v = 0; v < dag.size(); ++v) row_set.push_back(rng.below(3));
    const Pdag plain = plain::class_of(dag, {}, row_set);
    EXPECT_EQ(plain, cpdag_of(dag, row_set).pdag());
    differs += plain != plain::class_of(dag);
  }
  EXPECT_GT(differs, 50);
}

// Knowledge that the graph satisfies: some of its edges are required, and some edges that it lacks are forbidden.
TEST(PlainClass, AgreesWithTheOtherAlgorithmUnderKnowledge) {
  Rng rng(6);
  int differs = 0;
  for (int round = 0; round < 300; ++round) {
    const int nodes = 3 + rng.below(10);
    const Dag dag = test::random_dag(nodes, 0.2 + 0.6 * rng.uniform(), rng);
    std::vector<std::string> names;
    for (Node v = 0; v < nodes; ++v) names.push_back("v" + std::to_string(v));
    KnowledgeBuilder builder(names);
    for (Node a = 0; a < nodes; ++a) {
      for (Node b = 0; b < nodes; ++b) {
        if (a == b || rng.uniform() > 0.1) continue;
        if (dag.has_edge(a, b)) {
          builder.require(names[a], names[b], "test");
        } else {
          builder.forbid(names[a], names[b], "test");
        }
      }
    }
    const Knowledge known = builder.build();
    const Pdag plain = plain::class_of(dag, known);
    EXPECT_EQ(plain, mpdag_of(dag, known));
    differs += plain != plain::class_of(dag);
  }
  EXPECT_GT(differs, 50);
}

}  // namespace
}  // namespace agon
