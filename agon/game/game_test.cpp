#include "agon/game/game.h"

#include <gtest/gtest.h>

#include <cmath>

#include "agon/score/test_scores.h"
#include "agon/score/test_tables.h"

namespace agon {
namespace {

Dataset random_table(Rng& rng, ColumnKind kind) {
  if (kind == ColumnKind::kContinuous) return testing::random_continuous(5, 150, rng.below(2) == 0, rng);
  return testing::random_categorical({.variables = 6, .rows = 150, .most_levels = 4}, rng);
}

Knowledge random_knowledge(const Dataset& data, Rng& rng) {
  const Dag required = testing::random_dag(data.size(), 0.1, rng);
  KnowledgeBuilder builder(data.names());
  for (const Edge& e : required.edges()) builder.require(data.column(e.from).name, data.column(e.to).name, "test");
  for (Node from = 0; from < data.size(); ++from) {
    for (Node to = 0; to < data.size(); ++to) {
      if (from == to || required.has_edge(from, to) || rng.uniform() > 0.15) continue;
      builder.forbid(data.column(from).name, data.column(to).name, "test");
    }
  }
  return builder.build();
}

// Validity by definition: edits a copy and checks the whole of it.
bool valid_by_definition(const Game& game, const LocalScore& score, EdgeMove move) {
  const Dag& dag = game.dag();
  if (move.from == move.to) return false;
  if (move.kind == MoveKind::kAdd ? dag.adjacent(move.from, move.to) : !dag.has_edge(move.from, move.to)) return false;
  Dag copy = dag;
  copy.apply(move);
  if (!is_acyclic(copy) || copy.edge_count() > game.edge_budget() || !satisfies(copy, game.knowledge())) return false;
  const auto touches_constant = [&](Node v) { return score.traits().constant[v]; };
  if (move.kind != MoveKind::kRemove && (touches_constant(move.from) || touches_constant(move.to))) return false;
  try {
    total(score, copy);
  } catch (const ScoreUndefined&) {
    return false;
  }
  return true;
}

TEST(Game, RandomPlayObeysItsLaws) {
  for (const testing::TestScore& entry : testing::all_scores()) {
    for (uint64_t seed = 0; seed < 6; ++seed) {
      Rng rng(seed);
      const Dataset data = random_table(rng, entry.kind);
      const auto score = entry.make(data, {.max_parents = data.size()});
      const Knowledge knowledge = random_knowledge(data, rng);
      ColumnCache cache(*score);
      const Dag start = repair(Dag(data.size()), knowledge);
      try {
        total(*score, start);
      } catch (const ScoreUndefined&) {
        continue;
      }
      const GameOptions options{.edge_budget = 7, .lambda = 0.1, .step_cost = 0.25, .illegal_penalty = 3};
      Game game(cache, start, options, knowledge);
      double returned = 0, expected = 0;
      for (int step = 0; step < 40; ++step) {
        std::vector<EdgeMove> by_definition;
        for (Node to = 0; to < data.size(); ++to) {
          for (Node from = 0; from < data.size(); ++from) {
            for (MoveKind kind : {MoveKind::kAdd, MoveKind::kRemove, MoveKind::kReverse}) {
              if (valid_by_definition(game, *score, {kind, from, to})) by_definition.push_back({kind, from, to});
            }
          }
        }
        ASSERT_EQ(game.valid_moves(), by_definition) << entry.name << " seed " << seed << " step " << step;
        if (by_definition.empty()) break;
        const EdgeMove move = by_definition[rng.below(static_cast<int>(by_definition.size()))];
        const Dag before = game.dag();
        const double score_before = total(*score, before);
        game.take_back(game.play(move));
        ASSERT_EQ(game.dag(), before);
        ASSERT_NEAR(game.score(), score_before, 1e-9 * std::abs(score_before));
        const Undo played = game.play(move);
        ASSERT_TRUE(played.made);
        const double score_after = total(*score, game.dag());
        ASSERT_NEAR(played.gain, score_after - score_before, 1e-8 * std::abs(score_before));
        returned += played.reward;
        expected += (score_after - score_before) / data.size() - 0.1 * game.dag().edge_count() - 0.25;
        ASSERT_TRUE(game.live().check_invariants());
      }
      EXPECT_NEAR(returned, expected, 1e-6);
    }
  }
}

TEST(Game, ForcingAnInvalidMoveChangesNothingAndCosts) {
  Rng rng(1);
  const Dataset data = random_table(rng, ColumnKind::kContinuous);
  const auto score = make_score("gaussian-bic", data);
  ColumnCache cache(*score);
  const Knowledge nothing;
  Game game(cache, Dag(data.size()), {.illegal_penalty = 2}, nothing);
  const Undo forced = game.play({MoveKind::kRemove, 0, 1});
  EXPECT_FALSE(forced.made);
  EXPECT_EQ(forced.reward, -2);
  EXPECT_EQ(game.dag(), Dag(data.size()));
  game.take_back(forced);
  EXPECT_EQ(game.dag(), Dag(data.size()));
}

TEST(Game, EdgeBudgetDefaultsAndNeverCutsTheStart) {
  Rng rng(2);
  const Dataset data = testing::random_continuous(6, 100, false, rng);
  const auto score = make_score("gaussian-bic", data);
  ColumnCache cache(*score);
  const Knowledge nothing;
  const Dag full = testing::random_dag(6, 1.0, rng);
  EXPECT_EQ(Game(cache, Dag(6), {}, nothing).edge_budget(), 24);
  EXPECT_EQ(Game(cache, full, {}, nothing).edge_budget(), 30);
  EXPECT_EQ(Game(cache, full, {.edge_budget = 3}, nothing).edge_budget(), 15);
}

TEST(Game, AscentEndsOneOptimalAndCanBeTakenBack) {
  for (uint64_t seed = 0; seed < 5; ++seed) {
    Rng rng(seed);
    const Dataset data = testing::random_continuous(7, 200, false, rng);
    const auto score = make_score("copula-bic", data);
    ColumnCache cache(*score);
    const Knowledge nothing;
    const Dag start = testing::random_dag(7, 0.3, rng);
    Game game(cache, start, {}, nothing);
    const std::vector<Undo> played = ascend(game);
    EXPECT_FALSE(played.empty());
    for (EdgeMove move : game.valid_moves()) EXPECT_LE(gain(*score, game.dag(), move), game.tolerance());
    for (size_t k = played.size(); k-- > 0;) game.take_back(played[k]);
    EXPECT_EQ(game.dag(), start);
  }
}

// The game keeps its gaining moves up to date; the twin scans every node again. The play includes knowledge, a budget
// that binds, moves taken back, a cache that evicts columns, and a new episode.
TEST(Game, BestGainingMoveIsThatOfThePlainScanInRandomPlay) {
  for (const testing::TestScore& entry : testing::all_scores()) {
    int found = 0;
    for (uint64_t seed = 0; seed < 12; ++seed) {
      Rng rng(seed);
      const Dataset data = entry.kind == ColumnKind::kContinuous
                               ? testing::random_continuous(9, 150, false, rng)
                               : testing::random_categorical({.variables = 9, .rows = 150, .most_levels = 3}, rng);
      const auto score = entry.make(data, {});
      const Knowledge knowledge = seed % 2 == 0 ? Knowledge() : random_knowledge(data, rng);
      ColumnCache cache(*score, seed % 3 == 0 ? 3000 : 1 << 20);
      const Dag start = repair(Dag(data.size()), knowledge);
      Game game(cache, start, {.edge_budget = seed % 4 < 2 ? 0 : 8}, knowledge);
      std::vector<Undo> played;
      for (int step = 0; step < 300; ++step) {
        const auto expected = best_gaining_move(game.live(), game.deltas(), knowledge, game.tolerance(),
                                                game.dag().edge_count() < game.edge_budget());
        // Not at every step: the game must also catch up with several moves at once.
        if (rng.below(3) == 0) {
          ASSERT_EQ(game.best_gaining_move(), expected) << entry.name << " seed " << seed << " step " << step;
        }
        found += expected.has_value();
        const int choice = rng.below(10);
        if (choice == 0 && !played.empty()) {
          game.take_back(played.back());
          played.pop_back();
        } else if (choice < 3 && expected) {
          played.push_back(game.play(*expected));
        } else if (step % 100 == 99) {
          game.reset(start);
          played.clear();
        } else {
          played.push_back(
              game.play({static_cast<MoveKind>(rng.below(3)), rng.below(data.size()), rng.below(data.size())}));
        }
      }
    }
    EXPECT_GT(found, 1000) << entry.name;
  }
}

TEST(Game, AStopEndsTheAscentWhereItIs) {
  Rng rng(12);
  const Dataset data = testing::random_continuous(6, 200, false, rng);
  const auto score = make_score("gaussian-bic", data);
  ColumnCache cache(*score);
  const Knowledge nothing;
  const std::atomic<bool> flag{true};
  Watch stopped;
  stopped.interrupted = &flag;
  EXPECT_THROW(Game(cache, Dag(6), {}, nothing, stopped), Interrupted);
  Game game(cache, Dag(6), {}, nothing);
  std::vector<Undo> played;
  ASSERT_TRUE(game.best_gaining_move());
  EXPECT_FALSE(ascend(game, played, stopped));
  EXPECT_TRUE(played.empty());
  EXPECT_TRUE(ascend(game, played, {}));
  const size_t moves = played.size();
  EXPECT_GT(moves, 0u);
  EXPECT_TRUE(ascend(game, played, stopped));  // nothing was left to do
  EXPECT_EQ(played.size(), moves);
  EXPECT_THROW(game.reset(Dag(6), stopped), Interrupted);
}

TEST(Game, AnOnlookerSeesEnoughToRepeatThePlay) {
  Rng rng(11);
  const Dataset data = testing::random_continuous(7, 150, false, rng);
  const auto score = make_score("gaussian-bic", data);
  ColumnCache cache(*score);
  const Knowledge nothing;
  Game game(cache, Dag(7), {}, nothing), twin(cache, Dag(7), {}, nothing);
  long seen[5] = {};
  game.set_onlooker([&](const Game& told, GameEvent event, const Undo& undo) {
    ++seen[static_cast<int>(event)];
    if (event == GameEvent::kPlayed) {
      EXPECT_EQ(twin.play(undo.move).made, undo.made);
    }
    if (event == GameEvent::kTakenBack) twin.take_back(undo);
    if (event == GameEvent::kReset) twin.reset(told.dag());
    EXPECT_EQ(twin.dag(), told.dag());  // called after the event
  });
  for (int episode = 0; episode < 20; ++episode) {
    std::vector<Undo> played;
    for (int k = 0; k < 5; ++k) {
      const MoveKind kind = static_cast<MoveKind>(rng.below(3));
      played.push_back(game.play({kind, rng.below(7), rng.below(7)}));
    }
    ascend(game, played);
    if (episode % 2 == 0) {
      for (size_t k = played.size(); k-- > 0;) game.take_back(played[k]);
    }
    if (episode % 5 == 0) game.reset(Dag(7));
  }
  EXPECT_EQ(seen[static_cast<int>(GameEvent::kPlayed)], game.moves());
  EXPECT_EQ(seen[static_cast<int>(GameEvent::kAscentBegins)], 20);
  EXPECT_EQ(seen[static_cast<int>(GameEvent::kAscentEnds)], 20);
  EXPECT_EQ(seen[static_cast<int>(GameEvent::kReset)], 4);
  EXPECT_GT(seen[static_cast<int>(GameEvent::kTakenBack)], 50);
}

TEST(Game, WritesItselfOutAsText) {
  const Dataset data = make_dataset(
      {categorical_column("rain", {0, 1, 0, 1, 0, 1, 0, 1}), categorical_column("wet", {0, 1, 0, 1, 0, 1, 0, 1}),
       categorical_column("noise", {0, 0, 1, 1, 0, 0, 1, 1})},
      "t");
  const auto score = make_score("discrete-bic", data);
  ColumnCache cache(*score);
  const Knowledge nothing;
  Game game(cache, Dag(3), {}, nothing);
  std::string text = describe(game, data.names());
  text += describe(game.play({MoveKind::kAdd, data.index_of("rain"), data.index_of("wet")}), data.names());
  text += describe(game.play({MoveKind::kAdd, data.index_of("wet"), data.index_of("rain")}), data.names());
  text += describe(game, data.names());
  // The gain is ln 2 for each of 8 rows, less 1/2 ln 8 for one parameter: 5.5452 - 1.0397 = 4.5055. The reward is a
  // third of it, less 0.005 for the one edge and 0.01 for the move.
  EXPECT_EQ(text,
            "edges 0 of at most 12   score -19.755\n"
            "  no edges\n"
            "  valid 6 of 18 (6 add, 0 remove, 0 reverse)\n"
            "add rain -> wet   gain +4.505   reward +1.4868\n"
            "add wet -> rain: not valid, nothing changes   reward -1.0000\n"
            "edges 1 of at most 12   score -15.249\n"
            "  rain -> wet\n"
            "  valid 6 of 18 (4 add, 1 remove, 1 reverse)\n");
}

}  // namespace
}  // namespace agon
