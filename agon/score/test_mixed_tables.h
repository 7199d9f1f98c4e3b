// Random tables with both kinds of columns, gaps and weights, for the tests of scores and tests on blocks.
#pragma once

#include <string>
#include <vector>

#include "agon/score/test_tables.h"

namespace agon::testing {

struct MixedShape {
  int variables = 6;
  int rows = 120;
  int most_levels = 4;
  double gaps = 0;       // share of cells that are missing, at random
  bool weights = false;  // whole numbers from 1 to 4
};

// Each column depends on one or two before it: numbers linearly, labels by cutting a noisy number.
inline Dataset random_mixed(const MixedShape& shape, Rng& rng) {
  std::vector<std::vector<double>> hidden;
  std::vector<Column> columns;
  for (int v = 0; v < shape.variables; ++v) {
    std::vector<double> x(shape.rows);
    for (double& cell : x) cell = rng.normal();
    for (int k = 0; k < 2 && v > 0; ++k) {
      const int cause = rng.below(v);
      const double slope = rng.uniform(-1, 1);
      for (int row = 0; row < shape.rows; ++row) x[row] += slope * hidden[cause][row];
    }
    hidden.push_back(x);
    const std::string name = "v" + std::to_string(v);
    if (rng.below(2) == 0) {
      columns.push_back(continuous_column(name, x));
    } else {
      const int levels = 2 + rng.below(shape.most_levels - 1);
      std::vector<int> codes;
      for (double cell : x) codes.push_back(std::clamp(static_cast<int>((cell + 2) * levels / 4), 0, levels - 1));
      columns.push_back(categorical_column(name, codes));
    }
    for (int row = 0; row < shape.rows && shape.gaps > 0; ++row) {
      if (rng.uniform() < shape.gaps) columns.back().missing.insert(row);
    }
  }
  RowInfo info;
  for (int row = 0; row < shape.rows && shape.weights; ++row) info.weights.push_back(1 + rng.below(4));
  return make_dataset(std::move(columns), "random", std::move(info));
}

}  // namespace agon::testing
