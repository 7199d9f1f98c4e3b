// agon/score/block_moments.h
//
// The one matrix through which all rows of a table enter a score or a test: correlations of the blocks of columns that
// stand for the variables (blocks.h), and how much the gaps of the table weaken each pair.
//
//   const BlockMoments m = block_moments(data, {});
//   m.at(0, 4);            // q x q; the part of each variable by itself is the identity
//   m.omega(3, 5);         // 1, or 1 / the share of rows in which both were seen
//
//   R = (S + e I) / (1 + e)    S the covariance of the blocks, orthonormalised block by block; e = kFloor
//
// With missing cells S is what EM finds (em.h). Any positive definite R gives a fixed, decomposable, score-equivalent
// score, so nothing that searches needs to know where it came from. The floor makes every family defined: a copy of a
// column gains 6.561 nats a row, once.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "agon/data/row_sets.h"
#include "agon/score/em.h"
#include "agon/score/local_score.h"

namespace agon {

struct BlockMoments {
  std::vector<int> start;          // p + 1: variable v has the columns start[v] .. start[v + 1] - 1; none if isolated
  std::vector<double> matrix;      // R, q x q
  std::vector<double> seen;        // p x p, see seen_together(); empty: all cells
  std::vector<double> base;        // by variable: log-likelihood without parents, of the seen cells scaled to all rows
  std::vector<double> parameters;  // by variable: how many that takes
  double weight = 0;               // of the rows behind R
  double total = 0;                // n, the weight of all rows of the table; the same without regimes
  double floor = kFloor;
  std::optional<EmFit> em;  // with missing cells: what R was made from

  int size() const { return static_cast<int>(start.size()) - 1; }
  int columns() const { return start.back(); }
  int width(Node v) const { return start[v + 1] - start[v]; }
  const double* row(int column) const { return matrix.data() + static_cast<size_t>(column) * columns(); }
  double at(int a, int b) const { return row(a)[b]; }
  double share(Node a, Node b) const { return seen.empty() ? 1 : seen[static_cast<size_t>(a) * size() + b]; }
  double omega(Node a, Node b) const { return 1 / share(a, b); }  // infinite if they were never seen together
};

// Of the options those about blocks, threads and the watch are used; from `em` its tolerance and the floor of R. The
// certificate knows the defaults alone: others are for tests.
BlockMoments block_moments(const Dataset& data, const ScoreOptions& options, const EmOptions& em = {});

// The same for a table of experiments: a matrix for each row set (row_sets.h). Columns are embedded once, over all
// rows, and every matrix has the same columns; in each set they are centred within its groups and orthonormalised
// again. A direction that does not vary there is uncorrelated with everything. With missing cells there is one EM per
// set, in which the groups take part as columns that were seen, and are eliminated from its result.
//
// `base` and `parameters` are meant for the variables of the set alone. They include what describes the cells that
// experiments set, so that totals can be compared between treatments of the same rows: mean and variance, or shares, of
// their own in each experiment. A variance is at least the floor: a variable that is set to one value has none.
std::vector<BlockMoments> block_moments_by_row_set(const Dataset& data, const RowSets& sets,
                                                   const ScoreOptions& options, const EmOptions& em = {});

}  // namespace agon
