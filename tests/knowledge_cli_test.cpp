// Background knowledge and given graphs, as a user meets them: what is refused and how, what is kept and recorded.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "agon/catalog/opponents.h"
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
using testing::with_columns;

const char kKnowledge[] =
    "/knowledge\n"
    "addtemporal\n"
    "0 asia smoke\n"
    "1* tub lung bronc\n"
    "2 either\n"
    "3 xray dysp\n"
    "\n"
    "forbiddirect\n"
    "asia smoke\n"
    "requiredirect\n"
    "smoke bronc\n";

bool has_edge(const json& edges, const std::string& from, const std::string& to) {
  return std::find(edges.begin(), edges.end(), json({from, to})) != edges.end();
}

// Every algorithm, with --start where it needs one.
std::vector<std::string> runs(const std::string& rest) {
  std::vector<std::string> out;
  for (const OpponentEntry& entry : opponent_entries()) {
    out.push_back("run " + entry.name + (entry.searches || !entry.takes_start ? " " : " --start asia ") + rest +
                  (entry.learns.empty() ? "" : " --iterations 20"));
  }
  out.push_back("discover " + rest);
  return out;
}

TEST(CliKnowledge, EveryAlgorithmKeepsIt) {
  Sandbox box;
  box.write("known.txt", kKnowledge);
  box.write("must.csv", "from,to\ntub,xray\n");
  box.write("not.csv", "from,to\nlung,either\nbronc,dysp\n");
  for (const std::string& run :
       runs("asia --rows 1000 --knowledge known.txt --required must.csv --forbidden not.csv")) {
    const Outcome o = box.agon(run + " --json");
    ASSERT_EQ(o.code, 0) << run << o.err;
    const json r = json::parse(o.out);
    EXPECT_EQ(r["knowledge"]["sources"], json({"known.txt", "must.csv", "not.csv"}));
    EXPECT_EQ(r["knowledge"]["required"], 2);
    EXPECT_EQ(r["knowledge"]["tiers"], 4);
    EXPECT_EQ(r["knowledge"]["satisfied"], true);
    const json& edges = r["dag"]["edges"];
    EXPECT_TRUE(has_edge(edges, "smoke", "bronc")) << run;
    EXPECT_TRUE(has_edge(edges, "tub", "xray")) << run;
    EXPECT_FALSE(has_edge(edges, "lung", "either")) << run;
    EXPECT_FALSE(has_edge(edges, "bronc", "dysp")) << run;
    const auto tier = [](const std::string& name) {
      return name == "asia" || name == "smoke" ? 0 : name == "either" ? 2 : name == "xray" || name == "dysp" ? 3 : 1;
    };
    for (const json& edge : edges) {
      const int from = tier(edge[0]), to = tier(edge[1]);
      EXPECT_TRUE(from < to || (from == to && from != 1)) << run << edge;
    }
    // What is known is directed in the MPDAG, whatever the class says.
    EXPECT_TRUE(has_edge(r["mpdag"]["directed"], "smoke", "bronc")) << run;
    EXPECT_LE(r["mpdag"]["undirected"].size(), r["cpdag"]["undirected"].size());
    EXPECT_FALSE(r["run"]["story"].empty()) << run;
    EXPECT_PRED2(contains, box.agon(run).out, "2 required edges, 30 forbidden edges, 4 tiers: all hold") << run;
  }
}

