#include "agon/opponent/corl.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "agon/graph/measures.h"
#include "agon/opponent/test_simulations.h"
#include "agon/opponent/test_stops.h"
#include "agon/score/gaussian_score.h"

namespace agon {
namespace {

constexpr int kOrdered = 4, kSeenRows = 5;
const CorlOptions kSmallCorl{.batch = 8, .rows = kSeenRows, .width = 6, .heads = 2, .blocks = 1};

// The states of the decoder are held constant, so differences are taken with those of the first pass.
TEST(OrderPolicy, GradientsAreThoseOfDifferences) {
  OrderPolicy<double> policy(kSmallCorl, kOrdered, {{}, {3}, {}, {}}, Rng(1));
  Rng rng(2);
  std::vector<double> inputs, weight;
  for (int k = 0; k < kSeenRows * kOrdered * kSmallCorl.batch; ++k) inputs.push_back(rng.normal());
  for (int k = 0; k < kOrdered * kSmallCorl.batch; ++k) weight.push_back(rng.normal());
  for (double& w : policy.weights()) w += 0.3 * rng.normal();
  policy.sample(inputs.data(), rng);
  for (int b = 0; b < kSmallCorl.batch; ++b) {
    std::vector<int> place(kOrdered, -1);
    for (int t = 0; t < kOrdered; ++t) place[policy.chosen(t, b)] = t;
    EXPECT_EQ(std::ranges::count(place, -1), 0);  // each once
    EXPECT_LT(place[3], place[1]);                // a required cause comes first
    EXPECT_NEAR(policy.log_probability(kOrdered - 1, b), 0, 1e-12);
  }
  const auto loss = [&] {
    policy.replay(inputs.data());
    double sum = 0;
    for (int t = 0; t < kOrdered; ++t) {
      for (int b = 0; b < kSmallCorl.batch; ++b) sum -= weight[t * kSmallCorl.batch + b] * policy.log_probability(t, b);
    }
    return sum;
  };
  loss();
  policy.actor_gradient(weight);
  const NetVector<double> g = policy.gradient();
  for (long k = 0; k < g.size(); ++k) {
    double& w = policy.weights()[k];
    const double before = w, step = 1e-6;
    w = before + step;
    const double up = loss();
    w = before - step;
    const double down = loss();
    w = before;
    ASSERT_NEAR(g[k], (up - down) / (2 * step), 2e-6 * std::max(1.0, std::abs(g[k]))) << k;
  }
}

TEST(OrderPolicy, HasAsManyWeightsAsThePublishedOne) {
  OrderPolicy<float> policy({}, 12, std::vector<std::vector<int>>(12), Rng(1));
  EXPECT_EQ(policy.weights().size(), 191296);
}

Simulated five_columns() {
  const auto parents = random_graph({.nodes = 5, .expected_edges = 6}, Rng(3));
  return simulate_sem(parents, 500, {.weight_low = 0.5, .weight_high = 2}, Rng(4));
}

// The least sum of residuals over all orders, by dynamic programming over sets.
double best_sum(Regressions& fits) {
  const int d = fits.size();
  std::vector<double> least(1u << d, 1e300);
  least[0] = 0;
  for (unsigned set = 1; set < 1u << d; ++set) {
    for (int last = 0; last < d; ++last) {
      if ((set >> last & 1) == 0) continue;
      std::vector<int> before;
      for (int v = 0; v < d; ++v) {
        if (v != last && (set >> v & 1) != 0) before.push_back(v);
      }
      least[set] = std::min(least[set], least[set & ~(1u << last)] + fits.residual(last, before));
    }
  }
  return least.back();
}

TEST(Corl, FindsTheBestOrder) {
  const Simulated s = five_columns();
  const GaussianBic score(s.data, GaussianBic::Scale::kRaw);
  Regressions fits(as_it_is(s.data), Regression::kLinear);
  const std::string best = fmt::format("{:.4f}", -std::log(best_sum(fits) + 1e-8));
  for (const bool per_step : {true, false}) {
    const CorlOptions tiny{
        .per_step = per_step, .batch = 16, .rows = 16, .width = 16, .heads = 4, .blocks = 1, .iterations = 60};
    const SearchResult r = corl(s.data, score, tiny, Rng(5));
    EXPECT_NE(r.story[0].find("best order " + best), std::string::npos) << r.story[0] << best;
    EXPECT_EQ(measure(testing::true_edges(s), r.dag).shd, 0);
  }
}

TEST(Corl, ObeysKnowledgeAndTheScoreOfTheRun) {
  const Simulated s = five_columns();
  const GaussianBic score(s.data, GaussianBic::Scale::kRaw);
  const std::vector<std::string> names = s.data.names();
  KnowledgeBuilder builder(names);
  builder.require(names[4], names[0], "test");
  builder.forbid(names[1], names[2], "test");
  const Knowledge known = builder.build();
  for (const bool own : {false, true}) {
    const CorlOptions tiny{
        .own_score = own, .batch = 16, .rows = 16, .width = 16, .heads = 4, .blocks = 1, .iterations = 10};
    const SearchResult r = corl(s.data, score, tiny, Rng(6), {}, known);
    EXPECT_TRUE(satisfies(r.dag, known));
    EXPECT_GT(r.score, total(score, Dag(5)));
    EXPECT_EQ(corl(s.data, score, tiny, Rng(6), {}, known).dag, r.dag);
  }
}

TEST(Corl, ResumesWhereItWas) {
  const Simulated s = five_columns();
  const GaussianBic score(s.data, GaussianBic::Scale::kRaw);
  for (const bool per_step : {false, true}) {
    const CorlOptions tiny{
        .per_step = per_step, .batch = 16, .rows = 16, .width = 16, .heads = 4, .blocks = 1, .iterations = 20};
    testing::expect_training_resumes([&](const Watch& watch, const SavedSearch& saved) {
      return corl(s.data, score, tiny, Rng(9), watch, {}, saved);
    });
  }
}

TEST(Corl, EndsWhenAllOrdersWereSeen) {
  const Simulated s = simulate_sem({{}, {0}, {1}}, 100, {}, Rng(7));
  const GaussianBic score(s.data, GaussianBic::Scale::kRaw);
  EXPECT_EQ(corl(s.data, score, {.width = 16, .heads = 4, .blocks = 1}, Rng(8)).stopped_by, "all orders seen");
}

}  // namespace
}  // namespace agon
