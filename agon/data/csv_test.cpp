#include "agon/data/csv.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <sstream>

#include "agon/base/error.h"
#include "agon/base/rng.h"
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

// ------------------------------------------------------------------------------------ kinds

TEST(CsvKinds, TextAndFewIntegersAreCategoricalTheRestContinuous) {
  const Dataset d = parse("a,b,c\n1,x,0.5\n1.0,y,1\n0,x,2\n");
  ASSERT_EQ(d.rows(), 3u);
  EXPECT_EQ(named(d, "a").kind, ColumnKind::kCategorical);
  EXPECT_EQ(named(d, "a").levels, (Labels{"0", "1"}));
  EXPECT_EQ(labels_of(d, "a"), (Labels{"1", "1", "0"}));
  EXPECT_EQ(named(d, "b").levels, (Labels{"x", "y"}));
  EXPECT_EQ(named(d, "c").kind, ColumnKind::kContinuous);
  EXPECT_EQ(named(d, "c").values, (std::vector<double>{0.5, 1, 2}));
}

TEST(CsvKinds, TheTwentyFirstIntegerMakesNumbers) {
  for (int distinct : {1, 20, 21, 300}) {
    std::string text = "x\n";
    for (int row = 0; row < 400; ++row) text += fmt::format("{}\n", row % distinct - 5);
    const Dataset d = parse(text);
    ASSERT_EQ(d.rows(), 400u);
    const Column& x = d.column(0);
    EXPECT_EQ(x.kind, distinct <= 20 ? ColumnKind::kCategorical : ColumnKind::kContinuous) << distinct;
    for (int row = 0; row < 400; ++row) {
      const double value = x.kind == ColumnKind::kContinuous ? x.values[row] : std::stod(x.levels[x.codes[row]]);
      ASSERT_EQ(value, row % distinct - 5);
    }
  }
}

TEST(CsvKinds, IntegersGoByValue) {
  const Dataset d = parse("x\n1\n+1\n1.0\n01\n10e-1\n-0\n0.0\n0\n");
  EXPECT_EQ(named(d, "x").levels, (Labels{"0", "1"}));
  EXPECT_EQ(labels_of(d, "x"), (Labels{"1", "1", "1", "1", "1", "0", "0", "0"}));
}

TEST(CsvKinds, LongIntegersStayApart) {
  const Dataset d = parse("x\n900719925474099301\n900719925474099302\n900719925474099301\n");
  EXPECT_EQ(named(d, "x").levels, (Labels{"900719925474099301", "900719925474099302"}));
}

TEST(CsvKinds, AFractionLateInTheFileKeepsWhatCameBefore) {
  const Dataset d = parse("x\n3\n3\n4\n4.25\n3\n");
  EXPECT_EQ(named(d, "x").values, (std::vector<double>{3, 3, 4, 4.25, 3}));
}

