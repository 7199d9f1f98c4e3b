#include "agon/data/kinds.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "agon/base/rng.h"
#include "agon/data/csv.h"

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

// ------------------------------------------------------------------------------------ the rule

constexpr ColumnFacts integers(size_t k, double m) { return {.integers = true, .distinct = k, .seen = m}; }
constexpr ColumnFacts text(size_t k, double m) { return {.text = true, .distinct = k, .seen = m}; }
constexpr ColumnFacts numbers(size_t k, double m) { return {.distinct = k, .seen = m}; }

std::string kind_of(const ColumnFacts& facts, std::vector<ColumnFacts> others = {}) {
  others.insert(others.begin(), facts);
  const InferredKind kind = infer_kinds(others)[0];
  return kind.identifier ? "identifier" : to_string(kind.kind);
}

TEST(KindRule, Text) {
  EXPECT_EQ(kind_of(text(2, 2)), "categorical");
  EXPECT_EQ(kind_of(text(3, 15)), "categorical");
  EXPECT_EQ(kind_of(text(3, 14)), "identifier");
  EXPECT_EQ(kind_of(text(300, 1500)), "categorical");
  EXPECT_EQ(kind_of({.text = true, .distinct = 90, .seen = 100, .told = ColumnKind::kCategorical}), "categorical");
}

TEST(KindRule, Numbers) {
  const std::vector<ColumnFacts> measured = {numbers(3, 1000)};
  EXPECT_EQ(kind_of(numbers(2, 2)), "categorical");
  EXPECT_EQ(kind_of(integers(2, 2), measured), "categorical");
  EXPECT_EQ(kind_of(numbers(3, 1000)), "continuous");
  EXPECT_EQ(kind_of(integers(3, 30), measured), "categorical");
  EXPECT_EQ(kind_of(integers(3, 29), measured), "continuous");
  EXPECT_EQ(kind_of(integers(6, 60), measured), "categorical");
  EXPECT_EQ(kind_of(integers(7, 1000), measured), "continuous");
  EXPECT_EQ(kind_of(integers(21, 1000)), "continuous");
}

TEST(KindRule, ManyIntegersAreCodesOnlyAmongCodes) {
  const ColumnFacts seven = integers(7, 70);
  EXPECT_EQ(kind_of(seven), "categorical");
  EXPECT_EQ(kind_of(seven, {text(60, 70), integers(2, 70), integers(20, 200), numbers(1, 70), {}}), "categorical");
  EXPECT_EQ(kind_of(seven, {integers(20, 199)}), "continuous");
  EXPECT_EQ(kind_of(seven, {integers(5, 49)}), "continuous");
  EXPECT_EQ(kind_of(seven, {numbers(3, 70)}), "continuous");
  EXPECT_EQ(kind_of(seven, {{.integers = true, .distinct = 2, .seen = 70, .told = ColumnKind::kContinuous}}),
            "continuous");
  EXPECT_EQ(kind_of(seven, {{.distinct = 50, .seen = 70, .told = ColumnKind::kCategorical}}), "categorical");
}

TEST(KindRule, WhatSaysNothing) {
  EXPECT_EQ(infer_kinds({{}})[0].reason, "no cell");
  EXPECT_EQ(kind_of(integers(1, 9)), "categorical");
  EXPECT_EQ(kind_of(text(1, 1)), "categorical");
  EXPECT_EQ(kind_of(numbers(1, 9)), "continuous");
}

TEST(KindRule, SaysWhy) {
  const auto why = [](const ColumnFacts& facts) { return infer_kinds({facts})[0].reason; };
  EXPECT_EQ(why(text(3, 15)), "text");
  EXPECT_EQ(why(numbers(2, 9)), "two values");
  EXPECT_EQ(why(integers(4, 40)), "4 integers");
  EXPECT_EQ(why(integers(9, 90)), "9 integers, in a table of codes");
  EXPECT_EQ(why(integers(4, 39)), "4 integers in few rows");
}

