// agon/certificate/plain_matrix.h
//
// The matrix R behind the plain mixed-bic (plain_mixed.h), step by step: the covariance of the columns that stand for
// the variables, each block made orthonormal, and the floor. And what a family needs of it, a Cholesky diagonal.
//
//   const plain::BlockColumns columns(data, {});
//   Eigen::MatrixXd s = plain::covariance_of_rows(columns, plain::Experiments(data).rows_of(5));
//   plain::orthonormalise(columns.starts(), s);
//   const Eigen::MatrixXd r = plain::floored(std::move(s), 1e-6);
//   const std::vector<int> family = {0, 1, 5};                       // the columns of the parents, then of the child
//   plain::diagonal(r(family, family), columns.width(5)).log_child;  // 1/2 ln det of 5 given its parents
#pragma once

#include <Eigen/Core>
#include <vector>

#include "agon/certificate/plain_columns.h"
#include "agon/certificate/plain_em.h"
#include "agon/certificate/plain_regimes.h"

namespace agon::plain {

// The covariances within groups over some rows, by share of their weight. No cell may be hidden.
Eigen::MatrixXd covariance_of_rows(const BlockColumns& columns, const FamilyRows& rows);

// The same for a table with hidden cells, by EM on the rows as a table of its own: its columns are scaled again over
// these rows, the groups are one more category, and are eliminated at the end. Columns that do not vary there are 0.
struct FittedCovariance {
  Eigen::MatrixXd covariance;
  EmFit em;
};
FittedCovariance covariance_by_em(const BlockColumns& columns, const FamilyRows& rows, double floor, int threads);

// Makes the part of each block by itself the identity, its columns taken in their order, so that a block that is
// orthonormal already stays as it is. A column that varies too little, or that those before it determine, becomes
// unrelated to all others. Block v has the columns start[v] to start[v + 1] - 1, of variance about 1 over the table.
void orthonormalise(const std::vector<int>& start, Eigen::MatrixXd& s);

Eigen::MatrixXd floored(Eigen::MatrixXd s, double floor);  // (s + floor I) / (1 + floor)

struct Diagonal {
  double log_child = 0;  // the sum of the logarithms of the child's part: 1/2 ln det of the child given the parents
  double smallest = 1;   // the smallest pivot
  bool defined = true;
};

// Of the Cholesky factor of m, whose last `child` columns are the child's.
Diagonal diagonal(const Eigen::MatrixXd& m, Eigen::Index child);

std::vector<int> joined(std::vector<int> a, const std::vector<int>& b);

}  // namespace agon::plain
