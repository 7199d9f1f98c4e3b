// The options about who plays: what they do, what they refuse, what the record says of them.
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

TEST(ChallengerCli, EveryChallengerAndItsTwinPlayAndSaySo) {
  Sandbox box;
  for (const std::string name : {"auto", "local", "flat", "paper"}) {
    for (const std::string twin : {"", " --no-learning"}) {
      const std::string small = name == "paper" && twin.empty() ? " --hidden 8 --batch 4" : "";
      const Outcome out = box.agon("discover asia --rows 300 --opponent none --moves 600 --json --quiet --challenger " +
                                   name + twin + small);
      ASSERT_EQ(out.code, 0) << name << twin << out.err;
      const json r = json::parse(out.out);
      EXPECT_EQ(r["run"]["challenger"], name);
      EXPECT_EQ(r["run"]["options"]["challenger"], name);
      EXPECT_EQ(r["run"]["options"]["no-learning"], !twin.empty());
      EXPECT_EQ(r["run"]["arms"].size(), name == "auto" ? 4u : 1u);
      EXPECT_TRUE(r["certificate"]["never_worse"].get<bool>());
      EXPECT_EQ(r["run"]["options"].contains("batch"), twin.empty()) << name << twin;
    }
  }
}

TEST(ChallengerCli, OptionsReachThePlayerAndTheRecord) {
  Sandbox box;
  const std::string base = "discover asia --rows 300 --opponent none --moves 2000 --json --quiet ";
  const json local = json::parse(box.agon(base + "--challenger local --longest 3 --temperature 0 --shortlist 4").out);
  EXPECT_EQ(local["run"]["options"]["longest"], 3);
  EXPECT_EQ(local["run"]["options"]["shortlist"], 4);
  EXPECT_FALSE(local["run"]["options"].contains("return-after"));  // nothing is ever lost, so nothing to return from
  EXPECT_FALSE(local["run"]["options"].contains("epsilon"));
  const json plain = json::parse(box.agon(base + "--challenger local").out);
  EXPECT_NE(plain["run"]["episodes"], local["run"]["episodes"]);  // shorter perturbations, more of them
  EXPECT_EQ(plain["run"]["options"]["learning-rate"], 0.001);
  const json flat = json::parse(box.agon(base + "--challenger flat --discount 0.5 --hidden 4,4").out);
  EXPECT_EQ(flat["run"]["options"]["discount"], 0.5);
  EXPECT_EQ(flat["run"]["options"]["hidden"], json::parse(R"(["4", "4"])"));
}

TEST(ChallengerCli, WhatHasNoEffectOrNoSenseIsRefused) {
  Sandbox box;
  for (const std::string wrong :
       {"--challenger flat --locality 0.5", "--challenger local --epsilon 0.1", "--challenger flat --proposal rule",
        "--challenger flat --no-learning --batch 8", "--challenger local --proposal uniform --sharpness 3",
        "--challenger nobody", "--proposal best", "--locality 2", "--shortlist 0", "--patience 0", "--hidden 0",
        "--challenger paper --moves 100000000", "--challenger local --temperature 0 --return-after 9"}) {
    const Outcome out = box.agon("discover asia --rows 200 --opponent none --quiet " + wrong);
    EXPECT_EQ(out.code, 2) << wrong << "\n" << out.err;
  }
  EXPECT_PRED2(contains, box.agon("discover asia --challenger flt").err, "flat");
}

TEST(ChallengerCli, TrainWritesAProposalThatDiscoverReads) {
  Sandbox box;
  const std::string train =
      "train --problems 3 --held-out 1 --nodes 8,10 --sizes 100,200 --perturbations 40 --epochs 2 --hidden 4 -o ";
  const Outcome made = box.agon(train + "mine.mlp");
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_PRED2(contains, made.err, "held out");
  const std::string text = box.read("mine.mlp");
  EXPECT_EQ(text.substr(0, 2), "# ");
  ASSERT_EQ(box.agon(train + "again.mlp --threads 1").code, 0);
  const auto weights = [](const std::string& t) { return t.substr(t.find("mlp 1")); };
  EXPECT_EQ(weights(text), weights(box.read("again.mlp")));
  const std::string play = "discover asia --rows 300 --opponent none --moves 1000 --json --quiet --challenger local ";
  const Outcome used = box.agon(play + "--proposal mine.mlp");
  ASSERT_EQ(used.code, 0) << used.err;
  EXPECT_EQ(json::parse(used.out)["run"]["options"]["proposal"], "mine.mlp");
  box.write("bad.mlp", "mlp 1\ninputs 3 hidden outputs 1 leak 0\n1\n");
  EXPECT_EQ(box.agon(play + "--proposal bad.mlp").code, 3);
  EXPECT_EQ(box.agon("train --nodes 9").code, 2);
}

}  // namespace
}  // namespace agon
