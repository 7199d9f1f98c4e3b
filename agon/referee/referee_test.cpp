#include "agon/referee/referee.h"

#include <gtest/gtest.h>

#include <cmath>

#include "agon/base/error.h"
#include "agon/certificate/plain_bound.h"
#include "agon/data/embedded.h"
#include "agon/referee/clusters.h"
#include "agon/referee/linear_program.h"
#include "agon/referee/test_problems.h"

namespace agon {
namespace {

const std::vector<std::string> kScores = {"discrete-bic", "gaussian-bic", "copula-bic", "bdeu", "qnml", "qnml-edges"};

// Every rule that leaves families out, against all families.
TEST(Families, TheListsHoldABestGraph) {
  Rng rng(1);
  for (int k = 0; k < 60; ++k) {
    const ProofProblem problem = random_proof_problem(rng, kScores[k % 6], 4 + rng.below(4), k % 3 == 0);
    const int limit = rng.below(4);
    const auto lists = list_families(*problem.scorer, problem.knowledge, {.limit = limit});
    ASSERT_TRUE(lists);
    const auto best = best_by_dp({lists->of});
    ASSERT_EQ(best.has_value(), best_score(problem, limit) > -1e200) << k;
    if (!best) continue;
    const double truth = best_score(problem, limit), found = static_cast<double>(best->score) * kProofUnit;
    EXPECT_GE(found, truth - 1e-9) << problem.score << " " << k;
    EXPECT_LE(found, truth + 1e-5) << problem.score << " " << k;
  }
}

TEST(Families, DoNotDependOnThreads) {
  const Dataset data = embedded_table("lucas", 500);
  const auto scorer = plain::discrete_bic(data, 1);
  const auto one = list_families(*scorer, {}, {.threads = 1}), three = list_families(*scorer, {}, {.threads = 3});
  ASSERT_TRUE(one && three);
  EXPECT_EQ(one->sets, three->sets);
  for (Node v = 0; v < data.size(); ++v) {
    ASSERT_EQ(one->of[v].size(), three->of[v].size());
    for (size_t k = 0; k < one->of[v].size(); ++k) {
      EXPECT_EQ(one->of[v][k].score, three->of[v][k].score);
      EXPECT_EQ(one->of[v][k].parents, three->of[v][k].parents);
    }
  }
}

// With dynamic programming and without, with knowledge and without: the referee finds the best graph, proves it, and
// the checker confirms it from the table.
TEST(Referee, ProvesTheBestGraphOfSmallProblems) {
  Rng rng(2);
  for (int k = 0; k < 48; ++k) {
    const ProofProblem problem = random_proof_problem(rng, kScores[k % 6], 4 + rng.below(5), k % 3 == 0);
    const bool dp = k % 2 == 0;
    if (!dp && !has_linear_program()) continue;
    const Judgement v = judge(problem.judged(), problem.knowledge, problem.some, {.work = 1e10, .dp = dp});
    ASSERT_TRUE(v.judged) << v.story.back();
    EXPECT_EQ(v.limit, 0);
    EXPECT_TRUE(v.proven) << problem.score << " " << k << " gap " << v.gap();
    EXPECT_NEAR(v.score, best_score(problem), 1e-5) << problem.score << " " << k;
    const Dag& best = v.better ? *v.better : problem.some;
    EXPECT_TRUE(satisfies(best, problem.knowledge));
    const Proof read = read_proof(to_text(v.proof), "proof");
    const ProofVerdict checked = check_proof(read, problem.judged(), problem.knowledge);
    EXPECT_TRUE(checked.accepted) << checked.why;
    EXPECT_TRUE(checked.proven);
    EXPECT_EQ(to_text(read), to_text(v.proof));
  }
}

// Linear programs are the wrong tool for dense numbers. They must leave the work that dynamic programming needs.
TEST(Referee, ProvesDenseNumbersByDynamicProgramming) {
  Rng rng(3);
  const ProofProblem problem = random_proof_problem(rng, "gaussian-bic", 17, false);
  const Judgement v = judge(problem.judged(), problem.knowledge, problem.some, {.work = 1e9});
  EXPECT_TRUE(v.proven) << v.gap();
  EXPECT_EQ(v.limit, 0);
}

// Wherever it is stopped, the bound is above the best score and the proof is accepted.
TEST(Referee, IsRightWheneverItStops) {
  Rng rng(3);
  for (int k = 0; k < 60; ++k) {
    const ProofProblem problem = random_proof_problem(rng, kScores[k % 2], 7, k % 3 == 0);
    const double work = std::pow(10.0, 4 + 4 * rng.uniform());
    const Judgement v = judge(problem.judged(), problem.knowledge, problem.some, {.work = work, .dp = false});
    ASSERT_TRUE(v.judged);
    EXPECT_GE(v.upper_bound, best_score(problem, v.limit) - 1e-6) << problem.score << " " << k;
    const ProofVerdict checked = check_proof(v.proof, problem.judged(), problem.knowledge);
    EXPECT_TRUE(checked.accepted);
    EXPECT_DOUBLE_EQ(checked.upper_bound, v.upper_bound);
  }
}

TEST(ProofCheck, NoDamagedProofIsAcceptedBelowTheOptimum) {
  Rng rng(4);
  long accepted = 0, refused = 0;
  for (int k = 0; k < 6; ++k) {
    const ProofProblem problem = random_proof_problem(rng, kScores[k % 2], 7, k % 3 == 0);
    const Judgement v = judge(problem.judged(), problem.knowledge, problem.some, {.work = 1e10, .dp = k % 2 == 0});
    const double best = best_score(problem);
    const std::string text = to_text(v.proof);
    for (int m = 0; m < 250; ++m) {
      try {
        const ProofVerdict checked =
            check_proof(read_proof(mutated(text, rng), "mutated"), problem.judged(), problem.knowledge);
        (checked.accepted ? accepted : refused) += 1;
        if (!checked.accepted) continue;
        const double limited = checked.limit == 0 ? best : best_score(problem, checked.limit);
        EXPECT_GE(checked.upper_bound, limited - 1e-6);
      } catch (const InputError&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(accepted, 50);  // otherwise nothing was tried
  EXPECT_GT(refused, 50);
}

TEST(ProofCheck, RefusesWhatDoesNotHold) {
  Rng rng(5);
  const ProofProblem problem = random_proof_problem(rng, "discrete-bic", 6, false);
  const Judgement v = judge(problem.judged(), {}, problem.some, {.work = 1e10});
  const auto check = [&](const Proof& proof) { return check_proof(proof, problem.judged(), {}); };
  ASSERT_TRUE(check(v.proof).accepted);
  Proof other = v.proof;
  other.checksum = "0";
  EXPECT_FALSE(check(other).accepted);
  other = v.proof;
  other.penalty = 2;
  EXPECT_FALSE(check(other).accepted);
  other = v.proof;
  other.claim += 1;
  EXPECT_FALSE(check(other).accepted);
  other = v.proof;
  other.cuts.push_back({1, 0, {0, 1, 2}, {}});  // two of three nodes may have parents here
  EXPECT_FALSE(check(other).accepted);
  other = v.proof;
  other.cuts.push_back({0, 1, {0, 1}, {{0, {1}, 2}, {1, {0}, 1}}});  // a graph has the weight 2
  EXPECT_FALSE(check(other).accepted);
  other.cuts.back().right = 2;
  EXPECT_TRUE(check(other).accepted);
  other = v.proof;
  other.required.assign(6, {});
  other.required[0] = {1};  // knowledge that the caller does not have
  EXPECT_FALSE(check(other).accepted);
}

// Two nodes that want each other: 1-clusters say that one of them has to do without.
TEST(Bound, OfATwoCycle) {
  SearchSpace space;
  space.of = {{{10, bits_of(std::vector<Node>{1})}, {0, {}}}, {{7, bits_of(std::vector<Node>{0})}, {0, {}}}};
  const Cuts cuts({{1, 1, {0, 1}, {}}}, 2);
  EXPECT_EQ(static_cast<long>(bound_of(space, cuts, {}).total), 17);
  EXPECT_EQ(static_cast<long>(bound_of(space, cuts, {{0, 7}}).total), 10);
  EXPECT_EQ(static_cast<long>(best_by_dp(space)->score), 10);
  drop(space, bound_of(space, cuts, {{0, 7}}), 9);
  EXPECT_EQ(space.of[0].size(), 1u);  // without its parent, 0 is too far behind
  EXPECT_EQ(space.of[1].size(), 2u);
  decide(space, 0, 1, true);
  EXPECT_TRUE(space.has_empty());  // that parent would close a cycle
}

// The weights of a linear program sum to 1 up to rounding. Where 0 and 1 want each other by a little more than that,
// the way from 2 over them and back went round for ever.
TEST(Clusters, EndWhereWeightsSumToALittleMoreThanOne) {
  const auto set = [](std::vector<Node> nodes) { return bits_of(nodes); };
  const double more = 1e-7;
  const RelaxedPoint point = {
      3, {{0, set({1}), 0.5 + more}, {0, set({1, 2}), 0.5}, {1, set({0}), 1 + more}, {2, {}, 0.1}, {2, set({1}), 0.9}}};
  const std::vector<ProofCut> cuts = violated_clusters(point, 10);
  ASSERT_FALSE(cuts.empty());
  EXPECT_EQ(cuts[0].cluster, 1);
  EXPECT_EQ(cuts[0].nodes, (std::vector<Node>{0, 1}));
}

TEST(Proof, SaysWhereAFileIsDamaged) {
  Rng rng(6);
  const ProofProblem problem = random_proof_problem(rng, "discrete-bic", 4, false);
  const std::string text = to_text(judge(problem.judged(), {}, problem.some).proof);
  EXPECT_NO_THROW(read_proof(text, "p"));
  EXPECT_THROW(read_proof("", "p"), InputError);
  EXPECT_THROW(read_proof(text.substr(0, text.size() / 2), "p"), InputError);
  std::string wrong = text;
  wrong[wrong.find("claim") + 7] ^= 1;
  EXPECT_THROW(read_proof(wrong, "p"), InputError);  // the sum does not fit
}

}  // namespace
}  // namespace agon
