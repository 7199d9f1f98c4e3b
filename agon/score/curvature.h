// agon/score/curvature.h
//
// How many pairs of numbers are related by more than a line, so that a score of straight lines misses something.
//
//   const Curvature found = curvature(data);
//   found.curved; found.pairs;              // 51 of 55
//
// Two columns with Gaussian margins that are jointly Gaussian have uncorrelated Hermite polynomials of different
// degree. So the blocks of degree 3 of two columns (blocks.h) have a 3 x 3 covariance C that is diagonal, but for
// chance: n C_kl^2 has the mean v_kl = sum_r C(k, r) C(l, r) C(2r, r) rho^2r, by Mehler's formula and the product
// formula of Hermite polynomials, with rho the correlation of the two. A pair counts as curved when n/2 times the sum
// of C_kl^2 / v_kl over k != l exceeds 3 ln n, n the weight of the rows in which both were seen. A sum of six squares
// rarely gets there.
#pragma once

#include "agon/data/dataset.h"

namespace agon {

struct Curvature {
  int pairs = 0;  // of columns with at least four values each; of more than 200 continuous ones a sample
  int curved = 0;
  size_t rows = 0;  // looked at: all, or every k-th of a large table
};

// Looks at no more than about `most_products` products, by taking fewer rows.
Curvature curvature(const Dataset& data, double most_products = 1e8);

}  // namespace agon
