#include "agon/opponent/row_kernels.h"

#include <immintrin.h>

#include <cmath>

namespace agon {
namespace {

namespace plain_float {
#define KERNEL_REAL float
#define KERNEL_BYTES 16
#define KERNEL_ROOT(v) _mm_sqrt_ps(v)
#define KERNEL_TARGET
#include "agon/opponent/row_kernels.inc"
#undef KERNEL_REAL
#undef KERNEL_ROOT
}  // namespace plain_float

namespace plain_double {
#define KERNEL_REAL double
#define KERNEL_ROOT(v) _mm_sqrt_pd(v)
#include "agon/opponent/row_kernels.inc"
#undef KERNEL_REAL
#undef KERNEL_BYTES
#undef KERNEL_ROOT
#undef KERNEL_TARGET
}  // namespace plain_double

namespace avx2_float {
#define KERNEL_REAL float
#define KERNEL_BYTES 32
#define KERNEL_ROOT(v) _mm256_sqrt_ps(v)
#define KERNEL_TARGET __attribute__((target("avx2")))  // without fma: a fused multiply-add would change the last bits
#include "agon/opponent/row_kernels.inc"
#undef KERNEL_REAL
#undef KERNEL_ROOT
}  // namespace avx2_float

namespace avx2_double {
#define KERNEL_REAL double
#define KERNEL_ROOT(v) _mm256_sqrt_pd(v)
#include "agon/opponent/row_kernels.inc"
#undef KERNEL_REAL
#undef KERNEL_BYTES
#undef KERNEL_ROOT
#undef KERNEL_TARGET
}  // namespace avx2_double

bool has_avx2() {
  static const bool has = __builtin_cpu_supports("avx2");
  return has;
}

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
  return has_avx2() ? avx2_float::kKernels : plain_float::kKernels;
}

template <>
const RowKernels<double>& row_kernels<double>() {
  return has_avx2() ? avx2_double::kKernels : plain_double::kKernels;
}

}  // namespace agon
