#include "agon/opponent/boss.h"

#include <gtest/gtest.h>

#include <cmath>

#include "agon/data/simulate.h"
#include "agon/graph/equivalence.h"
#include "agon/graph/test_graphs.h"
#include "agon/opponent/boss_plain.h"
#include "agon/opponent/hill_climbing.h"
#include "agon/score/scores.h"

namespace agon {
namespace {

Simulated linear_gaussian(int p, double degree, size_t rows, uint64_t seed) {
  Rng rng(seed);
  const auto parents = random_graph({.nodes = p, .average_degree = degree}, rng.split("graph"));
  return simulate_sem(parents, rows, {}, rng.split("data"));
}

Dataset random_categorical(int p, double degree, size_t rows, uint64_t seed) {
  Rng rng(seed);
  const auto parents = random_graph({.nodes = p, .average_degree = degree}, rng.split("graph"));
  return sample(random_bayes_net(parents, 2, 4, 1.0, rng.split("net")), rows, rng.split("data"), "net");
}

// Sweep by sweep from a random order: same orders, graphs and scores as the plain twin.
void expect_same_sweeps(const LocalScore& score, const OrderRules& rules, uint64_t seed) {
  Rng rng(seed);
  std::vector<Node> plain = random_order(score, rules, rng);
  OrderSearch search(score, rules, size_t{1} << 24);
  search.set_order(plain);
  for (;;) {
    ASSERT_NEAR(search.score(), plain_order_score(score, rules, plain), 1e-6);
    ASSERT_EQ(search.dag(), plain_order_dag(score, rules, plain));
    const int moved = plain_order_sweep(score, rules, plain);
    ASSERT_EQ(search.sweep(), moved);
    ASSERT_EQ(search.order(), plain);
    ASSERT_TRUE(search.check_invariants());
    if (moved == 0) break;
  }
}

// Required edges, forbidden edges and tiers that a random order allows.
OrderRules random_rules(const LocalScore& score, uint64_t seed) {
  const int p = score.size();
  Rng rng(seed);
  const std::vector<Node> order = random_order(score, {}, rng);
  OrderRules rules;
  rules.required.resize(p);
  rules.forbidden = BitRows(p);
  rules.tier.assign(p, -1);
  for (int i = 0; i < p; ++i) {
    if (rng.below(4) != 0) rules.tier[order[i]] = 3 * i / p;
    for (int k = 0; k < p; ++k) {
      if (i == k) continue;
      const int what = rng.below(10);
      if (what == 0 && i < k) rules.required[order[k]].push_back(order[i]);
      if (what == 1 || (what == 0 && i > k)) rules.forbidden.set(order[i], order[k]);
    }
  }
  for (auto& list : rules.required) std::sort(list.begin(), list.end());
  return rules;
}

TEST(BossOrder, SweepsLikeItsPlainTwin) {
  for (uint64_t seed = 0; seed < 12; ++seed) {
    const int p = 4 + static_cast<int>(seed % 6);
    const auto gaussian = make_score("gaussian-bic", linear_gaussian(p, 3, 200, seed).data, {.penalty = 0.5});
    expect_same_sweeps(*gaussian, {}, seed);
    expect_same_sweeps(*gaussian, random_rules(*gaussian, seed), seed);
    const auto discrete = make_score("discrete-bic", random_categorical(p, 3, 500, seed));
    expect_same_sweeps(*discrete, {}, seed);
    expect_same_sweeps(*discrete, random_rules(*discrete, seed), seed);
  }
}

TEST(BossOrder, RandomOrdersRespectTheRules) {
  const auto score = make_score("gaussian-bic", linear_gaussian(12, 3, 200, 5).data);
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const OrderRules rules = random_rules(*score, seed);
    Rng rng(seed + 1000);
    const std::vector<Node> order = random_order(*score, rules, rng);
    ASSERT_EQ(order.size(), 12u);
    std::vector<int> place(12);
    for (int k = 0; k < 12; ++k) place[order[k]] = k;
    for (Node v = 0; v < 12; ++v) {
      for (Node q : rules.required[v]) EXPECT_LT(place[q], place[v]);
      for (Node u = 0; u < 12; ++u) {
        const bool earlier = rules.tier[u] >= 0 && rules.tier[v] > rules.tier[u];
        EXPECT_TRUE(!earlier || place[u] < place[v]);
      }
    }
  }
}

TEST(BossOrder, TakesBackWhatWasDoneSinceTheMark) {
  const auto score = make_score("gaussian-bic", linear_gaussian(20, 5, 300, 3).data);
  const OrderRules rules;
  OrderSearch search(*score, rules, size_t{1} << 24);
  Rng rng(1);
  search.set_order(random_order(*score, rules, rng));
  for (int round = 0; round < 20; ++round) {
    const std::vector<Node> order = search.order();
    const double before = search.score();
    search.mark();
    for (int k = 0; k < 5; ++k) search.move(search.order()[rng.below(20)], rng.below(20));
    search.improve(rng.below(20));
    ASSERT_TRUE(search.check_invariants());
    search.take_back();
    ASSERT_EQ(search.order(), order);
    ASSERT_EQ(search.score(), before);
    ASSERT_TRUE(search.check_invariants());
    search.improve(rng.below(20));
  }
}

// Gaussian BIC with the exact covariance of a linear model in place of a sample's, at a huge number of rows.
class PopulationScore final : public LocalScore {
 public:
  PopulationScore(const Dag& dag, Rng rng) : covariance_(dag.size(), std::vector<double>(dag.size(), 0)) {
    traits_.name = "population";
    traits_.max_parents = dag.size();
    traits_.constant.assign(dag.size(), false);
    // In topological order: cov(v, u) = sum over parents q of w_q cov(q, u).
    std::vector<Node> done;
    for (Node v : topological_order(dag)) {
      std::vector<std::pair<Node, double>> weights;
      for (Node q : dag.parents(v)) weights.push_back({q, (rng.below(2) ? 1 : -1) * rng.uniform(0.5, 1.0)});
      for (Node u : done) {
        for (const auto& [q, w] : weights) covariance_[v][u] += w * covariance_[q][u];
        covariance_[u][v] = covariance_[v][u];
      }
      covariance_[v][v] = 1;
      for (const auto& [q, w] : weights) covariance_[v][v] += w * covariance_[v][q];
      done.push_back(v);
    }
  }
  double local(Node child, Parents parents) const override {
    std::vector<Node> nodes(parents.begin(), parents.end());
    nodes.push_back(child);
    const int k = static_cast<int>(nodes.size());
    std::vector<std::vector<double>> m(k, std::vector<double>(k));
    for (int i = 0; i < k; ++i) {
      for (int j = 0; j < k; ++j) m[i][j] = covariance_[nodes[i]][nodes[j]];
    }
    for (int i = 0; i + 1 < k; ++i) {
      for (int j = i + 1; j < k; ++j) {
        const double factor = m[j][i] / m[i][i];
        for (int l = i; l < k; ++l) m[j][l] -= factor * m[i][l];
      }
    }
    constexpr double kRows = 1e9;
    return -0.5 * kRows * std::log(m[k - 1][k - 1]) - 0.5 * std::log(kRows) * static_cast<double>(parents.size());
  }
  const ScoreTraits& traits() const override { return traits_; }

