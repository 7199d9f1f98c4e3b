#include "agon/agent/flat_moves.h"

#include <gtest/gtest.h>

#include "agon/agent/schedule.h"
#include "agon/score/test_scores.h"
#include "agon/score/test_tables.h"

namespace agon {
namespace {

Knowledge some_knowledge(const Dataset& data, Rng& rng) {
  KnowledgeBuilder builder(data.names());
  for (const std::string& a : data.names()) {
    for (const std::string& b : data.names()) {
      if (a != b && rng.uniform() < 0.1) builder.forbid(a, b, "test");
    }
  }
  return builder.build();
}

TEST(MoveSieve, FindsWhatTheWholeMaskHolds) {
  long shown = 0, cut = 0, blocked = 0;
  for (uint64_t seed = 0; seed < 24; ++seed) {
    Rng rng(seed);
    const bool discrete = seed % 2 == 0;
    const Dataset data = discrete ? testing::random_categorical({.variables = 9, .rows = 120, .most_levels = 3}, rng)
                                  : testing::random_continuous(9, 120, false, rng);
    const auto score = make_score(discrete ? "discrete-bic" : "gaussian-bic", data);
    const Knowledge knowledge = seed % 3 == 0 ? some_knowledge(data, rng) : Knowledge();
    ColumnCache cache(*score);
    Game game(cache, Dag(9), {.edge_budget = seed % 4 == 0 ? 8 : 0, .lambda = seed % 5 == 0 ? 0.3 : 0.005}, knowledge);
    const SieveOptions options{.most = 1 + rng.below(30), .list = 1 + rng.below(6)};
    MoveSieve sieve(game, options);
    std::vector<WorthyMove> found;
    for (int step = 0; step < 60; ++step) {
      const double reach = rng.below(3) == 0 ? 0 : rng.uniform(0, 60);
      sieve.find(game, reach, found);
      ASSERT_EQ(found, plain_worthy_moves(game, reach, options.most)) << seed << " " << step;
      shown += static_cast<long>(found.size());
      cut += static_cast<int>(found.size()) == options.most;
      for (const BlockedGain& b : sieve.blocked()) {
        ++blocked;
        EXPECT_TRUE(game.live().reaches(b.to, b.from));
        EXPECT_EQ(b.gain, game.deltas().addition(b.from, b.to));
        EXPECT_GT(b.gain, 0);
      }
      if (found.empty()) break;
      for (const WorthyMove& m : found) EXPECT_EQ(m.worth, sieve.worth(game, m.move));
      const EdgeMove move = step % 3 == 0 ? *random_valid_move(game, rng) : found[0].move;
      // p (reward - reward of a pass), the pass changing nothing and costing lambda |A| + c.
      const double pass = -game.options().lambda * game.dag().edge_count() - game.options().step_cost;
      EXPECT_NEAR(sieve.worth(game, move), game.size() * (game.reward(move) - pass), 1e-9);
      game.play(move);
      sieve.refresh(game, move);
    }
  }
  EXPECT_GT(shown, 5000);
  EXPECT_GT(cut, 50);
  EXPECT_GT(blocked, 50);
}

TEST(MoveSieve, GivesNothingWhereNothingIsValid) {
  Rng rng(1);
  const Dataset data = testing::random_continuous(4, 50, false, rng);
  const auto score = make_score("gaussian-bic", data);
  KnowledgeBuilder builder(data.names());
  builder.pairs(PairKind::kForbidden, data.names(), data.names(), "test");
  const Knowledge nothing_allowed = builder.build();
  ColumnCache cache(*score);
  const Game game(cache, Dag(4), {}, nothing_allowed);
  std::vector<WorthyMove> found{{}};
  MoveSieve(game, {}).find(game, 100, found);
  EXPECT_TRUE(found.empty());
}

}  // namespace
}  // namespace agon
