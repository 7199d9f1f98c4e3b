// agon/base/linear_algebra.h
//
// Products and decompositions of matrices of doubles. Each is one call of Eigen, compiled here once: Eigen's templates
// for them take seconds per unit. Code that uses them includes this instead of <Eigen/Dense>; sums, blocks and other
// operations on entries are cheap to compile and stay where they are used.
//
//   Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(2, 2);
//   const Eigen::MatrixXd rows = Eigen::MatrixXd::Identity(2, 2);
//   add_gram(gram, rows);                              // the lower triangle
//   const Cholesky factor(mirrored(gram));
//   Eigen::MatrixXd inverse = factor.inverse();
//
// Results are those of Eigen, bit for bit. Products, Cholesky, triangles and Q R take empty matrices too.
#pragma once

#include <Eigen/Core>

namespace agon {

Eigen::MatrixXd product(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);
Eigen::VectorXd product(const Eigen::MatrixXd& a, const Eigen::VectorXd& x);
Eigen::MatrixXd product_with_transpose(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);  // a b'
Eigen::MatrixXd transpose_product(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);       // a' b
Eigen::VectorXd transpose_product(const Eigen::MatrixXd& a, const Eigen::VectorXd& x);       // a' x

// Adds factor * rows' rows, or factor * columns columns', to the lower triangle of `sums`.
void add_gram(Eigen::MatrixXd& sums, const Eigen::MatrixXd& rows, double factor = 1);
void add_outer(Eigen::MatrixXd& sums, const Eigen::MatrixXd& columns, double factor = 1);
// Adds a b' to `sums`.
void add_product_with_transpose(Eigen::MatrixXd& sums, const Eigen::Ref<const Eigen::MatrixXd>& a,
                                const Eigen::Ref<const Eigen::MatrixXd>& b);
// Subtracts a b from `sums`.
void subtract_product(Eigen::MatrixXd& sums, const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);
// The symmetric matrix with this lower triangle.
Eigen::MatrixXd mirrored(const Eigen::MatrixXd& lower);

// L L' of a symmetric positive definite matrix.
class Cholesky {
 public:
  explicit Cholesky(const Eigen::MatrixXd& matrix);

  bool succeeded() const { return succeeded_; }
  const Eigen::MatrixXd& factor() const { return factor_; }  // L in the lower triangle; what is above it means nothing
  double smallest_pivot() const;                             // the smallest square on the diagonal of L
  double log_determinant(
      Eigen::Index first = 0) const;  // of what rows and columns from `first` on are, given the others
  Eigen::MatrixXd whitened(const Eigen::MatrixXd& right) const;  // L^-1 right
  Eigen::MatrixXd solve(const Eigen::MatrixXd& right) const;
  Eigen::VectorXd solve(const Eigen::VectorXd& right) const;
  Eigen::MatrixXd inverse() const;

 private:
  Eigen::MatrixXd factor_;
  bool succeeded_ = false;
};

// left upper^-1 and lower^-1 right; the other triangle is not read.
Eigen::MatrixXd times_inverse_of_upper(const Eigen::MatrixXd& left, const Eigen::MatrixXd& upper);
Eigen::MatrixXd solve_lower(const Eigen::MatrixXd& lower, const Eigen::MatrixXd& right);
Eigen::VectorXd solve_lower(const Eigen::MatrixXd& lower, const Eigen::VectorXd& right);

// L D L' of a symmetric matrix, with pivots: also for one that rounding made indefinite. Reads the lower triangle.
Eigen::VectorXd solve_symmetric(const Eigen::MatrixXd& matrix, const Eigen::VectorXd& right);
Eigen::MatrixXd solve_symmetric(const Eigen::MatrixXd& matrix, const Eigen::MatrixXd& right);
Eigen::MatrixXd inverse_symmetric(const Eigen::MatrixXd& matrix);
Eigen::MatrixXd square_root(const Eigen::MatrixXd& matrix);  // L sqrt(D), rows in their old order; 0 for negative D

// L U with partial pivoting.
struct GeneralInverse {
  Eigen::MatrixXd inverse;  // empty if the matrix is singular
  double log_determinant;   // ln |det|; -infinity if the matrix is singular
};
GeneralInverse invert(const Eigen::MatrixXd& matrix);

// V diag(values) V' of a symmetric matrix, values in increasing order.
struct SymmetricEigen {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};
SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& matrix);

// Householder's Q R: R of a matrix with at least as many rows as columns, and x that brings `columns` x nearest to `y`.
Eigen::MatrixXd triangular_factor(const Eigen::MatrixXd& matrix);
Eigen::VectorXd least_squares(const Eigen::MatrixXd& columns, const Eigen::VectorXd& y);

}  // namespace agon
