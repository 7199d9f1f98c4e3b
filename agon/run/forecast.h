// agon/run/forecast.h
//
// How much memory and time a match will take, predicted before it begins from the rows, the columns, and how many
// columns depend on each other.
//
//   Workload work = workload_of(data, score, {}, {&opponent_entry("ges")}, 0);
//   Forecast f = forecast(work);
//   f.bytes, f.seconds;                     // with caches as large as they may become
//   fitting_caches(work, 4e9, "my.csv");    // caches with which it fits; InputError when none are small enough
//
// It is a model with constants measured once, typically right within a factor of two for memory, and of three for time
// on one core of the machine where it was measured (docs/reliability.md has the errors). It looks neither at the clock
// nor at the machine, so a table always gets the same forecast. Two things depend on it:
// the size of caches, which changes no answer, and whether there is a bootstrap where nobody said.
#pragma once

#include <string>
#include <vector>

#include "agon/catalog/opponents.h"
#include "agon/data/dataset.h"
#include "agon/match/match.h"
#include "agon/score/local_score.h"

namespace agon {

struct Workload {
  double rows = 0, columns = 0;
  double table_bytes = 0;      // of the table, and of what the score and the certificate build from it
  double matrix_bytes = 0;     // of the matrices of correlations that the score and the certificate keep
  double planes = 0;           // categorical: levels, summed over the columns; 0: continuous, where rows do not matter
  bool short_columns = false;  // a column of gains holds what gains, not an entry for every column of the table
  double gaining = 0;          // how many columns would gain as the first parent of a column, on average
  double blanket = 0;          // how many parents a column takes when they are added as long as one gains, on average
  bool slow_on_dense = false;  // an opponent is slow on dense graphs, or there are resamples, which BOSS searches
  double moves = 0;            // how many play is expected to make at most; 0: no play
  double patience = 0;         // moves without a better graph after which play ends
  double seats = 1;            // players
  double learning_seconds = 0, learning_bytes = 0;  // of challengers that learn more than a little
  double resamples = 0;                             // of --bootstrap
  double fill_seconds = 0;    // of what is done about missing cells, on one core; each resample does it again
  double width = 1;           // columns of numbers that stand for a variable, on average (blocks.h)
  double matrix_seconds = 0;  // to make the matrix of the score from the rows
  size_t cache_bytes = 0;     // limit for cached columns of gains, and for what opponents keep
};

struct Forecast {
  double bytes = 0;    // at the peak
  double seconds = 0;  // on one core
  double least = 0;    // bytes with the smallest caches that make sense
};

// Computes at most 32 columns of gains and 8 blankets (see Workload::blanket).
Workload workload_of(const Dataset& data, const LocalScore& score, const MatchOptions& options,
                     const std::vector<const OpponentEntry*>& opponents, int resamples);
Forecast forecast(const Workload& work);

// How long the search of one resample takes, in seconds on one core; and how many resamples are searched where nobody
// said how many: the first of these numbers that takes little time beside the search, else 0.
inline constexpr int kUsualResamples[] = {50, 20};
double resample_seconds(const Workload& work);
int affordable_resamples(const Workload& work);

// How many columns like these would fit into `limit` bytes, with the smallest caches; may be 0.
int fitting_columns(const Workload& work, double limit);

// The size of caches with which the match fits into `limit` bytes: work.cache_bytes if it already fits. InputError,
// which names `place` and says how many columns would fit, when no caches are small enough.
size_t fitting_caches(const Workload& work, double limit, const std::string& place);

// "predicted: about 60 MB and 3 s of one core (1,000 rows, 37 columns, each dependent on about 12 others)"
std::string forecast_text(const Workload& work);
std::string memory_text(double bytes);  // "60 MB", "2.1 GB"

}  // namespace agon
