// agon/score/block_elimination.h
//
// Determinants over blocks of columns, for mixed-bic: what parents leave of a child, and what one more or one less of
// them would. All take the columns from one matrix (wide_sets.h).
//
//   BlockElimination e;
//   e.run({score.moments()->start.data(), score.moments()->matrix.data(), 9, 9}, 5, parents);  // of 9 columns
//   e.log_share;               // ln det of variable 5 given its parents
//   e.explained(2);            // what variable 2 would tell about variable 5 beyond them, in nats a row
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "agon/score/local_score.h"
#include "agon/score/wide_sets.h"

namespace agon {

void take_columns(const BlockColumns& of, Node v, std::vector<int>& columns);  // appends those of v
std::vector<int> columns_of(const BlockColumns& of, Parents variables);

// The inverse of the matrix over these columns.
Eigen::MatrixXd inverse_over(const BlockColumns& of, const std::vector<int>& columns);

// ln det of the columns from `first` on, given those before.
double log_share(const BlockColumns& of, const std::vector<int>& columns, size_t first);

// L with L L' = the matrix over these columns, row by row; what is behind the diagonal means nothing.
std::vector<double> lower_factor(const BlockColumns& of, const std::vector<int>& columns);

// What each parent tells about the child beyond the others, in nats a row. `factor` is L with L L' = R over the columns
// of the parents and then the child. With V the inverse of L', K = V V' is the inverse of R, and a parent k tells
//
//   -1/2 (ln det K_{k and child} - ln det K_kk - ln det K_child).
void own_information(const BlockColumns& of, Node child, Parents parents, const std::vector<double>& factor,
                     std::vector<double>& each);

// The state after the columns of the parents, then those of the child, were eliminated from a matrix.
struct BlockElimination {
  BlockColumns of;
  std::vector<double> basis;     // row i: every column's coordinate along the i-th column of the parents
  std::vector<double> residual;  // by column: its variance given the parents
  std::vector<double> beside;    // row d - 1: every column's covariance with the d-th behind it given the parents
  std::vector<double> along;     // row c: every column's coordinate along the child's column c, given the parents
  int rank = 0;                  // rows of basis
  int reach = 0;                 // rows of beside
  Node whose = 0;                // the child, if there is one
  int child = 0;                 // rows of along
  double log_share = 0;          // ln det of the child given its parents

  void run(const BlockColumns& columns, std::optional<Node> child, Parents parents);
  double explained(Node v) const;  // what v tells about the child beyond the parents, in nats a row
  double log_left(Node v) const;   // ln det of v's block given the parents
  void own_information(Parents parents, std::vector<double>& each) const;

 private:
  void begin_beside();
  double explained_wide(Node v) const;
  Eigen::MatrixXd rows_of(const std::vector<double>& rows, int count, Node v) const;
  Eigen::MatrixXd left_of(Node v) const;
  void subtract(std::vector<double>& block, const std::vector<double>& rows, int count, Node v) const;
};

}  // namespace agon
