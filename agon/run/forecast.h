// agon/run/forecast.h
//
// What a match will take, told before it begins: memory and time from the rows, the columns, and how many columns
// depend on each other.
//
//   Workload work = workload_of(data, score, {}, {&opponent_entry("ges")}, 0);
//   Forecast f = forecast(work);
//   f.bytes, f.seconds;                     // with caches as large as they may become
//   fitting_caches(work, 4e9, "my.csv");    // caches with which it fits; InputError when none are small enough
//
// A model with constants measured once (docs/reliability.md says how far off it is): typically within a factor of two
// for memory and of three for time on one core of the machine it was measured on. It looks at no clock and no machine,
// so a table always gets the same forecast. Nothing in a result depends on it: caches bound the memory, never the
// answer.
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
  double table_bytes = 0;      // of the table, and of what the score and the certificate make of it
  double planes = 0;           // categorical: levels, summed over the columns; 0: continuous, where rows do not matter
  double gaining = 0;          // columns that would gain as the first parent of a column, on average
  double blanket = 0;          // columns that a column takes when parents are added while one gains, on average
  bool slow_on_dense = false;  // an opponent is, or what works on the resamples: BOSS, whom dense graphs keep busy
  double moves = 0;            // that play is expected to make; 0: none
  double seats = 1;            // players
  double resamples = 0;        // of --bootstrap
  size_t cache_bytes = 0;      // most for columns of gains; what opponents keep is bounded by it too
};

struct Forecast {
  double bytes = 0;    // at the peak
  double seconds = 0;  // on one core
  double least = 0;    // bytes with caches as small as makes sense
};

// Looks at no more than 32 columns of gains, and at 8 blankets.
Workload workload_of(const Dataset& data, const LocalScore& score, const MatchOptions& options,
                     const std::vector<const OpponentEntry*>& opponents, int resamples);
Forecast forecast(const Workload& work);

// The size of caches with which the match fits `limit` bytes: work.cache_bytes when it fits as it is. InputError that
// names `place` when no caches are small enough.
size_t fitting_caches(const Workload& work, double limit, const std::string& place);

// "predicted: about 60 MB and 3 s of one core (1,000 rows, 37 columns, each dependent on about 12 others)"
std::string forecast_text(const Workload& work);
std::string memory_text(double bytes);  // "60 MB", "2.1 GB"

}  // namespace agon
