// Random tables with weights and drawn cells, for tests.
#pragma once

#include <utility>
#include <vector>

#include "agon/score/test_tables.h"

namespace agon::testing {

// A table of counts, and the same rows written out as often as they count.
struct CountedTable {
  Dataset counted, expanded;
};

inline CountedTable random_counted(const TableShape& shape, int most, Rng& rng) {
  const Dataset rows = random_categorical(shape, rng);
  RowInfo info;
  std::vector<size_t> repeated;
  for (size_t row = 0; row < rows.rows(); ++row) {
    const int times = 1 + rng.below(most);
    info.weights.push_back(times);
    repeated.insert(repeated.end(), static_cast<size_t>(times), row);
  }
  return {make_dataset(rows.columns(), "counted", info), with_rows(rows, repeated)};
}

// Weights that are not whole, and a share `gaps` of the cells of half of the columns marked as drawn.
inline Dataset random_weighted(const TableShape& shape, double gaps, Rng& rng) {
  const Dataset rows = random_categorical(shape, rng);
  std::vector<Column> columns = rows.columns();
  RowInfo info;
  for (size_t row = 0; row < rows.rows(); ++row) {
    info.weights.push_back(rng.uniform(0.1, 3));
    for (size_t v = 0; v < columns.size(); v += 2) {
      if (rng.uniform() < gaps) columns[v].drawn.insert(row);
    }
  }
  return make_dataset(std::move(columns), "weighted", info);
}

}  // namespace agon::testing
