// agon/score/elimination_loops.h
//
// The two inner loops of eliminating a column from a matrix, for the widest registers of the running processor. They
// use no fused multiply-add, so every element goes through the same roundings on every machine.
//
//   const EliminationLoops& loops = elimination_loops();
//   double row[] = {1, 2}, earlier[] = {3, 4};
//   loops.subtract(row, 0.5, earlier, 2);        // row -= 0.5 * earlier
#pragma once

namespace agon {

struct EliminationLoops {
  // out[v] -= weight * earlier[v]
  void (*subtract)(double* out, double weight, const double* earlier, int q);
  // out[v] *= scale; residual[v] -= out[v]^2; partial[v] -= at_child * out[v]
  void (*eliminate)(double* out, double scale, double at_child, double* residual, double* partial, int q);
};

const EliminationLoops& elimination_loops();

}  // namespace agon
