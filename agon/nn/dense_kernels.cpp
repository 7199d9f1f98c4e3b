#include "agon/nn/dense_kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace agon {
namespace {

// 1 / k!, each rounded once.
template <class Real>
constexpr Real kInverseFactorial[] = {Real(1.0),
                                      Real(1.0),
                                      Real(1.0 / 2),
                                      Real(1.0 / 6),
                                      Real(1.0 / 24),
                                      Real(1.0 / 120),
                                      Real(1.0 / 720),
                                      Real(1.0 / 5040),
                                      Real(1.0 / 40320),
                                      Real(1.0 / 362880),
                                      Real(1.0 / 3628800),
                                      Real(1.0 / 39916800),
                                      Real(1.0 / 479001600),
                                      Real(1.0 / 6227020800)};

#if defined(__x86_64__)
#define ROOT_OF_FLOATS(v) _mm_sqrt_ps(v)
#define ROOT_OF_DOUBLES(v) _mm_sqrt_pd(v)
#else
template <class Pack>
Pack roots(Pack v) {
  for (size_t k = 0; k < sizeof(v) / sizeof(v[0]); ++k) v[k] = std::sqrt(v[k]);
  return v;
}
#define ROOT_OF_FLOATS(v) roots(v)
#define ROOT_OF_DOUBLES(v) roots(v)
#endif

#define KERNEL_TARGET
#define KERNEL_BYTES 16
namespace plain_float {
#define KERNEL_REAL float
#define KERNEL_WHOLE int32_t
#define KERNEL_ROOT(v) ROOT_OF_FLOATS(v)
#include "agon/nn/dense_kernels.inc"
#undef KERNEL_ROOT
#undef KERNEL_REAL
#undef KERNEL_WHOLE
}  // namespace plain_float

namespace plain_double {
#define KERNEL_REAL double
#define KERNEL_WHOLE int64_t
#define KERNEL_ROOT(v) ROOT_OF_DOUBLES(v)
#include "agon/nn/dense_kernels.inc"
#undef KERNEL_ROOT
#undef KERNEL_REAL
#undef KERNEL_WHOLE
}  // namespace plain_double
#undef KERNEL_BYTES
#undef KERNEL_TARGET

#if defined(__x86_64__)
#define KERNEL_TARGET __attribute__((target("avx2")))  // without fma: a fused multiply-add would change the last bits
#define KERNEL_BYTES 32
namespace avx2_float {
#define KERNEL_REAL float
#define KERNEL_WHOLE int32_t
#define KERNEL_ROOT(v) _mm256_sqrt_ps(v)
#include "agon/nn/dense_kernels.inc"
#undef KERNEL_ROOT
#undef KERNEL_REAL
#undef KERNEL_WHOLE
}  // namespace avx2_float

namespace avx2_double {
#define KERNEL_REAL double
#define KERNEL_WHOLE int64_t
#define KERNEL_ROOT(v) _mm256_sqrt_pd(v)
#include "agon/nn/dense_kernels.inc"
#undef KERNEL_ROOT
#undef KERNEL_REAL
#undef KERNEL_WHOLE
}  // namespace avx2_double
#undef KERNEL_BYTES
#undef KERNEL_TARGET

bool has_avx2() {
  static const bool has = __builtin_cpu_supports("avx2");
  return has;
}
#endif

}  // namespace

template <>
const DenseKernels<float>& portable_dense_kernels<float>() {
  return plain_float::kKernels;
}

template <>
const DenseKernels<double>& portable_dense_kernels<double>() {
  return plain_double::kKernels;
}

template <>
const DenseKernels<float>& dense_kernels<float>() {
#if defined(__x86_64__)
  if (has_avx2()) return avx2_float::kKernels;
#endif
  return plain_float::kKernels;
}

template <>
const DenseKernels<double>& dense_kernels<double>() {
#if defined(__x86_64__)
  if (has_avx2()) return avx2_double::kKernels;
#endif
  return plain_double::kKernels;
}

}  // namespace agon
