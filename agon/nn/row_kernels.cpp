#include "agon/nn/row_kernels.h"

#define KERNEL_TABLE RowKernels
#define KERNEL_LOOPS "agon/nn/row_kernels.inc"
#include "agon/nn/instruction_sets.inc"

namespace agon {

template <class Real>
const RowKernels<Real>& portable_row_kernels() {
  return portable_kernels(Real());
}

template <class Real>
const RowKernels<Real>& row_kernels() {
  return fastest_kernels(Real());
}

template const RowKernels<float>& portable_row_kernels<float>();
template const RowKernels<double>& portable_row_kernels<double>();
template const RowKernels<float>& row_kernels<float>();
template const RowKernels<double>& row_kernels<double>();

}  // namespace agon
