#include "web/engine/session.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "agon/report/record_json.h"
#include "agon/run/run.h"

namespace agon::web {
namespace {

using Json = nlohmann::json;

class SessionTest : public ::testing::Test {
 protected:
  Json call(const Json& request) { return Json::parse(session_.call(request.dump())); }
  Json ok(const Json& request) {
    const Json answer = call(request);
    EXPECT_TRUE(answer.contains("ok")) << answer.dump();
    return answer.value("ok", Json());
  }
  std::string refusal(const Json& request) {
    const Json answer = call(request);
    EXPECT_TRUE(answer.contains("error")) << answer.dump().substr(0, 200);
    return answer.contains("error") ? answer["error"]["message"].get<std::string>() : "";
  }

  std::vector<Json> told_;
  bool stop_ = false;
  Session session_{[this](const std::string& json) {
    told_.push_back(Json::parse(json));
    return stop_;
  }};
};

const Json kSmall = {{"rows", 500}, {"bootstrap", 0}, {"moves", 2000}};

std::string write_file(const std::string& name, const std::string& text) {
  const std::string path = (std::filesystem::temp_directory_path() / name).string();
  std::ofstream(path) << text;
  return path;
}

TEST_F(SessionTest, TheDoctorShowsEveryColumn) {
  const std::string path = write_file("agon_session.csv", "kind,x,y\na,1.5,2\nb,2.5,\na,3.5,8\nb,9.5,1.25\n");
  const Json table = ok({{"do", "doctor"}, {"source", path}});
  EXPECT_EQ(table["rows"], 4);
  ASSERT_EQ(table["columns"].size(), 3u);
  const Json kind = table["columns"][0], x = table["columns"][1], y = table["columns"][2];
  EXPECT_EQ(kind["name"], "kind");
  EXPECT_EQ(kind["kind"], "categorical");
  EXPECT_EQ(kind["bars"], Json::parse(R"([{"label": "a", "rows": 2}, {"label": "b", "rows": 2}])"));
  EXPECT_EQ(x["kind"], "continuous");
  EXPECT_EQ(x["bars"][0]["from"], 1.5);
  EXPECT_EQ(x["bars"][15]["to"], 9.5);
  int rows = 0;
  for (const Json& bar : y["bars"]) rows += bar["rows"].get<int>();
  EXPECT_EQ(rows, 3);
  EXPECT_EQ(y["missing"], 1);
  const Json labels = ok({{"do", "doctor"}, {"source", path}, {"options", {{"discrete", {"x"}}}}});
  EXPECT_EQ(labels["columns"][1]["kind"], "categorical");
  EXPECT_NE(refusal({{"do", "doctor"}, {"source", "not there.csv"}}).find("not there.csv"), std::string::npos);
}

TEST_F(SessionTest, ARunIsThatOfTheLibrary) {
  const Json found = ok({{"do", "discover"}, {"source", "asia"}, {"options", kSmall}});
  Settings settings;
  RunRequest request(settings, RunRequest::Kind::kMatch);
  for (const char* name : {"rows", "bootstrap", "moves"}) settings.set(name, kSmall[name].get<int64_t>());
  settings.set("threads", int64_t{1});
  request.data.set_source("asia");
  KeptJournal log;
  const RunResult same = run(request, {}, {.log = log});
  EXPECT_EQ(found["result"]["dag"], Json::parse(write_record(same.record))["dag"]);
  EXPECT_EQ(found["result"]["score"], Json::parse(write_record(same.record))["score"]);
  EXPECT_EQ(found["result"]["run"]["command"], "agon discover asia --rows 500 --bootstrap 0 --moves 2000");

  // Each champion was told; the last one is the answer, or a member of its class.
  std::vector<Json> champions;
  for (const Json& told : told_) {
    if (told.contains("champion")) champions.push_back(told);
  }
  ASSERT_FALSE(champions.empty());
  EXPECT_NEAR(champions.back()["score"].get<double>(), same.record.score.value, 1e-6);
  EXPECT_EQ(champions.back()["found_by"], same.record.match->found_by);

  // So was what plays; the last time with all moves of the record.
  Json arms;
  for (const Json& told : told_) {
    if (told.contains("arms")) arms = told["arms"];
  }
  ASSERT_EQ(arms.size(), same.record.match->arms.size());
  double shares = 0;
  for (size_t k = 0; k < arms.size(); ++k) {
    EXPECT_EQ(arms[k]["name"], same.record.match->arms[k].name);
    EXPECT_EQ(arms[k]["moves"], same.record.match->arms[k].moves);
    shares += arms[k]["share"].get<double>();
  }
  EXPECT_NEAR(shares, 1, 1e-9);

  const std::string page = ok({{"do", "report"}}).get<std::string>();
  EXPECT_NE(page.find("id=\"edge-table\""), std::string::npos);
  const Json dot = ok({{"do", "graph"}, {"which", "cpdag"}, {"format", "dot"}});
  EXPECT_NE(dot["text"].get<std::string>().find("graph"), std::string::npos);
  EXPECT_NE(refusal({{"do", "graph"}, {"which", "cpdag"}, {"format", "bif"}}), "");
  const std::string file = ok({{"do", "result"}}).get<std::string>();
  EXPECT_EQ(ok({{"do", "open"}, {"text", file}, {"name", "result.json"}})["result"], found["result"]);
  EXPECT_EQ(ok({{"do", "result"}}).get<std::string>(), file);
  EXPECT_NE(refusal({{"do", "open"}, {"text", "{}"}, {"name", "bad.json"}}).find("bad.json"), std::string::npos);
}

// The texts are those of the command line, and the proof is the one that the record speaks of.
TEST_F(SessionTest, EffectsNextStepsAndProofsAreThoseOfTheLastRun) {
  EXPECT_NE(refusal({{"do", "effect"}, {"of", "smoke"}, {"on", "lung"}}), "");
  const Json found = ok({{"do", "discover"}, {"source", "asia"}, {"options", kSmall}});
  const std::string text = ok({{"do", "effect"}, {"of", "smoke"}, {"on", "lung"}}).get<std::string>();
  EXPECT_NE(text.find("effect of smoke on lung"), std::string::npos) << text;
  EXPECT_NE(refusal({{"do", "effect"}, {"of", "smokee"}, {"on", "lung"}}).find("smokee"), std::string::npos);
  EXPECT_NE(ok({{"do", "next"}}).get<std::string>(), "");
  ASSERT_TRUE(found["proof"].get<bool>());
  EXPECT_EQ(ok({{"do", "proof"}}).get<std::string>().substr(0, 4), "agon");
  ok({{"do", "open"}, {"text", ok({{"do", "result"}})}, {"name", "result.json"}});
  EXPECT_EQ(ok({{"do", "proof"}}), "");
  EXPECT_NE(refusal({{"do", "effect"}, {"of", "smoke"}, {"on", "lung"}}).find("rows of the table"), std::string::npos);
}

TEST_F(SessionTest, AStopKeepsTheBestSoFar) {
  stop_ = true;
  const Json found = ok({{"do", "discover"}, {"source", "asia"}, {"options", {{"rows", 500}}}});
  EXPECT_EQ(found["result"]["run"]["stopped_by"], "interrupted");
}

TEST_F(SessionTest, KnowledgeIsReadAndObeyed) {
  const std::vector<std::string> names = {"asia", "tub", "smoke", "lung", "bronc", "either", "xray", "dysp"};
  const std::string text =
      "/knowledge\naddtemporal\n1 smoke asia\n2 dysp\nrequiredirect\nlung smoke\nforbiddirect\nbronc dysp\n";
  Json known = ok({{"do", "knowledge"}, {"text", text}, {"name", "k.txt"}, {"names", names}});
  EXPECT_EQ(known["required"], Json::parse(R"([["lung", "smoke"]])"));
  EXPECT_EQ(known["forbidden"], Json::parse(R"([["bronc", "dysp"]])"));
  EXPECT_EQ(known["tiers"].size(), 2u);
  const Json found = ok({{"do", "discover"}, {"source", "asia"}, {"options", kSmall}, {"knowledge", known}});
  bool has_required = false;
  for (const Json& edge : found["result"]["dag"]["edges"]) {
    has_required = has_required || edge == Json({"lung", "smoke"});
    EXPECT_NE(edge, Json({"bronc", "dysp"}));
  }
  EXPECT_TRUE(has_required);
  EXPECT_NE(
      refusal({{"do", "knowledge"}, {"text", "requiredirect\nlung smokee\n"}, {"name", "k.txt"}, {"names", names}})
          .find("k.txt:2"),
      std::string::npos);
}

TEST_F(SessionTest, OptionsAreTypedAndChecked) {
  const Json parsed =
      ok({{"do", "parse"}, {"typed", {{"moves", "500"}, {"opponent", "ges,tabu"}, {"no-header", "true"}}}});
  EXPECT_EQ(parsed, Json::parse(R"({"moves": 500, "opponent": ["ges", "tabu"], "no-header": true})"));
  EXPECT_NE(refusal({{"do", "parse"}, {"typed", {{"moves", "many"}}}}).find("moves"), std::string::npos);
  EXPECT_NE(refusal({{"do", "parse"}, {"typed", {{"mooves", "5"}}}}).find("mooves"), std::string::npos);
  const Json expected = ok({{"do", "forecast"}, {"source", "asia"}, {"options", kSmall}});
  EXPECT_GT(expected["seconds"].get<double>(), 0);
}

class BoardTest : public SessionTest {
 protected:
  Json open(const Json& edges, const Json& knowledge = {}) {
    return ok({{"do", "board"}, {"source", "asia"}, {"options", kSmall}, {"edges", edges}, {"knowledge", knowledge}});
  }
  Json play(const std::string& kind, const std::string& from, const std::string& to) {
    return ok({{"do", "play"}, {"kind", kind}, {"from", from}, {"to", to}});
  }
  std::string why_not(const std::string& kind, const std::string& from, const std::string& to) {
    return refusal({{"do", "play"}, {"kind", kind}, {"from", from}, {"to", to}});
  }
};

TEST_F(BoardTest, MovesEarnWhatTheyPromise) {
  Json board = open(Json::array());
  const double empty = board["score"].get<double>();
  double score = empty;
  for (int k = 0; k < 4; ++k) {
    ASSERT_FALSE(board["best"].empty());
    const Json best = board["best"][0];
    for (const Json& other : board["best"]) EXPECT_GE(best["gain"], other["gain"]);
    const double promised = best["gain"].get<double>();
    board = play(best["kind"], best["from"], best["to"]);
    EXPECT_NEAR(board["score"].get<double>(), score + promised, 1e-6);
    score = board["score"].get<double>();
  }
  EXPECT_EQ(board["played"].size(), 4u);
  for (int k = 0; k < 5; ++k) board = ok({{"do", "back"}});
  EXPECT_EQ(board["score"].get<double>(), empty);
  EXPECT_TRUE(board["edges"].empty());
}

TEST_F(BoardTest, RefusalsSayWhy) {
  open(Json::parse(R"([["asia", "tub"], ["tub", "either"], ["asia", "either"]])"),
       Json::parse(R"({"required": [["asia", "tub"]], "forbidden": [["xray", "dysp"]]})"));
  EXPECT_EQ(why_not("add", "asia", "asia"), "asia cannot cause itself");
  EXPECT_EQ(why_not("add", "asia", "tub"), "asia -> tub is there already");
  EXPECT_EQ(why_not("add", "either", "tub"), "tub -> either is there: reverse it instead");
  EXPECT_EQ(why_not("remove", "lung", "tub"), "there is no edge lung -> tub");
  EXPECT_EQ(why_not("remove", "asia", "tub"), "what you know requires asia -> tub");
  EXPECT_EQ(why_not("add", "xray", "dysp"), "what you know forbids xray -> dysp");
  EXPECT_EQ(why_not("reverse", "asia", "either"), "either -> asia would close a cycle: asia -> tub -> either is there");
  play("add", "either", "dysp");
  EXPECT_EQ(why_not("add", "dysp", "asia"), "dysp -> asia would close a cycle: asia -> either -> dysp is there");
  const Json moves = ok({{"do", "pair"}, {"from", "dysp"}, {"to", "asia"}});
  EXPECT_EQ(moves[0]["why_not"], "dysp -> asia would close a cycle: asia -> either -> dysp is there");
  EXPECT_NE(refusal({{"do", "pair"}, {"from", "nobody"}, {"to", "asia"}}), "");
}

TEST_F(BoardTest, AChallengeShowsEditsThatLeadToABetterGraph) {
  Json board = open(Json::parse(R"([["asia", "xray"], ["xray", "dysp"], ["dysp", "smoke"]])"));
  const double mine = board["score"].get<double>();
  const Json challenge = ok({{"do", "challenge"}});
  EXPECT_GT(challenge["gain"].get<double>(), 1);
  double gained = 0;
  for (const Json& step : challenge["steps"]) {
    board = play(step["kind"], step["from"], step["to"]);
    EXPECT_NEAR(board["gain"].get<double>(), step["gain"].get<double>(), 1e-9);
    gained += step["gain"].get<double>();
  }
  EXPECT_NEAR(mine + gained, challenge["score"].get<double>(), 1e-6);
  EXPECT_NEAR(board["score"].get<double>(), challenge["score"].get<double>(), 1e-6);
  const Json again = ok({{"do", "challenge"}});
  EXPECT_TRUE(again["steps"].empty());
}

TEST_F(SessionTest, AnyRequestIsAnswered) {
  EXPECT_NE(Json::parse(session_.call("{")).value("error", Json()), Json());
  EXPECT_NE(refusal({{"do", "fly"}}), "");
  EXPECT_NE(refusal({{"do", "back"}}), "");
  EXPECT_NE(refusal({{"do", "report"}}), "");
  EXPECT_NE(refusal({{"do", "discover"}}), "");
  EXPECT_GT(ok({{"do", "datasets"}})["datasets"].size(), 3u);
  EXPECT_GT(ok({{"do", "options"}}).size(), 20u);
  EXPECT_GT(ok({{"do", "formats"}}).size(), 5u);
}

}  // namespace
}  // namespace agon::web
