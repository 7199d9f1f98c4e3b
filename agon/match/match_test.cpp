#include "agon/match/match.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <optional>

#include "agon/base/error.h"
#include "agon/data/embedded.h"
#include "agon/graph/central_member.h"
#include "agon/graph/equivalence.h"
#include "agon/graph/test_graphs.h"
#include "agon/match/cam_pruning.h"
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

TEST(Match, NeverWorseOneOptimalAndTheSameForAnyNumberOfThreads) {
  for (const testing::TestScore& entry : testing::all_scores()) {
    for (uint64_t seed = 0; seed < 3; ++seed) {
      Rng rng(seed);
      const Dataset data = entry.kind == ColumnKind::kContinuous
                               ? testing::random_continuous(8, 200, false, rng)
                               : testing::random_categorical({.variables = 8, .rows = 200, .most_levels = 4}, rng);
      const auto score = entry.make(data, {});
      KnowledgeBuilder builder(data.names());
      builder.forbid(data.column(0).name, data.column(1).name, "test");
      builder.require(data.column(2).name, data.column(3).name, "test");
      const Knowledge knowledge = builder.build();
      const std::vector<Entrant> entrants{
          given("random", *score, repair(testing::random_dag(8, 0.2, rng), knowledge)),
          {"hc", [&](const Watch& w, const OpponentResults&) { return hill_climb(*score, Dag(8), {}, w, knowledge); }},
      };
      MatchOptions options{.moves = 6000, .round_moves = 500};
      const MatchResult one = play_match(*score, entrants, options, knowledge, Rng(seed));
      expect_sound(one, *score, knowledge);
      options.threads = 4;
      options.cache_bytes = 20000;
      std::vector<double> told;
      std::vector<std::string> finders;
      options.on_champion = [&](const Dag& champion, double value, const std::string& found_by) {
        EXPECT_NEAR(value, total(*score, champion), 1e-9 * std::abs(value));
        told.push_back(value);
        finders.push_back(found_by);
      };
      std::vector<ArmResult> arms;
      options.on_round = [&](const std::vector<ArmResult>& now, const std::vector<double>& shares) {
        arms = now;
        ASSERT_EQ(shares.size(), now.size());
        EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 1, 1e-9);
      };
      const MatchResult four = play_match(*score, entrants, options, knowledge, Rng(seed));
      ASSERT_EQ(told.size(), four.history.size());
      for (size_t k = 0; k < told.size(); ++k) {
        EXPECT_NEAR(told[k], four.history[k].score, 1e-9 * std::abs(told[k]));
        EXPECT_EQ(finders[k], four.history[k].found_by);
      }
      ASSERT_EQ(arms.size(), four.arms.size());
      for (size_t k = 0; k < arms.size(); ++k) EXPECT_EQ(arms[k].counts.moves, four.arms[k].counts.moves);
      EXPECT_EQ(one.champion, four.champion);
      EXPECT_EQ(one.score, four.score);
      EXPECT_EQ(one.counts.moves, four.counts.moves);
      EXPECT_EQ(one.candidates, four.candidates);
      ASSERT_EQ(one.trace.size(), four.trace.size());
      for (size_t k = 0; k < one.trace.size(); ++k) {
        EXPECT_EQ(one.trace[k].moves, four.trace[k].moves);
        EXPECT_EQ(one.trace[k].score, four.trace[k].score);
      }
      EXPECT_EQ(one.stopped_by, four.stopped_by);
    }
  }
}

// A champion found by a challenger is replaced by the central member of its class unless that has a gaining edit; an
// opponent's graph that nobody beats is not replaced by an equivalent one.
TEST(Match, NamesANewChampionByTheCentralMemberOfItsClass) {
  int central = 0, exchanged = 0;
  for (uint64_t seed = 0; seed < 12; ++seed) {
    Rng rng(seed);
    const Dataset data = testing::random_categorical({.variables = 8, .rows = 300, .most_levels = 3}, rng);
    const auto score = make_score("discrete-bic", data);
    const MatchOptions options{.moves = 3000, .round_moves = 500};
    const MatchResult r = play_match(*score, {given("empty", *score, Dag(8))}, options, {}, Rng(seed));
    expect_sound(r, *score, {});
    const Dag named = *central_member(cpdag_of(r.champion));
    ColumnCache cache(*score);
    Game game(cache, named, {.edge_budget = r.edge_budget}, {});
    if (ascend(game).empty()) {
      EXPECT_EQ(r.champion, named) << "seed " << seed;
      ++central;
    }
    for (const Dag& member : test::members_by_walk(r.champion)) {
      const MatchResult again = play_match(*score, {given("own", *score, member)}, options, {}, Rng(seed));
      if (again.history.size() > 1) continue;
      EXPECT_EQ(again.champion, member);
      exchanged += member != named;
    }
  }
  EXPECT_GT(central, 6);
  EXPECT_GT(exchanged, 6);
}

