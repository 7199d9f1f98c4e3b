// agon/data/matrix_rows.h
//
// Rows that stand for a covariance matrix: with V D V' the eigenvectors of the matrix of correlations of q columns, the
// 2 q rows mean +- deviation * sqrt(q d_k) v_k of equal weight have these means and this covariance.
//
//   const Eigen::MatrixXd covariance = Eigen::MatrixXd::Identity(2, 2);
//   std::vector<std::vector<double>> columns = rows_of_matrix(covariance, Eigen::VectorXd::Zero(2), "c.csv", 0);
//   columns[1].size();   // 4
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

namespace agon {

// By column, of as many rows as twice the columns. Eigenvalues of the correlations are raised to `least` if that is
// above 0; otherwise InputError, with `place`, for one that is negative beyond rounding.
std::vector<std::vector<double>> rows_of_matrix(const Eigen::MatrixXd& covariance, const Eigen::VectorXd& mean,
                                                const std::string& place, double least);

}  // namespace agon
