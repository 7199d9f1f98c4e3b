#include "agon/opponent/rl_bic.h"

#include <gtest/gtest.h>

#include <cmath>

#include "agon/base/error.h"
#include "agon/graph/measures.h"
#include "agon/opponent/rl_answer.h"
#include "agon/opponent/test_simulations.h"
#include "agon/opponent/test_stops.h"
#include "agon/score/gaussian_score.h"

namespace agon {
namespace {

constexpr int kVariables = 3, kRows = 4;
const RlBicOptions kSmall{.batch = 8, .rows = kRows, .width = 6, .heads = 2, .blocks = 1, .units = 5};

std::vector<signed char> free_pairs() {
  std::vector<signed char> fixed(kVariables * kVariables, 0);
  for (int v = 0; v < kVariables; ++v) fixed[v * kVariables + v] = -1;
  fixed[1] = 1;  // 1 -> 0 is required
  return fixed;
}

RlBicOptions small_with(EdgeDecoderKind decoder) {
  RlBicOptions options = kSmall;
  options.decoder = decoder;
  return options;
}

constexpr EdgeDecoderKind kDecoders[] = {EdgeDecoderKind::kPair, EdgeDecoderKind::kBilinear, EdgeDecoderKind::kTensor,
                                         EdgeDecoderKind::kTransformer};

struct Policy {
  EdgePolicy<double> policy;
  std::vector<double> inputs, advantage;
  std::vector<char> sample;

  explicit Policy(EdgeDecoderKind decoder = EdgeDecoderKind::kPair)
      : policy{small_with(decoder), kVariables, kRows, free_pairs(), true, -0.5, Rng(1)} {
    Rng rng(2);
    for (int k = 0; k < kRows * kVariables * kSmall.batch; ++k) inputs.push_back(rng.normal());
    for (int b = 0; b < kSmall.batch; ++b) advantage.push_back(rng.normal());
    for (double& w : policy.weights()) w += 0.3 * rng.normal();
    policy.forward(inputs.data());
    policy.sample(rng, sample);
  }

