#include "agon/base/linear_algebra.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <cmath>
#include <limits>

namespace agon {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd product(const MatrixXd& a, const MatrixXd& b) { return a * b; }
MatrixXd product_with_transpose(const MatrixXd& a, const MatrixXd& b) { return a * b.transpose(); }
MatrixXd transpose_product(const MatrixXd& a, const MatrixXd& b) { return a.transpose() * b; }
VectorXd transpose_product(const MatrixXd& a, const VectorXd& x) { return a.transpose() * x; }

void add_gram(MatrixXd& sums, const MatrixXd& rows, double factor) {
  sums.selfadjointView<Eigen::Lower>().rankUpdate(rows.transpose(), factor);
}

void add_outer(MatrixXd& sums, const MatrixXd& columns, double factor) {
  sums.selfadjointView<Eigen::Lower>().rankUpdate(columns, factor);
}

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

MatrixXd Cholesky::whitened(const MatrixXd& right) const { return factor_.triangularView<Eigen::Lower>().solve(right); }

VectorXd Cholesky::solve(const VectorXd& right) const {
  VectorXd x = right;
  factor_.triangularView<Eigen::Lower>().solveInPlace(x);
  factor_.transpose().triangularView<Eigen::Upper>().solveInPlace(x);
  return x;
}

MatrixXd Cholesky::inverse() const {
  MatrixXd x = MatrixXd::Identity(factor_.rows(), factor_.cols());
  factor_.triangularView<Eigen::Lower>().solveInPlace(x);
  factor_.transpose().triangularView<Eigen::Upper>().solveInPlace(x);
  return x;
}

VectorXd solve_symmetric(const MatrixXd& matrix, const VectorXd& right) {
  return Eigen::LDLT<MatrixXd>(matrix).solve(right);
}

MatrixXd inverse_symmetric(const MatrixXd& matrix) {
  return Eigen::LDLT<MatrixXd>(matrix).solve(MatrixXd(MatrixXd::Identity(matrix.rows(), matrix.cols())));
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

SymmetricEigen symmetric_eigen(const MatrixXd& matrix) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(matrix);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

MatrixXd triangular_factor(const MatrixXd& matrix) {
  const Eigen::HouseholderQR<MatrixXd> qr(matrix);
  return qr.matrixQR().topRows(matrix.cols()).triangularView<Eigen::Upper>();
}

VectorXd least_squares(const MatrixXd& columns, const VectorXd& y) { return columns.householderQr().solve(y); }

}  // namespace agon
