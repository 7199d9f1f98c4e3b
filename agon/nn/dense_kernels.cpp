#include "agon/nn/dense_kernels.h"

#include <algorithm>
#include <cmath>
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

}  // namespace
}  // namespace agon

#define KERNEL_TABLE DenseKernels
#define KERNEL_LOOPS "agon/nn/dense_kernels.inc"
#define KERNEL_WIDE "agon/nn/dense_product.inc"
#include "agon/nn/instruction_sets.inc"

namespace agon {
namespace {

// Wider registers pay in products. CMakeLists.txt compiles this file without contractions: AVX-512 has fused
// multiply-adds, and compilers would use them.
#if defined(__x86_64__)
bool has_avx512() {
  static const bool has = __builtin_cpu_supports("avx512f");
  return has;
}
auto wide_product(float) { return avx512_float::product; }
auto wide_product(double) { return avx512_double::product; }

template <class Real>
DenseKernels<Real> with_wide_product() {
  DenseKernels<Real> kernels = fastest_kernels(Real());
  kernels.product = wide_product(Real());
  return kernels;
}
#endif

}  // namespace

template <class Real>
const DenseKernels<Real>& portable_dense_kernels() {
  return portable_kernels(Real());
}

template <class Real>
const DenseKernels<Real>& dense_kernels() {
#if defined(__x86_64__)
  static const DenseKernels<Real> wide = with_wide_product<Real>();
  if (has_avx512()) return wide;
#endif
  return fastest_kernels(Real());
}

template <class Real>
std::vector<const DenseKernels<Real>*> dense_kernel_versions() {
  std::vector<const DenseKernels<Real>*> versions = {&portable_dense_kernels<Real>()};
  for (const DenseKernels<Real>* faster : {&fastest_kernels(Real()), &dense_kernels<Real>()}) {
    if (faster != versions.back()) versions.push_back(faster);
  }
  return versions;
}

template const DenseKernels<float>& portable_dense_kernels<float>();
template const DenseKernels<double>& portable_dense_kernels<double>();
template const DenseKernels<float>& dense_kernels<float>();
template const DenseKernels<double>& dense_kernels<double>();
template std::vector<const DenseKernels<float>*> dense_kernel_versions<float>();
template std::vector<const DenseKernels<double>*> dense_kernel_versions<double>();

}  // namespace agon
