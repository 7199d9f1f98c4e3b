#include "agon/score/elimination_loops.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <vector>

#include "agon/base/rng.h"

namespace agon {
namespace {

TEST(EliminationLoops, ManyRowsAtOnceHaveTheBitsOfOneAfterTheOther) {
  Rng rng(1);
  for (int length = 1; length <= 70; ++length) {
    for (const int count : {0, 1, 2, 7}) {
      const int stride = length + rng.below(3), at = rng.below(length);
      std::vector<double> rows(static_cast<size_t>(count) * stride + 1), out(length);
      for (double& x : rows) x = rng.normal();
      for (double& x : out) x = rng.normal();
      std::vector<double> expected = out;
      for (int i = 0; i < count; ++i) {
        const double* row = rows.data() + static_cast<size_t>(i) * stride;
        for (int v = 0; v < length; ++v) expected[v] -= row[at] * row[v];
      }
      elimination_loops().subtract_rows(out.data(), rows.data(), rows.data() + std::min<size_t>(at, rows.size() - 1),
                                        count, length, stride);
      EXPECT_EQ(out, expected) << length << " " << count;
    }
  }
}

TEST(EliminationLoops, AnInverseTimesItsMatrixIsTheIdentity) {
  Rng rng(2);
  for (const int order : {1, 2, 15, 16, 17, 40, 83}) {
    Eigen::MatrixXd root(order, order + 3);
    for (double& x : root.reshaped()) x = rng.normal();
    const Eigen::MatrixXd matrix = root * root.transpose();
    Eigen::MatrixXd inverse(order, order);
    invert_symmetric(matrix.data(), order, inverse.data());
    EXPECT_LT((inverse * matrix - Eigen::MatrixXd::Identity(order, order)).cwiseAbs().maxCoeff(), 1e-9);
    EXPECT_EQ(inverse, inverse.transpose());
  }
}

TEST(EliminationLoops, ATriangleTimesItsInverseIsTheIdentity) {
  Rng rng(3);
  for (const int order : {1, 2, 15, 16, 17, 18, 40, 83}) {
    Eigen::MatrixXd lower = Eigen::MatrixXd::Constant(order, order, std::nan(""));  // what is not read stays out
    for (int a = 0; a < order; ++a) {
      for (int b = 0; b < a; ++b) lower(a, b) = rng.normal() / order;
      lower(a, a) = 0.5 + rng.uniform();
    }
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows = lower, inverse(order, order);
    invert_upper(rows.data(), order, inverse.data());
    const Eigen::MatrixXd upper = Eigen::MatrixXd(lower.triangularView<Eigen::Lower>()).transpose();
    EXPECT_LT((inverse * upper - Eigen::MatrixXd::Identity(order, order)).cwiseAbs().maxCoeff(), 1e-9) << order;
  }
}

}  // namespace
}  // namespace agon
