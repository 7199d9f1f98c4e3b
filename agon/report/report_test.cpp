#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "agon/base/error.h"
#include "agon/report/html.h"
#include "agon/report/progress.h"
#include "agon/report/result_json.h"
#include "agon/report/summary.h"
#include "agon/report/table.h"
#include "agon/report/verification.h"

namespace agon {
namespace {

TEST(Table, LinesUpByLettersNotBytes) {
  Table table({"name", ">value"});
  table.row({"größe", "1"});
  table.row({"x", "10.5"});
  EXPECT_EQ(table.text(), "name   value\ngröße      1\nx       10.5\n");
}

// Letters on the longest line.
size_t longest(const std::string& text) {
  size_t most = 0, now = 0;
  for (const char c : text) {
    if (c == '\n') now = 0;
    if (c != '\n' && (static_cast<unsigned char>(c) & 0xC0) != 0x80) most = std::max(most, ++now);
  }
  return most;
}

TEST(Table, FitsTheWidthAskedFor) {
  Table table({"name", ">value", "~story"});
  table.row({"a_very_long_name_of_a_column", "-12345.678", "what happened then, and what happened after that"});
  table.row({"x", "1", "nothing"});
  const std::string wide = table.text();
  EXPECT_EQ(std::count(wide.begin(), wide.end(), '\n'), 3);
  EXPECT_EQ(table.text({.width = 200}), wide);
  const std::string wrapped = table.text({.width = 70});
  EXPECT_LE(longest(wrapped), 70u);
  EXPECT_NE(wrapped.find("a_very_long_name_of_a_column"), std::string::npos);  // lines are broken before names are cut
  EXPECT_EQ(std::count(wrapped.begin(), wrapped.end(), '\n'), 4);
  const std::string narrow = table.text({.width = 50});
  EXPECT_LE(longest(narrow), 50u);
  EXPECT_NE(narrow.find("a_very_l…"), std::string::npos) << narrow;
  EXPECT_NE(narrow.find("-12345.678"), std::string::npos);  // numbers are never cut
  EXPECT_EQ(shortened("größenordnung", 7), "grö…ung");
  EXPECT_EQ(shortened("abc", 3), "abc");
  EXPECT_EQ(agon::wrapped("one two three four five six", {.width = 20}, "  ", 2),
            "  one two three four\n    five six\n");
}

TEST(Table, ColoursOnlyWhenAsked) {
  Table table({"a", ">b"});
  table.row({{"good", Tone::kGood}, {"1", Tone::kStrong}});
  table.row({"fine", "10"});
  EXPECT_EQ(table.text(), "a      b\ngood   1\nfine  10\n");
  EXPECT_EQ(table.text({.colour = true}),
            "\033[2ma\033[0m      \033[2mb\033[0m\n\033[32mgood\033[0m   \033[1m1\033[0m\nfine  10\n");
}

TEST(ProgressLine, SaysWhatIsKnown) {
  EXPECT_EQ(progress_line({"play", 5000, 12, -71.5, 2.25, 9000, "move"}, 1.2, 58.8),
            "play: 5,000 of 9,000 moves, 12 edges, best -71.500, gain +2.250, 1.2 s, 58.8 s left");
  EXPECT_EQ(progress_line({"ges, forward", 1, 1, -2}, 0.5), "ges, forward: 1 step, 1 edge, best -2.000, 500 ms");
  EXPECT_EQ(progress_line({"bootstrap", 3, -1, 0, {}, 200, "resample"}, 2), "bootstrap: 3 of 200 resamples, 2 s");
}

TEST(Table, WordsForNumbers) {
  EXPECT_EQ(with_commas(0), "0");
  EXPECT_EQ(with_commas(-1234567), "-1,234,567");
  EXPECT_EQ(with_commas(-123), "-123");
  EXPECT_EQ(counted(1, "row"), "1 row");
  EXPECT_EQ(counted(7466, "row"), "7,466 rows");
  EXPECT_EQ(duration_text(0.0000005), "0.5 us");
  EXPECT_EQ(duration_text(0.0421), "42.1 ms");
  EXPECT_EQ(duration_text(0.99999), "1 s");
  EXPECT_EQ(duration_text(200.4), "3 min 20 s");
}

TEST(Table, NamesAreSafeToPrint) {
  EXPECT_EQ(shown("p44/42"), "p44/42");
  EXPECT_EQ(shown("a\nb"), "\"a\\nb\"");
  EXPECT_EQ(shown("\x1b[0m"), "\"\\x1b[0m\"");
}

RunRecord example() {
  RunRecord record;
  record.version = "0";
  record.data.source = "t.csv";
  record.data.rows = 10;
  record.data.columns = {{"a", ColumnKind::kCategorical, 2, false}, {"b", ColumnKind::kCategorical, 3, false}};
  record.score = {"discrete-bic", "asked for", -10.1, -1.0 / 3};
  record.edges = {{"a", "b", false, 0.1}};
  record.cpdag.undirected = record.mpdag.undirected = {{"a", "b"}};
  record.algorithm = "hc";
  record.stopped_by = "no edit improves";
  record.options = {{"penalty", 1.5}, {"drop", std::vector<std::string>{"x", "y"}}, {"no-header", false}};
  return record;
}

TEST(ResultJson, KeepsFullPrecisionAndOptions) {
  const auto json = nlohmann::json::parse(result_json(example(), nullptr));
  EXPECT_EQ(json["score"]["value"].get<double>(), -1.0 / 3);
  EXPECT_EQ(json["dag"]["edges"], nlohmann::json::parse(R"([["a", "b"]])"));
  EXPECT_EQ(json["cpdag"]["undirected"], nlohmann::json::parse(R"([["a", "b"]])"));
  EXPECT_EQ(json["cpdag"]["directed"], nlohmann::json::array());
  EXPECT_EQ(json["run"]["options"]["penalty"], 1.5);
  EXPECT_EQ(json["run"]["options"]["drop"], nlohmann::json({"x", "y"}));
  EXPECT_EQ(json["run"]["options"]["no-header"], false);
  EXPECT_TRUE(json["run"]["start"].is_null());
  EXPECT_FALSE(json.contains("metrics"));
  EXPECT_FALSE(json.contains("opponent"));
  EXPECT_FALSE(json.contains("knowledge"));
  EXPECT_FALSE(json.contains("mpdag"));
}

TEST(ResultJson, TellsTheKnowledgeAndTheMpdag) {
  RunRecord record = example();
  record.knowledge = {{"known.txt", "more.csv"}, 1, 14, 2, true};
  record.edges[0].compelled = record.edges[0].by_knowledge = true;
  record.mpdag = {{{"a", "b"}}, {}};
  record.story = {"forward phase: ..."};
  record.varsortability = 0.75;
  const auto json = nlohmann::json::parse(result_json(record, nullptr));
  EXPECT_EQ(json["knowledge"], nlohmann::json::parse(R"({"sources": ["known.txt", "more.csv"], "required": 1,
                                                         "forbidden": 14, "tiers": 2, "satisfied": true})"));
  EXPECT_EQ(json["cpdag"]["undirected"], nlohmann::json::parse(R"([["a", "b"]])"));
  EXPECT_EQ(json["mpdag"]["directed"], nlohmann::json::parse(R"([["a", "b"]])"));
  EXPECT_EQ(json["edges"][0]["by_knowledge"], true);
  EXPECT_EQ(json["run"]["story"], nlohmann::json({"forward phase: ..."}));
  EXPECT_EQ(json["run"]["varsortability"], 0.75);

  const std::string text = summary_text(record, nullptr);
  for (const char* part :
       {"1 required edge, 14 forbidden edges, 2 tiers: all hold (known.txt, more.csv)", "by knowledge",
        "Data and knowledge determine all 1 arrow (MPDAG)", "Varsortability of the answer 0.75"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
  }
}

TEST(ResultJson, NamesThatAreNotUtf8DoNotBreakIt) {
  RunRecord record = example();
  record.edges[0].from = "\xff";
  const auto json = nlohmann::json::parse(result_json(record, nullptr));
  EXPECT_EQ(json["dag"]["edges"][0][0], "\xEF\xBF\xBD");
}

TEST(Summary, SaysWhatTheDataDetermine) {
  RunRecord record = example();
  EXPECT_NE(summary_text(record, nullptr).find("do not determine which way"), std::string::npos);
  record.edges.push_back({"b", "c", true, 1});
  record.mpdag.directed = {{"b", "c"}};
  EXPECT_NE(summary_text(record, nullptr).find("determine 1 of 2 arrows; the other 1"), std::string::npos);
  record.edges.clear();
  EXPECT_NE(summary_text(record, nullptr).find("no edges"), std::string::npos);
}

TEST(Html, NamesAreTextAndNothingElseRuns) {
  RunRecord record = example();
  const std::string evil = "</script><img src=x onerror='alert(1)'>\"&";
  record.edges[0].from = record.data.columns[0].name = evil;
  record.cpdag.undirected = record.mpdag.undirected = {{evil, "b"}};
  for (const PageKind kind : {PageKind::kInteractive, PageKind::kPlain}) {
    const std::string page = html_report(result_json(record, nullptr), "r.json", kind);
    EXPECT_EQ(page.find("<img"), std::string::npos);
    EXPECT_NE(page.find("&lt;/script&gt;&lt;img src=x onerror=&#39;alert(1)&#39;&gt;&quot;&amp;"), std::string::npos);
    EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
    const bool alive = kind == PageKind::kInteractive && report_is_interactive();
    EXPECT_EQ(page.find("<script") != std::string::npos, alive);
    EXPECT_EQ(page.find("script-src 'sha256-") != std::string::npos, alive);
    EXPECT_EQ(page.find("http://"), page.find("http://www.w3.org"));  // names of XML, in a library; no addresses
  }
}

TEST(Html, RefusesWhatIsNoResult) {
  EXPECT_THROW(html_report("", "r.json"), InputError);
  EXPECT_THROW(html_report("[1, 2]", "r.json"), InputError);
  EXPECT_THROW(html_report(R"({"schema": 2})", "r.json"), InputError);
  EXPECT_THROW(html_report(R"({"schema": 1})", "r.json"), InputError);
  EXPECT_THROW(html_report(R"({"schema": 1, "agon": 7, "data": {"source": 1}})", "r.json"), InputError);
  const auto whole = nlohmann::json::parse(result_json(example(), nullptr));
  EXPECT_NO_THROW(html_report(whole.dump(), "r.json"));
  for (const char* key : {"schema", "agon", "data", "score", "dag", "cpdag", "edges", "run"}) {
    nlohmann::json part = whole;
    part.erase(key);
    EXPECT_THROW(html_report(part.dump(), "r.json"), InputError) << key;
    part[key] = 7;
    EXPECT_THROW(html_report(part.dump(), "r.json"), InputError) << key;
  }
}

TEST(Results, NestingHasALimit) {
  for (size_t depth : {100u, 1000000u}) {
    const std::string deep = R"({"schema": 1, "x": )" + std::string(depth, '[') + std::string(depth, ']') + "}";
    EXPECT_THROW(html_report(deep, "r.json"), InputError);
    EXPECT_THROW(read_result(deep, "r.json"), InputError);
  }
}

TEST(Comparison, MeasuresAndControls) {
  const std::vector<Edge> truth = {{0, 1}, {1, 2}};
  Dag dag(4);
  dag.add_edge(0, 1);
  dag.add_edge(2, 1);
  const Comparison c = compare_with_truth("t", truth, dag, Rng(1));
  EXPECT_EQ(c.answer.shd, 1);
  EXPECT_EQ(c.empty.shd, 2);
  EXPECT_FALSE(c.cyclic);
  EXPECT_NEAR(c.class_mean.shd, 1, 1e-12);  // a v-structure: its class has one member
  const auto json = comparison_json(c);
  EXPECT_EQ(json["shd"], 1);
  EXPECT_EQ(json["controls"]["empty"]["fdr"], 0.0);
  EXPECT_NE(comparison_text(c).find("1 right, 1 reversed, 0 extra, 0 missing"), std::string::npos);
}

}  // namespace
}  // namespace agon
