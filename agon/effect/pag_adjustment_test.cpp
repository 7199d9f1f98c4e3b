#include "agon/effect/pag_adjustment.h"

#include <gtest/gtest.h>

#include <Eigen/Core>

#include "agon/base/linear_algebra.h"
#include "agon/graph/d_separation.h"
#include "agon/graph/test_graphs.h"
#include "agon/opponent/fci.h"
#include "agon/opponent/test_oracle_independence.h"

namespace agon {
namespace {

std::vector<std::string> letters(int p) {
  std::vector<std::string> out;
  for (int v = 0; v < p; ++v) out.push_back(std::string(1, static_cast<char>('a' + v)));
  return out;
}

// A linear model with hidden nodes: its covariance, and the total effects (I - B)^-1.
struct LinearModel {
  Eigen::MatrixXd covariance, effects;
};

LinearModel random_model(const Dag& dag, Rng& rng) {
  const int p = dag.size();
  Eigen::MatrixXd step = Eigen::MatrixXd::Identity(p, p);  // I - B, B[from][to]
  for (const Edge& edge : dag.edges()) step(edge.from, edge.to) = -rng.uniform(0.5, 1.5);
  LinearModel out;
  out.effects = invert(step).inverse;
  out.covariance = transpose_product(out.effects, out.effects);
  return out;
}

double regression(const Eigen::MatrixXd& covariance, Node x, Node y, const std::vector<Node>& set) {
  std::vector<Node> columns = {x};
  columns.insert(columns.end(), set.begin(), set.end());
  const int m = static_cast<int>(columns.size());
  Eigen::MatrixXd inner(m, m);
  Eigen::VectorXd right(m);
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < m; ++j) inner(i, j) = covariance(columns[i], columns[j]);
    right(i) = covariance(columns[i], y);
  }
  return Cholesky(inner).solve(right)(0);
}

// What the criterion says of the true PAG holds in the model that made it, whatever is hidden.
TEST(PagAdjustment, GivesTheTrueEffectDespiteHiddenNodes) {
  Rng rng(7);
  int adjusted = 0, none = 0, open = 0;
  for (int trial = 0; trial < 250; ++trial) {
    const int observed = 4 + rng.below(4), hidden = rng.below(3);
    Dag dag(observed + hidden);
    for (const Edge& e : test::random_dag(observed, 0.35, rng).edges()) dag.add_edge(e.from, e.to);
    for (Node h = observed; h < observed + hidden; ++h) {
      const Node a = rng.below(observed), b = (a + 1 + rng.below(observed - 1)) % observed;
      dag.add_edge(h, a);
      dag.add_edge(h, b);
    }
    FciOptions options;
    options.possible_given = -1;
    const Pag pag = fci(testing::Oracle(dag, observed), options).pag;
    const LinearModel model = random_model(dag, rng);
    for (Node x = 0; x < observed; ++x) {
      for (Node y = 0; y < observed; ++y) {
        if (x == y) continue;
        const PagEffect found = pag_adjustment(pag, x, y, letters(observed));
        const double truth = model.effects(x, y);
        if (found.status == PagEffect::kNone) {
          EXPECT_NEAR(truth, 0, 1e-9);
          ++none;
        } else if (found.status == PagEffect::kAdjust) {
          EXPECT_NEAR(regression(model.covariance, x, y, found.set), truth, 1e-9);
          ++adjusted;
        } else {
          EXPECT_FALSE(found.why.empty());
          ++open;
        }
      }
    }
  }
  EXPECT_GT(adjusted, 100);
  EXPECT_GT(none, 1000);
  EXPECT_GT(open, 1000);
}

// a o-> c <-o b, c --> d: the arrow c --> d is visible, since a is not adjacent to d; a o-> c is not.
TEST(PagAdjustment, OfAYStructure) {
  const Dag dag = dag_from_edges(4, {{0, 2}, {1, 2}, {2, 3}}).value();
  const Pag pag = fci(testing::Oracle(dag)).pag;
  ASSERT_TRUE(pag.is_directed(2, 3));
  EXPECT_TRUE(is_visible(pag, 2, 3));
  const PagEffect effect = pag_adjustment(pag, 2, 3, letters(4));
  EXPECT_EQ(effect.status, PagEffect::kAdjust);
  EXPECT_TRUE(effect.set.empty());
  EXPECT_EQ(pag_adjustment(pag, 3, 2, letters(4)).status, PagEffect::kNone);
  const PagEffect open = pag_adjustment(pag, 0, 2, letters(4));
  EXPECT_EQ(open.status, PagEffect::kNotIdentified);
  EXPECT_NE(open.why.find("hidden common cause of a and c"), std::string::npos);
}

}  // namespace
}  // namespace agon
