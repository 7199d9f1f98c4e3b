// agon/nn/float_product.h
//
// Products of dense float matrices, for the widest registers of the running processor. Eigen is compiled once, for
// every x86-64 machine, and there multiplies four numbers at a time; this takes sixteen, fused with the addition.
//
//   std::vector<float> a(6), b(8), c(12);                                  // 3 x 2 and 2 x 4, both column by column
//   FloatProduct product;
//   product({a.data(), 1, 3}, {b.data(), 1, 2}, 3, 2, 4, c.data(), 3);     // c = a b, column by column
//
// What may be relied on: every element of the result is summed over k in ascending order, one fused multiply-add after
// another, so that processors with AVX2 and with AVX-512 give the same bits. Those with neither round twice instead of
// once and may differ in the last bits.
#pragma once

#include <vector>

namespace agon {

// The element in row i and column j is data[i * row + j * column]. A transposed matrix is one with these two exchanged.
struct Strided {
  const float* data;
  long row, column;
};

class FloatProduct {
 public:
  // c = a b, where a is m x k and b is k x n. Column j of c begins at c + j * stride.
  void operator()(const Strided& a, const Strided& b, int m, int k, int n, float* c, long stride);

 private:
  std::vector<float> a_,
      b_;  // blocks of the factors in the order in which the inner loop reads them; kept to be reused
};

}  // namespace agon
