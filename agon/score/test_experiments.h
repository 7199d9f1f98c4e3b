// Simulated experiments, and a score of them with row sets, written plainly.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "agon/graph/test_graphs.h"
#include "agon/score/gaussian_score.h"

namespace agon::testing {

// The Gaussian BIC of each family on the rows in which its child was not set.
class RowSetBic final : public LocalScore {
 public:
  // rows[k]: what experiment k recorded, by variable; family[k]: what it set, as bits.
  RowSetBic(const std::vector<std::vector<std::vector<double>>>& rows, const std::vector<unsigned>& family) {
    const int p = static_cast<int>(rows[0].size());
    traits_.name = "by row sets";
    traits_.max_parents = p;
    traits_.constant.assign(p, false);
    traits_.row_set = test::row_sets_of(family, p);
    for (Node v = 0; v < p; ++v) {
      std::vector<Column> columns;
      for (Node w = 0; w < p; ++w) {
        std::vector<double> cells;
        for (size_t k = 0; k < family.size(); ++k) {
          if ((family[k] >> v & 1) == 0) cells.insert(cells.end(), rows[k][w].begin(), rows[k][w].end());
        }
        columns.push_back(continuous_column("v" + std::to_string(w), std::move(cells)));
      }
      const Dataset data = make_dataset(std::move(columns), "test");
      scores_.emplace_back(data, GaussianBic::Scale::kRaw);
      node_.push_back(data.index_of("v" + std::to_string(v)));
    }
  }
  const ScoreTraits& traits() const override { return traits_; }
  double local(Node child, Parents parents) const override {
    std::vector<Node> named;
    for (const Node v : parents) named.push_back(node_[v]);
    std::sort(named.begin(), named.end());
    return scores_[child].local(node_[child], named);
  }

 private:
  std::vector<GaussianBic> scores_;  // by child
  std::vector<Node> node_;           // of each variable in those scores, whose tables have an order of their own
  ScoreTraits traits_;
};

struct Problem {
  Dag truth;
  std::vector<unsigned> family;
  RowSetBic score;
};

// A linear model; a set variable is noise of its own.
inline Problem random_problem(int p, double density, size_t rows, uint64_t seed) {
  Rng rng(seed);
  const Dag truth = test::random_dag(p, density, rng);
  const std::vector<unsigned> family = test::random_targets(p, rng);
  std::vector<double> weight(static_cast<size_t>(p * p));
  for (double& w : weight) w = (rng.below(2) ? 1 : -1) * rng.uniform(0.5, 1.5);
  std::vector<std::vector<std::vector<double>>> tables;
  for (const unsigned targets : family) {
    std::vector<std::vector<double>> table(p, std::vector<double>(rows));
    for (size_t row = 0; row < rows; ++row) {
      for (const Node v : topological_order(truth)) {
        double x = rng.normal();
        if (targets >> v & 1) {
          x = 2 + 1.5 * x;
        } else {
          for (const Node u : truth.parents(v)) x += weight[static_cast<size_t>(u * p + v)] * table[u][row];
        }
        table[v][row] = x;
      }
    }
    tables.push_back(std::move(table));
  }
  return {truth, family, RowSetBic(tables, family)};
}

}  // namespace agon::testing
