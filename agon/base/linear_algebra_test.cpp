#include "agon/base/linear_algebra.h"

#include <gtest/gtest.h>

#include <cmath>

#include "agon/base/rng.h"

namespace agon {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd drawn(int rows, int columns, Rng& rng) {
  MatrixXd out(rows, columns);
  for (Eigen::Index k = 0; k < out.size(); ++k) out.data()[k] = rng.normal();
  return out;
}

// Plain loops, the twin of every product here.
MatrixXd slow_product(const MatrixXd& a, const MatrixXd& b) {
  MatrixXd out = MatrixXd::Zero(a.rows(), b.cols());
  for (Eigen::Index i = 0; i < a.rows(); ++i) {
    for (Eigen::Index j = 0; j < b.cols(); ++j) {
      for (Eigen::Index k = 0; k < a.cols(); ++k) out(i, j) += a(i, k) * b(k, j);
    }
  }
  return out;
}

void expect_near(const MatrixXd& a, const MatrixXd& b) {
  ASSERT_EQ(a.rows(), b.rows());
  ASSERT_EQ(a.cols(), b.cols());
  EXPECT_LT((a - b).cwiseAbs().maxCoeff(), 1e-8);
}

constexpr int kSizes[] = {1, 2, 5, 17, 60};  // below and above where Eigen switches to blocks

TEST(LinearAlgebra, ProductsAreThoseOfPlainLoops) {
  Rng rng(1);
  for (const int n : kSizes) {
    const MatrixXd a = drawn(n + 3, n, rng), b = drawn(n, n + 1, rng), c = drawn(n + 3, 2, rng);
    expect_near(product(a, b), slow_product(a, b));
    expect_near(product_with_transpose(a, a), slow_product(a, a.transpose()));
    expect_near(transpose_product(a, c), slow_product(a.transpose(), c));
    const VectorXd x = c.col(0);
    expect_near(transpose_product(a, x), slow_product(a.transpose(), x));
    const VectorXd y = b.col(0);
    expect_near(product(a, y), slow_product(a, y));
    MatrixXd sums = MatrixXd::Ones(n + 3, 2);
    add_product_with_transpose(sums, a, b.leftCols(2).transpose());
    expect_near(sums, MatrixXd::Ones(n + 3, 2) + slow_product(a, b.leftCols(2)));
    subtract_product(sums, a, b.leftCols(2));
    expect_near(sums, MatrixXd::Ones(n + 3, 2));
    MatrixXd rows = MatrixXd::Zero(n, n), columns = MatrixXd::Zero(n + 3, n + 3);
    add_gram(rows, a, 0.5);
    add_outer(columns, a, 2);
    expect_near(mirrored(rows), 0.5 * slow_product(a.transpose(), a));
    expect_near(mirrored(columns), 2 * slow_product(a, a.transpose()));
  }
}

TEST(LinearAlgebra, DecompositionsSolveWhatTheyWereGiven) {
  Rng rng(2);
  for (const int n : kSizes) {
    const MatrixXd a = drawn(2 * n + 5, n, rng), one = MatrixXd::Identity(n, n);
    const MatrixXd square = slow_product(a.transpose(), a);
    const VectorXd x = drawn(n, 1, rng), right = slow_product(square, x);
    const Cholesky factor(square);
    EXPECT_TRUE(factor.succeeded());
    EXPECT_GT(factor.smallest_pivot(), 0);
    expect_near(factor.solve(right), x);
    expect_near(slow_product(factor.inverse(), square), one);
    const MatrixXd lower = factor.factor().triangularView<Eigen::Lower>(), several = drawn(n, 3, rng);
    expect_near(slow_product(lower, lower.transpose()), square);
    expect_near(factor.solve(slow_product(square, several)), several);
    expect_near(factor.whitened(slow_product(lower, several)), several);
    expect_near(solve_lower(factor.factor(), several), factor.whitened(several));
    expect_near(solve_lower(factor.factor(), VectorXd(slow_product(lower, x))), x);
    expect_near(times_inverse_of_upper(slow_product(several.transpose(), lower.transpose()), lower.transpose()),
                several.transpose());
    expect_near(solve_symmetric(square, right), x);
    expect_near(solve_symmetric(square, slow_product(square, several)), several);
    expect_near(slow_product(inverse_symmetric(square), square), one);
    const MatrixXd root = square_root(square);
    expect_near(slow_product(root, root.transpose()), square);
    const MatrixXd of_few = square_root(slow_product(several, several.transpose()));  // singular if n > 3
    expect_near(slow_product(of_few, of_few.transpose()), slow_product(several, several.transpose()));
    const SymmetricEigen eigen = symmetric_eigen(square);
    expect_near(slow_product(eigen.vectors, eigen.values.asDiagonal() * eigen.vectors.transpose()), square);
    const MatrixXd r = triangular_factor(a);
    expect_near(slow_product(r.transpose(), r), square);
    expect_near(MatrixXd(r.triangularView<Eigen::StrictlyLower>()), MatrixXd::Zero(n, n));
    expect_near(least_squares(a, slow_product(a, x)), x);
    const MatrixXd general = drawn(n, n, rng);
    const GeneralInverse inverse = invert(general);
    expect_near(slow_product(inverse.inverse, general), one);
    EXPECT_NEAR(invert(2 * general).log_determinant, inverse.log_determinant + n * std::log(2), 1e-8);
  }
}

TEST(LinearAlgebra, TakesWhatIsEmpty) {
  const MatrixXd none(0, 0);
  EXPECT_TRUE(Cholesky(none).succeeded());
  EXPECT_EQ(Cholesky(none).inverse().size(), 0);
  EXPECT_EQ(Cholesky(none).whitened(MatrixXd(0, 3)).cols(), 3);
  EXPECT_EQ(Cholesky(none).solve(MatrixXd(0, 3)).cols(), 3);
  EXPECT_EQ(solve_lower(none, VectorXd(0)).size(), 0);
  EXPECT_EQ(times_inverse_of_upper(MatrixXd(3, 0), none).rows(), 3);
  EXPECT_EQ(triangular_factor(MatrixXd(3, 0)).size(), 0);
  EXPECT_EQ(product(MatrixXd(2, 0), MatrixXd(0, 3)), MatrixXd::Zero(2, 3));
  EXPECT_EQ(product(MatrixXd(2, 0), VectorXd(0)), VectorXd::Zero(2));
  EXPECT_EQ(transpose_product(MatrixXd(0, 2), VectorXd(0)), VectorXd::Zero(2));
  MatrixXd nothing(0, 0), sums = MatrixXd::Identity(2, 2);
  add_gram(nothing, MatrixXd(3, 0));  // a table without columns
  add_outer(nothing, MatrixXd(0, 3));
  EXPECT_EQ(nothing.size(), 0);
  add_gram(sums, MatrixXd(0, 2));
  add_outer(sums, MatrixXd(2, 0));
  add_product_with_transpose(sums, MatrixXd(2, 0), MatrixXd(2, 0));
  subtract_product(sums, MatrixXd(2, 0), MatrixXd(0, 2));
  EXPECT_EQ(sums, MatrixXd::Identity(2, 2));
}

TEST(LinearAlgebra, SaysWhenThereIsNoAnswer) {
  EXPECT_FALSE(Cholesky(-MatrixXd::Identity(2, 2)).succeeded());
  const GeneralInverse singular = invert(MatrixXd::Ones(2, 2));
  EXPECT_EQ(singular.inverse.size(), 0);
  EXPECT_EQ(singular.log_determinant, -INFINITY);
}

}  // namespace
}  // namespace agon
