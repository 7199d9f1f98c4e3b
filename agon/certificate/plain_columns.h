// agon/certificate/plain_columns.h
//
// A table as columns of numbers, for the certificate: what agon/score/blocks.h promises, implemented a second time.
//
//   const plain::BlockColumns columns(data, {.basis = 3});
//   columns.width(5);                   // columns of variable 5; 0 if it is isolated
//   columns.cell(417, 5, 0);            // row 417, first column of variable 5
//
//   continuous    powers of the normal score z = F^-1((W_< + W_= / 2) / W), or of the cell itself if `raw`
//   categorical   indicators of the levels by falling share, the last one dropped
//
// A Householder factorisation X = Q T of the block, over the cells seen, centred and scaled by the square roots of the
// weights, gives the triangle T. Dividing by T makes the block orthonormal: over the cells seen, mean 0 and covariance
// I. A power that those before it determine is left out, with all higher ones. Because T has a positive diagonal, and
// because indicators come in this order, the columns are those of the search, up to rounding: two EM fits can be
// compared entry by entry.
//
// Where a cell is missing its block is 0 and counts as hidden. With `gap_columns` nothing of a continuous column is
// hidden: its block has one more column, 1 where the cell is missing, and all of them are orthonormal over all rows.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "agon/certificate/plain_score.h"

namespace agon::plain {

class BlockColumns {
 public:
  // `data` must outlive what is made here. Of the options: raw, basis, gap_columns.
  BlockColumns(const Dataset& data, const MixedOptions& options);

  int size() const { return static_cast<int>(start_.size()) - 1; }  // p
  int columns() const { return start_.back(); }                     // q
  int start(Node v) const { return start_[v]; }
  int width(Node v) const { return start_[v + 1] - start_[v]; }
  const std::vector<int>& starts() const { return start_; }
  const Dataset& data() const { return data_; }

  double cell(size_t row, Node v, int column) const;
  // Of a categorical variable that varies: its columns by level.
  const Eigen::MatrixXd& values(Node v) const { return blocks_[v].values; }
  // All q columns of a row.
  void fill_row(size_t row, double* out) const;

  bool is_hidden(size_t row, Node v) const { return blocks_[v].gaps && data_.column(v).is_missing(row); }
  bool has_hidden(Node v) const { return blocks_[v].gaps; }
  bool has_hidden() const;

  // The log-likelihood per row of a variable by itself, over its seen cells: -1/2 (ln(2 pi variance) + 1), the variance
  // that of the cells if raw and else 1; or the sum of pi ln pi over the shares of its levels. 0 if isolated.
  double own_likelihood(Node v) const { return blocks_[v].own_likelihood; }

 private:
  struct Block {
    bool gaps = false;  // its missing cells are hidden
    double own_likelihood = 0;
    Eigen::MatrixXd values;  // continuous: by row; categorical: by level
  };
  int embed_levels(Node v);  // both return the width
  int embed_numbers(Node v, const MixedOptions& options);
  std::vector<double> normal_scores(Node v);  // by row; 0 where missing

  const Dataset& data_;
  std::vector<Block> blocks_;
  std::vector<int> start_;
  std::vector<std::pair<double, double>> quantiles_;  // probabilities met in earlier columns, ascending, and quantiles
};

// 1 over the share of the total weight of the rows in which both a and b were seen, p x p: neither is hidden, nor was
// drawn. Infinite if they were never seen together.
Eigen::MatrixXd rarity(const BlockColumns& columns);

}  // namespace agon::plain
