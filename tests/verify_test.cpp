// `agon verify RESULT DATA`: a result as it was written holds, and every way of tampering with it is named.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
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

TEST(Verify, WhatIsWrittenHolds) {
  Sandbox box;
  box.write("known.txt", "/knowledge\naddtemporal\n0 asia smoke\n1 tub lung bronc\nrequiredirect\nsmoke bronc\n");
  const std::vector<std::pair<std::string, std::string>> runs = {
      {"discover asia --rows 500 --data-seed 3 --moves 2000", "asia"},
      {"discover asia --rows 500 --moves 2000 --score bdeu --ess 3 --max-parents 1 --opponent hc --truth asia", "asia"},
      {"discover asia --rows 800 --moves 2000 --knowledge known.txt --bootstrap 2", "asia --knowledge known.txt"},
      {"discover sachs --rows 300 --moves 2000 --opponent ges,hc --prune cam", "sachs"},
      {"discover sachs --rows 40 --moves 2000 --score gaussian-bic --penalty 2 --opponent ges", "sachs"},
      {"run tabu sachs --rows 300 --posterior", "sachs"},
      {"run tabu asia --rows 300 --context smoke,asia", "asia"},
      {"run hc asia --rows 300 --knowledge known.txt", "asia --knowledge known.txt"},
  };
  for (const auto& [run, data] : runs) {
    const Outcome written = box.agon(run + " --out result");
    ASSERT_EQ(written.code, 0) << run << written.err;
    const Outcome o = box.agon("verify result " + data);
    EXPECT_EQ(o.code, 0) << run << "\n" << o.out << o.err;
    EXPECT_TRUE(lacks(o.out, "FAILS")) << o.out;
    EXPECT_TRUE(contains(o.out, "claims hold.")) << o.out;
  }
}

// Options are values in the record, so that a name with a comma in it stays one name.
TEST(Verify, TakesOptionsAsTheyWere) {
  Sandbox box;
  box.write("x.csv", "\"a,b\",c,d\n0,0,1\n1,1,0\n0,1,1\n1,1,1\n0,0,0\n1,0,0\n");
  const Outcome written = box.agon("run hc x.csv --out result");
  ASSERT_EQ(written.code, 0) << written.err;
  json result = json::parse(box.read("result/result.json"));
  result["run"]["options"]["discrete"] = {"a,b"};  // as Python gives it
  box.write("result.json", result.dump());
  const Outcome o = box.agon("verify result.json x.csv");
  EXPECT_EQ(o.code, 0) << o.out << o.err;
}

// The first thing said of another table is that it is another one, whatever else is wrong with it.
TEST(Verify, SaysFirstThatTheTableIsAnother) {
  Sandbox box;
  ASSERT_EQ(box.agon("sample asia -n 300 -o x.csv").code, 0);
  box.write("known.csv", "from,to,type\nsmoke,bronc,required\n");
  ASSERT_EQ(box.agon("run hc x.csv --knowledge known.csv --out result").code, 0);
  const auto first_line = [&](const std::string& command, int code) {
    const Outcome o = box.agon(command + " --quiet");
    EXPECT_EQ(o.code, code) << o.out << o.err;
    const std::string text = o.out + o.err;
    return text.substr(0, text.find('\n'));
  };
  const auto says = [](const std::string& text, const std::string& part) { return contains(text, part); };
  // Other names: the knowledge could not even be read.
  box.write("other.csv", "a,b\n1,0\n0,1\n1,1\n");
  const std::string other = first_line("verify result other.csv --knowledge known.csv", 1);
  EXPECT_PRED2(says, other, "FAILS");
  EXPECT_PRED2(says, other, "the result was made from another table, x.csv (");
  // The same names, another kind.
  std::string text = box.read("x.csv"), numbers = text.substr(0, text.find('\n') + 1);
  for (int row = 0; row < 50; ++row) {
    for (int column = 0; column < 8; ++column) numbers += (column ? "," : "") + std::to_string(row * 0.37 + column);
    numbers += "\n";
  }
  box.write("numbers.csv", numbers);
  EXPECT_PRED2(says, first_line("verify result numbers.csv --knowledge known.csv", 1),
               "made from another table, x.csv");
  // The same columns, other rows.
  box.write("fewer.csv", text.substr(0, text.rfind('\n', text.size() - 2) + 1));
  EXPECT_PRED2(says, first_line("verify result fewer.csv --knowledge known.csv", 1),
               "made from another table, or this one has changed");
  // An option of the run names a column that is not there.
  ASSERT_EQ(box.agon("run hc x.csv --discrete tub --out result").code, 0);
  const std::string refused = first_line("verify result other.csv", 3);
  EXPECT_PRED2(says, refused, "result/result.json: was made from another table, x.csv: with the options of that run");
  EXPECT_PRED2(says, refused, "--discrete: the table has no column \"tub\"");
}