TEST(CsvKinds, OptionsOverride) {
  const Dataset d = parse("a,b,c\n1,1.0,x\n2,1,y\n3,5,z\n", {.discrete = {"b"}, .continuous = {"a"}, .drop = {"c"}});
  ASSERT_EQ(d.size(), 2);
  EXPECT_EQ(named(d, "a").values, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(labels_of(d, "b"), (Labels{"1.0", "1", "5"}));
}

TEST(CsvKinds, ManyLabels) {
  for (int count : {255, 256, 257, 65535, 65536, 65537}) {
    std::string text = "x\n";
    for (int k = 0; k < count; ++k) text += fmt::format("label{}\n", k);
    text += "label0\nlabel255\n";
    const Dataset d = parse(text);
    const Column& x = d.column(0);
    ASSERT_EQ(x.levels.size(), static_cast<size_t>(std::max(count, 256)));
    ASSERT_EQ(x.levels[x.codes[count - 1]], fmt::format("label{}", count - 1));
    ASSERT_EQ(x.codes[count], x.codes[0]);
  }
}

// ------------------------------------------------------------------------------------ accepted silently

TEST(CsvAccepts, BomCrlfCommentsBlankLinesAndQuotes) {
  const Dataset plain = parse("a,b\n1,x\n2,\"y,z\"\n");
  for (const char* text :
       {"\xEF\xBB\xBF"
        "a,b\n1,x\n2,\"y,z\"\n",
        "a,b\r\n1,x\r\n2,\"y,z\"\r\n", "a,b\r1,x\r2,\"y,z\"\r", "# note\na,b\n#\n1,x\n\n2,\"y,z\"\n\n\n",
        "a,b\n1,x\n2,\"y,z\"", "\"a\",\"b\"\n\"1\",\"x\"\n\"2\",\"y,z\"\n", "a , b\n 1,x \n2 , \"y,z\" \n",
        "a,b\n1,x\n2,\"y,z\"\n   \n# end"}) {
    const LoadedTable t = read_csv_text(text, "t.csv");
    EXPECT_EQ(t.data.checksum(), plain.checksum()) << text;
    EXPECT_TRUE(t.record.notes.empty()) << text;
  }
}

TEST(CsvAccepts, DoubledQuotesAndNewlinesInCells) {
  const Dataset d = parse("a,b\n\"say \"\"hi\"\"\",\"two\nlines\"\n\"\"\"\"\"\",5\" pipe\n");
  EXPECT_EQ(labels_of(d, "a"), (Labels{"say \"hi\"", "\"\""}));
  EXPECT_EQ(labels_of(d, "b"), (Labels{"two\nlines", "5\" pipe"}));
}

TEST(CsvAccepts, ColumnNamedLikeMarkup) {
  EXPECT_EQ(parse("</script>,\"a\"\"b\"\n1,2\n0,3\n").index_of("</script>") >= 0, true);
}

TEST(CsvAccepts, OneColumn) {
  EXPECT_EQ(parse("x\n1\n0\n").size(), 1);
  EXPECT_EQ(labels_of(parse("city\nNew York\nLos Angeles\n"), "city"), (Labels{"New York", "Los Angeles"}));
}

TEST(CsvAccepts, NoHeader) {
  const Dataset d = parse("1,2.5\n0,3.5\n", {.header = false});
  EXPECT_EQ(d.rows(), 2u);
  EXPECT_EQ(labels_of(d, "V2"), (Labels{"2.5", "3.5"}));
}

TEST(CsvAccepts, GivenDelimiterQuoteAndComment) {
  const Dataset d = parse("% c\na:b\n'x:y':1\nz:2\n", {.delimiter = ':', .quote = '\'', .comment = "%"});
  EXPECT_EQ(labels_of(d, "a"), (Labels{"x:y", "z"}));
  EXPECT_EQ(labels_of(parse("a,b\n\"x,1\ny\",2\n", {.quote = 0}), "a"), (Labels{"\"x", "y\""}));
}

TEST(CsvDelimiter, IsFound) {
  const auto found = [](std::string_view text) { return read_csv_text(text, "t").record.delimiter; };
  EXPECT_EQ(found("a,b\n1,2\n"), ',');
  EXPECT_EQ(found("a\tb\n1\t2\n"), '\t');
  EXPECT_EQ(found("a;b\n1;2\n"), ';');
  EXPECT_EQ(found("a|b\n1|2\n"), '|');
  EXPECT_EQ(found("a b  c\n 1 2   3\n4  5 6 \n"), ' ');
  EXPECT_EQ(found("a;b\n\"x,y\";1\n\"z,w\";2\n"), ';');
  EXPECT_EQ(found("name;note\nx;\"a,b\"\ny;\"c,d,e\"\n"), ';');
  EXPECT_EQ(found("first name,last name\nAnn Lee,May\nBob,Ray Fox\n"), ',');
  EXPECT_EQ(found("when;x\n2020-01-01 10:00;5\n2020-01-02 11:00;6\n"), ';');
  EXPECT_EQ(found("\"a\" \"b\"\n\"1\" 2 3\n\"2\" 3 4\n"), ' ');
  EXPECT_EQ(found("x\n1\n2\n"), ',');
}

// ------------------------------------------------------------------------------------ the row index

TEST(CsvRowIndex, UnnamedCountingFirstColumnIsTakenAndSaid) {
  for (const char* text :
       {",a,b\n0,x,1\n1,y,2\n2,x,3\n", "\"\",a,b\n1,x,1\n2,y,2\n3,x,3\n", "a,b\n\"1\",x,1\n\"2\",y,2\n\"3\",x,3\n"}) {
    const LoadedTable t = read_csv_text(text, "t.csv");
    EXPECT_EQ(t.data.size(), 2) << text;
    EXPECT_EQ(named(t.data, "b").values, (std::vector<double>{1, 2, 3}));
    EXPECT_TRUE(t.record.row_index_taken);
    ASSERT_EQ(t.record.notes.size(), 1u);
    EXPECT_CONTAINS(t.record.notes[0], "taken as a row index");
  }
}

TEST(CsvRowIndex, OneWithTheNameOfAnIndexIsTakenIfItCounts) {
  for (const char* name : {"Unnamed: 0", "rownames", "Index", "INDEX"}) {
    const LoadedTable t = read_csv_text(fmt::format("{},a\n1,x\n2,y\n3,x\n", name), "t");
    EXPECT_EQ(t.data.names(), Labels{"a"});
    EXPECT_TRUE(t.record.row_index_taken);
    ASSERT_EQ(t.record.notes.size(), 1u);
    EXPECT_EQ(t.record.notes[0], fmt::format("The first column is called \"{}\" and counts the rows from 1: taken as a "
                                             "row index, not as a variable.",
                                             name));
  }
  const auto size = [](std::string_view text, const CsvOptions& options = {}) { return parse(text, options).size(); };
  EXPECT_EQ(size("index,a\n1,x\n2,y\n4,x\n"), 2);  // does not count
  EXPECT_EQ(size("index,a\n1,x\n,y\n", {.missing_policy = MissingPolicy::kKeep}), 2);
  EXPECT_EQ(size("a,index\nx,1\ny,2\n"), 2);                             // not the first
  EXPECT_EQ(size("index\n1\n2\n"), 1);                                   // nothing else is there
  EXPECT_EQ(size("index,a\n1,x\n2,y\n", {.continuous = {"index"}}), 2);  // the user has said what it is
}

// pandas writes and reads a column without a name under this one.
TEST(CsvRowIndex, PandasNameForNoneNamesRows) {
  const auto names = [](const std::string& rows) { return parse("Unnamed: 0,a\n" + rows).names(); };
  EXPECT_EQ(names("Mazda,x\nFiat,y\nVolvo,x\n"), Labels{"a"});
  EXPECT_EQ(names("0,x\n1,y\n5,x\n"), Labels{"a"});
  EXPECT_EQ(read_csv_text("Unnamed: 0,a\n7,x\n3,y\n", "t").record.notes,
            Labels{"The first column is called \"Unnamed: 0\" and names each row differently: taken as names of the "
                   "rows, not as a variable."});
  EXPECT_EQ(names("0,x\n1,y\n0,x\n").size(), 2u);
  EXPECT_EQ(names("0.5,x\n1.5,y\n2.25,x\n").size(), 2u);
  EXPECT_EQ(parse("Unnamed: 0,a\nu,x\n,y\nv,x\n", {.missing_policy = MissingPolicy::kKeep}).size(), 2);
}

TEST(CsvRowIndex, NamesOfRowsAreTakenAndSaid) {
  // R's write.csv and write.table, and pandas after rows were left out.
  for (const char* text : {"\"\",a,b\nMazda,x,1\nFiat 128,y,2\nFiat X1,x,3\n", "a,b\nMazda,x,1\nFiat,y,2\nVolvo,x,3\n",
                           ",a,b\n0,x,1\n2,y,2\n17,x,3\n", ",a,b\n1,x,1\n2,y,2\n0.5,x,3\n"}) {
    const LoadedTable t = read_csv_text(text, "t.csv");
    EXPECT_EQ(t.data.names(), (Labels{"b", "a"})) << text;
    EXPECT_EQ(named(t.data, "b").values, (std::vector<double>{1, 2, 3}));
    EXPECT_TRUE(t.record.row_index_taken);
    EXPECT_EQ(t.record.notes, Labels{"The first column has no name and names each row differently: taken as names of "
                                     "the rows, not as a variable."});
  }
}

TEST(CsvRowIndex, OneThatNamesNoRowIsRefused) {
  EXPECT_CONTAINS(refusal(",a\n0,x\n2,y\n0,z\n"),
                  "t.csv:4: the first column has no name, does not count the rows and holds \"0\" twice");
  for (const char* text : {"a,b\nx,1,2\ny,3,4\nx,5,6\n", "a,b\n1.5,1,2\n2.5,3,4\n"}) {  // or measurements
    EXPECT_CONTAINS(refusal(text), "found 3 cells, expected the 2 that the header names; the line starts");
  }
}

TEST(CsvRowIndex, ADelimiterAtTheEndOfEveryLineIsNoColumn) {
  const std::string said = "Lines end with a delimiter: the empty cell after it belongs to no column.";
  for (const char* text : {"a,b,\nx,1,\ny,2,\nx,3,\n", "a,b\nx,1,\ny,2,\nx,3,\n", "a;b;\nx;1;\ny;2;\nx;3;\n",
                           "a,b,\r\nx,1,\r\ny,2\r\nx,3,\r\n"}) {
    const LoadedTable t = read_csv_text(text, "t.csv");
    EXPECT_EQ(t.data.names(), (Labels{"b", "a"})) << text;
    EXPECT_EQ(named(t.data, "b").values, (std::vector<double>{1, 2, 3})) << text;
    EXPECT_EQ(t.record.notes, Labels{said});
  }
  const LoadedTable both = read_csv_text(",a,b,\n0,x,1,\n1,y,2,\n2,x,3,\n", "t.csv");
  EXPECT_EQ(named(both.data, "b").values, (std::vector<double>{1, 2, 3}));
  EXPECT_TRUE(both.record.row_index_taken);
  // What looks so at first may be names of rows, with gaps in the last column.
  const LoadedTable gaps = read_csv_text("a,b\n1,x,\n2,y,2\n3,x,3\n", "t", {.missing_policy = MissingPolicy::kKeep});
  EXPECT_TRUE(gaps.record.row_index_taken);
  EXPECT_TRUE(named(gaps.data, "b").is_missing(0));
  EXPECT_CONTAINS(refusal("a,b,\nx,1,\ny,2,3\n"), "t.csv:3: found 3 cells, expected 2");
}

TEST(CsvRowIndex, RowsDroppedForMissingCellsStillCount) {
  const LoadedTable t = read_csv_text(",a\n0,x\n1,NA\n2,y\n", "t", {.missing_policy = MissingPolicy::kDropRows});
  EXPECT_EQ(t.data.rows(), 2u);
  EXPECT_TRUE(t.record.row_index_taken);
}

// ------------------------------------------------------------------------------------ what may be wrong with a file

TEST(CsvRefuses, MissingUnreadableEmptyHeaderOnly) {
  EXPECT_CONTAINS(file_refusal("no-such-folder/asia.csv"), "no-such-folder/asia.csv: cannot open: No such file");
  EXPECT_CONTAINS(file_refusal(std::filesystem::temp_directory_path().string()), "is a directory, expected a file");
  const TemporaryFile empty("empty.csv");
  EXPECT_EQ(file_refusal(empty.path()), empty.path() + ": the file is empty (0 bytes)");
  EXPECT_CONTAINS(refusal("# only\n\n"), "t.csv: read 8 bytes and found only blank lines and comments");
  EXPECT_CONTAINS(refusal("a,b,c\n"), "t.csv: read a header of 3 columns and no rows");
}

TEST(CsvRefuses, NameOfAFileNearby) {
  const TemporaryFile file("nearby.csv", "a\n1\n");
  std::string wrong = file.path();
  std::swap(wrong[wrong.size() - 5], wrong[wrong.size() - 6]);
  EXPECT_CONTAINS(file_refusal(wrong), "did you mean " + file.path() + "?");
}

TEST(CsvRefuses, RaggedRow) {
  EXPECT_EQ(refusal("a,b,c\n1,2,3\n4,5\n6,7,8\n"),
            "t.csv:3: found 2 cells, expected 3; the line starts \"4\", \"5\"\n"
            "  hint: cells are taken to be separated by comma; pass --delimiter if that is wrong");
  EXPECT_CONTAINS(refusal("a,b\n\"x\ny\",2\n1,2,3,4,5\n"),
                  "t.csv:4: found 5 cells, expected 2; the line starts \"1\", \"2\", \"3\", \"4\", ...");
  EXPECT_CONTAINS(refusal("a,b,c\n1,2,3\n4,5"), "it may have been cut short");
  EXPECT_CONTAINS(refusal("a,b,c\n1,2,3\nSource: us\n"), "if it is a note and not a row, delete the line");
  EXPECT_CONTAINS(refusal("Our table\na,b,c\n1,2,3\n"), "and delete a title above the names of the columns");
}

TEST(CsvRefuses, BlankOrRepeatedColumnName) {
  EXPECT_CONTAINS(refusal("a,b,a\n1,2,3\n"), "t.csv:1: columns 1 and 3 are both named \"a\"");
  EXPECT_CONTAINS(refusal("# c\na,,c\n1,2,3\n"), "t.csv:2: column 2 (after \"a\", before \"c\") has no name");
  EXPECT_CONTAINS(refusal("a,b,\n1,2,3\n"), "column 3 (after \"b\") has no name");
  EXPECT_CONTAINS(refusal("1,1,0\n1,0,1\n"), "pass --no-header if the first line is data");
}

TEST(CsvRefuses, TextInANumericColumn) {
  EXPECT_EQ(refusal("asia,smoke\n0,0\n1,1\n0,O\n"),
            "t.csv:4: column \"smoke\": found \"O\", expected one of 0, 1\n"
            "  hint: if \"O\" marks a missing value, pass --na O; if \"smoke\" holds labels, pass --discrete smoke");
  EXPECT_CONTAINS(refusal("x\n1.5\n2.5\nhigh\n"), "t.csv:4: column \"x\": found \"high\", expected a number\n");
  // The text came first, so it is still what the message names.
  EXPECT_CONTAINS(refusal("x\nlow\nlow\n2.5\n3\n"),
                  "t.csv:2: column \"x\": found \"low\", expected a number like the \"2.5\" on line 4");
  EXPECT_CONTAINS(refusal("x\n1\n2\ny\n", {.continuous = {"x"}}), "found \"y\", expected a number");
  EXPECT_CONTAINS(refusal("my col\n1.5\n2\n- -\n"), "pass --na='- -'");
  EXPECT_CONTAINS(refusal("my col\n1.5\n2\n- -\n"), "pass --discrete 'my col'");
  EXPECT_EQ(labels_of(parse("x\n1\n2\ny\n", {.discrete = {"x"}}), "x"), (Labels{"1", "2", "y"}));
}

TEST(CsvKinds, TextThatIsHalfNumbersIsText) {
  const Dataset d = parse("x\nlow\n7\n07\nhigh\n2.50\n7.0\n2.5\nlow\n");  // low, high; 7, 2.5
  EXPECT_EQ(labels_of(d, "x"), (Labels{"low", "7", "7", "high", "2.5", "7", "2.5", "low"}));
  EXPECT_CONTAINS(refusal("x\nlow\n7\nhigh\n2.5\n3\n"), "found \"low\", expected a number like the \"7\" on line 3");
  EXPECT_CONTAINS(refusal("x\ninf\n-inf\n"), "found \"inf\", expected a number");
  std::string many = "x\ntext\n";
  for (int k = 0; k < 70000; ++k) many += fmt::format("{}.5\nlabel{}\n", k, k);
  EXPECT_CONTAINS(refusal(many), "t.csv:2: column \"x\": found \"text\", expected a number like the \"0.5\" on line 3");
}

// Plain twin: whether a column of numbers and text is accepted, and its labels, from the set of its cells.
RC_GTEST_PROP(CsvProperty, NumbersInTextDoNotDependOnTheOrderOfRows, (uint64_t seed)) {
  Rng rng(seed);
  const Labels pool = {"a", "b", "c", "d", "1", "2", "3.5", "4", "1000000000000000", "-2", "0.25"};
  const Labels by_value = {"a", "b", "c", "d", "1", "2", "3.5", "4", "1000000000000000", "-2", "0.25"};
  std::vector<int> rows;
  const int distinct = 1 + rng.below(static_cast<int>(pool.size()));
  for (int row = 0; row < 60; ++row) rows.push_back(rng.below(distinct));
  rng.shuffle(rows);
  std::vector<bool> seen(pool.size());
  std::string text = "x\n";
  for (int row : rows) seen[row] = true, text += pool[row] + "\n";
  int texts = 0, numbers = 0;
  for (size_t k = 0; k < pool.size(); ++k) (k < 4 ? texts : numbers) += seen[k];
  if (texts > 0 && texts < numbers) {
    RC_ASSERT_THROWS_AS(parse(text), InputError);
    return;
  }
  const Dataset d = parse(text);
  if (texts == 0) return;
  RC_ASSERT(d.column(0).kind == ColumnKind::kCategorical);
  for (size_t row = 0; row < rows.size(); ++row) {
    RC_ASSERT(d.column(0).levels[d.column(0).codes[row]] == by_value[rows[row]]);
  }
}

TEST(CsvRefuses, NumbersWithCommas) {
  EXPECT_CONTAINS(refusal("a,b\n\"1,5\",x\n\"2,7\",y\n"),
                  "column \"a\": found \"1,5\", expected a number with a decimal point");
  EXPECT_EQ(labels_of(parse("a;b\n1,5;x\n2,7;y\n", {.discrete = {"a"}}), "a"), (Labels{"1,5", "2,7"}));
}

TEST(CsvRefuses, MissingCells) {
  const std::string text = "a,b,c\n1,2.5,x\n,3.5,NA\n0,NaN,y\n?,1.5,x\n1,0.5,y\n";
  EXPECT_EQ(refusal(text),
            "t.csv:3: column \"a\" is missing here (an empty cell); in all 4 missing cells in 3 of 5 rows: "
            "\"a\" 2, \"b\" 1, \"c\" 1\n  hint: --missing drop-rows would keep the 2 complete rows");
  const LoadedTable t = read_csv_text(text, "t.csv", {.missing_policy = MissingPolicy::kDropRows});
  EXPECT_EQ(t.data.rows(), 2u);
  EXPECT_EQ(t.record.rows_read, 5u);
  EXPECT_EQ(t.record.rows_dropped, 3u);
  ASSERT_EQ(t.record.notes.size(), 1u);
  EXPECT_CONTAINS(t.record.notes[0], "Dropped 3 of 5 rows for missing cells (\"a\" 2, \"b\" 1, \"c\" 1); 2 remain.");
  EXPECT_EQ(named(t.data, "a").levels, Labels{"1"});  // 0 occurs only in a dropped row
}

TEST(CsvRefuses, MissingCellsInEveryRow) {
  const CsvOptions drop{.missing_policy = MissingPolicy::kDropRows};
  EXPECT_CONTAINS(refusal("a,b\n1,\n,2\n3,\n", drop),
                  "no row is complete; leave out what is mostly missing, e.g. --drop b");
  EXPECT_EQ(parse("a,b\n1,\n,2\n3,\n", {.missing_policy = MissingPolicy::kDropRows, .drop = {"b"}}).rows(), 2u);
}

TEST(CsvRefuses, MissingMarkersAreThoseGiven) {
  EXPECT_EQ(parse("a,b\n1,x\n-9,y\n", {.missing = {"-9"}, .missing_policy = MissingPolicy::kDropRows}).rows(), 1u);
  EXPECT_EQ(labels_of(parse("a,b\nNA,x\nok,y\n", {.missing = {"-9"}}), "a"), (Labels{"NA", "ok"}));
  EXPECT_EQ(labels_of(parse("a,b\n,x\nok,y\n", {.missing = {}}), "a"), (Labels{"", "ok"}));
}

TEST(CsvRefuses, NotFiniteNumbers) {
  for (const char* bad : {"inf", "-inf", "Infinity", "1e999", "-1e999"}) {
    EXPECT_CONTAINS(refusal(fmt::format("x\n1.5\n{}\n", bad)), fmt::format("found \"{}\", expected a number", bad));
  }
  EXPECT_CONTAINS(refusal("x\n1.5\nNaN\n"), "1 missing cell in 1 of 2 rows");
  EXPECT_CONTAINS(refusal("x\n1.5\nNaN\n", {.missing = {""}}), "found \"NaN\", expected a number");
}

TEST(CsvAccepts, ConstantColumnAndFewerRowsThanColumns) {
  EXPECT_EQ(named(parse("a,b,c\n1,x,0.5\n"), "a").levels, Labels{"1"});
}

TEST(CsvRefuses, UnknownColumnsInOptions) {
  EXPECT_EQ(usage_refusal("smoke,lung\n1,0\n", {.discrete = {"smoek"}}),
            "--discrete: the table has no column \"smoek\"\n  hint: did you mean smoke?");
  EXPECT_CONTAINS(usage_refusal("smoke,lung\n1,0\n", {.drop = {"xyz"}}), "its columns are smoke, lung");
  EXPECT_CONTAINS(usage_refusal("a,b\n1,0\n", {.discrete = {"a"}, .continuous = {"a"}}),
                  "both --discrete and --continuous");
  EXPECT_CONTAINS(usage_refusal("a\n1\n", {.drop = {"a"}}), "no column is left as a variable");
}

// ------------------------------------------------------------------------------------ bad bytes

TEST(CsvRefuses, BinaryFilesAndOtherEncodings) {
  EXPECT_CONTAINS(refusal(std::string_view("a,b\n1,\0\n", 8)), "not a text file: byte 7 is zero");
  EXPECT_CONTAINS(refusal(std::string_view("\xFF\xFE"
                                           "a\0,\0",
                                           6)),
                  "the file is UTF-16");
  EXPECT_CONTAINS(refusal("\x1F\x8B\x08rest"), "compressed by gzip");
  EXPECT_CONTAINS(refusal("PK\x03\x04rest"), "zip archive or a spreadsheet");
  EXPECT_CONTAINS(refusal("PAR1\x15\x04rest"), "the file is Parquet");
  EXPECT_EQ(parse("PAR1,PAR2\n1,0\n0,1\n").size(), 2);  // names like any other
  EXPECT_EQ(parse("agon summary of may,b\n1,0\n0,1\n").size(), 2);
  EXPECT_CONTAINS(refusal("a\x01z,b\n1,2\n"), "not a text table");
  EXPECT_CONTAINS(refusal("n\xE9,b\n1,2\n"), "\"n\\xe9\", is not UTF-8");
  EXPECT_CONTAINS(refusal("a\ncaf\xE9\n"), "t.csv:2: column \"a\": \"caf\\xe9\" is not UTF-8");
}

TEST(CsvRefuses, QuotesGoneWrong) {
  EXPECT_CONTAINS(refusal("a,b\n1,x\n\"2,y\n3,z\n"), "t.csv:3: a quoted cell opens here and is never closed");
  EXPECT_CONTAINS(refusal("a,b\n\"1\n1\",x\n2,\"y\n"), "t.csv:4: a quoted cell opens here");
  EXPECT_CONTAINS(refusal("a,b\n\"1\"2,x\n"), "t.csv:2: text after the closing quote of \"1\"");
}

TEST(CsvBears, ALineOfTenMegabytes) {
  const std::string longest(10 << 20, 'x');
  const Dataset d = parse("a,b\n" + longest + ",1\ny,2\n");
  EXPECT_EQ(labels_of(d, "a"), (Labels{longest, "y"}));
  EXPECT_CONTAINS(refusal(longest), "read a header of 1 column and no rows");
  EXPECT_EQ(parse("a,b\n#" + longest + "\ny,2\n").rows(), 1u);
  EXPECT_CONTAINS(refusal("a,b\n\"" + longest), "t.csv:2: a quoted cell opens here and is never closed");
}

TEST(CsvBears, AHundredThousandColumns) {
  std::string header, row;
  for (int k = 0; k < 100000; ++k) {
    header += fmt::format("{}v{}", k ? "," : "", k);
    row += k ? ",1" : "0";
  }
  const Dataset d = parse(header + "\n" + row + "\n" + row + "\n");
  EXPECT_EQ(d.size(), 100000);
  EXPECT_EQ(labels_of(d, "v0"), (Labels{"0", "0"}));
}

TEST(CsvBears, AnyBytes) {
  Rng rng(11);
  const std::string alphabet = "a1,;\t| \"\"\n\r\n#.-e?N\xEF\xBB\xBF\xC3";
  int accepted = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text = round % 2 ? "a,b\n" : "";
    for (int length = rng.below(40); length > 0; --length)
      text += alphabet[rng.below(static_cast<int>(alphabet.size()))];
    std::string outcome[2];
    for (int k = 0; k < 2; ++k) {
      try {
        outcome[k] = detail::read_csv_text(text, "t", {}, k ? 5 : 1 << 16).data.checksum();
        ++accepted;
      } catch (const InputError& error) {
        outcome[k] = error.what();
      }
    }
    ASSERT_EQ(outcome[0], outcome[1]) << text;
  }
  EXPECT_GT(accepted, 100);
}

