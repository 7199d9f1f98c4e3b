// Text in a column of numbers, where missing cells are kept: "rotary" among 3, 4, 6 and 8 cylinders, "<0.006" among
// measurements. What the reader refuses by itself is in csv_test.cpp.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "agon/base/error.h"
#include "agon/base/rng.h"
#include "agon/data/csv.h"
#include "agon/data/test_csv.h"

namespace agon {
namespace {

LoadedTable kept(const std::string& text, CsvOptions options = {}) {
  options.missing_policy = MissingPolicy::kKeep;
  return read_csv_text(text, "t.csv", options);
}

const std::string kMeasured = "x\n1.5\n2.5\n<0.5\n3.5\n<0.5\nNA\n[9]\n4.5\n";

TEST(StrayText, IsMissingAmongMeasurements) {
  const LoadedTable t = kept(kMeasured);
  const Column& x = t.data.column(0);
  EXPECT_EQ(x.kind, ColumnKind::kContinuous);
  std::vector<bool> missing;
  for (size_t row = 0; row < t.data.rows(); ++row) missing.push_back(x.is_missing(row));
  EXPECT_EQ(missing, (std::vector<bool>{false, false, true, false, true, true, true, false}));
  EXPECT_EQ(x.values[3], 3.5);
  ASSERT_EQ(t.record.warnings.size(), 1u);
  EXPECT_EQ(t.record.warnings[0],
            "column \"x\" holds numbers, and text in 3 of 7 cells, first \"<0.5\" on line 4: taken as missing; if the "
            "column holds labels, pass --discrete x");
}

TEST(StrayText, TheHintsOfItsWarningAreTrue) {
  const LoadedTable labels = kept(kMeasured, {.discrete = {"x"}});
  EXPECT_EQ(labels.data.column(0).levels.size(), 6u);
  EXPECT_TRUE(labels.record.warnings.empty());
  std::string few = "x\n";
  for (int k = 0; k < 60; ++k) few += fmt::format("{}\n", 3 + k % 5);
  CsvOptions marked;
  marked.missing.push_back("rotary");
  EXPECT_EQ(kept(few + "rotary\n", marked).data.column(0).levels.size(), 5u);
}

// Five integers that occur twelve times are categories without the text, and so is the text with them.
TEST(StrayText, IsALevelBesideFewIntegers) {
  std::string few = "x\n";
  for (int k = 0; k < 60; ++k) few += fmt::format("{}\n", 3 + k % 5);
  const LoadedTable t = kept(few + "rotary\n");
  EXPECT_EQ(t.data.column(0).kind, ColumnKind::kCategorical);
  EXPECT_EQ(t.data.column(0).levels, (std::vector<std::string>{"3", "4", "5", "6", "7", "rotary"}));
  EXPECT_FALSE(t.data.has_missing());
  ASSERT_EQ(t.record.warnings.size(), 1u);
  EXPECT_EQ(t.record.warnings[0],
            "column \"x\" holds numbers, and text in 1 of 61 cells, first \"rotary\" on line 62: taken as a level of "
            "its own; if it marks a missing value, pass --na rotary");
}

// The same rows once each, with counts: the rule of kinds sees the table written out.
TEST(StrayText, CountsStandForRows) {
  const std::string cells = "x,n\n3,12\n4,12\n5,12\n6,12\n7,12\nrotary,1\n";
  EXPECT_EQ(kept(cells, {.counts = "n"}).data.column(0).levels.size(), 6u);
  const LoadedTable once = kept(cells, {.drop = {"n"}});  // five integers in five rows are numbers
  EXPECT_EQ(once.data.column(0).kind, ColumnKind::kContinuous);
  EXPECT_TRUE(once.data.column(0).is_missing(5));
}

TEST(StrayText, WholeNumbersStayWhole) {
  std::string text = "x\n";
  for (int k = 0; k < 150; ++k) text += fmt::format("{}\n", k % 12);
  const LoadedTable coded = kept(text + "many\n");  // alone in its table: twelve codes
  EXPECT_EQ(coded.data.column(0).kind, ColumnKind::kCategorical);
  EXPECT_EQ(coded.data.column(0).levels.size(), 12u);
  EXPECT_TRUE(coded.data.column(0).is_missing(150));
}

TEST(StrayText, IsRefusedWhereMissingCellsAre) {
  for (const MissingPolicy policy : {MissingPolicy::kError, MissingPolicy::kDropRows}) {
    CsvOptions options;
    options.missing_policy = policy;
    EXPECT_THROW(read_csv_text("x\n1.5\n2.5\nhigh\n", "t.csv", options), InputError);
  }
}

// Codes of which some hold letters: tickets, postcodes, lifeboats.
TEST(StrayText, AFifthOfTheDistinctCellsIsNoSlip) {
  const auto column = [](int numbers, int texts) {
    std::string text = "x\n";
    for (int k = 0; k < numbers; ++k) text += fmt::format("{}\n", 1000 + 7 * k);
    for (int k = 0; k < texts; ++k) text += fmt::format("PC {}\n", k);
    return kept(text).data.column(0);
  };
  EXPECT_EQ(column(40, 10).kind, ColumnKind::kCategorical);
  EXPECT_TRUE(column(40, 10).identifier);
  EXPECT_EQ(column(41, 10).kind, ColumnKind::kContinuous);
  EXPECT_EQ(column(20, 7).kind, ColumnKind::kContinuous);  // so few may be slips
}

// Infinity is no text, and nobody knows what to put in its place; nor are numbers of another country text.
TEST(StrayText, OtherCellsAreRefusedAsEver) {
  EXPECT_THROW(kept("x\n1.5\n2.5\ninf\n"), InputError);
  EXPECT_THROW(kept("x\n1.5\n2.5\n4\nhigh\ninf\n"), InputError);
  EXPECT_THROW(kept("x\n1.5\n2.5\n4\nhigh\n\"12,34\"\n"), InputError);
  EXPECT_THROW(kept("x\n1.5\n2.5\nhigh\n", {.continuous = {"x"}}), InputError);
}

// More numbers than are kept as labels, with the text before, among and after them.
TEST(StrayText, ManyNumbers) {
  for (const size_t place : {size_t{0}, size_t{40'000}, size_t{70'000}}) {
    std::string text = "x\n";
    for (size_t k = 0; k <= 70'000; ++k) {
      if (k == place) text += "text\n";
      if (k < 70'000) text += fmt::format("{}.5\n", k);
    }
    const LoadedTable t = kept(text + "text\n");
    ASSERT_EQ(t.data.column(0).kind, ColumnKind::kContinuous);
    EXPECT_EQ(t.data.column(0).missing.count(), 2u);
    EXPECT_TRUE(t.data.column(0).is_missing(place));
    EXPECT_EQ(t.data.column(0).values[place == 0 ? 1 : 0], 0.5);
    ASSERT_EQ(t.record.warnings.size(), 1u);
    EXPECT_NE(t.record.warnings[0].find(fmt::format("text in 2 of 70,002 cells, first \"text\" on line {}", place + 2)),
              std::string::npos)
        << t.record.warnings[0];
  }
}

// Plain twin: the cells that are numbers, in a table where each text is written NA.
RC_GTEST_PROP(StrayTextProperty, ATableWithNaInItsPlaceIsTheSame, (uint64_t seed)) {
  Rng rng(seed);
  std::string with_text = "x,y\n", with_na = with_text;
  const int numbers = 8 + rng.below(30), rows = 20 + rng.below(200);
  const bool fractions = rng.below(2) == 0;
  for (int row = 0; row < rows; ++row) {
    const bool stray = rng.below(10) == 0;
    const std::string number = fmt::format("{}{}", row < numbers ? row : rng.below(numbers), fractions ? ".25" : "");
    with_text += fmt::format("{},0.{}\n", stray && row >= numbers ? fmt::format("t{}", rng.below(3)) : number, row + 1);
    const size_t line = with_text.rfind('\n', with_text.size() - 2) + 1;
    with_na += with_text[line] == 't' ? fmt::format("NA,0.{}\n", row + 1) : with_text.substr(line);
  }
  RC_ASSERT(kept(with_text).data.checksum() == kept(with_na).data.checksum());
}

}  // namespace
}  // namespace agon
