// What a penalty is worth: the graph of BOSS under penalty 1, penalty 2 and `--penalty auto` (penalty 1, and ln p for
// each edge) beside the graph that made the table, over sizes, rows and densities. The figures are in
// docs/results/penalty.md.
//
//   ninja -C build penalty && build/penalty gaussian 100 1000 4 10
//   build/penalty discrete 50 500 2 10            columns, rows, average degree, graphs
//
// Prints one line: the setting, the price of an edge under auto, and for each penalty the mean SHD between CPDAGs, its
// standard error, and the mean number of edges. Gaussian: linear, weights of 0.5 to 1 with random signs, noise of
// deviation 1, gaussian-bic. Discrete: 2 to 4 levels, rows of the tables drawn from a Dirichlet distribution with all
// parameters 1, discrete-bic. BOSS starts from the order of GES alone, and searches without its iterated part, so that
// large graphs take seconds; the three penalties see the same tables.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <string>

#include "agon/catalog/scores.h"
#include "agon/data/simulate.h"
#include "agon/graph/measures.h"
#include "agon/opponent/boss.h"
#include "agon/score/edge_price.h"

namespace {

using namespace agon;

struct Problem {
  Dataset data;
  std::vector<Edge> truth;
};

Problem gaussian(const std::vector<std::vector<int>>& graph, size_t rows, const Rng& rng) {
  Simulated made = simulate_sem(graph, rows, {}, rng);
  std::vector<Edge> truth;
  for (Node v = 0; v < made.data.size(); ++v) {
    for (const Node q : made.parents[v]) truth.push_back({q, v});
  }
  return {std::move(made.data), std::move(truth)};
}

Problem discrete(const std::vector<std::vector<int>>& graph, size_t rows, const Rng& rng) {
  const BayesNet net = random_bayes_net(graph, 2, 4, 1, rng.split("net"));
  Dataset data = sample(net, rows, rng.split("rows"), "random");
  std::vector<Edge> truth;
  const auto node = [&](int k) { return data.index_of("X" + std::to_string(k + 1)); };
  for (int v = 0; v < static_cast<int>(graph.size()); ++v) {
    for (const int q : graph[v]) truth.push_back({node(q), node(v)});
  }
  return {std::move(data), std::move(truth)};
}

struct Mean {
  double sum = 0, squares = 0, edges = 0;
  int count = 0;
  void add(double shd, int found) {
    sum += shd;
    squares += shd * shd;
    edges += found;
    ++count;
  }
  std::string text() const {
    const double mean = sum / count, variance = std::max(0.0, squares / count - mean * mean);
    return fmt::format("{:7.1f} {:5.1f} {:6.1f}", mean, std::sqrt(variance / std::max(1, count - 1)), edges / count);
  }
};

void add(const LocalScore& score, const Problem& problem, Mean& mean) {
  const SearchResult found = boss(score, {.random_starts = 0, .evaluations = 0});
  mean.add(measure(problem.truth, found.dag).shd_cpdag.value(), found.dag.edge_count());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) {
    fmt::print(stderr, "usage: penalty gaussian|discrete COLUMNS ROWS DEGREE GRAPHS\n");
    return 2;
  }
  const std::string kind = argv[1], name = kind == "gaussian" ? "gaussian-bic" : "discrete-bic";
  const int columns = std::atoi(argv[2]), rows = std::atoi(argv[3]), graphs = std::atoi(argv[5]);
  const double degree = std::atof(argv[4]);
  Mean one, two, priced;
  for (int k = 0; k < graphs; ++k) {
    const Rng rng = Rng(0).split(fmt::format("{} {} {} {}", kind, columns, rows, degree), k);
    const auto graph = random_graph({.nodes = columns, .average_degree = degree}, rng.split("graph"));
    const Problem problem = kind == "gaussian" ? gaussian(graph, rows, rng) : discrete(graph, rows, rng);
    add(*make_score(name, problem.data), problem, one);
    add(*make_score(name, problem.data, {.penalty = 2}), problem, two);
    add(*make_score(name, problem.data, {.priced_edges = true}), problem, priced);
  }
  fmt::print("{} {} {} {} {} graphs  price {:.2f}  1: {}  2: {}  auto: {}\n", kind, columns, rows, degree, graphs,
             naming_price(columns), one.text(), two.text(), priced.text());
}
