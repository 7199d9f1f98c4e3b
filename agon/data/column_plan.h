// agon/data/column_plan.h
//
// What the options of a reader say of the columns that it finds.
//
//   ColumnPlan plan = plan_columns({"id", "age", "sex"}, {.discrete = {"age"}, .drop = {"id"}});
//   plan.is_variable[0];                                      // false: it is dropped
//   plan.wish[1];                                             // kLabels
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agon/data/column_builder.h"
#include "agon/data/csv.h"

namespace agon {

constexpr size_t kNoColumn = SIZE_MAX;

struct ColumnPlan {
  std::vector<ColumnBuilder::Wish> wish;
  std::vector<bool> is_variable;  // not dropped, and neither counts nor weights nor labels of experiments
  std::vector<bool> is_named;     // in some option
  size_t weights = kNoColumn;     // the column of counts or weights
  // Columns of labels, in this order: experiment, targets, batches.
  std::vector<size_t> labels = {};
};

// Throws UsageError for names the table lacks and for contradictions.
ColumnPlan plan_columns(const std::vector<std::string>& names, const CsvOptions& options);

// Names that pandas and R give to the numbers of the rows.
bool is_index_name(const std::string& name);

}  // namespace agon
