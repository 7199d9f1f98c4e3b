// agon/score/blocks.h
//
// Every variable as a block of columns of numbers, so that tables with both kinds of columns enter a score through one
// matrix (Andrews, Ramsey & Cooper 2019, the degenerate Gaussian score).
//
//   const Blocks blocks(data, {});
//   blocks.width(3);                        // columns of variable 3: 1 for numbers, k - 1 for k levels, 0 if isolated
//   std::vector<double> rows(100 * blocks.columns());
//   blocks.fill(0, 100, rows.data());       // rows 0 .. 99, column by column
//
//   continuous    z = F^-1((W_< + W_= / 2) / W), the normal score: W the weight of the cells seen, W_< and W_= of those
//                 below and equal to the cell; or the cell itself if `raw`. With a basis of d: z, z^2, .., z^d.
//   categorical   k - 1 contrasts. With the levels by falling share pi_1 >= pi_2 >= .. and Pi_l = pi_{l+1} + .. + pi_k,
//                 contrast l is sqrt(Pi_l / (pi_l (pi_l + Pi_l))) at level l, -sqrt(pi_l / (Pi_l (pi_l + Pi_l))) at
//                 later levels and 0 at earlier ones.
//
// Over the cells that are seen, by weight, every block is centred and orthonormal: mean 0, covariance I. Any other
// coding of the levels spans the same space. A block has fewer columns than said above where its columns depend on
// each other (a number with two values has no square of its own).
//
// Where a cell is missing its whole block is 0. With `gap_columns`, a continuous variable with gaps has one more
// column, 1 where the cell is missing (then orthonormalised with the others over all rows), and nothing is missing.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "agon/data/dataset.h"
#include "agon/graph/dag.h"

namespace agon {

class MiddleQuantiles;

struct BlockOptions {
  bool raw = false;
  int basis = 1;
  bool gap_columns = false;
  bool operator==(const BlockOptions&) const = default;
};

class Blocks {
 public:
  // `data` must outlive what is made here.
  Blocks(const Dataset& data, const BlockOptions& options);
  // The blocks of `data` where those of a table with the same columns and weights are known: nothing is computed.
  Blocks(const Dataset& data, const Blocks& same) : data_(&data), blocks_(same.blocks_), start_(same.start_) {}

  int size() const { return static_cast<int>(start_.size()) - 1; }  // p
  int columns() const { return start_.back(); }                     // q
  int start(Node v) const { return start_[v]; }                     // first column of v
  int width(Node v) const { return start_[v + 1] - start_[v]; }
  const std::vector<int>& starts() const { return start_; }  // p + 1
  const Dataset& data() const { return *data_; }

  // Is the cell a gap, so that its block holds nothing in that row?
  bool is_missing(Node v, size_t row) const { return block(v).gaps && data_->column(v).is_missing(row); }
  bool has_missing(Node v) const { return block(v).gaps; }
  bool has_missing() const;

  // Rows first .. first + count - 1 of all q columns, column by column: out[column * count + k].
  void fill(size_t first, size_t count, double* out) const;
  // The one column of a continuous variable that varies, without gaps and powers: its normal scores.
  const std::vector<double>& column(Node v) const { return block(v).values; }
  // The columns of v in one row.
  void fill_row(Node v, size_t row, double* out) const;

  // The standard deviation of the cells seen, by weight: of x if raw, else 1. Continuous variables that vary.
  double deviation(Node v) const { return block(v).deviation; }
  // Shares of the levels among the cells seen, by weight. Variables with levels.
  const std::vector<double>& shares(Node v) const { return block(v).shares; }

 private:
  struct Block {
    bool gaps = false;
    double deviation = 0;
    std::vector<double> shares;
    std::vector<double> values;  // continuous: by column, then row. categorical: by level, then column
  };
  const Block& block(Node v) const { return (*blocks_)[v]; }
  int embed_labels(Node v, Block& block) const;  // both return the width of the block
  int embed_numbers(Node v, const BlockOptions& options, MiddleQuantiles& quantiles, Block& block) const;

  const Dataset* data_;
  std::shared_ptr<const std::vector<Block>> blocks_;
  std::vector<int> start_;
};

class RegimeSums;  // block_moments.cpp

// The blocks of several tables that have the same columns and weights, and differ in their regimes alone. What is asked
// for first is computed.
class SharedBlocks {
 public:
  Blocks of(const Dataset& data, const BlockOptions& options);
  // Their sums in each regime; computed again where the rows belong to other regimes.
  std::shared_ptr<const RegimeSums> sums_of(const Blocks& blocks);

 private:
  BlockOptions options_;
  std::optional<Blocks> first_;
  Codes regime_;  // by row, in sums_
  std::shared_ptr<const RegimeSums> sums_;
};

// The share of the total weight of the rows in which both a and b were seen, p x p, row by row: neither is missing, nor
// was drawn. Empty if every cell was seen.
std::vector<double> seen_together(const Dataset& data);

}  // namespace agon