TEST(CliKnowledge, FilesThatCannotBeKeptAreRefusedBeforeTheSearch) {
  Sandbox box;
  box.write("known.txt", kKnowledge);
  box.write("typo.txt", "requiredirect\nsmok lung\n");
  box.write("against.csv", "from,to\nxray,tub\n");
  box.write("both.csv", "from,to,type\ntub,either,required\ntub,either,forbidden\n");
  box.write("cycle.csv", "from,to\nasia,tub\ntub,lung\nlung,asia\n");
  box.write("untyped.csv", "from,to\nasia,tub\n");
  box.write("tiers.txt", "addtemporal\n1 asia smoke\n2 asia\n");
  const struct {
    std::string options;
    std::vector<std::string> says;
  } mistakes[] = {
      {"--knowledge nowhere.txt", {"nowhere.txt"}},
      {"--knowledge typo.txt", {"typo.txt:2", "\"smok\"", "did you mean smoke?"}},
      {"--knowledge known.txt --required against.csv", {"against.csv:2", "xray --> tub", "known.txt:4", "known.txt:6"}},
      {"--knowledge both.csv", {"both.csv:2", "both.csv:3", "tub --> either", "--on-conflict required"}},
      {"--required cycle.csv", {"lung --> asia --> tub --> lung", "cycle.csv:2", "cycle.csv:3", "cycle.csv:4"}},
      {"--required cycle.csv --on-conflict required", {"lung --> asia --> tub --> lung"}},
      {"--required against.csv --forbidden against.csv", {"xray --> tub is required and forbidden"}},
      {"--knowledge untyped.csv", {"untyped.csv:2", "neither called required nor forbidden"}},
      {"--knowledge tiers.txt", {"tiers.txt:3", "\"asia\"", "tiers.txt:2"}},
  };
  for (const auto& mistake : mistakes) {
    for (const std::string run : {"discover asia --rows 200 ", "run boss asia --rows 200 ", "run none asia "}) {
      const Outcome o = box.agon(run + mistake.options + " --out r");
      EXPECT_EQ(o.code, 3) << mistake.options << o.err;
      EXPECT_EQ(o.out, "");
      EXPECT_FALSE(box.has("r/result.json"));
      for (const std::string& part : mistake.says) EXPECT_PRED2(contains, o.err, part) << mistake.options;
    }
  }
}

TEST(CliKnowledge, RequiredEdgesMayWin) {
  Sandbox box;
  box.write("known.txt", kKnowledge);
  box.write("against.csv", "from,to\nxray,tub\n");
  for (const char* word : {"required", "whitelist"}) {
    const Outcome o = box.agon(
        "run ges asia --rows 500 --knowledge known.txt --required against.csv --json "
        "--on-conflict " +
        std::string(word));
    ASSERT_EQ(o.code, 0) << o.err;
    EXPECT_TRUE(has_edge(json::parse(o.out)["dag"]["edges"], "xray", "tub"));
  }
}

TEST(CliKnowledge, OptionsWithoutEffectAreMistakes) {
  Sandbox box;
  box.write("must.csv", "from,to\ntub,xray\n");
  const struct {
    std::string arguments;
    std::string says;
  } mistakes[] = {
      {"discover asia --on-conflict required", "no effect"},
      {"discover asia --required must.csv --on-conflict maybe", "refuse, required or whitelist"},
      {"run boss asia --start asia", "ges, tabu, hc, file"},
      {"run none asia --start asia", "no effect"},
      {"run none asia --max-parents 2", "no effect"},
      {"run file asia --start asia --max-parents 2", "no effect"},
      {"run file asia", "--start"},
  };
  for (const auto& mistake : mistakes) {
    const Outcome o = box.agon(mistake.arguments);
    EXPECT_EQ(o.code, 2) << mistake.arguments << o.err;
    EXPECT_EQ(o.out, "");
    EXPECT_PRED2(contains, o.err, mistake.says) << mistake.arguments;
  }
}

TEST(CliKnowledge, MpdagIsWrittenBesideTheCpdag) {
  Sandbox box;
  box.write("must.csv", "from,to\nlung,smoke\n");
  ASSERT_EQ(box.agon("run ges asia --rows 1000 --required must.csv --out r").code, 0);
  EXPECT_PRED2(contains, box.read("r/cpdag.csv"), "lung,smoke,undirected");
  EXPECT_PRED2(contains, box.read("r/mpdag.csv"), "lung,smoke,directed");
  ASSERT_EQ(box.agon("run ges asia --rows 1000 --out s").code, 0);
  EXPECT_FALSE(box.has("s/mpdag.csv"));
  EXPECT_PRED2(lacks, box.read("s/result.json"), "mpdag");
}

