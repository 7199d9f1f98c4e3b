#include "agon/posterior/parent_table.h"

#include <gtest/gtest.h>

#include <bit>

#include "agon/posterior/test_posteriors.h"
#include "agon/score/gaussian_score.h"
#include "agon/score/test_tables.h"

namespace agon {
namespace {

using test::RandomScore;

TEST(LogSum, AddsAndSubtracts) {
  EXPECT_NEAR(log_add(std::log(2.0), std::log(3.0)), std::log(5.0), 1e-15);
  EXPECT_NEAR(log_subtract(std::log(5.0), std::log(3.0)), std::log(2.0), 1e-15);
  EXPECT_EQ(log_add(kLogZero, kLogZero), kLogZero);
  EXPECT_EQ(log_add(-3, kLogZero), -3);
  EXPECT_EQ(log_subtract(-3, kLogZero), -3);
  EXPECT_EQ(log_subtract(-3, -3), kLogZero);
  EXPECT_NEAR(log_add(-2000, -2000), -2000 + std::log(2.0), 1e-12);
}

TEST(ParentTable, HoldsScoresAndTheirSums) {
  const RandomScore score(6, 2, 1);
  const ParentTable table = make_parent_table(score, {}, 2, {0, 1, 4, 5}, 3);
  EXPECT_EQ(table.parents(0b1010), (std::vector<Node>{1, 5}));
  for (ParentMask mask = 0; mask < 16; ++mask) {
    const bool allowed = std::popcount(mask) <= 3;
    EXPECT_EQ(table.own[mask], allowed ? score.local(2, table.parents(mask)) : kLogZero);
    double sum = kLogZero;
    for (ParentMask subset = 0; subset < 16; ++subset) {
      if ((subset & ~mask) == 0) sum = log_add(sum, table.own[subset]);
    }
    EXPECT_NEAR(table.within[mask], sum, 1e-12);
  }
}

TEST(ParentTable, HasRequiredParentsInEverySet) {
  KnowledgeBuilder builder({"a", "b", "c", "d"});
  builder.require("d", "b", "test");
  builder.forbid("c", "b", "test");
  const Knowledge knowledge = builder.build();
  const RandomScore score(4, 2, 1, 2);
  const auto lists = all_parents(score, knowledge);
  EXPECT_EQ(lists[1], (std::vector<Node>{0}));
  EXPECT_EQ(lists[3], (std::vector<Node>{0, 2}));  // the reverse of a required edge is forbidden
  const ParentTable table = make_parent_table(score, knowledge, 1, lists[1], 100);
  EXPECT_EQ(table.always, (std::vector<Node>{3}));
  EXPECT_EQ(table.own[0], score.local(1, std::vector<Node>{3}));
  EXPECT_EQ(table.own[1], score.local(1, std::vector<Node>{0, 3}));
}

TEST(ParentTable, GivesUndefinedScoresNoWeight) {
  Rng rng(3);
  const Dataset data = testing::random_continuous(3, 50, true, rng);  // a copy of v0, and v1 + v2
  const GaussianBic score(data, GaussianBic::Scale::kRaw);
  const Node copy = data.index_of("v3"), original = data.index_of("v0");
  const ParentTable table = make_parent_table(score, {}, copy, {original}, 5);
  EXPECT_NE(table.own[0], kLogZero);
  EXPECT_EQ(table.own[1], kLogZero);
  EXPECT_EQ(table.within[1], table.own[0]);
}

TEST(CandidateParents, AreNeighboursFirstThenGains) {
  const RandomScore score(8, 2, 5);
  Dag first(8), second(8);
  first.add_edge(0, 3);
  first.add_edge(3, 1);
  second.add_edge(5, 3);
  const auto lists = candidate_parents(score, {}, {first, second}, 4);
  for (const Node v : {0, 1, 5}) EXPECT_TRUE(std::ranges::binary_search(lists[3], v)) << v;
  EXPECT_EQ(lists[3].size(), 4u);
  // Where the list is short, parents of the first graph come before those of the second, and both before children.
  EXPECT_EQ(candidate_parents(score, {}, {first, second}, 1)[3], (std::vector<Node>{0}));
  EXPECT_EQ(candidate_parents(score, {}, {first, second}, 2)[3], (std::vector<Node>{0, 5}));
  // With room for all, all are there.
  EXPECT_EQ(candidate_parents(score, {}, {first, second}, 20), all_parents(score, {}));
}

TEST(CandidateParents, LeaveOutConstantsAndForbiddenOnes) {
  RandomScore score(4, 2, 6);
  score.set_constant(2);
  KnowledgeBuilder builder({"a", "b", "c", "d"});
  builder.forbid("b", "a", "test");
  const auto lists = candidate_parents(score, builder.build(), {Dag(4)}, 3);
  EXPECT_EQ(lists[0], (std::vector<Node>{3}));
  EXPECT_TRUE(lists[2].empty());
}

}  // namespace
}  // namespace agon
