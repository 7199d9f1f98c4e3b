#include "agon/opponent/lingam.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "agon/data/simulate.h"
#include "agon/graph/measures.h"
#include "agon/opponent/test_simulations.h"
#include "agon/score/gaussian_score.h"
#include "agon/score/test_scores.h"
#include "agon/score/test_tables.h"

namespace agon {
namespace {

TEST(Lingam, MeansAgreeWithThePlainTwin) {
  Rng rng(1);
  for (int rows : {1, 7, 8, 100, 1531}) {
    std::vector<float> x(rows), y(rows);
    for (float& v : x) v = static_cast<float>(3 * rng.normal());
    for (float& v : y) v = static_cast<float>(rng.normal());
    const float r = 0.6f, s = 1.25f;
    double log_cosh = 0, odd = 0, other = 0;
    for (int k = 0; k < rows; ++k) {
      const double u = (x[k] - r * y[k]) * s, v = (y[k] - r * x[k]) * s;
      log_cosh += std::log(std::cosh(u)) / rows;
      odd += u * std::exp(-u * u / 2) / rows;
      other += v * std::exp(-v * v / 2) / rows;
    }
    const EntropyPair found = entropy_means(x.data(), y.data(), rows, r, s);
    EXPECT_NEAR(found.first.log_cosh, log_cosh, 2e-6);
    EXPECT_NEAR(found.first.odd, odd, 2e-6);
    EXPECT_NEAR(found.second.odd, other, 2e-6);
  }
  std::vector<float> y = {-90, -3, -0.5, -1e-4f, 0, 1e-3f, 0.7f, 25};
  const std::vector<float> before = y;
  double slopes = 0;
  const double found = tanh_and_slopes(y.data(), 8);
  for (size_t k = 0; k < y.size(); ++k) {
    EXPECT_NEAR(y[k], std::tanh(before[k]), 3e-7);
    slopes += 1 - std::tanh(before[k]) * std::tanh(before[k]);
  }
  EXPECT_NEAR(found, slopes, 3e-6);
}

TEST(Lingam, EntropyOfKnownDistributions) {
  // The approximation is exact for a Gaussian, and lower for anything else of variance 1.
  Rng rng(2);
  std::vector<float> gauss(200000), uniform(200000), skewed(200000);
  for (float& v : gauss) v = static_cast<float>(rng.normal());
  for (float& v : uniform) v = static_cast<float>(rng.uniform(-std::sqrt(3), std::sqrt(3)));
  for (float& v : skewed) v = static_cast<float>(rng.exponential() - 1);
  const auto entropy = [](const std::vector<float>& x) {
    return entropy_of(entropy_means(x.data(), x.data(), static_cast<int>(x.size()), 0, 1).first);
  };
  const double most = 0.5 * (1 + std::log(2 * M_PI));
  EXPECT_NEAR(entropy(gauss), most, 1e-3);
  EXPECT_LT(entropy(uniform), most - 0.05);
  EXPECT_LT(entropy(skewed), most - 0.05);
}

TEST(Lingam, AssignmentsAreTheCheapest) {
  Rng rng(3);
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 1 + rng.below(6);
    std::vector<std::vector<double>> cost(n, std::vector<double>(n));
    for (auto& row : cost) {
      for (double& x : row) x = trial % 2 ? rng.uniform() : rng.below(4);
    }
    const auto price = [&](const std::vector<int>& columns) {
      double sum = 0;
      for (int r = 0; r < n; ++r) sum += cost[r][columns[r]];
      return sum;
    };
    std::vector<int> columns(n);
    std::iota(columns.begin(), columns.end(), 0);
    double least = price(columns);
    while (std::next_permutation(columns.begin(), columns.end())) least = std::min(least, price(columns));
    const std::vector<int> found = cheapest_assignment(cost);
    EXPECT_NEAR(price(found), least, 1e-12);
    std::vector<int> sorted = found;
    std::sort(sorted.begin(), sorted.end());
    for (int k = 0; k < n; ++k) EXPECT_EQ(sorted[k], k);
  }
}

// The same steps by the local scores of gaussian-bic, whose differences decide the selection.
TEST(Lingam, RegressionAgreesWithThePlainTwin) {
  Rng rng(4);
  for (int trial = 0; trial < 20; ++trial) {
    const Dataset data = testing::random_continuous(8, 150, false, rng);
    const auto score = make_score("gaussian-bic", data);
    const StandardTable table = standardise(data);
    std::vector<int> order(8);
    std::iota(order.begin(), order.end(), 0);
    rng.shuffle(order);
    Dag expected(8);
    for (int place = 1; place < 8; ++place) {
      const Node child = order[place];
      std::vector<Node> in;
      const auto value = [&](std::vector<Node> parents) {
        std::sort(parents.begin(), parents.end());
        return score->local(child, parents);
      };
      for (const bool forward : {true, false}) {
        while (true) {
          double best = value(in);
          std::vector<Node> next;
          for (int k = 0; k < place; ++k) {
            std::vector<Node> other = in;
            const auto there = std::find(other.begin(), other.end(), order[k]);
            if (forward == (there != other.end())) continue;
            forward ? other.push_back(order[k]) : void(other.erase(there));
            if (value(other) > best) {
              best = value(other);
              next = other;
            }
          }
          if (best == value(in)) break;
          in = next;
        }
      }
      for (Node v : in) expected.add_edge(v, child);
    }
    Dag found(8);
    for (const auto& [edge, weight] : regress_in_order(correlations(table), order, {}, 2)) {
      found.add_edge(edge.from, edge.to);
      EXPECT_GT(weight, 0);
    }
    EXPECT_EQ(found, expected);
  }
}

// Every residual from the rows themselves, in doubles.
std::vector<int> plain_direct_order(const StandardTable& table) {
  const int p = table.variables(), n = table.rows;
  std::vector<std::vector<double>> x(p, std::vector<double>(n));
  for (int r = 0; r < n; ++r) {
    for (int v = 0; v < p; ++v) x[v][r] = table.at(r, v);
  }
  const auto standard = [&](std::vector<double> u) {
    double mean = 0, square = 0;
    for (double v : u) mean += v / n;
    for (double& v : u) v -= mean;
    for (double v : u) square += v * v / n;
    for (double& v : u) v /= std::sqrt(square);
    return u;
  };
  const auto residual = [&](const std::vector<double>& y, const std::vector<double>& of) {
    double xy = 0, xx = 0;
    for (int r = 0; r < n; ++r) {
      xy += y[r] * of[r];
      xx += of[r] * of[r];
    }
    std::vector<double> u(n);
    for (int r = 0; r < n; ++r) u[r] = y[r] - xy / xx * of[r];
    return standard(u);
  };
  const auto entropy = [&](const std::vector<double>& u) {
    EntropyMeans m;
    for (double v : u) {
      m.log_cosh += std::log(std::cosh(v)) / n;
      m.odd += v * std::exp(-v * v / 2) / n;
    }
    return entropy_of(m);
  };
  std::vector<int> rest(p), order;
  std::iota(rest.begin(), rest.end(), 0);
  while (!rest.empty()) {
    int first = -1;
    double least = 0;
    for (int i : rest) {
      double sum = 0;
      for (int j : rest) {
        if (i == j) continue;
        const double d = entropy(standard(x[j])) + entropy(residual(standard(x[i]), standard(x[j]))) -
                         entropy(standard(x[i])) - entropy(residual(standard(x[j]), standard(x[i])));
        if (d < 0) sum += d * d;
      }
      if (first < 0 || sum < least) {
        first = i;
        least = sum;
      }
    }
    order.push_back(first);
    std::erase(rest, first);
    for (int j : rest) x[j] = residual(x[j], x[first]);
  }
  return order;
}

TEST(Lingam, DirectOrderAgreesWithThePlainTwin) {
  for (uint64_t seed = 0; seed < 6; ++seed) {
    const auto parents = random_graph({.nodes = 7, .average_degree = 3}, Rng(seed));
    const Simulated s = simulate_sem(parents, 400, {.noise = Noise::kLaplace}, Rng(seed));
    const StandardTable table = standardise(s.data);
    EXPECT_EQ(direct_order(table, {}).order, plain_direct_order(table));
    EXPECT_EQ(direct_order(table, {.threads = 3}).order, plain_direct_order(table));
  }
}

TEST(Lingam, BothFindTheOrderOfLinearSimulations) {
  int direct = 0, ica = 0;
  double direct_shd = 0, ica_shd = 0;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const Rng rng(seed);
    const auto parents = random_graph({.nodes = 10, .average_degree = 4}, rng.split("graph"));
    const Simulated s = simulate_sem(parents, 5000, {.noise = Noise::kUniform}, rng.split("data"));
    const auto score = make_score("gaussian-bic", s.data);
    const StandardTable table = standardise(s.data);
    direct += testing::follows(direct_order(table, {}).order, s.parents);
    ica += testing::follows(ica_order(table, {}, rng).order, s.parents);
    const std::vector<Edge> truth = dag_from_parents(s.parents).edges();
    direct_shd += measure(truth, direct_lingam(s.data, *score).dag).shd / 20.0;
    ica_shd += measure(truth, ica_lingam(s.data, *score, {}, rng).dag).shd / 20.0;
  }
  EXPECT_GE(direct, 18);
  EXPECT_GE(ica, 18);
  EXPECT_LE(direct_shd, 1.5);
  EXPECT_LE(ica_shd, 1.5);
}

