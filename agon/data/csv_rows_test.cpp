// Cells that are missing and stay so, and rows with a weight.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <sstream>

#include "agon/base/rng.h"
#include "agon/data/csv.h"
#include "agon/data/test_csv.h"

namespace agon {
namespace {

using testing::expect_contains;
using testing::file_refusal;
using testing::Labels;
using testing::labels_of;
using testing::named;
using testing::parse;
using testing::refusal;
using testing::TemporaryFile;
using testing::usage_refusal;

// ------------------------------------------------------------------------------------ gaps that stay

constexpr CsvOptions keep() { return {.missing_policy = MissingPolicy::kKeep}; }

TEST(CsvGaps, AreKeptInColumnsOfEveryKind) {
  std::string text = "bit,word,number,late\n";
  for (int row = 0; row < 40; ++row) {
    text +=
        row % 4 == 0 ? "NA,,.,?\n" : fmt::format("{},w{},{}.5,{}\n", row % 2, row % 3, row, row < 30 ? row % 5 : row);
  }
  const LoadedTable t = read_csv_text(text, "t", keep());
  EXPECT_TRUE(t.data.check_invariants());
  EXPECT_EQ(t.data.rows(), 40u);
  EXPECT_EQ(t.record.rows_dropped, 0u);
  for (const Column& c : t.data.columns()) {
    for (size_t row = 0; row < 40; ++row) EXPECT_EQ(c.is_missing(row), row % 4 == 0) << c.name << row;
  }
  EXPECT_EQ(named(t.data, "bit").levels, (Labels{"0", "1"}));
  EXPECT_EQ(named(t.data, "word").levels, (Labels{"w0", "w1", "w2"}));
  EXPECT_EQ(named(t.data, "number").values[5], 5.5);
  EXPECT_EQ(named(t.data, "late").kind, ColumnKind::kContinuous);
  EXPECT_EQ(named(t.data, "late").values[7], 2);
}

TEST(CsvGaps, ARowOrAColumnMayBeEmpty) {
  const Dataset d = parse("a,b,c\n1,NA,2.5\nNA,NA,NA\n0,NA,1.5\n1,NA,4.5\n", keep());
  EXPECT_TRUE(d.check_invariants());
  EXPECT_EQ(d.rows(), 4u);
  EXPECT_TRUE(named(d, "b").is_isolated());
  EXPECT_EQ(named(d, "b").kind, ColumnKind::kContinuous);
  EXPECT_TRUE(named(d, "a").is_missing(1));
  EXPECT_TRUE(
      parse("a,b\n1,NA\n0,NA\n", {.missing_policy = MissingPolicy::kKeep, .discrete = {"b"}}).check_invariants());
}

TEST(CsvGaps, WrittenTheyReadBack) {
  const Dataset d = parse("a,b\nx,0.5\nNA,1.5\ny,\nx,2.5\n", keep());
  std::ostringstream out;
  write_csv(out, d);
  EXPECT_EQ(out.str(), "a,b\nx,0.5\nNA,1.5\ny,NA\nx,2.5\n");
  EXPECT_EQ(parse(out.str(), keep()).checksum(), d.checksum());
}

// ------------------------------------------------------------------------------------ weights

TEST(CsvWeights, CountsSayHowOftenARowOccurred) {
  const LoadedTable t = read_csv_text("a,n,b\nx,30,0\ny,10,1\nz,0,2\nx,1000000000000,1\n", "t", {.counts = "n"});
  EXPECT_EQ(t.data.names().size(), 2u);
  EXPECT_EQ(t.data.row_info().weights, (std::vector<double>{30, 10, 1e12}));
  EXPECT_EQ(named(t.data, "a").levels, (Labels{"x", "y"}));
  EXPECT_EQ(t.record.rows_of_zero, 1u);
  ASSERT_EQ(t.record.notes.size(), 2u);
  EXPECT_EQ(t.record.notes[0], "\"n\" says how often each row occurred: the 3 rows stand for 1000000000040.");
  EXPECT_EQ(t.record.notes[1], "Left out 1 of 4 rows, where \"n\" is 0.");
}

// A table and its rows counted have the same kinds, levels and weights per cell.
RC_GTEST_PROP(CsvWeights, CountedRowsReadAsTheTableWrittenOut, (uint64_t seed)) {
  Rng rng(seed);
  std::string counted = "a,b,c,n\n", whole = "a,b,c\n";
  const int levels = 2 + rng.below(9);
  for (int row = 0; row < 12; ++row) {
    const std::string cells = fmt::format("{},{},{}", rng.below(levels),
                                          rng.below(5) == 0 ? "NA" : fmt::format("l{}", rng.below(7)), rng.below(3));
    const int count = rng.below(20);
    counted += fmt::format("{},{}\n", cells, count);
    for (int k = 0; k < count; ++k) whole += cells + "\n";
  }
  if (whole.size() == 6) return;
  CsvOptions options = keep();
  const Dataset expanded = parse(whole, options);
  options.counts = "n";
  const Dataset grouped = parse(counted, options);
  RC_ASSERT(grouped.total_weight() == static_cast<double>(expanded.rows()));
  for (const Column& c : expanded.columns()) {
    const Column& other = named(grouped, c.name);
    RC_ASSERT(c.kind == other.kind);
    RC_ASSERT(c.levels == other.levels);
    RC_ASSERT(c.identifier == other.identifier);
  }
}

TEST(CsvWeights, SamplingWeightsSumToTheEffectiveNumberOfRows) {
  const Dataset d = parse("a,w\nx,1\ny,2\nx,0\ny,3\n", {.weights = "w"});
  ASSERT_EQ(d.rows(), 3u);
  EXPECT_DOUBLE_EQ(d.total_weight(), 36.0 / 14.0);
  EXPECT_DOUBLE_EQ(d.weight(2) / d.weight(0), 3);
  EXPECT_FALSE(parse("a,w\nx,0.25\ny,0.25\n", {.weights = "w"}).has_weights());  // equal: each counts once
  EXPECT_DOUBLE_EQ(parse("a,w\nx,1e200\ny,1e200\nx,5e199\n", {.weights = "w"}).total_weight(), 6.25 / 2.25);
  EXPECT_NEAR(parse("a,w\nx,1e12\ny,1\n", {.weights = "w"}).total_weight(), 1, 1e-9);
}

TEST(CsvWeights, WhatCannotBeAWeightIsRefusedWithItsPlace) {
  const CsvOptions counts{.counts = "n"}, weights{.weights = "n"};
  EXPECT_EQ(refusal("a,n\nx,1\ny,-1\n", counts),
            "t.csv:3: column \"n\": found \"-1\", expected a whole number, 0 or more\n"
            "  hint: --counts names a column that says how often each row counts");
  EXPECT_CONTAINS(refusal("a,n\nx,1.5\n", counts), "t.csv:2: column \"n\": found \"1.5\", expected a whole number");
  EXPECT_CONTAINS(refusal("a,n\nx,NA\n", counts), "found a missing cell, expected a whole number");
  EXPECT_CONTAINS(refusal("a,n\nx,many\n", weights), "found \"many\", expected a number, 0 or more");
  EXPECT_CONTAINS(refusal("a,n\nx,-0.5\n", weights), "found \"-0.5\"");
  EXPECT_CONTAINS(refusal("a,n\nx,inf\n", weights), "found \"inf\"");
  EXPECT_CONTAINS(refusal("a,n\nx,0\ny,0\n", weights), "\"n\" is 0 in every row");
  EXPECT_CONTAINS(refusal("a,n\nx,1e300\ny,1e-300\n", weights), "too wide a range");
  EXPECT_CONTAINS(usage_refusal("a,n,w\nx,1,1\n", {.counts = "n", .weights = "w"}), "cannot be used together");
  EXPECT_CONTAINS(usage_refusal("a,n\nx,1\n", {.counts = "m"}), "--counts: the table has no column \"m\"");
  EXPECT_CONTAINS(usage_refusal("a,n\nx,1\n", {.drop = {"n"}, .counts = "n"}), "named in both --drop and --counts");
}

}  // namespace
}  // namespace agon
