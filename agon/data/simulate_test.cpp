#include "agon/data/simulate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "agon/base/error.h"

namespace agon {
namespace {

size_t edge_count(const std::vector<std::vector<int>>& parents) {
  size_t count = 0;
  for (const auto& list : parents) count += list.size();
  return count;
}

bool is_acyclic(const std::vector<std::vector<int>>& parents) { return find_cycle(parents).empty(); }

double mean(const std::vector<double>& x) {
  double sum = 0;
  for (double v : x) sum += v;
  return sum / static_cast<double>(x.size());
}

double covariance(const std::vector<double>& x, const std::vector<double>& y) {
  const double a = mean(x), b = mean(y);
  double sum = 0;
  for (size_t k = 0; k < x.size(); ++k) sum += (x[k] - a) * (y[k] - b);
  return sum / static_cast<double>(x.size());
}

TEST(RandomGraph, ErdosRenyiHasTheExpectedEdges) {
  // 300 graphs with 190 pairs each: the mean of the edge count has standard deviation under 0.33; six of them are a
  // failure probability of 2e-9 for a random seed.
  double total = 0;
  for (int k = 0; k < 300; ++k) {
    const auto parents = random_graph({.nodes = 20, .average_degree = 4}, Rng(1).split("graph", k));
    ASSERT_EQ(parents.size(), 20u);
    ASSERT_TRUE(is_acyclic(parents));
    for (const auto& list : parents) ASSERT_TRUE(std::is_sorted(list.begin(), list.end()));
    total += static_cast<double>(edge_count(parents));
  }
  EXPECT_NEAR(total / 300, 40, 2);
  EXPECT_EQ(edge_count(random_graph({.nodes = 9, .expected_edges = 36}, Rng(2))), 36u);
  EXPECT_EQ(edge_count(random_graph({.nodes = 9, .expected_edges = 0}, Rng(2))), 0u);
  EXPECT_EQ(random_graph({.nodes = 1, .average_degree = 0}, Rng(2)).size(), 1u);
}

TEST(RandomGraph, ScaleFreeHasHubsThatCause) {
  const auto parents = random_graph({.model = GraphModel::kScaleFree, .nodes = 200, .average_degree = 4}, Rng(3));
  EXPECT_TRUE(is_acyclic(parents));
  EXPECT_EQ(edge_count(parents), 0u + 1 + 2 * 198);  // m = 2: the first node takes none, the second one, the rest two
  std::vector<int> children(200);
  for (const auto& list : parents) {
    EXPECT_LE(list.size(), 2u);
    EXPECT_EQ(std::set<int>(list.begin(), list.end()).size(), list.size());
    for (int parent : list) ++children[parent];
  }
  // An Erdos-Renyi graph of this density has more than 15 children at some node with probability under 1e-8.
  EXPECT_GT(*std::max_element(children.begin(), children.end()), 15);
}

TEST(RandomGraph, NumbersSayNothingAboutDirection) {
  // The share of edges from a lower to a higher number, averaged over 1000 graphs: by symmetry its mean is 1/2, and by
  // Hoeffding it is off by more than 0.105 with probability under 1e-9.
  for (GraphModel model : {GraphModel::kErdosRenyi, GraphModel::kScaleFree}) {
    double sum = 0;
    for (int k = 0; k < 1000; ++k) {
      const auto parents = random_graph({.model = model, .nodes = 12, .expected_edges = 24}, Rng(4).split("graph", k));
      double up = 0;
      for (int node = 0; node < 12; ++node) {
        for (int parent : parents[node]) up += parent < node;
      }
      sum += up / std::max<double>(1, static_cast<double>(edge_count(parents)));
    }
    EXPECT_NEAR(sum / 1000, 0.5, 0.105);
  }
}

TEST(RandomGraph, ImpossibleOptionsAreUsageErrors) {
  EXPECT_THROW(random_graph({.nodes = 0}, Rng(1)), UsageError);
  EXPECT_THROW(random_graph({.nodes = 4, .expected_edges = 7}, Rng(1)), UsageError);
  EXPECT_THROW(random_graph({.nodes = 4, .average_degree = -1}, Rng(1)), UsageError);
  EXPECT_THROW(random_graph({.nodes = 4, .average_degree = std::nan("")}, Rng(1)), UsageError);
}

TEST(Noise, HasMeanZeroVarianceOneAndItsOwnShape) {
  // Means and variances within six standard errors: failure probability under 1e-7 in all for a random seed. Shapes by
  // the share below 0, and by the mean of |x|, each known in closed form where given.
  struct Facts {
    Noise noise;
    double kurtosis, below_zero, mean_size;
  };
  const double e = std::exp(1.0);
  for (const Facts& facts :
       {Facts{Noise::kGaussian, 3, 0.5, std::sqrt(2 / M_PI)}, Facts{Noise::kUniform, 1.8, 0.5, std::sqrt(3) / 2},
        Facts{Noise::kLaplace, 6, 0.5, 1 / std::sqrt(2)}, Facts{Noise::kExponential, 9, 1 - 1 / e, 2 / e},
        Facts{Noise::kGumbel, 5.4, std::exp(-std::exp(-0.57721566490153286)), -1}}) {
    Rng rng(5);
    const double n = 200000;
    double sum = 0, square = 0, below = 0, size = 0;
    for (int k = 0; k < n; ++k) {
      const double x = draw_noise(facts.noise, rng);
      sum += x;
      square += x * x;
      below += x < 0;
      size += std::abs(x);
    }
    const char* name = to_string(facts.noise);
    EXPECT_NEAR(sum / n, 0, 6 / std::sqrt(n)) << name;
    EXPECT_NEAR(square / n, 1, 6 * std::sqrt((facts.kurtosis - 1) / n)) << name;
    EXPECT_NEAR(below / n, facts.below_zero, 3 / std::sqrt(n)) << name;
    if (facts.mean_size > 0) {
      EXPECT_NEAR(size / n, facts.mean_size, 6 / std::sqrt(n)) << name;
    }
  }
}

TEST(Sem, LinearCovarianceIsWhatTheWeightsSay) {
  for (Noise noise : {Noise::kGaussian, Noise::kUniform}) {
    Rng rng(6);
    const auto parents = random_graph({.nodes = 8, .average_degree = 4}, rng.split("graph"));
    const size_t n = 100000;
    const Simulated s = simulate_sem(parents, n, {.noise = noise, .noise_low = 0.5, .noise_high = 2}, rng);
    // x_j = sum w x_parent + noise, so cov(x_j, x_i) = sum w cov(x_parent, x_i) for i before j.
    std::vector<std::vector<double>> theory(8, std::vector<double>(8));
    std::vector<int> before;
    for (int j : parents_first_order(s.parents)) {
      for (int i : before) {
        for (size_t k = 0; k < s.parents[j].size(); ++k) theory[j][i] += s.weights[j][k] * theory[s.parents[j][k]][i];
        theory[i][j] = theory[j][i];
      }
      theory[j][j] = s.noise_scale[j] * s.noise_scale[j];
      for (size_t k = 0; k < s.parents[j].size(); ++k) theory[j][j] += s.weights[j][k] * theory[s.parents[j][k]][j];
      before.push_back(j);
    }
    for (int i = 0; i < 8; ++i) {
      EXPECT_GE(s.noise_scale[i], 0.5);
      EXPECT_LE(s.noise_scale[i], 2);
      for (double w : s.weights[i]) EXPECT_TRUE(std::abs(w) >= 0.5 && std::abs(w) <= 1) << w;
      for (int j = 0; j <= i; ++j) {
        // Six standard errors of a Gaussian covariance; uniform noise has thinner tails. Under 1e-7 for a random seed.
        const double error = std::sqrt((theory[i][i] * theory[j][j] + theory[i][j] * theory[i][j]) / n);
        EXPECT_NEAR(covariance(s.data.column(i).values, s.data.column(j).values), theory[i][j], 6 * error);
      }
    }
  }
}

TEST(Sem, TruthIsGivenByNodeOfTheDataset) {
  const std::vector<std::vector<int>> parents = {{1, 2}, {}, {1}, {0}};  // X2 -> X1, X3 -> X1, X2 -> X3, X1 -> X4
  const Simulated s = simulate_sem(parents, 10, {}, Rng(7));
  std::set<std::pair<std::string, std::string>> edges;
  for (int node = 0; node < s.data.size(); ++node) {
    EXPECT_TRUE(std::is_sorted(s.parents[node].begin(), s.parents[node].end()));
    EXPECT_EQ(s.weights[node].size(), s.parents[node].size());
    for (int parent : s.parents[node]) edges.emplace(s.data.column(parent).name, s.data.column(node).name);
  }
  EXPECT_EQ(edges,
            (std::set<std::pair<std::string, std::string>>{{"X2", "X1"}, {"X3", "X1"}, {"X2", "X3"}, {"X1", "X4"}}));
  EXPECT_EQ(s.data.column(s.data.index_of("X3")).file_index, 2);
}

TEST(Sem, NonlinearMechanismsStayFiniteInDeepGraphsAndDependOnTheirParents) {
  std::vector<std::vector<int>> chain(60);
  for (int k = 1; k < 60; ++k) chain[k] = k > 1 ? std::vector<int>{k - 1, k - 2} : std::vector<int>{k - 1};
  for (Mechanism mechanism : {Mechanism::kMlp, Mechanism::kQuadratic}) {
    const Simulated s =
        simulate_sem(chain, 2000, {.mechanism = mechanism}, Rng(8));  // the gate refuses what is not finite
    EXPECT_EQ(s.data.size(), 60);
    for (int node = 0; node < 60; ++node) {
      const double variance = covariance(s.data.column(node).values, s.data.column(node).values);
      EXPECT_LT(variance, 1e5) << to_string(mechanism);
      EXPECT_GT(variance, 0.5) << to_string(mechanism);
      EXPECT_TRUE(s.weights[node].empty());
    }
    // The same noise without any edge: X2 must differ from it by more than a constant when it has a parent.
    const Simulated none = simulate_sem(std::vector<std::vector<int>>(60), 2000, {.mechanism = mechanism}, Rng(8));
    const int node = s.data.index_of("X2");
    std::vector<double> added = s.data.column(node).values;
    for (size_t row = 0; row < 2000; ++row) added[row] -= none.data.column(node).values[row];
    EXPECT_GT(covariance(added, added), 0.01) << to_string(mechanism);
  }
}

TEST(Sem, SameSeedSameData) {
  const auto parents = random_graph({.nodes = 10}, Rng(9));
  const SemOptions options{.mechanism = Mechanism::kMlp, .noise = Noise::kLaplace};
  EXPECT_EQ(simulate_sem(parents, 50, options, Rng(1)).data.checksum(),
            simulate_sem(parents, 50, options, Rng(1)).data.checksum());
  EXPECT_NE(simulate_sem(parents, 50, options, Rng(1)).data.checksum(),
            simulate_sem(parents, 50, options, Rng(2)).data.checksum());
}

TEST(Sem, ImpossibleOptionsAreUsageErrors) {
  EXPECT_THROW(simulate_sem({{1}, {0}}, 5, {}, Rng(1)), UsageError);
  EXPECT_THROW(simulate_sem({{2}, {}}, 5, {}, Rng(1)), UsageError);
  EXPECT_THROW(simulate_sem({{}}, 5, {.weight_low = 2}, Rng(1)), UsageError);
  EXPECT_THROW(simulate_sem({{}}, 5, {.noise_low = 0}, Rng(1)), UsageError);
  EXPECT_THROW(simulate_sem({{}}, 5, {.hidden = 0}, Rng(1)), UsageError);
}

TEST(RandomBayesNet, IsANetworkOverTheGraph) {
  for (double alpha : {1e-4, 0.3, 1.0, 50.0}) {
    const auto parents = random_graph({.nodes = 15, .average_degree = 3}, Rng(10));
    const BayesNet net = random_bayes_net(parents, 2, 4, alpha, Rng(11));
    check(net, "random");
    EXPECT_EQ(net.parents, parents);
    for (const auto& levels : net.levels) EXPECT_TRUE(levels.size() >= 2 && levels.size() <= 4);
    EXPECT_EQ(net, random_bayes_net(parents, 2, 4, alpha, Rng(11)));
  }
  EXPECT_THROW(random_bayes_net({{}}, 3, 2, 1, Rng(1)), UsageError);
  EXPECT_THROW(random_bayes_net({{}}, 2, 2, 0, Rng(1)), UsageError);
}

TEST(RandomBayesNet, RowsAreDirichlet) {
  // With r = 3 levels and all parameters a, each probability has mean 1/3 and variance 2 / (9 (3 a + 1)). Over 3000
  // rows, within six standard errors of the mean and a wide margin for the variance.
  for (double alpha : {0.3, 2.0}) {
    const std::vector<std::vector<int>> empty(3000);
    const BayesNet net = random_bayes_net(empty, 3, 3, alpha, Rng(12));
    std::vector<double> first;
    for (const auto& table : net.tables) first.push_back(table[0]);
    const double variance = 2 / (9 * (3 * alpha + 1));
    EXPECT_NEAR(mean(first), 1.0 / 3, 6 * std::sqrt(variance / 3000));
    EXPECT_NEAR(covariance(first, first), variance, 0.15 * variance);
  }
}

}  // namespace
}  // namespace agon
