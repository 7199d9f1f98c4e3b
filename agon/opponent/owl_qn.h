// agon/opponent/owl_qn.h
//
// Minimises f(x) + l1 * sum |x_k| for a smooth f: the orthant-wise limited-memory quasi-Newton method (Andrew & Gao
// 2007, ICML, "Scalable training of L1-regularized log-linear models"). With l1 = 0 it is L-BFGS with backtracking.
//
//   std::vector<double> x(1);
//   auto f = [](const std::vector<double>& at, std::vector<double>& slope) {
//     slope[0] = 2 * (at[0] - 3);
//     return (at[0] - 3) * (at[0] - 3);
//   };
//   OwlQnResult r = minimise(f, 0.1, x);          // x is where f + 0.1 sum |x_i| is smallest: 2.95
//
// Every step stays in one orthant (a coordinate that would change its sign becomes 0), so zeros are exact. f may return
// infinity or NaN outside its domain; the step is then shortened. Uses no random numbers. The result is never worse
// than the starting point.
#pragma once

#include <functional>
#include <vector>

#include "agon/base/stop.h"

namespace agon {

struct OwlQnOptions {
  int memory = 10;          // how many pairs of steps and slopes are remembered
  int max_steps = 1000;     // of the method, not evaluations
  double tolerance = 1e-6;  // ends when no coordinate of the (pseudo-)gradient exceeds it ...
  double fall = 1e-9;       // ... or when ten steps lowered the objective by less than this share of 1 + |objective|
};

struct OwlQnResult {
  double value = 0;  // f + l1 * sum |x_k|
  int steps = 0;
  int evaluations = 0;
  bool settled = false;  // ended by tolerance or fall
};

using SmoothFunction = std::function<double(const std::vector<double>& x, std::vector<double>& slope)>;

OwlQnResult minimise(const SmoothFunction& f, double l1, std::vector<double>& x, const OwlQnOptions& options = {},
                     const Watch& watch = {});

}  // namespace agon
