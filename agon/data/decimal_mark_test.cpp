#include "agon/data/decimal_mark.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "agon/base/error.h"
#include "agon/base/rng.h"
#include "agon/data/csv.h"
#include "agon/data/number_text.h"

namespace agon {
namespace {

DecimalMark found(std::string_view text, char delimiter = ';', const DecimalOptions& options = {}) {
  return detect_decimal_mark(text, true, {.delimiter = delimiter}, options);
}

std::string refusal_of_decimals(std::string_view text, const CsvOptions& options = {}) {
  try {
    read_csv_text(text, "t.csv", options);
  } catch (const InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << "was accepted: " << text;
  return "";
}

TEST(DecimalMark, IsAPointWhereNothingHasAComma) {
  for (const char* text : {"", "x;y\n", "x;y\n1;2\n", "x;y\n1.5;2\n", "x;y\na, b;2\n", "a,b;c\n1;2\n"}) {
    EXPECT_EQ(found(text).mark, '.') << text;
    EXPECT_EQ(found(text).note, "");
  }
  EXPECT_EQ(found("x,y\n\"1,5\",\"2,5\"\n", ',').mark, '.');  // quoted numbers where commas separate: not by itself
}

TEST(DecimalMark, IsACommaWhereNumbersCanHaveNoOtherReading) {
  for (const char* cell : {"3,14", "0,125", "-0,5", "+1,5", "1234,567", "1,5e3", "1,2345", "-,5", "012,345"}) {
    EXPECT_EQ(found(fmt::format("x;y\n1;a\n{};b\n2;c\n", cell)).mark, ',') << cell;
  }
  EXPECT_EQ(found("x\ty\n1,5\t2\n", '\t').mark, ',');
  EXPECT_EQ(found("x y\n1,5 2\n", ' ').mark, ',');
  EXPECT_EQ(found("x;y\n\"1,5\";\"2\"\n").mark, ',');
  EXPECT_EQ(
      found("x;y\n1;a\n3,14;b\n").note,
      "Commas are read as decimal marks (the first is in \"3,14\", line 3); if they are not, pass --decimal point.");
  EXPECT_EQ(found("1,5;2\n", ';', {.header = false}).mark, ',');
  EXPECT_EQ(found("1,5;2\n").mark, '.');  // a header
}

TEST(DecimalMark, IsAPointWhereTheCellsContradictEachOther) {
  for (const char* text : {"x;y\n1,5;2.5\n", "x;y\n2.5;1.234,5\n", "x;y\n1,5;1,2,3\n", "x;y\n1.234;0,5\n"}) {
    EXPECT_EQ(found(text).mark, '.') << text;
  }
  // What is not read as a number contradicts nothing.
  EXPECT_EQ(found("x;version\n1,5;2.5\n", ';', {.unread = {"version"}}).mark, ',');
  EXPECT_EQ(found("version;x\n1;2.5;1,5\n2;3.5;2,5\n", ';', {.unread = {"version"}}).mark, ',');  // row names
  EXPECT_EQ(found("1,5;2.5\n", ';', {.header = false, .unread = {"V2"}}).mark, ',');
  EXPECT_EQ(found("x;day\n1,5;24.12.2020\n").mark, ',');
}

TEST(DecimalMark, OfNumbersThatMayHaveThousandsIsACommaWhereOnlyTheUnitDiffers) {
  const DecimalMark all = found("x;y\n1,234;5\n0;6\n-12,345;7\n");
  EXPECT_EQ(all.mark, ',');
  EXPECT_NE(all.note.find("may be decimal marks or separate thousands (the first is in \"1,234\", line 2)"),
            std::string::npos)
      << all.note;
  EXPECT_EQ(found("x;y\n1,234;5\n567;6\n").mark, '.');         // 567 and 1234, or 567 and 1.234?
  EXPECT_EQ(found("x;y\n1,234;5\n567;6\n1,5;7\n").mark, ',');  // now there is no doubt
}

TEST(DecimalMark, IsACommaWhereAPointSeparatesThousands) {
  EXPECT_EQ(found("x;y\n62,88;1.234,5\n").mark, ',');
  EXPECT_EQ(found("x;y\n1.234;1.234,5\n").mark, ',');
  EXPECT_TRUE(found("x;y\n2.5;1,234\n").thousands);  // the point is the decimal mark, so the comma is none
  EXPECT_TRUE(found("x;y\n567;1\n1,234.5;2\n").thousands);
  EXPECT_FALSE(found("x;y\n567;1\n1,234;2\n").thousands);
}

TEST(DecimalMark, OfACutSampleIgnoresTheLastRecord) {
  EXPECT_EQ(detect_decimal_mark("x;y\n1;2\n1,5", false, {.delimiter = ';'}).mark, '.');
  EXPECT_EQ(detect_decimal_mark("x;y\n1;2\n1,5", true, {.delimiter = ';'}).mark, ',');
}

TEST(NumberText, HasTheMarkItIsToldAndNoOther) {
  double value = 0;
  int64_t integer = 0;
  EXPECT_TRUE(parse_number("-1,5e2", value, ','));
  EXPECT_EQ(value, -150);
  EXPECT_TRUE(parse_integer("+7,0", integer, ','));
  EXPECT_EQ(integer, 7);
  EXPECT_FALSE(parse_number("1.5", value, ','));
  EXPECT_FALSE(parse_number("1,5", value));
  EXPECT_FALSE(parse_number("1.234,5", value, ','));
  for (const char* number : {"1.5", "1.234,5", "1.234.567", "-12.345.678", "1,2,3"}) {
    EXPECT_TRUE(is_foreign_number(number, ',')) << number;
  }
  for (const char* other : {"", "1,5", "15", "24.12.2020", "1.2.3", ".123.456", "a", "192.168.100.1000"}) {
    EXPECT_FALSE(is_foreign_number(other, ',')) << other;
  }
}

TEST(NumberText, MayBePrintedForPeople) {
  const auto read = [](std::string_view cell, const PrintedNumbers& rules = {}) {
    double value = 0;
    return parse_printed_number(cell, value, rules) ? fmt::format("{}", value) : "no";
  };
  EXPECT_EQ(read("1,234"), "1234");
  EXPECT_EQ(read("-1,234,567.5"), "-1234567.5");
  EXPECT_EQ(read("$1,200"), "1200");
  EXPECT_EQ(read("-$5.25"), "-5.25");
  EXPECT_EQ(read("$-5"), "-5");
  EXPECT_EQ(read("12 %"), "12");
  EXPECT_EQ(read(" 81,706  "), "81706");  // blanks within quotes
  EXPECT_EQ(read("0.5%"), "0.5");
  EXPECT_EQ(read("5 \u20ac"), "5");
  EXPECT_EQ(read("\u00a3 5"), "5");
  EXPECT_EQ(read("1.234,5", {.mark = ','}), "1234.5");
  EXPECT_EQ(read("1.234", {.mark = ','}), "1234");
  EXPECT_EQ(read("62,9 %", {.mark = ','}), "62.9");
  // A lone group needs somebody's word that it is one.
  EXPECT_EQ(read("1,234", {.thousands = false}), "no");
  EXPECT_EQ(read("1,234.5", {.thousands = false}), "1234.5");
  EXPECT_EQ(read("1,234,567", {.thousands = false}), "1234567");
  for (const char* other :
       {"",   "12",  "1.5",  "1,5",  "12,34", "0,123",      "1234,567",   "1,2345",   "1,234.5,6", "%",  "$",
        "$%", "5%%", "--5%", "-$-5", "1e5%",  "2020-01-01", "24.12.2020", "5 apples", "EUR 5",     "a%", "$ a"}) {
    EXPECT_EQ(read(other), "no") << other;
  }
  EXPECT_EQ(read("24.12.2020", {.mark = ','}), "no");
}

// ------------------------------------------------------------------------------------ in the reader

TEST(CsvPrintedNumbers, GoByValueInAnyOrderOfRowsAndAreSaid) {
  std::vector<std::string> rows = {"\"$1,200\",12%", "$950,7.5%", "\"$12,000.50\",0%", "\"$1,200\",3%"};
  std::sort(rows.begin(), rows.end());
  do {
    std::string text = "price,share\n";
    for (const std::string& row : rows) text += row + "\n";
    const LoadedTable t = read_csv_text(text, "t.csv");
    std::vector<double> price = t.data.column(t.data.index_of("price")).values;
    std::vector<double> share = t.data.column(t.data.index_of("share")).values;
    std::sort(price.begin(), price.end());
    std::sort(share.begin(), share.end());
    ASSERT_EQ(price, (std::vector<double>{950, 1200, 1200, 12000.5})) << text;
    ASSERT_EQ(share, (std::vector<double>{0, 3, 7.5, 12})) << text;
    ASSERT_EQ(t.record.notes.size(), 2u);
  } while (std::next_permutation(rows.begin(), rows.end()));
  EXPECT_EQ(read_csv_text("x\n3%\n1%\n2%\n", "t").record.notes,
            std::vector<std::string>{
                "Column \"x\" holds numbers as they are printed for people: \"3%\" on line 2 is read as 3."});
}

TEST(CsvPrintedNumbers, AmongTextAreNumbersToo) {
  const CsvOptions keep{.missing_policy = MissingPolicy::kKeep};
  const LoadedTable t = read_csv_text("x\n$3\nfree\n$1\n$2\n", "t", keep);
  EXPECT_EQ(t.data.column(0).values[2], 1);
  EXPECT_TRUE(t.data.column(0).is_missing(1));
  EXPECT_EQ(t.record.warnings.size(), 1u);
  // Labels stay as they are written if the user says so.
  EXPECT_EQ(read_csv_text("x\n3%\n1%\n", "t", {.discrete = {"x"}}).data.column(0).levels,
            (std::vector<std::string>{"1%", "3%"}));
  EXPECT_EQ(read_csv_text("x\n3%\n1%\n", "t", {.continuous = {"x"}}).data.column(0).values,
            (std::vector<double>{3, 1}));
}

TEST(CsvPrintedNumbers, HaveThousandsOnlyWhereACommaIsNoDecimalMark) {
  EXPECT_EQ(read_csv_text("x;y\n2.5;1,234\n3.5;17\n4.5;18\n", "t").data.column(0).kind, ColumnKind::kContinuous);
  EXPECT_EQ(refusal_of_decimals("x;y\n1;1,234\n2;567\n"),
            "t.csv:2: column \"y\": found \"1,234\", expected a number with a decimal point and no commas\n"
            "  hint: if the comma is its decimal mark, pass --decimal comma; if it separates thousands, pass --decimal "
            "point; if these are labels, pass --discrete y");
  const auto y = [](const CsvOptions& options) {
    const Dataset d = read_csv_text("x;y\n1;1,234\n2;567\n3;8\n", "t", options).data;
    return d.column(d.index_of("y")).values;
  };
  EXPECT_EQ(y({.decimal = '.'}), (std::vector<double>{1234, 567, 8}));
  EXPECT_EQ(y({.decimal = ','}), (std::vector<double>{1.234, 567, 8}));
}

TEST(CsvDecimal, CommasAreReadAndSaid) {
  const LoadedTable t = read_csv_text("x;y\n3,14;a\n-0,5;b\n2;a\n", "t.csv");
  EXPECT_EQ(t.record.delimiter, ';');
  EXPECT_EQ(t.record.decimal, ',');
  EXPECT_EQ(t.data.column(t.data.index_of("x")).values, (std::vector<double>{3.14, -0.5, 2}));
  ASSERT_EQ(t.record.notes.size(), 1u);
  EXPECT_NE(t.record.notes[0].find("Commas are read as decimal marks"), std::string::npos);
}

TEST(CsvDecimal, WithoutAHeaderTheDelimiterIsStillFound) {
  EXPECT_EQ(read_csv_text("1,5;2,5\n3,5;4,5\n7,5;1,5\n", "t", {.header = false}).record.delimiter, ';');
  EXPECT_EQ(read_csv_text("1,5\t2,5\n3,5\t4,5\n", "t", {.header = false}).record.delimiter, '\t');
  EXPECT_EQ(read_csv_text("1,\t2\n3,\t4\n", "t", {.header = false}).record.delimiter, ',');
  EXPECT_EQ(read_csv_text("a,b,c\n1,2;3,4\n5,6;7,8\n", "t").record.delimiter, ',');
  EXPECT_EQ(read_csv_text("1,x;3,4\n5,y;7,8\n", "t", {.header = false}).record.delimiter, ',');
}

TEST(CsvDecimal, GivenItDecides) {
  const auto read = [](std::string_view text, char decimal) {
    return read_csv_text(text, "t.csv", {.decimal = decimal, .continuous = {"x"}}).data;
  };
  const auto values = [](const Dataset& d) { return d.column(d.index_of("x")).values; };
  EXPECT_EQ(values(read("x,y\n\"1,5\",a\n\"2,5\",b\n", ',')), (std::vector<double>{1.5, 2.5}));
  EXPECT_EQ(values(read("x\n1,5\n2,5\n", ',')), (std::vector<double>{1.5, 2.5}));  // one column, no delimiter
  EXPECT_EQ(values(read("x;y\n1,234;5\n567;6\n", ',')), (std::vector<double>{1.234, 567}));
  EXPECT_EQ(refusal_of_decimals("x,y\n1.5,a\n2.5,b\n", {.decimal = ','}).substr(0, 35),
            "t.csv:2: column \"x\": found \"1.5\", e");
  EXPECT_EQ(refusal_of_decimals("x;y\n1,5;a\n", {.decimal = '.'}),
            "t.csv:2: column \"x\": found \"1,5\", expected a number with a decimal point and no commas\n"
            "  hint: if the comma is its decimal mark, pass --decimal comma; if these are labels, pass --discrete x");
  EXPECT_EQ(refusal_of_decimals("x;y\n1.5;a\n", {.decimal = ','}),
            "t.csv:2: column \"x\": found \"1.5\", expected a number with a decimal comma and no points\n"
            "  hint: if the point is its decimal mark, pass --decimal point; if these are labels, pass --discrete x");
  EXPECT_EQ(refusal_of_decimals("x;y\n12.34,5;a\n", {.decimal = ','}),
            "t.csv:2: column \"x\": found \"12.34,5\", expected a number with a decimal comma and no points\n"
            "  hint: write numbers without separators of thousands; if these are labels, pass --discrete x");
  EXPECT_EQ(refusal_of_decimals("x;y\n1,5;a\n", {.decimal = '.', .continuous = {"x"}}),
            "t.csv:2: column \"x\": found \"1,5\", expected a number with a decimal point and no commas\n"
            "  hint: if the comma is its decimal mark, pass --decimal comma; if \"x\" holds labels, do not name it in "
            "--continuous");
}

TEST(CsvDecimal, ReachesCountsAndWeights) {
  const LoadedTable t = read_csv_text("x;w\na;0,5\nb;1,5\na;1\n", "t", {.weights = "w"});
  EXPECT_TRUE(t.data.has_weights());
  const LoadedTable dots = read_csv_text("x;w\na;0.5\nb;1.5\na;1\n", "t", {.weights = "w"});
  EXPECT_EQ(t.data.checksum(), dots.data.checksum());
}

// A file with commas is the file with points: kinds, labels, numbers, gaps and all.
RC_GTEST_PROP(CsvDecimal, GivesTheTableOfThePoints, (uint64_t seed)) {
  Rng rng(seed);
  std::string points = "label;few;fraction;number;half;small\n1;1;0.25;1.5;0.5;-0.5\n";
  for (int row = 0; row < 60; ++row) {
    points += fmt::format("{};{}.0;{};{};{};{:.3e}\n", rng.below(2) ? "a" : "b", rng.below(4), rng.below(8) / 4.0,
                          rng.normal() * 1000, rng.below(5) ? fmt::format("{}", rng.below(2) / 2.0) : "NA",
                          rng.normal() * 1e-9);
  }
  std::string commas = points;
  std::replace(commas.begin(), commas.end(), '.', ',');
  const CsvOptions keep = {.missing_policy = MissingPolicy::kKeep};
  const LoadedTable a = read_csv_text(points, "t", keep), b = read_csv_text(commas, "t", keep);
  RC_ASSERT(a.record.decimal == '.' && b.record.decimal == ',');
  RC_ASSERT(a.record.reasons == b.record.reasons);
  RC_ASSERT(a.data.checksum() == b.data.checksum());
}

}  // namespace
}  // namespace agon