TEST(Verify, ReadsAFileAsTheRunDid) {
  Sandbox box;
  ASSERT_EQ(box.agon("sample asia -n 300 -o x.csv").code, 0);
  ASSERT_EQ(box.agon("run hc x.csv --drop dysp --discrete tub --out result").code, 0);
  EXPECT_EQ(box.agon("verify result x.csv").code, 0);
  const Outcome o = box.agon("verify result x.csv --drop xray");  // what is said now comes first
  EXPECT_EQ(o.code, 1);
  EXPECT_TRUE(contains(o.out, "there is no column xray")) << o.out;
}

class TamperedResult : public ::testing::Test {
 protected:
  void SetUp() override {
    box_.write("known.txt", "/knowledge\nrequiredirect\nsmoke bronc\nforbiddirect\nasia xray\n");
    const Outcome o = box_.agon("discover asia --rows 1000 --moves 1000 --knowledge known.txt --json");
    ASSERT_EQ(o.code, 0) << o.err;
    result_ = json::parse(o.out);
  }
  // Changes the file, and expects a line that fails with this claim and these words.
  void expect_caught(const std::function<void(json&)>& change, const std::string& claim,
                     const std::string& words = "") {
    json changed = result_;
    change(changed);
    ASSERT_NE(changed, result_) << claim;
    box_.write("result.json", changed.dump());
    const Outcome o = box_.agon("verify result.json " + with_);
    EXPECT_EQ(o.code, 1) << claim << o.out << o.err;
    bool found = false;
    std::istringstream lines(o.out);
    for (std::string line; std::getline(lines, line);) {
      found = found || (line.starts_with("FAILS") && contains(line, " " + claim + " ") && contains(line, words));
    }
    EXPECT_TRUE(found) << claim << ": " << words << "\n" << o.out;
  }
  Sandbox box_;
  json result_;
  std::string with_ = "asia --knowledge known.txt";
};

