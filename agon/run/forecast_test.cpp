// The forecast follows from the table alone, and limits on memory change caches, never answers.
#include "agon/run/forecast.h"

#include <gtest/gtest.h>

#include "agon/base/error.h"
#include "agon/base/units.h"
#include "agon/catalog/opponents.h"
#include "agon/data/embedded.h"
#include "agon/opponent/ges.h"
#include "agon/score/scores.h"

namespace agon {
namespace {

Workload workload(const std::string& name, size_t rows, const MatchOptions& options = {}) {
  const Dataset data = embedded_table(name, rows);
  const auto score = make_score("auto", data);
  return workload_of(data, *score, options, {&opponent_entry("ges"), &opponent_entry("boss")}, 0);
}

// Peak memory of `agon discover` with one thread, as measured (docs/reliability.md); a factor of two is promised.
TEST(Forecast, IsWithinAFactorOfTwoOfWhatWasMeasured) {
  const struct {
    const char* data;
    size_t rows;
    double megabytes;
  } measured[] = {{"asia", 10000, 25}, {"sachs", 7466, 23},  {"lucas", 2000, 30},  {"child", 1000, 21},
                  {"alarm", 1000, 33}, {"alarm", 10000, 31}, {"hepar2", 1000, 59}, {"andes", 1000, 202}};
  for (const auto& m : measured) {
    const double bytes = forecast(workload(m.data, m.rows)).bytes;
    EXPECT_GT(bytes, m.megabytes * 1e6 / 2) << m.data;
    EXPECT_LT(bytes, m.megabytes * 1e6 * 2) << m.data;
  }
}

TEST(Forecast, GrowsWithTheWork) {
  const Workload small = workload("alarm", 500);
  EXPECT_LT(forecast(small).bytes, forecast(workload("alarm", 20000)).bytes);
  EXPECT_LT(forecast(small).seconds, forecast(workload("alarm", 20000)).seconds);
  EXPECT_LT(forecast(small).bytes, forecast(workload("andes", 500)).bytes);
  EXPECT_LT(forecast(workload("alarm", 500, {.moves = 1000})).bytes, forecast(small).bytes);
  Workload resampled = small;
  resampled.resamples = 100;
  EXPECT_LT(forecast(small).seconds, forecast(resampled).seconds);
  EXPECT_EQ(forecast_text(small), forecast_text(workload("alarm", 500)));
  Workload dense = small, without_boss = small;
  dense.blanket = without_boss.blanket = 30;
  without_boss.slow_on_dense = false;
  EXPECT_LT(2 * forecast(small).seconds, forecast(dense).seconds);
  EXPECT_LT(2 * forecast(without_boss).seconds, forecast(dense).seconds);
}

TEST(Forecast, FitsCachesToAMemoryOrRefuses) {
  const Workload work = workload("hepar2", 1000);
  const Forecast f = forecast(work);
  EXPECT_EQ(fitting_caches(work, 2 * f.bytes, "t"), work.cache_bytes);
  const size_t smaller = fitting_caches(work, 0.7 * f.bytes, "t");
  EXPECT_LT(smaller, work.cache_bytes);
  Workload fitted = work;
  fitted.cache_bytes = smaller;
  EXPECT_LE(forecast(fitted).bytes, 0.7 * f.bytes);
  try {
    fitting_caches(work, 1e6, "my.csv");
    FAIL() << "not refused";
  } catch (const InputError& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.find("my.csv: a match over 1,000 rows and 70 columns needs about "), 0u) << text;
    EXPECT_NE(text.find("it may have 1 MB\n  hint: raise --memory-limit, leave columns out"), std::string::npos)
        << text;
  }
}

TEST(Forecast, CachesOfAnySizeGiveTheSameAnswers) {
  for (const char* name : {"alarm", "sachs"}) {
    const Dataset data = embedded_table(name, 300);
    const auto score = make_score("auto", data);
    const Dag empty(data.size());
    for (const OpponentEntry& entry : opponent_entries()) {
      if (!entry.searches || !entry.climbs) continue;
      const Knowledge none;
      const Watch watch;
      SearchResult results[2];
      for (const size_t bytes : {size_t{0}, size_t{1}}) {
        results[bytes] = entry.propose({.data = data,
                                        .score = *score,
                                        .start = empty,
                                        .knowledge = none,
                                        .rng = Rng(2),
                                        .cache_bytes = bytes,
                                        .watch = watch});
      }
      EXPECT_EQ(results[0].dag, results[1].dag) << entry.name;
      EXPECT_EQ(results[0].score, results[1].score) << entry.name;
    }
    MatchOptions options{.moves = 4000, .round_moves = 500};
    const std::vector<Entrant> entrants{{"ges", [&](const Watch& w, const auto&) { return ges(*score, {}, w); }}};
    const MatchResult large = play_match(*score, entrants, options, {}, Rng(1));
    options.cache_bytes = 1;
    const MatchResult tiny = play_match(*score, entrants, options, {}, Rng(1));
    EXPECT_EQ(tiny.champion, large.champion);
    EXPECT_EQ(tiny.score, large.score);
    EXPECT_EQ(tiny.counts.moves, large.counts.moves);
    EXPECT_EQ(tiny.candidates, large.candidates);
  }
}

TEST(Units, ReadSizesAndTimes) {
  EXPECT_EQ(parse_size("500M", "x"), 5e8);
  EXPECT_EQ(parse_size("1.5 GB", "x"), 1.5e9);
  EXPECT_EQ(parse_size("8k", "x"), 8e3);
  for (const char* text : {"", "12", "M", "-1M", "0G", "1Q", "nanG", "infG", "1e30G", "2 gigabytes"}) {
    EXPECT_THROW(parse_size(text, "memory-limit"), UsageError) << text;
  }
  EXPECT_EQ(parse_duration("500ms"), 0.5);
  EXPECT_EQ(parse_duration("2m"), 120);
}

}  // namespace
}  // namespace agon
