// agon/score/elimination_loops.h
//
// The inner loops of eliminating a column from a matrix, for the widest registers of the running processor. They
// use no fused multiply-add, so every element goes through the same roundings on every machine.
//
//   const EliminationLoops& loops = elimination_loops();
//   double row[] = {1, 2}, earlier[] = {3, 4}, weight = 0.5;
//   loops.subtract_rows(row, earlier, &weight, 1, 2, 2);        // row -= 0.5 * earlier
#pragma once

namespace agon {

struct EliminationLoops {
  // out[v] -= weights[i * stride] * rows[i * stride + v], for i = 0 .. count - 1 in this order and v < length. `out` is
  // no part of the rows.
  void (*subtract_rows)(double* out, const double* rows, const double* weights, int count, int length, int stride);
  // out[v] *= scale; residual[v] -= out[v]^2; partial[v] -= at_child * out[v]
  void (*eliminate)(double* out, double scale, double at_child, double* residual, double* partial, int q);
  // out[v] -= a[v] * b[v]; `out` overlaps neither of them
  void (*subtract_products)(double* out, const double* a, const double* b, int length);
};

const EliminationLoops& elimination_loops();

// The inverse of a symmetric positive definite matrix of the order given, both of them whole and without gaps between
// rows, in two thirds of order^3 multiplications.
void invert_symmetric(const double* matrix, int order, double* inverse);

// The inverse of an upper triangular matrix, row by row. `transposed` holds the columns of the matrix one after the
// other; what it has above its diagonal is not read.
void invert_upper(const double* transposed, int order, double* inverse);

}  // namespace agon