// On experiments the class is the one they leave.
TEST(Match, NamesTheCentralMemberOfTheClassThatExperimentsLeave) {
  int central = 0;
  for (uint64_t seed = 0; seed < 8; ++seed) {
    const testing::Problem problem = testing::random_problem(6, 0.5, 200, seed);
    const std::vector<int>& row_set = problem.score.traits().row_set;
    const MatchOptions options{.moves = 3000, .round_moves = 500};
    const MatchResult r = play_match(problem.score, {given("empty", problem.score, Dag(6))}, options, {}, Rng(seed));
    expect_sound(r, problem.score, {});
    const Dag named = *central_member(cpdag_of(r.champion, row_set));
    EXPECT_TRUE(same_class(named, r.champion, row_set));
    EXPECT_NEAR(total(problem.score, named), r.score, 1e-6);
    ColumnCache cache(problem.score);
    Game game(cache, named, {.edge_budget = r.edge_budget}, {});
    if (!ascend(game).empty()) continue;
    EXPECT_EQ(r.champion, named) << "seed " << seed;
    ++central;
  }
  EXPECT_GT(central, 4);
}

TEST(Match, TracesHowEpisodesEndAndThinsTheTrace) {
  const Dataset data = embedded_table("asia", 500);
  const auto score = make_score("discrete-bic", data);
  const Entrant opponent = given("empty", *score, Dag(data.size()));
  for (const long round_moves : {200L, 2L}) {
    const MatchResult r =
        play_match(*score, {opponent}, {.moves = 40000, .round_moves = round_moves, .patience = 40000}, {}, Rng(1));
    ASSERT_FALSE(r.trace.empty());
    EXPECT_LE(r.trace.size(), 1600u);
    EXPECT_LE(r.trace.back().moves, r.counts.moves);
    EXPECT_GT(r.trace.back().moves, r.counts.moves / 2);
    std::vector<int> of_arm(r.arms.size(), 0);
    for (size_t k = 0; k < r.trace.size(); ++k) {
      const TracePoint& point = r.trace[k];
      EXPECT_GE(point.moves, r.trace[k > 0 ? k - 1 : 0].moves);
      EXPECT_LE(point.score, r.score + 1e-6);
      ASSERT_LT(point.arm, r.arms.size());
      ++of_arm[point.arm];
    }
    for (const int count : of_arm) EXPECT_GT(count, 0);  // thinning is fair to the arms
  }
}

TEST(Match, BeatsGesOnAlarmAndStopsWhenNothingMoreIsExpected) {
  const Dataset data = embedded_table("alarm", 3000);
  const auto score = make_score("discrete-bic", data);
  const MatchResult r =
      play_match(*score, {{"ges", [&](const Watch& w, const OpponentResults&) { return ges(*score, {}, w); }}},
                 {.moves = 60000, .round_moves = 2000, .patience = 16000}, {}, Rng(0));
  expect_sound(r, *score, {});
  EXPECT_GT(r.score, r.opponents[0].result.score + 1);
  EXPECT_NE(r.found_by, "ges");
  int champions = 0;
  long moves = 0;
  for (const ArmResult& arm : r.arms) {
    champions += arm.champions;
    moves += arm.counts.moves;
    EXPECT_GT(arm.counts.moves, 0) << arm.name;
  }
  int credits = 0;  // arms that tie are named together: "a, b and c"
  for (size_t k = 1; k < r.history.size(); ++k) {
    for (const ArmResult& arm : r.arms) credits += r.history[k].found_by.find(arm.name) != std::string::npos;
  }
  EXPECT_EQ(champions, credits);
  EXPECT_EQ(moves, r.counts.moves);
  EXPECT_EQ(r.history.front().found_by, "ges");

  // Play ended at the end of the first round that was `patience` moves or more after the last rise, with budget left.
  long last_rise = 0;
  for (const HistoryPoint& point : r.history) {
    const bool by_arm = std::ranges::any_of(r.arms, [&](const ArmResult& arm) { return arm.name == point.found_by; });
    if (by_arm) last_rise = point.moves;
  }
  EXPECT_EQ(r.stopped_by, "no gain expected");
  EXPECT_GT(last_rise, 0);
  EXPECT_LT(r.counts.moves, 60000);
  EXPECT_GE(r.counts.moves - last_rise, 16000);
  EXPECT_LT(r.counts.moves - last_rise, 16000 + 2000 * static_cast<long>(r.arms.size()));
}

