#include "agon/nn/mlp.h"

#include <gtest/gtest.h>

#include <cmath>

#include "agon/base/error.h"

namespace agon {
namespace {

NetMatrix<double> random_matrix(long rows, long cols, Rng& rng) {
  NetMatrix<double> m(rows, cols);
  for (long k = 0; k < m.size(); ++k) m.data()[k] = rng.normal();
  return m;
}

// Sum of weight * sin(output): curved in every output, so that the check covers more than a linear map.
double loss(const NetMatrix<double>& y, const NetMatrix<double>& weight) {
  return (weight.array() * y.array().sin()).sum();
}

const MlpShape kShapes[] = {
    {.inputs = 3, .hidden = {}, .outputs = 2},
    {.inputs = 1, .hidden = {4}, .outputs = 1, .leak = 0},
    {.inputs = 5, .hidden = {7}, .outputs = 3},
    {.inputs = 4, .hidden = {6, 5}, .outputs = 2, .leak = 0.2},
    {.inputs = 24, .hidden = {32, 16, 8}, .outputs = 1, .zero_last = true},
};

TEST(Mlp, GradientsEqualCentralDifferences) {
  for (const MlpShape& shape : kShapes) {
    Rng rng(7);
    BasicMlp<double> net(shape, rng.split("net"));
    for (double& w : net.weights()) w += 0.1 * rng.normal();  // so that biases and a zero last layer are tested too
    const NetMatrix<double> x = random_matrix(shape.inputs, 6, rng), weight = random_matrix(shape.outputs, 6, rng);
    MlpWork<double> work;
    const NetMatrix<double> y = net.forward(x, work);
    NetVector<double> gradient = NetVector<double>::Zero(net.weights().size());
    net.backward(work, (weight.array() * y.array().cos()).matrix(), gradient);
    const double step = 1e-6, size = gradient.lpNorm<Eigen::Infinity>();
    ASSERT_GT(size, 0.01);
    MlpWork<double> other;
    for (long k = 0; k < gradient.size(); ++k) {
      const double kept = net.weights()[k];
      net.weights()[k] = kept + step;
      const double above = loss(net.forward(x, other), weight);
      net.weights()[k] = kept - step;
      const double below = loss(net.forward(x, other), weight);
      net.weights()[k] = kept;
      EXPECT_NEAR(gradient[k], (above - below) / (2 * step), 1e-5 * (std::abs(gradient[k]) + 1e-2 * size)) << k;
    }
  }
}

TEST(Mlp, BackwardAddsToTheGradient) {
  Rng rng(1);
  const BasicMlp<double> net(kShapes[3], rng);
  const NetMatrix<double> x = random_matrix(4, 3, rng), by_output = random_matrix(2, 3, rng);
  MlpWork<double> work;
  net.forward(x, work);
  NetVector<double> once = NetVector<double>::Zero(net.weights().size());
  net.backward(work, by_output, once);
  NetVector<double> twice = once;
  net.forward(x, work);
  net.backward(work, by_output, twice);
  EXPECT_NEAR((twice - 2 * once).norm(), 0, 1e-12);
}

TEST(Mlp, OneInputGivesWhatABatchGives) {
  for (const MlpShape& shape : kShapes) {
    Rng rng(3);
    BasicMlp<double> net(shape, rng.split("net"));
    for (double& w : net.weights()) w += 0.1 * rng.normal();
    const NetMatrix<double> x = random_matrix(shape.inputs, 5, rng);
    MlpWork<double> work, single;
    const NetMatrix<double> y = net.forward(x, work);
    for (int k = 0; k < 5; ++k) EXPECT_NEAR((net.forward_one(x.col(k), single) - y.col(k)).norm(), 0, 1e-12);
  }
}

TEST(Mlp, WorksOutByHand) {
  // 1 -> 2 -> 1, leak 0.1: hidden (2x + 1, -x), output 3 h0 + 4 h1 - 1. At x = 1: hidden (3, -1 -> -0.1), so 7.6.
  BasicMlp<double> net({.inputs = 1, .hidden = {2}, .outputs = 1, .leak = 0.1}, Rng(0));
  net.matrix(0) << 2, -1;
  net.bias(0) << 1, 0;
  net.matrix(1) << 3, 4;
  net.bias(1) << -1;
  MlpWork<double> work;
  EXPECT_DOUBLE_EQ(net.forward(NetMatrix<double>::Constant(1, 1, 1), work)(0, 0), 9 - 0.4 - 1);
  NetVector<double> gradient = NetVector<double>::Zero(7), expected(7);
  net.backward(work, NetMatrix<double>::Constant(1, 1, 1), gradient);
  expected << 3, 0.4, 3, 0.4, 3, -0.1, 1;  // W0 (2), b0 (2), W1 (2), b1
  EXPECT_NEAR((gradient - expected).norm(), 0, 1e-15);
}

TEST(Mlp, SameSeedSameWeightsAndAZeroLastLayerAnswersZero) {
  const MlpShape shape{.inputs = 9, .hidden = {8, 8}, .outputs = 3, .zero_last = true};
  EXPECT_EQ(Mlp(shape, Rng(4)), Mlp(shape, Rng(4)));
  EXPECT_FALSE(Mlp(shape, Rng(4)) == Mlp(shape, Rng(5)));
  MlpWork<float> work;
  EXPECT_EQ(Mlp(shape, Rng(4)).forward_one(NetVector<float>::Ones(9), work), NetVector<float>::Zero(3));
}

TEST(Mlp, TextIsReadBackBitForBit) {
  for (const MlpShape& shape : kShapes) {
    MlpShape read_back = shape;
    read_back.zero_last = false;  // how it was initialised is not part of the text
    Mlp net(read_back, Rng(2));
    EXPECT_EQ(parse_mlp(to_text(net), "test"), net);
  }
  const std::string text = to_text(Mlp({.inputs = 1, .hidden = {}, .outputs = 1}, Rng(2)));
  EXPECT_THROW(parse_mlp("", "test"), InputError);
  EXPECT_THROW(parse_mlp(text + "1\n", "test"), InputError);
  EXPECT_THROW(parse_mlp(text.substr(0, text.find_last_of('\n', text.size() - 2)), "test"), InputError);
  EXPECT_THROW(parse_mlp("mlp 1\ninputs 1 hidden outputs 1 leak 0\nnan\n0\n", "test"), InputError);
  EXPECT_THROW(parse_mlp("mlp 1\ninputs 1 hidden outputs 1 leak inf\n0\n0\n", "test"), InputError);
  // A shape of 10^18 weights is refused before memory is allocated.
  EXPECT_THROW(parse_mlp("mlp 1\ninputs 1000000 hidden 1000000 1000000 outputs 1 leak 0\n1\n", "test"), InputError);
  EXPECT_THROW(parse_mlp("mlp 1\ninputs 0 hidden outputs 1 leak 0\n0\n", "test"), InputError);
}

TEST(Adam, FirstStepsByHand) {
  // Step 1: mean 0.1 g, square 0.001 g^2; both corrections undo the decay, so the step is rate * sign(g) (epsilon
  // aside). Step 2 with gradient 0: mean 0.09 g / 0.19, square 0.000999 g^2 / 0.001999.
  Adam<double> adam({.learning_rate = 0.1, .epsilon = 1e-12}, 2);
  NetVector<double> w(2), g(2);
  w << 1, -1;
  g << 2, -0.5;
  adam.step(w, g);
  EXPECT_NEAR(w[0], 0.9, 1e-9);
  EXPECT_NEAR(w[1], -0.9, 1e-9);
  adam.step(w, NetVector<double>::Zero(2));
  const double second = 0.1 * (0.09 / 0.19) / std::sqrt(0.000999 / 0.001999);
  EXPECT_NEAR(w[0], 0.9 - second, 1e-9);
  EXPECT_NEAR(w[1], -0.9 + second, 1e-9);
}

TEST(Polyak, MovesTheTargetByItsShare) {
  NetVector<double> target(2), online(2);
  target << 1, 4;
  online << 3, 0;
  polyak(target, online, 0.25);
  EXPECT_EQ(target[0], 1.5);
  EXPECT_EQ(target[1], 3);
  polyak(target, online, 1.0);
  EXPECT_EQ(target, online);
}

}  // namespace
}  // namespace agon
