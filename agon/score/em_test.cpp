#include "agon/score/em.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "agon/score/test_gaps.h"

namespace agon {
namespace {

using testing::GapShape;
using testing::plain_em;
using testing::PlainEm;
using testing::random_with_gaps;

Column with_gap(Column column, size_t row) {
  column.missing.insert(row);
  return column;
}

double largest_difference(const EmFit& fit, const PlainEm& em) {
  double largest = 0;
  const Eigen::Index q = em.mean.size();
  for (Eigen::Index a = 0; a < q; ++a) {
    largest = std::max(largest, std::abs(fit.mean[a] - em.mean[a]));
    for (Eigen::Index b = 0; b < q; ++b) {
      largest = std::max(largest, std::abs(fit.covariance[a * q + b] - em.covariance(a, b)));
    }
  }
  return largest;
}

// x = -1, 0, 1, 2 and y = -1, 1, 0, gap. Anderson 1957: with one column complete, the likelihood falls into that of x,
// over all rows, and that of y given x, over the rows with y. There the slope is (1/3) / (2/3) = 1/2 and the residual
// variance 2/3 - 1/6 = 1/2. The variance of x is 5/4, so that of y is 5/16 + 1/2 = 13/16, and r^2 = 5/16 / (13/16).
TEST(Em, ClosedFormOfOneGap) {
  const Dataset data =
      make_dataset({continuous_column("x", {-1, 0, 1, 2}), with_gap(continuous_column("y", {-1, 1, 0, 9}), 3)}, "four");
  const Blocks blocks(data, {.raw = true});
  const EmFit fit = fit_em(blocks, {.tolerance = 1e-12, .most_steps = 500});
  ASSERT_TRUE(fit.converged);
  const Node x = data.index_of("x"), y = data.index_of("y");
  const auto at = [&](Node a, Node b) { return fit.covariance[blocks.start(a) * 2 + blocks.start(b)]; };
  EXPECT_NEAR(at(x, y) * at(x, y) / (at(x, x) * at(y, y)), 5.0 / 13, 1e-5);
  // In the blocks x has the standard deviation sqrt(5/4) for unit and y that of its three cells, sqrt(2/3).
  const double unit = std::sqrt(2.0 / 3) / std::sqrt(5.0 / 4);
  EXPECT_NEAR(at(x, y) / at(x, x) * unit, 0.5, 1e-5);
  EXPECT_NEAR(at(y, y) * 2 / 3, 13.0 / 16, 1e-5);
  EXPECT_NEAR(fit.mean[blocks.start(y)] * std::sqrt(2.0 / 3), 0.25, 1e-5);  // 1/2 times the mean of x
  EXPECT_NEAR(fit.mean[blocks.start(x)], 0, 1e-12);
}

// Where v is seen it is uncorrelated with x. Leaving the fourth row out would make x look explained by v; EM says 0.
TEST(Em, AGapExplainsNothing) {
  const Dataset data = make_dataset(
      {continuous_column("x", {1, 2, 3, 100}), with_gap(continuous_column("v", {1, -2, 1, 9}), 3)}, "four");
  const EmFit fit = fit_em(Blocks(data, {.raw = true}));
  EXPECT_NEAR(fit.covariance[1], 0, 1e-9);
}

TEST(Em, WithoutGapsItIsTheCovariance) {
  Rng rng(3);
  const Dataset data = random_with_gaps({.gaps = 0, .weights = true}, rng);
  const Blocks blocks(data, {});
  const EmFit fit = fit_em(blocks);
  EXPECT_TRUE(fit.converged);
  EXPECT_EQ(fit.steps, 2);  // one step reaches it, the other sees that nothing moves
  EXPECT_LT(largest_difference(fit, plain_em(blocks, 1)), 1e-12);
}

// One pattern of gaps leaves most slices of the table without rows; from 48 columns on Eigen cannot multiply those.
TEST(Em, OnePatternInAWideTable) {
  std::vector<int> codes;
  std::vector<double> values;
  for (int row = 0; row < 600; ++row) {
    codes.push_back(row % 60);
    values.push_back(row % 60 + row % 7);
  }
  const Dataset data =
      make_dataset({categorical_column("level", codes), with_gap(continuous_column("x", values), 5)}, "");
  const Blocks blocks(data, {});
  const EmFit fit = fit_em(blocks, {.tolerance = 1e-9});
  EXPECT_LT(largest_difference(fit, plain_em(blocks, fit.steps)), 1e-9);
}

TEST(Em, ATableWithoutColumnsThatVary) {
  const Dataset data = make_dataset({with_gap(continuous_column("x", {1, 1, 1}), 2)}, "constant");
  const EmFit fit = fit_em(Blocks(data, {}));
  EXPECT_TRUE(fit.converged);
  EXPECT_TRUE(fit.covariance.empty());
}

RC_GTEST_PROP(Em, TakesTheStepsOfTheTextbook, ()) {
  Rng rng(*rc::gen::arbitrary<uint64_t>());
  GapShape shape;
  shape.variables = *rc::gen::inRange(1, 8);
  shape.rows = *rc::gen::inRange(3, 90);
  shape.gaps = *rc::gen::element(0.02, 0.2, 0.6);
  shape.shared_patterns = *rc::gen::element(0, 1, 3);  // with few patterns, many rows are replaced by fewer
  shape.weights = *rc::gen::arbitrary<bool>();
  const Dataset data = random_with_gaps(shape, rng);
  const Blocks blocks(data, {.raw = *rc::gen::arbitrary<bool>(), .basis = *rc::gen::inRange(1, 3)});
  const int steps = *rc::gen::element(1, 2, 5, 25);
  const EmFit fit = fit_em(blocks, {.tolerance = 0, .most_steps = steps});
  if (blocks.columns() == 0) return;
  RC_ASSERT(fit.steps <= steps);
  RC_ASSERT(largest_difference(fit, plain_em(blocks, fit.steps)) < 1e-8);
  const size_t q = static_cast<size_t>(blocks.columns());
  for (size_t a = 0; a < q; ++a) {
    for (size_t b = 0; b < a; ++b) RC_ASSERT(fit.covariance[a * q + b] == fit.covariance[b * q + a]);
  }
}

// The floor bends each step by about kFloor, hence the millionth of a nat per row.
TEST(Em, TheLikelihoodOfTheCellsSeenNeverFalls) {
  for (uint64_t seed = 0; seed < 10; ++seed) {
    Rng rng(seed);
    const Dataset data = random_with_gaps({.rows = 80, .gaps = 0.3}, rng);
    const PlainEm em = plain_em(Blocks(data, {}), 40);  // the steps of fit_em, as the property above says
    for (size_t step = 1; step < em.log_likelihood.size(); ++step) {
      EXPECT_GE(em.log_likelihood[step], em.log_likelihood[step - 1] - 1e-6 * 80)
          << "seed " << seed << " step " << step;
    }
    EXPECT_GT(em.log_likelihood.back(), em.log_likelihood.front());
  }
}

TEST(Em, SaysWhenItWasStillMoving) {
  Rng rng(1);
  const Dataset data = random_with_gaps({.rows = 200, .gaps = 0.3}, rng);
  const Blocks blocks(data, {});
  const EmFit few = fit_em(blocks, {.most_steps = 3});
  EXPECT_EQ(few.steps, 3);
  EXPECT_FALSE(few.converged);
  EXPECT_GT(few.movement, 1e-6);
  const EmFit all = fit_em(blocks);
  EXPECT_TRUE(all.converged);
  EXPECT_LE(all.movement, 1e-6);
}

TEST(Em, AStopRequestEndsTheSteps) {
  Rng rng(1);
  const Dataset data = random_with_gaps({}, rng);
  const std::atomic<bool> flag = true;
  Watch watch;
  watch.interrupted = &flag;
  const EmFit fit = fit_em(Blocks(data, {}), {.watch = &watch});
  EXPECT_EQ(fit.steps, 0);
  EXPECT_FALSE(fit.converged);
  EXPECT_EQ(fit.covariance[0], 1);
}

TEST(Em, SameBytesForAnyNumberOfThreads) {
  Rng rng(5);
  const Dataset data = random_with_gaps({.variables = 12, .rows = 500, .gaps = 0.15, .weights = true}, rng);
  const Blocks blocks(data, {});
  for (const double most_operations : {1e11, 0.0}) {
    const EmFit one = fit_em(blocks, {.most_operations = most_operations, .most_regressors = 2, .threads = 1});
    EXPECT_EQ(one.restricted, most_operations == 0);
    for (const int threads : {2, 5}) {
      const EmFit other =
          fit_em(blocks, {.most_operations = most_operations, .most_regressors = 2, .threads = threads});
      EXPECT_EQ(one.mean, other.mean);
      EXPECT_EQ(one.covariance, other.covariance);
      EXPECT_EQ(one.steps, other.steps);
    }
  }
}

TEST(Em, SameBytesForAnyOrderOfColumns) {
  Rng rng(6);
  const Dataset data = random_with_gaps({.variables = 7, .rows = 200}, rng);
  std::vector<Column> columns = data.columns();
  std::reverse(columns.begin(), columns.end());
  const Dataset turned = make_dataset(std::move(columns), "turned");
  EXPECT_EQ(fit_em(Blocks(data, {})).covariance, fit_em(Blocks(turned, {})).covariance);
}

// Rows of 30 columns with some 3 seen: there it is cheaper to solve for the seen columns.
TEST(Em, WithAllRegressorsTheRestrictedStepIsTheFullOne) {
  Rng rng(7);
  const Dataset data = random_with_gaps({.variables = 30, .rows = 300, .categorical = 0.3, .gaps = 0.9}, rng);
  const Blocks blocks(data, {});
  const int q = blocks.columns();
  const EmFit full = fit_em(blocks, {.most_steps = 4});
  const EmFit other = fit_em(blocks, {.most_steps = 4, .most_operations = 0, .most_regressors = q});
  ASSERT_FALSE(full.restricted);
  ASSERT_TRUE(other.restricted);
  for (size_t k = 0; k < full.covariance.size(); ++k) EXPECT_NEAR(full.covariance[k], other.covariance[k], 1e-9);
  for (int a = 0; a < q; ++a) EXPECT_NEAR(full.mean[a], other.mean[a], 1e-9);
}

// A chain: given its neighbours, no other column says anything of a column. What is lost is what a column says where a
// neighbour is a gap too. The restricted step is chosen only where it is cheaper, hence two regressors and many gaps.
TEST(Em, FewRegressorsSufficeWhereFewMatter) {
  Rng rng(8);
  const int p = 20;
  const size_t rows = 500;
  std::vector<Column> columns;
  std::vector<double> x(rows);
  for (int v = 0; v < p; ++v) {
    for (double& cell : x) cell = 0.8 * cell + 0.6 * rng.normal();
    columns.push_back(continuous_column("v" + std::to_string(v), x));
    for (size_t row = 0; row < rows; ++row) {
      if (rng.uniform() < 0.5) columns.back().missing.insert(row);
    }
  }
  const Dataset data = make_dataset(std::move(columns), "chain");
  const Blocks blocks(data, {});
  const EmFit full = fit_em(blocks, {.most_steps = 500});
  const EmFit few = fit_em(blocks, {.most_steps = 500, .most_operations = 0, .most_regressors = 2});
  ASSERT_FALSE(full.restricted);
  ASSERT_TRUE(few.restricted);
  EXPECT_TRUE(few.converged);
  double squares = 0;
  for (size_t k = 0; k < full.covariance.size(); ++k) {
    squares += (full.covariance[k] - few.covariance[k]) * (full.covariance[k] - few.covariance[k]);
  }
  const double typical = std::sqrt(squares / (p * p));
  EXPECT_LT(typical, 0.04);  // about the standard error of a correlation in 500 rows
  EXPECT_GT(typical, 1e-4);
  const Eigen::Map<const Eigen::MatrixXd> s(few.covariance.data(), p, p);
  EXPECT_GT(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(s).eigenvalues()(0), 0);
}

}  // namespace
}  // namespace agon
