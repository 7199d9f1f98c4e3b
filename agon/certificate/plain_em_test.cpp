#include "agon/certificate/plain_em.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "agon/certificate/plain_mixed.h"
#include "agon/score/test_mixed_tables.h"

namespace agon {
namespace {

using plain::EmMoments;
using plain::PlainEm;
using testing::random_mixed;

// EM as a textbook prints it: row after row, with inverses.
EmMoments by_rows(const plain::BlockColumns& columns, double floor, int steps) {
  const Dataset& data = columns.data();
  const int q = columns.columns();
  Eigen::VectorXd mean = Eigen::VectorXd::Zero(q);
  Eigen::MatrixXd covariance = Eigen::MatrixXd::Identity(q, q);
  for (int step = 0; step < steps; ++step) {
    Eigen::VectorXd first = Eigen::VectorXd::Zero(q);
    Eigen::MatrixXd second = Eigen::MatrixXd::Zero(q, q);
    for (size_t row = 0; row < data.rows(); ++row) {
      std::vector<int> o, h;
      for (Node v = 0; v < columns.size(); ++v) {
        for (int c = 0; c < columns.width(v); ++c) (columns.is_hidden(row, v) ? h : o).push_back(columns.start(v) + c);
      }
      Eigen::VectorXd x(q);
      columns.fill_row(row, x.data());
      Eigen::MatrixXd seen = covariance(o, o);
      seen += floor * Eigen::MatrixXd::Identity(seen.rows(), seen.rows());
      const Eigen::MatrixXd slopes = covariance(h, o) * seen.inverse();
      x(h) = mean(h) + slopes * (x(o) - mean(o));
      Eigen::MatrixXd products = x * x.transpose();
      products(h, h) += covariance(h, h) - slopes * covariance(o, h);
      first += data.weight(row) * x;
      second += data.weight(row) * products;
    }
    mean = first / data.total_weight();
    covariance = second / data.total_weight() - mean * mean.transpose();
  }
  return {{mean.begin(), mean.end()}, {covariance.data(), covariance.data() + q * q}};
}

double largest_difference(const EmMoments& a, const EmMoments& b) {
  double largest = 0;
  for (size_t k = 0; k < a.mean.size(); ++k) largest = std::max(largest, std::abs(a.mean[k] - b.mean[k]));
  for (size_t k = 0; k < a.covariance.size(); ++k) {
    largest = std::max(largest, std::abs(a.covariance[k] - b.covariance[k]));
  }
  return largest;
}

RC_GTEST_PROP(PlainEm, IsTheTextbookForm, ()) {
  Rng rng(*rc::gen::arbitrary<uint64_t>());
  const Dataset data = random_mixed({.rows = 30, .gaps = 0.3, .weights = *rc::gen::arbitrary<bool>()}, rng);
  const plain::BlockColumns columns(data, {});
  const double floor = *rc::gen::element(1e-6, 0.1);
  const int steps = *rc::gen::inRange(1, 6);
  const plain::EmFit fit = PlainEm(columns, floor).fit(steps);
  EXPECT_EQ(fit.steps, steps);
  EXPECT_LT(largest_difference(fit.moments, by_rows(columns, floor, steps)), 1e-10);
}

// What must never fall is the penalised likelihood of the header, also where columns copy each other and the likelihood
// itself grows without bound, and for floors that change the answer a lot.
RC_GTEST_PROP(PlainEm, TheLikelihoodNeverFalls, ()) {
  Rng rng(*rc::gen::arbitrary<uint64_t>());
  std::vector<Column> columns = random_mixed({.rows = 60, .gaps = 0.3, .weights = true}, rng).columns();
  Column copy = columns[0];
  copy.name = "copy";
  for (size_t row = 0; row < 60; row += 7) copy.missing.insert(row);
  columns.push_back(std::move(copy));
  const Dataset data = make_dataset(std::move(columns), "t");
  const plain::BlockColumns blocks(data, {});
  const plain::EmFit fit = PlainEm(blocks, *rc::gen::element(1e-6, 1e-3, 0.1, 1.0)).fit(60);
  EXPECT_FALSE(fit.likelihood_fell);
}

TEST(PlainEm, StopsWhenNothingMoves) {
  Rng rng(4);
  const Dataset data = random_mixed({.rows = 300, .gaps = 0.1}, rng);
  const plain::BlockColumns columns(data, {});
  const PlainEm em(columns, 1e-6);
  const plain::EmFit fit = em.fit(-1);
  EXPECT_TRUE(fit.converged);
  EXPECT_LE(fit.movement, 1e-6);
  EXPECT_FALSE(fit.likelihood_fell);
  EXPECT_LT(fit.steps, PlainEm::kMostSteps);
  const plain::EmFit before = em.fit(fit.steps - 1);
  EXPECT_GT(before.movement, 1e-6);
  EXPECT_EQ(largest_difference(em.fit(fit.steps).moments, fit.moments), 0);
}

TEST(PlainEm, TheNumberOfThreadsDoesNotMatter) {
  Rng rng(5);
  const Dataset data = random_mixed({.rows = 300, .gaps = 0.2, .weights = true}, rng);
  const plain::BlockColumns columns(data, {});
  const plain::EmFit one = PlainEm(columns, 1e-6, 1).fit(5), three = PlainEm(columns, 1e-6, 3).fit(5);
  EXPECT_EQ(one.moments.covariance, three.moments.covariance);
  EXPECT_EQ(one.moments.mean, three.moments.mean);
  EXPECT_EQ(one.objective, three.objective);
}

// A row in which every column is hidden says nothing.
TEST(PlainEm, AnEmptyRowChangesNothing) {
  Rng rng(6);
  std::vector<Column> columns;
  for (int v = 0; v < 3; ++v) {
    std::vector<double> x;
    for (int row = 0; row < 50; ++row) x.push_back(rng.normal() + (v > 0 ? columns[0].values[row] : 0));
    columns.push_back(continuous_column("v" + std::to_string(v), x));
    columns.back().missing.insert(10 + v);
  }
  const Dataset without = make_dataset(columns, "t");
  for (Column& column : columns) {
    column.values.push_back(0);
    column.missing.insert(50);
  }
  const Dataset with = make_dataset(columns, "t");
  const plain::BlockColumns a(without, {}), b(with, {});
  EXPECT_LT(largest_difference(PlainEm(a, 1e-6).fit(300).moments, PlainEm(b, 1e-6).fit(300).moments), 1e-10);
}

TEST(PlainEm, TellsAFixedPointFromAMatrixThatIsNone) {
  Rng rng(7);
  const Dataset data = random_mixed({.rows = 200, .gaps = 0.2}, rng);
  const plain::MixedOptions options;
  const plain::BlockColumns columns(data, options);
  EmMoments moments = PlainEm(columns, options.floor).fit(200).moments;
  const plain::MixedScorer scorer(data, options);
  const plain::EmCheck good = scorer.check(moments);
  EXPECT_LT(good.movement, 1e-9);
  EXPECT_FALSE(good.likelihood_fell);
  moments.covariance[1] += 0.01;
  moments.covariance[columns.columns()] += 0.01;
  EXPECT_GT(scorer.check(moments).movement, 1e-4);
  moments.mean.pop_back();
  EXPECT_THROW(scorer.check(moments), std::invalid_argument);
}

TEST(PlainEm, AScorerTakesMomentsThatAreGiven) {
  Rng rng(8);
  const Dataset data = random_mixed({.rows = 200, .gaps = 0.2}, rng);
  const plain::MixedScorer own(data, {.em_steps = 12});
  const plain::MixedScorer given(data, {.moments = &own.em()->moments});
  EXPECT_FALSE(given.em().has_value());
  EXPECT_EQ(given.matrix(), own.matrix());
  EXPECT_GT(plain::mixed_em_operations(data, {}, 10), 9 * plain::mixed_em_operations(data, {}, 1));
  EXPECT_EQ(plain::mixed_em_operations(random_mixed({}, rng), {}, 10), 0);
}

}  // namespace
}  // namespace agon
