// agon/opponent/test_stops.h
//
// For tests: a search that is stopped again and again, at places that are the same on every machine, and resumed.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <vector>

#include "agon/opponent/opponent.h"
#include "agon/score/counting_score.h"

namespace agon::testing {

// How often columns were computed may differ; nothing else.
inline void expect_same_end(const SearchResult& resumed, const SearchResult& whole) {
  EXPECT_EQ(resumed.dag, whole.dag);
  EXPECT_EQ(resumed.score, whole.score);
  EXPECT_EQ(resumed.cpdag, whole.cpdag);
  EXPECT_EQ(resumed.steps, whole.steps);
  EXPECT_EQ(resumed.stopped_by, whole.stopped_by);
  EXPECT_EQ(resumed.story, whole.story);
  EXPECT_EQ(resumed.unfinished, whole.unfinished);
}

struct StoppedSearch {
  using Search = std::function<SearchResult(const LocalScore&, const Watch&, const SearchResult* cut)>;
  std::vector<SearchResult> results;  // all but the last were cut

  // The n-th start is stopped after n * `questions` local scores, so that it gets further than the start before it,
  // although it computes again what that one knew.
  StoppedSearch(const LocalScore& score, const Search& search, long questions) {
    do {
      std::atomic<bool> stop{false};
      Watch watch;
      watch.interrupted = &stop;
      const long last = questions * static_cast<long>(results.size() + 1);
      const CountingScore clock(score, [&](long asked) {
        if (asked >= last) stop = true;
      });
      results.push_back(search(clock, watch, results.empty() ? nullptr : &results.back()));
    } while (!results.back().unfinished.empty());
  }
};

}  // namespace agon::testing
