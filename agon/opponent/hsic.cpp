#include "agon/opponent/hsic.h"

#include <algorithm>
#include <cmath>

#include "agon/base/distributions.h"

namespace agon {
namespace {

constexpr int kRowsForWidth = 100;  // spread evenly

double width_of(const std::vector<double>& x) {
  const int n = static_cast<int>(x.size()), stride = std::max(1, n / kRowsForWidth);
  std::vector<double> distance;
  double sum = 0;
  for (int a = 0; a < n; a += stride) {
    for (int b = a + stride; b < n; b += stride) {
      distance.push_back(std::abs(x[a] - x[b]));
      sum += distance.back();
    }
  }
  if (distance.empty()) return 1;
  const auto middle = distance.begin() + static_cast<long>(distance.size() / 2);
  std::nth_element(distance.begin(), middle, distance.end());
  const double width = *middle > 0 ? *middle : sum / static_cast<double>(distance.size());
  return width > 0 ? width : 1;
}

}  // namespace

Kernel gaussian_kernel(const std::vector<double>& x) {
  const int n = static_cast<int>(x.size());
  Kernel out{n, std::vector<float>(static_cast<size_t>(n) * n), 0};
  const double width = width_of(x), scale = -0.5 / (width * width);
  std::vector<double> row(n);
  for (int a = 0; a < n; ++a) {
    out.centred[static_cast<size_t>(a) * n + a] = 1;
    row[a] += 1;
    for (int b = a + 1; b < n; ++b) {
      const float k = std::exp(static_cast<float>(scale * (x[a] - x[b]) * (x[a] - x[b])));
      out.centred[static_cast<size_t>(a) * n + b] = out.centred[static_cast<size_t>(b) * n + a] = k;
      row[a] += k;
      row[b] += k;
    }
  }
  double all = 0;
  for (double r : row) all += r;
  if (n > 1) out.off_diagonal = (all - n) / (static_cast<double>(n) * (n - 1));
  for (int a = 0; a < n; ++a) {
    float* at = out.centred.data() + static_cast<size_t>(a) * n;
    for (int b = 0; b < n; ++b) at[b] = static_cast<float>(at[b] - row[a] / n - row[b] / n + all / n / n);
  }
  return out;
}

Hsic hsic(const Kernel& a, const Kernel& b) {
  Hsic out;
  const int n = a.rows;
  if (n < 6) return out;
  const double m = n;
  double sum = 0, squares = 0, diagonal = 0;
  for (int r = 0; r < n; ++r) {
    const float* x = a.centred.data() + static_cast<size_t>(r) * n;
    const float* y = b.centred.data() + static_cast<size_t>(r) * n;
    // Eight sums side by side, in a fixed order.
    float part[8] = {}, square[8] = {};
    int k = 0;
    for (; k + 8 <= n; k += 8) {
      for (int l = 0; l < 8; ++l) {
        const float product = x[k + l] * y[k + l];
        part[l] += product;
        square[l] += product * product;
      }
    }
    for (; k < n; ++k) {
      part[0] += x[k] * y[k];
      square[0] += x[k] * y[k] * x[k] * y[k];
    }
    for (int l = 0; l < 8; ++l) {
      sum += part[l];
      squares += square[l];
    }
    diagonal += static_cast<double>(x[r] * y[r]) * (x[r] * y[r]);
  }
  out.statistic = sum / m;
  out.mean = (1 + a.off_diagonal * b.off_diagonal - a.off_diagonal - b.off_diagonal);
  // Theorem 4 of the paper, here for the statistic, which is the number of rows times the criterion.
  const double variance =
      2 * (m - 4) * (m - 5) / (m * (m - 1) * (m - 2) * (m - 3)) * (squares - diagonal) / (m * (m - 1));
  out.spread = std::sqrt(std::max(0.0, variance)) * m;
  return out;
}

double Hsic::p_value() const {
  if (!(spread > 0) || !(mean > 0)) return 1;
  const double shape = mean * mean / (spread * spread);
  return incomplete_gamma_tail(shape, statistic * shape / mean);
}

}  // namespace agon
