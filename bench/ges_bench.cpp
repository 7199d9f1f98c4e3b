// Times greedy equivalence search: CPU time of this thread, the score reached, columns of gains, peak memory; and, on
// problems small enough for it, the plain twin that enumerates every operator from scratch.
//
//   ges_bench                         embedded networks and linear Gaussian graphs
//   ges_bench 1000 2000               linear Gaussian graphs of these sizes alone
//   ges_bench --table FILE SCORE      a table of one's own
//   ges_bench --no-turning ...        without the turning phase
#include <fmt/format.h>

#include <cstring>
#include <string>

#include "agon/catalog/scores.h"
#include "agon/data/csv.h"
#include "agon/data/embedded.h"
#include "agon/data/kinds.h"
#include "agon/data/simulate.h"
#include "agon/opponent/ges.h"
#include "bench/clock.h"

namespace {

using namespace agon;
using bench::cpu_seconds;
using bench::peak_megabytes;

// The least CPU time of as many runs as fit into about half a second, at most nine; and that of the first run.
void time_ges(const std::string& name, const LocalScore& score, GesOptions options, bool with_twin) {
  SearchResult result;
  double first = 0, least = 1e300, all = 0;
  for (int run = 0; run < 9 && (run == 0 || all < 0.5); ++run) {
    const double start = cpu_seconds();
    result = ges(score, options);
    const double taken = cpu_seconds() - start;
    if (run == 0) first = taken;
    least = std::min(least, taken);
    all += taken;
  }
  std::string twin;
  if (with_twin) {
    options.by_spec = true;
    const double start = cpu_seconds();
    const SearchResult plain = ges(score, options);
    twin = fmt::format("  by spec {:.3f} s{}", cpu_seconds() - start, plain.dag == result.dag ? "" : ", ANOTHER GRAPH");
  }
  fmt::print("{:<16} {:>9.4f} s (first {:.4f})  score {:.4f}  edges {}  steps {}  columns {}  hits {}  peak {} MB{}\n",
             name, least, first, result.score, result.dag.edge_count(), result.steps, result.counts.columns,
             result.counts.hits, peak_megabytes(), twin);
  std::fflush(stdout);
}

void time_linear(int nodes, double degree, double penalty, const GesOptions& options, bool with_twin) {
  const Rng rng(1);
  const auto parents = random_graph({.nodes = nodes, .average_degree = degree}, rng.split("graph"));
  const Dataset data = simulate_sem(parents, 1000, {}, rng.split("data")).data;
  const auto score = make_score("gaussian-bic", data, {.penalty = penalty});
  time_ges(fmt::format("linear {} x {:g}", nodes, degree), *score, options, with_twin);
}

}  // namespace

int main(int argc, char** argv) {
  GesOptions options;
  int next = 1;
  if (next < argc && !std::strcmp(argv[next], "--no-turning")) {
    options.turning = false;
    ++next;
  }
  if (next + 2 < argc && !std::strcmp(argv[next], "--table")) {
    Dataset data = read_csv(argv[next + 1]).data;
    std::vector<std::string> notes;
    if (std::string(argv[next + 2]) == "discrete-bic")
      data = with_kind(std::move(data), ColumnKind::kCategorical, notes);
    time_ges("table", *make_score(argv[next + 2], data), options, false);
    return 0;
  }
  if (next < argc) {
    for (; next < argc; ++next) time_linear(std::stoi(argv[next]), 4, 2, options, false);
    return 0;
  }
  for (const char* name : {"asia", "lucas", "alarm", "andes"}) {
    time_ges(name, *make_score("discrete-bic", embedded_table(name)), options, std::strcmp(name, "andes") != 0);
  }
  for (int nodes : {30, 100, 300, 1000, 2000}) time_linear(nodes, 4, 2, options, nodes <= 100);
  for (int nodes : {30, 100, 300}) time_linear(nodes, 6, 1, options, false);
}
