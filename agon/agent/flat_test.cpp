#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "agon/agent/flat_player.h"
#include "agon/base/error.h"
#include "agon/score/test_scores.h"
#include "agon/score/test_tables.h"

namespace agon {
namespace {

Champion standing(const Game& game) { return {game.dag(), game.score(), {}}; }

TEST(PlayFlat, UntrainedItIsSteepestAscent) {
  for (uint64_t seed = 0; seed < 6; ++seed) {
    Rng rng(seed);
    const Dataset data = testing::random_categorical({.variables = 8, .rows = 150, .most_levels = 3}, rng);
    const auto score = make_score("discrete-bic", data);
    ColumnCache cache(*score);
    const Knowledge nothing;
    for (bool learning : {false, true}) {
      Game game(cache, Dag(8), {.lambda = 0}, nothing);
      Champion champion = standing(game);
      FlatPlayer player(game, {.learning = learning, .episode_moves = 60}, rng);
      player.show(game, champion);
      Game climber(cache, Dag(8), {.lambda = 0}, nothing);
      ascend(climber);
      // It passes through the climber's graph, and may continue from there by moves that gain nothing.
      EXPECT_GE(champion.score, climber.score() - climber.tolerance());
    }
  }
}

TEST(PlayFlat, ArgMaxOverTheWorthyIsTheArgMaxOverAll) {
  Rng rng(2);
  const Dataset data = testing::random_continuous(8, 200, false, rng);
  const auto score = make_score("gaussian-bic", data);
  ColumnCache cache(*score);
  const Knowledge nothing;
  Game game(cache, Dag(8), {}, nothing);
  ascend(game);
  Champion champion = standing(game);
  FlatPlayer player(game, {.episode_moves = 25, .bound = 15, .shortlist = 1000, .exploration = {.steps = 300}}, rng);
  int against_reward = 0;
  for (int round = 0; round < 60; ++round) {
    player.play(game, champion, {.moves = 25 + round % 20});
    const std::optional<EdgeMove> best = player.best_move(game, champion);
    ASSERT_TRUE(best);
    double most = kNoGain;
    for (EdgeMove move : game.valid_moves()) most = std::max(most, player.q(game, champion, move));
    EXPECT_NEAR(player.q(game, champion, *best), most, 1e-4);
    against_reward += *best != plain_worthy_moves(game, 0, 1)[0].move;
  }
  EXPECT_GT(against_reward, 5);  // it has learned to look beyond the reward
  EXPECT_GT(player.updates(), 100);
}

// A table constructed to trap steepest ascent. a, b and c are fair coins, any two of them independent; their parity is
// even three times in four. d and e are fair coins that agree two times in three. The two groups are independent. Every
// combination is in the table exactly as often as expected, so n = 96 and no gain is a matter of chance. Under
// discrete-bic, with L = 1/2 ln n:
//
//   d -> e, or e -> d         n (ln 2 - H(1/3)) - L       =  3.155     H(x): entropy in nats of a coin with bias x
//   any other single edge     -L                          = -2.282     its two ends are independent
//   two of a, b, c -> third   n (ln 2 - H(1/4)) - 3 L     =  5.711     first -L, then 7.994
//
// So steepest ascent adds the edge between d and e and is trapped: reversing that edge gains nothing, every other move
// loses, and the way out begins with a loss of L.
Dataset parity_and_a_pair() {
  std::vector<int> cells[5];
  for (int bits = 0; bits < 32; ++bits) {
    const int a = bits & 1, b = bits >> 1 & 1, c = bits >> 2 & 1, d = bits >> 3 & 1, e = bits >> 4 & 1;
    const int copies = ((a ^ b ^ c) == 0 ? 3 : 1) * (d == e ? 2 : 1);
    for (int k = 0; k < copies; ++k) {
      for (int column = 0; column < 5; ++column) cells[column].push_back(bits >> column & 1);
    }
  }
  std::vector<Column> columns;
  for (int column = 0; column < 5; ++column) {
    columns.push_back(categorical_column(std::string(1, static_cast<char>('a' + column)), cells[column]));
  }
  return make_dataset(std::move(columns), "parity and a pair");
}

double coin_entropy(double x) { return -x * std::log(x) - (1 - x) * std::log(1 - x); }

TEST(PlayFlat, LearnsTheWayOutOfATrapThatItsTwinStaysIn) {
  const Dataset data = parity_and_a_pair();
  const double n = 96, price = std::log(n) / 2;
  ASSERT_EQ(data.rows(), 96u);
  const auto score = make_score("discrete-bic", data);
  ColumnCache cache(*score);
  const Knowledge nothing;
  Game climber(cache, Dag(5), {}, nothing);
  const std::vector<Undo> climb = ascend(climber);
  ASSERT_EQ(climb.size(), 1u);
  EXPECT_NEAR(climb[0].gain, n * (std::log(2) - coin_entropy(1.0 / 3)) - price, 1e-9);
  const Dag trap = climber.dag();
  ASSERT_EQ(trap.edge_count(), 1);
  ASSERT_TRUE(trap.adjacent(data.index_of("d"), data.index_of("e")));
  const double first_loss = -price, second_gain = n * (std::log(2) - coin_entropy(0.25)) - 2 * price;
  const double way_out = first_loss + second_gain;
  double best_pair = kNoGain;
  for (EdgeMove first : climber.valid_moves()) {
    const Undo undo = climber.play(first);
    ASSERT_LE(undo.gain, climber.tolerance()) << describe(undo, data.names());
    for (EdgeMove second : climber.valid_moves()) best_pair = std::max(best_pair, undo.gain + climber.gain(second));
    climber.take_back(undo);
  }
  ASSERT_NEAR(best_pair, way_out, 1e-9);

  // Trains, then plays one episode by the arg max alone; returns the gain over the trap after each of its moves.
  const auto gains_shown = [&](bool learning, uint64_t seed) {
    Game game(cache, trap, {}, nothing);
    Champion champion = standing(game);
    const FlatOptions options{.learning = learning,
                              .episode_moves = 6,
                              .discount = 0.8,
                              .shortlist = 64,
                              .hidden = {32, 32},
                              .batch = 32,
                              .train_every = 1,
                              .exploration = {.from = 1, .floor = 0.1, .steps = 3000}};
    FlatPlayer player(game, options, Rng(seed));
    player.play(game, champion, {.moves = 6000});
    std::vector<double> gains;
    for (const Undo& u : player.show(game, champion)) gains.push_back((gains.empty() ? 0 : gains.back()) + u.gain);
    return gains;
  };
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    const std::vector<double> gains = gains_shown(true, seed);
    ASSERT_EQ(gains.size(), 6u);
    EXPECT_NEAR(gains[0], first_loss, 1e-9) << seed;  // accepts a loss first,
    EXPECT_NEAR(gains[1], way_out, 1e-9) << seed;     // and is out of the trap with the second move
  }
  for (double gain : gains_shown(false, 1)) EXPECT_NEAR(gain, 0, 1e-9);  // reverses the pair back and forth
}

TEST(PlayFlat, KeepsTheLawsOfAChallenger) {
  for (bool learning : {false, true}) {
    Rng rng(3);
    const Dataset data = testing::random_categorical({.variables = 8, .rows = 200, .most_levels = 3}, rng);
    const auto score = make_score("discrete-bic", data);
    KnowledgeBuilder builder(data.names());
    builder.require(data.column(0).name, data.column(1).name, "test");
    builder.forbid(data.column(2).name, data.column(3).name, "test");
    const Knowledge knowledge = builder.build();
    const Dag start = repair(Dag(8), knowledge);
    const auto play = [&](size_t cache_bytes) {
      ColumnCache cache(*score, cache_bytes);
      Game game(cache, start, {}, knowledge);
      Champion champion = standing(game);
      std::vector<double> history{champion.score};
      champion.on_new = [&](long, double found, const Dag&) { history.push_back(found); };
      const PlayCounts counts = FlatPlayer(game, {.learning = learning, .exploration = {.steps = 1000}}, Rng(4))
                                    .play(game, champion, {.moves = 3000});
      EXPECT_EQ(counts.moves, 3000);
      EXPECT_EQ(game.moves(), 3000);
      EXPECT_EQ(counts.episodes, 19);  // of 20 p = 160 moves each
      EXPECT_EQ(counts.improved + 1, static_cast<long>(history.size()));
      EXPECT_GT(counts.improved, 0);
      EXPECT_TRUE(std::is_sorted(history.begin(), history.end()));
      EXPECT_EQ(history.back(), champion.score);
      EXPECT_TRUE(game.live().check_invariants());
      EXPECT_TRUE(satisfies(champion.dag, knowledge));
      EXPECT_NEAR(champion.score, total(*score, champion.dag), 1e-9 * std::abs(champion.score));
      return champion.dag;
    };
    EXPECT_EQ(play(64 << 20), play(2000));  // the same play, whatever the cache holds
  }
}

TEST(PlayFlat, GoesOnFromANewWarmStart) {
  Rng rng(6);
  const Dataset data = testing::random_continuous(7, 150, false, rng);
  const auto score = make_score("gaussian-bic", data);
  ColumnCache cache(*score);
  const Knowledge nothing;
  Game game(cache, Dag(7), {}, nothing);
  Champion champion = standing(game);
  FlatPlayer player(game, {.episode_moves = 30, .exploration = {.steps = 200}}, rng);
  player.play(game, champion, {.moves = 500});
  const Mlp learned = player.network();
  game.reset(champion.dag);
  const double from = game.score();
  player.set_warm_start(game);
  EXPECT_EQ(player.network(), learned);
  double sum = from;
  for (const Undo& u : player.show(game, champion)) sum += u.gain;  // every move was made, so every one was valid
  EXPECT_NEAR(game.score(), sum, 1e-6);
  player.play(game, champion, {.moves = 500});
  EXPECT_GE(champion.score, from);
  EXPECT_TRUE(game.live().check_invariants());
}

TEST(PlayFlat, EndsWhereNothingCanMoveAndRefusesBadOptions) {
  Rng rng(5);
  const Dataset data = testing::random_continuous(4, 60, false, rng);
  const auto score = make_score("gaussian-bic", data);
  KnowledgeBuilder builder(data.names());
  builder.pairs(PairKind::kForbidden, data.names(), data.names(), "test");
  const Knowledge nothing_allowed = builder.build();
  ColumnCache cache(*score);
  Game game(cache, Dag(4), {}, nothing_allowed);
  Champion champion = standing(game);
  EXPECT_EQ(FlatPlayer(game, {}, rng).play(game, champion, {.moves = 50}).improved, 0);
  EXPECT_EQ(champion.dag, Dag(4));
  EXPECT_THROW(check(FlatOptions{.discount = 1}), UsageError);
  EXPECT_THROW(check(FlatOptions{.bound = 0}), UsageError);
  EXPECT_THROW(check(FlatOptions{.batch = 100, .replay = 10}), UsageError);
  EXPECT_THROW(check(FlatOptions{.exploration = {.floor = 0}}), UsageError);
  EXPECT_NO_THROW(check(FlatOptions{}));
}

}  // namespace
}  // namespace agon
