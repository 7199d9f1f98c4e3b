// Times BOSS: CPU time of this thread including its GES start, the score reached, evaluations, peak memory; and
// compares the search over orders with its plain twin, which recomputes every grow-shrink for every position.
//
//   boss_bench                         embedded networks and linear Gaussian graphs, and the twin where it is bearable
//   boss_bench 1000 2000               linear Gaussian graphs of these sizes alone
//   boss_bench --table FILE SCORE      a table of one's own
#include <fmt/format.h>

#include <cstring>
#include <string>

#include "agon/catalog/scores.h"
#include "agon/data/csv.h"
#include "agon/data/embedded.h"
#include "agon/data/kinds.h"
#include "agon/data/simulate.h"
#include "agon/opponent/boss.h"
#include "agon/opponent/boss_plain.h"
#include "bench/clock.h"

namespace {

using namespace agon;
using bench::cpu_seconds;
using bench::peak_megabytes;

Simulated linear(int nodes, double degree) {
  const Rng rng(1);
  const auto parents = random_graph({.nodes = nodes, .average_degree = degree}, rng.split("graph"));
  return simulate_sem(parents, 1000, {}, rng.split("data"));
}

void time_boss(const std::string& name, const LocalScore& score, const std::string& note = "") {
  const double start = cpu_seconds();
  const SearchResult r = boss(score);
  fmt::print("{:<22} {:>8.3f} s  score {:.3f}  edges {}  evaluations {}  columns {}  peak {} MB{}\n", name,
             cpu_seconds() - start, r.score, r.dag.edge_count(), r.steps, r.counts.columns, peak_megabytes(), note);
  std::fflush(stdout);
}

void time_linear(int nodes, double degree, double penalty) {
  const Simulated s = linear(nodes, degree);
  const auto score = make_score("gaussian-bic", s.data, {.penalty = penalty});
  time_boss(fmt::format("linear {} x {:g}, c = {:g}", nodes, degree, penalty), *score,
            fmt::format("  true graph {:.3f}", total(*score, dag_from_parents(s.parents))));
}

// Sweeps from one random order until nothing moves, by the fast search and by the twin.
void time_twin(const std::string& name, const LocalScore& score) {
  const OrderRules rules;
  Rng rng(1);
  const std::vector<Node> order = random_order(score, rules, rng);
  double start = cpu_seconds();
  OrderSearch search(score, rules, size_t{96} << 20);
  search.set_order(order);
  int sweeps = 1;
  for (; search.sweep() > 0; ++sweeps) {
  }
  const double fast = cpu_seconds() - start;
  start = cpu_seconds();
  std::vector<Node> plain = order;
  while (plain_order_sweep(score, rules, plain) > 0) {
  }
  const double slow = cpu_seconds() - start;
  fmt::print("{:<22} {:>8.4f} s  {} sweeps from a random order  plain twin {:.3f} s, {:.0f} times{}\n", name, fast,
             sweeps, slow, slow / fast, plain == search.order() ? "" : ", ANOTHER ORDER");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 3 && !std::strcmp(argv[1], "--table")) {
    Dataset data = read_csv(argv[2]).data;
    std::vector<std::string> notes;
    if (!std::strcmp(argv[3], "discrete-bic")) data = with_kind(std::move(data), ColumnKind::kCategorical, notes);
    time_boss("table", *make_score(argv[3], data));
    return 0;
  }
  if (argc > 1) {
    for (int k = 1; k < argc; ++k) time_linear(std::stoi(argv[k]), 4, 2);
    return 0;
  }
  time_twin("orders asia", *make_score("discrete-bic", embedded_table("asia", 1000)));
  time_twin("orders linear 15 x 4", *make_score("gaussian-bic", linear(15, 4).data));
  time_twin("orders linear 40 x 4", *make_score("gaussian-bic", linear(40, 4).data));
  for (const char* name : {"asia", "lucas", "child", "alarm", "hepar2", "andes"}) {
    time_boss(name, *make_score("discrete-bic", embedded_table(name)));
  }
  for (double penalty : {1.0, 2.0}) {
    for (int nodes : {30, 100}) time_linear(nodes, 6, penalty);
  }
  for (int nodes : {100, 300, 1000, 2000}) time_linear(nodes, 4, 2);
}
