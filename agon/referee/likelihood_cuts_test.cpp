#include "agon/referee/likelihood_cuts.h"

#include <gtest/gtest.h>

#include "agon/certificate/proof_check.h"
#include "agon/referee/referee.h"
#include "agon/referee/test_problems.h"

namespace agon {
namespace {

Dag any_dag(Rng& rng, int nodes) {
  Dag out(nodes);
  for (Node to = 0; to < nodes; ++to) {
    for (Node from = 0; from < to; ++from) {
      if (rng.below(2) == 0) out.add_edge(from, to);
    }
  }
  return out;
}

NodeBits any_set(Rng& rng, int nodes) {
  NodeBits out;
  for (Node v = 0; v < nodes; ++v) {
    if (rng.below(3) > 0) out.insert(v);
  }
  return out;
}

TEST(LikelihoodCuts, HoldInEveryAcyclicGraph) {
  Rng rng(1);
  for (int k = 0; k < 20; ++k) {
    const int p = 4 + rng.below(5);
    const ProofProblem problem = random_proof_problem(rng, k % 2 == 0 ? "gaussian-bic" : "copula-bic", p, false);
    Cuts cuts(p, problem.scorer->set_scores(0));
    for (int m = 0; m < 20; ++m) {
      const NodeBits nodes = any_set(rng, p);
      if (nodes.empty()) continue;
      const int cut = cuts.add({ProofCut::kLikelihood, 0, nodes.to_vector(), {}});
      const Dag dag = any_dag(rng, p);
      int64_t sum = 0;
      for (const Node v : nodes.to_vector()) sum += cuts.weight(cut, v, bits_of(dag.parent_list(v)));
      EXPECT_LE(sum, cuts.right(cut));
      // More parents never weigh less.
      const Node v = nodes.first();
      const NodeBits some = any_set(rng, p).without(v), more = some | any_set(rng, p).without(v);
      EXPECT_LE(cuts.weight(cut, v, some), cuts.weight(cut, v, more) + 1000);  // up to rounding, of 2e-7 nats
    }
  }
}

TEST(LikelihoodCuts, BoundEveryGraphForAnyMultiplier) {
  Rng rng(2);
  for (int k = 0; k < 12; ++k) {
    const int p = 4 + rng.below(4);
    const ProofProblem problem = random_proof_problem(rng, "gaussian-bic", p, false);
    const auto lists = list_families(*problem.scorer, {}, {});
    ASSERT_TRUE(lists && lists->likelihoods);
    Cuts cuts(p, lists->likelihoods);
    std::vector<ProofMultiplier> multipliers;
    for (int m = 0; m < 3; ++m) {
      NodeBits nodes = any_set(rng, p);
      nodes.insert(0);
      const int cut = cuts.add({ProofCut::kLikelihood, 0, nodes.to_vector(), {}});
      multipliers.push_back({cut, static_cast<int64_t>(rng.uniform() / kProofUnit)});
    }
    EXPECT_GE(nats(bound_of({lists->of}, cuts, multipliers).total), best_score(problem) - 1e-6);
  }
}

// Three columns that explain each other: every node takes both others as its parents, and then none has any.
TEST(LikelihoodCuts, AreFoundWhereFamiliesFitBetterThanAllNodesCan) {
  Rng rng(3);
  const ProofProblem problem = random_proof_problem(rng, "gaussian-bic", 6, false);
  const FitGains gains(problem.scorer->set_scores(0));
  RelaxedPoint point{6, {}};
  for (Node v = 0; v < 6; ++v) {
    NodeBits others;
    for (Node q = 0; q < 6; ++q) {
      if (q != v) others.insert(q);
    }
    point.families.push_back({v, others, 0.8});
    point.families.push_back({v, {}, 0.2});
  }
  const LikelihoodCuts found = violated_likelihood_cuts(point, gains, 0.01);
  ASSERT_FALSE(found.cuts.empty());
  EXPECT_GT(found.work, 0);
  Cuts cuts(6, problem.scorer->set_scores(0));
  for (const ProofCut& text : found.cuts) {
    const int cut = cuts.add(text);
    double sum = 0;
    for (const WeightedFamily& f : point.families) {
      if (cuts.nodes(cut).contains(f.child)) {
        sum += f.weight * static_cast<double>(cuts.weight(cut, f.child, f.parents)) * kProofUnit;
      }
    }
    EXPECT_GT(sum, static_cast<double>(cuts.right(cut)) * kProofUnit);
  }
}

TEST(LikelihoodCuts, AreReadAgainAndRefusedWhereTheScoreHasNone) {
  Rng rng(4);
  for (const std::string score : {"gaussian-bic", "discrete-bic"}) {
    const ProofProblem problem = random_proof_problem(rng, score, 5, false);
    Judgement v = judge(problem.judged(), {}, problem.some, {.work = 1e9});
    ASSERT_TRUE(v.judged);
    v.proof.cuts.push_back({ProofCut::kLikelihood, 0, {0, 2, 3}, {}});
    const Proof read = read_proof(to_text(v.proof), "proof");
    EXPECT_EQ(to_text(read), to_text(v.proof));
    EXPECT_EQ(check_proof(read, problem.judged(), {}).accepted, score == "gaussian-bic");
  }
}

}  // namespace
}  // namespace agon
