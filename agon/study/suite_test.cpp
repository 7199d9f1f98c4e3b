#include "agon/study/suite.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "agon/base/error.h"
#include "agon/report/json.h"

namespace agon {
namespace {

SuiteCell a_cell() {
  SuiteCell cell;
  cell.data = "asia";
  cell.sample = 3;
  cell.algorithm = "match-ges";
  cell.key = "everything";
  cell.limit = 60;
  cell.limited = true;
  cell.stopped_by = "limit of the cell";
  cell.rows = 100;
  cell.columns = 3;
  cell.true_edges = 2;
  cell.edges = {{"a", "b"}, {"b", "c \"quoted\""}};
  cell.bic = -1234.5678901234567;
  cell.margin = 0.1;
  cell.tpr = 0.5, cell.fdr = 0.25, cell.shd = 3, cell.score = 1.5 / 3, cell.skeleton_f1 = 2.0 / 3;
  cell.shd_cpdag = 4;
  cell.gcastle = {0.9, 0.1, 2, 0.7};
  cell.found_by = "local trained";
  cell.class_mean = 0.4, cell.class_best = 0.75, cell.source_order = 0.7, cell.shuffled_order = 0.3;
  cell.seconds = 1.25, cell.opponent_seconds = 0.5, cell.megabytes = 17.5;
  cell.moves = 12345;
  return cell;
}

TEST(Suite, ACellIsReadBackAsItWasWritten) {
  SuiteCell cell = a_cell();
  const std::string text = cell_json(cell);
  EXPECT_EQ(cell_json(read_cell(text, "x.json")), text);
  const SuiteCell back = read_cell(text, "x.json");
  EXPECT_EQ(back.bic, cell.bic);
  EXPECT_EQ(back.edges, cell.edges);
  EXPECT_EQ(back.margin, cell.margin);

  cell.margin.reset();
  cell.shd_cpdag.reset();
  const SuiteCell bare = read_cell(cell_json(cell), "x.json");
  EXPECT_FALSE(bare.margin);
  EXPECT_FALSE(bare.shd_cpdag);

  cell.failed = "signal 9";
  EXPECT_EQ(read_cell(cell_json(cell), "x.json").failed, "signal 9");
}

TEST(Suite, WhatIsNoCellIsRefusedWithItsPlace) {
  for (const std::string text : {"", "{", "[]", "{\"data\": \"asia\"}", "{\"data\": 3}"}) {
    try {
      read_cell(text, "cells/x.json");
      FAIL() << text;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("cells/x.json"), std::string::npos);
    }
  }
}

Suite a_suite() {
  SuiteRow ges, match, none;
  ges.algorithm = ges.title = "ges";
  ges.cells = 2, ges.limited = 1;
  ges.score = {0.5, 0.01};
  ges.shd_cpdag = Spread{2, 0.5};
  ges.published = PublishedFigures{1, 0, 0, 1};
  ges.best_cpdag = true;
  match = ges;
  match.algorithm = "match-ges", match.title = "match (auto) from <ges>", match.opponent = "ges";
  match.limited = 0;
  match.score = {0.75, 0.02};
  match.best_score = true;
  match.margin = Spread{3, 1};
  none.algorithm = none.title = "none";
  none.failed = 2;
  SuiteBlock block;
  block.data = "asia", block.title = "Asia";
  block.nodes = 8, block.edges = 8, block.samples = 2, block.rows = 100;
  block.score = "discrete-bic";
  block.lines = {ges, match, none};
  block.published_only = {{"KCRL", {0.55, 0.25, 3, 0.52}}};
  Suite suite;
  suite.version = "1";
  suite.blocks = {block};
  suite.claims = {{"safe", true, "yes"}, {"better", false, "not so"}, {"open", {}, "who knows"}};
  suite.notes = {"a note"};
  return suite;
}

TEST(Suite, TextMarksTheBestAndThoseThatShareIt) {
  const std::string text = suite_text(a_suite());
  EXPECT_NE(text.find("0.75±0.02*"), std::string::npos) << text;  // the only best
  EXPECT_NE(text.find("2.0±0.5="), std::string::npos) << text;    // a tie of two
  EXPECT_NE(text.find("ges (1 cut)"), std::string::npos) << text;
  EXPECT_NE(text.find("none (2 failed)"), std::string::npos) << text;
  EXPECT_NE(text.find("KCRL 0.52"), std::string::npos) << text;
  EXPECT_NE(text.find("NO     better  not so"), std::string::npos) << text;
  EXPECT_NE(text.find("open   open    who knows"), std::string::npos) << text;
}

TEST(Suite, CsvHasTheSameNumberOfCellsInEveryLine) {
  const std::string csv = suite_csv(a_suite());
  size_t commas = 0;
  for (size_t at = 0, line = 0; at < csv.size(); ++line) {
    const size_t end = csv.find('\n', at);
    ASSERT_NE(end, std::string::npos);
    const size_t here = std::count(csv.begin() + at, csv.begin() + end, ',');
    if (line == 0) commas = here;
    EXPECT_EQ(here, commas) << csv.substr(at, end - at);
    at = end + 1;
  }
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 4);
  EXPECT_NE(csv.find("asia,match-ges,ges,100,2,0,0"), std::string::npos) << csv;
}

TEST(Suite, ThePageStandsAlone) {
  const std::string page = suite_page(a_suite());
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_EQ(page.find("src="), std::string::npos);
  EXPECT_EQ(page.find("href="), std::string::npos);
  EXPECT_EQ(page.find("<ges>"), std::string::npos);  // escaped
  EXPECT_NE(page.find("match (auto) from &lt;ges&gt;"), std::string::npos);
  EXPECT_NE(page.find("Composite Score by data set"), std::string::npos);
  EXPECT_NE(page.find("asia (8)"), std::string::npos);  // a label on the axis
  EXPECT_NE(page.find("★"), std::string::npos);
  EXPECT_NE(page.find("KCRL (published only)"), std::string::npos);
  EXPECT_NE(suite_chart(a_suite()).find("published: KCRL"), std::string::npos);  // every system of the paper's figure
}

TEST(Suite, JsonKeepsWhatIsNotKnownNull) {
  const auto json = nlohmann::ordered_json::parse(suite_json(a_suite()));
  EXPECT_TRUE(json.at("claims")[2].at("holds").is_null());
  const auto& rows = json.at("data_sets")[0].at("algorithms");
  EXPECT_EQ(rows[1].at("opponent"), "ges");
  EXPECT_EQ(rows[1].at("bic_above_opponent").at("mean"), 3.0);
  EXPECT_TRUE(rows[0].at("bic_above_opponent").is_null());
  EXPECT_FALSE(rows[2].contains("tpr"));  // failed
}

}  // namespace
}  // namespace agon
