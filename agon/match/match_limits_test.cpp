// How a match divides a limit of time, and what becomes of an opponent that was cut.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "agon/base/error.h"
#include "agon/data/embedded.h"
#include "agon/graph/central_member.h"
#include "agon/graph/equivalence.h"
#include "agon/graph/test_graphs.h"
#include "agon/match/cam_pruning.h"
#include "agon/match/match.h"
#include "agon/match/test_matches.h"
#include "agon/opponent/boss.h"
#include "agon/opponent/ges.h"
#include "agon/opponent/hill_climbing.h"
#include "agon/score/counting_score.h"
#include "agon/score/test_experiments.h"
#include "agon/score/test_scores.h"
#include "agon/score/test_tables.h"

namespace agon {
namespace {

using testing::expect_same;
using testing::expect_sound;
using testing::given;
using testing::SavedIn;

Watch until_tomorrow() {
  Watch watch;
  watch.deadline = Watch::Clock::now() + std::chrono::hours(24);
  return watch;
}

TEST(Match, OpponentsGetHalfOfTheTimeUnlessTheyAreAllThereIs) {
  Rng rng(4);
  const Dataset data = testing::random_continuous(6, 100, false, rng);
  const auto score = make_score("gaussian-bic", data);
  std::optional<Watch::Clock::time_point> told;
  const std::vector<Entrant> entrants{{"none", [&](const Watch& watch, const OpponentResults&) {
                                         told = watch.deadline;
                                         return SearchResult{Dag(6), total(*score, Dag(6)), 0, {}, "", {}, {}, {}, {}};
                                       }}};
  const Watch watch = until_tomorrow();
  play_match(*score, entrants, {.moves = 100}, {}, Rng(0), watch);
  ASSERT_TRUE(told);
  EXPECT_LT(*told, *watch.deadline - std::chrono::hours(11));
  EXPECT_GT(*told, *watch.deadline - std::chrono::hours(13));
  play_match(*score, entrants, {.moves = 0}, {}, Rng(0), watch);
  EXPECT_EQ(told, watch.deadline);
  play_match(*score, entrants, {.moves = 100}, {}, Rng(0));
  EXPECT_FALSE(told);
}

// An opponent that is cut with the empty graph, and finds `later` when it is resumed.
struct SlowOpponent {
  SearchResult first, later;
  int proposed = 0, resumed = 0;