TEST(Lingam, KnowledgeOrdersTheVariables) {
  const auto parents = random_graph({.nodes = 8, .average_degree = 3}, Rng(5));
  const Simulated s = simulate_sem(parents, 500, {.noise = Noise::kLaplace}, Rng(5));
  const StandardTable table = standardise(s.data);
  // Tiers that contradict the order in the data.
  const std::vector<int> shown = direct_order(table, {}).order;
  KnowledgeBuilder builder(s.data.names());
  for (int k = 0; k < 8; ++k) builder.tier(8 - k, {s.data.column(shown[k]).name}, true, false, "test");
  const Knowledge known = builder.build();
  const std::vector<int> turned = direct_order(table, {}, {}, known).order;
  EXPECT_EQ(std::vector<int>(shown.rbegin(), shown.rend()), turned);
  const std::vector<int> ica = ica_order(table, {}, Rng(0), {}, known).order;
  for (const auto& [edge, weight] : regress_in_order(correlations(table), ica, known)) {
    EXPECT_TRUE(known.allows(edge));
  }
}

TEST(Lingam, TablesWithoutAVaryingColumn) {
  const Dataset data = make_dataset({continuous_column("a", {1, 1}), continuous_column("b", {2, 2})}, "constant");
  const auto score = make_score("gaussian-bic", data);
  EXPECT_EQ(ica_lingam(data, *score, {}, Rng(0)).dag, Dag(2));
  EXPECT_EQ(direct_lingam(data, *score, {}).dag, Dag(2));
}

}  // namespace
}  // namespace agon
