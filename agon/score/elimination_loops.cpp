#include "agon/score/elimination_loops.h"

namespace agon {
namespace {

#define AGON_LOOPS(suffix, isa)                                                                                   \
  isa void subtract_##suffix(double* __restrict out, double weight, const double* __restrict earlier, int q) {    \
    for (int v = 0; v < q; ++v) out[v] -= weight * earlier[v];                                                    \
  }                                                                                                               \
  isa void eliminate_##suffix(double* __restrict out, double scale, double at_child, double* __restrict residual, \
                              double* __restrict partial, int q) {                                                \
    for (int v = 0; v < q; ++v) {                                                                                 \
      out[v] *= scale;                                                                                            \
      residual[v] -= out[v] * out[v];                                                                             \
      partial[v] -= at_child * out[v];                                                                            \
    }                                                                                                             \
  }

AGON_LOOPS(plain, )
#if defined(__x86_64__)
AGON_LOOPS(avx2, __attribute__((target("avx2"))))
#endif

EliminationLoops choose() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return {subtract_avx2, eliminate_avx2};
#endif
  return {subtract_plain, eliminate_plain};
}

}  // namespace

const EliminationLoops& elimination_loops() {
  static const EliminationLoops loops = choose();
  return loops;
}

}  // namespace agon
