#include "agon/agent/schedule.h"

#include <gtest/gtest.h>

#include <map>

#include "agon/base/error.h"
#include "agon/score/test_scores.h"
#include "agon/score/test_tables.h"

namespace agon {
namespace {

TEST(Exploration, FallsInALineToItsFloor) {
  const Exploration e{.from = 1, .floor = 0.2, .steps = 4};
  EXPECT_DOUBLE_EQ(epsilon_at(e, 0), 1);
  EXPECT_DOUBLE_EQ(epsilon_at(e, 1), 0.8);
  EXPECT_DOUBLE_EQ(epsilon_at(e, 3), 0.4);
  EXPECT_EQ(epsilon_at(e, 4), 0.2);
  EXPECT_EQ(epsilon_at(e, 1000000), 0.2);
  EXPECT_EQ(epsilon_at({.from = 1, .floor = 0.05, .steps = 0}, 0), 0.05);
  EXPECT_THROW(check(Exploration{.from = 1, .floor = 0}), UsageError);
  EXPECT_THROW(check(Exploration{.from = 0.01, .floor = 0.1}), UsageError);
  EXPECT_THROW(check(Exploration{.from = 1.5, .floor = 0.1}), UsageError);
  EXPECT_THROW(check(Exploration{.from = 1, .floor = 0.1, .steps = -1}), UsageError);
  EXPECT_NO_THROW(check(Exploration{}));
}

TEST(RandomValidMove, IsUniformOverTheMask) {
  Rng rng(5);
  const Dataset data = testing::random_categorical({.variables = 5, .rows = 80, .most_levels = 3}, rng);
  const auto score = make_score("discrete-bic", data);
  ColumnCache cache(*score);
  const Knowledge nothing;
  const Game game(cache, testing::random_dag(5, 0.5, rng), {}, nothing);
  const std::vector<EdgeMove> valid = game.valid_moves();
  ASSERT_GT(valid.size(), 5u);
  std::map<EdgeMove, int> count;
  const int each = 2000, draws = each * static_cast<int>(valid.size());
  for (int k = 0; k < draws; ++k) ++count[*random_valid_move(game, rng)];
  EXPECT_EQ(count.size(), valid.size());
  for (EdgeMove move : valid) EXPECT_NEAR(count[move], each, 240);  // over 5 standard deviations
}

TEST(RandomValidMove, FindsTheOnlyOneAndSaysWhenThereIsNone) {
  Rng rng(6);
  const Dataset data = testing::random_continuous(30, 60, false, rng);
  const auto score = make_score("gaussian-bic", data);
  const auto game_with = [&](bool one) {
    KnowledgeBuilder builder(data.names());
    for (const std::string& a : data.names()) {
      for (const std::string& b : data.names()) {
        if (a != b && !(one && a == "v3" && b == "v7")) builder.forbid(a, b, "test");
      }
    }
    return builder.build();
  };
  const Knowledge only = game_with(true), none = game_with(false);
  ColumnCache cache(*score);
  const EdgeMove expected{MoveKind::kAdd, data.index_of("v3"), data.index_of("v7")};
  EXPECT_EQ(random_valid_move(Game(cache, Dag(30), {}, only), rng), expected);
  EXPECT_EQ(random_valid_move(Game(cache, Dag(30), {}, none), rng), std::nullopt);
}

}  // namespace
}  // namespace agon
