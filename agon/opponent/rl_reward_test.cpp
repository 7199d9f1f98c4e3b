#include "agon/opponent/rl_reward.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "agon/base/rng.h"
#include "agon/opponent/corl.h"

namespace agon {
namespace {

// Six rows of a, b, c. The figures below were computed by hand from these.
StandardTable small_table() {
  StandardTable t;
  t.rows = 6;
  t.node = {0, 1, 2};
  t.value = {1, 2, 0, 2, 1, 1, 3, 5, 2, 4, 3, 1, 5, 8, 3, 6, 7, 2};
  return t;
}

const ParentLists kTriangle = {{}, {0}, {0, 1}};  // a -> b, a -> c, b -> c

TEST(RlReward, ResidualsOfASmallTable) {
  Regressions fits(small_table(), Regression::kLinear);
  const double none[] = {17.5, 39.333333333, 5.5};
  const double all[] = {5.151408451, 6.095833333, 1.193311582};
  const ParentLists others = {{1, 2}, {0, 2}, {0, 1}};
  const double given[] = {17.5, 11.676190476, 1.193311582};
  for (int v = 0; v < 3; ++v) {
    EXPECT_NEAR(6 * fits.residual(v, {}), none[v], 1e-8);
    EXPECT_NEAR(6 * fits.residual(v, others[v]), all[v], 1e-8);
    EXPECT_NEAR(6 * fits.residual(v, kTriangle[v]), given[v], 1e-8);
  }
  EXPECT_EQ(fits.fitted(), 7);  // of nine, two had been asked for before: a given none, and c given both others
  std::vector<double> in_order;
  fits.residuals_in_order({0, 1, 2}, in_order);
  for (int v = 0; v < 3; ++v) EXPECT_NEAR(6 * in_order[v], given[v], 1e-8);
}

TEST(RlReward, ReturnsOfTheOrderOfASmallTable) {
  Regressions fits(small_table(), Regression::kLinear);
  std::vector<double> in_order, rewards;
  fits.residuals_in_order({0, 1, 2}, in_order);
  for (const double r : in_order) rewards.push_back(-r);
  const std::vector<double> returns = discounted_returns(rewards, 0.98);
  const double expected[] = {-5.014787185, -2.140939304, -0.198885264};
  for (int t = 0; t < 3; ++t) EXPECT_NEAR(returns[t], expected[t], 1e-8);
}

TEST(RlReward, ScoresOfASmallTable) {
  Regressions fits(small_table(), Regression::kLinear);
  GraphScore equal(fits, Variances::kEqual), different(fits, Variances::kDifferent);
  EXPECT_NEAR(equal.raw(kTriangle), 1.920305994, 1e-8);
  EXPECT_NEAR(equal.low(), 0.729202105, 1e-8);
  EXPECT_NEAR(equal.high(), 2.340736860, 1e-8);
  EXPECT_NEAR(equal.relative(kTriangle), 3.695557559, 1e-8);
  EXPECT_NEAR(different.raw(kTriangle), 1.017086318, 1e-8);
  EXPECT_NEAR(different.low(), -1.751670411, 1e-8);
  EXPECT_NEAR(different.high(), 2.863742917, 1e-8);
  EXPECT_NEAR(different.relative(kTriangle), 2.999467796, 1e-8);
}

TEST(RlReward, CyclesAreCountedByTheExponential) {
  CycleCount h;
  EXPECT_NEAR(h({{1}, {0}}), 1.086161270, 1e-8);
  EXPECT_NEAR(h({{2}, {0}, {1}}), 0.504174940, 1e-8);
  EXPECT_EQ(h(kTriangle), 0);
  ParentLists complete(12);
  for (int v = 0; v < 12; ++v) {
    for (int u = 0; u < 12; ++u) {
      if (u != v) complete[v].push_back(u);
    }
  }
  EXPECT_NEAR(h(complete), 59866.188389, 1e-5);
}

// Least squares with an intercept, by the normal equations of the given columns.
double plain_residual(const std::vector<std::vector<double>>& columns, const std::vector<double>& y) {
  const long n = static_cast<long>(y.size()), m = static_cast<long>(columns.size());
  Eigen::MatrixXd x = Eigen::MatrixXd::Ones(n, m + 1);
  for (long c = 0; c < m; ++c) x.col(c) = Eigen::Map<const Eigen::VectorXd>(columns[c].data(), n);
  const Eigen::VectorXd t = Eigen::Map<const Eigen::VectorXd>(y.data(), n);
  const Eigen::MatrixXd gram = x.transpose() * x;
  const Eigen::VectorXd beta = gram.ldlt().solve(x.transpose() * t);
  return (t - x * beta).squaredNorm() / static_cast<double>(n);
}

TEST(RlReward, QuadraticRegressionsHaveAllProducts) {
  Rng rng(1);
  StandardTable t;
  t.rows = 60;
  t.node = {0, 1, 2};
  std::vector<std::vector<double>> x(3);
  for (int r = 0; r < t.rows; ++r) {
    const double a = rng.normal(), b = rng.normal();
    const double values[] = {a, b, 0.7 * a * b + 0.1 * b * b + 0.1 * rng.normal()};
    for (int v = 0; v < 3; ++v) {
      t.value.push_back(static_cast<float>(values[v]));
      x[v].push_back(static_cast<double>(t.value.back()));
    }
  }
  std::vector<double> aa, ab, bb;
  for (int r = 0; r < t.rows; ++r) {
    aa.push_back(x[0][r] * x[0][r]);
    ab.push_back(x[0][r] * x[1][r]);
    bb.push_back(x[1][r] * x[1][r]);
  }
  Regressions fits(t, Regression::kQuadratic);
  EXPECT_NEAR(fits.residual(2, {0, 1}), plain_residual({x[0], x[1], aa, ab, bb}, x[2]), 1e-9);
  EXPECT_NEAR(fits.residual(2, {1}), plain_residual({x[1], bb}, x[2]), 1e-9);
  const std::vector<double> c = fits.coefficients(2, {0, 1});
  EXPECT_NEAR(c[0], 0.7, 0.1);  // of a b, which both parents are in
  EXPECT_EQ(c[0], c[1]);
}

TEST(RlReward, ADependentParentIsLeftOut) {
  StandardTable t = small_table();
  for (int r = 0; r < 6; ++r) t.value[r * 3 + 1] = 2 * t.value[r * 3];  // b = 2 a
  Regressions fits(t, Regression::kLinear);
  EXPECT_NEAR(fits.residual(2, {0, 1}), fits.residual(2, {0}), 1e-12);
  EXPECT_EQ(fits.coefficients(2, {0, 1})[1], 0);
}

TEST(RlReward, AProcessFollowsACurve) {
  Rng rng(2);
  StandardTable t;
  t.rows = 50;
  t.node = {0, 1};
  for (int r = 0; r < t.rows; ++r) {
    const double x = rng.normal();
    t.value.push_back(static_cast<float>(x));
    t.value.push_back(static_cast<float>(std::sin(2 * x)));
  }
  Regressions fits(t, Regression::kGaussianProcess);
  EXPECT_NEAR(fits.residual(1, {0}), 1.0 / t.rows, 1e-3);  // the 1 that is added, and next to nothing
  EXPECT_GT(fits.residual(1, {}), 0.3);
}

TEST(ParetoFront, HoldsTheBestUnderAnyWeights) {
  Rng rng(3);
  ParetoFront front;
  std::vector<SampledGraph> all;
  for (int k = 0; k < 300; ++k) {
    SampledGraph g{{static_cast<uint64_t>(k)},
                   rng.uniform(0, 5),
                   rng.below(3) == 0 ? 0 : rng.uniform(0.1, 100),
                   static_cast<double>(rng.below(4))};
    all.push_back(g);
    front.offer(g);
  }
  EXPECT_LT(front.graphs().size(), 100u);
  for (int round = 0; round < 50; ++round) {
    const double l1 = rng.uniform(0, 5), l2 = rng.uniform() * 0.01, beta = rng.uniform();
    for (const bool acyclic : {false, true}) {
      const auto cost = [&](const SampledGraph& g) {
        return g.score + (g.cycles > kCyclic ? l1 : 0) + l2 * g.cycles + beta * g.contradictions;
      };
      double least = 1e9;
      for (const SampledGraph& g : all) {
        if (!acyclic || g.cycles <= kCyclic) least = std::min(least, cost(g));
      }
      EXPECT_EQ(cost(*front.best(l1, l2, beta, acyclic)), least);
    }
  }
}

TEST(PenaltySchedule, FollowsTheBestGraph) {
  PenaltySchedule s(12);
  EXPECT_NEAR(s.lambda2, 1e-4, 1e-18);
  s.update(false, 0.4);
  EXPECT_EQ(s.lambda1, 1);
  EXPECT_NEAR(s.lambda2, 1e-3, 1e-16);
  s.update(false, 0.9);
  s.update(true, 2.4);  // an acyclic best lowers the ceiling
  EXPECT_EQ(s.lambda1, 2.4);
  EXPECT_NEAR(s.lambda2, 0.01, 1e-15);
  s.update(true, 1.3);
  EXPECT_EQ(s.lambda1, 1.3);  // it may fall
  s.update(false, 3);
  EXPECT_EQ(s.lambda1, 1.3);
  EXPECT_NEAR(s.beta, 0.5, 1e-12);
  for (int k = 0; k < 10; ++k) s.update(true, 1);
  EXPECT_NEAR(s.beta, 1, 1e-12);
  EXPECT_NEAR(s.lambda2, 0.01, 1e-15);
}

}  // namespace
}  // namespace agon
