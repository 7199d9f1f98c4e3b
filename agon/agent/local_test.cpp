#include <gtest/gtest.h>

#include <cmath>

#include "agon/agent/local_player.h"
#include "agon/data/embedded.h"
#include "agon/opponent/hill_climbing.h"
#include "agon/score/test_scores.h"
#include "agon/score/test_tables.h"

namespace agon {
namespace {

struct Played {
  Champion champion;
  PlayCounts counts;
  double start_score = 0;
};

Played play(const LocalScore& score, const Dag& start, long moves, uint64_t seed, const Knowledge& knowledge = {},
            size_t cache_bytes = size_t{64} << 20) {
  ColumnCache cache(score, cache_bytes);
  Game game(cache, start, {}, knowledge);
  Played out{{start, game.score(), {}}, {}, game.score()};
  out.counts = LocalPlayer(game, {}, Rng(seed)).play(game, out.champion, {.moves = moves});
  EXPECT_TRUE(game.live().check_invariants());
  EXPECT_TRUE(satisfies(out.champion.dag, knowledge));
  EXPECT_NEAR(out.champion.score, total(score, out.champion.dag), 1e-9 * std::abs(out.champion.score));
  EXPECT_GE(out.champion.score, out.start_score);
  return out;
}

TEST(PlayLocal, LeavesTheOptimumThatHillClimbingIsStuckIn) {
  const Dataset data = embedded_table("asia");
  const auto score = make_score("discrete-bic", data);
  const SearchResult climbed = hill_climb(*score, Dag(data.size()));
  std::vector<Edge> edges;
  for (const auto& [from, to] : embedded_truth("asia")) edges.push_back({data.index_of(from), data.index_of(to)});
  const double truth = total(*score, *dag_from_edges(data.size(), edges));
  ASSERT_LT(climbed.score, truth);
  for (uint64_t seed = 0; seed < 3; ++seed) {
    EXPECT_GE(play(*score, climbed.dag, 20000, seed).champion.score, truth - 1e-6);
  }
}

TEST(PlayLocal, SameSeedSamePlayWhateverTheCacheHolds) {
  Rng rng(1);
  const Dataset data = testing::random_continuous(9, 300, false, rng);
  const auto score = make_score("copula-bic", data);
  const Played a = play(*score, Dag(9), 3000, 5), b = play(*score, Dag(9), 3000, 5, {}, 2000);
  EXPECT_EQ(a.champion.dag, b.champion.dag);
  EXPECT_EQ(a.champion.score, b.champion.score);
  EXPECT_EQ(a.counts.episodes, b.counts.episodes);
  EXPECT_EQ(a.counts.accepted, b.counts.accepted);
}

TEST(PlayLocal, UsesItsBudgetAndReportsEveryNewChampion) {
  Rng rng(2);
  const Dataset data = testing::random_categorical({.variables = 8, .rows = 200, .most_levels = 3}, rng);
  const auto score = make_score("discrete-bic", data);
  ColumnCache cache(*score);
  const Knowledge nothing;
  Game game(cache, Dag(8), {}, nothing);
  Champion champion{Dag(8), game.score(), {}};
  std::vector<double> history;
  champion.on_new = [&](long, double found, const Dag&) { history.push_back(found); };
  const PlayCounts counts = LocalPlayer(game, {}, Rng(3)).play(game, champion, {.moves = 500});
  EXPECT_GE(counts.moves, 500);
  EXPECT_EQ(static_cast<long>(history.size()), counts.improved);
  EXPECT_TRUE(std::is_sorted(history.begin(), history.end()));
  ASSERT_FALSE(history.empty());
  EXPECT_EQ(history.back(), champion.score);
}

TEST(PlayLocal, EveryKindOfProposalKeepsTheLawsAndLearningChangesThePlay) {
  const Dataset data = embedded_table("asia");
  const auto score = make_score("discrete-bic", data);
  const Dag start = hill_climb(*score, Dag(data.size())).dag;
  for (ProposalKind kind :
       {ProposalKind::kUniform, ProposalKind::kDelta, ProposalKind::kRule, ProposalKind::kTrained}) {
    std::vector<long> episodes;
    for (bool learning : {false, true}) {
      LocalOptions options;
      options.proposal.kind = kind;
      options.learning = learning;
      ColumnCache cache(*score);
      const Knowledge nothing;
      Game game(cache, start, {}, nothing);
      Champion champion{start, game.score(), {}};
      LocalPlayer player(game, options, Rng(4));
      episodes.push_back(player.play(game, champion, {.moves = 4000}).episodes);
      EXPECT_EQ(player.updates() > 0, learning);
      EXPECT_NEAR(champion.score, total(*score, champion.dag), 1e-9 * std::abs(champion.score));
      EXPECT_TRUE(game.live().check_invariants());
    }
    EXPECT_NE(episodes[0], episodes[1]) << to_string(kind);
  }
}

TEST(LengthBandit, DrawsWhatSucceedsMoreOften) {
  LengthBandit bandit(20);
  Rng rng(6);
  int lengths_late[21] = {};
  for (int k = 0; k < 4000; ++k) {
    const int length = bandit.draw(rng);
    ASSERT_GE(length, 1);
    ASSERT_LE(length, 20);
    if (k >= 2000) ++lengths_late[length];
    bandit.report(length >= 6 && length <= 10, 2 * length);  // only the middle ever succeeds
  }
  int middle = 0;
  for (int length = 6; length <= 10; ++length) middle += lengths_late[length];
  EXPECT_GT(middle, 1200);
  EXPECT_LT(middle, 2000);  // the others keep their chance
  LengthBandit one(1);
  EXPECT_EQ(one.draw(rng), 1);
}

TEST(PlayLocal, KeepsToTheKnowledgeAndEndsWhereNothingCanMove) {
  Rng rng(3);
  const Dataset data = testing::random_categorical({.variables = 5, .rows = 100, .most_levels = 3}, rng);
  const auto score = make_score("discrete-bic", data);
  KnowledgeBuilder builder(data.names());
  for (const std::string& a : data.names()) {
    for (const std::string& b : data.names()) {
      if (a != b) builder.forbid(a, b, "test");
    }
  }
  const Knowledge nothing_allowed = builder.build();
  EXPECT_EQ(play(*score, Dag(5), 100, 1, nothing_allowed).champion.dag, Dag(5));
  KnowledgeBuilder tiers(data.names());
  tiers.tier(1, {data.column(0).name, data.column(1).name}, false, false, "test");
  tiers.tier(2, {data.column(2).name}, true, false, "test");
  tiers.require(data.column(0).name, data.column(4).name, "test");
  const Knowledge knowledge = tiers.build();
  play(*score, repair(Dag(5), knowledge), 3000, 1, knowledge);
}

}  // namespace
}  // namespace agon
