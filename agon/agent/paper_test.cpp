#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "agon/agent/paper_player.h"
#include "agon/base/error.h"
#include "agon/score/test_scores.h"
#include "agon/score/test_tables.h"

namespace agon {
namespace {

PaperOptions small() {
  PaperOptions options;
  options.hidden = {16, 16};
  options.batch = 16;
  options.replay = 500;
  options.exploration = {.from = 1, .floor = 0.1, .steps = 300};
  return options;
}

TEST(PlayPaper, OutputsNumberTheMoves) {
  const int p = 5;
  std::set<int> seen;
  for (Node from = 0; from < p; ++from) {
    for (Node to = 0; to < p; ++to) {
      if (from == to) continue;
      for (MoveKind kind : {MoveKind::kAdd, MoveKind::kRemove, MoveKind::kReverse}) {
        const int k = paper_output(p, {kind, from, to});
        EXPECT_GE(k, 0);
        EXPECT_LT(k, 3 * p * (p - 1));
        seen.insert(k);
      }
    }
  }
  EXPECT_EQ(seen.size(), 60u);
}

TEST(FirstLayer, FollowsTheMovesOfAGame) {
  Rng rng(1);
  const Dataset data = testing::random_continuous(6, 80, false, rng);
  const auto score = make_score("gaussian-bic", data);
  ColumnCache cache(*score);
  const Knowledge nothing;
  Game game(cache, testing::random_dag(6, 0.3, rng), {}, nothing);
  Mlp net({.inputs = 36, .hidden = {7, 5}, .outputs = 90, .leak = 0}, rng);
  for (float& w : net.weights()) w += 0.1f * static_cast<float>(rng.normal());  // biases too
  FirstLayer first;
  first.rebuild(net, game.dag());
  MlpWork<float> kept, plain;
  for (int step = 0; step < 60; ++step) {
    const EdgeMove move = *random_valid_move(game, rng);
    game.play(move);
    first.play(net, 6, move);
    NetVector<float> x = NetVector<float>::Zero(36);
    for (Node i = 0; i < 6; ++i) {
      for (Node j = 0; j < 6; ++j) x[i * 6 + j] = game.dag().has_edge(i, j);
    }
    ASSERT_NEAR((net.forward_from_first(first.value(), kept) - net.forward_one(x, plain)).norm(), 0, 1e-4);
  }
}

TEST(PlayPaper, KeepsTheLawsOfAChallenger) {
  Rng rng(2);
  const Dataset data = testing::random_categorical({.variables = 5, .rows = 150, .most_levels = 3}, rng);
  const auto score = make_score("discrete-bic", data);
  KnowledgeBuilder builder(data.names());
  builder.require(data.column(0).name, data.column(1).name, "test");
  const Knowledge knowledge = builder.build();
  const Dag start = repair(Dag(5), knowledge);
  for (bool learning : {false, true}) {
    const auto play = [&] {
      ColumnCache cache(*score);
      Game game(cache, start, {}, knowledge);
      Champion champion{start, game.score(), {}};
      const double warm = champion.score;
      PaperOptions options = small();
      options.learning = learning;
      const PlayCounts counts = PaperPlayer(game, options, Rng(3)).play(game, champion, {.moves = 600});
      EXPECT_EQ(counts.moves, 600);
      EXPECT_EQ(counts.episodes, 6);  // of 20 p = 100 moves each
      EXPECT_GT(counts.improved, 0);
      EXPECT_GT(champion.score, warm);
      EXPECT_TRUE(satisfies(champion.dag, knowledge));
      EXPECT_NEAR(champion.score, total(*score, champion.dag), 1e-9 * std::abs(champion.score));
      return champion.dag;
    };
    EXPECT_EQ(play(), play());
  }
}

TEST(PlayPaper, RefusesPolitelyWhatWouldTakeTooLong) {
  EXPECT_GT(paper_cost(20, {}, 10000).seconds, 5 * paper_cost(20, {}, 2000).seconds * 0.9);
  EXPECT_GT(paper_cost(100, {}, 10000).seconds, 5 * paper_cost(20, {}, 10000).seconds);
  EXPECT_GT(paper_cost(223, {}, 1).bytes, 2e9);
  try {
    refuse_what_is_too_much(12, {}, 240000, false);
    FAIL() << "was not refused";
  } catch (const UsageError& e) {
    EXPECT_NE(std::string(e.what()).find("240,000 moves on 12 variables"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("flat"), std::string::npos) << e.what();
  }
  EXPECT_NO_THROW(refuse_what_is_too_much(12, {}, 240000, true));
  PaperOptions tight;
  tight.most_bytes = 1000;
  EXPECT_THROW(refuse_what_is_too_much(12, tight, 10, true), UsageError);
  PaperOptions bad;
  bad.hidden = {};
  EXPECT_THROW(check(bad), UsageError);
  EXPECT_NO_THROW(check(PaperOptions{}));
}

}  // namespace
}  // namespace agon
