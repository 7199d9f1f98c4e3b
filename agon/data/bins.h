// agon/data/bins.h
//
// Continuous columns cut into bins of about equal weight, for scores of categorical tables.
//
//   Dataset d = with_bins(data, 3);
//   d.column(d.index_of("age")).levels;     // "1: below 30", "2: [30, 47)", "3: 47 and above"
//
// A cell x goes into bin floor(K (W_< + W_= / 2) / W), K bins: W the weight of the cells seen, W_< and W_= of those
// below and equal to x. So equal numbers stay together, any increasing change of a column leaves its bins alone, and a
// column that varies has at least two bins. A column with at most K different numbers keeps each as a level. Labels
// begin with the number of their bin, so that they sort in order; the bounds between them are as short as the gap
// between the numbers allows.
#pragma once

#include "agon/data/dataset.h"

namespace agon {

// The table with every continuous column that varies cut into at most `bins` (2 or more) bins. Missing and drawn cells,
// weights and regimes stay as they are.
Dataset with_bins(const Dataset& data, int bins);

}  // namespace agon
