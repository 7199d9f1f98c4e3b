// agon/score/completion.h
//
// Tables with missing cells, completed for algorithms that need every cell. Both ways start from the fit of em.h: cells
// are assumed to be missing at random given the cells that were seen.
//
//   const Completion drawn = complete_by_draws(data, 10, seed);
//   drawn.data;                        // no gaps; each incomplete row has become 10 rows of a tenth of its weight
//   drawn.rows; drawn.cells;           // how many rows and cells of `data` had gaps
//   const Dataset even = complete_by_means(data).data;   // as many rows as before
//
// Draws. The gaps of a row are drawn one after the other in the order of nodes, each given the seen cells and the gaps
// drawn before it. A level l of share pi_l has the probability pi_l (1 + c_l m), the conditional mean of its indicator:
// c_l are the contrasts of the level, m the conditional mean of the contrasts. Negative ones become 0, and the rest is
// rescaled. A number is drawn from the conditional normal distribution in the scale of its block, and becomes the seen
// cell nearest to it there. So every cell drawn holds a value that was seen in its column.
//
// Means. A number becomes its conditional mean given the seen cells, in raw scale; a category its likeliest level.
//
// Columns without a block (constants, identifiers) take any seen cell. A row with gaps in such columns alone remains
// one row. A column without a single seen cell becomes 0, or the level "(missing)".
//
// Column::drawn marks the cells filled in here. The result depends neither on the number of threads nor on the order of
// columns: every cell has a random stream of its own, known by the seed, the row and the name of the column.
#pragma once

#include <cstddef>
#include <cstdint>

#include "agon/data/dataset.h"
#include "agon/score/em.h"

namespace agon {

struct Completion {
  Dataset data;
  size_t rows = 0;   // incomplete rows of the table given
  size_t cells = 0;  // missing cells of the table given
  // Of EM; 0 steps if nothing was missing.
  int steps = 0;
  double movement = 0;
  bool converged = true, restricted = false;
};

// draws >= 1.
Completion complete_by_draws(const Dataset& data, int draws, uint64_t seed, const EmOptions& options = {},
                             const BlockOptions& blocks = {});

Completion complete_by_means(const Dataset& data, const EmOptions& options = {});

}  // namespace agon
