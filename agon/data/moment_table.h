// agon/data/moment_table.h
//
// A table that is known by its covariance matrix alone: sums and products that a database or a cluster computed in one
// pass over more rows than anybody wants to move.
//
//   MomentTable given = read_covariance("cov.csv", {.rows = 1e9});
//   given.data.total_weight();             // 1e9
//
// The file has the names in its header and in its first column; the matrix is symmetric (to 1e-9 of its scale) and
// positive semidefinite: a covariance or a correlation matrix, or Spearman's correlations S, which become
// 2 sin(pi S / 6), the correlations of the Gaussian copula (Kruskal 1958), with eigenvalues raised to the noise floor.
// Columns called `A=x` with equal A are the indicators of one category A; one level may be left out.
//
// The Dataset made from it has 2 q rows, for q columns, that stand for no case: with V D V' the eigenvectors of the
// matrix, row pairs +-sqrt(q d_k) v_k of weight N / 2q each. Their mean is 0 and their covariance is the matrix given,
// so every score and test that sees rows through their covariances takes it as it takes any weighted table.
// Dataset::is_summary() says that its cells mean nothing by themselves.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "agon/data/dataset.h"

namespace agon {

struct MomentOptions {
  double rows = 0;        // N, how many rows the matrix was computed from; > 0
  bool spearman = false;  // it holds Spearman's rank correlations
};

struct MomentTable {
  Dataset data;
  std::vector<std::string> notes;  // which columns were taken as one category, ...
};

// InputError that names line and column for cells that are no numbers, names that do not match, an asymmetric matrix,
// a variance that is not positive, and a matrix with a negative eigenvalue.
MomentTable read_covariance(const std::string& path, const MomentOptions& options);
MomentTable read_covariance_text(std::string_view text, const std::string& name, const MomentOptions& options);

}  // namespace agon
