// The forecast depends on the table alone, and limits on memory change caches, never answers.
#include "agon/run/forecast.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "agon/base/atomic_file.h"
#include "agon/base/error.h"
#include "agon/base/units.h"
#include "agon/catalog/opponents.h"
#include "agon/catalog/scores.h"
#include "agon/data/csv.h"
#include "agon/data/embedded.h"
#include "agon/data/simulate.h"
#include "agon/opponent/boss_order.h"
#include "agon/opponent/ges.h"

namespace agon {
namespace {

Workload workload(const std::string& name, size_t rows, const MatchOptions& options = {}) {
  const Dataset data = embedded_table(name, rows);
  const auto score = make_score("auto", data);
  return workload_of(data, *score, options, {&opponent_entry("ges"), &opponent_entry("boss")}, 0);
}

// Where nobody said how many: a bootstrap on small tables alone, and only beside a search that takes as long.
TEST(Forecast, SmallTablesGetABootstrap) {
  EXPECT_EQ(affordable_resamples(workload("asia", 500)), 50);
  EXPECT_EQ(affordable_resamples(workload("alarm", 10'000)), 20);
  EXPECT_EQ(affordable_resamples(workload("andes", 10'000)), 0);
  EXPECT_EQ(affordable_resamples(workload("andes", 2'000)), 0);
}

// Tables that the constants of the model were not fitted to: their sizes, densities, kinds and seeds are not those of
// docs/reliability.md.
struct FreshTable {
  const char* kind;  // "gaussian", "uniform": linear with such noise; otherwise, the most levels of a discrete network
  int columns;
  double degree;  // average
  size_t rows;
  double megabytes;  // peak of the match, as measured
};

constexpr FreshTable kFresh[] = {
    {"gaussian", 15, 2, 2000, 14}, {"gaussian", 25, 5, 300, 19}, {"gaussian", 40, 3, 5000, 43},
    {"uniform", 40, 8, 800, 42},   {"uniform", 70, 2, 400, 57},  {"gaussian", 80, 6, 1500, 91},
    {"uniform", 120, 3, 600, 84},  {"2", 12, 2, 3000, 12},       {"4", 18, 3, 600, 13},
    {"3", 30, 4, 8000, 24},        {"2", 45, 3, 1500, 34},       {"5", 60, 2, 700, 51},
    {"3", 90, 4, 2500, 61},        {"2", 130, 2, 1000, 64},
};

Dataset made(const FreshTable& fresh) {
  const Rng rng = Rng(20).split(fresh.kind, static_cast<uint64_t>(fresh.columns));
  const auto parents = random_graph({.nodes = fresh.columns, .average_degree = fresh.degree}, rng.split("graph"));
  const std::string kind = fresh.kind;
  if (kind == "gaussian" || kind == "uniform") {
    const Noise noise = kind == "uniform" ? Noise::kUniform : Noise::kGaussian;
    return simulate_sem(parents, fresh.rows, {.noise = noise}, rng.split("data")).data;
  }
  const BayesNet net = random_bayes_net(parents, 2, std::stoi(kind), 0.5, rng.split("tables"));
  return sample(net, fresh.rows, rng.split("data"), "fresh");
}

// Peak resident memory of the match on the table, one thread, in megabytes. A proof has a limit of its own.
double measured_megabytes(const Dataset& data) {
  const std::filesystem::path csv = std::filesystem::temp_directory_path() / fmt::format("agon-{}.csv", getpid());
  std::ostringstream text;
  write_csv(text, data);
  write_file_atomically(csv.string(), text.str());
  const pid_t child = fork();
  if (child == 0) {
    if (!std::freopen("/dev/null", "w", stdout)) _exit(127);
    const char* kind = data.all_of(ColumnKind::kCategorical) ? "discrete" : "continuous";
    execl(AGON_BINARY, AGON_BINARY, "discover", csv.c_str(), "--data-type", kind, "--threads", "1", "--quiet",
          "--no-prove", "--bootstrap", "0", nullptr);
    _exit(127);
  }
  int status = 0;
  rusage used{};
  EXPECT_EQ(wait4(child, &status, 0, &used), child);
  EXPECT_EQ(status, 0);
  std::filesystem::remove(csv);
  return static_cast<double>(used.ru_maxrss) * 1024 / 1e6;
}

// Never below half of what was used, since a run that was let in would then run out of memory; never above three times.
// Of the fourteen, eleven are within a factor of 1.6, and three of many columns are forecast 1.6 to 2.3 times too high.
// To measure again:
//   AGON_MEASURE=1 build/run_tests --gtest_filter='Forecast.IsNear*'
TEST(Forecast, IsNearWhatWasMeasuredOnTablesItWasNotFittedTo) {
  for (const FreshTable& fresh : kFresh) {
    const Dataset data = made(fresh);
    const auto score = make_score("auto", data);
    const double bytes =
        forecast(workload_of(data, *score, {}, {&opponent_entry("ges"), &opponent_entry("boss")}, 0)).bytes;
    if (std::getenv("AGON_MEASURE")) {
      const double measured = measured_megabytes(data);
      fmt::print("{} {} {} {}: forecast {:.0f} MB, measured {:.0f} MB\n", fresh.kind, fresh.columns, fresh.degree,
                 fresh.rows, bytes / 1e6, measured);
      std::fflush(stdout);
      continue;
    }
    const std::string table = fmt::format("{} {} columns", fresh.kind, fresh.columns);
    EXPECT_GT(bytes, fresh.megabytes * 1e6 / 2) << table;
    EXPECT_LT(bytes, fresh.megabytes * 1e6 * 3) << table;
  }
}

// Numbers, 1,000 rows, average degree 4: the tables of docs/scale.md, of which the widest are too wide for a test.
struct WideTable {
  int columns;
  double moves, gaining;
  double megabytes;  // peak of `agon discover --no-prove --bootstrap 0`, two threads; without moves, of `agon run ges`
};
constexpr WideTable kWideTables[] = {{500, 1.2e6, 29, 140},     {1000, 1.2e6, 25, 215}, {2000, 1.2e6, 25, 409},
                                     {10'000, 1.2e6, 25, 1970}, {500, 0, 29, 27},       {1000, 0, 25, 44},
                                     {2000, 0, 25, 89},         {5000, 0, 25, 349},     {10'000, 0, 25, 1248}};

TEST(Forecast, IsNearWhatWasMeasuredOnWideTables) {
  for (const WideTable& wide : kWideTables) {
    Workload w;
    w.rows = 1000;
    w.columns = wide.columns;
    w.table_bytes = 12 * w.rows * w.columns;
    w.matrix_bytes = 8 * w.columns * w.columns;
    w.short_columns = wide.columns >= 4096;
    w.gaining = wide.gaining;
    w.moves = wide.moves;
    w.seats = 2;
    w.cache_bytes = size_t{256} << 20;
    const double ratio = forecast(w).bytes / (wide.megabytes * 1e6);
    EXPECT_GT(ratio, 0.8) << wide.columns << " columns, forecast " << forecast(w).bytes / 1e6;
    EXPECT_LT(ratio, 1.9) << wide.columns << " columns, forecast " << forecast(w).bytes / 1e6;
  }
}

// CPU seconds of `agon discover --threads 1 --no-prove --bootstrap 0` and the like, on tables that wide_table draws
// (docs/scale.md has those that the constants were fitted to). A busy machine: a fifth more or less means nothing.
struct WideTime {
  int columns;
  double rows, levels, gaining;  // levels of all columns; 0: numbers
  double seconds;
  bool fitted;
};
constexpr WideTime kWideTimes[] = {
    {500, 1000, 0, 29, 1.5, true},    {1000, 1000, 0, 25, 3.6, true},   {2000, 1000, 0, 25, 7, true},
    {5000, 1000, 0, 25, 50, true},    {10'000, 1000, 0, 25, 226, true}, {2000, 1000, 6000, 3, 37, true},
    {2000, 5000, 6000, 3, 190, true}, {700, 500, 0, 10, 1.4, false},    {400, 2000, 1200, 3, 6.2, false},
    {1500, 700, 0, 45, 9.0, false},
};

TEST(Forecast, TimeIsNearWhatWasMeasuredOnWideTables) {
  for (const WideTime& wide : kWideTimes) {
    Workload w;
    w.rows = wide.rows;
    w.columns = wide.columns;
    w.planes = wide.levels;
    w.gaining = wide.gaining;
    w.moves = 1.2e6;
    w.patience = 60'000;
    w.seats = 2;
    const double ratio = forecast(w).seconds / wide.seconds;
    EXPECT_GT(ratio, 1.0 / 3) << wide.columns << " columns, forecast " << forecast(w).seconds;
    EXPECT_LT(ratio, 3) << wide.columns << " columns, forecast " << forecast(w).seconds;
  }
}

// What the forecast says of pairs of columns is what is allocated for them.
TEST(Forecast, CountsThePairsThatAreKept) {
  const auto allocated = [] {
    const auto now = mallinfo2();
    return static_cast<double>(now.uordblks) + static_cast<double>(now.hblkhd);
  };
  const Rng rng(5);
  const int p = 700;
  const auto parents = random_graph({.nodes = p, .average_degree = 2}, rng.split("graph"));
  const Dataset data = simulate_sem(parents, 60, {}, rng.split("data")).data;
  const double before = allocated();
  const auto score = make_score("auto", data);
  const double with_score = allocated();
  if (with_score == before) GTEST_SKIP() << "a sanitizer allocates by itself";
  const Workload work = workload_of(data, *score, {}, {&opponent_entry("boss")}, 0);
  EXPECT_EQ(work.matrix_bytes, 8.0 * p * p);
  EXPECT_GT(with_score - before, work.matrix_bytes);
  EXPECT_LT(with_score - before, 1.2 * work.matrix_bytes + work.table_bytes);
  const OrderRules none;
  const OrderSearch search(*score, none, size_t{1} << 20);
  EXPECT_GT(allocated() - with_score, 1.0 * p * p);
  EXPECT_LT(allocated() - with_score, 2.0 * p * p);
}

TEST(Forecast, SaysHowManyColumnsFit) {
  Workload work;
  work.rows = 1000;
  work.columns = 10'000;
  work.table_bytes = 1.2e8;
  work.matrix_bytes = 8e8;
  work.short_columns = true;
  const double all = forecast(work).least;
  EXPECT_EQ(fitting_columns(work, all), 10'000);
  EXPECT_EQ(fitting_columns(work, 1e6), 0);
  const int some = fitting_columns(work, all / 4);
  EXPECT_GT(some, 4000);  // pairs of columns are nearly all of it
  EXPECT_LT(some, 5000);
  try {
    fitting_caches(work, all / 4, "t.csv");
    FAIL() << "not refused";
  } catch (const InputError& error) {
    const std::string said = fmt::format(", where about {} columns would fit", with_commas(some));
    EXPECT_NE(std::string(error.what()).find(said), std::string::npos) << error.what();
  }
}

// The graphs of their resamples are denser than that of the table.
TEST(Forecast, ResamplesOfBlocksTakeLongerThanThoseOfNumbers) {
  Workload numbers;
  numbers.columns = 100;
  numbers.gaining = 1;
  Workload blocks = numbers;
  blocks.matrix_seconds = 1e-9;
  EXPECT_GT(resample_seconds(blocks), 1.5 * resample_seconds(numbers));
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

TEST(Forecast, KnowsTheChallengerThatLearnsForHours) {
  MatchOptions options{.moves = 160000};
  const Forecast local = forecast(workload("asia", 500, options));
  options.challenger = challenger_entry("paper").defaults;
  const Forecast paper = forecast(workload("asia", 500, options));
  EXPECT_GT(paper.seconds, 600);  // 160,000 updates of 15 ms
  EXPECT_LT(local.seconds, 60);
  EXPECT_GT(paper.bytes, local.bytes + 4 * 5 * 380000);  // the weights, five times
  options.challenger.paper.learning = false;
  EXPECT_LT(forecast(workload("asia", 500, options)).seconds, 60);
}

}  // namespace
}  // namespace agon