// ------------------------------------------------------------------------------------ properties

// Names and labels that are hard for a format.
rc::Gen<std::string> odd_text() {
  const auto piece =
      rc::gen::elementOf(Labels{"a", "B", "7",  " ",         ",",  ";",  "\t",  "|",  "\"",           "'", "\n", "\r",
                                "#", "é", "漢", "</script>", "NA", "-1", "0.5", "\\", "\xEF\xBB\xBF", "="});
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(piece), [](const Labels& pieces) {
    return fmt::format("{}", fmt::join(pieces.begin(), pieces.begin() + std::min<size_t>(pieces.size(), 6), ""));
  });
}

struct RandomTable {
  std::vector<Column> columns;
  CsvOptions options;  // the options with which it must read back the same
};

RandomTable random_table() {
  RandomTable t;
  const size_t rows = *rc::gen::inRange<size_t>(1, 30);
  const int size = *rc::gen::inRange(1, 6);
  t.options.missing = {};
  for (int k = 0; k < size; ++k) {
    std::string name = *odd_text() + fmt::format("{}", k);
    if (*rc::gen::arbitrary<bool>()) {
      std::vector<double> values = *rc::gen::container<std::vector<double>>(
          rows, rc::gen::suchThat(rc::gen::arbitrary<double>(), [](double x) { return std::isfinite(x); }));
      t.options.continuous.push_back(name);
      t.columns.push_back(continuous_column(std::move(name), std::move(values)));
    } else {
      const Labels labels = *rc::gen::unique<Labels>(*rc::gen::inRange<size_t>(1, 4), odd_text());
      const auto codes =
          *rc::gen::container<std::vector<int>>(rows, rc::gen::inRange(0, static_cast<int>(labels.size())));
      t.options.discrete.push_back(name);
      t.columns.push_back(categorical_column(std::move(name), codes, labels));
    }
  }
  return t;
}

