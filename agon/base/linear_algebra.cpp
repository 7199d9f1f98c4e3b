#include "agon/base/linear_algebra.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

namespace agon {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd product(const MatrixXd& a, const MatrixXd& b) { return a * b; }
VectorXd product(const MatrixXd& a, const VectorXd& x) { return a * x; }
MatrixXd product_with_transpose(const MatrixXd& a, const MatrixXd& b) { return a * b.transpose(); }
MatrixXd transpose_product(const MatrixXd& a, const MatrixXd& b) { return a.transpose() * b; }
VectorXd transpose_product(const MatrixXd& a, const VectorXd& x) { return a.transpose() * x; }

// Of nothing, Eigen's rank updates would take the first entry.
void add_gram(MatrixXd& sums, const MatrixXd& rows, double factor) {
  if (rows.size() == 0) return;
  sums.selfadjointView<Eigen::Lower>().rankUpdate(rows.transpose(), factor);
}

void add_outer(MatrixXd& sums, const MatrixXd& columns, double factor) {
  if (columns.size() == 0) return;
  sums.selfadjointView<Eigen::Lower>().rankUpdate(columns, factor);
}

void add_product_with_transpose(MatrixXd& sums, const Eigen::Ref<const MatrixXd>& a,
                                const Eigen::Ref<const MatrixXd>& b) {
  sums.noalias() += a * b.transpose();
}

void subtract_product(MatrixXd& sums, const MatrixXd& a, const MatrixXd& b) { sums.noalias() -= a * b; }

MatrixXd mirrored(const MatrixXd& lower) { return lower.selfadjointView<Eigen::Lower>(); }

Cholesky::Cholesky(const MatrixXd& matrix) {
  const Eigen::LLT<MatrixXd> factor(matrix);
  factor_ = factor.matrixLLT();
  succeeded_ = factor.info() == Eigen::Success;
}

double Cholesky::smallest_pivot() const { return factor_.diagonal().array().square().minCoeff(); }

double Cholesky::log_determinant(Eigen::Index first) const {
  double sum = 0;
  for (Eigen::Index k = first; k < factor_.rows(); ++k) sum += 2 * std::log(factor_(k, k));
  return sum;
}

MatrixXd Cholesky::whitened(const MatrixXd& right) const { return solve_lower(factor_, right); }

MatrixXd Cholesky::solve(const MatrixXd& right) const {
  MatrixXd x = right;
  if (x.size() == 0) return x;
  factor_.triangularView<Eigen::Lower>().solveInPlace(x);
  factor_.transpose().triangularView<Eigen::Upper>().solveInPlace(x);
  return x;
}

VectorXd Cholesky::solve(const VectorXd& right) const {
  VectorXd x = right;
  factor_.triangularView<Eigen::Lower>().solveInPlace(x);
  factor_.transpose().triangularView<Eigen::Upper>().solveInPlace(x);
  return x;
}

MatrixXd Cholesky::inverse() const { return solve(MatrixXd(MatrixXd::Identity(factor_.rows(), factor_.cols()))); }

// Eigen divides by the number of columns, hence the test, here and below.
MatrixXd times_inverse_of_upper(const MatrixXd& left, const MatrixXd& upper) {
  if (left.size() == 0) return left;
  return upper.triangularView<Eigen::Upper>().solve<Eigen::OnTheRight>(left);
}

MatrixXd solve_lower(const MatrixXd& lower, const MatrixXd& right) {
  if (right.size() == 0) return right;
  return lower.triangularView<Eigen::Lower>().solve(right);
}

VectorXd solve_lower(const MatrixXd& lower, const VectorXd& right) {
  return lower.triangularView<Eigen::Lower>().solve(right);
}

VectorXd solve_symmetric(const MatrixXd& matrix, const VectorXd& right) {
  return Eigen::LDLT<MatrixXd>(matrix).solve(right);
}

MatrixXd solve_symmetric(const MatrixXd& matrix, const MatrixXd& right) {
  return Eigen::LDLT<MatrixXd>(matrix).solve(right);
}

MatrixXd inverse_symmetric(const MatrixXd& matrix) {
  return solve_symmetric(matrix, MatrixXd(MatrixXd::Identity(matrix.rows(), matrix.cols())));
}

MatrixXd square_root(const MatrixXd& matrix) {
  const Eigen::LDLT<MatrixXd> ldlt(matrix);
  MatrixXd out = ldlt.matrixL();
  out = ldlt.transpositionsP().transpose() * out;
  for (Eigen::Index k = 0; k < out.cols(); ++k) out.col(k) *= std::sqrt(std::max(0.0, ldlt.vectorD()(k)));
  return out;
}

GeneralInverse invert(const MatrixXd& matrix) {
  const Eigen::PartialPivLU<MatrixXd> lu(matrix);
  GeneralInverse out{{}, 0};
  for (Eigen::Index v = 0; v < matrix.rows(); ++v) out.log_determinant += std::log(std::abs(lu.matrixLU()(v, v)));
  if (std::isfinite(out.log_determinant)) {
    out.inverse = lu.inverse();
  } else {
    out.log_determinant = -std::numeric_limits<double>::infinity();
  }
  return out;
}

// What SelfAdjointEigenSolver does, step by step: its own product of reflections comes in variants for blocks that
// nobody asks for here, and they take seconds to compile.
SymmetricEigen symmetric_eigen(const MatrixXd& matrix) {
  const Eigen::Index n = matrix.rows();
  if (n < 2) return {matrix.diagonal(), MatrixXd::Identity(n, n)};
  MatrixXd q = matrix.triangularView<Eigen::Lower>();
  const double most = q.cwiseAbs().maxCoeff(), scale = most == 0 ? 1 : most;
  q.triangularView<Eigen::Lower>() /= scale;
  VectorXd weights(n - 1), workspace(n);
  Eigen::internal::tridiagonalization_inplace(q, weights);
  VectorXd values = q.diagonal(), below = q.diagonal<-1>();

  // The product of the reflections, whose vectors stand below the subdiagonal, in their place.
  q.diagonal().setOnes();
  q.triangularView<Eigen::StrictlyUpper>().setZero();
  for (Eigen::Index k = n - 2; k >= 0; --k) {
    const Eigen::Index size = n - k - 1;
    q.bottomRightCorner(size, size).applyHouseholderOnTheLeft(q.col(k).tail(size - 1), weights(k), workspace.data());
    q.col(k).tail(size).setZero();
  }
  using Solver = Eigen::SelfAdjointEigenSolver<MatrixXd>;
  Eigen::internal::computeFromTridiagonal_impl(values, below, Solver::m_maxIterations, true, q);
  return {values * scale, q};
}

MatrixXd triangular_factor(const MatrixXd& matrix) {
  if (matrix.size() == 0) return MatrixXd::Zero(matrix.cols(), matrix.cols());
  const Eigen::HouseholderQR<MatrixXd> qr(matrix);
  return qr.matrixQR().topRows(matrix.cols()).triangularView<Eigen::Upper>();
}

// The reflections that make the columns triangular, applied to y as one more column.
VectorXd least_squares(const MatrixXd& columns, const VectorXd& y) {
  const Eigen::Index k = columns.cols();
  MatrixXd both = MatrixXd::Zero(std::max(columns.rows(), k + 1), k + 1);
  both.topLeftCorner(columns.rows(), k) = columns;
  both.col(k).head(columns.rows()) = y;
  const MatrixXd factor = triangular_factor(both);
  return factor.topLeftCorner(k, k).triangularView<Eigen::Upper>().solve(factor.col(k).head(k));
}

}  // namespace agon
