#include "agon/nn/dense_kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "agon/base/rng.h"

namespace agon {
namespace {

template <class Real>
std::vector<Real> drawn(Rng& rng, long count, double scale = 1) {
  std::vector<Real> values(count);
  for (Real& v : values) v = static_cast<Real>(scale * rng.normal());
  return values;
}

template <class Real>
class DenseKernelsTest : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(DenseKernelsTest, Reals);

// The promise of the header to the letter: a sum over k in ascending order, every step rounded.
template <class Real>
std::vector<Real> plain_product(const DenseMatrix<Real>& a, const DenseMatrix<Real>& b, int m, int k, int n,
                                const std::vector<Real>& onto, long stride) {
  std::vector<Real> c = onto;
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      Real sum = onto.empty() ? Real(0) : onto[i * stride + j];
      for (int l = 0; l < k; ++l) {
        const Real term = a.data[i * a.row + l * a.column] * b.data[l * b.row + j * b.column];
        sum += term;
      }
      c[i * stride + j] = sum;
    }
  }
  return c;
}

TYPED_TEST(DenseKernelsTest, ProductsOfAnyShapeAndTransposeHaveTheBitsOfThePlainSum) {
  using Real = TypeParam;
  Rng rng(1);
  std::vector<Real> scratch;
  for (int round = 0; round < 60; ++round) {
    const bool long_sum = round % 10 == 0, high = round % 20 == 1;
    const int m = 1 + rng.below(high ? 1100 : 30), k = rng.below(long_sum ? 700 : 40), n = 1 + rng.below(80);
    const bool turn_a = rng.below(2) == 0, turn_b = rng.below(2) == 0, add = rng.below(2) == 0;
    const std::vector<Real> x = drawn<Real>(rng, m * k + 1), y = drawn<Real>(rng, k * n + 1);
    const DenseMatrix<Real> a = turn_a ? DenseMatrix<Real>{x.data(), 1, m} : DenseMatrix<Real>{x.data(), k, 1};
    const DenseMatrix<Real> b = turn_b ? DenseMatrix<Real>{y.data(), 1, k} : DenseMatrix<Real>{y.data(), n, 1};
    const long stride = n + 3;
    std::vector<Real> before(m * stride, Real(7));
    if (!add) {
      for (int i = 0; i < m; ++i) std::fill_n(before.begin() + i * stride, n, Real(0));
    }
    const std::vector<Real> expected = plain_product(a, b, m, k, n, before, stride);
    for (const auto* kernels : dense_kernel_versions<Real>()) {
      std::vector<Real> c(m * stride, Real(7));
      kernels->product(a, b, m, k, n, add, c.data(), stride, scratch);
      EXPECT_EQ(c, expected) << m << ' ' << k << ' ' << n << (turn_a ? " a'" : "") << (turn_b ? " b'" : "");
    }
  }
}

TYPED_TEST(DenseKernelsTest, ElementaryFunctionsAreAccurateAndTheSameInBothVersions) {
  using Real = TypeParam;
  const DenseKernels<Real>&fast = dense_kernels<Real>(), &plain = portable_dense_kernels<Real>();
  const double unit = sizeof(Real) == 4 ? 6e-8 : 1.2e-16;
  std::vector<Real> x, y(20011), z(20011);
  for (int k = 0; k < 20011; ++k) x.push_back(static_cast<Real>((k - 10005) * 0.004));
  struct Case {
    void (*DenseKernels<Real>::*kernel)(const Real*, long, Real*);
    double (*exact)(double);
    bool relative;
  };
  const Case cases[] = {{&DenseKernels<Real>::exp, [](double v) { return std::exp(v); }, true},
                        {&DenseKernels<Real>::tanh, [](double v) { return std::tanh(v); }, false},
                        {&DenseKernels<Real>::sigmoid, [](double v) { return 1 / (1 + std::exp(-v)); }, false}};
  for (const Case& c : cases) {
    (fast.*c.kernel)(x.data(), static_cast<long>(x.size()), y.data());
    (plain.*c.kernel)(x.data(), static_cast<long>(x.size()), z.data());
    EXPECT_EQ(y, z);
    for (size_t k = 0; k < x.size(); ++k) {
      const double exact = c.exact(static_cast<double>(x[k]));
      ASSERT_NEAR(static_cast<double>(y[k]), exact, 6 * unit * (c.relative ? exact : 1)) << x[k];
    }
  }
  for (Real& v : x) v = std::exp(v);
  fast.log(x.data(), static_cast<long>(x.size()), y.data());
  plain.log(x.data(), static_cast<long>(x.size()), z.data());
  EXPECT_EQ(y, z);
  for (size_t k = 0; k < x.size(); ++k) {
    const double exact = std::log(static_cast<double>(x[k]));
    ASSERT_NEAR(static_cast<double>(y[k]), exact, 4 * unit * std::max(1.0, std::abs(exact))) << x[k];
  }
}

