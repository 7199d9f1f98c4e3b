// Tables as people have them, from the file to the certificate: both kinds of columns, gaps, counts, weights, matrices.

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/program.h"
#include "tests/results.h"

namespace agon {
namespace {

using nlohmann::json;
using testing::contains;
using testing::lacks;
using testing::Outcome;
using testing::Sandbox;

const std::string kPenguins = "'" AGON_SOURCE_DIR "/examples/penguins.csv'";

json result_of(const Sandbox& box, const std::string& arguments) {
  const std::string brief = arguments.rfind("discover", 0) == 0 ? " --moves 2000" : "";
  const Outcome o = box.agon(arguments + " --quiet --json" + brief);
  EXPECT_EQ(o.code, 0) << arguments << "\n" << o.err;
  return o.code == 0 ? json::parse(o.out) : json();
}

// A mixed table with an effect of a on x, of x on y, and a gap in every tenth cell of y.
std::string mixed_table() {
  Rng rng(4);
  std::string text = "a,x,y,k\n";
  for (int row = 0; row < 300; ++row) {
    const int a = rng.below(3);
    const double x = a + rng.normal(), y = 2 * x + rng.normal();
    text += std::string(1, static_cast<char>('p' + a)) + "," + std::to_string(x) + "," +
            (row % 10 == 3 ? "NA" : std::to_string(y)) + "," + std::to_string(rng.below(4)) + "\n";
  }
  return text;
}

TEST(RealTables, ATableWithBothKindsAndGapsIsAnsweredAndSaidToBe) {
  Sandbox box;
  const json result = result_of(box, "discover " + kPenguins);
  EXPECT_EQ(result["score"]["name"], "mixed-bic");
  EXPECT_EQ(result["data"]["kinds"]["year"], "categorical");
  EXPECT_EQ(result["data"]["kinds"]["body_mass_g"], "continuous");
  EXPECT_EQ(result["data"]["missing"]["cells"], 19);
  EXPECT_EQ(result["data"]["missing"]["rows"], 11);
  EXPECT_EQ(result["data"]["missing"]["policy"], "em");
  EXPECT_TRUE(contains(result["data"]["missing"]["assumption"], "missing at random"));
  EXPECT_NEAR(result["data"]["missing"]["share"]["sex"], 11.0 / 344, 1e-12);
  EXPECT_TRUE(result["score"]["matrix"]["em"]["converged"]);
  EXPECT_TRUE(result["certificate"]["never_worse"]);
  EXPECT_TRUE(result["certificate"]["one_optimal"]);
  EXPECT_TRUE(result["certificate"]["missing"]["holds"]);
}

// Every claim holds again, whatever was done about the gaps.
TEST(RealTables, ResultsAreVerified) {
  Sandbox box;
  for (const std::string options :
       {"", "--missing draws", "--missing level", "--missing drop-rows", "--score discrete-bic --bins 3", "--basis 2",
        "--scale raw", "--score discrete-bic --bins 3 --missing level --draws 10"}) {
    if (contains(options, "--draws")) {  // an option without effect is an error
      EXPECT_EQ(box.agon("discover " + kPenguins + " " + options).code, 2);
      continue;
    }
    result_of(box, "discover " + kPenguins + " --out r " + options);
    const Outcome o = box.agon("verify r " + kPenguins);
    EXPECT_EQ(o.code, 0) << options << "\n" << o.out << o.err;
  }
}

TEST(RealTables, AnswersDoNotDependOnTheOrderOfColumnsOrThreads) {
  Sandbox box;
  box.write("t.csv", mixed_table());
  std::string turned;
  std::istringstream lines(mixed_table());
  for (std::string line; std::getline(lines, line);) {
    const size_t cut = line.find(',');
    turned += line.substr(cut + 1) + "," + line.substr(0, cut) + "\n";
  }
  box.write("u.csv", turned);
  for (const std::string missing : {"em", "draws", "level"}) {
    const json one = result_of(box, "discover t.csv --threads 1 --score mixed-bic --missing " + missing);
    const json other = result_of(box, "discover u.csv --threads 2 --score mixed-bic --missing " + missing);
    EXPECT_EQ(one["dag"], other["dag"]) << missing;
    EXPECT_NEAR(one["score"]["value"], other["score"]["value"], 1e-6) << missing;
    EXPECT_TRUE(contains(one["dag"].dump(), "x")) << missing;
  }
}

// SELECT a, b, c, count(*) AS n ... GROUP BY a, b, c.
TEST(RealTables, CountsStandForRows) {
  Sandbox box;
  std::string rows = "a,b,c\n", counted = "a,b,c,n\n";
  for (int cell = 0; cell < 8; ++cell) {
    const int a = cell & 1, b = cell >> 1 & 1, c = cell >> 2, times = a == b ? 30 + c : 7;
    const std::string line = std::to_string(a) + "," + std::to_string(b) + "," + std::to_string(c);
    for (int k = 0; k < times; ++k) rows += line + "\n";
    counted += line + "," + std::to_string(times) + "\n";
  }
  box.write("rows.csv", rows);
  box.write("counted.csv", counted);
  for (const std::string score : {"discrete-bic", "bdeu", "mixed-bic"}) {
    const json one = result_of(box, "discover rows.csv --score " + score);
    const json other = result_of(box, "discover counted.csv --counts n --score " + score);
    EXPECT_EQ(one["dag"], other["dag"]) << score;
    const double value = one["score"]["value"];
    EXPECT_NEAR(value, other["score"]["value"], 1e-9 * (1 + std::abs(value))) << score;
    EXPECT_EQ(other["data"]["weights"]["total"], 150);
  }
}

TEST(RealTables, AMatrixStandsForRows) {
  Sandbox box;
  box.write("c.csv", ",x,y,z\nx,4,3,0\ny,3,9,-2\nz,0,-2,1\n");
  const json result = result_of(box, "discover --covariance c.csv --rows 500 --out r");
  EXPECT_EQ(result["data"]["rows"], 500);
  EXPECT_EQ(result["score"]["name"], "gaussian-bic");
  EXPECT_TRUE(contains(result["certificate"]["lines"].dump(), "matrix given"));
  EXPECT_EQ(box.agon("verify r c.csv").code, 0) << box.agon("verify r c.csv").out;
  EXPECT_EQ(box.agon("discover --covariance c.csv").code, 2);
  EXPECT_EQ(box.agon("discover --covariance c.csv --rows 500 --bootstrap 5").code, 3);
}

// Whatever is odd about a table: an answer, or one clear sentence.
TEST(RealTables, NastyTablesAreAnsweredOrRefusedInASentence) {
  Sandbox box;
  const std::string body = mixed_table();
  std::string twice = body + body.substr(body.find('\n') + 1, body.size() / 3);
  twice = twice.substr(0, twice.rfind('\n') + 1);
  const auto prefixed = [&](const std::string& name, auto cell) {
    std::string out = name + "," + body.substr(0, body.find('\n') + 1);
    std::istringstream lines(body.substr(body.find('\n') + 1));
    int row = 0;
    for (std::string line; std::getline(lines, line); ++row) out += cell(row) + "," + line + "\n";
    return out;
  };
  box.write("empty_column.csv", prefixed("e", [](int) { return std::string("NA"); }));
  box.write(
      "only_empty.csv", "e,x,y\n" + [] {
        std::string rows;
        for (int row = 0; row < 60; ++row) rows += "," + std::to_string(row % 7) + "." + std::to_string(row) + ",a\n";
        return rows;
      }());
  box.write("empty_row.csv", body + "NA,NA,NA,NA\n");
  box.write("seen_once.csv", prefixed("r", [](int row) {
              return std::string(row == 7 ? "rare" : row % 2 ? "u" : "v");
            }));
  box.write("dates.csv", prefixed("d", [](int row) {
              return "2024-" + std::to_string(1 + row / 28) + "-" + std::to_string(1 + row % 28);
            }));
  box.write("spelled.csv", prefixed("s", [](int row) {
              return std::string(row % 3 ? "yes" : row % 2 ? "Yes" : " yes");
            }));
  box.write("codes.csv", prefixed("c", [](int row) { return row % 3 ? "A" + std::to_string(row % 4) : "7"; }));
  box.write("twice.csv", twice);
  box.write("weighted.csv", prefixed("w", [](int row) { return std::string(row % 5 ? "1" : row % 2 ? "0" : "1e12"); }));
  for (const std::string name : {"empty_column", "only_empty", "empty_row", "seen_once", "dates", "spelled", "codes",
                                 "twice", "weighted --weights w"}) {
    const size_t cut = name.find(' ');
    const std::string file = name.substr(0, cut) + ".csv" + (cut == std::string::npos ? "" : name.substr(cut));
    const Outcome o = box.agon("discover " + file + " --moves 2000 --bootstrap 2");
    EXPECT_TRUE(o.code == 0 || o.code == 3) << file << " " << o.code << "\n" << o.err;
    const std::string said = o.code == 0 ? "never worse" : name.substr(0, cut) + ".csv";
    EXPECT_PRED2(contains, o.code == 0 ? o.out : o.err, said) << file;
  }
  EXPECT_PRED2(contains, box.agon("discover dates.csv --moves 10").out, "identifiers");
}

TEST(RealTables, PcAndFciTakeThem) {
  Sandbox box;
  for (const std::string algorithm : {"pc", "fci"}) {
    const json result = result_of(box, "run " + algorithm + " " + kPenguins);
    EXPECT_FALSE(result["dag"]["edges"].empty());
  }
}

}  // namespace
}  // namespace agon