TEST_F(TamperedResult, IsCaught) {
  expect_caught([](json& r) { r["data"]["rows"] = 999; }, "data.rows", "the file says 999, but it is 1000");
  expect_caught([](json& r) { r["data"]["checksum"] = "0123456789abcdef"; }, "data.checksum");
  expect_caught([](json& r) { r["data"]["kinds"]["tub"] = "continuous"; }, "data.kinds", "tub is categorical");
  expect_caught([](json& r) { r["score"]["value"] = r["score"]["value"].get<double>() + 1e-3; }, "score.value");
  expect_caught([](json& r) { r["score"]["champion"] = 0; }, "score.champion", "the file says 0, but");
  expect_caught([](json& r) { r["score"]["opponent"] = -1e9; }, "score.opponent");
  expect_caught([](json& r) { r["score"]["empty"] = -1; }, "score.empty");
  expect_caught([](json& r) { r["dag"]["edges"].erase(0); }, "score.value");
  expect_caught([](json& r) { r["dag"]["edges"].erase(0); }, "certificate.one_optimal", "adding");
  expect_caught([](json& r) { r["dag"]["edges"].push_back({"xray", "smoke"}); }, "certificate.one_optimal", "removing");
  expect_caught([](json& r) { r["dag"]["edges"].push_back({"bronc", "smoke"}); }, "dag.edges", "both directions");
  expect_caught([](json& r) { r["dag"]["edges"].push_back({"xray", "tuberculosis"}); }, "dag.edges", "no column");
  expect_caught([](json& r) { r["dag"]["edges"] = json::parse(R"([["asia","tub"],["tub","lung"],["lung","asia"]])"); },
                "dag.edges", "cycle");
  expect_caught([](json& r) { r["opponents"][0]["edges"].erase(0); }, "opponents[0] (ges).score");
  expect_caught([](json& r) { r["opponent"]["edges"].erase(0); }, "opponent.edges", "but the rest of it implies");
  expect_caught([](json& r) { r["opponent"]["name"] = "hc"; }, "opponent.name", "but the rest of it implies");
  expect_caught([](json& r) { r["certificate"]["lines"][0] = "Proven best."; }, "certificate.lines");
  expect_caught([](json& r) { r["data"]["columns"] = 9; }, "data.columns");
  expect_caught([](json& r) { r["certificate"]["never_worse"] = false; }, "certificate.never_worse");
  expect_caught([](json& r) { r["certificate"]["one_optimal"] = false; }, "certificate.one_optimal");
  expect_caught([](json& r) { r["certificate"]["neighbours_checked"] = 1000; }, "certificate.neighbours_checked");
  expect_caught([](json& r) { r["certificate"]["within_budget"] = false; }, "certificate.within_budget");
  expect_caught([](json& r) { r["run"]["edge_budget"] = 2; }, "certificate.within_budget");
  expect_caught([](json& r) { r["knowledge"]["satisfied"] = false; }, "knowledge.satisfied");
  expect_caught([](json& r) { r["knowledge"]["required"] = 0; }, "knowledge.required");
  expect_caught(
      [](json& r) {
        for (json& edge : r["dag"]["edges"]) {
          if (edge == json({"smoke", "bronc"})) edge = {"bronc", "smoke"};
        }
      },
      "knowledge.satisfied", "smoke -> bronc is required");
  expect_caught(
      [](json& r) {
        json& class_of = r["cpdag"];
        class_of["undirected"].push_back(class_of["directed"][0]);
        class_of["directed"].erase(0);
      },
      "cpdag", "is left out");
  expect_caught([](json& r) { r["mpdag"]["directed"].erase(0); }, "mpdag", "is left out");
  expect_caught([](json& r) { r["edges"][0]["strength"] = 0.5; }, "edges", "the strength of");
  expect_caught([](json& r) { r["edges"][0]["fixed"] = !r["edges"][0]["fixed"].get<bool>(); }, "edges", "fixed");
  expect_caught([](json& r) { r["history"].back()["score"] = -1; }, "history");
}

// A constant column of whole numbers counts as a category. A score of numbers that is chosen by the kinds leaves it so,
// one that is asked for by name takes it as a number.
TEST(Verify, ReadsConstantColumnsAsTheRunDid) {
  Sandbox box;
  std::string table = "x,y,k\n";
  for (int row = 0; row < 60; ++row) table += fmt::format("{},{},7\n", row * 37 % 41 * 0.1, row * 53 % 29 * 0.05);
  box.write("t.csv", table);
  for (const std::string run :
       {"run hc t.csv", "run hc t.csv --score gaussian-bic", "run hc t.csv --score mixed-bic"}) {
    ASSERT_EQ(box.agon(run + " --out result").code, 0) << run;
    const Outcome o = box.agon("verify result t.csv");
    EXPECT_EQ(o.code, 0) << run << "\n" << o.out << o.err;
    const Outcome effect = box.agon("effect result t.csv --of k --on y");
    EXPECT_EQ(effect.code, 3) << effect.out << effect.err;
    EXPECT_TRUE(contains(effect.err, "has the same value in every row")) << effect.err;
  }
}

