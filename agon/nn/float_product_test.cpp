#include "agon/nn/float_product.h"

#include <gtest/gtest.h>

#include <Eigen/Core>

#include "agon/base/rng.h"

namespace agon {
namespace {

TEST(FloatProduct, IsTheProductOfAnyShapes) {
  Rng rng(5);
  FloatProduct product;
  for (int round = 0; round < 60; ++round) {
    const int m = 1 + rng.below(80), k = 1 + rng.below(round % 10 == 0 ? 1200 : 60), n = 1 + rng.below(40);
    const bool turn_a = rng.below(2) == 0, turn_b = rng.below(2) == 0;
    Eigen::MatrixXf a(turn_a ? k : m, turn_a ? m : k), b(turn_b ? n : k, turn_b ? k : n);
    for (float& x : a.reshaped()) x = static_cast<float>(rng.normal());
    for (float& x : b.reshaped()) x = static_cast<float>(rng.normal());
    Eigen::MatrixXf c = Eigen::MatrixXf::Constant(m + 3, n, 7);
    product({a.data(), turn_a ? k : 1, turn_a ? 1 : m}, {b.data(), turn_b ? n : 1, turn_b ? 1 : k}, m, k, n, c.data(),
            m + 3);
    const Eigen::MatrixXd x = (turn_a ? Eigen::MatrixXf(a.transpose()) : a).cast<double>();
    const Eigen::MatrixXd y = (turn_b ? Eigen::MatrixXf(b.transpose()) : b).cast<double>();
    EXPECT_LT((c.topRows(m).cast<double>() - x * y).cwiseAbs().maxCoeff(), 1e-5 * k) << m << ' ' << k << ' ' << n;
    EXPECT_TRUE((c.bottomRows(3).array() == 7).all());  // nothing beside the result is touched
  }
}

}  // namespace
}  // namespace agon