 private:
  ScoreTraits traits_;
  std::vector<std::vector<double>> covariance_;
};

TEST(Boss, FindsTheClassOfTheGraphThatAnswers) {
  Rng rng(11);
  for (int round = 0; round < 300; ++round) {
    const int p = 2 + rng.below(14);
    const Dag truth = test::random_dag(p, rng.uniform(0.1, 0.5), rng);
    const PopulationScore score(truth, rng.split("weights", round));
    const SearchResult r = boss(score, {.random_starts = 2, .trials = 60}, rng.split("boss", round));
    ASSERT_TRUE(*r.cpdag == cpdag_of(truth))
        << r.score - total(score, truth) << " round " << round << ", " << p << " nodes";
  }
}

TEST(Boss, AnswerIsTheSameForAnyThreadsAndMemory) {
  const auto score = make_score("gaussian-bic", linear_gaussian(25, 5, 400, 8).data);
  BossOptions options{.random_starts = 3, .trials = 300};
  const SearchResult one = boss(*score, options, Rng(4));
  EXPECT_EQ(one.score, total(*score, one.dag));
  EXPECT_EQ(*one.cpdag, cpdag_of(one.dag));
  for (int threads : {2, 4}) {
    options.threads = threads;
    const SearchResult other = boss(*score, options, Rng(4));
    EXPECT_EQ(other.dag, one.dag);
    EXPECT_EQ(other.story, one.story);
  }
  options.store_bytes = 1000;
  const SearchResult small = boss(*score, options, Rng(4));
  EXPECT_EQ(small.dag, one.dag);
  EXPECT_EQ(small.story, one.story);
  EXPECT_GT(small.counts.columns, one.counts.columns);
}

TEST(Boss, LeavesConstantsAloneAndTakesTinyTables) {
  std::vector<double> x, y;
  Rng rng(2);
  for (int i = 0; i < 100; ++i) {
    x.push_back(rng.normal());
    y.push_back(x.back() + rng.normal());
  }
  const Dataset data = make_dataset(
      {continuous_column("x", x), continuous_column("one", std::vector<double>(100, 1.0)), continuous_column("y", y)},
      "t");
  const auto score = make_score("gaussian-bic", data);
  const SearchResult r = boss(*score);
  EXPECT_EQ(r.dag.edge_count(), 1);
  EXPECT_TRUE(r.dag.adjacent(data.index_of("x"), data.index_of("y")));
  const Dataset single = make_dataset({continuous_column("x", x)}, "t");
  EXPECT_EQ(boss(*make_score("gaussian-bic", single)).dag.edge_count(), 0);
}

TEST(Boss, StopsWhenAskedAndKeepsTheBestSoFar) {
  const auto score = make_score("gaussian-bic", linear_gaussian(30, 5, 400, 9).data);
  std::atomic<bool> stop = true;
  Watch watch;
  watch.interrupted = &stop;
  const SearchResult r = boss(*score, {}, Rng(0), watch);
  EXPECT_EQ(r.stopped_by, "interrupted");
  EXPECT_EQ(r.score, total(*score, r.dag));
}

}  // namespace
}  // namespace agon
