#include "agon/opponent/acyclicity.h"

#include <gtest/gtest.h>

#include <cmath>

#include "agon/base/rng.h"
#include "agon/opponent/gran_dag_plain.h"

namespace agon {
namespace {

using Lists = std::vector<std::vector<int>>;

struct Weighted {
  Lists parents;
  PlainMatrix weights;  // weights[child][k] is that of the edge from parents[child][k]
};

Weighted random_graph_with_weights(int p, double density, bool acyclic, Rng& rng) {
  Weighted out{Lists(p), PlainMatrix(p)};
  for (int child = 0; child < p; ++child) {
    for (int parent = 0; parent < (acyclic ? child : p); ++parent) {
      if (parent == child || rng.uniform() >= density) continue;
      out.parents[child].push_back(parent);
      out.weights[child].push_back(rng.uniform(0, 4.0 / (1 + p * density)));
    }
  }
  return out;
}

PlainMatrix dense(const Weighted& graph) {
  const size_t p = graph.parents.size();
  PlainMatrix c(p, std::vector<double>(p, 0.0));
  for (size_t child = 0; child < p; ++child) {
    for (size_t k = 0; k < graph.parents[child].size(); ++k)
      c[graph.parents[child][k]][child] = graph.weights[child][k];
  }
  return c;
}

template <class Real>
Acyclicity<Real> computed(const Weighted& graph) {
  std::vector<std::vector<Real>> weights;
  for (const auto& row : graph.weights) weights.emplace_back(row.begin(), row.end());
  Acyclicity<Real> term;
  term.set_edges(graph.parents);
  for (int b = 0; b < term.blocks(); ++b) term.compute(b, weights);
  return term;
}

TEST(Acyclicity, AgreesWithThePlainSeries) {
  Rng rng(1);
  for (int p : {2, 3, 8, 33, 70}) {
    for (double density : {0.05, 0.25, 0.9}) {
      const Weighted graph = random_graph_with_weights(p, density, false, rng);
      const PlainMatrix e = plain_exponential(dense(graph));
      double h = 0;
      for (int i = 0; i < p; ++i) h += e[i][i] - 1;
      const auto term = computed<double>(graph);
      const auto quick = computed<float>(graph);
      EXPECT_NEAR(term.h(), h, 1e-12 * p + 1e-12 * h);
      EXPECT_NEAR(quick.h(), h, 1e-9 * p + 1e-5 * h);
      for (int child = 0; child < p; ++child) {
        for (size_t k = 0; k < graph.parents[child].size(); ++k) {
          const double expected = e[child][graph.parents[child][k]];
          EXPECT_NEAR(term.gradient(child)[k], expected, 1e-12 * (1 + expected));
          EXPECT_NEAR(quick.gradient(child)[k], expected, 1e-9 + 1e-5 * expected);
        }
      }
    }
  }
}

TEST(Acyclicity, ItsGradientAgreesWithCentralDifferences) {
  Rng rng(2);
  for (int p : {3, 6, 20}) {
    Weighted graph = random_graph_with_weights(p, 0.5, false, rng);
    const auto term = computed<double>(graph);
    for (int child = 0; child < p; ++child) {
      for (size_t k = 0; k < graph.parents[child].size(); ++k) {
        double& w = graph.weights[child][k];
        const double step = 1e-5, kept = w;
        w = kept + step;
        const double up = computed<double>(graph).h();
        w = kept - step;
        const double down = computed<double>(graph).h();
        w = kept;
        EXPECT_NEAR(term.gradient(child)[k], (up - down) / (2 * step), 1e-5 * (1e-3 + term.gradient(child)[k]));
      }
    }
  }
}

TEST(Acyclicity, IsExactlyZeroForDagsAndCostsNothing) {
  Rng rng(3);
  for (int p : {1, 2, 30}) {
    const auto term = computed<float>(random_graph_with_weights(p, 0.6, true, rng));
    EXPECT_EQ(term.blocks(), 0);
    EXPECT_EQ(term.h(), 0.0);
  }
}

TEST(Acyclicity, KeepsItsDigitsNearZero) {
  // A two-cycle of weights w has tr(e^C) - 2 = 2 (cosh w - 1), about w^2.
  for (double w : {1e-2, 1e-4, 1e-5}) {
    Weighted graph{{{1}, {0}}, {{w}, {w}}};
    EXPECT_NEAR(computed<float>(graph).h(), w * w, 1e-4 * w * w);
  }
}

TEST(CyclicComponents, AreTheClassesOfMutualReachability) {
  Rng rng(4);
  for (int run = 0; run < 60; ++run) {
    const int p = 1 + rng.below(12);
    const Lists parents = random_graph_with_weights(p, 0.15, false, rng).parents;
    std::vector<std::vector<bool>> reach(p, std::vector<bool>(p, false));
    for (int v = 0; v < p; ++v) {
      for (int u : parents[v]) reach[u][v] = true;
    }
    for (int k = 0; k < p; ++k) {
      for (int u = 0; u < p; ++u) {
        for (int v = 0; v < p; ++v) {
          if (reach[u][k] && reach[k][v]) reach[u][v] = true;
        }
      }
    }
    Lists expected;
    std::vector<bool> taken(p, false);
    for (int v = 0; v < p; ++v) {
      if (taken[v] || !reach[v][v]) continue;
      expected.emplace_back();
      for (int u = v; u < p; ++u) {
        if (!reach[u][v] || !reach[v][u]) continue;
        expected.back().push_back(u);
        taken[u] = true;
      }
    }
    EXPECT_EQ(cyclic_components(parents), expected);
  }
}

}  // namespace
}  // namespace agon
