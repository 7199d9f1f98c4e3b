// agon/data/doctor.h
//
// Examines a table before the search for what may spoil the search or surprise the user. Each finding names the
// columns, says what will be done about it, and which option does something else.
//
//   for (const Finding& f : examine(data)) out << f.message << " " << f.action << "\n";
//
//   "site" is constant ("A" in every row). Kept as an isolated node.
//   "x2" is a copy of "x1". Edges to either score the same; pass --drop x2 to leave it out.
//   "total" = "a" + "b" (R2 = 1.000000). ...
//   "pay" = "hours" * "wage", nearly (R2 = 0.999981). It is computed, not caused; pass --drop pay to leave it out.
//   "country" is a function of "city": each of its 40 levels goes with one of 8. ...
//   "yrdth" is missing exactly where "death" is "0". Not missing at random: ...
//   "postcode" has 1,204 levels in 3,000 rows: a table of two such parents has 1.4 M cells. ...
//
// Any table is taken: gaps and weights are respected, and rows of experiments are examined together.
//
// A finding never stops a run: read_csv() and make_dataset() have refused what cannot be used at all. The findings are
// in a fixed order (by kind as listed below, then by the columns' names) and depend on the table alone, not on the
// order of its columns.
//
// Cost: O(n p) and one sort for everything but gaps and linear dependence. Linear dependence is searched by a pivoted
// Cholesky factorisation of the correlation matrix (Higham 2002, ch. 10.3) of at most kMostForDependence columns, on a
// sample of the rows when n p^2 is large; each relation found is then checked on all rows. Where there are gaps, those
// are the rows in which all the columns are seen, and columns with so many gaps that few rows would be left do not take
// part. Products, ratios and functions of categories are searched by derived_columns.h, whose work is bounded too. What
// tells the gaps is searched in at most kMostGapCells cells (told_gaps.h). A finding says what was not
// searched.
#pragma once

#include <string>
#include <vector>

#include "agon/base/stop.h"
#include "agon/data/dataset.h"

namespace agon {

enum class Severity { kInfo, kWarning, kError };
const char* to_string(Severity severity);  // "info", "warning", "error"

struct Finding {
  Severity severity = Severity::kInfo;
  // One of, in this order: "few-rows", "few-values", "constant", "identifier", "missing", "mostly-missing",
  // "missing-told", "empty-rows", "duplicate", "duplicate-rows", "linear-dependence", "product", "function", "id-like",
  // "many-levels", "similar-levels", "rare-level", "unexamined".
  std::string kind;
  std::vector<std::string> columns;  // names, sorted
  std::string message;               // what was found: a sentence
  std::string action;                // what is done, or which option does it: a sentence
};

// A time limit ends it early, and then the last finding says so; an interrupt throws Interrupted.
std::vector<Finding> examine(const Dataset& data, const Watch& watch = {});

// With more continuous columns than this, linear dependence and products are not searched.
inline constexpr int kMostForDependence = 1000;
// What tells the gaps is not searched where rows x columns x patterns of gaps are more.
inline constexpr double kMostGapCells = 1e9;

}  // namespace agon
