// Tables as users bring them: what is refused and how, what is odd and used all the same.

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/program.h"
#include "tests/results.h"

namespace agon {
namespace {

using nlohmann::json;
using testing::comparable;
using testing::contains;
using testing::lacks;
using testing::Outcome;
using testing::Sandbox;
using testing::small_table;

// ------------------------------------------------------------------------------------------------ bad files

struct BadFile {
  std::string name;
  std::string text;
  std::vector<std::string> says;  // parts of the message
};

class BadFiles : public ::testing::TestWithParam<BadFile> {};

TEST_P(BadFiles, IsRefusedWithPlaceAndReason) {
  Sandbox box;
  box.write("t.csv", GetParam().text);
  for (const std::string command : {"discover t.csv", "doctor t.csv", "run hc t.csv --json"}) {
    const Outcome o = box.agon(command);
    EXPECT_EQ(o.code, 3) << command << "\n" << o.err;
    EXPECT_EQ(o.out, "");
    EXPECT_PRED2(contains, o.err, "t.csv");
    for (const std::string& part : GetParam().says) EXPECT_PRED2(contains, o.err, part) << command;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Style, BadFiles,
    ::testing::Values(BadFile{"Empty", "", {"empty"}}, BadFile{"HeaderOnly", "a,b\n", {"no rows"}},
                      BadFile{"Ragged", "a,b\n0,1\n1\n0,0\n", {"t.csv:3", "1", "2"}},
                      BadFile{"BlankName", "a,,b\n5,0,1\n9,1,0\n", {"2"}},
                      BadFile{"RepeatedName", "a,b,a\n0,0,1\n1,1,0\n", {"\"a\"", "1", "3"}},
                      BadFile{"Infinite", "a,b\n1.5,0\ninf,1\n2.5,0\n", {"t.csv:3", "\"a\"", "inf"}},
                      BadFile{"Overflow", "a,b\n1.5,0\n1e999,1\n2.5,0\n", {"t.csv:3", "\"a\"", "1e999"}},
                      BadFile{"Binary", std::string("a,b\n\0\x01\x02,\xff\xfe\n", 12), {}}),
    [](const auto& row) { return row.param.name; });

TEST(Tables, TextAmongNumbersIsAWarningOrAnError) {
  Sandbox box;
  box.write("t.csv", "a,b\n1.5,0\n2.5,1\nO,0\n3.25,1\n");
  for (const std::string command : {"discover t.csv", "doctor t.csv", "run hc t.csv --json"}) {
    const Outcome o = box.agon(command);
    EXPECT_EQ(o.code, 0) << command << "\n" << o.err;
    EXPECT_PRED2(contains, o.err,
                 "column \"a\" holds numbers, and text in 1 of 4 cells, first \"O\" on line 4: taken as");
    const Outcome strict = box.agon(command + " --missing error");
    EXPECT_EQ(strict.code, 3) << command;
    EXPECT_PRED2(contains, strict.err, "t.csv:4: column \"a\": found \"O\", expected a number");
    EXPECT_PRED2(contains, strict.err, "--na O");
  }
  const json result = json::parse(box.agon("run hc t.csv --json --quiet").out);
  EXPECT_EQ(result["data"]["missing"]["cells"], 1);
}

TEST(Tables, DecimalCommasGiveTheAnswerOfDecimalPoints) {
  Sandbox box;
  std::string points = "x;y\n";
  for (int row = 0; row < 40; ++row) {
    points += std::to_string(row % 7 * 0.5) + ";" + std::to_string(row % 7 * 0.25 + row % 3) + "\n";
  }
  box.write("t.csv", points);
  const Outcome with_points = box.agon("run hc t.csv --json");
  std::replace(points.begin(), points.end(), '.', ',');
  box.write("t.csv", points);
  const Outcome with_commas = box.agon("run hc t.csv --json --out r");
  json a = json::parse(with_points.out), b = json::parse(with_commas.out);
  ASSERT_EQ(b["data"]["notes"].size(), 1u);
  EXPECT_PRED2(contains, b["data"]["notes"][0], "Commas are read as decimal marks");
  b["data"]["notes"] = a["data"]["notes"];
  EXPECT_EQ(comparable(a.dump()), comparable(b.dump()));
  EXPECT_EQ(box.agon("verify r/result.json t.csv").code, 0);
  EXPECT_EQ(box.agon("run hc t.csv --decimal . ").code, 3);
  EXPECT_EQ(box.agon("run hc t.csv --decimal , --out given").code, 0);
  EXPECT_EQ(json::parse(box.read("given/result.json"))["run"]["options"]["decimal"], ",");
  EXPECT_EQ(box.agon("verify given/result.json t.csv").code, 0);
  EXPECT_EQ(box.agon("run hc t.csv --decimal semicolon").code, 2);
}

TEST(Tables, FilesOfAnEarlierRunAreNotLeftBesideTheNewOnes) {
  Sandbox box;
  box.write("t.csv", small_table());
  box.write("known.csv", "from,to,type\nx,y,required\n");
  ASSERT_EQ(box.agon("run hc t.csv --knowledge known.csv --out r --format csv,dot").code, 0);
  ASSERT_TRUE(box.has("r/mpdag.csv") && box.has("r/mpdag.dot") && box.has("r/dag.dot"));
  box.write("r/mine.csv", "x\n");
  const Outcome o = box.agon("run hc t.csv --out r");
  ASSERT_EQ(o.code, 0);
  EXPECT_PRED2(contains, o.err, "removed r/mpdag.csv, which an earlier run wrote");
  EXPECT_FALSE(box.has("r/mpdag.csv") || box.has("r/mpdag.dot") || box.has("r/dag.dot"));
  EXPECT_TRUE(box.has("r/mine.csv") && box.has("r/dag.csv") && box.has("r/result.json") && box.has("r/report.html"));
}

TEST(Tables, FileThatIsNotThere) {
  Sandbox box;
  const Outcome o = box.agon("discover nothing.csv");
  EXPECT_EQ(o.code, 3);
  EXPECT_PRED2(contains, o.err, "nothing.csv: no such file");
  EXPECT_PRED2(contains, box.agon("discover asai").err, "did you mean asia?");
}

TEST(Tables, FolderInsteadOfFile) {
  Sandbox box;
  std::filesystem::create_directory(box.path("folder"));
  const Outcome o = box.agon("discover folder");
  EXPECT_EQ(o.code, 3);
  EXPECT_PRED2(contains, o.err, "folder");
}

// Both kinds are answered; a score for one of them names the columns and the way out.
TEST(Tables, AScoreForOneKindNamesTheOthersAndTheWayOut) {
  Sandbox box;
  std::string text = "sex,age\n";
  for (int row = 0; row < 40; ++row) text += (row % 2 ? "m," : "f,") + std::to_string(row) + ".5\n";
  box.write("t.csv", text);
  EXPECT_EQ(box.agon("discover t.csv").code, 0);
  const Outcome o = box.agon("discover t.csv --score copula-bic");
  EXPECT_EQ(o.code, 3);
  EXPECT_PRED2(contains, o.err, "sex");
  EXPECT_PRED2(contains, o.err, "--drop sex");
  EXPECT_PRED2(lacks, o.err, "--continuous");  // it is text
  EXPECT_EQ(box.agon("discover t.csv --score copula-bic --drop sex").code, 0);
}

// ---------------------------------------------------------------------------------- odd files that are used

TEST(Tables, ConstantColumnIsAnIsolatedNode) {
  Sandbox box;
  std::string text = small_table();
  for (size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 3)) {
    text.insert(at, at < 6 ? ",site" : ",A");
    at = text.find('\n', at);
    if (at + 1 >= text.size()) break;
  }
  box.write("t.csv", text);
  const Outcome o = box.agon("run hc t.csv --json");
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_PRED2(contains, o.err, "\"site\"");
  const json result = json::parse(o.out);
  EXPECT_EQ(result["data"]["columns"], 4);
  EXPECT_EQ(result["data"]["kinds"]["site"], "categorical");
  for (const json& edge : result["dag"]["edges"]) {
    EXPECT_NE(edge[0], "site");
    EXPECT_NE(edge[1], "site");
  }
  EXPECT_PRED2(contains, box.agon("run hc t.csv").out, "constant, so without edges: site");
}

TEST(Tables, StartWithEdgesAtAConstantColumn) {
  Sandbox box;
  box.write("t.csv", "a,b,c\n0,1,0\n1,0,0\n1,1,0\n0,0,0\n");
  box.write("g.csv", "from,to\na,c\nc,b\na,b\n");
  const Outcome o = box.agon("run file t.csv --start g.csv --json");
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(json::parse(o.out)["dag"]["edges"], json::parse(R"([["a", "b"]])"));
  EXPECT_PRED2(contains, o.err, "c is constant");
}

TEST(Tables, CopiesAreNamed) {
  Sandbox box;
  box.write("t.csv", "a,b,c\n0,0,1\n1,1,1\n0,0,0\n1,1,0\n1,1,1\n0,0,1\n");
  const Outcome o = box.agon("discover t.csv");
  EXPECT_EQ(o.code, 0);
  EXPECT_PRED2(contains, o.err, "warning");
  EXPECT_PRED2(contains, o.err, "\"b\"");
  EXPECT_PRED2(contains, o.err, "\"a\"");
  EXPECT_PRED2(contains, o.err, "--drop");
}

TEST(Tables, UnnamedCountingFirstColumnIsARowIndex) {
  Sandbox box;
  box.write("t.csv", ",a,b\n0,0,1\n1,1,1\n2,0,0\n3,1,0\n");
  const Outcome o = box.agon("run hc t.csv --json");
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_PRED2(contains, o.err, "row index");
  EXPECT_EQ(json::parse(o.out)["data"]["row_index_taken"], true);
  EXPECT_EQ(json::parse(o.out)["data"]["columns"], 2);
}

TEST(Tables, FewerRowsThanColumnsIsAWarning) {
  Sandbox box;
  box.write("t.csv", "a,b,c,d,e\n0,1,0,1,1\n1,0,0,1,0\n1,1,1,0,0\n");
  const Outcome o = box.agon("discover t.csv");
  EXPECT_EQ(o.code, 0);
  EXPECT_PRED2(contains, o.err, "warning");
}

TEST(Tables, DroppedRowsAreRecorded) {
  Sandbox box;
  box.write("t.csv", "a,b\n0,1\nNA,1\n1,0\n1,1\n0,?\n0,0\n");
  const Outcome o = box.agon("run hc t.csv --missing drop-rows --json");
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(json::parse(o.out)["data"]["rows"], 4);
  EXPECT_EQ(json::parse(o.out)["data"]["rows_dropped"], 2);
  EXPECT_EQ(json::parse(o.out)["run"]["options"]["missing"], "drop-rows");
}

TEST(Tables, BomCrlfAndQuotesChangeNothing) {
  Sandbox box;
  const std::string plain = small_table();
  std::string odd = "\xEF\xBB\xBF";
  for (char c : plain) odd += c == '\n' ? std::string("\r\n") : c == 'z' ? std::string("\"z\"") : std::string(1, c);
  box.write("plain.csv", plain);
  box.write("odd.csv", odd);
  const Outcome a = box.agon("run hc plain.csv --json"), b = box.agon("run hc odd.csv --json");
  ASSERT_EQ(a.code, 0) << a.err;
  ASSERT_EQ(b.code, 0) << b.err;
  EXPECT_EQ(json::parse(a.out)["data"]["checksum"], json::parse(b.out)["data"]["checksum"]);
  EXPECT_EQ(json::parse(a.out)["dag"], json::parse(b.out)["dag"]);
  EXPECT_GE(json::parse(a.out)["dag"]["edges"].size(), 1u);
}

TEST(Tables, TruthOfAnotherTableIsRefused) {
  Sandbox box;
  box.write("t.csv", small_table());
  const Outcome o = box.agon("discover t.csv --truth asia");
  EXPECT_EQ(o.code, 3);
  EXPECT_PRED2(contains, o.err, "asia");
  box.write("truth.csv", "from,to\nx,w\n");
  const Outcome p = box.agon("discover t.csv --truth truth.csv");
  EXPECT_EQ(p.code, 3);
  EXPECT_PRED2(contains, p.err, "w");
}

// A long cell and a long name are odd, not wrong: the table is used, and messages cut them short.
TEST(Tables, TenMegabyteLine) {
  Sandbox box;
  const std::string long_word(10 << 20, 'x');
  box.write("cell.csv", "a,b\n" + long_word + ",1\ny,0\n");
  const Outcome cell = box.agon("discover cell.csv --moves 100");
  EXPECT_EQ(cell.code, 0) << cell.err;
  EXPECT_PRED2(contains, cell.out, "2 rows, 2 columns");
  EXPECT_PRED2(contains, cell.err, "\"xxxxxxxxxxxxxxxxxxxx...\"");
  EXPECT_LT(cell.err.size(), 5000u);
  box.write("header.csv", long_word + "\n1\n");
  const Outcome header = box.agon("discover header.csv");
  EXPECT_EQ(header.code, 0) << header.err;
  EXPECT_PRED2(contains, header.out, "1 row, 1 column");
  EXPECT_PRED2(contains, header.err, "xxx...\" (\"1\" in every row) is constant");
  EXPECT_LT(header.err.size(), 5000u);
}

TEST(Tables, HundredThousandColumns) {
  Sandbox box;
  std::string header, first, second;
  for (int k = 0; k < 100000; ++k) {
    header += (k ? ",c" : "c") + std::to_string(k);
    first += k ? ",0" : "0";
    second += k % 2 ? ",1" : ",0";
  }
  box.write("wide.csv", header + "\n" + first + "\n" + second.substr(1) + "\n");
  const Outcome o = box.agon("doctor wide.csv");
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_PRED2(contains, o.out, "100,000 columns");
  if (static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE)) > 2e11) {
    GTEST_SKIP() << "this machine has the memory for it, and the search would take long";
  }
  const Outcome p = box.agon("discover wide.csv");
  EXPECT_EQ(p.code, 3) << p.err;
  EXPECT_PRED2(contains, p.err, "GB of memory");
}

