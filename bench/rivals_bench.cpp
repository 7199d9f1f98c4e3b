// Times the classical algorithms on the published tables, one thread, beside what programs in Python took on one core
// of the machine these were first measured on; and, asked for, what they find on simulations.
//
//   rivals_bench                     on samples of the embedded networks: alarm and asia 10,000 rows, child 1000; sachs
//   rivals_bench --simulations       recovery over 20 seeds (half a minute)
//
// Python: causal-learn's PC and FCI, lingam's DirectLiNGAM and ICA-LiNGAM, the authors' NOTEARS; GOLEM's goal is a
// limit.
#include <fmt/format.h>

#include <cstring>
#include <string>

#include "agon/catalog/opponents.h"
#include "agon/data/embedded.h"
#include "agon/data/simulate.h"
#include "agon/graph/measures.h"
#include "agon/opponent/golem.h"
#include "agon/opponent/lingam.h"
#include "agon/opponent/notears.h"
#include "agon/score/scores.h"
#include "bench/clock.h"

namespace {

using namespace agon;

void time_one(const std::string& name, const std::string& table, size_t rows, double python, const char* relation) {
  const Dataset data = embedded_table(table, rows);
  const auto score = make_score("auto", data);
  const Dag empty(data.size());
  const Watch watch;
  const OpponentEntry& entry = opponent_entry(name);
  const double seconds = bench::least_seconds(
      [&] {
        entry.propose({.data = data,
                       .score = *score,
                       .start = empty,
                       .knowledge = {},
                       .rng = Rng(0),
                       .threads = 1,
                       .watch = watch});
      },
      0.3, 5);
  fmt::print("{:<14} {:<6} {:>9.4f} s", name, table, seconds);
  if (python > 0)
    fmt::print("   Python {}{:g} s: {}{:.0f} times as fast", relation, python, relation, python / seconds);
  fmt::print("\n");
  std::fflush(stdout);
}

void simulations() {
  constexpr int kSeeds = 20;
  double notears_shd = 0, golem_shd = 0, direct_shd = 0, ica_shd = 0;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Rng rng(seed);
    const auto graph = random_graph({.nodes = 20, .average_degree = 4}, rng.split("graph"));
    const Simulated s = simulate_sem(graph, 1000, {.weight_high = 2}, rng.split("data"));
    const auto score = make_score("gaussian-bic", s.data);
    const std::vector<Edge> truth = dag_from_parents(s.parents).edges();
    notears_shd += measure(truth, notears(s.data, *score, {.standardise = false}).dag).shd;
    golem_shd += measure(truth, golem(s.data, *score, {.own_variances = false, .standardise = false}).dag).shd;
    const auto small = random_graph({.nodes = 10, .average_degree = 4}, rng.split("graph"));
    const Simulated u = simulate_sem(small, 5000, {.noise = Noise::kUniform}, rng.split("data"));
    const auto raw = make_score("gaussian-bic", u.data);
    const std::vector<Edge> other = dag_from_parents(u.parents).edges();
    direct_shd += measure(other, direct_lingam(u.data, *raw).dag).shd;
    ica_shd += measure(other, ica_lingam(u.data, *raw, {}, rng).dag).shd;
  }
  fmt::print("linear, equal variances, 20 nodes, 40 edges expected, 1000 rows: mean SHD notears {:.2f}, golem {:.2f}\n",
             notears_shd / kSeeds, golem_shd / kSeeds);
  fmt::print(
      "linear, uniform noise, 10 nodes, 20 edges expected, 5000 rows: mean SHD direct-lingam {:.2f}, ica-lingam "
      "{:.2f}\n",
      direct_shd / kSeeds, ica_shd / kSeeds);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && !std::strcmp(argv[1], "--simulations")) {
    simulations();
    return 0;
  }
  time_one("pc", "alarm", 10000, 3.9, "");
  time_one("pc", "child", 1000, 1.1, "");
  time_one("fci", "alarm", 10000, 3.4, "");
  time_one("direct-lingam", "alarm", 10000, 22, "");
  time_one("ica-lingam", "alarm", 10000, 1.3, "");
  time_one("notears", "asia", 10000, 32, "");
  time_one("notears", "sachs", 0, 52, "");
  time_one("notears", "alarm", 10000, 60, "over ");
  time_one("golem", "alarm", 10000, 0, "");
  time_one("anm", "alarm", 10000, 0, "");
}
