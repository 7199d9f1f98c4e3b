// agon/data/kinds.h
//
// Changing the kind of columns after reading, when a score was asked for that wants the other kind.
//
//   Dataset d = with_kind(std::move(data), ColumnKind::kCategorical, notes);   // --score discrete-bic
//
// A numeric column with few distinct values (3.5, 10.5, ...) can serve as categories; a column of integer categories
// can serve as numbers. Which columns were changed is said in `notes`, one sentence.
#pragma once

#include <string>
#include <vector>

#include "agon/data/dataset.h"

namespace agon {

// Most distinct numbers a column may hold and still count as categories; the same bound as for integers that are read
// from a file (column_builder.h).
constexpr size_t kMostNumericLevels = 20;

// The table with every column that can be of `kind` made so: numbers become categories when at most kMostNumericLevels
// distinct values occur, categories become numbers when every label is one. Other columns stay as they are, and so do
// missing cells, weights and regimes.
Dataset with_kind(Dataset data, ColumnKind kind, std::vector<std::string>& notes);

}  // namespace agon