TEST(Tables, NamesAreNeverTakenForMarkup) {
  Sandbox box;
  std::string text = small_table();
  text.replace(0, 1, "</script><img onerror=1>");
  box.write("t.csv", text);
  const Outcome o = box.agon("run hc t.csv --json --out r --format dot,graphml,gml,json,csv");
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_TRUE(json::parse(o.out)["data"]["kinds"].contains("</script><img onerror=1>"));
  for (const char* file : {"r/dag.dot", "r/dag.graphml", "r/dag.gml", "r/dag.json", "r/dag.csv"}) {
    const json m = json::parse(box.agon(std::string("compare r/result.json ") + file + " --json").out);
    EXPECT_EQ(m["shd"], 0) << file;
    EXPECT_EQ(m["truth"]["edges"], 1) << file;
  }
}

// A summary may be piped to whatever reads a table, and a table that begins nearly as one is a table.
TEST(Tables, SummariesOnStandardInput) {
  Sandbox box;
  box.write("t.csv", small_table());
  ASSERT_EQ(box.agon("summarize t.csv --out t.summary").code, 0);
  const std::string search = "discover t.summary --moves 500 --no-prove --bootstrap 0 --json --quiet";
  const Outcome named = box.agon(search);
  ASSERT_EQ(named.code, 0) << named.err;
  const auto piped = [&](const std::string& file, const std::string& command) {
    return box.agon("list formats >/dev/null; (cat " + file + " | '" AGON_BINARY "' " + command + ")");
  };
  const Outcome by_pipe = piped("t.summary", "discover - --moves 500 --no-prove --bootstrap 0 --json --quiet");
  EXPECT_EQ(by_pipe.code, 0) << by_pipe.err;
  EXPECT_EQ(json::parse(by_pipe.out)["dag"], json::parse(named.out)["dag"]);
  EXPECT_EQ(json::parse(by_pipe.out)["score"], json::parse(named.out)["score"]);

  EXPECT_EQ(piped("t.summary", "summarize - t.csv --out both.summary").code, 0);
  ASSERT_EQ(box.agon("summarize t.summary t.csv --out same.summary").code, 0);
  EXPECT_EQ(box.read("both.summary"), box.read("same.summary"));

  const Outcome cut =
      piped("t.summary", "run hc - --quiet >/dev/null; head -c 60 t.summary | '" AGON_BINARY "' run hc -");
  EXPECT_EQ(cut.code, 3);
  EXPECT_PRED2(contains, cut.err, "<stdin>: ");
  EXPECT_EQ(cut.out, "");
  EXPECT_PRED2(contains, piped("t.summary", "run hc - --drop x").err, "<stdin> is a summary, not a table");

  for (const std::string name : {"a", "agon", "agon summary"}) {
    box.write("u.csv", name + "x,b,c\n" + small_table().substr(small_table().find('\n') + 1));
    const Outcome from_pipe = piped("u.csv", "run hc - --json --quiet"),
                  from_file = box.agon("run hc u.csv --json --quiet");
    ASSERT_EQ(from_pipe.code, 0) << from_pipe.err;
    EXPECT_EQ(json::parse(from_pipe.out)["dag"], json::parse(from_file.out)["dag"]);
  }
}

