#include "agon/opponent/anm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "agon/data/simulate.h"
#include "agon/graph/measures.h"
#include "agon/opponent/hsic.h"
#include "agon/opponent/test_simulations.h"
#include "agon/score/test_scores.h"

namespace agon {
namespace {

TEST(Hsic, AgreesWithThePlainTwin) {
  // tr(K H L H) / n from the definition, with the same widths.
  Rng rng(1);
  const int n = 37;
  std::vector<double> x(n), y(n);
  for (int r = 0; r < n; ++r) {
    x[r] = rng.normal();
    y[r] = x[r] * x[r] + 0.3 * rng.normal();
  }
  const auto kernel = [&](const std::vector<double>& v) {
    std::vector<double> distance;
    for (int a = 0; a < n; ++a) {
      for (int b = a + 1; b < n; ++b) distance.push_back(std::abs(v[a] - v[b]));
    }
    std::sort(distance.begin(), distance.end());
    const double width = distance[distance.size() / 2];
    std::vector<std::vector<double>> k(n, std::vector<double>(n));
    for (int a = 0; a < n; ++a) {
      for (int b = 0; b < n; ++b) k[a][b] = std::exp(-(v[a] - v[b]) * (v[a] - v[b]) / (2 * width * width));
    }
    return k;
  };
  const auto k = kernel(x), l = kernel(y);
  double sum = 0;
  for (int a = 0; a < n; ++a) {
    for (int b = 0; b < n; ++b) {
      double row = 0, column = 0, all = 0;
      for (int c = 0; c < n; ++c) {
        row += k[a][c] / n;
        column += k[c][b] / n;
        for (int d = 0; d < n; ++d) all += k[c][d] / n / n;
      }
      sum += (k[a][b] - row - column + all) * l[a][b] / n;
    }
  }
  const Hsic found = hsic(gaussian_kernel(x), gaussian_kernel(y));
  EXPECT_NEAR(found.statistic, sum, 1e-5);
  EXPECT_LT(found.p_value(), 1e-4);
  EXPECT_GT(found.excess(), 5);
}

TEST(Hsic, PValuesAreUniformUnderIndependence) {
  Rng rng(2);
  std::vector<double> p;
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<double> x(100), y(100);
    for (double& v : x) v = rng.normal();
    for (double& v : y) v = rng.uniform();
    p.push_back(hsic(gaussian_kernel(x), gaussian_kernel(y)).p_value());
  }
  std::sort(p.begin(), p.end());
  double worst = 0;
  for (size_t k = 0; k < p.size(); ++k) {
    worst = std::max({worst, static_cast<double>(k + 1) / 300 - p[k], p[k] - static_cast<double>(k) / 300});
  }
  EXPECT_LT(worst * std::sqrt(300.0), 1.95);  // Kolmogorov and Smirnov: exceeded with probability 0.001
}

TEST(Anm, FindsTheDirectionOfPairs) {
  int right = 0, clear = 0;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const auto [x, y] = testing::bent_pair(seed);
    const AnmPair pair = anm_pair(x, y);
    right += pair.is_forward();
    clear += pair.forward > 0.01 && pair.backward < 0.01;
    const AnmPair turned = anm_pair(y, x);
    EXPECT_EQ(turned.excess_forward, pair.excess_backward);
  }
  EXPECT_GE(right, 45);
  EXPECT_GE(clear, 35);
}

TEST(Anm, ResitFindsNonlinearGraphs) {
  double shd = 0;
  for (uint64_t seed = 0; seed < 3; ++seed) {
    const Rng rng(seed);
    const auto parents = random_graph({.nodes = 8, .average_degree = 2}, rng.split("graph"));
    const Simulated s = simulate_sem(parents, 1000, {.mechanism = Mechanism::kMlp}, rng.split("data"));
    const auto score = make_score("copula-bic", s.data);
    const SearchResult one = resit(s.data, *score);
    EXPECT_EQ(one.dag, resit(s.data, *score, {.threads = 3}).dag);
    shd += measure(dag_from_parents(s.parents).edges(), one.dag).shd / 3.0;
  }
  EXPECT_LE(shd, 4);
}

TEST(Anm, SelectionOfRegressorsGivesNearlyTheSame) {
  const Rng rng(7);
  const auto parents = random_graph({.nodes = 10, .average_degree = 2}, rng.split("graph"));
  const Simulated s = simulate_sem(parents, 1000, {.mechanism = Mechanism::kMlp}, rng.split("data"));
  const auto score = make_score("copula-bic", s.data);
  const Dag all = resit(s.data, *score).dag, some = resit(s.data, *score, {.select_above = 5, .neighbours = 6}).dag;
  EXPECT_LE(measure(all.edges(), some).shd, 4);
}

}  // namespace
}  // namespace agon
