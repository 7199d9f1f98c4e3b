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

// A training that is saved at every chance and begun again from some of these places, and one that is stopped half way
// and resumed, end as if nothing had happened.
inline void expect_training_resumes(const std::function<SearchResult(const Watch&, const SavedSearch&)>& train) {
  std::vector<std::string> places;
  const auto always = [] { return true; };
  const SearchResult whole =
      train({}, {.due = always, .save = [&](std::string place) { places.push_back(std::move(place)); }});
  ASSERT_GT(places.size(), 3u);
  EXPECT_EQ(whole.unfinished, "");
  for (const size_t k : {size_t{0}, places.size() / 3, places.size() - 1}) {
    expect_same_end(train({}, {.from = &places[k]}), whole);
  }

  std::atomic<bool> stop{false};
  Watch watch;
  watch.interrupted = &stop;
  size_t saved = 0;
  const SearchResult half = train(watch, {.due = always, .save = [&](const std::string&) {
                                            if (++saved == places.size() / 2) stop = true;
                                          }});
  EXPECT_EQ(half.stopped_by, "interrupted");
  EXPECT_NE(half.unfinished, "");
  expect_same_end(train({}, {.from = &half.unfinished}), whole);
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
