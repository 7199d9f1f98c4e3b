#include "agon/data/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "agon/base/error.h"

namespace agon {
namespace {

// Renames the nodes at random, which hides the order in which the edges were made.
std::vector<std::vector<int>> renamed(const std::vector<std::vector<int>>& parents, Rng rng) {
  std::vector<int> name(parents.size());
  std::iota(name.begin(), name.end(), 0);
  rng.shuffle(name);
  std::vector<std::vector<int>> out(parents.size());
  for (size_t node = 0; node < parents.size(); ++node) {
    auto& list = out[name[node]];
    for (int parent : parents[node]) list.push_back(name[parent]);
    std::sort(list.begin(), list.end());
  }
  return out;
}

double draw_weight(const SemOptions& options, Rng& rng) {
  const double size = rng.uniform(options.weight_low, options.weight_high);
  return rng.below(2) == 0 ? size : -size;
}

std::vector<double> standardised(const std::vector<double>& values) {
  const double n = static_cast<double>(values.size());
  double mean = 0, square = 0;
  for (double x : values) mean += x / n;
  for (double x : values) square += (x - mean) * (x - mean) / n;
  const double scale = square > 0 ? 1 / std::sqrt(square) : 0;
  std::vector<double> out;
  out.reserve(values.size());
  for (double x : values) out.push_back((x - mean) * scale);
  return out;
}

using Columns = std::vector<std::vector<double>>;

void add_linear(const Columns& inputs, const std::vector<double>& weights, std::vector<double>& out) {
  for (size_t k = 0; k < inputs.size(); ++k) {
    for (size_t row = 0; row < out.size(); ++row) out[row] += weights[k] * inputs[k][row];
  }
}

void add_mlp(const Columns& inputs, const SemOptions& options, Rng& rng, std::vector<double>& out) {
  std::vector<double> hidden(out.size());
  for (int unit = 0; unit < options.hidden; ++unit) {
    std::fill(hidden.begin(), hidden.end(), 0.0);
    std::vector<double> weights;
    for (size_t k = 0; k < inputs.size(); ++k) weights.push_back(2 * draw_weight(options, rng));
    const double shift = rng.normal();
    add_linear(inputs, weights, hidden);
    const double outer = draw_weight(options, rng);
    for (size_t row = 0; row < out.size(); ++row) out[row] += outer / (1 + std::exp(-hidden[row] - shift));
  }
}

void add_quadratic(const Columns& inputs, const SemOptions& options, Rng& rng, std::vector<double>& out) {
  for (size_t a = 0; a < inputs.size(); ++a) {
    const double linear = draw_weight(options, rng);
    for (size_t row = 0; row < out.size(); ++row) out[row] += linear * inputs[a][row];
    for (size_t b = a; b < inputs.size(); ++b) {
      const double product = draw_weight(options, rng);
      for (size_t row = 0; row < out.size(); ++row) out[row] += product * inputs[a][row] * inputs[b][row];
    }
  }
}

// Marsaglia & Tsang 2000, with their correction for shapes under 1.
double draw_gamma(double shape, Rng& rng) {
  if (shape < 1) {
    const double u = 1 - rng.uniform();
    return draw_gamma(shape + 1, rng) * std::pow(u, 1 / shape);
  }
  const double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = rng.normal(), v = std::pow(1 + c * x, 3);
    if (v <= 0) continue;
    const double u = 1 - rng.uniform();
    if (std::log(u) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
  }
}

std::vector<std::string> numbered_names(size_t count) {
  std::vector<std::string> names;
  for (size_t k = 1; k <= count; ++k) names.push_back(fmt::format("X{}", k));
  return names;
}

std::vector<int> checked_order(const std::vector<std::vector<int>>& parents) {
  for (const auto& list : parents) {
    for (int parent : list) {
      if (parent < 0 || parent >= static_cast<int>(parents.size())) {
        throw UsageError(fmt::format("a graph of {} nodes cannot have node {} as a parent", parents.size(), parent));
      }
    }
  }
  std::vector<int> order = parents_first_order(parents);
  if (order.size() != parents.size()) throw UsageError("the graph to simulate from has a cycle");
  return order;
}

}  // namespace

const char* to_string(Mechanism mechanism) {
  switch (mechanism) {
    case Mechanism::kLinear:
      return "linear";
    case Mechanism::kMlp:
      return "mlp";
    case Mechanism::kQuadratic:
      return "quadratic";
  }
  return "";
}

const char* to_string(Noise noise) {
  switch (noise) {
    case Noise::kGaussian:
      return "gaussian";
    case Noise::kUniform:
      return "uniform";
    case Noise::kLaplace:
      return "laplace";
    case Noise::kExponential:
      return "exponential";
    case Noise::kGumbel:
      return "gumbel";
  }
  return "";
}

std::vector<std::vector<int>> random_graph(const RandomGraphOptions& options, Rng rng) {
  const int p = options.nodes;
  if (p < 1) throw UsageError(fmt::format("a random graph of {} nodes, expected at least 1", p));
  const double pairs = 0.5 * p * (p - 1.0);
  const double edges = options.expected_edges >= 0 ? options.expected_edges : 0.5 * p * options.average_degree;
  if (!(edges >= 0 && edges <= pairs)) {
    throw UsageError(fmt::format("{} edges expected among {} nodes, which have {} pairs", edges, p, pairs));
  }
  std::vector<std::vector<int>> parents(p);
  Rng draw = rng.split("edges");
  if (options.model == GraphModel::kErdosRenyi) {
    const double probability = pairs > 0 ? edges / pairs : 0;
    for (int child = 1; child < p; ++child) {
      for (int parent = 0; parent < child; ++parent) {
        if (draw.uniform() < probability) parents[child].push_back(parent);
      }
    }
  } else {
    const int m = std::max(1, static_cast<int>(std::lround(edges / p)));
    std::vector<int> ends = {
        0};  // every node once, and once more per edge at it: so nodes are drawn in proportion to degree + 1
    for (int child = 1; child < p; ++child) {
      auto& list = parents[child];
      while (static_cast<int>(list.size()) < std::min(m, child)) {
        const int parent = ends[draw.below(static_cast<int>(ends.size()))];
        if (std::find(list.begin(), list.end(), parent) == list.end()) list.push_back(parent);
      }
      ends.push_back(child);
      for (int parent : list) {
        ends.push_back(parent);
        ends.push_back(child);
      }
    }
  }
  return renamed(parents, rng.split("names"));
}

double draw_noise(Noise noise, Rng& rng) {
  switch (noise) {
    case Noise::kGaussian:
      return rng.normal();
    case Noise::kUniform:
      return rng.uniform(-1, 1) * std::numbers::sqrt3;
    case Noise::kLaplace: {
      const double size = rng.exponential() / std::numbers::sqrt2;
      return rng.below(2) == 0 ? size : -size;
    }
    case Noise::kExponential:
      return rng.exponential() - 1;
    case Noise::kGumbel:  // -ln(E) has mean Euler's gamma and variance pi^2 / 6
      return (-std::log(std::max(rng.exponential(), 1e-300)) - std::numbers::egamma) * std::sqrt(6.0) /
             std::numbers::pi;
  }
  return 0;
}

Simulated simulate_sem(const std::vector<std::vector<int>>& parents, size_t rows, const SemOptions& options, Rng rng) {
  if (!(options.weight_low >= 0 && options.weight_high >= options.weight_low)) {
    throw UsageError(
        fmt::format("weights from {} to {}, expected 0 <= low <= high", options.weight_low, options.weight_high));
  }
  if (!(options.noise_low > 0 && options.noise_high >= options.noise_low)) {
    throw UsageError(
        fmt::format("noise from {} to {}, expected 0 < low <= high", options.noise_low, options.noise_high));
  }
  if (options.hidden < 1) throw UsageError(fmt::format("{} hidden units, expected at least 1", options.hidden));
  const std::vector<int> order = checked_order(parents);
  const size_t p = parents.size();
  Columns values(p);
  std::vector<std::vector<double>> weights(p);
  std::vector<double> scale(p);
  for (int node : order) {
    Rng draw = rng.split("mechanism", node), noise = rng.split("noise", node);
    scale[node] = draw.uniform(options.noise_low, options.noise_high);
    values[node].assign(rows, 0.0);
    Columns inputs;
    for (int parent : parents[node]) {
      inputs.push_back(options.mechanism == Mechanism::kLinear ? values[parent] : standardised(values[parent]));
    }
    if (options.mechanism == Mechanism::kLinear) {
      for (size_t k = 0; k < inputs.size(); ++k) weights[node].push_back(draw_weight(options, draw));
      add_linear(inputs, weights[node], values[node]);
    } else if (options.mechanism == Mechanism::kMlp) {
      if (!inputs.empty()) add_mlp(inputs, options, draw, values[node]);
    } else {
      add_quadratic(inputs, options, draw, values[node]);
    }
    for (double& x : values[node]) x += scale[node] * draw_noise(options.noise, noise);
  }

  const std::vector<std::string> names = numbered_names(p);
  const std::vector<int> order_of_nodes = canonical_order(names);
  std::vector<int> node_of(p);
  for (size_t k = 0; k < p; ++k) node_of[order_of_nodes[k]] = static_cast<int>(k);
  Simulated out;
  out.parents.resize(p);
  out.weights.resize(p);
  out.noise_scale.resize(p);
  std::vector<Column> columns;
  for (size_t k = 0; k < p; ++k) {
    const int node = node_of[k];
    std::vector<std::pair<int, double>> both;
    for (size_t i = 0; i < parents[k].size(); ++i) {
      both.emplace_back(node_of[parents[k][i]], weights[k].empty() ? 0.0 : weights[k][i]);
    }
    std::sort(both.begin(), both.end());
    for (const auto& [parent, weight] : both) {
      out.parents[node].push_back(parent);
      if (!weights[k].empty()) out.weights[node].push_back(weight);
    }
    out.noise_scale[node] = scale[k];
    columns.push_back(continuous_column(names[k], std::move(values[k])));
  }
  out.data = make_dataset(std::move(columns),
                          fmt::format("simulated ({}, {})", to_string(options.mechanism), to_string(options.noise)));
  return out;
}

BayesNet random_bayes_net(const std::vector<std::vector<int>>& parents, int min_levels, int max_levels, double alpha,
                          Rng rng) {
  if (min_levels < 1 || max_levels < min_levels || !(alpha > 0)) {
    throw UsageError(fmt::format("{} to {} levels with alpha {}, expected 1 <= fewest <= most and alpha > 0",
                                 min_levels, max_levels, alpha));
  }
  checked_order(parents);
  BayesNet net;
  net.names = numbered_names(parents.size());
  net.parents = parents;
  net.levels.resize(parents.size());
  net.tables.resize(parents.size());
  Rng count = rng.split("levels");
  for (auto& levels : net.levels) {
    const int r = min_levels + count.below(max_levels - min_levels + 1);
    for (int k = 0; k < r; ++k) levels.push_back(std::to_string(k));
  }
  for (int node = 0; node < net.size(); ++node) {
    Rng draw = rng.split("table", node);
    const size_t width = net.levels[node].size();
    auto& table = net.tables[node];
    table.resize(width * net.configurations(node));
    for (size_t start = 0; start < table.size(); start += width) {
      double sum = 0;
      for (size_t k = 0; k < width; ++k) sum += table[start + k] = draw_gamma(alpha, draw);
      // With a tiny alpha all draws can underflow to 0. Then one level is certain, which is the limit.
      if (!(sum > 0)) sum = table[start + draw.below(static_cast<int>(width))] = 1;
      for (size_t k = 0; k < width; ++k) table[start + k] /= sum;
    }
  }
  return net;
}

}  // namespace agon