  SlowOpponent(const LocalScore& score, const Dag& dag) {
    first.dag = Dag(score.size());
    first.score = total(score, first.dag);
    first.stopped_by = "time limit";
    first.unfinished = "somewhere";
    later.dag = dag;
    later.score = total(score, dag);
  }
  Entrant entrant() {
    return {"slow", [this](const Watch&, const OpponentResults&) { return ++proposed, first; },
            [this](const Watch&, const OpponentResults&, const SearchResult& cut) {
              EXPECT_EQ(cut.unfinished, "somewhere");
              return ++resumed, later;
            }};
  }
};

TEST(Match, AnOpponentThatWasCutIsResumedWhenPlayHasEnded) {
  Rng rng(6);
  const Dataset data = testing::random_continuous(8, 300, false, rng);
  const auto score = make_score("gaussian-bic", data);
  Dag dense(8);
  for (Node from = 0; from < 8; ++from) {
    for (Node to = from + 1; to < 8; ++to) dense.add_edge(from, to);
  }
  const Dag good = hill_climb(*score, Dag(8)).dag;
  for (const Dag& later : {good, dense, Dag(8)}) {
    for (const long moves : {50L, 4000L}) {  // too few to find much; enough
      SlowOpponent slow(*score, later);
      const std::vector<Entrant> entrants{given("none", *score, Dag(8)), slow.entrant()};
      MatchOptions options{.moves = moves, .round_moves = 10, .patience = 30};
      options.game.edge_budget = 1;  // which the graph found later exceeds
      const MatchResult r = play_match(*score, entrants, options, {}, Rng(2), until_tomorrow());
      expect_sound(r, *score, {});
      EXPECT_EQ(slow.proposed, 1);
      EXPECT_EQ(slow.resumed, 1);
      EXPECT_FALSE(r.opponents[0].cut);
      EXPECT_TRUE(r.opponents[1].cut && r.opponents[1].resumed);
      EXPECT_EQ(r.opponents[1].result.dag, later);
      EXPECT_EQ(r.best_opponent, slow.later.score > slow.first.score ? 1u : 0u);
      EXPECT_GE(r.edge_budget, later.edge_count());
      EXPECT_TRUE(std::ranges::find(r.candidates, later) != r.candidates.end());
      const bool crowned = std::ranges::any_of(r.history, [](const HistoryPoint& p) { return p.found_by == "slow"; });
      EXPECT_EQ(crowned, later.edge_count() > 0);
    }
  }
}

TEST(Match, AnOpponentThatWasCutIsNotResumedAfterAStop) {
  Rng rng(6);
  const Dataset data = testing::random_continuous(8, 300, false, rng);
  const auto score = make_score("gaussian-bic", data);
  SlowOpponent slow(*score, hill_climb(*score, Dag(8)).dag);
  std::atomic<bool> interrupted{false};
  Watch watch = until_tomorrow();
  watch.interrupted = &interrupted;
  watch.report = [&](const Progress& p) { interrupted = p.phase == "play"; };
  const MatchResult r = play_match(*score, {slow.entrant()}, {.moves = 4000, .round_moves = 10}, {}, Rng(2), watch);
  EXPECT_EQ(r.stopped_by, "interrupted");
  EXPECT_EQ(slow.resumed, 0);
  EXPECT_TRUE(r.opponents[0].cut && !r.opponents[0].resumed);
  expect_sound(r, *score, {});
}

// A match whose opponent was cut is killed in play, and resumed with a longer limit: the opponent continues at once.
TEST(Match, AMatchThatIsResumedContinuesTheOpponentsThatWereCut) {
  Rng rng(6);
  const Dataset data = testing::random_continuous(8, 300, false, rng);
  const auto score = make_score("gaussian-bic", data);
  SlowOpponent slow(*score, hill_climb(*score, Dag(8)).dag);
  const SavedIn saved;
  MatchOptions options{.moves = 4000, .round_moves = 10};
  for (const bool second : {false, true}) {
    Checkpoint checkpoint(saved.folder(), {}, 0);
    options.checkpoint = &checkpoint;
    std::atomic<bool> interrupted{false};
    int rounds = 0;
    Watch watch = until_tomorrow();
    watch.interrupted = &interrupted;
    watch.report = [&](const Progress& p) {
      if (p.phase != "play") return;
      if (rounds++ == 0) {
        EXPECT_EQ(slow.resumed, second ? 1 : 0);
      }
      interrupted = !second && rounds == 3;
    };
    const MatchResult r = play_match(*score, {slow.entrant()}, options, {}, Rng(2), watch);
    expect_sound(r, *score, {});
    EXPECT_GT(rounds, 0);
    EXPECT_EQ(r.opponents[0].resumed, second);
  }
  EXPECT_EQ(slow.proposed, 1);
  EXPECT_EQ(slow.resumed, 1);
}

// Killed wherever it is, even in the middle of an opponent's search.
TEST(Match, OpponentsThatWereInterruptedEndAsTheyWouldHaveEnded) {
  Rng rng(4);
  const Dataset data = testing::random_categorical({.variables = 12, .rows = 300, .most_levels = 3}, rng);
  const auto score = make_score("discrete-bic", data);
  const auto match = [&](const LocalScore& clock, Checkpoint* checkpoint, const Watch& watch) {
    const auto run_ges = [&](const Watch& w, const SearchResult* cut) {
      GainStore store(clock);
      return cut ? resume_ges(store, *cut, {}, w) : ges_from(store, Dag(12), {}, w);
    };
    const auto run_boss = [&](const Watch& w, const OpponentResults& earlier, const SearchResult* cut) {
      return boss(clock, {.evaluations = 2000, .ges = &earlier[0].result, .cut = cut}, Rng(3), w);
    };
    const std::vector<Entrant> entrants{
        {"ges", [&](const Watch& w, const OpponentResults&) { return run_ges(w, nullptr); },
         [&](const Watch& w, const OpponentResults&, const SearchResult& cut) { return run_ges(w, &cut); }},
        {"boss", [&](const Watch& w, const OpponentResults& earlier) { return run_boss(w, earlier, nullptr); },
         [&](const Watch& w, const OpponentResults& earlier, const SearchResult& cut) {
           return run_boss(w, earlier, &cut);
         }}};
    const MatchOptions options{.moves = 2000, .round_moves = 250, .checkpoint = checkpoint};
    return play_match(clock, entrants, options, {}, Rng(1), watch);
  };
  const MatchResult undisturbed = match(*score, nullptr, {});
  const SavedIn saved;
  MatchResult last;
  std::atomic<bool> interrupted{true};
  int cut = 0;
  for (long starts = 1; interrupted; ++starts) {
    ASSERT_LT(starts, 200);
    Checkpoint checkpoint(saved.folder(), {}, 0);
    interrupted = false;
    Watch watch;
    watch.interrupted = &interrupted;
    const CountingScore clock(*score, [&](long asked) {
      if (asked >= 100 * starts) interrupted = true;
    });
    last = match(clock, &checkpoint, watch);
    for (const OpponentResult& opponent : last.opponents) cut += !opponent.result.unfinished.empty();
  }
  EXPECT_GT(cut, 4);
  expect_same(last, undisturbed);
}

}  // namespace
}  // namespace agon
