// Advice that is followed: every error is provoked, what its hint says is typed literally, and that works.

#include <gtest/gtest.h>

#include <regex>

#include "tests/program.h"
#include "tests/results.h"

namespace agon {
namespace {

using testing::contains;
using testing::lacks;
using testing::Outcome;
using testing::Sandbox;
using testing::small_table;

// Numbers in three columns, enough rows for a search.
std::string numbers(const std::string& header, const std::string& odd_row = "") {
  Rng rng(3);
  std::string text = header + "\n";
  for (int row = 0; row < 60; ++row) {
    const double x = rng.normal();
    text += std::to_string(x) + "," + std::to_string(x + rng.normal()) + "," + std::to_string(rng.normal()) + "\n";
    if (row == 30) text += odd_row;
  }
  return text;
}

struct Advice {
  std::string name;
  std::string table;      // t.csv
  std::string command;    // is refused
  std::string hint;       // is in the message, literally
  std::string follow_up;  // works; empty: the command and the hint
};

class Hints : public ::testing::TestWithParam<Advice> {};

TEST_P(Hints, CanBeFollowed) {
  const Advice& advice = GetParam();
  Sandbox box;
  box.write("t.csv", advice.table);
  const Outcome refused = box.agon(advice.command);
  EXPECT_TRUE(refused.code == 2 || refused.code == 3) << refused.code << refused.err;
  EXPECT_PRED2(contains, refused.err, "hint: ");
  EXPECT_PRED2(contains, refused.err, advice.hint);
  const std::string next = advice.follow_up.empty() ? advice.command + " " + advice.hint : advice.follow_up;
  const Outcome followed = box.agon(next);
  EXPECT_EQ(followed.code, 0) << next << "\n" << followed.err;
}

INSTANTIATE_TEST_SUITE_P(
    Reading, Hints,
    ::testing::Values(
        Advice{"AMarker", numbers("x,y,z", "O,1.5,2.5\n"), "run hc t.csv", "--na O", ""},
        Advice{"AMarkerWithAComma", numbers("x,y,z", "\"n,a\",1.5,2.5\n"), "run hc t.csv", "--na '\"n,a\"'", ""},
        Advice{"AMarkerLikeAnOption", numbers("x,y,z", "-x,1.5,2.5\n"), "run hc t.csv", "--na=-x", ""},
        Advice{"LabelsAmongNumbers", "x,y\n1,a\n2,b\nO,a\n3,b\n4,a\n5,b\n", "run hc t.csv", "--discrete x", ""},
        Advice{"ANameWithAComma", "\"x, cm\",y\n1,a\n2,b\nO,a\n3,b\n4,a\n", "run hc t.csv", "--discrete '\"x, cm\"'",
               ""},
        Advice{"ANameWithQuotes", "\"it's \"\"x\"\"\",y\n1,a\n2,b\nO,a\n3,b\n4,a\n", "run hc t.csv",
               "--discrete 'it'\\''s \"x\"'", ""},
        Advice{"ANameInQuotes", "\"\"\"x\"\"\",y\n1,a\n2,b\nO,a\n3,b\n4,a\n", "run hc t.csv",
               "--discrete '\"\"\"x\"\"\"'", ""},
        Advice{"ANameLikeAnOption", "-x,y\n1,a\n2,b\nO,a\n3,b\n4,a\n", "run hc t.csv", "--discrete=-x", ""},
        Advice{"DecimalCommas", "x,y\n\"1,5\",a\n\"2,5\",b\n\"3,5\",a\n", "run hc t.csv", "--decimal comma", ""},
        Advice{"LabelsWithCommas", "x,y\n\"1,5\",a\n\"2,5\",b\n\"3,5\",a\n", "run hc t.csv", "--discrete x", ""},
        Advice{"DecimalPoints", numbers("x,y,z"), "run hc t.csv --decimal comma", "--decimal point",
               "run hc t.csv --decimal point"},
        Advice{"ThousandsOrDecimals", "x;y\n1,234;a\n567;b\n12,345;a\n", "run hc t.csv", "--decimal comma", ""},
        Advice{"NoHeader", "1,2,1\n0,1,0\n1,0,1\n0,2,1\n", "run hc t.csv", "--no-header", ""},
        Advice{"NoHeaderAndABlank", "1,,1\n0,1,0\n1,0,1\n0,2,1\n", "run hc t.csv", "--no-header", ""},
        Advice{"OneLine", "1,2,1\n", "doctor t.csv", "--no-header", ""},
        Advice{"MissingCells", numbers("x,y,z", "NA,1.5,2.5\n"), "run hc t.csv --missing error", "--missing drop-rows",
               "run hc t.csv --missing drop-rows"},
        Advice{"NoRowIsComplete", "x,y,z\n1,NA,2\n2,NA,1\n1,NA,1\n2,NA,2\n", "run hc t.csv --missing drop-rows",
               "--drop y", ""},
        Advice{"AnotherDelimiter", "x:y\n1:z\n0:a,b\n1:a,b\n", "run hc t.csv", "pass --delimiter if that is wrong",
               "run hc t.csv --delimiter :"},
        Advice{"AWrongColumn", small_table(), "run hc t.csv --discrete X", "did you mean x?",
               "run hc t.csv --discrete x"},
        Advice{"AWrongColumnAmongFew", small_table(), "run hc t.csv --drop weight", "its columns are x, y, z",
               "run hc t.csv --drop x"},
        Advice{"ColumnNamedTwice", small_table(), "run hc t.csv --discrete x --drop x", "name it in one of them",
               "run hc t.csv --drop x"}),
    [](const auto& row) { return row.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Options, Hints,
    ::testing::Values(
        Advice{"AWrongFile", small_table(), "run hc t.cvs", "did you mean t.csv?", "run hc t.csv"},
        Advice{"AWrongDataSet", "", "run hc aisa", "did you mean asia?", "run hc asia"},
        Advice{"AWrongOption", small_table(), "run hc t.csv --discret x", "did you mean --discrete?",
               "run hc t.csv --discrete x"},
        Advice{"AWrongScore", small_table(), "run hc t.csv --score discret-bic", "did you mean discrete-bic?",
               "run hc t.csv --score discrete-bic"},
        Advice{"AWrongAlgorithm", small_table(), "run gse t.csv", "did you mean ges?", "run ges t.csv"},
        Advice{"AWrongChoice", small_table(), "run hc t.csv --missing drop-row", "did you mean drop-rows?",
               "run hc t.csv --missing drop-rows"},
        Advice{"AnOptionOfEmbeddedSets", small_table(), "run hc t.csv --rows 10", "agon list datasets",
               "list datasets"},
        Advice{"AnOptionOfFiles", small_table(), "run hc asia --drop x", "./asia", "run hc ./t.csv --drop x"},
        Advice{"DrawsWithoutDrawing", numbers("x,y,z", "NA,1.5,2.5\n"), "run hc t.csv --missing drop-rows --draws 5",
               "--missing draws", "run hc t.csv --missing draws --draws 5"},
        Advice{"AScoreOfCategories", numbers("x,y,z"), "run hc t.csv --score discrete-bic", "--discrete x,y,z", ""},
        Advice{"AScoreOfNumbers", "x,y,z\n0.5,a,1.5\n1.5,b,0.25\n2.5,a,4.5\n3.5,b,2\n4.1,a,1\n5,b,3\n",
               "run hc t.csv --score gaussian-bic", "--drop y", ""},
        Advice{"BinsWithoutTheirScore", numbers("x,y,z"), "run hc t.csv --bins 3 --score gaussian-bic",
               "--score discrete-bic", "run hc t.csv --bins 3 --score discrete-bic"},
        Advice{"PrefixWithoutOut", small_table(), "run hc t.csv --prefix P", "--out .", ""},
        Advice{"AMatrixWithoutRows", ",x,y\nx,1,0.5\ny,0.5,1\n", "run hc t.csv --covariance", "--rows N",
               "run hc t.csv --covariance --rows 100"},
        Advice{"NothingIsKnown", small_table(), "run hc t.csv --on-conflict required", "--required FILE",
               "run hc t.csv"},
        Advice{"NoData", small_table(), "run hc", "--help", "run --help"},
        Advice{"VerifyWithoutData", small_table(), "verify r", "agon verify RESULT DATA",
               "run hc t.csv --out r && '" AGON_BINARY "' verify r t.csv"}),
    [](const auto& row) { return row.param.name; });

// Files that are no tables as text: the command of the hint makes one.
TEST(HintsOfFormats, CommandsOfTheShellWork) {
  Sandbox box;
  box.write("plain.csv", small_table());
  const auto shell = [&](const std::string& command) {
    return std::system(("cd '" + box.path("") + "' && (" + command + ") >/dev/null 2>&1").c_str());
  };
  const auto hint = [&](const std::string& file, const std::string& part) {
    const Outcome o = box.agon("run hc " + file);
    EXPECT_EQ(o.code, 3);
    EXPECT_PRED2(contains, o.err, part);
  };
  if (shell("gzip -k plain.csv") == 0) {
    hint("plain.csv.gz", "gunzip -c FILE | agon COMMAND -");
    EXPECT_EQ(shell("gunzip -c plain.csv.gz | '" AGON_BINARY "' run hc -"), 0);
  }
  if (shell("iconv -f UTF-8 -t UTF-16 plain.csv > wide.csv") == 0) {
    hint("wide.csv", "iconv -f UTF-16 -t UTF-8 OLD > NEW");
    EXPECT_EQ(shell("iconv -f UTF-16 -t UTF-8 wide.csv > narrow.csv && '" AGON_BINARY "' run hc narrow.csv"), 0);
    box.write("latin.csv", "caf\xE9,y\n1,0\n0,1\n1,1\n");
    hint("latin.csv", "iconv -f LATIN1 -t UTF-8");
    EXPECT_EQ(shell("iconv -f LATIN1 -t UTF-8 latin.csv > utf.csv && '" AGON_BINARY "' run hc utf.csv"), 0);
  }
  box.write("t.xlsx", "PK\x03\x04");
  hint("t.xlsx", "save the sheet as CSV, or read it in Python: agon.discover(pandas.read_excel(FILE))");
  box.write("t.parquet", "PAR1\x15\x04");
  hint("t.parquet", "write it as CSV first, or read it in Python: agon.discover(FILE)");
}

TEST(HintsOfNotes, AFirstColumnWithoutAName) {
  Sandbox box;
  box.write("t.csv", ",x,y\n5,1,0\n9,0,1\n7,1,1\n");
  EXPECT_PRED2(contains, box.agon("run hc t.csv").err, "name it in the header, then pass --drop NAME");
  box.write("t.csv", "id,x,y\n5,1,0\n9,0,1\n7,1,1\n");
  EXPECT_EQ(box.agon("run hc t.csv --drop id").code, 0);
}

// A table without a header loses its first row; the note says how to keep it.
TEST(HintsOfNotes, ATableOfNumbersWithoutAHeader) {
  Sandbox box;
  box.write("t.csv", "1.5,2.5\n2.5,1.5\n3.5,0.5\n4.5,1.25\n");
  const Outcome o = box.agon("doctor t.csv");
  EXPECT_EQ(o.code, 0);
  EXPECT_PRED2(contains, o.err, "if it is data, pass --no-header");
  const Outcome followed = box.agon("doctor t.csv --no-header");
  EXPECT_PRED2(contains, followed.out, "4 rows, 2 columns");
  EXPECT_PRED2(lacks, followed.err, "--no-header");
}

// Every option that a finding of the doctor names, typed as it stands there: the search works, and the finding is gone.
TEST(HintsOfTheDoctor, CanBeFollowed) {
  Rng rng(5);
  std::string text = "a,b,total,pay,copy,city,country,id,\"half, or so\",row,gaps,told\n";
  for (int row = 0; row < 200; ++row) {
    const double a = 2 + rng.uniform(), b = 3 + rng.uniform();
    const int city = rng.below(8);
    const auto cell = [](double x) { return std::to_string(x); };
    text += cell(a) + "," + cell(b) + "," + cell(a + b) + "," + std::to_string(a * b) + "," + cell(2 * a) + ",c" +
            std::to_string(city) + ",l" + std::to_string(city % 3) + ",n" + std::to_string(row * 7919) + "," +
            std::to_string(rng.below(7) * 0.5) + "," + std::to_string(row + 1) + "," +
            (row % 4 ? "" : cell(rng.normal())) + "," + (city < 2 ? "" : cell(rng.normal())) + "\n";
  }
  Sandbox box;
  box.write("t.csv", text);
  const Outcome o = box.agon("doctor t.csv");
  ASSERT_EQ(o.code, 0) << o.err;
  const std::regex option("--(drop|discrete)[ =]('([^']|'\\\\'')*'|[^ .;]+)|--missing level");
  int followed = 0;
  std::istringstream lines(o.out);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("info: ") && !line.starts_with("warning: ")) continue;
    for (std::sregex_iterator at(line.begin(), line.end(), option), end; at != end; ++at) {
      const Outcome search = box.agon("run hc t.csv " + at->str());
      EXPECT_EQ(search.code, 0) << line << "\n" << at->str() << "\n" << search.err;
      const Outcome again = box.agon("doctor t.csv " + at->str());
      if (at->str() != "--missing level") {
        const std::string sentence = line.substr(line.find(": ") + 2);
        EXPECT_PRED2(lacks, again.out, sentence.substr(0, sentence.find('.'))) << at->str();
      }
      ++followed;
    }
  }
  EXPECT_GE(followed, 9) << o.out;
}

}  // namespace
}  // namespace agon
