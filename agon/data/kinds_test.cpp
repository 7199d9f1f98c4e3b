#include "agon/data/kinds.h"

#include <gtest/gtest.h>

namespace agon {
namespace {

Dataset mixed_table() {
  std::vector<double> many;
  for (int k = 0; k < 30; ++k) many.push_back(k + 0.5);
  std::vector<double> few;
  std::vector<int> codes;
  for (int k = 0; k < 30; ++k) {
    few.push_back(k % 3 == 0 ? 10.5 : k % 3 == 1 ? 2.5 : -1.0);
    codes.push_back(k % 2);
  }
  return make_dataset({continuous_column("few", few), continuous_column("many", many), categorical_column("bit", codes),
                       categorical_column("word", codes, {"yes", "no"})},
                      "t");
}

TEST(Kinds, NumbersWithFewValuesBecomeCategoriesInOrderOfValue) {
  std::vector<std::string> notes;
  const Dataset d = with_kind(mixed_table(), ColumnKind::kCategorical, notes);
  const Column& few = d.column(d.index_of("few"));
  EXPECT_EQ(few.kind, ColumnKind::kCategorical);
  EXPECT_EQ(few.levels, (std::vector<std::string>{"-1", "2.5", "10.5"}));
  EXPECT_EQ(few.codes[0], 2u);
  EXPECT_EQ(few.file_index, 0);
  EXPECT_EQ(d.column(d.index_of("many")).kind, ColumnKind::kContinuous);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0], "taken as categorical because the score asks for it: few");
}

TEST(Kinds, IntegerCategoriesBecomeNumbersAndWordsStay) {
  std::vector<std::string> notes;
  const Dataset d = with_kind(mixed_table(), ColumnKind::kContinuous, notes);
  EXPECT_EQ(d.column(d.index_of("bit")).values[1], 1.0);
  EXPECT_EQ(d.column(d.index_of("word")).kind, ColumnKind::kCategorical);
}

TEST(Kinds, TableOfThatKindIsLeftAlone) {
  std::vector<std::string> notes;
  const Dataset d = make_dataset({categorical_column("a", {0, 1, 1})}, "t");
  EXPECT_EQ(with_kind(d, ColumnKind::kCategorical, notes).checksum(), d.checksum());
  EXPECT_TRUE(notes.empty());
}

TEST(Kinds, GapsWeightsAndRegimesStay) {
  std::vector<Column> columns;
  const Dataset complete = mixed_table();
  for (const int node : complete.file_order()) columns.push_back(complete.column(node));
  columns[0].missing.insert(1);  // few
  columns[2].missing.insert(2);  // bit
  RowInfo info{.regimes = {{.name = "seen"}, {.name = "set", .targets = {"bit"}}}};
  for (uint32_t row = 0; row < 30; ++row) {
    info.weights.push_back(row + 1);
    info.regime.push_back(row % 2);
  }
  const Dataset data = make_dataset(columns, "t", info);
  std::vector<std::string> notes;
  for (const ColumnKind kind : {ColumnKind::kCategorical, ColumnKind::kContinuous}) {
    const Dataset d = with_kind(data, kind, notes);
    EXPECT_TRUE(d.check_invariants());
    EXPECT_EQ(d.row_info().weights, data.row_info().weights);
    EXPECT_EQ(d.regimes(), data.regimes());
    EXPECT_EQ(d.row_info().regime, data.row_info().regime);
    for (int node = 0; node < d.size(); ++node) EXPECT_EQ(d.column(node).missing, data.column(node).missing);
  }
  const Column few = with_kind(data, ColumnKind::kCategorical, notes).column(data.index_of("few"));
  EXPECT_EQ(few.levels, (std::vector<std::string>{"-1", "2.5", "10.5"}));
  EXPECT_EQ(few.codes[4], 1u);
  const Column bit = with_kind(data, ColumnKind::kContinuous, notes).column(data.index_of("bit"));
  EXPECT_EQ(bit.values[3], 1.0);
}

}  // namespace
}  // namespace agon