// A table of columns of every sort, in any order of rows and columns: the same kinds.
RC_GTEST_PROP(KindRule, TheOrderOfRowsAndColumnsDoesNotMatter, (uint64_t seed)) {
  Rng rng(seed);
  std::vector<std::vector<std::string>> columns;
  std::vector<int> order;
  const int size = 1 + rng.below(6), rows = 5 + rng.below(150);
  for (int k = 0; k < size; ++k) {
    std::vector<std::string>& cells = columns.emplace_back();
    const int sort = rng.below(5), levels = 1 + rng.below(24);
    for (int row = 0; row < rows; ++row) {
      const int v = rng.below(levels);
      cells.push_back(rng.below(10) == 0 ? "NA"
                      : sort == 0        ? fmt::format("l{}", v)
                      : sort == 1        ? fmt::format("{}", v)
                      : sort == 2        ? fmt::format("{}.5", v)
                      : sort == 3        ? fmt::format("{}", v % 2 == 0 ? "x" : std::to_string(v % 4))
                                         : fmt::format("{}.{}", v, v % 3 == 0 ? 5 : 0));
    }
    order.push_back(k);
  }
  std::vector<int> lines(rows);
  for (int row = 0; row < rows; ++row) lines[row] = row;
  const auto read = [&] {
    std::string text;
    for (int k : order) text += fmt::format("{}c{}", k == order[0] ? "" : ",", k);
    text += "\n";
    for (int row : lines) {
      for (int k : order) text += (k == order[0] ? "" : ",") + columns[k][row];
      text += "\n";
    }
    return read_csv_text(text, "t", {.missing_policy = MissingPolicy::kKeep}).data;
  };
  std::string refused;
  Dataset plain;
  try {
    plain = read();
  } catch (const std::exception&) {
    refused = "too little text";
  }
  rng.shuffle(order);
  rng.shuffle(lines);
  if (!refused.empty()) {
    RC_ASSERT_THROWS(read());
    return;
  }
  const Dataset shuffled = read();
  for (int k = 0; k < plain.size(); ++k) {
    RC_ASSERT(shuffled.column(k).kind == plain.column(k).kind);
    RC_ASSERT(shuffled.column(k).levels == plain.column(k).levels);
    RC_ASSERT(shuffled.column(k).identifier == plain.column(k).identifier);
  }
}

// ------------------------------------------------------------------------------------ many levels

TEST(KindLevels, TheCommonestStayAndTheOthersArePooled) {
  std::string text = "x,y\n";
  for (int k = 0; k < 300; ++k) {
    for (int copy = 0; copy < (k < 10 ? 4 : 7); ++copy) text += fmt::format("label{:03},{}\n", k, copy % 2);
  }
  const LoadedTable t = read_csv_text(text, "t");
  const Column& x = t.data.column(t.data.index_of("x"));
  EXPECT_EQ(x.levels.size(), 255u);
  const auto has = [&](const char* label) {
    return std::find(x.levels.begin(), x.levels.end(), label) != x.levels.end();
  };
  EXPECT_FALSE(has("label009"));  // rarer than the others
  EXPECT_TRUE(has("label010"));
  EXPECT_TRUE(has("label263"));  // the last of 254, in label order
  EXPECT_FALSE(has("label264"));
  ASSERT_EQ(t.record.notes.size(), 1u);
  EXPECT_EQ(t.record.notes[0],
            "\"x\" has 300 levels: the 254 most common are kept, the other 46 become one level, \"(other)\".");
}

TEST(KindLevels, WeightsSayWhatIsCommonAndALabelMayBeCalledOther) {
  Column x;
  x.name = "x";
  x.kind = ColumnKind::kCategorical;
  std::vector<double> weights;
  for (uint32_t k = 0; k < 256; ++k) {
    x.levels.push_back(k == 0 ? "(other)" : fmt::format("{}", k));
    x.codes.push_back(k);
    weights.push_back(k + 1);
  }
  weights[0] = 1000;
  EXPECT_EQ(pool_levels(x, weights), 2u);
  EXPECT_EQ(x.levels.size(), 254u);  // 1 and 2 joined the level that was called so
  EXPECT_EQ(x.levels[x.codes[1]], "(other)");
  EXPECT_EQ(x.codes[2], x.codes[0]);
  EXPECT_EQ(x.levels[x.codes[3]], "3");
}

// ------------------------------------------------------------------------------------ the other kind

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

TEST(Kinds, WordsBecomeCodesWhenAsked) {
  std::vector<std::string> notes;
  const std::vector<int> cells = {0, 1, 2, 1, 0, 2};
  std::vector<std::string> labels = {"low", "high", "middle"};  // by label: high, low, middle
  const Dataset d =
      make_dataset({categorical_column("word", cells, labels), categorical_column("bit", {0, 1, 0, 1, 1, 0}),
                    categorical_column("same", {0, 0, 0, 0, 0, 0}, {"one"})},
                   "t");
  const Dataset coded = with_kind(d, ColumnKind::kContinuous, notes, true);
  EXPECT_EQ(coded.column(coded.index_of("word")).values, (std::vector<double>{1, 0, 2, 0, 1, 2}));
  EXPECT_EQ(coded.column(coded.index_of("bit")).values[1], 1.0);
  EXPECT_EQ(coded.column(coded.index_of("same")).kind, ColumnKind::kCategorical);  // no algorithm looks at it
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_EQ(notes[1], "levels taken as the numbers 0, 1, 2, .. in the order of their labels: word");
}

TEST(Kinds, ManyIntegersBecomeCategoriesWhenAsked) {
  std::vector<double> ages, times;
  for (int k = 0; k < 300; ++k) ages.push_back(18 + k % 25), times.push_back(k);
  const Dataset d = make_dataset({continuous_column("age", ages), continuous_column("time", times)}, "t");
  std::vector<std::string> notes;
  const Dataset other = with_kind(d, ColumnKind::kCategorical, notes);
  EXPECT_EQ(other.column(other.index_of("age")).levels.size(), 25u);
  EXPECT_EQ(other.column(other.index_of("time")).kind, ColumnKind::kContinuous);
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
