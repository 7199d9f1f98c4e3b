#include "agon/run/proving.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "agon/catalog/scores.h"
#include "agon/data/embedded.h"
#include "agon/score/local_score.h"

namespace agon {
namespace {

// A match that ended at the empty graph, so that the referee finds better ones.
struct AfterMatch {
  Dataset data = embedded_table("asia", 500, 1);
  std::unique_ptr<LocalScore> score = make_score("discrete-bic", data);
  std::unique_ptr<plain::Scorer> scorer = plain::discrete_bic(data, 1);
  Knowledge knowledge{data.size()};
  MatchResult match;

  AfterMatch() {
    match.champion = Dag(data.size());
    match.score = total(*score, match.champion);
    match.found_by = "ges";
  }

  Proved prove(const Watch& watch = {}) {
    Settings settings;
    const ProofSettings asked(settings);
    const JudgedScore judged{.scorer = *scorer, .name = "discrete-bic", .penalty = 1, .data = data};
    return prove_champion(asked, {judged, knowledge, *score}, match, watch);
  }
};

bool tells(const Proved& proved, const std::string& sentence) {
  return std::ranges::find(proved.story, sentence) != proved.story.end();
}

TEST(Proving, ABetterGraphBecomesTheChampion) {
  AfterMatch after;
  const double before = after.match.score;
  const Proved proved = after.prove();
  EXPECT_EQ(after.match.found_by, "referee");
  EXPECT_GT(after.match.score, before);
  EXPECT_NEAR(after.match.score, total(*after.score, after.match.champion), 1e-9);
  EXPECT_FALSE(after.match.ascent_cut);
  EXPECT_EQ(proved.optimum.status, Optimum::Status::kProven);
}

TEST(Proving, ItHasNoMoreEdgesThanTheBudgetAllows) {
  AfterMatch after;
  after.match.edge_budget = 1;
  const Proved proved = after.prove();
  EXPECT_EQ(after.match.found_by, "ges");
  EXPECT_EQ(after.match.champion.edge_count(), 0);
  EXPECT_TRUE(tells(proved, "the referee found a graph that scores higher but has more edges than the budget allows"));
  EXPECT_EQ(proved.optimum.status, Optimum::Status::kGap);
}

// A tie is no reason to look at the budget: with any budget it would be refused.
TEST(Proving, ATieIsCalledATieForAnyBudget) {
  AfterMatch best;
  best.prove();
  for (const int budget : {0, 1}) {
    AfterMatch after;
    after.match.edge_budget = budget;
    after.match.score = best.match.score - tie_tolerance(*after.score) / 2;
    const Proved proved = after.prove();
    EXPECT_EQ(after.match.found_by, "ges");
    EXPECT_TRUE(tells(proved, "the referee found a graph that scores higher by so little that it is a tie")) << budget;
  }
}

// The climb from the better graph obeys a stop. The graph is the champion all the same, and nobody claims that no edit
// improves it.
TEST(Proving, AStopEndsTheLastAscent) {
  AfterMatch after;
  const double before = after.match.score;
  std::atomic<bool> stop{false};
  Watch watch;
  watch.interrupted = &stop;
  watch.report = [&](const Progress& progress) { stop = stop || progress.phase == "hill climbing"; };
  after.prove(watch);
  EXPECT_TRUE(stop);
  EXPECT_EQ(after.match.found_by, "referee");
  EXPECT_GT(after.match.score, before);
  EXPECT_TRUE(after.match.ascent_cut);
}

}  // namespace
}  // namespace agon