// Experiments: every way to read them, given and chosen, holds against the table; another table or other options do
// not.
TEST(Verify, ReadsExperimentsAsTheRunDid) {
  Sandbox box;
  std::string table = "x,y,z,set,day\n";
  for (int row = 0; row < 240; ++row) {
    const double x = row * 37 % 41 * 0.1, noise = row * 53 % 29 * 0.05;
    const bool is_set = row % 3 == 0;
    const double y = is_set ? row * 11 % 17 * 0.2 : x + noise;
    table += fmt::format("{},{},{},{},{}\n", x, y, y - row * 7 % 13 * 0.1, is_set ? "y" : "", row % 2 ? "mon" : "tue");
  }
  box.write("x.csv", table);
  for (const std::string run :
       {"discover sachs-experiments --moves 500", "run boss sachs-experiments --within none",
        "run ges sachs-experiments --intervention soft",
        "run boss sachs-experiments --rows 900 --bins 3 --score discrete-bic",
        "run hc sachs-experiments --rows 900 --score mixed-bic --basis 2", "run boss x.csv --targets set --within day",
        "discover x.csv --experiment day --drop set --moves 500",
        "run boss x.csv --targets set --time-limit 9s --drop day"}) {
    const Outcome written = box.agon(run + " --out result");
    ASSERT_EQ(written.code, 0) << run << written.err;
    EXPECT_EQ(contains(written.err, "soft targets say nothing here"), contains(run, "soft")) << run << written.err;
    const std::string data = run.find("x.csv") != std::string::npos ? "x.csv" : "sachs-experiments";
    const Outcome o = box.agon("verify result " + data);
    EXPECT_EQ(o.code, 0) << run << "\n" << o.out << o.err;
    EXPECT_TRUE(contains(o.out, "data.regimes")) << o.out;
    EXPECT_TRUE(contains(o.out, "score.treatments")) << o.out;
  }
  ASSERT_EQ(box.agon("run boss sachs-experiments --out result").code, 0);
  const Outcome pooled = box.agon("verify result sachs");
  EXPECT_EQ(pooled.code, 1) << pooled.out;
  EXPECT_TRUE(contains(pooled.out, "the file mentions experiments, but the table has none")) << pooled.out;
  EXPECT_EQ(box.agon("verify result sachs-experiments --intervention soft").code, 1);

  box.write("set.csv", "experiment,targets\nmon,z\n");
  ASSERT_EQ(box.agon("run boss x.csv --experiment day --targets set.csv --drop set --out result").code, 0);
  const Outcome refused = box.agon("verify result x.csv");
  EXPECT_EQ(refused.code, 3);
  EXPECT_TRUE(contains(refused.err, "--targets names, and paths in a result are not followed")) << refused.err;
  EXPECT_EQ(box.agon("verify result x.csv --targets set.csv").code, 0);
  ASSERT_EQ(box.agon("run boss x.csv --context day --drop set --out result").code, 0);
  EXPECT_EQ(box.agon("verify result x.csv").code, 0);
}

TEST_F(TamperedResult, AboutExperimentsIsCaught) {
  const Outcome o = box_.agon("run boss sachs-experiments --json");
  ASSERT_EQ(o.code, 0) << o.err;
  result_ = json::parse(o.out);
  with_ = "sachs-experiments";
  json& ways = result_["score"]["treatments"];
  ASSERT_EQ(ways.size(), 4u);
  ASSERT_EQ(ways[3]["used"], true);
  const auto claims = [](json& r) -> json& { return r["score"]["treatments"]; };
  expect_caught([&](json& r) { claims(r)[1]["total"] = -80000; }, "score.treatments",
                "the graph of \"within\" scores -79453.");
  expect_caught([&](json& r) { claims(r)[1]["edges"].erase(0); }, "score.treatments", "the graph of \"within\" scores");
  expect_caught([&](json& r) { claims(r)[2]["edges"][0] = {"PKA", "nobody"}; }, "score.treatments", "no column nobody");
  expect_caught([&](json& r) { claims(r).erase(0); }, "score.treatments", "there is nothing about \"pooled\"");
  expect_caught([&](json& r) { claims(r)[3]["used"] = false, claims(r)[2]["used"] = true; }, "score.treatments",
                "\"targets\" is not the one to use");
  expect_caught([&](json& r) { claims(r)[3]["used"] = false, claims(r)[2]["used"] = true; }, "data.checksum");
  expect_caught([](json& r) { r["score"]["remark"] = "all is well"; }, "score.treatments", "the remark");
  expect_caught([](json& r) { r["data"]["regimes"][0]["rows"] = 1; }, "data.regimes", "of b2camp what the table does");
  expect_caught([](json& r) { r["data"]["regimes"].erase(8); }, "data.regimes");
  expect_caught([](json& r) { r["data"]["regimes"][0]["targets"] = {"PKC"}; }, "data.regimes");
  expect_caught([](json& r) { r["class"] = "observational"; }, "class", "but it is interventional");
  expect_caught([](json& r) { r["edges"][0]["by_experiment"] = !r["edges"][0]["by_experiment"].get<bool>(); }, "edges",
                "fixed by an experiment");
}

