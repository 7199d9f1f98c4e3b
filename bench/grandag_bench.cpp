// Times GraN-DAG against its plain twin: steps per second of one thread, on whole tables without selection of inputs.
// On request, shows what it finds on nonlinear simulations.
//
//   grandag_bench                      steps per second at 11, 37, 100 and 223 variables (16 x 2 units, batches of 64)
//   grandag_bench --simulations        mean SHD over ten seeds at 10 and 20 nodes (half a minute)
#include <fmt/format.h>

#include <cstring>
#include <string>

#include "agon/catalog/opponents.h"
#include "agon/catalog/scores.h"
#include "agon/data/simulate.h"
#include "agon/graph/measures.h"
#include "agon/opponent/acyclicity.h"
#include "agon/opponent/gran_dag_plain.h"
#include "bench/clock.h"

namespace {

using namespace agon;
using bench::cpu_seconds;

constexpr int kBatch = 64;
constexpr GranDagShape kShape{.layers = 2, .units = 16};
constexpr double kLambda = 0.1, kMu = 1e-3, kRate = 1e-3, kClamp = 1e-4;

void time_steps(int p, int steps, int plain_steps) {
  Rng rng(1);
  std::vector<std::vector<int>> inputs(p);
  for (int i = 0; i < p; ++i) {
    for (int j = 0; j < p; ++j) {
      if (j != i) inputs[i].push_back(j);
    }
  }
  PlainMatrix rows(kBatch, std::vector<double>(p));
  std::vector<float> table;
  for (auto& row : rows) {
    for (double& x : row) table.push_back(static_cast<float>(x = rng.normal()));
  }

  GranDagNet<float> net(kShape, inputs, rng);
  Acyclicity<float> term;
  GranDagWork<float> work;
  term.set_edges(net.inputs());
  const auto step = [&] {
    for (int b = 0; b < term.blocks(); ++b) term.compute(b, net.connectivity());
    const float factor = static_cast<float>(kLambda + kMu * term.h());
    int removed = 0;
    for (int i = 0; i < p; ++i) {
      net.learn(i, {table.data(), kBatch, p}, 1.0 / (kBatch * p), work);
      net.add_penalty(i, term.gradient(i), factor);
      net.rms_step(i, static_cast<float>(kRate));
      net.connect(i);
      removed += net.clamp(i, static_cast<float>(kClamp), [](int, int) { return false; });
    }
    if (removed > 0) term.set_edges(net.inputs());
  };
  step();
  double start = cpu_seconds();
  for (int k = 0; k < steps; ++k) step();
  const double fast = (cpu_seconds() - start) / steps;

  PlainGranDag plain(kShape, inputs, rng);
  start = cpu_seconds();
  for (int k = 0; k < plain_steps; ++k) plain.step(rows, kLambda, kMu, kRate, kClamp);
  const double slow = (cpu_seconds() - start) / plain_steps;
  fmt::print("grandag {:>3} variables  {:>9.1f} steps/s  plain twin {:>7.2f} steps/s, {:.0f} times\n", p, 1 / fast,
             1 / slow, slow / fast);
  std::fflush(stdout);
}

void simulations(int nodes, int seeds) {
  double shd = 0, edges = 0, seconds = 0;
  for (int seed = 0; seed < seeds; ++seed) {
    const Rng rng(static_cast<uint64_t>(seed));
    const auto parents = random_graph({.nodes = nodes, .average_degree = 2}, rng.split("graph"));
    const Simulated s = simulate_sem(parents, 1000, {.mechanism = Mechanism::kMlp}, rng.split("data"));
    const auto score = make_score("copula-bic", s.data);
    const Dag truth = dag_from_parents(s.parents), empty(nodes);
    const Watch watch;
    const double start = cpu_seconds();
    const SearchResult r = opponent_entry("grandag").propose(
        {.data = s.data, .score = *score, .start = empty, .knowledge = {}, .rng = rng, .watch = watch});
    seconds += cpu_seconds() - start;
    shd += measure(truth.edges(), r.dag).shd;
    edges += truth.edge_count();
  }
  fmt::print(
      "grandag, MLP mechanisms, {} nodes, {:.1f} edges, 1000 rows: mean SHD {:.2f} over {} seeds, {:.2f} s each\n",
      nodes, edges / seeds, shd / seeds, seeds, seconds / seeds);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && !std::strcmp(argv[1], "--simulations")) {
    simulations(10, 10);
    simulations(20, 10);
    return 0;
  }
  time_steps(11, 2000, 60);
  time_steps(37, 600, 20);
  time_steps(100, 80, 3);
  time_steps(223, 10, 1);
}
