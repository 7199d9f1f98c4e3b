#include "agon/effect/next_step.h"

#include <gtest/gtest.h>

#include <cmath>

#include "agon/graph/equivalence.h"
#include "agon/graph/test_graphs.h"

namespace agon {
namespace {

// What experiments on `targets` settle if `member` is the truth: the interventional class of that member.
int settled_in(const Pdag& cpdag, const std::vector<Node>& targets, const Dag& member) {
  std::vector<int> row_set(cpdag.size(), 0);
  for (size_t k = 0; k < targets.size(); ++k) row_set[targets[k]] = static_cast<int>(k) + 1;
  return cpdag.undirected_count() - cpdag_of(member, row_set).reversible_count();
}

TEST(NextSteps, CountWhatEveryMemberWouldSettle) {
  Rng rng(1);
  for (int trial = 0; trial < 60; ++trial) {
    const Dag dag = test::random_chordal_dag(3 + rng.below(5), rng);
    const Pdag cpdag = cpdag_of(dag).pdag();
    const std::vector<Dag> members = test::members_by_walk(dag);
    const double all = static_cast<double>(members.size());
    const CausalClass graphs(cpdag);
    const NextSteps next = next_steps(graphs, 2);
    ASSERT_TRUE(next.log_members);
    EXPECT_NEAR(std::exp(*next.log_members), all, 1e-6);
    const auto expect_settled = [&](const Settled& found, const std::vector<Node>& targets) {
      double least = 1e9, mean = 0;
      for (const Dag& member : members) {
        const int settled = settled_in(cpdag, targets, member);
        least = std::min<double>(least, settled);
        mean += settled / all;
      }
      EXPECT_NEAR(found.mean, mean, 1e-9);
      EXPECT_EQ(found.least, least);
    };
    for (const ExperimentChoice& choice : next.experiments) expect_settled(choice.settled, {choice.node});
    if (!next.batch.empty()) expect_settled(next.batch_settled, next.batch);
    for (const QuestionChoice& question : next.questions) {
      double forward = 0;
      for (const Dag& member : members) forward += member.has_edge(question.edge.from, question.edge.to) / all;
      EXPECT_NEAR(question.forward, forward, 1e-9);
    }
    for (size_t k = 0; k + 1 < next.experiments.size(); ++k) {
      EXPECT_GE(next.experiments[k].settled.mean, next.experiments[k + 1].settled.mean - 1e-9);
    }
  }
}

// a - b - c: setting b settles both edges for certain. So does it to know a -> b; b -> a leaves b - c open.
TEST(NextSteps, OfAChain) {
  Pdag chain(3);
  chain.add_undirected(0, 1);
  chain.add_undirected(1, 2);
  const CausalClass graphs(chain);
  const NextSteps next = next_steps(graphs, 3, ChosenEffect{0, 2});
  EXPECT_EQ(next.experiments[0].node, 1);
  EXPECT_EQ(next.experiments[0].settled.least, 2);
  EXPECT_EQ(next.experiments[0].identified, 1);
  EXPECT_EQ(next.batch, (std::vector<Node>{1}));
  EXPECT_NEAR(next.questions[0].forward, 1.0 / 3, 1e-12);  // 0 -> 1 in one of three
  EXPECT_NEAR(next.questions[0].settled.mean, 1.0 / 3 * 2 + 2.0 / 3, 1e-12);
  double shares = 0;
  for (const Outcome& outcome : outcomes_of(graphs, 0, {0, 2})) {
    shares += outcome.share;
    EXPECT_TRUE(outcome.effects.identified);
  }
  EXPECT_NEAR(shares, 1, 1e-12);
}

}  // namespace
}  // namespace agon
