#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "agon/agent/paper_player.h"
#include "agon/base/error.h"
#include "agon/data/embedded.h"
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
  Mlp mlp({.inputs = 36, .hidden = {7, 5}, .outputs = 90, .leak = 0}, rng);
  for (float& w : mlp.weights()) w += 0.1f * static_cast<float>(rng.normal());  // biases too
  const PaperNetwork net(mlp);
  FirstLayer first;
  first.rebuild(net, game.dag());
  for (int step = 0; step < 60; ++step) {
    const EdgeMove move = *random_valid_move(game, rng);
    game.play(move);
    first.play(net, 6, move);
    NetVector<float> x = NetVector<float>::Zero(36);
    for (Node i = 0; i < 6; ++i) {
      for (Node j = 0; j < 6; ++j) x[i * 6 + j] = game.dag().has_edge(i, j);
    }
    const NetVector<float> expected = mlp.matrix(0) * x + mlp.bias(0);
    for (int k = 0; k < 7; ++k) ASSERT_NEAR(first.value()[k], expected[k], 1e-4);
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

// Plays in parts of so many moves each.
struct PaperPlay {
  Dag stands, champion;
  double score = 0;
  PlayCounts counts;
  std::vector<std::string> story;
  bool operator==(const PaperPlay& other) const {
    return stands == other.stands && champion == other.champion && score == other.score &&
           counts.improved == other.counts.improved;
  }
};
PaperPlay play_in_parts(const LocalScore& score, const PaperOptions& options, std::initializer_list<long> parts) {
  ColumnCache cache(score);
  const Knowledge nothing;
  Game game(cache, Dag(score.size()), {.edge_budget = 10}, nothing);
  Champion champion{game.dag(), game.score(), {}};
  PaperPlayer player(game, options, Rng(3));
  PaperPlay out;
  for (const long moves : parts) {
    const PlayCounts counts = player.play(game, champion, {.moves = moves});
    out.counts.improved += counts.improved;
    out.counts.episodes += counts.episodes;
  }
  out.stands = game.dag();
  out.champion = champion.dag;
  out.score = champion.score;
  out.story = player.story();
  return out;
}

TEST(PlayPaper, AnEpisodeContinuesWhereTheBudgetCutIt) {
  const Dataset data = embedded_table("asia", 500, 1);
  const auto score = make_score("discrete-bic", data);
  PaperOptions options = small();
  options.bonus = 0.5;
  const PaperPlay whole = play_in_parts(*score, options, {1010}),
                  parts = play_in_parts(*score, options, {70, 130, 700, 110});
  EXPECT_EQ(whole, parts);
  EXPECT_EQ(whole.counts.episodes, 7);  // of 20 p = 160 moves, the last one cut
  EXPECT_EQ(parts.counts.episodes, 7);
}

TEST(PlayPaper, OnlyEveryPthEpisodeMayCrown) {
  const Dataset data = embedded_table("asia", 500, 1);
  const auto score = make_score("discrete-bic", data);
  PaperOptions options = small();
  options.learning = false;  // the greedy twin: most episodes end above the empty graph
  options.exploration = {.from = 0.1, .floor = 0.1, .steps = 1};
  options.champion_every = 3;
  EXPECT_EQ(play_in_parts(*score, options, {479}).counts.improved, 0);
  const PaperPlay third = play_in_parts(*score, options, {480});
  EXPECT_EQ(third.counts.improved, 1);
  EXPECT_EQ(third.champion, third.stands);  // the last graph of the third episode, not the best on the way
  options.champion_every = 0;
  EXPECT_GE(play_in_parts(*score, options, {480}).score, third.score - 1e-9 * std::abs(third.score));
}

// With champion_every the champion does not tell what play has seen; the story does.
TEST(PlayPaper, TellsTheBestGraphItVisited) {
  const Dataset data = embedded_table("asia", 500, 1);
  const auto score = make_score("discrete-bic", data);
  PaperOptions options = small();
  options.champion_every = 1000;
  const PaperPlay none = play_in_parts(*score, options, {480});
  EXPECT_EQ(none.counts.improved, 0);
  options.champion_every = 0;
  const PaperPlay any = play_in_parts(*score, options, {480});
  ASSERT_EQ(any.story.size(), 1u);
  EXPECT_EQ(none.story, any.story);  // whether graphs are crowned or not changes no move
  ColumnCache cache(*score);
  const Knowledge nothing;
  const double first = Game(cache, Dag(8), {}, nothing).score();
  EXPECT_NE(any.story[0].find(fmt::format("in 3 episodes scores {:.3f}, {:.3f} above", any.score, any.score - first)),
            std::string::npos)
      << any.story[0];
}

TEST(PlayPaper, WantsItsEpisodesOrWhatFits) {
  EXPECT_EQ(paper_moves(8, {.episodes = 1000}, 5), 1000 * 160);
  EXPECT_EQ(paper_moves(8, {.episode_moves = 7, .episodes = 3}, 5), 21);
  EXPECT_EQ(paper_moves(8, {}, 5000), 5000);
  for (const int nodes : {8, 37, 100}) {
    const long fits = paper_moves(nodes, {}, 6'000'000);
    EXPECT_LT(fits, 6'000'000);
    EXPECT_NO_THROW(refuse_what_is_too_much(nodes, {}, fits, false));
    EXPECT_THROW(refuse_what_is_too_much(nodes, {}, fits + fits / 20, false), UsageError);
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
  tight.most_gigabytes = 1e-6;
  EXPECT_THROW(refuse_what_is_too_much(12, tight, 10, true), UsageError);
  PaperOptions bad;
  bad.hidden = {};
  EXPECT_THROW(check(bad), UsageError);
  EXPECT_NO_THROW(check(PaperOptions{}));
}

}  // namespace
}  // namespace agon
