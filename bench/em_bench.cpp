// Times EM on tables with gaps, against the textbook's row by row on a smaller table. CPU time of one core.
#include <fmt/format.h>

#include "agon/score/em.h"
#include "agon/score/test_gaps.h"
#include "bench/clock.h"

namespace {

using namespace agon;

// One continuous table, a tenth of its cells missing at random: nearly every row has a pattern of its own.
Dataset table(int rows, int variables, int patterns) {
  Rng rng(1);
  return testing::random_with_gaps(
      {.variables = variables, .rows = rows, .categorical = 0, .gaps = 0.1, .shared_patterns = patterns}, rng);
}

void time_fit(int rows, int variables, int patterns) {
  const Dataset data = table(rows, variables, patterns);
  const Blocks blocks(data, {});
  EmFit fit;
  const double seconds = bench::least_seconds([&] { fit = fit_em(blocks); }, 0, 1);
  fmt::print("{:>7} rows  {:>4} columns  {:>9}  {:>4} steps  {:>9.3f} s  {:.2f} ms a step\n", rows, variables,
             patterns > 0 ? fmt::format("{} sorts", patterns) : "all sorts", fit.steps, seconds,
             1e3 * seconds / fit.steps);
}

}  // namespace

int main() {
  time_fit(20000, 50, 0);
  time_fit(200000, 50, 20);
  time_fit(1000, 30, 0);
  const Dataset data = table(1000, 30, 0);
  const Blocks blocks(data, {});
  const int steps = fit_em(blocks).steps;
  const double seconds = bench::least_seconds([&] { testing::plain_em(blocks, steps); }, 0, 1);
  fmt::print("{:>7} rows  {:>4} columns  {:>9}  {:>4} steps  {:>9.3f} s  {:.2f} ms a step  (row by row)\n", 1000, 30,
             "all sorts", steps, seconds, 1e3 * seconds / steps);
}
