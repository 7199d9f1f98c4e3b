// Options and words of single opponents: those of tests of independence, which pc and fci alone take, and
// varsortability.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/program.h"
#include "tests/results.h"

namespace agon {
namespace {

using nlohmann::json;
using testing::contains;
using testing::Outcome;
using testing::Sandbox;

json answer_of(const Sandbox& box, const std::string& command) {
  const Outcome out = box.agon(command + " --json --quiet");
  EXPECT_EQ(out.code, 0) << command << "\n" << out.err;
  return json::parse(out.out);
}

TEST(OpponentsCli, EachChangesTheGraphAndIsRecorded) {
  Sandbox box;
  for (const std::string name : {"pc", "fci"}) {
    const std::string categories = "run " + name + " asia --rows 400", numbers = "run " + name + " sachs";
    const json plain = answer_of(box, categories), real = answer_of(box, numbers);
    EXPECT_EQ(plain["run"]["options"]["test"], "auto");
    EXPECT_EQ(plain["run"]["options"]["alpha"], 0.01);
    EXPECT_EQ(plain["run"]["options"]["max-conditioning"], -1);
    const json strict = answer_of(box, categories + " --alpha 1e-9");
    EXPECT_EQ(strict["run"]["options"]["alpha"], 1e-9);
    EXPECT_LT(strict["dag"]["edges"].size(), plain["dag"]["edges"].size());
    const json shallow = answer_of(box, categories + " --max-conditioning 0");
    EXPECT_GT(shallow["dag"]["edges"].size(), plain["dag"]["edges"].size());
    EXPECT_EQ(shallow["dag"], answer_of(box, categories + " --depth 0")["dag"]);  // the word of causal-cmd
    EXPECT_EQ(plain["dag"], answer_of(box, categories + " --depth -1")["dag"]);
    EXPECT_NE(real["dag"], answer_of(box, numbers + " --test fisher-z-raw")["dag"]);
    EXPECT_EQ(real["dag"], answer_of(box, numbers + " --independence-test fisher-z")["dag"]);
    // Two tests of one hypothesis seldom disagree; on these rows they do at this level.
    const std::string few = "run " + name + " child --rows 200 --alpha 0.05";
    EXPECT_NE(answer_of(box, few + " --test g2")["dag"], answer_of(box, few + " --test chi2")["dag"]);
  }
}

TEST(OpponentsCli, WhatComparesVariancesTellsTheVarsortability) {
  Sandbox box;
  for (const std::string name : {"notears", "golem"}) {
    const Outcome text = box.agon("run " + name + " sachs --rows 300");
    EXPECT_PRED2(contains, text.out, "Varsortability of the answer 0.");
    EXPECT_PRED2(contains, text.out, "standardise all columns");
    const double share = answer_of(box, "run " + name + " sachs --rows 300")["run"]["varsortability"];
    EXPECT_TRUE(share > 0 && share < 1);
    EXPECT_FALSE(answer_of(box, "run " + name + " asia --rows 300")["run"].contains("varsortability"));  // codes
    EXPECT_PRED2(contains, box.agon("discover sachs --rows 300 --moves 0 --verbose --opponent " + name).err,
                 "varsortability");
  }
  EXPECT_FALSE(answer_of(box, "run ges sachs --rows 300")["run"].contains("varsortability"));
}

TEST(OpponentsCli, TheyReachTheOpponentOfAMatch) {
  Sandbox box;
  const std::string match = "discover asia --rows 400 --moves 0 --opponent ges,pc";
  const auto proposed = [&](const std::string& options) {
    const json result = answer_of(box, match + options);
    EXPECT_TRUE(result["certificate"]["never_worse"].get<bool>());
    for (const json& opponent : result["opponents"]) {
      if (opponent["name"] == "pc") return opponent["edges"];
    }
    return json();
  };
  const json plain = proposed("");
  ASSERT_FALSE(plain.empty());
  EXPECT_NE(proposed(" --alpha 0.2"), plain);
  EXPECT_NE(proposed(" --max-conditioning 0"), plain);
  EXPECT_FALSE(answer_of(box, "discover asia --rows 400 --moves 0")["run"]["options"].contains("alpha"));
}

TEST(OpponentsCli, WhatHasNoEffectOrNoSenseIsRefused) {
  Sandbox box;
  for (const std::string option : {"--test g2", "--alpha 0.05", "--max-conditioning 2"}) {
    for (const std::string command : {"run ges asia ", "run notears asia ", "discover asia --opponent boss,tabu "}) {
      const Outcome out = box.agon(command + option);
      EXPECT_EQ(out.code, 2) << command << option;
      EXPECT_PRED2(contains, out.err, "has no effect on");
      EXPECT_PRED2(contains, out.err, "pc, fci");
    }
  }
  for (const std::string option : {"--test g3", "--test fisher-z", "--test ''", "--alpha 0", "--alpha 1", "--alpha x",
                                   "--max-conditioning -2", "--max-conditioning 1.5"}) {
    EXPECT_EQ(box.agon("run pc asia --rows 50 " + option).code, 2) << option;
  }
  EXPECT_PRED2(contains, box.agon("run pc sachs --test chi2").err, "for these there are fisher-z, fisher-z-raw");
  EXPECT_PRED2(contains, box.agon("discover asia --opponent ges,pc --test fischer-z").err, "did you mean fisher-z?");
}

}  // namespace
}  // namespace agon
