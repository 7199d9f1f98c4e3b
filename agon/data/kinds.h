// agon/data/kinds.h
//
// Which kind a column is: categories, numbers, or names that say nothing. One rule for every door by which a table
// comes in, and the change of kinds afterwards, when a score was asked for that wants the other kind.
//
//   std::vector<ColumnFacts> facts = {{.integers = true, .distinct = 4, .seen = 100},
//                                     {.text = true, .distinct = 98, .seen = 100}};
//   std::vector<InferredKind> kinds = infer_kinds(facts);
//   kinds[0];                                   // categorical, "4 integers"
//   kinds[1].identifier;                        // true: 98 texts in 100 rows
//
// The rule, with k distinct values in m cells that are not missing; the first line that fits decides:
// 1. No cell, or k = 1: constant, an isolated node.
// 2. Text. k = 2: categorical. m < 5 k: an identifier (names, dates, codes), isolated as a constant is. Else
//    categorical.
// 3. Numbers with k = 2, however spelled: categorical.
// 4. Integers with k <= 6 and m >= 10 k: categorical.
// 5. Integers with k <= 20 and m >= 10 k: categorical in a table of codes, where every column is text or one that this
//    line or those above make categorical; else continuous.
// 6. The rest: continuous.
// What the user says of a column wins over all of it. No column keeps more than kMostLevels levels: see pool_levels().
//
// Why: in published tables nominal codes have six values or fewer, and integers of seven or more are years, ages,
// counts and scales. A column of many codes is common only where everything is coded.
//
// Neither the order of the rows nor that of the columns matters.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agon/data/dataset.h"

namespace agon {

constexpr size_t kMostIntegerLevels = 20;  // more distinct integers than this are numbers
constexpr size_t kMostLevels = 255;        // of a category
constexpr const char* kOtherLevel = "(other)";

// What infer_kinds() looks at.
struct ColumnFacts {
  bool text = false;                    // some cell is not a number
  bool integers = false;                // every cell is an integer by value
  size_t distinct = 0;                  // k; may stop at 21 for integers and at 3 for other numbers
  double seen = 0;                      // m: how many cells are not missing; where rows have counts, the sum of theirs
  std::optional<ColumnKind> told = {};  // by the user, or by a type that came with the table
};

struct InferredKind {
  ColumnKind kind = ColumnKind::kContinuous;
  bool identifier = false;
  std::string reason;  // "text", "two values", "4 integers", "9 integers, in a table of codes", "as told", ...
};

std::vector<InferredKind> infer_kinds(const std::vector<ColumnFacts>& columns);
// Whether a column is categorical whatever the other columns are.
bool is_category_in_any_table(const ColumnFacts& column);

// The columns of a table, as they were read, with the kinds that were inferred from their facts. Whole numbers may come
// as categories whose labels are numbers. `weights` by row, or empty. Adds a sentence to `notes` for levels pooled.
std::vector<Column> with_inferred_kinds(std::vector<Column> columns, const std::vector<InferredKind>& kinds,
                                        const std::vector<double>& weights, std::vector<std::string>& notes);

// Keeps the kMostLevels - 1 levels of the largest weight (of equals, the first in label order) and makes the others
// one level, "(other)", when there are more than kMostLevels. Returns how many were pooled.
size_t pool_levels(Column& column, const std::vector<double>& weights);

// Most distinct fractions that a column may hold and still serve as categories.
constexpr size_t kMostNumericLevels = 20;

// The table with every column that can be of `kind` made so. Numbers become categories when at most kMostLevels
// distinct integers occur, or kMostNumericLevels numbers; categories become numbers when every label is one. Other
// columns stay as they are, and so do missing cells, weights and regimes. Which columns were changed is said in
// `notes`, one sentence.
//
// With `code_text`, categories whose labels are text become numbers too: 0, 1, 2, .. by the order of their labels, as
// programs write them that save the codes of their categories. The numbers mean nothing, so only --preset asks for it.
//
//   Dataset d = with_kind(std::move(data), ColumnKind::kCategorical, notes);   // --score discrete-bic
Dataset with_kind(Dataset data, ColumnKind kind, std::vector<std::string>& notes, bool code_text = false);

}  // namespace agon
