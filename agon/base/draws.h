// agon/base/draws.h
//
// Drawing with replacement in proportion to weights, in time that depends on how many things there are, not on how
// often one draws: a table of counts may stand for billions of rows.
//
//   Rng rng(7);
//   const std::vector<double> weights = {0.5, 2, 1.5};
//   std::vector<uint32_t> times = drawn_by_weight(weights, 1000, rng);   // sums to 1000; about 125, 500 and 375
//
// The times are multinomial: the first is binomial, and each of the others is binomial among the draws that are left.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "agon/base/rng.h"

namespace agon {

// How many of n independent trials succeed, each with probability p. Exact: by waiting times where n p < 10 (or n (1 -
// p), by symmetry), else by transformed rejection (Hoermann 1993, Journal of Statistical Computation and Simulation 46,
// algorithm BTRS).
uint32_t binomial(uint32_t n, double p, Rng& rng);

// How often each thing is drawn. The weights must be positive.
std::vector<uint32_t> drawn_by_weight(std::span<const double> weights, uint32_t draws, Rng& rng);

}  // namespace agon
