// Times the classical algorithms on the published tables, on one thread, and compares them with the times of Python
// programs on one core of the machine on which both were first measured. On request, shows what they find on
// simulations.
//
//   rivals_bench                     on samples of the embedded networks: alarm and asia 10,000 rows, child 1000; sachs
//   rivals_bench --simulations       recovery over 20 seeds (two minutes)
//
// The Python programs: causal-learn's PC and FCI, lingam's DirectLiNGAM and ICA-LiNGAM, the authors' NOTEARS. GOLEM and
// ANM are timed without one.
#include <fmt/format.h>

#include <cstring>
#include <string>

#include "agon/catalog/opponents.h"
#include "agon/catalog/scores.h"
#include "agon/data/embedded.h"
#include "agon/data/simulate.h"
#include "agon/graph/measures.h"
#include "agon/opponent/anm.h"
#include "agon/opponent/golem.h"
#include "agon/opponent/lingam.h"
#include "agon/opponent/notears.h"
#include "agon/opponent/test_simulations.h"
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

// `exact` counts the graphs for which the order found puts every parent before its child.
struct Recovery {
  double shd = 0;
  int exact = 0;
};

void simulations() {
  constexpr int kSeeds = 20, kPairs = 50;
  Recovery notears_raw, golem_raw, notears_standard, golem_standard, direct, ica;
  double resit_shd = 0;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Rng rng(seed);
    const auto graph = random_graph({.nodes = 20, .average_degree = 4}, rng.split("graph"));
    const Simulated s = simulate_sem(graph, 1000, {.weight_high = 2}, rng.split("data"));
    const auto score = make_score("gaussian-bic", s.data);
    const std::vector<Edge> truth = dag_from_parents(s.parents).edges();
    notears_raw.shd += measure(truth, notears(s.data, *score, {.standardise = false}).dag).shd;
    golem_raw.shd += measure(truth, golem(s.data, *score, {.own_variances = false, .standardise = false}).dag).shd;
    notears_standard.shd += measure(truth, notears(s.data, *score).dag).shd;
    golem_standard.shd += measure(truth, golem(s.data, *score).dag).shd;

    const auto small = random_graph({.nodes = 10, .average_degree = 4}, rng.split("graph"));
    const Simulated u = simulate_sem(small, 5000, {.noise = Noise::kUniform}, rng.split("data"));
    const auto raw = make_score("gaussian-bic", u.data);
    const std::vector<Edge> other = dag_from_parents(u.parents).edges();
    const StandardTable table = standardise(u.data);
    direct.exact += testing::follows(direct_order(table, {}).order, u.parents);
    ica.exact += testing::follows(ica_order(table, {}, rng).order, u.parents);
    direct.shd += measure(other, direct_lingam(u.data, *raw).dag).shd;
    ica.shd += measure(other, ica_lingam(u.data, *raw, {}, rng).dag).shd;

    const auto bent = random_graph({.nodes = 10, .average_degree = 2}, rng.split("graph"));
    const Simulated m = simulate_sem(bent, 1000, {.mechanism = Mechanism::kMlp}, rng.split("data"));
    const auto copula = make_score("copula-bic", m.data);
    resit_shd += measure(dag_from_parents(m.parents).edges(), resit(m.data, *copula).dag).shd;
  }
  int pairs = 0;
  for (uint64_t seed = 0; seed < kPairs; ++seed) {
    const auto [x, y] = testing::bent_pair(seed);
    pairs += anm_pair(x, y).is_forward();
  }
  const auto shd = [](const Recovery& r) { return r.shd / kSeeds; };
  fmt::print("linear, equal variances, 20 nodes, 40 edges expected, 1000 rows, {} seeds: mean SHD\n", kSeeds);
  fmt::print("  columns as they are   notears {:.2f}, golem (equal variances) {:.2f}\n", shd(notears_raw),
             shd(golem_raw));
  fmt::print("  standardised          notears {:.2f}, golem {:.2f}\n", shd(notears_standard), shd(golem_standard));
  fmt::print("linear, uniform noise, 10 nodes, 20 edges expected, 5000 rows, {} seeds: exact orders, mean SHD\n",
             kSeeds);
  fmt::print("  direct-lingam {}, {:.2f}   ica-lingam {}, {:.2f}\n", direct.exact, shd(direct), ica.exact, shd(ica));
  fmt::print("nonlinear, Gaussian noise: anm gets the direction of {} of {} pairs of 1000 rows;\n", pairs, kPairs);
  fmt::print("  10 nodes, 10 edges expected, 1000 rows, {} seeds: mean SHD of anm (RESIT) {:.2f}\n", kSeeds,
             resit_shd / kSeeds);
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
