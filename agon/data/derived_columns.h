// agon/data/derived_columns.h
//
// Columns that were computed from others: products and ratios of two columns of numbers, and categories that are a
// function of another. Sums and differences are found by linear_dependence.h.
//
//   std::vector<const Column*> columns;
//   for (const Column& column : data.columns()) columns.push_back(&column);
//   for (const ProductRelation& r : product_relations(columns, 50)) out << product_text(columns, r) << "\n";
//   category_functions(columns, 50).found;
//
//   "pay" = "hours" * "wage"
//   "density" = "people" / "area"
//
// Products. log|z| = log|x| + log|y| + constant, so the logarithms are projected onto a few fixed directions, in which
// the constant vanishes, and sums of two are looked up among the third: O(p^2 log p) and a few comparisons for each
// pair, on at most 256 rows. What fits there is checked on a thousand rows, then on all in which the three are seen,
// zeros included. A relation counts when it leaves less than kNearlyUnexplained of the variance, and less than a tenth
// of what the best linear function of the same two columns leaves. The rows of the projection have no gap and no zero
// in any column; columns with so many of them that few rows would be left take no part.
//
// Which of the three was computed cannot be seen in an exact relation. It is the one whose name holds the names of the
// other two; else the one that the relation fits clearly best, as it does a column that was rounded; else the product.
//
// Functions. Each level of the source goes with one level of the target in every row in which both are seen. The target
// has fewer levels; the source has 5 rows for each level; and the target's entropy over the rows pays for the choice of
// one among all such functions, so that a function by chance is not reported. Pairs are left at the first row that
// contradicts them, and all of them after kMostFunctionRows rows, where each pair counts for 20 at least.
//
// Answers do not depend on anything but the columns and their order here.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "agon/base/stop.h"
#include "agon/data/dataset.h"

namespace agon {

struct ProductRelation {
  size_t target = 0, first = 0, second = 0;  // columns
  bool ratio = false;                        // target = factor * first / second, else factor * first * second
  double factor = 1;
  double unexplained = 0;  // share of the target's variance
};

// At most one per target and `most` in all, by target; all targets can be dropped at once. Columns are continuous and
// vary. Those found so far, if a stop is requested.
std::vector<ProductRelation> product_relations(const std::vector<const Column*>& columns, size_t most,
                                               const Watch& watch = {});
std::string product_text(const std::vector<const Column*>& columns, const ProductRelation& relation);

struct CategoryFunction {
  size_t target = 0, source = 0;  // columns
};
struct CategoryFunctions {
  std::vector<CategoryFunction> found;  // by target; the source is the one with the fewest levels
  bool stopped = false;                 // some pairs were not looked at
};

inline constexpr size_t kMostFunctionRows = 20'000'000;
// Columns are categorical and no copies of each other; constant and isolated ones are passed over.
CategoryFunctions category_functions(const std::vector<const Column*>& columns, size_t most, const Watch& watch = {});

}  // namespace agon