void expect_equal(const Dataset& a, const Dataset& b) {
  RC_ASSERT(a.names() == b.names());
  RC_ASSERT(a.rows() == b.rows());
  for (int k = 0; k < a.size(); ++k) {
    RC_ASSERT(a.column(k).kind == b.column(k).kind);
    RC_ASSERT(a.column(k).file_index == b.column(k).file_index);
    RC_ASSERT(a.column(k).levels == b.column(k).levels);
    RC_ASSERT(a.column(k).codes == b.column(k).codes);
    RC_ASSERT(a.column(k).values == b.column(k).values);
  }
  RC_ASSERT(a.checksum() == b.checksum());
}

RC_GTEST_PROP(CsvProperty, WhatIsWrittenReadsBackTheSame, ()) {
  RandomTable t = random_table();
  const char delimiter = *rc::gen::element(',', '\t', ';', '|', ' ');
  const Dataset before = make_dataset(t.columns, "t");
  std::ostringstream out;
  write_csv(out, before, delimiter);
  t.options.delimiter = delimiter;
  expect_equal(before, read_csv_text(out.str(), "t", t.options).data);
}

RC_GTEST_PROP(CsvProperty, TheBufferDoesNotMatter, ()) {
  RandomTable t = random_table();
  std::ostringstream out;
  write_csv(out, make_dataset(t.columns, "t"), ';');
  t.options.delimiter = ';';
  const size_t buffer = *rc::gen::inRange<size_t>(1, 40);
  expect_equal(read_csv_text(out.str(), "t", t.options).data,
               detail::read_csv_text(out.str(), "t", t.options, buffer).data);
}

