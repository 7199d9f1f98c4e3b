// agon/match/test_matches.h
//
// What the tests of matches share.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "agon/graph/dag.h"
#include "agon/match/match.h"
#include "agon/score/column_cache.h"

namespace agon::testing {

inline Entrant given(const std::string& name, const LocalScore& score, const Dag& dag) {
  return {name, [&score, dag](const Watch&, const OpponentResults&) {
            SearchResult r;
            r.dag = dag;
            r.score = total(score, dag);
            return r;
          }};
}

inline void expect_sound(const MatchResult& r, const LocalScore& score, const Knowledge& knowledge) {
  EXPECT_TRUE(is_acyclic(r.champion));
  EXPECT_TRUE(satisfies(r.champion, knowledge));
  EXPECT_LE(r.champion.edge_count(), r.edge_budget);
  EXPECT_NEAR(r.score, total(score, r.champion), 1e-9 * std::abs(r.score));
  for (const OpponentResult& opponent : r.opponents) EXPECT_GE(r.score, opponent.result.score);
  ASSERT_FALSE(r.history.empty());
  EXPECT_EQ(r.history.back().score, r.score);
  for (size_t k = 1; k < r.history.size(); ++k) EXPECT_GT(r.history[k].score, r.history[k - 1].score);
  ColumnCache cache(score);
  Game game(cache, r.champion, {.edge_budget = r.edge_budget}, knowledge);
  for (EdgeMove move : game.valid_moves()) EXPECT_LE(game.gain(move), game.tolerance());
}

// A folder for a checkpoint.
class SavedIn {
 public:
  SavedIn() {
    std::string pattern = (std::filesystem::temp_directory_path() / "agon-match-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~SavedIn() { std::filesystem::remove_all(folder_); }
  const std::string& folder() const { return folder_; }

 private:
  std::string folder_;
};

inline void expect_same(const MatchResult& a, const MatchResult& b) {
  EXPECT_EQ(a.champion, b.champion);
  EXPECT_EQ(a.score, b.score);
  EXPECT_EQ(a.found_by, b.found_by);
  EXPECT_EQ(a.stopped_by, b.stopped_by);
  EXPECT_EQ(a.best_opponent, b.best_opponent);
  EXPECT_EQ(a.edge_budget, b.edge_budget);
  EXPECT_EQ(a.candidates, b.candidates);
  EXPECT_EQ(a.counts.moves, b.counts.moves);
  EXPECT_EQ(a.counts.episodes, b.counts.episodes);
  EXPECT_EQ(a.counts.accepted, b.counts.accepted);
  EXPECT_EQ(a.counts.improved, b.counts.improved);
  ASSERT_EQ(a.opponents.size(), b.opponents.size());
  for (size_t k = 0; k < a.opponents.size(); ++k) {
    EXPECT_EQ(a.opponents[k].name, b.opponents[k].name);
    EXPECT_EQ(a.opponents[k].result.dag, b.opponents[k].result.dag);
    EXPECT_EQ(a.opponents[k].result.cpdag, b.opponents[k].result.cpdag);
    EXPECT_EQ(a.opponents[k].result.story, b.opponents[k].result.story);
  }
  ASSERT_EQ(a.history.size(), b.history.size());
  for (size_t k = 0; k < a.history.size(); ++k) {
    EXPECT_EQ(a.history[k].moves, b.history[k].moves);
    EXPECT_EQ(a.history[k].score, b.history[k].score);
    EXPECT_EQ(a.history[k].found_by, b.history[k].found_by);
  }
  ASSERT_EQ(a.trace.size(), b.trace.size());
  for (size_t k = 0; k < a.trace.size(); ++k) {
    EXPECT_EQ(a.trace[k].moves, b.trace[k].moves);
    EXPECT_EQ(a.trace[k].score, b.trace[k].score);
    EXPECT_EQ(a.trace[k].arm, b.trace[k].arm);
  }
  ASSERT_EQ(a.arms.size(), b.arms.size());
  for (size_t k = 0; k < a.arms.size(); ++k) {
    EXPECT_EQ(a.arms[k].counts.moves, b.arms[k].counts.moves);
    EXPECT_EQ(a.arms[k].gained, b.arms[k].gained);
    EXPECT_EQ(a.arms[k].champions, b.arms[k].champions);
  }
}

}  // namespace agon::testing