// A required edge at a constant column stands too: what is known about a variable does not depend on the sample.
TEST(CliKnowledge, ConstantColumnsKeepRequiredEdges) {
  Sandbox box;
  std::string text = "a,b,site\n";
  for (int row = 0; row < 60; ++row) {
    text += std::to_string(row % 2) + "," + std::to_string((row / 2) % 2) + ",A\n";
  }
  box.write("t.csv", text);
  box.write("must.csv", "from,to\nsite,a\nb,site\n");
  for (const OpponentEntry& entry : opponent_entries()) {
    if (!entry.searches) continue;
    const std::string few = entry.learns.empty() ? "" : " --iterations 20";
    const Outcome o = box.agon("run " + entry.name + " t.csv --required must.csv" + few);
    ASSERT_EQ(o.code, 0) << entry.name << o.err;
    EXPECT_PRED2(contains, o.out, "2 required edges: all hold") << entry.name;
    EXPECT_PRED2(lacks, o.out, "constant, so without edges") << entry.name;
  }
}

TEST(CliKnowledge, OrderOfColumnsChangesNothing) {
  Sandbox box;
  ASSERT_EQ(box.agon("sample asia -n 400 --seed 3 -o t.csv").code, 0);
  box.write("s.csv", with_columns(box.read("t.csv"), {7, 2, 5, 0, 1, 6, 4, 3}));
  box.write("known.txt", kKnowledge);
  for (const char* rest : {"", " --score bdeu --knowledge known.txt"}) {
    for (const char* algorithm : {"ges", "boss"}) {
      const Outcome a = box.agon(std::string("run ") + algorithm + " t.csv --json" + rest);
      const Outcome b = box.agon(std::string("run ") + algorithm + " s.csv --json --threads 2" + rest);
      ASSERT_EQ(a.code, 0) << a.err;
      EXPECT_EQ(comparable(a.out).dump(), comparable(b.out).dump()) << algorithm << rest;
    }
  }
}

// ------------------------------------------------------------------------------------------- given graphs

TEST(CliStart, NoneIsEmptyAndFileIsTheGraphGiven) {
  Sandbox box;
  const json none = json::parse(box.agon("run none asia --rows 500 --json").out);
  EXPECT_EQ(none["dag"]["edges"], json::array());
  EXPECT_EQ(none["score"]["value"], none["score"]["empty"]);

  const json file = json::parse(box.agon("run file asia --rows 500 --start asia --json").out);
  const json truth = json::parse(box.agon("score asia asia --rows 500 --json").out);
  EXPECT_EQ(file["score"]["value"], truth["total"]);
  EXPECT_EQ(file["dag"]["edges"].size(), 8u);
  EXPECT_EQ(file["run"]["moves"], 0);
}

TEST(CliStart, TheGraphGivenIsImprovedOrKept) {
  Sandbox box;
  box.write("mine.csv", "from,to\nxray,smoke\nasia,dysp\nsmoke,lung\n");
  const json file = json::parse(box.agon("run file asia --rows 500 --start mine.csv --json").out);
  for (const char* algorithm : {"hc", "tabu", "ges"}) {
    const Outcome o = box.agon(std::string("run ") + algorithm + " asia --rows 500 --start mine.csv --json");
    ASSERT_EQ(o.code, 0) << o.err;
    EXPECT_GT(json::parse(o.out)["score"]["value"], file["score"]["value"]) << algorithm;
    EXPECT_EQ(json::parse(o.out)["run"]["start"], "mine.csv");
  }
}

TEST(CliStart, AGraphThatBreaksTheKnowledgeIsChangedAndThatIsSaid) {
  Sandbox box;
  box.write("known.txt", kKnowledge);
  box.write("mine.csv", "from,to\nxray,smoke\nsmoke,lung\n");
  const Outcome o = box.agon("run file asia --rows 500 --start mine.csv --knowledge known.txt --json");
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_PRED2(contains, o.err, "mine.csv: does not fit the knowledge");
  EXPECT_PRED2(contains, o.err, "xray --> smoke is forbidden and present");
  EXPECT_EQ(json::parse(o.out)["dag"]["edges"], json::parse(R"([["smoke", "bronc"], ["smoke", "lung"]])"));
}

}  // namespace
}  // namespace agon
