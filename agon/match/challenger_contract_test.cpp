// What every challenger of the table promises, each with its default options.

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "agon/graph/test_graphs.h"
#include "agon/match/match.h"
#include "agon/score/test_scores.h"
#include "agon/score/test_tables.h"

namespace agon {
namespace {

class ChallengerContract : public ::testing::TestWithParam<std::string> {
 protected:
  MatchResult play(int threads, uint64_t seed, const Watch& watch = {}) const {
    MatchOptions options{.moves = 400, .round_moves = 100, .threads = threads};
    options.challenger = challenger_entry(GetParam()).defaults;
    const Entrant random{"random", [this](const Watch&, const OpponentResults&) {
                           SearchResult result;
                           result.dag = start;
                           result.score = total(*score, start);
                           return result;
                         }};
    return play_match(*score, {random}, options, knowledge, Rng(seed), watch);
  }
  static Knowledge known(const std::vector<std::string>& names) {
    KnowledgeBuilder builder(names);
    builder.forbid(names[0], names[1], "test");
    builder.require(names[2], names[3], "test");
    return builder.build();
  }

  Rng rng{4};
  Dataset data = testing::random_categorical({.variables = 6, .rows = 200, .most_levels = 3}, rng);
  std::unique_ptr<LocalScore> score = make_score("discrete-bic", data);
  Knowledge knowledge = known(data.names());
  Dag start = repair(testing::random_dag(6, 0.3, rng), knowledge);
};

TEST_P(ChallengerContract, PlaysIsNeverWorseAndKeepsToTheKnowledge) {
  const MatchResult match = play(1, 1);
  EXPECT_EQ(match.challenger, GetParam());
  EXPECT_GE(match.counts.moves, 400);
  EXPECT_GT(match.score, match.opponents[0].result.score);  // a random graph is easily beaten
  EXPECT_NEAR(match.score, total(*score, match.champion), 1e-9 * std::abs(match.score));
  EXPECT_TRUE(is_acyclic(match.champion));
  EXPECT_TRUE(satisfies(match.champion, knowledge));
}

TEST_P(ChallengerContract, PlaysTheSameForAnyNumberOfThreads) {
  const MatchResult one = play(1, 2), again = play(1, 2), three = play(3, 2);
  for (const MatchResult* other : {&again, &three}) {
    EXPECT_EQ(one.champion, other->champion);
    EXPECT_EQ(one.score, other->score);
    EXPECT_EQ(one.counts.moves, other->counts.moves);
    EXPECT_EQ(one.candidates, other->candidates);
  }
}

TEST_P(ChallengerContract, StopsWhenAsked) {
  const std::atomic<bool> stop = true;
  Watch watch;
  watch.interrupted = &stop;
  const MatchResult match = play(1, 3, watch);
  EXPECT_EQ(match.stopped_by, "interrupted");
  EXPECT_LT(match.counts.moves, 400);
  EXPECT_GE(match.score, match.opponents[0].result.score);
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const ChallengerEntry& entry : challenger_entries()) all.push_back(entry.name);
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, ChallengerContract, ::testing::ValuesIn(names()),
                         [](const auto& row) { return row.param; });

}  // namespace
}  // namespace agon
