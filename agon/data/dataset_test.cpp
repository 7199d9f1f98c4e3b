#include "agon/data/dataset.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <optional>

#include "agon/base/error.h"
#include "agon/base/hash.h"
#include "agon/base/rng.h"

namespace agon {
namespace {

using Labels = std::vector<std::string>;

std::string refusal_of_columns(std::vector<Column> columns, RowInfo info = {}) {
  try {
    make_dataset(std::move(columns), "t", std::move(info));
  } catch (const InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << "was accepted";
  return "";
}

TEST(Codes, WidenAndNarrow) {
  for (uint32_t largest : {255u, 256u, 65535u, 65536u, 100000u}) {
    Codes codes;
    std::vector<uint32_t> halved(largest + 1);
    for (uint32_t c = 0; c <= largest; ++c) {
      codes.push_back(c);
      halved[c] = c / 512;
    }
    for (uint32_t c = 0; c <= largest; ++c) ASSERT_EQ(codes[c], c);
    const size_t width = codes.visit([](const auto& cells) { return sizeof(cells[0]); });
    EXPECT_EQ(width, largest <= 255 ? 1u : largest <= 65535 ? 2u : 4u);
    codes.recode(halved);
    for (uint32_t c = 0; c <= largest; ++c) ASSERT_EQ(codes[c], c / 512);
    EXPECT_EQ(codes.visit([](const auto& cells) { return sizeof(cells[0]); }), 1u);
  }
}

TEST(Dataset, LevelsStandInLabelOrderAndAllOccur) {
  const Dataset d =
      make_dataset({categorical_column("x", {0, 1, 2, 4, 5, 0}, {"10", "9", "b", "never", "a", "-1.5"})}, "t");
  EXPECT_EQ(d.column(0).levels, (Labels{"-1.5", "9", "10", "a", "b"}));
  Labels cells;
  for (size_t row = 0; row < d.rows(); ++row) cells.push_back(d.column(0).levels[d.column(0).codes[row]]);
  EXPECT_EQ(cells, (Labels{"10", "9", "b", "a", "-1.5", "10"}));
}

TEST(Dataset, OrderOfColumnsDoesNotMatter) {
  std::vector<Column> columns = {categorical_column("a", {0, 1, 1}), continuous_column("b", {1.5, 2, 3}),
                                 categorical_column("c", {1, 1, 0}), continuous_column("d", {-1, 0, 1})};
  const Dataset first = make_dataset(columns, "t");
  std::reverse(columns.begin(), columns.end());
  const Dataset second = make_dataset(columns, "t");
  EXPECT_EQ(first.names(), second.names());
  EXPECT_EQ(first.checksum(), second.checksum());
  for (int node = 0; node < first.size(); ++node) {
    EXPECT_EQ(first.index_of(first.column(node).name), node);
    EXPECT_EQ(first.column(node).file_index, 3 - second.column(node).file_index);
  }
  Labels in_file;
  for (int node : second.file_order()) in_file.push_back(second.column(node).name);
  EXPECT_EQ(in_file, (Labels{"d", "c", "b", "a"}));
  EXPECT_EQ(first.index_of("nobody"), -1);
}

TEST(Dataset, ChecksumSeesEveryCellNameAndRowOrder) {
  const std::string base =
      make_dataset({continuous_column("a", {1, 2}), categorical_column("b", {0, 1})}, "t").checksum();
  EXPECT_EQ(base.size(), 16u);
  EXPECT_EQ(make_dataset({continuous_column("a", {1, 2}), categorical_column("b", {0, 1})}, "u").checksum(), base);
  EXPECT_NE(make_dataset({continuous_column("a", {1, 3}), categorical_column("b", {0, 1})}, "t").checksum(), base);
  EXPECT_NE(make_dataset({continuous_column("a", {2, 1}), categorical_column("b", {1, 0})}, "t").checksum(), base);
  EXPECT_NE(make_dataset({continuous_column("a", {1, 2}), categorical_column("b", {0, 1}, {"0", "2"})}, "t").checksum(),
            base);
  EXPECT_NE(make_dataset({continuous_column("A", {1, 2}), categorical_column("b", {0, 1})}, "t").checksum(), base);
  EXPECT_EQ(make_dataset({continuous_column("z", {0.0, 1})}, "t").checksum(),
            make_dataset({continuous_column("z", {-0.0, 1})}, "t").checksum());
}

// Columns of numbers are hashed four at a time; these are their hashes one by one.
TEST(Dataset, ChecksumIsMadeOfTheHashesOfItsColumns) {
  Rng rng(3);
  for (size_t size = 1; size <= 11; ++size) {
    std::vector<Column> columns;
    for (size_t k = 0; k < size; ++k) {
      columns.push_back(continuous_column("x" + std::to_string(k), {rng.normal(), rng.normal(), 0.0, rng.normal()}));
      if (size > 5 && k == 2) columns.back().missing.insert(1);
    }
    const Dataset data = make_dataset(std::move(columns), "t");
    uint64_t expected = data.rows();
    for (const Column& column : data.columns()) {
      uint64_t hash = hash_text(column.name);
      for (const double x : column.values) hash = hash_combine(hash, std::bit_cast<uint64_t>(x));
      expected = hash_combine(expected, hash);
    }
    EXPECT_EQ(data.checksum(), hex64(expected)) << size;
  }
}

TEST(Dataset, GateFindsWhatIsNotFiniteInAnyRow) {
  for (size_t rows = 1; rows <= 9; ++rows) {
    for (size_t bad = 0; bad < rows; ++bad) {
      for (const double wrong : {NAN, INFINITY, -INFINITY}) {
        std::vector<double> x(rows, -0.0);
        EXPECT_FALSE(std::signbit(make_dataset({continuous_column("a", x)}, "t").column(0).values[bad]));
        x[bad] = wrong;
        EXPECT_EQ(refusal_of_columns({continuous_column("a", x)}),
                  "t: column \"a\": row " + std::to_string(bad + 1) + " is not a finite number");
      }
    }
  }
}

TEST(Dataset, GateRefusesWhatIsEmpty) {
  const std::string how = "\n  hint: a table needs a column and a row";
  EXPECT_EQ(refusal_of_columns({}), "t: the table has no columns" + how);
  EXPECT_EQ(refusal_of_columns({continuous_column("a", {})}), "t: the table has 1 column and no rows" + how);
  EXPECT_EQ(refusal_of_columns({categorical_column("a", {}), continuous_column("b", {})}),
            "t: the table has 2 columns and no rows" + how);
}

TEST(Dataset, GateRefusesWhatCannotBeUsed) {
  EXPECT_EQ(refusal_of_columns({continuous_column("a", {1}), continuous_column("b", {1}), continuous_column("a", {2})}),
            "t: columns 1 and 3 are both named \"a\"\n  hint: give each column a name of its own");
  EXPECT_EQ(refusal_of_columns({continuous_column("a", {1}), continuous_column(" \t", {1})}).substr(0, 25),
            "t: column 2 has no name\n ");
  EXPECT_EQ(refusal_of_columns({continuous_column("a", {1, 2}), continuous_column("b", {1})}),
            "t: column \"b\" has 1 rows, column \"a\" has 2");
  EXPECT_EQ(refusal_of_columns({continuous_column("a", {1, INFINITY})}),
            "t: column \"a\": row 2 is not a finite number");
  EXPECT_EQ(refusal_of_columns({continuous_column("a", {NAN})}), "t: column \"a\": row 1 is not a finite number");
}

TEST(Dataset, Constants) {
  EXPECT_TRUE(categorical_column("a", {0, 0}).is_constant());
  EXPECT_FALSE(categorical_column("a", {0, 1}).is_constant());
  EXPECT_TRUE(continuous_column("a", {2.5, 2.5}).is_constant());
  EXPECT_FALSE(continuous_column("a", {2.5, 2.5, 2}).is_constant());
}

// Gaps, weights and regimes.

Codes codes_of(const std::vector<uint32_t>& cells) {
  Codes out;
  for (uint32_t c : cells) out.push_back(c);
  return out;
}

Column with_gaps(Column column, const std::vector<size_t>& rows) {
  for (size_t row : rows) column.missing.insert(row);
  return column;
}

TEST(MissingCells, AreASet) {
  MissingCells none, some;
  EXPECT_FALSE(none.any());
  EXPECT_EQ(none.end(), 0u);
  EXPECT_FALSE(none[1000]);
  for (size_t row : {63u, 64u, 200u, 64u}) some.insert(row);
  EXPECT_EQ(some.count(), 3u);
  EXPECT_EQ(some.end(), 201u);
  for (size_t row = 0; row < 300; ++row) EXPECT_EQ(some[row], row == 63 || row == 64 || row == 200);
  MissingCells other_order;
  for (size_t row : {200u, 64u, 63u}) other_order.insert(row);
  EXPECT_EQ(some, other_order);
}

TEST(Dataset, WhatAMissingCellHeldIsForgotten) {
  const Dataset d = make_dataset({with_gaps(categorical_column("a", {2, 1, 0, 1}, {"gone", "x", "b"}), {2}),
                                  with_gaps(continuous_column("n", {NAN, 5, 5, INFINITY}), {0, 3})},
                                 "t");
  const Column &a = d.column(d.index_of("a")), &n = d.column(d.index_of("n"));
  EXPECT_EQ(a.levels, (Labels{"b", "x"}));  // "gone" occurs in no cell that is not missing
  EXPECT_EQ(a.codes, codes_of({0, 1, kMissingCode, 1}));
  EXPECT_TRUE(std::isnan(n.values[0]) && std::isnan(n.values[3]));
  EXPECT_TRUE(n.is_constant());
  EXPECT_FALSE(a.is_constant());
  EXPECT_TRUE(d.has_missing());
  EXPECT_TRUE(d.check_invariants());
  EXPECT_EQ(refusal_of_columns({with_gaps(continuous_column("n", {NAN, NAN}), {0})}),
            "t: column \"n\": row 2 is not a finite number");
  EXPECT_EQ(refusal_of_columns({with_gaps(continuous_column("n", {1, 2}), {2})}),
            "t: column \"n\": cell 3 is missing, and there are 2 rows");

  const Dataset nothing = make_dataset(
      {with_gaps(categorical_column("a", {0, 0}), {0, 1}), with_gaps(continuous_column("n", {1, 2}), {0, 1})}, "t");
  EXPECT_TRUE(nothing.column(0).is_constant() && nothing.column(1).is_constant());
  EXPECT_TRUE(nothing.column(nothing.index_of("a")).levels.empty());
  EXPECT_TRUE(nothing.check_invariants());
}

TEST(Dataset, WhatSaysNothingIsAbsent) {
  const std::vector<Column> columns = {continuous_column("x", {1, 2, 3})};
  const Dataset plain = make_dataset(columns, "t");
  const Dataset same = make_dataset(
      columns, "t",
      {.weights = {1, 1, 1}, .regimes = {{.name = "only"}, {.name = "none"}}, .regime = codes_of({0, 0, 0})});
  EXPECT_FALSE(same.has_weights() || same.has_regimes() || same.has_missing());
  EXPECT_EQ(same.checksum(), plain.checksum());
  EXPECT_EQ(same.total_weight(), 3);
  EXPECT_EQ(same.weight(2), 1);
  EXPECT_TRUE(same.check_invariants());
}

TEST(Dataset, RegimesStandByNameAndEachHasARow) {
  const std::vector<Column> columns = {continuous_column("x", {1, 2, 3}), continuous_column("y", {1, 0, 3})};
  const std::vector<Regime> regimes = {
      {.name = "soft", .targets = {"y", "x", "y"}, .intervention = Intervention::kSoft},
      {.name = "never", .targets = {"x"}},
      {.name = "cut", .targets = {"y"}, .batch = "may"}};
  const Dataset d =
      make_dataset(columns, "t", {.weights = {0.5, 2, 1}, .regimes = regimes, .regime = codes_of({0, 2, 0})});
  ASSERT_EQ(d.regimes().size(), 2u);
  EXPECT_EQ(d.regimes()[0], regimes[2]);
  EXPECT_EQ(d.regimes()[1].targets, (Labels{"x", "y"}));
  EXPECT_EQ(d.regime_of(0), 1);
  EXPECT_EQ(d.regime_of(1), 0);
  EXPECT_EQ(d.targets(0), std::vector<int>{d.index_of("y")});
  EXPECT_EQ(d.targets(1), (std::vector<int>{0, 1}));
  EXPECT_EQ(d.total_weight(), 3.5);
  EXPECT_TRUE(d.check_invariants());
}

TEST(Dataset, GateRefusesRowsThatDoNotFit) {
  const std::vector<Column> columns = {continuous_column("smoke", {1, 2}), continuous_column("y", {1, 0})};
  const std::string how = "\n  hint: a weight says how often the row counts: a number above 0";
  EXPECT_EQ(refusal_of_columns(columns, {.weights = {1}}), "t: there are 1 weights for 2 rows");
  EXPECT_EQ(refusal_of_columns(columns, {.weights = {1, 0}}), "t: row 2 has the weight 0" + how);
  EXPECT_EQ(refusal_of_columns(columns, {.weights = {-1, 1}}), "t: row 1 has the weight -1" + how);
  EXPECT_EQ(refusal_of_columns(columns, {.weights = {1, NAN}}), "t: row 2 has the weight nan" + how);
  EXPECT_EQ(refusal_of_columns(columns, {.weights = {INFINITY, 1}}), "t: row 1 has the weight inf" + how);
  const Regime quiet{.name = "quiet"};
  EXPECT_EQ(refusal_of_columns(columns, {.regimes = {quiet}, .regime = codes_of({0})}),
            "t: experiments are given for 1 rows of 2");
  EXPECT_EQ(refusal_of_columns(columns, {.regimes = {quiet}, .regime = codes_of({0, 1})}),
            "t: row 2 belongs to experiment 2, and there are 1");
  EXPECT_EQ(refusal_of_columns(columns, {.regime = codes_of({0, 0})}),
            "t: row 1 belongs to experiment 1, and there are 0");
  EXPECT_EQ(refusal_of_columns(columns, {.regimes = {quiet, quiet}, .regime = codes_of({0, 1})}),
            "t: two experiments are named \"quiet\"");
  EXPECT_EQ(refusal_of_columns(columns, {.regimes = {{.name = " "}}, .regime = codes_of({0, 0})}),
            "t: an experiment has no name");
  EXPECT_EQ(refusal_of_columns(columns,
                               {.regimes = {quiet, {.name = "drug", .targets = {"smok"}}}, .regime = codes_of({0, 1})}),
            "t: the experiment \"drug\" sets \"smok\", and there is no such column\n  hint: did you mean smoke?");
  EXPECT_EQ(refusal_of_columns(
                columns, {.regimes = {quiet, {.name = "drug", .targets = {"plate 7"}}}, .regime = codes_of({0, 1})}),
            "t: the experiment \"drug\" sets \"plate 7\", and there is no such column\n"
            "  hint: the columns are smoke, y; what stands for targets names them, or is empty where nothing was set");
  RowInfo always{.regimes = {{.name = "a", .targets = {"y"}}, {.name = "b", .targets = {"smoke", "y"}}},
                 .regime = codes_of({0, 1})};
  EXPECT_EQ(refusal_of_columns(columns, always),
            "t: every row comes from an experiment that sets \"y\" (rows 1 to 2), so no row can tell its causes\n"
            "  hint: leave the column out, or add rows in which it was not set");
  always.regimes[0].intervention = Intervention::kSoft;
  EXPECT_TRUE(make_dataset(columns, "t", always).check_invariants());
}

// Records and file names contain checksums from before tables could have gaps, weights and regimes. embedded_test.cpp
// has more of them.
TEST(Dataset, ChecksumsOfOrdinaryTablesAreFixed) {
  EXPECT_EQ(make_dataset({continuous_column("a", {1, 2}), categorical_column("b", {0, 1})}, "t").checksum(),
            "2f5d2818e24d7406");
}

// A table as anybody would write it down: the plain twin of Dataset.
struct PlainRegime {
  std::string name, batch;
  bool soft = false;
  std::vector<std::string> targets;
  auto operator<=>(const PlainRegime&) const = default;
};
struct PlainRow {
  std::map<std::string, std::optional<std::string>> cells;  // by column, absent where missing
  double weight = 1;
  std::optional<PlainRegime> regime;
  bool operator==(const PlainRow&) const = default;
};
using PlainTable = std::vector<PlainRow>;

PlainTable written_down(const Dataset& data) {
  PlainTable out(data.rows());
  for (size_t row = 0; row < data.rows(); ++row) {
    for (const Column& column : data.columns()) {
      std::optional<std::string>& cell = out[row].cells[column.name];
      if (column.is_missing(row)) continue;
      cell = column.kind == ColumnKind::kCategorical ? column.levels[column.codes[row]]
                                                     : std::to_string(column.values[row]);
    }
    out[row].weight = data.weight(row);
    if (!data.has_regimes()) continue;
    const Regime& regime = data.regimes()[static_cast<size_t>(data.regime_of(row))];
    out[row].regime = {regime.name, regime.batch, regime.intervention == Intervention::kSoft, regime.targets};
  }
  return out;
}

// The table without what make_dataset drops because it says nothing.
PlainTable without_empty_words(PlainTable table) {
  bool alike = true;
  for (const PlainRow& row : table) alike = alike && row.regime == table.front().regime;
  if (alike && !table.empty() && table.front().regime && table.front().regime->targets.empty()) {
    for (PlainRow& row : table) row.regime.reset();
  }
  return table;
}

// Few columns, values and rows, so that equal tables turn up; each part is absent half of the time.
struct RandomDataset {
  std::vector<Column> columns;
  RowInfo info;
};

RandomDataset random_table(Rng& rng, int rows) {
  RandomDataset out;
  const bool gaps = rng.below(2) == 0;
  for (const char* name : {"a", "b", "c"}) {
    std::vector<int> codes;
    std::vector<double> values;
    for (int row = 0; row < rows; ++row) {
      codes.push_back(rng.below(3));
      values.push_back(rng.below(2) - 0.5);
    }
    Column column = name[0] == 'b' ? continuous_column(name, values) : categorical_column(name, codes);
    for (int row = 0; row < rows; ++row) {
      if (gaps && rng.below(3) == 0) column.missing.insert(static_cast<size_t>(row));
    }
    out.columns.push_back(std::move(column));
  }
  if (rng.below(2) == 0) {
    for (int row = 0; row < rows; ++row) out.info.weights.push_back(0.5 * (1 + rng.below(3)));
  }
  if (rng.below(2) == 0) {
    out.info.regimes = {{.name = "seen"},
                        {.name = "other day", .batch = "2"},
                        {.name = "set", .targets = {"c", "a"}},
                        {.name = "moved", .targets = {"b"}, .intervention = Intervention::kSoft}};
    out.info.regime.push_back(0);  // for every variable a row in which it was not set
    for (int row = 1; row < rows; ++row) out.info.regime.push_back(static_cast<uint32_t>(rng.below(4)));
  }
  return out;
}

// The same table with its columns and its regimes in another order.
RandomDataset rearranged(RandomDataset table, Rng& rng) {
  rng.shuffle(table.columns);
  std::vector<uint32_t> order(table.info.regimes.size());
  for (uint32_t k = 0; k < order.size(); ++k) order[k] = k;
  rng.shuffle(order);
  std::vector<Regime> regimes(order.size());
  for (size_t k = 0; k < order.size(); ++k) regimes[order[k]] = table.info.regimes[k];
  Codes regime;
  for (size_t row = 0; row < table.info.regime.size(); ++row) regime.push_back(order[table.info.regime[row]]);
  table.info.regimes = std::move(regimes);
  table.info.regime = std::move(regime);
  return table;
}

RC_GTEST_PROP(DatasetProperty, OrderOfColumnsAndRegimesDoesNotMatter, (uint64_t seed)) {
  Rng rng(seed);
  const RandomDataset table = random_table(rng, 1 + rng.below(70));
  const RandomDataset turned = rearranged(table, rng);
  const Dataset a = make_dataset(table.columns, "t", table.info), b = make_dataset(turned.columns, "t", turned.info);
  RC_ASSERT(a.check_invariants() && b.check_invariants());
  RC_ASSERT(written_down(a) == written_down(b));
  RC_ASSERT(a.checksum() == b.checksum());
  RC_ASSERT(a.regimes() == b.regimes());
}

RC_GTEST_PROP(DatasetProperty, RowsTakeAllTheyHaveAlong, (uint64_t seed)) {
  Rng rng(seed);
  const int rows = 1 + rng.below(70);
  const RandomDataset table = random_table(rng, rows);
  const Dataset data = make_dataset(table.columns, "t", table.info);
  std::vector<size_t> chosen = {0};
  for (int k = rng.below(2 * rows); k > 0; --k) chosen.push_back(static_cast<size_t>(rng.below(rows)));
  const Dataset taken = with_rows(data, chosen);
  RC_ASSERT(taken.check_invariants());
  const PlainTable all = written_down(data);
  PlainTable expected;
  for (const size_t row : chosen) expected.push_back(all[row]);
  RC_ASSERT(written_down(taken) == without_empty_words(std::move(expected)));
  std::vector<size_t> whole(data.rows());
  for (size_t row = 0; row < whole.size(); ++row) whole[row] = row;
  RC_ASSERT(with_rows(data, whole).checksum() == data.checksum());
}

RC_GTEST_PROP(DatasetProperty, ChecksumsAreEqualWhereTablesAre, (uint64_t seed)) {
  Rng rng(seed);
  const int rows = 1 + rng.below(2);
  const RandomDataset one = random_table(rng, rows), two = random_table(rng, rows);
  const Dataset a = make_dataset(one.columns, "t", one.info), b = make_dataset(two.columns, "t", two.info);
  RC_ASSERT((a.checksum() == b.checksum()) == (written_down(a) == written_down(b)));
}

// Changes one part at a time. All checksums must differ.
TEST(Dataset, ChecksumSeesEveryPart) {
  const std::vector<Column> columns = {with_gaps(continuous_column("x", {1, 2, 3}), {1}),
                                       categorical_column("y", {0, 1, 0})};
  const RowInfo info{.weights = {1, 2, 3},
                     .regimes = {{.name = "a", .targets = {"x"}, .batch = "m"}, {.name = "b"}},
                     .regime = codes_of({0, 1, 1})};
  std::vector<std::string> sums = {make_dataset(columns, "t", info).checksum()};
  const auto changed = [&](auto change) {
    std::vector<Column> c = columns;
    RowInfo i = info;
    change(c, i);
    sums.push_back(make_dataset(std::move(c), "t", std::move(i)).checksum());
  };
  changed([](auto& c, auto&) { c[0].missing = {}; });
  changed([](auto& c, auto&) { c[0].missing.insert(2); });
  changed([](auto& c, auto&) { c[1].missing.insert(1); });
  changed([](auto&, auto& i) { i.weights = {}; });
  changed([](auto&, auto& i) { i.weights[1] = 2.5; });
  changed([](auto&, auto& i) { std::swap(i.weights[1], i.weights[2]); });
  changed([](auto&, auto& i) { i.regimes = {}, i.regime = {}; });
  changed([](auto&, auto& i) { i.regime = codes_of({1, 0, 1}); });
  changed([](auto&, auto& i) { i.regimes[0].name = "c"; });
  changed([](auto&, auto& i) { i.regimes[0].targets = {"y"}; });
  changed([](auto&, auto& i) { i.regimes[0].targets = {"x", "y"}; });
  changed([](auto&, auto& i) { i.regimes[0].targets = {}; });
  changed([](auto&, auto& i) { i.regimes[0].intervention = Intervention::kSoft; });
  changed([](auto&, auto& i) { i.regimes[0].batch = "n"; });
  std::sort(sums.begin(), sums.end());
  EXPECT_EQ(std::adjacent_find(sums.begin(), sums.end()), sums.end());
}

}  // namespace
}  // namespace agon
