#include "agon/score/elimination_loops.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <vector>

namespace agon {
namespace {

using Four = double __attribute__((vector_size(32)));

#define AGON_LOOPS(suffix, isa)                                                                                   \
  isa void subtract_rows_##suffix(double* __restrict out, const double* rows, const double* weights, int count,   \
                                  int length, int stride) {                                                       \
    const double* const end = rows + static_cast<std::ptrdiff_t>(count) * stride;                                 \
    int v = 0;                                                                                                    \
    for (; v + 16 <= length; v += 16) { /* out stays in registers */                                              \
      Four a, b, c, d, x;                                                                                         \
      std::memcpy(&a, out + v, sizeof a);                                                                         \
      std::memcpy(&b, out + v + 4, sizeof b);                                                                     \
      std::memcpy(&c, out + v + 8, sizeof c);                                                                     \
      std::memcpy(&d, out + v + 12, sizeof d);                                                                    \
      const double* weight = weights;                                                                             \
      for (const double* row = rows + v; row < end + v; row += stride, weight += stride) {                        \
        std::memcpy(&x, row, sizeof x);                                                                           \
        a -= *weight * x;                                                                                         \
        std::memcpy(&x, row + 4, sizeof x);                                                                       \
        b -= *weight * x;                                                                                         \
        std::memcpy(&x, row + 8, sizeof x);                                                                       \
        c -= *weight * x;                                                                                         \
        std::memcpy(&x, row + 12, sizeof x);                                                                      \
        d -= *weight * x;                                                                                         \
      }                                                                                                           \
      std::memcpy(out + v, &a, sizeof a);                                                                         \
      std::memcpy(out + v + 4, &b, sizeof b);                                                                     \
      std::memcpy(out + v + 8, &c, sizeof c);                                                                     \
      std::memcpy(out + v + 12, &d, sizeof d);                                                                    \
    }                                                                                                             \
    const double* weight = weights;                                                                               \
    for (const double* row = rows; v < length && row < end; row += stride, weight += stride) {                    \
      for (int k = v; k < length; ++k) out[k] -= *weight * row[k];                                                \
    }                                                                                                             \
  }                                                                                                               \
  isa void eliminate_##suffix(double* __restrict out, double scale, double at_child, double* __restrict residual, \
                              double* __restrict partial, int q) {                                                \
    for (int v = 0; v < q; ++v) {                                                                                 \
      out[v] *= scale;                                                                                            \
      residual[v] -= out[v] * out[v];                                                                             \
      partial[v] -= at_child * out[v];                                                                            \
    }                                                                                                             \
  }                                                                                                               \
  isa void subtract_products_##suffix(double* __restrict out, const double* a, const double* b, int length) {     \
    for (int v = 0; v < length; ++v) out[v] -= a[v] * b[v];                                                       \
  }

AGON_LOOPS(plain, )
#if defined(__x86_64__)
AGON_LOOPS(avx2, __attribute__((target("avx2"))))
#endif

EliminationLoops choose() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return {subtract_rows_avx2, eliminate_avx2, subtract_products_avx2};
#endif
  return {subtract_rows_plain, eliminate_plain, subtract_products_plain};
}

}  // namespace

const EliminationLoops& elimination_loops() {
  static const EliminationLoops loops = choose();
  return loops;
}

// Rows of (matrix, I) are eliminated one by one. That leaves (U, W) with matrix = U'U and W = U'^-1; the inverse is
// W'W. U has zeros before its diagonal and W behind it, so that at row k only the order + 1 numbers from k on matter.
void invert_symmetric(const double* matrix, int order, double* inverse) {
  const EliminationLoops& loops = elimination_loops();
  const int stride = 2 * order;
  static thread_local std::vector<double> rows;  // static only to keep its memory
  rows.assign(static_cast<size_t>(order) * stride, 0);
  for (int k = 0; k < order; ++k) {
    double* row = rows.data() + static_cast<size_t>(k) * stride;
    std::copy_n(matrix + static_cast<size_t>(k) * order + k, order - k, row + k);
    row[order + k] = 1;
    loops.subtract_rows(row + k, rows.data() + k, rows.data() + k, k, order + 1, stride);
    const double scale = 1 / std::sqrt(row[k]);
    for (int c = k; c <= order + k; ++c) row[c] *= scale;
  }
  for (int a = 0; a < order; ++a) {
    double* out = inverse + static_cast<size_t>(a) * order;
    const double* own = rows.data() + static_cast<size_t>(a) * stride + order;
    std::fill_n(out, a + 1, 0.0);
    loops.subtract_rows(out, own, own + a, order - a, a + 1, stride);
    for (int b = 0; b <= a; ++b) inverse[static_cast<size_t>(b) * order + a] = out[b] = -out[b];
  }
}

// Row a of the inverse V is (e_a - sum over j > a of U_aj V_j) / U_aa: from the last row up.
void invert_upper(const double* transposed, int order, double* inverse) {
  const EliminationLoops& loops = elimination_loops();
  for (int a = order - 1; a >= 0; --a) {
    const size_t diagonal = static_cast<size_t>(a) * order + a;
    double* row = inverse + diagonal;
    const int behind = order - 1 - a;
    std::fill_n(row - a, order, 0.0);
    loops.subtract_rows(row + 1, row + order + 1, transposed + diagonal + order, behind, behind, order);
    row[0] = 1;
    const double scale = 1 / transposed[diagonal];
    for (int k = 0; k <= behind; ++k) row[k] *= scale;
  }
}

}  // namespace agon