TYPED_TEST(DenseKernelsTest, SumsAndSoftmax) {
  using Real = TypeParam;
  const DenseKernels<Real>&fast = dense_kernels<Real>(), &plain = portable_dense_kernels<Real>();
  Rng rng(2);
  for (const int count : {1, 7, 16, 33, 768}) {
    std::vector<Real> x = drawn<Real>(rng, count), y = drawn<Real>(rng, count);
    double sum = 0, dot = 0;
    for (int k = 0; k < count; ++k) {
      sum += static_cast<double>(x[k]);
      dot += static_cast<double>(x[k]) * static_cast<double>(y[k]);
    }
    EXPECT_EQ(fast.sum(x.data(), count), plain.sum(x.data(), count));
    EXPECT_EQ(fast.dot(x.data(), y.data(), count), plain.dot(x.data(), y.data(), count));
    EXPECT_NEAR(static_cast<double>(fast.sum(x.data(), count)), sum, 1e-5 * count);
    EXPECT_NEAR(static_cast<double>(fast.dot(x.data(), y.data(), count)), dot, 1e-5 * count);
    if (count > 1) x[count / 2] = Real(-1e8);
    std::vector<Real> z = x;
    fast.softmax(x.data(), count);
    plain.softmax(z.data(), count);
    EXPECT_EQ(x, z);
    if (count > 1) {
      EXPECT_EQ(x[count / 2], Real(0));
    }
    EXPECT_NEAR(static_cast<double>(fast.sum(x.data(), count)), 1.0, 1e-5);
  }
}

TYPED_TEST(DenseKernelsTest, AttentionIsTheSameInBothVersions) {
  using Real = TypeParam;
  Rng rng(3);
  for (const int channels : {4, 5}) {
    const int tokens = 6, lanes = 16;
    const long size = static_cast<long>(channels) * tokens * lanes;
    const std::vector<Real> q = drawn<Real>(rng, size), k = drawn<Real>(rng, size), v = drawn<Real>(rng, size);
    const AttentionHead<Real> head{q.data(), k.data(), v.data(), tokens * lanes, channels, tokens, lanes};
    std::vector<std::vector<Real>> results;
    for (const auto* kernels : {&dense_kernels<Real>(), &portable_dense_kernels<Real>()}) {
      std::vector<Real> all(tokens * tokens * lanes + 4 * size);
      Real* out = all.data() + tokens * tokens * lanes;
      kernels->attend(head, Real(0.5), all.data(), out);
      kernels->attend_back(head, Real(0.5), all.data(), q.data(), out + size, out + 2 * size, out + 3 * size);
      results.push_back(all);
      for (int b = 0; b < lanes; ++b) {
        double sum = 0;
        for (int j = 0; j < tokens; ++j) sum += static_cast<double>(all[(2 * tokens + j) * lanes + b]);
        EXPECT_NEAR(sum, 1, 1e-5);
      }
    }
    EXPECT_EQ(results[0], results[1]);
  }
}