  // The losses as they are written: means over all d^2 entries and the batch, the advantage a constant.
  double actor(double entropy) {
    policy.forward(inputs.data());
    double loss = 0;
    for (size_t k = 0; k < sample.size(); ++k) {
      const size_t pair = k / kSmall.batch;
      if (free_pairs()[pair] != 0) continue;
      const double g = policy.logits()[k], p = 1 / (1 + std::exp(-g)), y = sample[k];
      loss += advantage[k % kSmall.batch] * (std::log1p(std::exp(g)) - y * g);
      loss += entropy * (p * std::log(p) + (1 - p) * std::log(1 - p));
    }
    return loss / static_cast<double>(sample.size());
  }
  // The critic's loss when the reward less the running mean is what makes these advantages now.
  double critic(const std::vector<double>& target) {
    policy.forward(inputs.data());
    double loss = 0;
    for (int b = 0; b < kSmall.batch; ++b) loss += std::pow(target[b] - policy.judged()[b], 2) / kSmall.batch;
    return loss;
  }
};

class Decoders : public ::testing::TestWithParam<EdgeDecoderKind> {};
INSTANTIATE_TEST_SUITE_P(All, Decoders, ::testing::ValuesIn(kDecoders));

TEST_P(Decoders, GradientsAreThoseOfDifferences) {
  Policy p(GetParam());
  const double entropy = 0.2;
  p.policy.forward(p.inputs.data());
  p.policy.actor_gradient(p.sample, p.advantage, entropy);
  p.policy.critic_gradient(p.advantage);
  std::vector<double> target;
  for (int b = 0; b < kSmall.batch; ++b) target.push_back(p.advantage[b] + p.policy.judged()[b]);
  const NetVector<double> actor = p.policy.actor(), critic = p.policy.critic();
  for (long k = 0; k < actor.size(); k += 2) {
    double& w = p.policy.weights()[k];
    const double before = w, step = 1e-6;
    w = before + step;
    const double actor_up = p.actor(entropy), critic_up = p.critic(target);
    w = before - step;
    const double actor_down = p.actor(entropy), critic_down = p.critic(target);
    w = before;
    ASSERT_NEAR(actor[k], (actor_up - actor_down) / (2 * step), 1e-7) << k;
    ASSERT_NEAR(critic[k], (critic_up - critic_down) / (2 * step), 1e-6 * std::max(1.0, std::abs(critic[k]))) << k;
  }
}

TEST(EdgePolicy, SamplesEdgesWithTheirProbabilities) {
  Policy p;
  Rng rng(3);
  std::vector<double> count(p.sample.size(), 0);
  const int rounds = 2000;
  for (int r = 0; r < rounds; ++r) {
    p.policy.sample(rng, p.sample);
    for (size_t k = 0; k < count.size(); ++k) count[k] += p.sample[k];
  }
  for (size_t k = 0; k < count.size(); ++k) {
    const int fixed = free_pairs()[k / kSmall.batch];
    const double q = 1 / (1 + std::exp(-p.policy.logits()[k]));
    if (fixed != 0) {
      EXPECT_EQ(count[k], fixed > 0 ? rounds : 0);
    } else {
      EXPECT_NEAR(count[k], rounds * q, 4.5 * std::sqrt(rounds * q * (1 - q)));
    }
  }
}

TEST(EdgePolicy, HasAsManyWeightsAsThePublishedOne) {
  std::vector<signed char> fixed(144, 0);
  EdgePolicy<float> policy({}, 12, 64, fixed, false, 0, Rng(1));
  EXPECT_EQ(policy.weights().size(), 285457);
}

// Five variables in a chain with equal noise: the exact answer must come out of a small network.
const RlBicOptions kTiny{
    .batch = 16, .rows = 16, .width = 16, .heads = 4, .blocks = 1, .iterations = 400, .penalty_every = 50};

TEST(RlBic, FindsAChain) {
  const Simulated s = testing::rising_chain(500);
  const GaussianBic score(s.data, GaussianBic::Scale::kRaw);
  const SearchResult r = rl_bic(s.data, score, kTiny, Rng(5));
  EXPECT_EQ(measure(testing::true_edges(s), r.dag).shd, 0);
  EXPECT_EQ(r.score, total(score, r.dag));
  EXPECT_EQ(r.steps, 400);
  EXPECT_EQ(r.stopped_by, "iterations done");
}

TEST(RlBic, ABiasLetsGraphsBeginSparse) {
  const Simulated s = testing::rising_chain(500);
  const GaussianBic score(s.data, GaussianBic::Scale::kRaw);
  RlBicOptions once = kTiny;
  once.iterations = 1;
  EXPECT_GT(rl_bic(s.data, score, once, Rng(4)).dag.edge_count(), 0);
  once.bias = -10;
  EXPECT_EQ(rl_bic(s.data, score, once, Rng(4)).dag.edge_count(), 0);
}

TEST_P(Decoders, LearnAChain) {
  const Simulated s = testing::rising_chain(500);
  const GaussianBic score(s.data, GaussianBic::Scale::kRaw);
  RlBicOptions options = kTiny;
  options.decoder = GetParam();
  const SearchResult r = rl_bic(s.data, score, options, Rng(5));
  EXPECT_LE(measure(testing::true_edges(s), r.dag).shd, 2);
  EXPECT_EQ(rl_bic(s.data, score, options, Rng(5)).dag, r.dag);
}

TEST(RlBic, ObeysKnowledgeSoftOrHard) {
  const Simulated s = testing::rising_chain(500);
  const GaussianBic score(s.data, GaussianBic::Scale::kRaw);
  const std::vector<std::string> names = s.data.names();
  KnowledgeBuilder builder(names);
  const Edge against{testing::true_edges(s)[0].to,
                     testing::true_edges(s)[0].from};  // against the data, so that the agent will not want it
  builder.require(names[against.from], names[against.to], "test");
  const Knowledge known = builder.build();
  for (const bool soft : {false, true}) {
    RlBicOptions options = kTiny;
    options.soft_knowledge = soft;
    options.iterations = 60;
    const SearchResult r = rl_bic(s.data, score, options, Rng(6), {}, known);
    EXPECT_TRUE(satisfies(r.dag, known));
    bool told = false;
    for (const std::string& sentence : r.story) told = told || sentence.find("by itself") != std::string::npos;
    EXPECT_EQ(told, soft);
  }
}

TEST(RlBic, RewardsWithTheScoreOfTheRun) {
  const Simulated s = testing::rising_chain(500);
  const GaussianBic score(s.data, GaussianBic::Scale::kRaw);
  std::vector<int> nodes = {0, 1, 2, 3, 4};
  OwnCost cost(score, nodes, static_cast<double>(s.data.rows()));
  EXPECT_NEAR(cost(ParentLists(5)), 5, 1e-12);
  ParentLists truth(5);
  for (int v = 0; v < 5; ++v) truth[v] = s.parents[v];
  EXPECT_LT(cost(truth), 3);
  EXPECT_GE(cost(truth), 0);
  RlBicOptions options = kTiny;
  options.own_score = true;
  options.iterations = 40;
  const SearchResult r = rl_bic(s.data, score, options, Rng(7));
  EXPECT_GT(r.score, total(score, Dag(5)));
}

TEST(RlBic, ResumesWhereItWas) {
  const Simulated s = testing::rising_chain(500);
  const GaussianBic score(s.data, GaussianBic::Scale::kRaw);
  for (const bool own : {false, true}) {
    RlBicOptions options = kTiny;
    options.own_score = own;
    options.iterations = 60;
    options.penalty_every = 10;
    testing::expect_training_resumes([&](const Watch& watch, const SavedSearch& saved) {
      return rl_bic(s.data, score, options, Rng(9), watch, {}, saved);
    });
  }
}

TEST(RlBic, StopsWhenAskedAndRefusesWhatTakesDays) {
  const Simulated s = testing::rising_chain(500);
  const GaussianBic score(s.data, GaussianBic::Scale::kRaw);
  std::atomic<bool> flag = true;
  Watch watch;
  watch.interrupted = &flag;
  const SearchResult r = rl_bic(s.data, score, kTiny, Rng(8), watch);
  EXPECT_EQ(r.stopped_by, "interrupted");
  EXPECT_EQ(r.dag.edge_count(), 0);
  const double twelve = rl_bic_forecast(12, 5000, {}).seconds, many = rl_bic_forecast(223, 10000, {}).seconds;
  EXPECT_GT(twelve, 200);
  EXPECT_LT(twelve, 2000);
  EXPECT_GT(many, 10 * 3600);
  EXPECT_THROW(refuse_long("rl-bic", 223, many, 0, false, {}), UsageError);
  EXPECT_NO_THROW(refuse_long("rl-bic", 223, many, 0, true, {}));
}

}  // namespace
}  // namespace agon
