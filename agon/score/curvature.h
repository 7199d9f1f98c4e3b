// agon/score/curvature.h
//
// How many pairs of numbers are related by more than a line, so that a score of straight lines misses something.
//
//   const Curvature found = curvature(data);
//   found.curved; found.pairs;              // 51 of 55
//
// Two columns with Gaussian margins that are jointly Gaussian have uncorrelated Hermite polynomials of different degree.
// So the blocks of degree 3 of two columns (blocks.h) have a 3 x 3 covariance C that is diagonal, and a pair counts as
// curved when n/2 times the sum of C_kl^2 over k != l exceeds 3 ln n, n the weight of the rows in which both were seen.
// A statistic of six squares rarely gets there by chance: none of 810 pairs of linear tables did.
#pragma once

#include "agon/data/dataset.h"

namespace agon {

struct Curvature {
  int pairs = 0;  // of continuous columns with at least four values each
  int curved = 0;
  size_t rows = 0;  // looked at: all, or every k-th of a large table
};

// Looks at no more than about `most_products` products, by taking fewer rows.
Curvature curvature(const Dataset& data, double most_products = 1e8);

}  // namespace agon
