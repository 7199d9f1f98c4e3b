#include "agon/posterior/posterior.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "agon/opponent/boss.h"
#include "agon/posterior/test_posteriors.h"
#include "agon/score/discrete_score.h"
#include "agon/score/gaussian_score.h"
#include "agon/score/test_tables.h"

namespace agon {
namespace {

using test::RandomScore;

Posterior sampled(const LocalScore& score, PosteriorOptions options, const Knowledge& knowledge = {}) {
  options.exact_nodes = 0;
  return edge_posterior(score, knowledge, {repair(Dag(score.size()), knowledge)}, options, Rng(1));
}

TEST(Posterior, IsExactForFewNodes) {
  RandomScore score(5, 2, 1);
  score.set_constant(3);
  const Posterior found = edge_posterior(score, {}, {Dag(5)}, {}, Rng(0));
  EXPECT_TRUE(found.exact);
  EXPECT_TRUE(found.converged());
  const auto all = test::enumerated_posterior(score, {});
  for (Node a = 0; a < 5; ++a) {
    for (Node b = 0; b < 5; ++b) {
      const auto at = static_cast<size_t>(a * 5 + b), back = static_cast<size_t>(b * 5 + a);
      EXPECT_NEAR(found.pair(a, b).forward, all.arrow[at], 1e-10);
      EXPECT_NEAR(found.pair(a, b).edge, all.arrow[at] + all.arrow[back], 1e-10);
      EXPECT_NEAR(found.path_probability(a, b), all.path[at], 1e-10);
    }
  }
}

// Every figure of a sample against the exact one, on tables of data: numbers, categories, and with knowledge. A share
// of n effective samples has a standard error of at most 1 / (2 sqrt n); the bound is five of them, which one of the 3
// x 2 x 56 figures exceeds with probability below 336 x 6e-7 = 2e-4 if they were normal and the seeds were not fixed.
TEST(Posterior, SampleAgreesWithTheExactOne) {
  Rng rng(2);
  const Dataset numbers = testing::random_continuous(8, 60, false, rng);
  const Dataset categories = testing::random_categorical({.variables = 8, .rows = 80, .most_levels = 3}, rng);
  const GaussianBic gaussian(numbers, GaussianBic::Scale::kRaw);
  const Bdeu bdeu(categories);
  KnowledgeBuilder builder(numbers.names());
  builder.require("v3", "v5", "test");
  builder.forbid("v0", "v1", "test");
  builder.tier(1, {"v2", "v6"}, true, false, "test");
  builder.tier(2, {"v4", "v7"}, false, false, "test");
  const Knowledge some = builder.build();
  const std::vector<std::pair<const LocalScore*, Knowledge>> cases = {
      {&gaussian, Knowledge()}, {&bdeu, Knowledge()}, {&gaussian, some}};
  for (const auto& [score, knowledge] : cases) {
    const Posterior exact = edge_posterior(*score, knowledge, {repair(Dag(8), knowledge)}, {}, Rng(0));
    ASSERT_TRUE(exact.exact);
    const Posterior drawn = sampled(*score, {.steps = 200'000, .max_parents = 7}, knowledge);
    EXPECT_FALSE(drawn.exact);
    EXPECT_EQ(drawn.sample.left_out, 0);
    EXPECT_TRUE(drawn.converged()) << drawn.sample.r_hat;
    ASSERT_GT(drawn.sample.ess, 200);
    const double bound = 5 / (2 * std::sqrt(drawn.sample.ess));
    for (Node a = 0; a < 8; ++a) {
      for (Node b = 0; b < 8; ++b) {
        EXPECT_NEAR(drawn.pair(a, b).forward, exact.pair(a, b).forward, bound) << a << " " << b;
        EXPECT_NEAR(drawn.path_probability(a, b), exact.path_probability(a, b), bound) << a << " " << b;
      }
    }
  }
}

TEST(Posterior, IsTheSameForAnyNumberOfThreads) {
  Rng rng(3);
  const Dataset data = testing::random_continuous(15, 100, false, rng);
  const GaussianBic score(data, GaussianBic::Scale::kRaw);
  const Dag start = boss(score, {}, Rng(0)).dag;
  std::vector<Posterior> found;
  for (const int threads : {1, 2, 3}) {
    found.push_back(edge_posterior(score, {}, {start}, {.steps = 5000, .threads = threads}, Rng(4)));
  }
  for (const Posterior& other : {found[1], found[2]}) {
    EXPECT_EQ(other.arrow, found[0].arrow);
    EXPECT_EQ(other.path, found[0].path);
    EXPECT_EQ(other.sample.r_hat, found[0].sample.r_hat);
    EXPECT_EQ(other.sample.traces[1].scores, found[0].sample.traces[1].scores);
  }
  EXPECT_FALSE(found[0].exact);
}

// A chain that needs more steps makes them: the default goes on until R-hat is good, and says how far it went.
TEST(Posterior, GoesOnUntilItHasConverged) {
  Rng rng(5);
  const Dataset data = testing::random_continuous(14, 200, false, rng);
  const GaussianBic score(data, GaussianBic::Scale::kRaw);
  const Dag start = boss(score, {}, Rng(0)).dag;
  const Posterior found = edge_posterior(score, {}, {start}, {.exact_nodes = 0, .samples = 500}, Rng(1));
  EXPECT_TRUE(found.converged()) << found.sample.r_hat;
  EXPECT_GE(found.sample.steps, 1000);
  EXPECT_TRUE(found.stopped_by.empty());
  EXPECT_EQ(found.sample.traces.size(), 2u);
  EXPECT_GT(found.sample.accepted, 0);
  EXPECT_LT(found.sample.accepted, 1);
}

TEST(Posterior, SaysWhatTheCandidatesLeaveOut) {
  const RandomScore score(14, 1, 6, 3);
  const Posterior found = sampled(score, {.steps = 2000, .candidates = 4, .max_parents = 2});
  EXPECT_EQ(found.sample.candidates, 4);
  EXPECT_EQ(found.sample.max_parents, 2);
  EXPECT_EQ(found.sample.left_out, 14 * (13 - 4));
  for (Node b = 0; b < 14; ++b) {
    int possible = 0;
    for (Node a = 0; a < 14; ++a) possible += found.pair(a, b).forward > 0;
    EXPECT_LE(possible, 4);
  }
}

TEST(Posterior, GivesWhatItHasWhenStopped) {
  const RandomScore score(14, 1, 7, 3);
  std::atomic<bool> stop = true;
  Watch watch;
  watch.interrupted = &stop;
  const Posterior none = edge_posterior(score, {}, {Dag(14)}, {}, Rng(0), watch);
  EXPECT_TRUE(none.empty());
  EXPECT_FALSE(none.converged());
  EXPECT_EQ(none.stopped_by, "interrupted");
  EXPECT_EQ(none.pair(0, 1), PairPosterior{});

  stop = false;
  int reports = 0;
  watch.report = [&](const Progress& progress) { stop = progress.phase == "posterior" && ++reports == 5; };
  const Posterior some = edge_posterior(score, {}, {Dag(14)}, {.steps = 1'000'000}, Rng(0), watch);
  EXPECT_FALSE(some.empty());
  EXPECT_EQ(some.stopped_by, "interrupted");
  EXPECT_LT(some.sample.steps, 1'000'000);
}

}  // namespace
}  // namespace agon