// An opponent that the answer is behind: the answer of another run in its place.
TEST_F(TamperedResult, WorseThanAnOpponentIsCaught) {
  expect_caught([](json& r) { r["dag"]["edges"] = json::parse(R"([["smoke","bronc"]])"); }, "certificate.never_worse");
}

TEST(Verify, TheBestOpponentMustBeTheBest) {
  Sandbox box;
  const Outcome written = box.agon("discover asia --rows 500 --moves 0 --opponent none,ges --json");
  ASSERT_EQ(written.code, 0) << written.err;
  json result = json::parse(written.out);
  ASSERT_EQ(result["opponent"]["name"], "ges");
  result["opponent"] = result["opponents"][0];
  box.write("result.json", result.dump());
  const Outcome o = box.agon("verify result.json asia");
  EXPECT_EQ(o.code, 1);
  EXPECT_TRUE(contains(o.out, "none is not the best of them")) << o.out;
}

TEST(Verify, RefusesWhatIsNoResult) {
  Sandbox box;
  const auto expect_refused = [&](const std::string& text, const std::string& words) {
    box.write("x.json", text);
    const Outcome o = box.agon("verify x.json asia");
    EXPECT_EQ(o.code, 3) << text;
    EXPECT_TRUE(contains(o.err, words)) << o.err;
  };
  expect_refused("{", "is not JSON");
  expect_refused("[1, 2]", "there is no key \"schema\"");
  expect_refused(R"({"schema": 1})", "\"schema\" is not 2");
  expect_refused(R"({"schema": 2, "data": {"rows": 3}})", "there is no key \"data.columns\"");
  expect_refused(R"({"schema": 2, "data": {"rows": -3}})", "\"data.rows\" is not a whole number");
  EXPECT_EQ(box.agon("verify none.json asia").code, 3);
  EXPECT_EQ(box.agon("verify x.json").code, 2);
}

TEST(Verify, DoesNotFollowPathsOfTheResult) {
  Sandbox box;
  box.write("known.txt", "/knowledge\nrequiredirect\nsmoke bronc\n");
  ASSERT_EQ(box.agon("run hc asia --rows 300 --knowledge known.txt --out result").code, 0);
  const Outcome o = box.agon("verify result asia");
  EXPECT_EQ(o.code, 3);
  EXPECT_TRUE(contains(o.err, "paths in a result are not followed")) << o.err;
  EXPECT_TRUE(contains(o.err, "add --knowledge=known.txt")) << o.err;
  EXPECT_EQ(box.agon("verify result asia --knowledge known.txt").code, 0);
  std::filesystem::rename(box.path("known.txt"), box.path("moved.txt"));
  EXPECT_EQ(box.agon("verify result asia --knowledge moved.txt").code, 0);

  box.write("x.csv", "a,b,c\n0,0,1\n1,1,0\n0,1,1\n1,1,1\n0,0,0\n1,0,0\n");
  box.write("out.txt", "c\n");
  ASSERT_EQ(box.agon("run hc x.csv --exclude-var out.txt --out result").code, 0);
  EXPECT_EQ(box.agon("verify result x.csv").code, 3);
  EXPECT_EQ(box.agon("verify result x.csv --exclude-var out.txt").code, 0);
}

TEST(Verify, TheoremsWriteTablesAndFigures) {
  Sandbox box;
  const Outcome o = box.agon("verify theorem2 --trials 5 --out study");
  EXPECT_EQ(o.code, 0) << o.out << o.err;
  EXPECT_TRUE(contains(o.out, "Theorem 2 holds")) << o.out;
  EXPECT_TRUE(box.read("study/theorem2.csv").starts_with("problem,player,start,distance"));
  EXPECT_TRUE(box.read("study/theorem2.svg").starts_with("<svg"));
  const Outcome third = box.agon("verify theorem3 --trials 5");
  EXPECT_EQ(third.code, contains(third.out, "FAILS") ? 1 : 0) << third.out;  // the exit code is the verdict
  EXPECT_EQ(box.agon("verify theorem1 asia").code, 2);
  EXPECT_EQ(box.agon("verify theorem1 --rows 5").code, 2);
  EXPECT_EQ(box.agon("verify theorem1 --trials 0").code, 2);
  EXPECT_EQ(box.agon("verify result.json asia --trials 5").code, 2);
}

}  // namespace
}  // namespace agon
