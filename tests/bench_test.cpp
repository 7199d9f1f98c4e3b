// `agon bench --suite paper`: what it prints and writes, and that a run that was killed resumes where it stopped.

#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <regex>
#include <thread>

#include "tests/program.h"
#include "tests/results.h"

namespace agon {
namespace {

using nlohmann::json;
using testing::contains;
using testing::lacks;
using testing::Outcome;
using testing::Sandbox;

const std::string kTiny = "bench --suite paper --only lucas --samples 2 --algorithms ges,hc --jobs 2 --out ";

// The table without what differs from run to run: the last two columns of each line, CPU time and memory.
std::string without_costs(const std::string& text) {
  static const std::regex costs(R"( +[0-9.]+ +[0-9]+$)");
  std::istringstream lines(text);
  std::string out;
  for (std::string line; std::getline(lines, line);) out += std::regex_replace(line, costs, "") + "\n";
  return out;
}

int cells_in(const Sandbox& box, const std::string& folder) {
  int cells = 0;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(box.path(folder + "/cells"), ignored)) {
    cells += entry.path().extension() == ".json";
  }
  return cells;
}

TEST(PaperBench, PrintsATableAndWritesItInEveryForm) {
  Sandbox box;
  const Outcome o = box.agon(kTiny + "study");
  ASSERT_EQ(o.code, 0) << o.err;
  for (const std::string words :
       {"Lucas: 12 nodes, 12 edges, 2,000 rows, 2 samples, discrete-bic", "match (auto) from ges", "ges as published",
        "empty graph", "found by", "holds  never below the opponent", "in all 4 matches",
        "Score on lucas at least published"}) {
    EXPECT_TRUE(contains(o.out, words)) << words << "\n" << o.out;
  }
  EXPECT_TRUE(lacks(o.out, "DDQN-CD"));   // the published agent did not play
  EXPECT_EQ(cells_in(box, "study"), 14);  // 2 samples: ges, as published, hc, two matches, the empty and the true graph
  EXPECT_EQ(box.read("study/paper.txt"), o.out);
  EXPECT_TRUE(contains(box.read("study/paper.csv"), "lucas,match-ges,ges,2000,2,0,0,"));
  EXPECT_TRUE(contains(box.read("study/paper.html"), "<svg"));
  const json suite = json::parse(box.read("study/paper.json"));
  EXPECT_EQ(suite.at("cells"), 14);
  EXPECT_EQ(suite.at("missing"), 0);
  for (const json& cell_of : suite.at("data_sets")) {
    for (const json& row : cell_of.at("algorithms")) {
      EXPECT_EQ(row.at("failed"), 0) << row;
      EXPECT_GT(row.at("megabytes"), 1.0) << row;
      if (!row.contains("opponent")) continue;
      EXPECT_GE(row.at("bic_above_opponent").at("mean"), -1e-6) << row;
    }
  }
}

TEST(PaperBench, GoesOnWhereItWasKilled) {
  Sandbox box;
  const Outcome undisturbed = box.agon(kTiny + "whole");
  ASSERT_EQ(undisturbed.code, 0) << undisturbed.err;

  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    if (chdir(box.path("").c_str()) != 0) _exit(1);
    execl(AGON_BINARY, "agon", "bench", "--suite", "paper", "--only", "lucas", "--samples", "2", "--algorithms",
          "ges,hc", "--jobs", "2", "--out", "cut", "--quiet", static_cast<char*>(nullptr));
    _exit(1);
  }
  while (cells_in(box, "cut") < 4 && waitpid(child, nullptr, WNOHANG) == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  ASSERT_GE(cells_in(box, "cut"), 4);

  const std::string first = box.read("cut/cells/lucas-1-ges.json");
  const Outcome resumed = box.agon(kTiny + "cut");
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_TRUE(contains(resumed.err, "14 cells are in cut/cells already")) << resumed.err;
  EXPECT_EQ(box.read("cut/cells/lucas-1-ges.json"), first);  // not made again
  EXPECT_EQ(without_costs(resumed.out), without_costs(undisturbed.out));
  EXPECT_NE(without_costs(resumed.out), resumed.out);  // there were costs to leave out
}

TEST(PaperBench, MakesACellAgainWhenItIsBrokenOrOfAnotherQuestion) {
  Sandbox box;
  const std::string tiny = "bench --suite paper --only lucas --samples 1 --algorithms hc --jobs 1 --out study";
  const Outcome before = box.agon(tiny);
  ASSERT_EQ(before.code, 0) << before.err;
  const std::string good = box.read("study/cells/lucas-1-hc.json");
  box.write("study/cells/lucas-1-hc.json", good.substr(0, good.size() / 2));
  json other = json::parse(box.read("study/cells/lucas-1-none.json"));
  other["key"] = "agon 0; something else";
  other["score"] = 1.0;
  box.write("study/cells/lucas-1-none.json", other.dump());
  const Outcome after = box.agon(tiny);
  EXPECT_EQ(after.code, 0) << after.err;
  EXPECT_TRUE(contains(after.err, "is not a finished cell")) << after.err;
  EXPECT_EQ(without_costs(after.out), without_costs(before.out));
}

TEST(PaperBench, MarksAnswersCutByTheLimit) {
  Sandbox box;
  const Outcome o =
      box.agon("bench --suite paper --only child --samples 1 --algorithms hc --cell-limit 20ms --out study");
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_TRUE(contains(o.out, "match (auto) from hc (1 cut)")) << o.out;
  const json cell = json::parse(box.read("study/cells/child-1-match-hc.json"));
  EXPECT_EQ(cell.at("limited"), true);
  EXPECT_GE(cell.at("margin"), 0.0);  // the anytime answer keeps the promise
}

TEST(PaperBench, RefusesWhatMakesNoSense) {
  Sandbox box;
  for (const auto& [arguments, words] : std::vector<std::pair<std::string, std::string>>{
           {"bench --suite papers", "--suite must be paper, scores or signature, not \"papers\""},
           {"bench --jobs 2", "--jobs has no effect on the signature"},
           {"bench --suite paper --only asya", "did you mean asia"},
           {"bench --suite paper --algorithms gess", "did you mean ges"},
           {"bench --suite paper --challenger papper", "did you mean paper"},
           {"bench --challenger paper", "--challenger has no effect on the signature"},
           {"bench --suite paper --only dream4", "--folder DIR"},
           {"bench --suite paper --samples 0", "--samples must be 1 or more"},
           {"bench --suite paper --jobs 0", "--jobs must be 1 or more"},
           {"bench --suite paper --cell-limit soon", "--cell-limit \"soon\" is not a length of time"}}) {
    const Outcome o = box.agon(arguments);
    EXPECT_EQ(o.code, 2) << arguments;
    EXPECT_TRUE(contains(o.err, words)) << arguments << "\n" << o.err;
    EXPECT_TRUE(lacks(o.err, "internal")) << o.err;
  }
}

}  // namespace
}  // namespace agon
