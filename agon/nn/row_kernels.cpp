#include "agon/nn/row_kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <cmath>

namespace agon {
namespace {

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

namespace plain_float {
#define KERNEL_REAL float
#define KERNEL_BYTES 16
#define KERNEL_ROOT(v) ROOT_OF_FLOATS(v)
#define KERNEL_TARGET
#include "agon/nn/row_kernels.inc"
#undef KERNEL_REAL
#undef KERNEL_ROOT
}  // namespace plain_float

namespace plain_double {
#define KERNEL_REAL double
#define KERNEL_ROOT(v) ROOT_OF_DOUBLES(v)
#include "agon/nn/row_kernels.inc"
#undef KERNEL_REAL
#undef KERNEL_BYTES
#undef KERNEL_ROOT
#undef KERNEL_TARGET
}  // namespace plain_double

#if defined(__x86_64__)
namespace avx2_float {
#define KERNEL_REAL float
#define KERNEL_BYTES 32
#define KERNEL_ROOT(v) _mm256_sqrt_ps(v)
#define KERNEL_TARGET __attribute__((target("avx2")))  // without fma: a fused multiply-add would change the last bits
#include "agon/nn/row_kernels.inc"
#undef KERNEL_REAL
#undef KERNEL_ROOT
}  // namespace avx2_float

namespace avx2_double {
#define KERNEL_REAL double
#define KERNEL_ROOT(v) _mm256_sqrt_pd(v)
#include "agon/nn/row_kernels.inc"
#undef KERNEL_REAL
#undef KERNEL_BYTES
#undef KERNEL_ROOT
#undef KERNEL_TARGET
}  // namespace avx2_double

bool has_avx2() {
  static const bool has = __builtin_cpu_supports("avx2");
  return has;
}
#endif

}  // namespace

template <>
const RowKernels<float>& portable_row_kernels<float>() {
  return plain_float::kKernels;
}

template <>
const RowKernels<double>& portable_row_kernels<double>() {
  return plain_double::kKernels;
}

template <>
const RowKernels<float>& row_kernels<float>() {
#if defined(__x86_64__)
  if (has_avx2()) return avx2_float::kKernels;
#endif
  return plain_float::kKernels;
}

template <>
const RowKernels<double>& row_kernels<double>() {
#if defined(__x86_64__)
  if (has_avx2()) return avx2_double::kKernels;
#endif
  return plain_double::kKernels;
}

}  // namespace agon