TEST(Match, StopsAtTheEndOfItsBudget) {
  const Dataset data = embedded_table("asia", 500);
  const auto score = make_score("discrete-bic", data);
  const MatchResult r =
      play_match(*score, {{"ges", [&](const Watch& w, const OpponentResults&) { return ges(*score, {}, w); }}},
                 {.moves = 6000, .round_moves = 500, .patience = 6001}, {}, Rng(0));
  EXPECT_EQ(r.stopped_by, "moves");
  EXPECT_GE(r.counts.moves, 6000);
}

// Two variables that depend on each other: every arm finds an edge between them at once, and all edges score the same.
// All arms get the same credit, whatever their seats.
TEST(Match, PlayersThatTieAreAllCredited) {
  Rng rng(3);
  std::vector<double> x, y;
  for (int i = 0; i < 200; ++i) {
    x.push_back(rng.normal());
    y.push_back(x.back() + rng.normal());
  }
  const Dataset data = make_dataset({continuous_column("x", x), continuous_column("y", y)}, "t");
  const auto score = make_score("gaussian-bic", data);
  const MatchResult r =
      play_match(*score, {given("empty", *score, Dag(2))}, {.moves = 4000, .round_moves = 500}, {}, Rng(1));
  ASSERT_EQ(r.arms.size(), 4u);
  for (const ArmResult& arm : r.arms) {
    EXPECT_EQ(arm.champions, 1) << arm.name;
    EXPECT_GT(arm.gained, 1) << arm.name;
  }
  ASSERT_EQ(r.history.size(), 2u);
  EXPECT_EQ(r.found_by, "local trained, local uniform, local delta and flat");
  EXPECT_EQ(r.history[1].found_by, r.found_by);
}

TEST(Match, EveryChallengerAloneIsSoundAndTheSameForAnyNumberOfThreads) {
  Rng rng(9);
  const Dataset data = testing::random_categorical({.variables = 6, .rows = 200, .most_levels = 3}, rng);
  const auto score = make_score("discrete-bic", data);
  const std::vector<Entrant> entrants{given("random", *score, testing::random_dag(6, 0.3, rng))};
  for (const ChallengerEntry& entry : challenger_entries()) {
    for (bool learning : {false, true}) {
      MatchOptions options{.moves = 2000, .round_moves = 300};
      options.challenger.name = entry.name;
      options.challenger.local.learning = options.challenger.flat.learning = options.challenger.paper.learning =
          learning;
      options.challenger.paper.hidden = {16};
      options.challenger.paper.batch = 8;
      const MatchResult one = play_match(*score, entrants, options, {}, Rng(1));
      expect_sound(one, *score, {});
      EXPECT_EQ(one.challenger, entry.name);
      EXPECT_GE(one.counts.moves, 2000);
      options.threads = 3;
      const MatchResult three = play_match(*score, entrants, options, {}, Rng(1));
      EXPECT_EQ(one.champion, three.champion);
      EXPECT_EQ(one.counts.moves, three.counts.moves);
      EXPECT_EQ(one.history.size(), three.history.size());
    }
  }
  MatchOptions too_much{.moves = 100'000'000};
  too_much.challenger.name = "paper";
  const Entrant idle{"idle", [](const Watch&, const OpponentResults&) -> SearchResult {
                       ADD_FAILURE() << "an opponent worked for a match that is refused";
                       return {};
                     }};
  EXPECT_THROW(play_match(*score, {idle}, too_much, {}, Rng(1)), UsageError);
}

TEST(Match, OpponentsAloneAndStopsWhenAsked) {
  Rng rng(4);
  const Dataset data = testing::random_continuous(6, 100, false, rng);
  const auto score = make_score("copula-bic", data);
  const std::vector<Entrant> none{given("none", *score, Dag(6))};
  const MatchResult r = play_match(*score, none, {.moves = 0}, {}, Rng(0));
  expect_sound(r, *score, {});
  EXPECT_EQ(r.found_by, "ascent");
  EXPECT_EQ(r.counts.moves, 0);
  const std::atomic<bool> flag{true};
  Watch watch;
  watch.interrupted = &flag;
  const MatchResult interrupted = play_match(*score, none, {}, {}, Rng(0), watch);
  EXPECT_EQ(interrupted.stopped_by, "interrupted");
  expect_sound(interrupted, *score, {});
  EXPECT_THROW(play_match(*score, {}, {}, {}, Rng(0)), std::invalid_argument);
}

