#include "agon/referee/edge_losses.h"

#include <gtest/gtest.h>

#include "agon/referee/test_problems.h"

namespace agon {
namespace {

double best_without(ProofProblem problem, const std::vector<Edge>& arcs) {
  KnowledgeBuilder builder(problem.data->names());
  for (const Edge& arc : arcs) builder.forbid(problem.data->names()[arc.from], problem.data->names()[arc.to], "test");
  problem.knowledge = builder.build();
  return best_score(problem);
}

// Against the best of all graphs without the edge, and without the arrow.
TEST(EdgeLosses, AreThoseOfTheBestGraphWithoutTheEdge) {
  Rng rng(5);
  int edges = 0;
  for (int k = 0; k < 8; ++k) {
    const ProofProblem problem = random_proof_problem(rng, k % 2 == 0 ? "discrete-bic" : "gaussian-bic", 6, false);
    const Judgement v = judge(problem.judged(), {}, problem.some, {.work = 1e10});
    ASSERT_TRUE(v.proven);
    for (const bool dp : {true, false}) {
      for (const EdgeLoss& loss : edge_losses(problem.judged(), {}, v.proof, v.upper_bound, {.work = 1e11, .dp = dp})) {
        ++edges;
        const Edge reverse{loss.edge.to, loss.edge.from};
        ASSERT_TRUE(loss.adjacency && loss.direction);
        EXPECT_TRUE(loss.adjacency->proven && loss.direction->proven);
        EXPECT_NEAR(loss.adjacency->value, v.score - best_without(problem, {loss.edge, reverse}), 2e-3);
        EXPECT_NEAR(loss.direction->value, v.score - best_without(problem, {loss.edge}), 2e-3);
        EXPECT_GE(loss.adjacency->value, loss.direction->value - 2e-3);
      }
    }
  }
  EXPECT_GT(edges, 40);
}

// With hardly any work they are bounds: never above the loss.
TEST(EdgeLosses, AreBoundsWhereWorkIsShort) {
  Rng rng(6);
  const ProofProblem problem = random_proof_problem(rng, "discrete-bic", 7, false);
  const Judgement v = judge(problem.judged(), {}, problem.some, {.work = 1e10});
  ASSERT_TRUE(v.proven);
  for (const EdgeLoss& loss : edge_losses(problem.judged(), {}, v.proof, v.upper_bound, {.work = 1, .dp = false})) {
    const Edge reverse{loss.edge.to, loss.edge.from};
    ASSERT_TRUE(loss.adjacency);
    EXPECT_LE(loss.adjacency->value, v.score - best_without(problem, {loss.edge, reverse}) + 2e-3);
  }
}

TEST(EdgeLosses, OfARequiredEdgeAreNotAsked) {
  Rng rng(7);
  ProofProblem problem = random_proof_problem(rng, "gaussian-bic", 7, false);
  KnowledgeBuilder builder(problem.data->names());
  builder.require("x0", "x3", "test");
  problem.knowledge = builder.build();
  problem.some = repair(problem.some, problem.knowledge);
  const Judgement v = judge(problem.judged(), problem.knowledge, problem.some, {.work = 1e10});
  int asked = 0;
  for (const EdgeLoss& loss : edge_losses(problem.judged(), problem.knowledge, v.proof, v.upper_bound, {})) {
    const bool required = problem.knowledge.is_required(loss.edge);
    asked += required ? 0 : 1;
    EXPECT_EQ(loss.adjacency.has_value(), !required);
    EXPECT_EQ(loss.direction.has_value(), !required);
  }
  EXPECT_GT(asked, 0);
}

}  // namespace
}  // namespace agon
