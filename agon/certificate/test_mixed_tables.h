// Random tables with both kinds of columns, weights and gaps, for tests.
#pragma once

#include <string>
#include <vector>

#include "agon/base/rng.h"
#include "agon/data/dataset.h"

namespace agon::testing {

struct MixedShape {
  int continuous = 3, categorical = 3;
  int most_levels = 4;  // each categorical column has 2 .. most_levels
  int rows = 200;
  double gaps = 0;       // share of cells that are missing, at random, in every second column
  bool weights = false;  // whole numbers from 1 to 4
};

// Every column depends on the one before it. Names are c0, c1, .. for continuous columns and k0, k1, .. for the others.
inline Dataset random_mixed(const MixedShape& shape, Rng& rng) {
  std::vector<Column> columns;
  std::vector<double> before(shape.rows, 0);
  const int p = shape.continuous + shape.categorical;
  for (int v = 0; v < p; ++v) {
    for (double& x : before) x = 0.8 * x + rng.normal();
    Column column;
    if (v < shape.continuous) {
      std::vector<double> cells;
      for (double x : before) cells.push_back(v % 2 == 0 ? 3 + x : x * x * x);
      column = continuous_column("c" + std::to_string(v), cells);
    } else {
      const int levels = 2 + rng.below(shape.most_levels - 1);
      std::vector<int> codes;
      for (double x : before) {
        int level = 0;
        while (level + 1 < levels && x > 0.8 * level - 0.5) ++level;
        codes.push_back(level);
      }
      for (int level = 0; level < levels; ++level) codes[level] = level;
      column = categorical_column("k" + std::to_string(v - shape.continuous), codes);
    }
    for (int row = 0; row < shape.rows && shape.gaps > 0 && v % 2 == 0; ++row) {
      if (rng.uniform() < shape.gaps) column.missing.insert(row);
    }
    columns.push_back(std::move(column));
  }
  RowInfo info;
  for (int row = 0; row < shape.rows && shape.weights; ++row) info.weights.push_back(1 + rng.below(4));
  return make_dataset(std::move(columns), "random", std::move(info));
}

}  // namespace agon::testing