// Forward to the bit as two linear layers; backward as their derivatives, and to the bit in all versions.
TYPED_TEST(DenseKernelsTest, ANetworkOfOneNumberIsTwoLinearLayers) {
  using Real = TypeParam;
  Rng rng(7);
  for (const int count : {1, 15, 16, 61, 200}) {
    const int units = 1 + rng.below(20);
    const std::vector<Real> x = drawn<Real>(rng, count), by_y = drawn<Real>(rng, count), in = drawn<Real>(rng, units);
    const std::vector<Real> in_bias = drawn<Real>(rng, units), out = drawn<Real>(rng, units);
    const ScalarNet<Real> net = {in.data(), in_bias.data(), out.data(), Real(0.3), units};
    std::vector<Real> y(count, net.bias);
    std::vector<double> by_in(units, 1), by_in_bias(units, 1), by_out(units, 1), by_x(count, 0);
    for (int k = 0; k < count; ++k) {
      for (int u = 0; u < units; ++u) {
        const Real term = in[u] * x[k], before = in_bias[u] + term;
        if (!(before > 0)) continue;
        const Real share = out[u] * before;
        y[k] += share;
        by_in[u] += double{by_y[k]} * out[u] * x[k];
        by_in_bias[u] += double{by_y[k]} * out[u];
        by_out[u] += double{by_y[k]} * before;
        by_x[k] += double{by_y[k]} * out[u] * in[u];
      }
    }
    std::vector<std::vector<Real>> first;
    for (const auto* kernels : dense_kernel_versions<Real>()) {
      std::vector<Real> found(count);
      kernels->scalar_net(net, x.data(), count, found.data());
      EXPECT_EQ(found, y);
      std::vector<std::vector<Real>> back(3, std::vector<Real>(units, Real(1)));
      kernels->scalar_net_back(net, x.data(), by_y.data(), count, back[0].data(), back[1].data(), back[2].data(),
                               nullptr);
      std::vector<std::vector<Real>> again(3, std::vector<Real>(units, Real(1)));
      again.emplace_back(count);
      kernels->scalar_net_back(net, x.data(), by_y.data(), count, again[0].data(), again[1].data(), again[2].data(),
                               again[3].data());
      const double near = sizeof(Real) == 4 ? 1e-3 : 1e-11;
      for (int u = 0; u < units; ++u) {
        EXPECT_NEAR(again[0][u], by_in[u], near);
        EXPECT_NEAR(again[1][u], by_in_bias[u], near);
        EXPECT_NEAR(again[2][u], by_out[u], near);
      }
      for (int k = 0; k < count; ++k) EXPECT_NEAR(again[3][k], by_x[k], near);
      for (int part = 0; part < 3; ++part) EXPECT_EQ(back[part], again[part]);
      if (first.empty()) first = again;
      EXPECT_EQ(again, first);
    }
  }
}

TYPED_TEST(DenseKernelsTest, AdamHasTheBitsOfThePlainStep) {
  using Real = TypeParam;
  Rng rng(4);
  const AdamStep<Real> step{Real(0.9), Real(0.999), Real(1e-3), Real(1.25), Real(1e-8)};
  for (const long count : {1, 7, 8, 29}) {
    const std::vector<Real> g = drawn<Real>(rng, count), start = drawn<Real>(rng, count);
    std::vector<Real> mean(count), square(count), weights = start;
    for (long k = 0; k < count; ++k) {
      const Real slope = g[k] * Real(0.5);
      mean[k] += (Real(1) - step.beta1) * (slope - mean[k]);
      square[k] += (Real(1) - step.beta2) * (slope * slope - square[k]);
      weights[k] -= step.rate * mean[k] / (step.root * std::sqrt(square[k]) + step.epsilon);
    }
    for (const auto* kernels : dense_kernel_versions<Real>()) {
      std::vector<Real> m(count), s(count), w = start;
      kernels->adam(g.data(), Real(0.5), count, step, m.data(), s.data(), w.data());
      EXPECT_EQ(m, mean);
      EXPECT_EQ(s, square);
      EXPECT_EQ(w, weights);
    }
  }
}

}  // namespace
}  // namespace agon
