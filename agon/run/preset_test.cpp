#include "agon/run/preset.h"

#include <gtest/gtest.h>

#include "agon/data/embedded.h"
#include "agon/run/describe.h"
#include "agon/run/run.h"

namespace agon {
namespace {

using std::string;

TEST(Preset, PlaysAsPublished) {
  Settings settings;
  RunRequest request(settings, RunRequest::Kind::kMatch);
  settings.set("preset", string("paper"));
  const Plan plan = make_plan(request, {});
  const PaperOptions& paper = plan.match.challenger.paper;
  EXPECT_EQ(plan.match.challenger.name, "paper");
  ASSERT_EQ(plan.algorithms.size(), 1u);
  EXPECT_EQ(plan.algorithms[0]->name, "ges");
  EXPECT_EQ(plan.match.players, 1);
  EXPECT_TRUE(plan.match.as_visited);
  EXPECT_EQ(request.bootstrap, 0);
  EXPECT_TRUE(request.proof->no_prove);
  // The paper's config, and what its code does beside the text.
  EXPECT_EQ(paper.hidden, (std::vector<int>{512, 512}));
  EXPECT_EQ(paper_moves(8, paper, 1), 1000 * 20 * 8);
  EXPECT_EQ(paper.champion_every, 20);
  EXPECT_EQ(paper.batch, 512);
  EXPECT_EQ(paper.replay, 200000);
  EXPECT_EQ(paper.train_every, 4);
  EXPECT_EQ(paper.optimizer, "adam");
  EXPECT_EQ(paper.learning_rate, 5e-4);
  EXPECT_EQ(paper.clip, 5);
  EXPECT_EQ(paper.rate_steps, 10000);
  EXPECT_EQ(paper.rate_decay, 0.9);
  EXPECT_EQ(paper.bonus, 0.5);
}

TEST(Preset, WhatTheUserSetsStays) {
  Settings settings;
  RunRequest request(settings, RunRequest::Kind::kMatch);
  settings.set("preset", string("paper-text"));
  settings.set("opponent", string("grandag"));
  settings.set("episodes", int64_t{3});
  settings.set("train-every", int64_t{2});
  const Plan plan = make_plan(request, {});
  EXPECT_EQ(plan.algorithms[0]->name, "grandag");
  EXPECT_EQ(plan.match.challenger.paper.episodes, 3);
  EXPECT_EQ(plan.match.challenger.paper.train_every, 2);
  EXPECT_EQ(plan.match.challenger.paper.optimizer, "sgd");
  EXPECT_EQ(plan.match.challenger.paper.bonus, 0);
}

TEST(Preset, ScoresByThePapersRule) {
  EXPECT_EQ(published_score(embedded_table("asia")), "discrete-bic");
  EXPECT_EQ(published_score(embedded_table("sachs")), "copula-bic");
  EXPECT_EQ(published_score(embedded_table("child")), "copula-bic");
}

TEST(Preset, TakesTheCodesOfLevelsThatAreText) {
  // A table of the same codes, as the authors' files have them, gives the same graph and score.
  const Dataset child = embedded_table("child", 300, 1);
  std::vector<Column> columns;
  for (const int node : child.file_order()) {
    const Column& column = child.column(node);
    std::vector<double> codes;
    for (size_t row = 0; row < child.rows(); ++row) codes.push_back(column.codes[row]);
    columns.push_back(continuous_column(column.name, codes));
  }
  std::vector<RunRecord> records;
  KeptJournal log;
  for (const Dataset& table : {child, make_dataset(columns, "codes")}) {
    Settings settings;
    RunRequest request(settings, RunRequest::Kind::kMatch);
    settings.set("preset", string("paper"));
    settings.set("episodes", int64_t{2});
    settings.set("episode-moves", int64_t{5});
    settings.set("hidden", std::vector<string>{"8"});
    LoadedData data{table, {}};
    data.record = describe_data(data.table);
    records.push_back(run(request, {.data = std::make_shared<const LoadedData>(data)}, {.log = log}).record);
  }
  EXPECT_EQ(records[0].score.name, "copula-bic");
  EXPECT_EQ(records[0].score.value, records[1].score.value);
  EXPECT_EQ(records[0].data.checksum, records[1].data.checksum);
  ASSERT_EQ(records[0].edges.size(), records[1].edges.size());
  for (size_t k = 0; k < records[0].edges.size(); ++k) {
    EXPECT_EQ(records[0].edges[k].from, records[1].edges[k].from);
    EXPECT_EQ(records[0].edges[k].to, records[1].edges[k].to);
  }
}

TEST(Preset, AnswersWithTheChampionAsVisited) {
  Settings settings;
  RunRequest request(settings, RunRequest::Kind::kMatch);
  settings.set("preset", string("paper"));
  settings.set("opponent", string("hc"));
  settings.set("episodes", int64_t{40});
  settings.set("episode-moves", int64_t{12});
  settings.set("hidden", std::vector<string>{"16"});
  settings.set("batch", int64_t{16});
  LoadedData asia{embedded_table("asia", 500, 1), {}};
  asia.record = describe_data(asia.table);
  KeptJournal log;
  const RunRecord record = run(request, {.data = std::make_shared<const LoadedData>(asia)}, {.log = log}).record;
  EXPECT_EQ(record.score.name, "discrete-bic");
  EXPECT_EQ(record.moves, 480);
  ASSERT_TRUE(record.certificate.has_value());
  EXPECT_EQ(record.match->edge_budget, 16);
  EXPECT_NE(record.match->found_by, "ascent");
}

}  // namespace
}  // namespace agon