TEST(Match, AStopWithoutGraceCutsTheAscentAndSaysSo) {
  Rng rng(4);
  const Dataset data = testing::random_continuous(6, 100, false, rng);
  const auto score = make_score("copula-bic", data);
  const std::vector<Entrant> none{given("none", *score, Dag(6))};
  const std::atomic<bool> flag{true};
  Watch watch;
  watch.interrupted = &flag;
  const MatchResult cut = play_match(*score, none, {.grace = std::chrono::seconds(0)}, {}, Rng(0), watch);
  EXPECT_TRUE(cut.ascent_cut);
  EXPECT_EQ(cut.champion, Dag(6));  // as proposed, and no better: what the gains would say was not computed
  EXPECT_EQ(cut.score, total(*score, Dag(6)));
  const MatchResult whole = play_match(*score, none, {.grace = std::chrono::hours(1)}, {}, Rng(0), watch);
  EXPECT_FALSE(whole.ascent_cut);
  EXPECT_GT(whole.score, cut.score);
  expect_sound(whole, *score, {});
}

TEST(Match, PrunedGraphsAreCandidatesAndOnlyBetterOnesAreCrowned) {
  Rng rng(2);
  const Dataset data = testing::random_continuous(7, 300, false, rng);
  const auto score = make_score("gaussian-bic", data);
  Dag dense(7);
  for (Node from = 0; from < 7; ++from) {
    for (Node to = from + 1; to < 7; ++to) dense.add_edge(from, to);
  }
  MatchOptions options{.moves = 0};
  options.prune = [&](const Dag& dag) { return pruned_candidates(data, dag); };
  const MatchResult leaner = play_match(*score, {given("dense", *score, dense)}, options, {}, Rng(0));
  expect_sound(leaner, *score, {});
  EXPECT_GT(leaner.candidates.size(), 2u);
  const auto by_pruning = [](const HistoryPoint& point) { return point.found_by == "pruning"; };
  EXPECT_TRUE(std::any_of(leaner.history.begin(), leaner.history.end(), by_pruning));

  // A harmful pruner changes nothing but the list of candidates.
  options.prune = [](const Dag& dag) { return std::vector<Dag>{Dag(dag.size())}; };
  const SearchResult best = hill_climb(*score, Dag(7));
  const MatchResult same = play_match(*score, {given("hc", *score, best.dag)}, options, {}, Rng(0));
  EXPECT_EQ(same.champion, best.dag);
  EXPECT_EQ(same.candidates, (std::vector<Dag>{best.dag, Dag(7)}));
}

// The match is cut short again and again, and resumed from what was saved after the last whole round: for every
// challenger, with its networks and its replay memory.
TEST(Match, EndsAsItWouldHaveEndedWhenItIsCutShortAndResumed) {
  Rng rng(4);
  const Dataset data = testing::random_categorical({.variables = 12, .rows = 300, .most_levels = 3}, rng);
  const auto score = make_score("discrete-bic", data);
  int proposed = 0;
  const std::vector<Entrant> entrants{
      {"none",
       [&](const Watch&, const OpponentResults&) {
         return ++proposed, SearchResult{Dag(12), total(*score, Dag(12)), 0, {}, "", {}, {}, {}, {}};
       }},
      {"ges", [&](const Watch& w, const OpponentResults&) { return ++proposed, ges(*score, {}, w); }}};
  for (const ChallengerEntry& entry : challenger_entries()) {
    MatchOptions options{.moves = 5000, .round_moves = 250};
    options.challenger = entry.defaults;
    options.challenger.flat.replay = 500;  // small enough to overwrite old transitions
    options.challenger.paper.hidden = {16};
    options.challenger.paper.batch = 32;
    options.challenger.paper.train_every = 10;
    options.prune = [](const Dag& dag) { return std::vector<Dag>{Dag(dag.size())}; };
    const MatchResult undisturbed = play_match(*score, entrants, options, {}, Rng(1));

    const SavedIn saved;
    proposed = 0;
    int starts = 0;
    MatchResult last;
    for (bool ended = false; !ended; ++starts) {
      ASSERT_LT(starts, 100);
      Checkpoint checkpoint(saved.folder(), {}, 0);
      options.checkpoint = &checkpoint;
      std::atomic<bool> interrupted{false};
      int rounds = 0;
      Watch watch;
      watch.interrupted = &interrupted;
      watch.report = [&](const Progress& p) { interrupted = p.phase == "play" && ++rounds == 3; };
      last = play_match(*score, entrants, options, {}, Rng(1), watch);
      ended = !interrupted;
    }
    EXPECT_GT(starts, 2) << entry.name;
    EXPECT_EQ(proposed, 2) << "an opponent's work is not done again";
    expect_same(last, undisturbed);

    // Saved after play had ended: nothing is left to play.
    Checkpoint checkpoint(saved.folder(), {}, 0);
    options.checkpoint = &checkpoint;
    expect_same(play_match(*score, entrants, options, {}, Rng(1)), undisturbed);
    options.checkpoint = nullptr;
  }
}

}  // namespace
}  // namespace agon
