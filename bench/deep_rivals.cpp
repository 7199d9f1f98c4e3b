// The deep rivals on simulated tables whose graph is known: what each finds, how fast it trains, and the controls
// beside it. The figures are in docs/results/rivals.md.
//
//   cmake --build build --target deep_rivals
//   build/deep_rivals rl-bic 12 5000 0.5 5 20000      columns, rows, edge probability, graphs, iterations,
//                                                     and, if not 0, the first graph
//   build/deep_rivals corl 12 5000 0.5 5 1000
//   build/deep_rivals corl-order 30 2000 0.138 5 2000
//   build/deep_rivals dag-gnn 12 5000 0.5 5 300       the last number: epochs of a subproblem
//   build/deep_rivals corl-standardised 12 5000 0.5 5 400      any of them on standardised columns
//
// Weights are uniform on +-[0.5, 2], the noise is standard normal, columns are shuffled and not standardised. A line
// per graph: varsortability of the true graph; SHD, TPR and FDR of the rival; CPU seconds and iterations per second;
// and the SHD of four controls: GES with its milliseconds, columns sorted by variance and regressed in that order, the
// mean of 100 random orders, and NOTEARS on the same raw columns. For CORL up to 20 columns also the reward of the best
// order of all, by dynamic programming over subsets.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "agon/catalog/scores.h"
#include "agon/data/simulate.h"
#include "agon/graph/measures.h"
#include "agon/graph/varsortability.h"
#include "agon/opponent/corl.h"
#include "agon/opponent/dag_gnn.h"
#include "agon/opponent/ges.h"
#include "agon/opponent/notears.h"
#include "agon/opponent/rl_answer.h"
#include "agon/opponent/rl_bic.h"
#include "bench/clock.h"

namespace {

using namespace agon;
using agon::bench::cpu_seconds;

struct Problem {
  Simulated simulated;
  std::unique_ptr<LocalScore> score;
  std::vector<Edge> truth;

  Problem(int columns, int rows, double density, int graph) {
    const Rng rng(100 + graph);
    const double edges = density * columns * (columns - 1) / 2;
    const auto parents = random_graph({.nodes = columns, .expected_edges = edges}, rng.split("graph"));
    simulated = simulate_sem(parents, rows, {.weight_low = 0.5, .weight_high = 2}, rng.split("data"));
    score = make_score("gaussian-bic", simulated.data);
    for (int v = 0; v < columns; ++v) {
      for (int u : simulated.parents[v]) truth.push_back({u, v});
    }
  }
  const Dataset& data() const { return simulated.data; }
  int shd(const Dag& dag) const { return measure(truth, dag).shd; }

