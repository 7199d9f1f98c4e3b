#include "agon/score/gaussian_score.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "agon/score/test_tables.h"

namespace agon {
namespace {

using testing::Family;

// Residual variance by least squares on the rows themselves, with intercept; singular values below the threshold are
// dropped, so that dependent parents do no harm.
double residual_variance(const Dataset& data, const Family& family) {
  const auto n = static_cast<Eigen::Index>(data.rows());
  Eigen::MatrixXd design(n, static_cast<Eigen::Index>(family.parents.size()) + 1);
  design.col(0).setOnes();
  for (size_t k = 0; k < family.parents.size(); ++k) {
    design.col(static_cast<Eigen::Index>(k) + 1) =
        Eigen::Map<const Eigen::VectorXd>(data.column(family.parents[k]).values.data(), n);
  }
  const Eigen::Map<const Eigen::VectorXd> y(data.column(family.child).values.data(), n);
  Eigen::JacobiSVD<Eigen::MatrixXd> svd(design, Eigen::ComputeThinU | Eigen::ComputeThinV);
  svd.setThreshold(1e-9);
  return (y - design * svd.solve(y)).squaredNorm() / static_cast<double>(n);
}

double gaussian_bic_by_definition(const Dataset& data, const Family& family, double penalty) {
  const double n = static_cast<double>(data.rows());
  return -n / 2 * (std::log(2 * std::numbers::pi * residual_variance(data, family)) + 1) -
         penalty * 0.5 * std::log(n) * (static_cast<double>(family.parents.size()) + 2);
}

TEST(NormalScores, AscendingEqualsAComparisonSort) {
  EXPECT_TRUE(rc::check([](uint64_t seed) {
    Rng rng(seed);
    std::vector<double> values(200 + rng.below(1500));
    const int shape = rng.below(4);
    for (double& x : values) {
      x = rng.normal();
      if (shape == 1) x = std::round(3 * x);                          // ties, and -0
      if (shape == 2) x = 1 + 1e-14 * std::round(50 * x);             // equal in their upper bits
      if (shape == 3) x = std::ldexp(x, 100 * rng.below(40) - 1070);  // from the smallest to large
    }
    std::vector<std::pair<double, uint32_t>> plain;
    for (uint32_t k = 0; k < values.size(); ++k) plain.emplace_back(values[k], k);
    std::ranges::sort(plain);
    RC_ASSERT(ascending(values) == plain);
  }));
}

TEST(NormalScores, QuantilesAreThoseOfTheFunction) {
  MiddleQuantiles quantiles;
  for (const double all : {7.0, 7.5, 4096.0, 7.0}) {
    for (int time = 0; time < 2; ++time) {
      for (double below = 0; below + 1 < all; below += 0.75) {
        EXPECT_EQ(quantiles.at(below, 1, all), normal_quantile((below + 0.5) / all));
      }
    }
  }
}

TEST(GaussianBic, EqualsItsDefinitionAndItsPlainTwins) {
  EXPECT_TRUE(rc::check([](uint64_t seed) {
    Rng rng(seed);
    const int p = 2 + rng.below(7);
    const bool determined = rng.below(3) == 0;
    const Dataset data = testing::random_continuous(p, 30 + rng.below(200), determined, rng);
    const GaussianBic score(data, GaussianBic::Scale::kRaw, {.penalty = 2});
    const Family family = testing::random_family(data.size(), 5, rng);
    double now = 0;
    try {
      now = score.local(family.child, family.parents);
    } catch (const ScoreUndefined&) {
      RC_ASSERT(residual_variance(data, family) < 1e-8);
      return;
    }
    RC_ASSERT(std::abs(now - gaussian_bic_by_definition(data, family, 2)) < 1e-7 * (1 + std::abs(now)));

    std::vector<double> fast(data.size()), plain(data.size());
    RC_ASSERT(std::abs(score.addition_gains(family.child, family.parents, fast) - now) < 1e-9 * (1 + std::abs(now)));
    plain_addition_gains(score, family.child, family.parents, plain);
    for (Node v = 0; v < data.size(); ++v) {
      if (plain[v] == kNoGain) {
        RC_ASSERT(fast[v] == kNoGain);
      } else {
        RC_ASSERT(std::abs(fast[v] - plain[v]) < 1e-6 * (1 + std::abs(now)));
      }
    }
    std::vector<ParentGain> best;
    score.positive_additions(family.child, family.parents, best);
    size_t positive = 0;
    for (double g : fast) positive += g > 0;
    RC_ASSERT(best.size() == positive);
    for (const ParentGain& c : best) RC_ASSERT(c.gain == fast[c.node]);

    fast.assign(family.parents.size(), 0);
    plain.assign(family.parents.size(), 0);
    score.removal_gains(family.child, family.parents, fast);
    plain_removal_gains(score, family.child, family.parents, plain);
    for (size_t k = 0; k < fast.size(); ++k) RC_ASSERT(std::abs(fast[k] - plain[k]) < 1e-6 * (1 + std::abs(now)));
  }));
}

TEST(GaussianBic, ParentsThatDetermineEachOtherAddTheirPenaltyAlone) {
  Rng rng(1);
  const Dataset data = testing::random_continuous(4, 100, true, rng);  // v4 copies v0, v5 = v1 + v2
  const GaussianBic score(data, GaussianBic::Scale::kRaw);
  const Node a = data.index_of("v0"), copy = data.index_of("v4"), child = data.index_of("v3");
  const double one = score.local(child, std::vector<Node>{a});
  const double both = score.local(child, std::vector<Node>{std::min(a, copy), std::max(a, copy)});
  EXPECT_NEAR(both, one - 0.5 * std::log(100.0), 1e-9);
  EXPECT_THROW(score.local(copy, std::vector<Node>{a}), ScoreUndefined);
  std::vector<double> gains(data.size());
  score.addition_gains(copy, {}, gains);
  EXPECT_EQ(gains[a], kNoGain);
}

TEST(GaussianBic, FewerRowsThanParentsIsUndefinedNotInfinite) {
  Rng rng(2);
  const Dataset data = testing::random_continuous(8, 5, false, rng);
  const GaussianBic score(data, GaussianBic::Scale::kRaw, {.max_parents = 7});
  EXPECT_THROW(score.local(0, std::vector<Node>{1, 2, 3, 4, 5, 6}), ScoreUndefined);
  std::vector<double> gains(8);
  score.addition_gains(0, std::vector<Node>{1, 2, 3}, gains);
  for (Node v = 4; v < 8; ++v) EXPECT_EQ(gains[v], kNoGain);
}

TEST(GaussianBic, ValuesNearTheLimitsOfDoubleAndConstantsSurvive) {
  const Dataset data = make_dataset(
      {continuous_column("huge", {1e308, -1e308, 5e307, 3e307}),
       continuous_column("tiny", {1e-308, 3e-308, 2e-308, 5e-308}), continuous_column("flat", {2, 2, 2, 2})},
      "t");
  const GaussianBic score(data, GaussianBic::Scale::kRaw);
  for (Node v = 0; v < 3; ++v) EXPECT_TRUE(std::isfinite(score.local(v, {})));
  EXPECT_TRUE(score.traits().constant[data.index_of("flat")]);
}

TEST(GaussianBic, OrderOfRowsChangesNothingThatMatters) {
  Rng rng(4);
  const Dataset data = testing::random_continuous(6, 300, false, rng);
  const Dataset other = testing::shuffled_rows(data, rng);
  const std::vector<Node> parents{1, 3, 4};
  for (auto scale : {GaussianBic::Scale::kRaw, GaussianBic::Scale::kCopula}) {
    const double a = GaussianBic(data, scale).local(0, parents), b = GaussianBic(other, scale).local(0, parents);
    EXPECT_NEAR(a, b, 1e-9 * std::abs(a));
  }
}

// Wide tables are multiplied by other loops than narrow ones, and in bands.
TEST(GaussianBic, CorrelationsOfWideTablesAreThoseOfTheRows) {
  Rng rng(8);
  constexpr int kColumns = 530;
  constexpr size_t kRows = 1030;  // more than are taken at a time
  std::vector<Column> columns;
  for (int v = 0; v < kColumns; ++v) {
    std::vector<double> x(kRows);
    for (size_t k = 0; k < kRows; ++k) x[k] = v == 7 ? 3 : rng.normal() + (v > 0 ? columns[v / 2].values[k] : 0);
    columns.push_back(continuous_column("x" + std::to_string(v), x));
  }
  const Dataset data = make_dataset(columns, "wide");
  for (const auto scale : {GaussianBic::Scale::kRaw, GaussianBic::Scale::kCopula}) {
    const GaussianBic one(data, scale), three(data, scale, {.threads = 3});
    std::vector<std::vector<double>> z(kColumns);
    for (Node v = 0; v < kColumns; ++v) z[v] = normal_scores(data.column(v).values);
    for (Node a = 0; a < kColumns; ++a) {
      EXPECT_EQ(one.correlation(a, a), 1);
      for (Node b = 0; b < a; ++b) {
        ASSERT_EQ(one.correlation(a, b), three.correlation(a, b));
        ASSERT_EQ(one.correlation(a, b), one.correlation(b, a));
        if (scale == GaussianBic::Scale::kRaw || (a % 37 != 0 && b % 41 != 0)) continue;
        double sum = 0;
        for (size_t k = 0; k < kRows; ++k) sum += z[a][k] * z[b][k];
        const bool constant = one.traits().constant[a] || one.traits().constant[b];
        ASSERT_NEAR(one.correlation(a, b), constant ? 0 : sum / kRows, 1e-12);
      }
    }
  }
}

TEST(CopulaBic, SeesRanksAlone) {
  Rng rng(6);
  const Dataset data = testing::random_continuous(4, 200, false, rng);
  std::vector<Column> bent;
  for (int node : data.file_order()) {
    Column column = data.column(node);
    for (double& x : column.values) x = std::exp(x / 10);
    bent.push_back(column);
  }
  const Dataset other = make_dataset(bent, "bent");
  const GaussianBic a(data, GaussianBic::Scale::kCopula), b(other, GaussianBic::Scale::kCopula);
  EXPECT_EQ(a.local(0, std::vector<Node>{1, 2}), b.local(0, std::vector<Node>{1, 2}));
}

TEST(NormalScores, WorkedExample) {
  // Ranks 1, 2.5, 2.5, 4 of n = 4: quantiles of 0.125, 0.5, 0.5, 0.875 are -1.1503493803760083, 0, 0 and its mirror;
  // restandardised by sqrt(mean of squares) = 1.1503... / sqrt(2), that is -sqrt(2), 0, 0, sqrt(2).
  const std::vector<double> z = normal_scores({-3, 7, 7, 100});
  EXPECT_NEAR(z[0], -std::sqrt(2.0), 1e-14);
  EXPECT_NEAR(z[1], 0, 1e-14);
  EXPECT_NEAR(z[3], std::sqrt(2.0), 1e-14);
}

TEST(NormalQuantile, InvertsTheDistributionFunction) {
  // Tabulated quantiles (R's qnorm): 0.975, 0.99, 1e-10.
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-14);
  EXPECT_NEAR(normal_quantile(0.99), 2.3263478740408408, 1e-14);
  EXPECT_NEAR(normal_quantile(1e-10), -6.361340902404056, 1e-13);
  EXPECT_NEAR(normal_quantile(0.5), 0, 1e-15);
  for (double u = 0.001; u < 1; u += 0.0137) {
    EXPECT_NEAR(0.5 * std::erfc(-normal_quantile(u) / std::numbers::sqrt2), u, 1e-15);
  }
}

}  // namespace
}  // namespace agon
