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

#include "agon/score/em.h"
#include "agon/score/local_score.h"

namespace agon {

struct BlockMoments {
  std::vector<int> start;      // p + 1: variable v has the columns start[v] .. start[v + 1] - 1; none if isolated
  std::vector<double> matrix;  // R, q x q
  std::vector<double> seen;    // p x p, see seen_together(); empty: all cells
  std::vector<double> base;    // by variable: log-likelihood without parents, of the seen cells scaled to all rows
  double weight = 0;           // n, the total weight of the rows
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

}  // namespace agon
