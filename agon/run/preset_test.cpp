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
