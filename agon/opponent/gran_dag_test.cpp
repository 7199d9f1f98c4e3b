#include "agon/opponent/gran_dag.h"

#include <gtest/gtest.h>

#include <cmath>

#include "agon/data/simulate.h"
#include "agon/graph/measures.h"
#include "agon/graph/test_graphs.h"
#include "agon/opponent/neighbour_selection.h"
#include "agon/score/test_scores.h"
#include "agon/score/test_tables.h"

namespace agon {
namespace {

Simulated nonlinear(int nodes, uint64_t seed, size_t rows = 1000) {
  const Rng rng(seed);
  const auto parents = random_graph({.nodes = nodes, .average_degree = 2}, rng.split("graph"));
  return simulate_sem(parents, rows, {.mechanism = Mechanism::kMlp}, rng.split("data"));
}

std::vector<std::vector<int>> all_inputs(int p) {
  std::vector<std::vector<int>> inputs(p);
  for (int to = 0; to < p; ++to) {
    for (int from = 0; from < p; ++from) {
      if (from != to) inputs[to].push_back(from);
    }
  }
  return inputs;
}

bool keep_none(int, int) { return false; }

TEST(StandardTable, HasMeanZeroAndVarianceOneAndLeavesConstantsOut) {
  const Dataset data =
      make_dataset({continuous_column("a", {1e300, -1e300, 5, 7}), continuous_column("b", {3, 3, 3, 3}),
                    categorical_column("c", {0, 1, 1, 0}, {"x", "y"})},
                   "t");
  const StandardTable table = standardise(data);
  ASSERT_EQ(table.variables(), 2);
  EXPECT_EQ(table.categorical, 1);
  for (int v = 0; v < 2; ++v) {
    EXPECT_NE(data.column(table.node[v]).name, "b");
    double mean = 0, square = 0;
    for (int r = 0; r < 4; ++r) {
      mean += table.at(r, v) / 4;
      square += table.at(r, v) * table.at(r, v) / 4;
    }
    EXPECT_NEAR(mean, 0, 1e-6);
    EXPECT_NEAR(square, 1, 1e-6);
  }
}

TEST(NeighbourSelection, FindsParentsAndChildrenLinearAndQuadratic) {
  for (Mechanism mechanism : {Mechanism::kLinear, Mechanism::kQuadratic, Mechanism::kMlp}) {
    const Rng rng(3);
    const auto parents = random_graph({.nodes = 60, .average_degree = 2}, rng.split("graph"));
    const Simulated s = simulate_sem(parents, 2000, {.mechanism = mechanism}, rng.split("data"));
    const StandardTable table = standardise(s.data);
    const auto inputs = select_neighbours(table, 20);
    EXPECT_EQ(select_neighbours(table, 20, nullptr, 4), inputs);
    int edges = 0, found = 0, found_backwards = 0;
    const auto has = [&](int to, int from) {
      return std::binary_search(inputs[to].begin(), inputs[to].end(), from) ? 1 : 0;
    };
    for (int to = 0; to < 60; ++to) {
      EXPECT_LE(inputs[to].size(), 20u);
      EXPECT_FALSE(has(to, to));
      for (int from : s.parents[to]) {
        ++edges;
        found += has(to, from);
        found_backwards += has(from, to);
      }
    }
    EXPECT_GE(found, 0.95 * edges) << to_string(mechanism);
    EXPECT_GE(found_backwards, 0.9 * edges) << to_string(mechanism);
  }
}

TEST(NeighbourSelection, ObeysWhatMayEnter) {
  const Simulated s = nonlinear(12, 1);
  const auto inputs =
      select_neighbours(standardise(s.data), 5, [](int from, int to) { return from < to && from != 3; });
  for (int to = 0; to < 12; ++to) {
    for (int from : inputs[to]) EXPECT_TRUE(from < to && from != 3);
  }
}

TEST(WeightedGraph, BreaksCyclesAtTheirWeakestEdge) {
  Rng rng(5);
  const Dataset data = testing::random_continuous(4, 100, false, rng);
  const auto score = make_score("gaussian-bic", data);
  std::vector<WeightedEdge> edges = {{{0, 1}, 3}, {{1, 2}, 1}, {{2, 0}, 2}, {{2, 3}, 0.5}, {{3, 2}, 0.4}};
  LeftOut left;
  const Dag dag = dag_from_weights(edges, *score, {}, &left);
  EXPECT_EQ(dag.edges(), (std::vector<Edge>{{0, 1}, {2, 0}, {2, 3}}));
  EXPECT_EQ(left.cycle, 2);
  // One threshold for all: 1 -> 2 closes the cycle, so everything up to its weight goes.
  EXPECT_EQ(drop_until_acyclic(4, edges, {}), 3);
  EXPECT_EQ(edges.size(), 2u);
}

TEST(WeightedGraph, RequiredEdgesComeFirstAndForbiddenNever) {
  Rng rng(5);
  const Dataset data = testing::random_continuous(4, 100, false, rng);
  const auto score = make_score("gaussian-bic", data);
  KnowledgeBuilder builder(data.names());
  builder.require(data.column(1).name, data.column(0).name, "test");
  builder.forbid(data.column(2).name, data.column(0).name, "test");
  const Knowledge known = builder.build();
  std::vector<WeightedEdge> edges = {{{0, 1}, 3}, {{1, 2}, 1}, {{2, 0}, 2}, {{1, 0}, 0.001}};
  EXPECT_EQ(dag_from_weights(edges, *score, known).edges(), (std::vector<Edge>{{1, 0}, {1, 2}}));
  drop_until_acyclic(4, edges, known);
  EXPECT_EQ(edges, (std::vector<WeightedEdge>{{{1, 0}, 0.001}}));
}

TEST(GranDag, TheLikelihoodRisesAndTheCyclesGo) {
  const Simulated s = nonlinear(8, 2);
  const StandardTable table = standardise(s.data);
  const GranDagLearned learned = learn_gran_dag(table, all_inputs(8), keep_none, {}, Rng(0));
  EXPECT_EQ(learned.stopped_by, "acyclic");
  EXPECT_LE(learned.h, 1e-8);
  const GranDagCheck &first = learned.checks.front(), &last = learned.checks.back();
  EXPECT_EQ(last.step, learned.steps);
  EXPECT_LT(last.loss, first.loss - 0.1);
  EXPECT_LT(last.holdout_loss, first.holdout_loss - 0.1);
  EXPECT_GT(first.h, 1e-3);
  EXPECT_LE(last.h, 1e-8);
  for (size_t k = 1; k < learned.checks.size(); ++k) {
    EXPECT_GE(learned.checks[k].mu, learned.checks[k - 1].mu);
    EXPECT_GE(learned.checks[k].lambda, learned.checks[k - 1].lambda);
    EXPECT_LE(learned.checks[k].edges, learned.checks[k - 1].edges);
  }
}

TEST(GranDag, TheSameForAnyThreadsAnotherForAnotherSeed) {
  const Simulated s = nonlinear(40, 3, 200);  // enough variables for several threads
  const StandardTable table = standardise(s.data);
  GranDagOptions options{.max_steps = 150};
  const GranDagLearned one = learn_gran_dag(table, all_inputs(40), keep_none, options, Rng(0));
  options.threads = 3;
  const GranDagLearned three = learn_gran_dag(table, all_inputs(40), keep_none, options, Rng(0));
  EXPECT_EQ(one.edges, three.edges);
  EXPECT_EQ(one.h, three.h);
  EXPECT_NE(learn_gran_dag(table, all_inputs(40), keep_none, options, Rng(1)).edges, one.edges);
}

TEST(GranDag, TellsTheDirectionOfANonlinearRelation) {
  // x -> y with y = x + 0.6 x^2 + noise: a class of two members under any equivalent score, one answer here.
  int right = 0;
  for (uint64_t seed = 0; seed < 5; ++seed) {
    Rng rng(seed);
    std::vector<double> x, y;
    for (int r = 0; r < 600; ++r) {
      x.push_back(rng.normal());
      y.push_back(x.back() + 0.6 * x.back() * x.back() + 0.5 * rng.normal());
    }
    const Dataset data = make_dataset({continuous_column("x", x), continuous_column("y", y)}, "t");
    const SearchResult r = gran_dag(data, *make_score("gaussian-bic", data), {}, Rng(seed));
    right += r.dag.has_edge(data.index_of("x"), data.index_of("y"));
  }
  EXPECT_EQ(right, 5);
}

TEST(GranDag, RequiredEdgesStandAndForbiddenOnesDoNot) {
  const Simulated s = nonlinear(6, 4, 300);
  const auto score = make_score("gaussian-bic", s.data);
  KnowledgeBuilder builder(s.data.names());
  const Dag truth = dag_from_parents(s.parents);
  for (const Edge& e : truth.edges()) builder.forbid(s.data.column(e.from).name, s.data.column(e.to).name, "test");
  std::vector<Node> order = topological_order(truth);
  builder.require(s.data.column(order[5]).name, s.data.column(order[0]).name, "test");
  const Knowledge known = builder.build();
  for (long steps : {0L, 200L, 100000L}) {
    const SearchResult r = gran_dag(s.data, *score, {.max_steps = steps}, Rng(0), {}, known);
    EXPECT_TRUE(satisfies(r.dag, known)) << steps;
    EXPECT_TRUE(is_acyclic(r.dag));
    EXPECT_EQ(r.score, total(*score, r.dag));
    EXPECT_EQ(r.stopped_by, steps == 100000 ? "acyclic" : "step limit");
  }
}

TEST(GranDag, HasNothingToLearnFromConstants) {
  const Dataset data = make_dataset({continuous_column("a", {1, 1, 1}), continuous_column("b", {2, 2, 2})}, "t");
  const SearchResult r = gran_dag(data, *make_score("gaussian-bic", data));
  EXPECT_EQ(r.dag.edge_count(), 0);
  EXPECT_EQ(r.steps, 0);
}

TEST(GranDag, SelectsInputsOfLargeTablesAndSaysWhenColumnsAreCodes) {
  Rng rng(6);
  const Dataset data = testing::random_categorical({.variables = 12, .rows = 200}, rng);
  const auto score = make_score("discrete-bic", data);
  const SearchResult r = gran_dag(data, *score, {.select_above = 3, .neighbours = 4, .max_steps = 100}, Rng(0));
  ASSERT_GE(r.story.size(), 2u);
  EXPECT_NE(r.story[0].find("used as standardised codes"), std::string::npos);
  EXPECT_NE(r.story[1].find("selected"), std::string::npos);
  for (Node v = 0; v < 12; ++v) EXPECT_LE(r.dag.parents(v).count(), 4);
}

}  // namespace
}  // namespace agon
