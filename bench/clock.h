// CPU time of this thread and peak memory, for the timing programs: a shared machine disturbs them less than wall time.
#pragma once

#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <limits>

namespace agon::bench {

inline double cpu_seconds() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

inline long peak_megabytes() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

// The least CPU time of one call, over as many calls as fit into `budget` seconds, at least one and at most `most`.
template <class Work>
double least_seconds(Work work, double budget = 0.5, int most = 9) {
  double least = std::numeric_limits<double>::infinity(), all = 0;
  for (int run = 0; run < most && (run == 0 || all < budget); ++run) {
    const double start = cpu_seconds();
    work();
    const double taken = cpu_seconds() - start;
    least = std::min(least, taken);
    all += taken;
  }
  return least;
}

}  // namespace agon::bench