RC_GTEST_PROP(CsvProperty, OrderOfRowsAndColumnsDoesNotChangeKinds, (uint64_t seed)) {
  Rng rng(seed);
  std::vector<Labels> cells(40);  // rows of cells
  const int distinct = 15 + rng.below(12);
  for (Labels& row : cells) {
    row = {fmt::format("{}", rng.below(distinct)), fmt::format("l{}", rng.below(3)),
           fmt::format("{}", rng.below(8) / 2.0), fmt::format("{}.0", rng.below(2)), fmt::format("{}", rng.normal())};
  }
  const Labels names = {"int", "text", "half", "binary", "number"};
  const auto table = [&](const std::vector<int>& columns) {
    std::string text;
    const auto line = [&](const Labels& row) {
      for (size_t k = 0; k < columns.size(); ++k) text += (k ? "," : "") + row[columns[k]];
      text += "\n";
    };
    line(names);
    for (const Labels& row : cells) line(row);
    return read_csv_text(text, "t").data;
  };
  std::vector<int> order = {0, 1, 2, 3, 4};
  const Dataset plain = table(order);
  rng.shuffle(order);
  RC_ASSERT(table(order).checksum() == plain.checksum());
  rng.shuffle(cells);
  const Dataset shuffled = table(order);
  for (int k = 0; k < plain.size(); ++k) {
    RC_ASSERT(shuffled.column(k).kind == plain.column(k).kind);
    RC_ASSERT(shuffled.column(k).levels == plain.column(k).levels);
  }
}

