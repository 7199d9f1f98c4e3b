// agon/nn/row_kernels.h
//
// The inner loops of many small networks trained side by side: products whose result has rows of a few units, and the
// optimiser's step. They are written once (row_kernels.inc) and compiled for plain x86-64 and for AVX2
// (instruction_sets.inc). The program chooses between the two when it runs.
//
//   const RowKernels<float>& k = row_kernels<float>();
//   k.product(a, row, rows, col, cols, m, units, result);   // result[r][u] = sum over c, a[row[r] + col[c]] * m[c][u]
//
// What may be relied on: every result is a sum in a fixed order (c = 0, 1, ...) without fused multiply-adds, and vector
// registers only hold independent sums side by side. So both versions give the same bits on every machine.
#pragma once

namespace agon {

constexpr int kUnitStep = 8;  // `units` must be a multiple of this: rows are padded with zeros

constexpr int padded_units(int units) { return (units + kUnitStep - 1) / kUnitStep * kUnitStep; }

template <class Real>
struct RowKernels {
  // out[r * units + u] = sum over c of a[row[r] + col[c]] * m[c * units + u].
  void (*product)(const Real* a, const int* row, int rows, const int* col, int cols, const Real* m, int units,
                  Real* out);
  // The same plus bias[u], then x -> max(x, leak * x).
  void (*layer)(const Real* a, const int* row, int rows, const int* col, int cols, const Real* m, const Real* bias,
                Real leak, int units, Real* out);
  // One row of a product with a sparse matrix: out[u] = sum over l of a[at[l]] * m[from[l] + u].
  void (*combine)(const Real* a, const int* at, const int* from, int count, const Real* m, int units, Real* out);
  // back[k] *= leak where active[k] <= 0.
  void (*slope)(const Real* active, Real leak, int count, Real* back);
  // term[k] *= share, sum[k] += term[k]; returns the largest term[k], 0 if none is positive.
  Real (*add_scaled)(Real share, int count, Real* term, Real* sum);
  // RMSprop: m = 0.99 m + 0.01 g^2, w = w - rate g / (sqrt(m) + 1e-8).
  void (*rms)(const Real* g, Real rate, int count, Real* m, Real* w);
};

template <class Real>
const RowKernels<Real>& portable_row_kernels();
template <class Real>
const RowKernels<Real>& row_kernels();  // the fastest this machine can run

}  // namespace agon
