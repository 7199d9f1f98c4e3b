#include "agon/nn/row_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "agon/base/rng.h"

namespace agon {
namespace {

template <class Real>
std::vector<Real> draw(int count, Rng& rng) {
  std::vector<Real> out;
  for (int k = 0; k < count; ++k) out.push_back(static_cast<Real>(rng.normal()));
  return out;
}

std::vector<int> draw_places(int count, int below, Rng& rng) {
  std::vector<int> out;
  for (int k = 0; k < count; ++k) out.push_back(rng.below(below));
  return out;
}

// Everything a kernel wrote, one after the other.
template <class Real>
std::vector<Real> outcome(const RowKernels<Real>& kernels, int rows, int cols, int units, uint64_t seed) {
  Rng rng(seed);
  const auto a = draw<Real>(500, rng), m = draw<Real>(cols * units, rng), bias = draw<Real>(units, rng);
  const auto row = draw_places(rows, 250, rng), col = draw_places(cols, 250, rng);
  std::vector<Real> all;
  const auto keep = [&all](const std::vector<Real>& part) { all.insert(all.end(), part.begin(), part.end()); };
  std::vector<Real> out(rows * units), one(units);
  kernels.product(a.data(), row.data(), rows, col.data(), cols, m.data(), units, out.data());
  keep(out);
  kernels.layer(a.data(), row.data(), rows, col.data(), cols, m.data(), bias.data(), Real(0.01), units, out.data());
  keep(out);
  std::vector<int> from;
  for (int c = 0; c < cols; ++c) from.push_back(c * units);
  kernels.combine(a.data(), col.data(), from.data(), cols, m.data(), units, one.data());
  keep(one);
  const int odd = rows * units - 3;  // not a whole number of vectors
  auto back = draw<Real>(rows * units, rng), square = draw<Real>(rows * units, rng), w = draw<Real>(rows * units, rng);
  for (Real& x : square) x = std::abs(x);
  kernels.slope(out.data(), Real(0.01), odd, back.data());
  keep(back);
  kernels.rms(back.data(), Real(1e-3), odd, square.data(), w.data());
  keep(square);
  keep(w);
  all.push_back(kernels.add_scaled(Real(0.3), odd, back.data(), w.data()));
  keep(back);
  keep(w);
  return all;
}

TEST(RowKernels, TheSameBitsOnEveryMachine) {
  uint64_t seed = 0;
  for (int rows : {1, 2, 5, 6, 17, 64}) {
    for (int cols : {0, 1, 7, 30}) {
      for (int units : {8, 16, 24, 40}) {
        ++seed;
        EXPECT_EQ(outcome(row_kernels<float>(), rows, cols, units, seed),
                  outcome(portable_row_kernels<float>(), rows, cols, units, seed));
        EXPECT_EQ(outcome(row_kernels<double>(), rows, cols, units, seed),
                  outcome(portable_row_kernels<double>(), rows, cols, units, seed));
      }
    }
  }
}

TEST(RowKernels, DoWhatTheirHeaderSays) {
  const RowKernels<double>& kernels = row_kernels<double>();
  Rng rng(3);
  for (int units : {8, 16, 24}) {
    const int rows = 7, cols = 5;
    const auto a = draw<double>(100, rng), m = draw<double>(cols * units, rng), bias = draw<double>(units, rng);
    const auto row = draw_places(rows, 50, rng), col = draw_places(cols, 50, rng);
    std::vector<double> product(rows * units), layer(rows * units);
    kernels.product(a.data(), row.data(), rows, col.data(), cols, m.data(), units, product.data());
    kernels.layer(a.data(), row.data(), rows, col.data(), cols, m.data(), bias.data(), 0.1, units, layer.data());
    for (int r = 0; r < rows; ++r) {
      for (int u = 0; u < units; ++u) {
        double sum = 0;
        for (int c = 0; c < cols; ++c) sum += a[row[r] + col[c]] * m[c * units + u];
        EXPECT_EQ(product[r * units + u], sum);
        const double z = sum + bias[u];
        EXPECT_EQ(layer[r * units + u], z > 0 ? z : 0.1 * z);
      }
    }
    std::vector<double> back = draw<double>(rows * units, rng), square(back.size(), 0.5), w(back.size(), 2.0);
    const std::vector<double> before = back;
    kernels.slope(product.data(), 0.1, rows * units, back.data());
    for (size_t k = 0; k < back.size(); ++k) EXPECT_EQ(back[k], product[k] > 0 ? before[k] : 0.1 * before[k]);
    kernels.rms(back.data(), 0.01, rows * units, square.data(), w.data());
    for (size_t k = 0; k < back.size(); ++k) {
      EXPECT_DOUBLE_EQ(square[k], 0.99 * 0.5 + 0.01 * back[k] * back[k]);
      EXPECT_DOUBLE_EQ(w[k], 2.0 - 0.01 * back[k] / (std::sqrt(square[k]) + 1e-8));
    }
    std::vector<double> term = before, sum(back.size(), 1.0);
    const double largest = kernels.add_scaled(0.5, rows * units, term.data(), sum.data());
    EXPECT_EQ(largest, *std::max_element(term.begin(), term.end()));
    for (size_t k = 0; k < back.size(); ++k) EXPECT_EQ(sum[k], 1.0 + 0.5 * before[k]);
  }
}

}  // namespace
}  // namespace agon
