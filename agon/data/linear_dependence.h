// agon/data/linear_dependence.h
//
// Finds columns of numbers that are linear combinations of others, or nearly so, and the equation of each.
//
//   std::vector<double> a = {1, 4, 2, 2}, b = {3, 1, 5, 0}, total = {4, 5, 7, 2};
//   std::vector<LinearRelation> found = linear_relations({&a, &b, &total}, 10);
//   found[0];                             // column 2 = 1 * column 0 + 1 * column 1
//
// Method: pivoted Cholesky factorisation of the correlation matrix (Higham 2002, ch. 10.3). Columns whose residual
// variance vanishes are combinations of the pivots; weights that do not matter are dropped, and what is left must
// explain all but kUnexplained of the variance over all rows. A column that is left when every residual variance is
// below kNearlyUnexplained, and that is a sum of few terms, is a relation too, though not an exact one. Each relation
// is solved for the column that reads best: the one whose sign differs from all others (so that a sum is written as
// one), else the last.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "agon/base/stop.h"
#include "agon/data/dataset.h"

namespace agon {

inline constexpr double kUnexplained = 5e-7;  // 1 - R2 below which a relation is called exact: R2 prints as 1.000000

// The same for a relation with rounding or a little noise, whose deviation is a hundredth of the column's. A sum
// rounded to three digits is still found. Two things that were measured apart hardly ever agree so well; if they do, no
// score can tell them apart.
inline constexpr double kNearlyUnexplained = 1e-4;

struct LinearRelation {
  size_t target = 0;          // column = offset + sum of weights * terms
  std::vector<size_t> terms;  // columns, ascending
  std::vector<double> weights;
  double offset = 0;
  double r_squared = 1;  // over all rows

  bool is_exact() const { return 1 - r_squared <= kUnexplained; }
};

// At most one relation per column that could be omitted, and `most` in all, by target. Columns have equal length, vary,
// and are finite. Those found so far, if a stop is requested.
std::vector<LinearRelation> linear_relations(const std::vector<const std::vector<double>*>& columns, size_t most,
                                             const Watch& watch = {});

struct Moments {
  double mean = 0;
  double deviation = 0;  // root of the mean square about the mean
};
Moments moments(const std::vector<double>& values);
// The same for a continuous column, of the cells that are not missing.
std::vector<double> seen_values(const Column& column);
Moments seen_moments(const Column& column);

// `"total" = "a" + 2 "b" - 3`; past a dozen terms the rest is counted.
std::string equation_text(const std::string& target, const std::vector<std::pair<std::string, double>>& terms,
                          double offset);

}  // namespace agon
