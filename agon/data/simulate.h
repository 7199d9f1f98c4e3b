// agon/data/simulate.h
//
// Data whose causal graph is known, for tests and benchmarks: random graphs, structural equation models over them, and
// random Bayesian networks.
//
//   Rng rng(7);
//   auto parents = random_graph({.nodes = 30, .average_degree = 6}, rng.split("graph"));
//   Simulated s = simulate_sem(parents, 1000, {.mechanism = Mechanism::kMlp}, rng.split("data"));
//   s.data;        // columns X1 .. X30
//   s.parents[4];  // true parents of node 4 of s.data
//
// A graph is a list of parents per node, acyclic. Its node numbers are shuffled, so neither the names X1 .. Xp nor the
// order of columns says anything about the direction of an edge.
#pragma once

#include <string>
#include <vector>

#include "agon/base/rng.h"
#include "agon/data/bayes_net.h"
#include "agon/data/dataset.h"

namespace agon {

enum class GraphModel {
  kErdosRenyi,  // each pair of nodes has an edge with the same probability (Gilbert 1959)
  kScaleFree,   // nodes come one by one and take `m` older ones as parents, in proportion to degree (Barabasi & Albert
                // 1999); a few hubs cause much of the rest
};

struct RandomGraphOptions {
  GraphModel model = GraphModel::kErdosRenyi;
  int nodes = 10;  // p >= 1
  double average_degree =
      4;  // edges at a node, in and out: p * average_degree / 2 edges are expected, at most all pairs
  double expected_edges = -1;  // when >= 0, stands in for average_degree
};

// Parents per node, each list ascending. Throws UsageError for impossible options. A scale-free graph takes m =
// max(1, expected edges / p rounded); its first node has no parent and node k at most k, so it has fewer than m * p.
std::vector<std::vector<int>> random_graph(const RandomGraphOptions& options, Rng rng);

enum class Mechanism {
  kLinear,     // sum of w * parent
  kMlp,        // one hidden layer of sigmoid units over the parents (as in Zheng et al. 2020, NOTEARS-MLP)
  kQuadratic,  // sum of w * a * b over all products of two parents, squares included, plus linear terms
};
enum class Noise { kGaussian, kUniform, kLaplace, kExponential, kGumbel };
const char* to_string(Mechanism mechanism);  // "linear", "mlp", "quadratic"
const char* to_string(Noise noise);          // "gaussian", "uniform", "laplace", "exponential", "gumbel"

struct SemOptions {
  Mechanism mechanism = Mechanism::kLinear;
  Noise noise = Noise::kGaussian;
  double weight_low = 0.5;   // |w| is uniform on [weight_low, weight_high], its sign a fair coin
  double weight_high = 1.0;  // both >= 0
  double noise_low = 1.0;    // standard deviation of a node's noise, uniform on [noise_low, noise_high], > 0;
  double noise_high = 1.0;   // every kind of noise has mean 0
  int hidden = 20;           // sigmoid units of kMlp
};

struct Simulated {
  Dataset data;
  std::vector<std::vector<int>> parents;     // by node of `data`, ascending
  std::vector<std::vector<double>> weights;  // kLinear: the weight of each parent, beside it; else empty lists
  std::vector<double> noise_scale;           // by node of `data`: standard deviation of the noise
};

// Rows of x_j = f_j(parents of j) + noise, all rows independent except that the nonlinear mechanisms see each parent
// column standardised (mean 0, variance 1 over the sample), so that values stay finite however deep the graph is.
// Node j of `parents` becomes the column X(j+1). Throws UsageError for a cyclic graph or impossible options.
Simulated simulate_sem(const std::vector<std::vector<int>>& parents, size_t rows, const SemOptions& options, Rng rng);

// A network over the graph with names X1 .. Xp, each node with `min_levels` to `max_levels` levels "0", "1", .. and
// each row of each table drawn from a Dirichlet distribution with all parameters `alpha` > 0 (small: near certain
// answers; large: near uniform ones).
BayesNet random_bayes_net(const std::vector<std::vector<int>>& parents, int min_levels, int max_levels, double alpha,
                          Rng rng);

// One draw of noise with mean 0 and standard deviation 1.
double draw_noise(Noise noise, Rng& rng);

}  // namespace agon
