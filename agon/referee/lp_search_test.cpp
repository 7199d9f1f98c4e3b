#include "agon/referee/lp_search.h"

#include <gtest/gtest.h>

#include "agon/referee/test_problems.h"
#include "agon/score/discrete_score.h"
#include "agon/score/gaussian_score.h"

namespace agon {
namespace {

// On few columns nothing is left out, so the answer is the best of all graphs, with knowledge and without.
TEST(LpSearch, FindsTheBestGraphOfSmallProblems) {
  Rng rng(5);
  for (int k = 0; k < 24; ++k) {
    const bool numbers = k % 2 == 0;
    const ProofProblem problem =
        random_proof_problem(rng, numbers ? "gaussian-bic" : "discrete-bic", 4 + rng.below(4), k % 3 == 0);
    std::unique_ptr<LocalScore> score;
    if (numbers) {
      score = std::make_unique<GaussianBic>(*problem.data, GaussianBic::Scale::kRaw);
    } else {
      score = std::make_unique<DiscreteBic>(*problem.data);
    }
    const SearchResult found = lp_search(*score, {}, {}, problem.knowledge);
    EXPECT_EQ(found.stopped_by, "no better graph is left");
    EXPECT_TRUE(satisfies(found.dag, problem.knowledge));
    EXPECT_NEAR(found.score, best_score(problem), 1e-4) << problem.score << " " << k;
  }
}

// A budget too small for a single relaxation still gives a graph that no edit improves.
TEST(LpSearch, ClimbsWhereTheWorkIsSpent) {
  Rng rng(6);
  const ProofProblem problem = random_proof_problem(rng, "discrete-bic", 8, false);
  const DiscreteBic score(*problem.data);
  const SearchResult found = lp_search(score, {.work = 1});
  for (Node from = 0; from < 8; ++from) {
    for (Node to = 0; to < 8; ++to) {
      if (from == to || found.dag.has_edge(to, from)) continue;
      const MoveKind kind = found.dag.has_edge(from, to) ? MoveKind::kRemove : MoveKind::kAdd;
      Dag edited = found.dag;
      if (kind == MoveKind::kRemove) edited.remove_edge(from, to);
      if (kind == MoveKind::kAdd) edited.add_edge(from, to);
      if (!is_acyclic(edited)) continue;
      EXPECT_LE(total(score, edited), found.score + 1e-9);
    }
  }
}

}  // namespace
}  // namespace agon