// ------------------------------------------------------------------------------------ files

TEST(CsvFile, ReadsLikeTextAndRecordsWhatItDid) {
  std::string text = "a;b\n";
  for (int row = 0; row < 300000; ++row) text += fmt::format("{};{}.5\n", row % 3, row % 1000);
  const TemporaryFile file("big.csv", text);
  const LoadedTable t = read_csv(file.path());
  EXPECT_EQ(t.data.checksum(), read_csv_text(text, file.path()).data.checksum());
  EXPECT_EQ(t.record.rows_read, 300000u);
  EXPECT_EQ(t.record.bytes, text.size());
  EXPECT_EQ(t.record.delimiter, ';');
  EXPECT_EQ(t.data.source(), file.path());
  EXPECT_EQ(named(t.data, "b").values[299999], 999.5);
  EXPECT_EQ(t.record.rows_dropped, 0u);
}

TEST(CsvFile, NotesAHeaderOfNumbers) {
  const LoadedTable t = read_csv_text("1,2,3\n0,1,0\n1,1,1\n", "t");
  ASSERT_EQ(t.record.warnings.size(), 1u);
  EXPECT_CONTAINS(t.record.warnings[0], "All column names are numbers (1, 2, 3): the first line was taken as names");
  EXPECT_CONTAINS(t.record.warnings[0], "--no-header");
  EXPECT_EQ(read_csv_text("5.1,3.5,setosa\n4.9,3.0,setosa\n", "t").record.warnings.size(), 1u);
  EXPECT_TRUE(read_csv_text("id,2019,name\n1,2,x\n3,4,y\n", "t").record.warnings.empty());
}

}  // namespace
}  // namespace agon