// Distinct rows and their counts are all that an effect between categories needs.
TEST(Tables, EffectsOfCategoriesFromASummary) {
  Sandbox box;
  ASSERT_EQ(box.agon("sample asia -n 3000 -o t.csv").code, 0);
  ASSERT_EQ(box.agon("summarize t.csv --out t.summary").code, 0);
  json answers[2];
  for (const std::string table : {"t.csv", "t.summary"}) {
    ASSERT_EQ(box.agon("run ges " + table + " --out r-" + table + " --quiet").code, 0);
    const Outcome found = box.agon("effect r-" + table + " " + table + " --of bronc --on dysp --json --quiet");
    ASSERT_EQ(found.code, 0) << found.err;
    answers[table == "t.summary"] = json::parse(found.out)["possible"];
  }
  ASSERT_FALSE(answers[0].empty());
  ASSERT_EQ(answers[0].size(), answers[1].size());
  for (size_t k = 0; k < answers[0].size(); ++k) {
    EXPECT_EQ(answers[0][k]["adjustment"], answers[1][k]["adjustment"]);
    for (size_t level = 0; level < answers[0][k]["change"].size(); ++level) {
      const json &of_rows = answers[0][k]["change"][level], &of_counts = answers[1][k]["change"][level];
      EXPECT_EQ(of_rows["level"], of_counts["level"]);
      for (const char* figure : {"value", "error", "low", "high"}) {
        EXPECT_NEAR(of_rows[figure].get<double>(), of_counts[figure].get<double>(), 1e-9);
      }
    }
  }
}

TEST(Tables, ControlCharactersDoNotReachTheTerminal) {
  Sandbox box;
  std::string text = small_table();
  text.replace(0, 1, "\"two\nlines\"");
  box.write("t.csv", text);
  const Outcome o = box.agon("discover t.csv");
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_PRED2(contains, o.out, "\"two\\nlines\"");
  EXPECT_PRED2(contains, box.agon("discover \"$(printf 'no\\033[31m.csv')\"").err, "no\\x1b[31m.csv");
}

}  // namespace
}  // namespace agon