  // The graph of an order: everything before a node is its parent, less the weak coefficients.
  Dag of_order(const std::vector<int>& order) const {
    RlAnswer answer(data(), *score, {}, {});
    ParentLists parents(order.size());
    for (size_t t = 0; t < order.size(); ++t) {
      parents[order[t]].assign(order.begin(), order.begin() + static_cast<long>(t));
      std::ranges::sort(parents[order[t]]);
    }
    return answer.finish(parents, {}).dag;
  }
};

std::string controls(const Problem& p) {
  const int d = p.data().size();
  const double begin = cpu_seconds();
  const Dag by_ges = ges(*p.score).dag;
  const double milliseconds = 1000 * (cpu_seconds() - begin);
  std::vector<int> order(d);
  std::iota(order.begin(), order.end(), 0);
  const std::vector<double> variance = column_variances(p.data());
  std::ranges::sort(order, {}, [&](int v) { return variance[v]; });
  const int sorted = p.shd(p.of_order(order));
  Rng rng(1);
  double random = 0;
  const int draws = 100;
  for (int k = 0; k < draws; ++k) {
    rng.shuffle(order);
    random += static_cast<double>(p.shd(p.of_order(order))) / draws;
  }
  const Dag by_notears = notears(p.data(), *p.score, {.standardise = false}).dag;
  return fmt::format("GES {} ({:.0f} ms), by variance {}, random orders {:.1f}, NOTEARS {}", p.shd(by_ges),
                     milliseconds, sorted, random, p.shd(by_notears));
}

// -ln of the least sum of residuals over all orders.
double best_reward(const Problem& p) {
  Regressions fits(as_it_is(p.data()), Regression::kLinear);
  const int d = fits.size();
  std::vector<double> least(size_t{1} << d, 1e300);
  least[0] = 0;
  for (size_t set = 1; set < least.size(); ++set) {
    std::vector<int> members;
    for (int v = 0; v < d; ++v) {
      if ((set >> v & 1) != 0) members.push_back(v);
    }
    for (const int last : members) {
      std::vector<int> before = members;
      std::erase(before, last);
      least[set] = std::min(least[set], least[set & ~(size_t{1} << last)] + fits.residual(last, before));
    }
  }
  return -same_log(least.back() + 1e-8);
}

// RL-BIC2 is stopped every 1000 iterations to look at its answer, and resumed unless that is the true graph. The course
// is what its authors' logs show: the iteration, S and the SHD after pruning.
SearchResult run_until_found(const Problem& p, const RlBicOptions& options, const Rng& rng) {
  SearchResult found;
  std::string course, last;
  do {
    std::atomic<bool> stop = false;
    Watch watch;
    watch.interrupted = &stop;
    watch.report = [&](const Progress& progress) { stop = progress.steps > 0 && progress.steps % 1000 == 0; };
    const std::string from = found.unfinished;
    found = rl_bic(p.data(), *p.score, options, rng, watch, {}, {.from = from.empty() ? nullptr : &from});
    const std::string now = fmt::format("SHD {} with {} edges", p.shd(found.dag), found.dag.edge_count());
    if (now != last) {
      course += fmt::format("{}{}: {}", course.empty() ? "" : ", ", found.steps, now);
      fmt::print(stderr, "  {}: {}; {}\n", found.steps, now, found.story[0]);
    }
    last = now;
  } while (!found.unfinished.empty() && p.shd(found.dag) > 0);
  found.story.push_back("course: " + course);
  return found;
}

SearchResult run(const std::string& rival, const Problem& p, long steps, int seed) {
  Watch watch;
  watch.report = [&](const Progress& progress) {
    if (progress.steps % 1000 == 0) fmt::print(stderr, "  {} {}\n", progress.steps, progress.phase);
  };
  const Rng rng(seed);
  const bool standard = rival.ends_with("-standardised");
  if (rival.starts_with("rl-bic")) {
    return run_until_found(p, {.standardise = standard, .iterations = steps}, rng);
  }
  if (rival.starts_with("corl")) {
    const bool per_step = !rival.starts_with("corl-order");
    return corl(p.data(), *p.score, {.per_step = per_step, .standardise = standard, .iterations = steps}, rng, watch);
  }
  const bool sample = rival.starts_with("dag-gnn-sample");
  const DagGnnOptions options{.epochs = static_cast<int>(steps), .sample = sample, .standardise = standard};
  return dag_gnn(p.data(), *p.score, options, rng, watch);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 7 && argc != 8) {
    fmt::print(stderr, "deep_rivals RIVAL COLUMNS ROWS DENSITY GRAPHS ITERATIONS [FIRST]; see the source\n");
    return 2;
  }
  const std::string rival = argv[1];
  const int columns = std::atoi(argv[2]), rows = std::atoi(argv[3]), graphs = std::atoi(argv[5]);
  const int first = argc > 7 ? std::atoi(argv[7]) : 0;
  double sum = 0;
  for (int graph = first; graph < first + graphs; ++graph) {
    const Problem p(columns, rows, std::atof(argv[4]), graph);
    const double begin = cpu_seconds();
    const SearchResult found = run(rival, p, std::atol(argv[6]), graph);
    const double seconds = cpu_seconds() - begin;
    const Measures m = measure(p.truth, found.dag);
    sum += m.shd;
    fmt::print(
        "graph {}: {} edges, varsortability {:.2f}; SHD {}, TPR {:.2f}, FDR {:.2f}; {} iterations, {:.0f} CPU s, "
        "{:.1f}/s; {}\n",
        graph, p.truth.size(), varsortability(columns, p.truth, column_variances(p.data())).value_or(0), m.shd, m.tpr,
        m.fdr, found.steps, seconds, static_cast<double>(found.steps) / seconds, controls(p));
    for (const std::string& sentence : found.story) fmt::print("  {}\n", sentence);
    if (rival.starts_with("corl") && !rival.ends_with("-standardised") && columns <= 20)
      fmt::print("  best order of all: {:.4f}\n", best_reward(p));
    std::fflush(stdout);
  }
  fmt::print("mean SHD {:.1f}\n", sum / graphs);
}
