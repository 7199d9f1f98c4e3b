// Random tables with gaps, and EM as a textbook has it: the slow twin of fit_em.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "agon/base/rng.h"
#include "agon/data/dataset.h"
#include "agon/score/em.h"

namespace agon::testing {

struct GapShape {
  int variables = 5;
  int rows = 60;
  double categorical = 0.5;  // share of the columns; they have 2 to 4 levels
  double gaps = 0.2;         // share of the cells
  int shared_patterns = 0;   // > 0: every row has the gaps of one of so many rows
  bool weights = false;
};

// Columns that depend on the ones before them, by levels or linearly.
inline Dataset random_with_gaps(const GapShape& shape, Rng& rng) {
  const size_t n = static_cast<size_t>(shape.rows);
  std::vector<Column> columns;
  std::vector<std::vector<double>> latent;
  std::vector<std::vector<bool>> pattern(static_cast<size_t>(std::max(shape.shared_patterns, shape.rows)));
  for (auto& row : pattern) {
    for (int v = 0; v < shape.variables; ++v) row.push_back(rng.uniform() < shape.gaps);
  }
  for (int v = 0; v < shape.variables; ++v) {
    std::vector<double>& x = latent.emplace_back(n);
    for (double& cell : x) cell = rng.normal();
    for (int cause = 0; cause < v; ++cause) {
      if (rng.uniform() > 0.5) continue;
      const double slope = rng.uniform(-1, 1);
      for (size_t row = 0; row < n; ++row) x[row] += slope * latent[static_cast<size_t>(cause)][row];
    }
    const std::string name = "v" + std::to_string(v);
    if (rng.uniform() < shape.categorical) {
      const int levels = 2 + rng.below(3);
      std::vector<int> codes;
      for (const double cell : x)
        codes.push_back(std::clamp(static_cast<int>(std::floor(cell + levels / 2.0)), 0, levels - 1));
      columns.push_back(categorical_column(name, codes));
    } else {
      columns.push_back(continuous_column(name, x));
    }
    for (size_t row = 0; row < n; ++row) {
      const size_t like =
          shape.shared_patterns > 0 ? static_cast<size_t>(rng.split("pattern", row).below(shape.shared_patterns)) : row;
      if (pattern[like][static_cast<size_t>(v)]) columns.back().missing.insert(row);
    }
  }
  RowInfo info;
  for (size_t row = 0; shape.weights && row < n; ++row) info.weights.push_back(rng.uniform(0.5, 3));
  return make_dataset(std::move(columns), "random", std::move(info));
}

struct PlainEm {
  Eigen::VectorXd mean;
  Eigen::MatrixXd covariance;
  std::vector<double> log_likelihood;  // of the cells seen, under the moments that each step starts from
};

// Little & Rubin 2002, section 11.2, row by row: `steps` steps from mean 0 and covariance I.
inline PlainEm plain_em(const Blocks& blocks, int steps) {
  const Dataset& data = blocks.data();
  const int q = blocks.columns();
  PlainEm em{Eigen::VectorXd::Zero(q), Eigen::MatrixXd::Identity(q, q), {}};
  for (int step = 0; step < steps; ++step) {
    Eigen::VectorXd sum = Eigen::VectorXd::Zero(q);
    Eigen::MatrixXd squares = Eigen::MatrixXd::Zero(q, q);
    double likelihood = 0;
    for (size_t row = 0; row < data.rows(); ++row) {
      Eigen::VectorXd x = Eigen::VectorXd::Zero(q);
      std::vector<int> seen, hidden;
      for (Node v = 0; v < blocks.size(); ++v) {
        if (blocks.width(v) == 0) continue;
        blocks.fill_row(v, row, x.data() + blocks.start(v));
        for (int k = 0; k < blocks.width(v); ++k) {
          (blocks.is_missing(v, row) ? hidden : seen).push_back(blocks.start(v) + k);
        }
      }
      const Eigen::Index s = static_cast<Eigen::Index>(seen.size());
      const Eigen::MatrixXd floored = em.covariance(seen, seen) + kFloor * Eigen::MatrixXd::Identity(s, s);
      Eigen::MatrixXd slopes = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(hidden.size()), s);
      // Eigen refers to the first entry of what it solves for.
      if (slopes.size() > 0) slopes = floored.ldlt().solve(em.covariance(seen, hidden)).transpose();
      const Eigen::VectorXd centred = x(seen) - em.mean(seen);
      x(hidden) = em.mean(hidden) + slopes * centred;
      const Eigen::MatrixXd left = em.covariance(hidden, hidden) - slopes * em.covariance(seen, hidden);
      const double w = data.weight(row);
      sum += w * x;
      squares += w * x * x.transpose();
      squares(hidden, hidden) += w * left;
      if (s > 0) {
        likelihood -= 0.5 * w * (std::log(floored.determinant()) + centred.dot(floored.ldlt().solve(centred)));
      }
    }
    const double weight = data.total_weight();
    em.mean = sum / weight;
    em.covariance = squares / weight - em.mean * em.mean.transpose();
    em.log_likelihood.push_back(likelihood);
  }
  return em;
}

}  // namespace agon::testing
