// agon/score/uneven.h
//
// How many numbers scatter more in some rows than in others, as another variable tells: a variance or a slope that
// changes with a category, a bend, a product. A score of straight lines sees none of it; one with squares does.
//
//   const UnevenSpread found = uneven_spread(data);
//   found.uneven; found.numbers;            // 5 of 10
//   found.asks_for_squares();               // at least a tenth of them
//
// The test of Breusch & Pagan (1979), studentised by Koenker (1981), with every other variable as the explanation: e is
// what is left of the number x after a linear regression on the blocks (blocks.h) of all the others, R^2 the share of
// the variance of e^2 that the block of v explains. Where the linear model holds, n R^2 is a chi-square with m degrees
// of freedom, m the columns of v, however strong the linear relations are. (Normal scores bend strong lines between
// numbers that are far from Gaussian, and that counts as uneven.) x is uneven when for some v
//
//   n/2 R^2 > m/2 ln n + 2 ln p         the price of m parameters in BIC, and of a choice among p^2 pairs
//
// n is the weight of the rows in which x was seen. A gap of another variable counts as its mean.
#pragma once

#include "agon/data/dataset.h"

namespace agon {

struct UnevenSpread {
  int numbers = 0;  // continuous columns looked at: those that the others do not determine
  int uneven = 0;
  size_t rows = 0;  // looked at: all, or every k-th of a large table

  bool asks_for_squares() const { return uneven > 0 && 10 * uneven >= numbers; }
};

// Looks at no more than about `most_products` products, by taking fewer rows; `raw` as for the blocks. With fewer than
// four rows to a column of the blocks the regressions leave too little, and no number is looked at.
UnevenSpread uneven_spread(const Dataset& data, bool raw = false, double most_products = 3e8);

}  // namespace agon
