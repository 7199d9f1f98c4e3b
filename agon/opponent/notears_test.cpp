#include "agon/opponent/notears.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "agon/data/simulate.h"
#include "agon/graph/measures.h"
#include "agon/graph/varsortability.h"
#include "agon/opponent/golem.h"
#include "agon/opponent/linear_weights.h"
#include "agon/score/test_scores.h"
#include "agon/score/test_tables.h"

namespace agon {
namespace {

// Calls of a term as one function of the weights.
using Term = std::function<double(LinearModel&, const std::vector<double>&, std::vector<double>&)>;

void expect_gradient(LinearModel& model, const Term& term, const std::vector<double>& w) {
  std::vector<double> slope(w.size(), 0.0), other(w.size());
  term(model, w, slope);
  for (size_t k = 0; k < w.size(); ++k) {
    const double step = 1e-5;
    std::vector<double> up = w, down = w;
    up[k] += step;
    down[k] -= step;
    const double central = (term(model, up, other) - term(model, down, other)) / (2 * step);
    EXPECT_NEAR(slope[k], central, 1e-6 * (1 + std::abs(central)));
  }
}

TEST(LinearWeights, GradientsAreThoseOfCentralDifferences) {
  Rng rng(1);
  const Dataset data = testing::random_continuous(6, 80, false, rng);
  const Covariance c = covariance(data, false);
  LinearModel model(c.value, allowed_pairs(c.node, {}));
  const auto one = [](double) { return 1.0; };
  for (int trial = 0; trial < 5; ++trial) {
    std::vector<double> w(model.pairs().size());
    for (double& x : w) x = rng.below(3) == 0 ? 0.05 : rng.uniform(-0.8, 0.8);
    expect_gradient(
        model, [](auto& m, auto& x, auto& s) { return m.least_squares(x, s); }, w);
    expect_gradient(
        model, [](auto& m, auto& x, auto& s) { return m.likelihood_ev(x, s); }, w);
    expect_gradient(
        model, [](auto& m, auto& x, auto& s) { return m.likelihood_nv(x, s); }, w);
    expect_gradient(
        model, [&](auto& m, auto& x, auto& s) { return m.acyclicity(x, one, s); }, w);
  }
}

// The terms from the rows and from the definition of the exponential.
TEST(LinearWeights, TermsAgreeWithThePlainTwin) {
  Rng rng(2);
  const Dataset data = testing::random_continuous(5, 60, false, rng);
  for (const bool standard : {false, true}) {
    const Covariance c = covariance(data, standard);
    LinearModel model(c.value, allowed_pairs(c.node, {}));
    std::vector<double> w(model.pairs().size()), slope(w.size());
    for (double& x : w) x = rng.uniform(-0.7, 0.7);
    Eigen::MatrixXd weights = Eigen::MatrixXd::Zero(5, 5), rows(60, 5);
    for (size_t k = 0; k < w.size(); ++k) weights(model.pairs()[k].from, model.pairs()[k].to) = w[k];
    for (int v = 0; v < 5; ++v) {
      for (int r = 0; r < 60; ++r) rows(r, v) = data.column(v).values[r];
      rows.col(v).array() -= rows.col(v).mean();
      if (standard) rows.col(v) /= std::sqrt(rows.col(v).squaredNorm() / 60);
    }
    const Eigen::MatrixXd residual = rows - rows * weights;
    EXPECT_NEAR(model.least_squares(w, slope) / (residual.squaredNorm() / 120), 1, 1e-6);
    const double determinant = (Eigen::MatrixXd::Identity(5, 5) - weights).determinant();
    EXPECT_NEAR(model.likelihood_ev(w, slope),
                2.5 * std::log(residual.squaredNorm() / 60) - std::log(std::abs(determinant)), 1e-5);
    double nv = -std::log(std::abs(determinant));
    for (int v = 0; v < 5; ++v) nv += 0.5 * std::log(residual.col(v).squaredNorm() / 60);
    EXPECT_NEAR(model.likelihood_nv(w, slope), nv, 1e-5);
    const Eigen::MatrixXd squares = weights.cwiseProduct(weights);
    Eigen::MatrixXd power = Eigen::MatrixXd::Identity(5, 5);
    double h = 0;
    for (int k = 1; k < 40; ++k) {
      power = power * squares / k;
      h += power.trace();
    }
    EXPECT_NEAR(model.acyclicity(
                    w, [](double) { return 1.0; }, slope),
                h, 1e-12 * (1 + h));
  }
}

// Quadratic functions with an L1 term: coordinate descent reaches the same minimum.
TEST(OwlQn, AgreesWithCoordinateDescent) {
  Rng rng(3);
  for (int trial = 0; trial < 30; ++trial) {
    const int n = 1 + rng.below(12);
    Eigen::MatrixXd root(n, n);
    Eigen::VectorXd b(n);
    for (int i = 0; i < n; ++i) {
      b[i] = rng.normal();
      for (int j = 0; j < n; ++j) root(i, j) = rng.normal();
    }
    const Eigen::MatrixXd a = root * root.transpose() + 0.1 * Eigen::MatrixXd::Identity(n, n);
    const double l1 = trial % 3 == 0 ? 0 : 0.4;
    std::vector<double> x(n, 0.0);
    const OwlQnResult found = minimise(
        [&](const std::vector<double>& at, std::vector<double>& slope) {
          const Eigen::Map<const Eigen::VectorXd> v(at.data(), n);
          Eigen::Map<Eigen::VectorXd>(slope.data(), n) = a * v - b;
          return 0.5 * v.dot(a * v) - b.dot(v);
        },
        l1, x, {.tolerance = 1e-10, .fall = 1e-15});
    Eigen::VectorXd y = Eigen::VectorXd::Zero(n);
    for (int sweep = 0; sweep < 20000; ++sweep) {
      for (int k = 0; k < n; ++k) {
        const double rest = b[k] - a.row(k).dot(y) + a(k, k) * y[k];
        y[k] = (rest > l1 ? rest - l1 : rest < -l1 ? rest + l1 : 0) / a(k, k);
      }
    }
    EXPECT_TRUE(found.settled);
    for (int k = 0; k < n; ++k) EXPECT_NEAR(x[k], y[k], 1e-4) << trial;
    EXPECT_NEAR(found.value, 0.5 * y.dot(a * y) - b.dot(y) + l1 * y.cwiseAbs().sum(), 1e-8);
  }
}

TEST(Notears, StandardisedColumnsHideTheScales) {
  // The same columns in other units: only what is said about the variances changes.
  const Rng rng(4);
  const auto parents = random_graph({.nodes = 8, .average_degree = 3}, rng.split("graph"));
  const Dataset data = simulate_sem(parents, 500, {.weight_high = 2}, rng.split("data")).data;
  std::vector<Column> columns = data.columns();
  double unit = 1;
  for (Column& column : columns) {
    for (double& value : column.values) value *= unit;
    unit *= 3;
  }
  const Dataset scaled = make_dataset(std::move(columns), "t");
  const auto score = make_score("gaussian-bic", data);
  const auto both = [&](auto learn) {
    const SearchResult as_is = learn(data), other = learn(scaled);
    EXPECT_EQ(as_is.dag, other.dag);
    ASSERT_TRUE(as_is.varsortability && other.varsortability);
    EXPECT_EQ(*as_is.varsortability, *varsortability(8, as_is.dag.edges(), column_variances(data)));
    EXPECT_NE(*as_is.varsortability, *other.varsortability);
  };
  both([&](const Dataset& d) { return notears(d, *score); });
  both([&](const Dataset& d) { return golem(d, *score, {.steps = 300}); });
}

TEST(Notears, FindsLinearGraphsOfEqualVariances) {
  // ER2: the expected number of edges is twice the number of nodes; weights in +-[0.5, 2], on the columns as they are.
  double notears_shd = 0, golem_shd = 0;
  const int seeds = 6;  // rivals_bench --simulations has more
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    const Rng rng(seed);
    const auto parents = random_graph({.nodes = 20, .average_degree = 4}, rng.split("graph"));
    const Simulated s = simulate_sem(parents, 1000, {.weight_high = 2}, rng.split("data"));
    const auto score = make_score("gaussian-bic", s.data);
    const std::vector<Edge> truth = dag_from_parents(s.parents).edges();
    const SearchResult n = notears(s.data, *score, {.standardise = false});
    EXPECT_GT(n.varsortability.value_or(0), 0.8);  // the variances that both methods exploit
    EXPECT_EQ(n.stopped_by, "acyclic");
    notears_shd += measure(truth, n.dag).shd / static_cast<double>(seeds);
    const SearchResult g = golem(s.data, *score, {.own_variances = false, .standardise = false});
    golem_shd += measure(truth, g.dag).shd / static_cast<double>(seeds);
  }
  EXPECT_LE(notears_shd, 3);
  EXPECT_LE(golem_shd, 3);
}

}  // namespace
}  // namespace agon
