#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "agon/base/error.h"
#include "agon/report/html.h"
#include "agon/report/json.h"
#include "agon/report/record_json.h"
#include "agon/report/sentences.h"
#include "agon/report/summary.h"
#include "agon/report/verification.h"

namespace agon {
namespace {

TEST(Table, WordsForDurations) {
  EXPECT_EQ(duration_text(0.0000005), "0.5 us");
  EXPECT_EQ(duration_text(0.0421), "42.1 ms");
  EXPECT_EQ(duration_text(0.99999), "1 s");
  EXPECT_EQ(duration_text(200.4), "3 min 20 s");
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

TEST(RecordJson, KeepsFullPrecisionAndOptions) {
  const auto json = nlohmann::json::parse(write_record(example()));
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

TEST(RecordJson, KeepsWhatTheNextScoreSays) {
  RunRecord record = example();
  record.score.edge_price = 0.5;
  record.score.next = {"bdeu", {{"a", "b"}}, {}, {{"a", "c"}, {"b", "c"}}};
  const RunRecord read = read_record(write_record(record), "result.json");
  ASSERT_TRUE(read.score.next);
  EXPECT_EQ(read.score.next->name, "bdeu");
  EXPECT_EQ(read.score.next->missing, record.score.next->missing);
  EXPECT_TRUE(read.score.next->extra.empty());
  EXPECT_EQ(read.score.next->otherwise, record.score.next->otherwise);
  EXPECT_EQ(score_sentence(read.score), "discrete-bic (0.50 nats for each edge), asked for");
  EXPECT_EQ(next_score_sentence(*read.score.next, 1),
            "the next score, bdeu, would leave out 1 of the 1 edges (a - b), orient 2 differently (a - c, b - c)");
  EXPECT_EQ(next_score_sentence({.name = "bdeu"}, 1), "the next score, bdeu, gives the same class");
}

TEST(RecordJson, TellsTheKnowledgeAndTheMpdag) {
  RunRecord record = example();
  record.knowledge = {{"known.txt", "more.csv"}, 1, 14, 2, true};
  record.edges[0].fixed = record.edges[0].by_knowledge = true;
  record.mpdag = {{{"a", "b"}}, {}};
  record.story = {"forward phase: ..."};
  record.varsortability = 0.75;
  const auto json = nlohmann::json::parse(write_record(record));
  EXPECT_EQ(json["knowledge"], nlohmann::json::parse(R"({"sources": ["known.txt", "more.csv"], "required": 1,
                                                         "forbidden": 14, "tiers": 2, "satisfied": true})"));
  EXPECT_EQ(json["cpdag"]["undirected"], nlohmann::json::parse(R"([["a", "b"]])"));
  EXPECT_EQ(json["mpdag"]["directed"], nlohmann::json::parse(R"([["a", "b"]])"));
  EXPECT_EQ(json["edges"][0]["by_knowledge"], true);
  EXPECT_EQ(json["run"]["story"], nlohmann::json({"forward phase: ..."}));
  EXPECT_EQ(json["run"]["varsortability"], 0.75);

  const std::string text = summary_text(record);
  for (const char* part :
       {"1 required edge, 14 forbidden edges, 2 tiers: all hold (known.txt, more.csv)", "by knowledge",
        "In the class of this graph, given the knowledge, the arrow is fixed.", "Varsortability of the answer 0.75"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
  }
}

// Two experiments of ten rows; what was set fixes the arrow.
RunRecord experimental_example() {
  RunRecord record = example();
  record.data.regimes = {{"seen", 6, {}, "", "seen", {"b"}}, {"set", 4, {"a"}, "perfect", "set", {"a", "b"}}};
  record.score.treatments = {{"pooled", -4.5, false},
                             {"within", -3.25, false, {{"a", "b"}}},
                             {"targets", -5, false},
                             {"targets + within", -3.5, true}};
  record.score.remark = "without targets the fit is better by 0 nats: the interventions look soft";
  record.edges[0].fixed = record.edges[0].by_experiment = record.interventional = true;
  record.cpdag = record.mpdag = {{{"a", "b"}}, {}};
  return record;
}

TEST(RecordJson, TellsTheExperimentsAndHowTheyWereRead) {
  const auto json = nlohmann::json::parse(write_record(experimental_example()));
  EXPECT_EQ(json["data"]["regimes"], nlohmann::json::parse(R"([
      {"name": "seen", "rows": 6, "targets": [], "batch": "seen", "moved": ["b"]},
      {"name": "set", "rows": 4, "targets": ["a"], "intervention": "perfect", "batch": "set", "moved": ["a", "b"]}])"));
  EXPECT_EQ(json["score"]["treatments"][1],
            nlohmann::json::parse(R"({"name": "within", "total": -3.25, "used": false, "edges": [["a", "b"]]})"));
  EXPECT_EQ(json["score"]["treatments"][3]["used"], true);
  EXPECT_EQ(json["score"]["remark"], "without targets the fit is better by 0 nats: the interventions look soft");
  EXPECT_EQ(json["class"], "interventional");
  EXPECT_EQ(json["edges"][0]["by_experiment"], true);

  const auto plain = nlohmann::json::parse(write_record(example()));
  EXPECT_EQ(plain["class"], "observational");
  EXPECT_FALSE(plain["data"].contains("regimes"));
  EXPECT_FALSE(plain["score"].contains("treatments"));
  EXPECT_FALSE(plain["edges"][0].contains("by_experiment"));
}

TEST(RecordJson, RefusesAClassThatIsNone) {
  auto json = nlohmann::json::parse(write_record(example()));
  json["class"] = "moral";
  EXPECT_THROW(read_record(json.dump(), "result.json"), InputError);
}

TEST(Summary, TellsOfExperimentsInALineAndInFullByTable) {
  const RunRecord record = experimental_example();
  const std::string brief = summary_text(record);
  for (const char* part :
       {"experiments  2, 1 of them with targets; read as targets + within", "the interventions look soft",
        "by experiment", "Of the fixed, 1 owes that to the experiments: had nothing been set, it would be open.",
        "to cut them off from their causes; --intervention soft"}) {
    EXPECT_NE(brief.find(part), std::string::npos) << part << " in\n" << brief;
  }
  EXPECT_EQ(brief.find("rows read as"), std::string::npos) << brief;
  const std::string full = summary_text(record, {}, Detail::kFull);
  for (const char* part : {"  experiment  rows  targets  moved\n  seen           6  -        b\n"
                           "  set            4  a        a, b\n",
                           "  rows read as      best score found\n", "  targets + within            -3.500  used\n"}) {
    EXPECT_NE(full.find(part), std::string::npos) << part << " in\n" << full;
  }
  EXPECT_EQ(summary_text(example(), {}, Detail::kFull).find("experiment"), std::string::npos);
}

TEST(Summary, SaysWhatSoftInterventionsAssume) {
  RunRecord record = experimental_example();
  record.data.regimes[1].intervention = "soft";
  EXPECT_NE(assumptions_sentence(record).find("assumed to move their targets and nothing else"), std::string::npos);
  record.data.regimes[1].targets.clear();
  record.score.treatments.clear();
  EXPECT_EQ(experiments_text(record), "2, none with targets; read as pooled");
}

TEST(RecordJson, NamesThatAreNotUtf8DoNotBreakIt) {
  RunRecord record = example();
  record.edges[0].from = "\xff";
  const auto json = nlohmann::json::parse(write_record(record));
  EXPECT_EQ(json["dag"]["edges"][0][0], "\xEF\xBF\xBD");
}

TEST(Summary, SaysWhatTheDataDetermine) {
  RunRecord record = example();
  EXPECT_NE(summary_text(record).find("the arrow is open: it may point either way"), std::string::npos);
  record.edges.push_back({"b", "c", true, 1});
  record.mpdag.directed = {{"b", "c"}};
  EXPECT_NE(summary_text(record).find("In the class of this graph 1 of 2 arrows is fixed; the other 1"),
            std::string::npos);
  record.edges.clear();
  EXPECT_NE(summary_text(record).find("no edges"), std::string::npos);
}

TEST(Summary, ExplainsNoSharesOfEdgesThatAreNotThere) {
  RunRecord record = example();
  record.edges.clear();
  record.bootstrap = BootstrapRecord{8, 8, "boss", 1.5, "", {{"a", "b", {0.25, 0.25, 0, 0}, false}}};
  EXPECT_EQ(bootstrap_sentences(record),
            std::vector<std::string>{
                "No two variables are adjacent in half of 8 resamples of the rows (each searched by boss)."});
  record.bootstrap->pairs[0].shares.edge = 0.75;
  EXPECT_EQ(bootstrap_sentences(record),
            (std::vector<std::string>{"Shares are of 8 resamples of the rows (each searched by boss).",
                                      "Not in the graph, yet in half of the resamples: a and b (0.750)"}));
  EXPECT_EQ(summary_text(record).find("P(edge)"), std::string::npos);
}

TEST(Summary, ListsWhatResamplesContradictFromTheStrongestOn) {
  RunRecord record = example();
  const PairShares turned{0.25, 0, 0.25, 0};
  record.edges = {{"a", "b", true, 3, false, turned}, {"a", "c", true, 90, false, turned}};
  record.bootstrap = BootstrapRecord{
      8, 8, "boss", 1.5, "", {{"b", "c", {0.5, 0.5, 0, 0}, false}, {"b", "d", {0.75, 0.75, 0, 0}, false}}};
  const std::vector<std::string> sentences = bootstrap_sentences(record);
  ASSERT_EQ(sentences.size(), 4u);
  EXPECT_NE(sentences[1].find("b and d (0.750), b and c (0.500)"), std::string::npos) << sentences[1];
  EXPECT_NE(sentences[2].find("a and c, a and b"), std::string::npos) << sentences[2];
  EXPECT_NE(sentences[3].find("a and c, a and b"), std::string::npos) << sentences[3];
}

PosteriorRecord some_posterior() {
  PosteriorRecord posterior;
  posterior.exact = true;
  posterior.pairs = {{"a", "b", {0.75, 0.5, 0.25}, true}, {"a", "c", {0.625, 0.125, 0.5}, false}};
  posterior.paths = {{"a", "b", 0.5}, {"b", "a", 0.25}};
  return posterior;
}

SampleFigures some_sample() {
  SampleFigures sample;
  sample.steps = 74000;
  sample.samples = 1500;
  sample.r_hat = 1.02;
  sample.ess = 321.5;
  sample.left_out = 888;
  sample.left_out_gain = -2.5;
  sample.candidates = 12;
  sample.max_parents = 5;
  sample.traces = {{"the best graph found", {-3.5, -3.25}}, {"a random graph", {-9, -3.5}}};
  return sample;
}

TEST(RecordJson, PosteriorComesBack) {
  for (const bool exact : {true, false}) {
    RunRecord record = example();
    record.posterior = some_posterior();
    record.posterior->exact = exact;
    record.posterior->marginal = !exact;
    if (!exact) record.posterior->sample = some_sample();
    record.edges[0].posterior = {0.75, 0.5, 0.25};
    const std::string text = write_record(record);
    const RunRecord read = read_record(text, "t");
    EXPECT_EQ(write_record(read), text);
    ASSERT_EQ(read.posterior->pairs.size(), 2u);
    EXPECT_TRUE(read.posterior->pairs[0].shown);
    EXPECT_FALSE(read.posterior->pairs[1].shown);
    EXPECT_EQ(read.edges[0].posterior, record.edges[0].posterior);
    EXPECT_EQ(read.posterior->sample.has_value(), !exact);
  }
  RunRecord stuck = example();  // chains that stand still at different places: R-hat has no number
  stuck.posterior.emplace();
  stuck.posterior->sample = some_sample();
  stuck.posterior->sample->r_hat = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(std::isinf(read_record(write_record(stuck), "t").posterior->sample->r_hat));
}

TEST(Summary, ShowsThePosteriorAndHowFarItCanBeTrusted) {
  RunRecord record = example();
  record.posterior = some_posterior();
  record.edges[0].posterior = {0.75, 0.5, 0.25};
  const std::string exact = summary_text(record);
  EXPECT_NE(exact.find("0.75   0.50   0.25"), std::string::npos) << exact;
  EXPECT_NE(exact.find("exact, of the edge, this arrow, its reverse"), std::string::npos) << exact;
  EXPECT_NE(exact.find("discrete-bic approximates"), std::string::npos) << exact;
  EXPECT_NE(exact.find("more probable than not: a and c (0.625)"), std::string::npos) << exact;
  EXPECT_EQ(exact.find("Convergence"), std::string::npos) << exact;

  record.posterior->exact = false;
  record.posterior->sample = some_sample();
  std::vector<std::string> sentences = posterior_sentences(record);
  ASSERT_EQ(sentences.size(), 4u);
  EXPECT_NE(sentences[1].find("two chains of 74,000 steps"), std::string::npos) << sentences[1];
  EXPECT_NE(sentences[1].find("agree (R-hat 1.020, 321 effective"), std::string::npos) << sentences[1];
  EXPECT_NE(sentences[2].find("888 arrows beyond that count as impossible"), std::string::npos) << sentences[2];
  record.posterior->sample->r_hat = 1.5;
  EXPECT_NE(posterior_sentences(record)[1].find("DO NOT AGREE"), std::string::npos);
  record.posterior->sample->samples = 0;
  record.posterior->stopped_by = "time limit";
  sentences = posterior_sentences(record);
  EXPECT_EQ(sentences,
            std::vector<std::string>{"Posterior: none, it was stopped before the first sample (time limit)."});

  EXPECT_EQ(summary_text(record).find("P(edge)"), std::string::npos);

  // Beside a posterior, the shares of a bootstrap have another letter.
  record.bootstrap = BootstrapRecord{8, 8, "boss", 1.5, "", {}};
  EXPECT_EQ(summary_text(record).find("B(edge)"), std::string::npos);
  record.posterior->sample->samples = 1500;
  EXPECT_NE(summary_text(record).find("B(edge)"), std::string::npos);
}

TEST(Summary, SaysWhichEdgesThePosteriorTrusts) {
  RunRecord record = example();
  EXPECT_EQ(consensus_sentence(record), "");
  record.posterior = some_posterior();
  EXPECT_EQ(consensus_sentence(record), "");
  record.mpdag = {{{"a", "b"}}, {{"b", "c"}}};
  record.posterior->consensus = ConsensusRecord{-1, {{"a", "b"}, {"b", "c"}}, record.mpdag};
  EXPECT_NE(consensus_sentence(record).find("a graph of 2 edges"), std::string::npos) << consensus_sentence(record);
  EXPECT_NE(consensus_sentence(record).find("the same class"), std::string::npos) << consensus_sentence(record);
  EXPECT_EQ(posterior_sentences(record)[0], consensus_sentence(record));
  record.posterior->consensus = ConsensusRecord{-1, {{"a", "c"}, {"b", "a"}}, {{{"b", "a"}}, {{"a", "c"}}}};
  const std::string other = consensus_sentence(record);
  EXPECT_NE(other.find("(b - c), add 1 (a - c)"), std::string::npos) << other;
  EXPECT_NE(other.find("orient 1 differently (a - b)"), std::string::npos) << other;

  const std::string page = html_report(record, PageKind::kPlain);
  EXPECT_LT(page.find("id=\"trusted\""), page.find("id=\"edges\""));
  EXPECT_NE(page.find("<td>b</td><td>→</td><td>a</td><td>fixed</td>"), std::string::npos);
  const RunRecord read = read_record(write_record(record), "t");
  EXPECT_EQ(read.posterior->consensus->edges, record.posterior->consensus->edges);
  EXPECT_EQ(read.posterior->consensus->mpdag.directed, record.posterior->consensus->mpdag.directed);
}

TEST(Summary, GroupsTheDigitsOfLargeCounts) {
  RunRecord record = example();
  record.edges.assign(1373, {"a", "b", true, 1});
  record.mpdag.directed.assign(1000, {"a", "b"});
  EXPECT_NE(arrows_sentence(record).find("1,000 of 1,373 arrows are fixed; the other 373"), std::string::npos);
  EXPECT_NE(strength_sentence(record).find("1,373 of 1,373 are"), std::string::npos);
  EXPECT_NE(html_report(record, PageKind::kPlain).find("1,000 of 1,373"), std::string::npos);
}

// What the resamples contradict is not passed off as certain, whatever the class says.
TEST(Summary, MarksWhatIsWeakOrUnsure) {
  EdgeRecord edge{"a", "b", true, 12};
  EXPECT_EQ(remark(edge), "");
  edge.shares = {.edge = 0.9, .forward = 0.14, .backward = 0.5, .open = 0.26};
  EXPECT_EQ(remark(edge), "arrow unsure");
  edge.strength = 0.067;
  EXPECT_EQ(remark(edge), "weak, arrow unsure");
  edge.by_knowledge = true;
  EXPECT_EQ(remark(edge), "weak");  // the user's own claim
  EdgeRecord improbable{"a", "b", true, 12};
  improbable.posterior = {0.9, 0.4, 0.5};
  EXPECT_EQ(remark(improbable), "arrow unsure");
  improbable.posterior = {0.4, 0.4, 0};
  EXPECT_EQ(remark(improbable), "weak, arrow unsure");
  edge = {"a", "b", false, 12, false, PairShares{.edge = 0.4, .open = 0.4}};
  EXPECT_EQ(remark(edge), "weak");

  RunRecord record = example();
  record.edges = {{"a", "b", true, 12, false, PairShares{.edge = 0.9, .forward = 0.14, .backward = 0.76}}};
  record.mpdag.directed = {{"a", "b"}};
  record.bootstrap.emplace();
  record.bootstrap->asked = record.bootstrap->resamples = 50;
  const std::string text = summary_text(record, {.colour = true});
  EXPECT_EQ(text.find("\033[32mfixed"), std::string::npos) << text;
  EXPECT_NE(text.find("Of the fixed, 1 is unsure"), std::string::npos) << text;
}

TEST(Summary, ListsTheStrongestEdgesFirst) {
  RunRecord record = example();
  record.edges.clear();
  for (int k = 0; k < 60; ++k) record.edges.push_back({(k < 10 ? "v0" : "v") + std::to_string(k), "b", true, k + 0.5});
  const std::string brief = summary_text(record), full = summary_text(record, {}, Detail::kFull);
  EXPECT_LT(brief.find("v59"), brief.find("v58"));
  EXPECT_EQ(brief.find("v19"), std::string::npos);
  EXPECT_NE(brief.find("The 40 strongest of 60 edges"), std::string::npos);
  EXPECT_LT(full.find("v01"), full.find("v00"));
}

TEST(Html, NamesAreTextAndNothingElseRuns) {
  RunRecord record = example();
  const std::string evil = "</script><img src=x onerror='alert(1)'>\"&";
  record.edges[0].from = record.data.columns[0].name = evil;
  record.cpdag.undirected = record.mpdag.undirected = {{evil, "b"}};
  for (const PageKind kind : {PageKind::kInteractive, PageKind::kPlain}) {
    const std::string page = html_report(record, kind);
    EXPECT_EQ(page.find("<img"), std::string::npos);
    EXPECT_NE(page.find("&lt;/script&gt;&lt;img src=x onerror=&#39;alert(1)&#39;&gt;&quot;&amp;"), std::string::npos);
    EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
    const bool alive = kind == PageKind::kInteractive && report_is_interactive();
    EXPECT_EQ(page.find("<script") != std::string::npos, alive);
    EXPECT_EQ(page.find("script-src 'sha256-") != std::string::npos, alive);
    EXPECT_EQ(page.find("http://"), page.find("http://www.w3.org"));  // an XML namespace, in a library; no addresses
  }
}

// Where each of `parts` begins in the page; all must be there.
std::vector<size_t> places(const std::string& page, const std::vector<std::string>& parts) {
  std::vector<size_t> found;
  for (const std::string& part : parts) {
    found.push_back(page.find(part));
    EXPECT_NE(found.back(), std::string::npos) << part << " in\n" << page;
  }
  return found;
}

TEST(Html, SaysWhatTheTerminalSaysWithTheStrongestEdgeFirst) {
  RunRecord record = example();
  record.data.warnings = {"The first line was taken as names."};
  record.data.findings = {{"warning", "copies", {"a", "b"}, "a and b are copies."}, {"info", "rows", {}, "Few rows."}};
  record.edges = {{"a", "b", true, 2.5, false, PairShares{0.875, 0.25, 0.5, 0.125}},
                  {"a", "c", true, 80, true, PairShares{1, 0.25, 0.5, 0.25}},
                  {"b", "c", true, 7, false, PairShares{1, 0.75, 0.25, 0}}};
  record.mpdag = {{{"a", "b"}, {"a", "c"}, {"b", "c"}}, {}};
  record.bootstrap = BootstrapRecord{8, 8, "boss", 1.5, "", {{"b", "d", {0.75, 0.75, 0, 0}, false}}};
  const std::string page = html_report(record, PageKind::kPlain);
  std::vector<std::string> sentences = bootstrap_sentences(record);
  ASSERT_EQ(sentences.size(), 3u);  // what the shares are, an edge that is absent, arrows that are turned
  for (std::string sentence :
       {arrows_sentence(record), assumptions_sentence(record), strength_sentence(record), sentences[0]}) {
    places(page, {html_escaped(sentence)});
  }
  const std::vector<std::string> parts = {"id=\"graph\"",
                                          "The first line was taken as names.",
                                          "a and b are copies.",
                                          html_escaped(sentences[1]),
                                          html_escaped(sentences[2]),
                                          "id=\"reading\"",
                                          "id=\"edges\"",
                                          "data-from=\"a\" data-to=\"c\" class=\"\"",
                                          "by knowledge",
                                          "data-from=\"b\" data-to=\"c\" class=\"\"",
                                          "<td class=\"fixed-cell\">fixed</td>",
                                          "data-from=\"a\" data-to=\"b\" class=\"weak unsure\"",
                                          "<td class=\"open-cell\">fixed</td>",
                                          "weak, arrow unsure",
                                          "id=\"data\"",
                                          "Few rows."};
  const std::vector<size_t> order = places(page, parts);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end())) << page;
}

TEST(Html, ShowsTheExperiments) {
  const std::string page = html_report(experimental_example(), PageKind::kPlain);
  const std::vector<size_t> order =
      places(page, {"id=\"warnings\"", "Without targets the fit is better", "<td class=\"set-cell\">by experiment</td>",
                    "id=\"experiments\"", "2, 1 of them with targets; read as targets + within.",
                    "<td>set</td><td class=\"number\" data-value=\"4\">4</td><td>a</td><td>a, b</td>",
                    "<td>targets + within</td><td class=\"number\" data-value=\"-3.5\">-3.500</td><td>used</td>",
                    "id=\"data\""});
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end())) << page;
  EXPECT_EQ(html_report(example(), PageKind::kPlain).find("id=\"experiments\""), std::string::npos);
}

// A record that has every part a run can produce.
RunRecord whole_example() {
  RunRecord record = example();
  record.data.findings = {{"warning", "copies", {"a", "b"}, "a and b are copies."}};
  record.data.notes = {"the first column was taken as row index"};
  record.data.rows_dropped = 3;
  record.data.row_index_taken = record.data.kinds_inferred = true;
  record.data.columns.push_back({"c", ColumnKind::kContinuous, 0, true});
  record.data.columns.push_back({"d", ColumnKind::kCategorical, 3, false, true, 2, "identifier"});
  record.data.missing = {2, 1, "em", "cells are missing at random, given the others"};
  record.data.weight = 12.5;
  record.data.regimes = {{"seen", 6, {}, "", "monday", {"b"}}, {"set", 4, {"a"}, "perfect", "", {}}};
  record.score.treatments = {{"pooled", -4.5, false}, {"targets", -5.25, true, {{"a", "b"}}}};
  record.score.remark = "without targets the fit is better by 1 nats";
  record.interventional = true;
  record.knowledge = {{"known.txt"}, 1, 14, 2, true};
  record.edges = {{"a", "b", true, 0.1, true, PairShares{1, 0.5, 0.25, 0.25}, true}};
  record.cpdag = {{}, {{"a", "b"}}};
  record.mpdag = {{{"a", "b"}}, {}};
  record.pag = {{"a", "b", Mark::kCircle, Mark::kArrow}, {"a", "c", Mark::kArrow, Mark::kArrow}};
  record.command = "agon discover 't t.csv'";
  record.algorithm = "match";
  record.reason = "opponents by default";
  record.start = "mine.csv";
  record.own_start = true;
  record.seed = 0xFFFFFFFFFFFFFFFF;
  record.threads = 2;
  record.moves = 1000;
  record.seconds = 0.25;
  record.story = {"ges: forward"};
  record.varsortability = 0.5;
  record.options.emplace_back("rows", int64_t{7});
  record.options.emplace_back("score", std::string("auto"));
  MatchRecord match;
  match.opponents = {{"ges", -2.5, {{"b", "a"}}, 0.5, {{{"b", "a"}}, {}}}, {"boss", -2, {}, 0.25, {}}};
  match.best = 1;
  match.found_by = "local";
  match.challenger = "auto";
  match.episodes = 4;
  match.edge_budget = 12;
  match.history = {{0, 0.5, -2, "boss"}, {500, 0.75, -1.0 / 3, "local"}};
  match.arms = {{"local", 1, 900, 3, 1.5, 1}, {"flat", 8, 100, 1, 0, 0}};
  match.trace = {{500, -1.5, 0}, {1000, -1.25, 1}};
  record.match = match;
  record.bootstrap = BootstrapRecord{10, 8, "boss", 1.5, "time limit", {{"a", "b", {1, 0.5, 0.25, 0.25}, true}}};
  Certificate c;
  c.opponent_scores = {-2.5, -2};
  c.champion_score = -1.0 / 3;
  c.tolerance = 1e-8;
  c.never_worse = c.acyclic = c.within_budget = c.knowledge_kept = c.one_optimal = c.neighbours_complete = true;
  c.neighbours_checked = 5;
  c.selection.candidates = 1;
  c.selection.gap = std::numeric_limits<double>::infinity();
  c.selection.assumptions = {"rows are independent"};
  c.rows = 10;
  c.edges = 1;
  c.edge_budget = 12;
  c.has_knowledge = true;
  record.certificate = c;
  Dag dag(3);
  dag.add_edge(0, 1);
  record.comparison = compare_with_truth("truth.csv", {{0, 1}, {1, 2}}, dag, Rng(1));
  record.comparison->varsortability = 0.75;
  return record;
}

TEST(RecordJson, WhatIsWrittenIsReadBack) {
  for (const RunRecord& record : {example(), whole_example()}) {
    const std::string text = write_record(record);
    const RunRecord back = read_record(text, "r.json");
    EXPECT_EQ(write_record(back), text);
    EXPECT_EQ(summary_text(back), summary_text(record));
    EXPECT_EQ(html_report(back, PageKind::kPlain), html_report(record, PageKind::kPlain));
    EXPECT_TRUE(contradictions(text, back).empty());
  }
  const RunRecord back = read_record(write_record(whole_example()), "r.json");
  EXPECT_EQ(back.options, whole_example().options);
  EXPECT_EQ(back.pag, whole_example().pag);
  EXPECT_EQ(back.seed, whole_example().seed);
}

TEST(RecordJson, TellsWhereAFileContradictsItself) {
  const std::string text = write_record(whole_example());
  const auto keys_after = [&](const std::function<void(Json&)>& change) {
    Json json = Json::parse(text);
    change(json);
    std::vector<std::string> keys;
    for (const Contradiction& c : contradictions(json.dump(), read_record(json.dump(), "r.json")))
      keys.push_back(c.key);
    return keys;
  };
  using Keys = std::vector<std::string>;
  EXPECT_EQ(keys_after([](Json& j) { j["score"]["opponent"] = 7; }), Keys{"score.opponent"});
  EXPECT_EQ(keys_after([](Json& j) { j["opponent"]["edges"].push_back({"a", "b"}); }), Keys{"opponent.edges"});
  EXPECT_EQ(keys_after([](Json& j) { j["data"]["columns"] = 5; }), Keys{"data.columns"});
  EXPECT_EQ(keys_after([](Json& j) { j["certificate"]["lines"][0] = "Best of all."; }), Keys{"certificate.lines"});
  EXPECT_EQ(keys_after([](Json& j) { j["dag"]["edges"].clear(); }), (Keys{"edges", "certificate.lines"}));
  EXPECT_EQ(keys_after([](Json& j) { j["from a later version"] = 1; }), Keys{});
}

TEST(RecordJson, ReadsNothingElse) {
  for (const char* text :
       {"", "[1, 2]", R"({"schema": 1})", R"({"schema": 2})", R"({"schema": 2, "agon": 7, "data": {"source": 1}})"}) {
    EXPECT_THROW(read_record(text, "r.json"), InputError) << text;
  }
  for (const RunRecord& record : {example(), whole_example()}) {
    const Json whole = Json::parse(write_record(record));
    for (const auto& [key, value] : whole.items()) {
      Json part = whole;
      part[key] = 7;
      EXPECT_THROW(read_record(part.dump(), "r.json"), InputError) << key;
      if (key == "opponents" || key == "knowledge" || key == "mpdag" || key == "pag" || key == "bootstrap" ||
          key == "certificate" || key == "metrics" || key == "class") {
        continue;  // it may be absent
      }
      part.erase(key);
      EXPECT_THROW(read_record(part.dump(), "r.json"), InputError) << key;
    }
  }
}

TEST(RecordJson, NestingHasALimit) {
  for (size_t depth : {100u, 1000000u}) {
    const std::string deep = R"({"schema": 2, "x": )" + std::string(depth, '[') + std::string(depth, ']') + "}";
    EXPECT_THROW(read_record(deep, "r.json"), InputError);
  }
}

TEST(Summary, OfAPagSaysWhatItsMarksSayAndCountsNoArrows) {
  RunRecord record = example();
  record.pag = {{"a", "b", Mark::kCircle, Mark::kArrow}, {"a", "c", Mark::kArrow, Mark::kArrow}};
  const std::string text = summary_text(record), page = html_report(record, PageKind::kPlain);
  for (const std::string& shown : {text, page}) {
    EXPECT_EQ(shown.find("determine"), std::string::npos) << shown;
    EXPECT_NE(shown.find("The answer is a PAG"), std::string::npos) << shown;
  }
  EXPECT_NE(text.find("a  o->  b"), std::string::npos) << text;
  EXPECT_NE(page.find("a hidden common cause"), std::string::npos);
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

// The means end after the graph that was being measured, and say over how many they are.
TEST(Comparison, AStopEndsItEarly) {
  const std::vector<Edge> truth = {{0, 1}, {1, 2}};
  Dag dag(4);
  dag.add_edge(0, 1);
  std::atomic<bool> stop{false};
  int told = 0, stop_at = 1 << 20;
  Watch watch;
  watch.interrupted = &stop;
  watch.report = [&](const Progress& progress) {
    EXPECT_EQ(progress.phase, "comparison");
    if (++told == stop_at) stop = true;
  };
  const Comparison whole = compare_with_truth("t", truth, dag, Rng(1), {}, watch);
  EXPECT_EQ(told, kClassMembers + kRandomGraphs);
  EXPECT_EQ(whole.stopped_by, "");
  EXPECT_EQ(cut_sentence(whole), "");

  told = 0, stop_at = 8;  // before the eighth member
  const Comparison cut = compare_with_truth("t", truth, dag, Rng(1), {}, watch);
  EXPECT_EQ(cut.stopped_by, "interrupted");
  EXPECT_EQ(cut.class_mean.graphs, 7);
  EXPECT_TRUE(cut.class_mean.sid);
  EXPECT_EQ(cut.random.graphs, 1);
  EXPECT_FALSE(cut.random.sid);
  EXPECT_EQ(cut.random.shd_cpdag.has_value(), true);
  EXPECT_EQ(cut.answer.sid, whole.answer.sid);
  EXPECT_EQ(cut.answer.shd_cpdag, whole.answer.shd_cpdag);

  const Comparison late = compare_with_truth("t", truth, dag, Rng(1), {}, watch);  // the flag is still up
  EXPECT_EQ(late.answer.shd, whole.answer.shd);
  EXPECT_FALSE(late.answer.sid);
  EXPECT_EQ(late.class_mean.graphs, 1);
  RunRecord record = whole_example();
  record.comparison = late;
  const std::string sentence =
      "Cut short (interrupted): the mean of its class is over 1 graph, that of random graphs over 1.";
  EXPECT_NE(summary_text(record).find("the mean of its class is over 1 graph"), std::string::npos);
  EXPECT_NE(html_report(record, PageKind::kPlain).find(sentence), std::string::npos);
  EXPECT_EQ(write_record(read_record(write_record(record), "r.json")), write_record(record));
}

// Two chains of one class, until an experiment sets node 0.
TEST(Comparison, OnExperimentsIsOfTheClassesTheyLeave) {
  const std::vector<Edge> truth = {{0, 1}, {1, 2}};
  Dag dag(3);
  dag.add_edge(2, 1);
  dag.add_edge(1, 0);
  EXPECT_EQ(compare_with_truth("t", truth, dag, Rng(1)).answer.shd_cpdag, 0);
  const Comparison set = compare_with_truth("t", truth, dag, Rng(1), {1, 0, 0});
  EXPECT_EQ(set.answer.shd_cpdag, 2);  // 1 -> 0 is wrong, 1 - 2 is open where the truth has an arrow
  EXPECT_EQ(set.empty.shd_cpdag, 2);
  EXPECT_EQ(set.class_mean.shd_cpdag, 2);
  EXPECT_GT(set.class_mean.shd, 1);  // 0 - 1 is wrong in every member, 1 - 2 in some
  EXPECT_LT(set.class_mean.shd, 2);
}

}  // namespace
}  // namespace agon
