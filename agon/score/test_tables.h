// Random tables and families for the tests of score/ and of the searches built on it.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "agon/base/rng.h"
#include "agon/data/dataset.h"
#include "agon/graph/dag.h"

namespace agon::testing {

struct TableShape {
  int variables = 6;
  int rows = 100;
  int most_levels = 5;  // each column has 1 .. most_levels (a column of one is constant)
  int copies = 1;       // every row is written this many times; with many copies the table merges its rows
};

// Columns that depend on each other, so that some edges gain.
inline Dataset random_categorical(const TableShape& shape, Rng& rng) {
  std::vector<Column> columns;
  std::vector<std::vector<int>> codes;
  for (int v = 0; v < shape.variables; ++v) {
    const int levels = 1 + rng.below(shape.most_levels);
    const int cause = v > 0 ? rng.below(v) : -1;
    std::vector<int> cells;
    for (int row = 0; row < shape.rows; ++row) {
      const int noise = rng.below(levels);
      const int copied = cause >= 0 && rng.uniform() < 0.6 ? codes[cause][row * shape.copies] % levels : noise;
      for (int c = 0; c < shape.copies; ++c) cells.push_back(copied);
    }
    codes.push_back(cells);
    columns.push_back(categorical_column("v" + std::to_string(v), cells));
  }
  return make_dataset(std::move(columns), "random");
}

// Linear mixtures of earlier columns and noise; `determined` adds a copy of one column and a sum of two others.
inline Dataset random_continuous(int variables, int rows, bool determined, Rng& rng) {
  std::vector<std::vector<double>> values;
  for (int v = 0; v < variables; ++v) {
    std::vector<double> x(rows);
    for (double& cell : x) cell = rng.normal();
    for (int cause = 0; cause < v; ++cause) {
      if (rng.uniform() > 0.4) continue;
      const double weight = rng.uniform(-1.5, 1.5);
      for (int row = 0; row < rows; ++row) x[row] += weight * values[cause][row];
    }
    for (double& cell : x) cell = 3 + 2 * cell;
    values.push_back(x);
  }
  if (determined && variables >= 3) {
    values.push_back(values[0]);
    std::vector<double> sum(rows);
    for (int row = 0; row < rows; ++row) sum[row] = values[1][row] + values[2][row];
    values.push_back(sum);
  }
  std::vector<Column> columns;
  for (size_t v = 0; v < values.size(); ++v) columns.push_back(continuous_column("v" + std::to_string(v), values[v]));
  return make_dataset(std::move(columns), "random");
}

// A child and up to `most` parents, sorted.
struct Family {
  Node child;
  std::vector<Node> parents;
};

inline Family random_family(int variables, int most, Rng& rng) {
  std::vector<Node> nodes(variables);
  for (int v = 0; v < variables; ++v) nodes[v] = v;
  rng.shuffle(nodes);
  const int count = std::min(rng.below(most + 1), variables - 1);
  Family family{nodes[0], {nodes.begin() + 1, nodes.begin() + 1 + count}};
  std::sort(family.parents.begin(), family.parents.end());
  return family;
}

// Edges i -> j along a random order, each with the given probability.
inline Dag random_dag(int nodes, double density, Rng& rng) {
  std::vector<Node> order(nodes);
  for (int v = 0; v < nodes; ++v) order[v] = v;
  rng.shuffle(order);
  Dag dag(nodes);
  for (int a = 0; a < nodes; ++a) {
    for (int b = a + 1; b < nodes; ++b) {
      if (rng.uniform() < density) dag.add_edge(order[a], order[b]);
    }
  }
  return dag;
}

// The same table with its rows in another order.
inline Dataset shuffled_rows(const Dataset& data, Rng& rng) {
  std::vector<size_t> order(data.rows());
  for (size_t row = 0; row < order.size(); ++row) order[row] = row;
  rng.shuffle(order);
  return with_rows(data, order);
}

// The same table with its columns in another order.
inline Dataset shuffled_columns(const Dataset& data, Rng& rng) {
  std::vector<Column> columns = data.columns();
  rng.shuffle(columns);
  return make_dataset(std::move(columns), data.source(), data.row_info());
}

}  // namespace agon::testing
