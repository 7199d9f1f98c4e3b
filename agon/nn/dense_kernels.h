// agon/nn/dense_kernels.h
//
// The inner loops of networks that are trained on batches: products of matrices, exp, tanh, sigmoid and log over
// arrays, sums, networks of one number, and attention. They are written once (dense_kernels.inc) and compiled for plain
// x86-64 and for AVX2, products for AVX-512 too (instruction_sets.inc). The program chooses among them when it runs.
//
//   std::vector<float> a(6), b(8), c(12), scratch;                      // 3 x 2 and 2 x 4, row by row
//   const DenseKernels<float>& kernels = dense_kernels<float>();
//   kernels.product({a.data(), 2, 1}, {b.data(), 4, 1}, 3, 2, 4, false, c.data(), 4, scratch);   // c = a b
//
// What may be relied on: all versions give the same bits on every machine, because training turns a difference in the
// last bit into another graph. Every element of a product is summed over k = 0, 1, .. with two roundings per term
// (no fused multiply-add), sums of arrays use sixteen partial sums, and the elementary functions are polynomials
// evaluated in one order, not those of the C library, whose bits depend on the processor.
#pragma once

#include <vector>

namespace agon {

// Element (i, j) of a matrix is data[i * row + j * column]. Exchange the two to transpose it.
template <class Real>
struct DenseMatrix {
  const Real* data;
  long row, column;
};

// One head of attention: `channels` rows of queries, keys, values and results, `stride` apart. A row holds
// tokens x lanes values: value of token i in lane b at i * lanes + b. Lanes are independent of each other.
template <class Real>
struct AttentionHead {
  const Real *queries, *keys, *values;
  long stride;
  int channels, tokens, lanes;  // lanes: a multiple of kLaneStep
};

constexpr int kLaneStep = 8;

// One step of Adam (adam.h) with its corrections for starting at 0 already in `rate` and `root`.
template <class Real>
struct AdamStep {
  Real beta1, beta2, rate, root, epsilon;
};

// A network of one number, with one hidden layer: y = bias + sum over u of out_u max(in_bias_u + in_u x, 0).
template <class Real>
struct ScalarNet {
  const Real *in, *in_bias, *out;
  Real bias;
  int units;
};

template <class Real>
struct DenseKernels {
  // c = a b, or c += a b. a is m x k, b is k x n; row i of c begins at c + i * stride.
  void (*product)(const DenseMatrix<Real>& a, const DenseMatrix<Real>& b, int m, int k, int n, bool add, Real* c,
                  long stride, std::vector<Real>& scratch);
  // Elementwise; y may be x. Errors are a few units in the last place: of the result for exp, of 1 for tanh and
  // sigmoid, of the larger of the two for log.
  // Arguments of exp are cut to the range of normal numbers, those of log must be positive and normal.
  void (*exp)(const Real* x, long count, Real* y);
  void (*tanh)(const Real* x, long count, Real* y);
  void (*sigmoid)(const Real* x, long count, Real* y);
  void (*log)(const Real* x, long count, Real* y);
  Real (*sum)(const Real* x, long count);
  Real (*dot)(const Real* x, const Real* y, long count);
  // x = e^x / sum of e^x; elements of -1e8 or below are masked, and become 0. The maximum is subtracted first.
  void (*softmax)(Real* x, int count);
  // weight[(i * tokens + j) * lanes + b] = softmax over j of queries_i . keys_j * scale, and
  // out_i = sum over j of weight_ij values_j. `out` has the stride of the head.
  void (*attend)(const AttentionHead<Real>& head, Real scale, Real* weight, Real* out);
  // The derivatives by queries, keys and values, from that by `out`. Each has the head's stride and is overwritten.
  void (*attend_back)(const AttentionHead<Real>& head, Real scale, const Real* weight, const Real* by_out,
                      Real* by_queries, Real* by_keys, Real* by_values);
  // g = factor * gradient; m += (1 - beta1) (g - m); s += (1 - beta2) (g^2 - s);
  // w -= rate * m / (root * sqrt(s) + epsilon).
  void (*adam)(const Real* gradient, Real factor, long count, const AdamStep<Real>& step, Real* mean, Real* square,
               Real* weights);
  // y of every x; the same as two linear layers, to the bit. And the derivatives by the weights, which are added, and
  // by x, which overwrites by_x unless that is nullptr. That by the bias is the sum of by_y.
  void (*scalar_net)(const ScalarNet<Real>& net, const Real* x, long count, Real* y);
  void (*scalar_net_back)(const ScalarNet<Real>& net, const Real* x, const Real* by_y, long count, Real* by_in,
                          Real* by_in_bias, Real* by_out, Real* by_x);
};

template <class Real>
const DenseKernels<Real>& portable_dense_kernels();
template <class Real>
const DenseKernels<Real>& dense_kernels();  // the fastest this machine can run
template <class Real>
std::vector<const DenseKernels<Real>*> dense_kernel_versions();  // all that it can run, for tests; the portable first

}  // namespace agon
