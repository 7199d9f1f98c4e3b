#include "agon/data/missing.h"

#include <gtest/gtest.h>

#include "agon/base/error.h"

namespace agon {
namespace {

using Labels = std::vector<std::string>;

Column with_gaps(Column column, std::initializer_list<size_t> rows) {
  for (const size_t row : rows) column.missing.insert(row);
  return column;
}

TEST(Missing, TreatmentsAreKnownByTheirNames) {
  for (const char* name : {"auto", "em", "draws", "level", "drop-rows", "error"}) {
    EXPECT_STREQ(to_string(missing_treatment(name)), name);
  }
  EXPECT_THROW(missing_treatment("drop"), UsageError);
}

TEST(Missing, AMissingCategoryBecomesALevel) {
  const Dataset d = make_dataset(
      {with_gaps(categorical_column("a", {0, 1, 0, 1}, {"x", "y"}), {1, 3}),
       with_gaps(continuous_column("b", {1, 2, 3, 4}), {0}),
       with_gaps(categorical_column("empty", {0, 0, 0, 0}), {0, 1, 2, 3}), categorical_column("whole", {0, 0, 1, 1})},
      "t", {.weights = {1, 2, 3, 4}});
  const Dataset level = with_missing_level(d);
  EXPECT_TRUE(level.check_invariants());
  const Column& a = level.column(level.index_of("a"));
  EXPECT_FALSE(a.has_missing());
  EXPECT_EQ(a.levels, (Labels{"(missing)", "x"}));  // y was never seen
  EXPECT_EQ(a.levels[a.codes[3]], "(missing)");
  EXPECT_EQ(a.levels[a.codes[2]], "x");
  EXPECT_TRUE(level.column(level.index_of("b")).is_missing(0));
  EXPECT_EQ(level.column(level.index_of("empty")).levels, Labels{"(missing)"});
  EXPECT_EQ(level.row_info().weights, d.row_info().weights);
  EXPECT_EQ(level.column(level.index_of("whole")).codes, d.column(d.index_of("whole")).codes);
}

TEST(Missing, ALevelMayHappenToHaveThatName) {
  const Dataset d = make_dataset({with_gaps(categorical_column("a", {0, 1, 1}, {"(missing)", "x"}), {2})}, "t");
  const Column a = with_missing_level(d).column(0);
  EXPECT_EQ(a.levels, (Labels{"(missing)", "x"}));
  EXPECT_EQ(a.codes[2], a.codes[0]);
}

TEST(Missing, FiguresCountCellsAndRows) {
  const Dataset d = make_dataset({with_gaps(categorical_column("a", {0, 1, 0, 1}), {1, 3}),
                                  with_gaps(continuous_column("b", {1, 2, 3, 4}), {0, 3})},
                                 "t");
  const MissingFigures figures = missing_figures(d);
  EXPECT_EQ(figures.cells, 4u);
  EXPECT_EQ(figures.rows, 3u);
  EXPECT_EQ(figures.empty_rows, 1u);
}

}  // namespace
}  // namespace agon
