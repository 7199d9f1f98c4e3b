// --posterior from the command line to result.json, the text, and agon verify.

#include <gtest/gtest.h>

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

json without_seconds(json result) {
  result["posterior"].erase("seconds");
  result.erase("run");
  return result;
}

TEST(PosteriorCli, IsExactForFewColumns) {
  Sandbox box;
  const Outcome o = box.agon("discover asia --rows 500 --moves 1000 --posterior --json --quiet");
  ASSERT_EQ(o.code, 0) << o.err;
  const json r = json::parse(o.out), p = r["posterior"];
  EXPECT_EQ(p["method"], "exact");
  EXPECT_EQ(p["marginal_likelihood"], "approximate");
  EXPECT_FALSE(p.contains("sample"));
  EXPECT_FALSE(r.contains("bootstrap"));  // nobody asked for it
  for (const json& pair : p["pairs"]) {
    EXPECT_NEAR(pair["edge"].get<double>(), pair["forward"].get<double>() + pair["backward"].get<double>(), 1e-9);
  }
  for (const json& edge : r["edges"]) EXPECT_TRUE(edge.contains("posterior"));
  EXPECT_FALSE(p["consensus"]["edges"].empty());
  EXPECT_EQ(p["consensus"]["cpdag"]["directed"].size() + p["consensus"]["cpdag"]["undirected"].size(),
            p["consensus"]["edges"].size());
  EXPECT_EQ(r["run"]["options"]["posterior"], true);
}

TEST(PosteriorCli, SamplesTheSameForAnyNumberOfThreads) {
  Sandbox box;
  const std::string command =
      "run boss alarm --rows 300 --score bdeu --posterior --posterior-steps 4000 --json --quiet";
  const Outcome one = box.agon(command + " --threads 1"), two = box.agon(command + " --threads 2");
  ASSERT_EQ(one.code, 0) << one.err;
  const json r = json::parse(one.out);
  EXPECT_EQ(without_seconds(r), without_seconds(json::parse(two.out)));
  EXPECT_EQ(r["posterior"]["marginal_likelihood"], "exact");
  const json& sample = r["posterior"]["sample"];
  EXPECT_EQ(sample["steps"], 4000);
  EXPECT_EQ(sample["chains"], 2);
  EXPECT_EQ(sample["candidates"], 12);
  EXPECT_GT(sample["left_out"].get<int>(), 0);
  EXPECT_EQ(sample["traces"][1]["start"], "a random graph, annealed");
}

TEST(PosteriorCli, KeepsKnowledge) {
  Sandbox box;
  box.write("known.txt", "/knowledge\nrequiredirect\nsmoke bronc\nforbiddirect\nlung smoke\n");
  for (const std::string steps : {"", " --posterior-steps 3000"}) {
    const Outcome o =
        box.agon("run hc asia --rows 500 --knowledge known.txt --posterior --json --quiet --out result" + steps);
    ASSERT_EQ(o.code, 0) << o.err;
    const json found = json::parse(o.out);
    int known = 0;
    for (const json& pair : found["posterior"]["pairs"]) {
      if (pair["a"] == "bronc" && pair["b"] == "smoke") {
        EXPECT_NEAR(pair["backward"].get<double>(), 1, 1e-9);
        ++known;
      }
      if (pair["a"] == "lung" && pair["b"] == "smoke") {
        EXPECT_EQ(pair["forward"], 0);
        ++known;
      }
    }
    EXPECT_EQ(known, 2);
    const Outcome verified = box.agon("verify result asia --knowledge known.txt");
    EXPECT_EQ(verified.code, 0) << verified.out;
    EXPECT_TRUE(contains(verified.out, "posterior.pairs")) << verified.out;
  }
}

TEST(PosteriorCli, ChangesOfItsFiguresAreCaught) {
  Sandbox box;
  const Outcome o = box.agon("run hc asia --rows 500 --posterior --json --quiet");
  json r = json::parse(o.out);
  r["posterior"]["pairs"][0]["edge"] = 0.123;
  box.write("result.json", r.dump());
  const Outcome verified = box.agon("verify result.json asia");
  EXPECT_EQ(verified.code, 1);
  EXPECT_TRUE(contains(verified.out, "FAILS")) << verified.out;
}

// What a limit leaves is given, and said to be less than asked for.
TEST(PosteriorCli, ObeysTheTimeLimit) {
  Sandbox box;
  const Outcome o =
      box.agon("run boss alarm --rows 300 --posterior --posterior-steps 1000000000 --time-limit 4s --json");
  ASSERT_EQ(o.code, 0) << o.err;
  const json p = json::parse(o.out)["posterior"];
  EXPECT_EQ(p["stopped_by"], "time limit");
  EXPECT_LT(p["sample"]["steps"].get<long>(), 1000000000);
}

TEST(PosteriorCli, RefusesWhatHasNoEffect) {
  Sandbox box;
  const Outcome steps = box.agon("discover asia --posterior-steps 10");
  EXPECT_EQ(steps.code, 2);
  EXPECT_TRUE(contains(steps.err, "--posterior-steps has no effect without --posterior")) << steps.err;
  const Outcome hidden = box.agon("run fci asia --posterior");
  EXPECT_EQ(hidden.code, 2);
  EXPECT_TRUE(contains(hidden.err, "fci allows for hidden causes")) << hidden.err;
}

TEST(PosteriorCli, LeavesNoTraceWhereItIsNotAskedFor) {
  Sandbox box;
  const Outcome o = box.agon("run hc asia --rows 300 --json --quiet");
  EXPECT_TRUE(lacks(o.out, "posterior")) << o.out;
}

}  // namespace
}  // namespace agon
