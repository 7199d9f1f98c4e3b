// agon/opponent/hsic.h
//
// The Hilbert-Schmidt independence criterion of two columns: 0 exactly when they are independent, whatever the form of
// the dependence (Gretton et al. 2008, NIPS 20, "A kernel statistical test of independence").
//
//   Kernel a = gaussian_kernel(x), b = gaussian_kernel(y);
//   Hsic h = hsic(a, b);
//   h.p_value();           // gamma approximation of the distribution under independence
//   h.excess();            // standard deviations above its mean there: comparable where p-values are all 0
//
// Kernels are Gaussian. Their width is the median distance between values (the mean distance where most values are
// equal). Memory and time grow with the square of the number of rows: pass a few hundred.
#pragma once

#include <vector>

namespace agon {

struct Kernel {
  int rows = 0;
  std::vector<float> centred;  // [row][row], centred to mean 0 in every row and column
  double off_diagonal = 0;     // mean of the uncentred kernel between different rows
};
Kernel gaussian_kernel(const std::vector<double>& x);

struct Hsic {
  double statistic = 0;         // the number of rows times the criterion
  double mean = 0, spread = 0;  // of the statistic under independence; spread: its standard deviation
  double p_value() const;
  double excess() const { return spread > 0 ? (statistic - mean) / spread : 0; }
};
Hsic hsic(const Kernel& a, const Kernel& b);  // of the same rows, at least 6; with fewer, or a constant column: all 0

}  // namespace agon
