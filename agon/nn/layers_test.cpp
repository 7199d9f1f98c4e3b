#include "agon/nn/layers.h"

#include <gtest/gtest.h>

#include <numeric>

#include "agon/nn/dense_kernels.h"
#include "agon/nn/test_tape.h"

namespace agon {
namespace {

constexpr int kTokens = 3, kEpisodes = 8;
const EncoderShape kShape{.inputs = 5, .width = 6, .heads = 2, .blocks = 2};

NetVector<double> random_vector(Rng rng, long count) {
  return NetVector<double>::NullaryExpr(count, [&] { return rng.normal(); });
}

// A small encoder with weights that are all random, biases and norms included.
struct Problem {
  WeightLayout layout;
  Encoder<double> encoder{kShape, layout};
  NetVector<double> weights = 0.5 * random_vector(Rng(1), layout.size());
  NetVector<double> inputs = random_vector(Rng(2), kShape.inputs* kTokens* kEpisodes);
  NetVector<double> direction = random_vector(Rng(3), kShape.width* kTokens* kEpisodes);  // loss = direction . output

  double loss(EncoderWork<double>& work) const {
    const std::vector<double>& z = encoder.forward(weights.data(), inputs.data(), kTokens, kEpisodes, work);
    return std::inner_product(z.begin(), z.end(), direction.data(), 0.0);
  }
  NetVector<double> gradient() const {
    EncoderWork<double> work;
    loss(work);
    NetVector<double> g = NetVector<double>::Zero(layout.size());
    encoder.backward(weights.data(), work, direction.data(), g.data());
    return g;
  }
};

TEST(Encoder, GradientsAreThoseOfDifferences) {
  Problem problem;
  const NetVector<double> g = problem.gradient();
  EncoderWork<double> work;
  const double step = 1e-6;
  for (long k = 0; k < g.size(); k += 3) {
    const double before = problem.weights[k];
    problem.weights[k] = before + step;
    const double up = problem.loss(work);
    problem.weights[k] = before - step;
    const double down = problem.loss(work);
    problem.weights[k] = before;
    ASSERT_NEAR(g[k], (up - down) / (2 * step), 1e-6 * std::max(1.0, std::abs(g[k]))) << k;
  }
}

// The encoder once more, as its formulas read: a row is token i of episode b, and weights stand on the right.
class TapeEncoder {
 public:
  TapeEncoder(const Problem& problem, Tape& tape) : problem_(problem), tape_(tape) {}

  Var run() {
    Eigen::MatrixXd in(kTokens * kEpisodes, kShape.inputs);
    for (int k = 0; k < kShape.inputs; ++k) fill_column(in, k, problem_.inputs.data());
    const int h = kShape.width;
    const Var e = tape_.product(tape_.leaf(in), matrix(h, kShape.inputs));
    Var x = norm(e);
    for (int l = 0; l < kShape.blocks; ++l) x = block(x);
    Eigen::MatrixXd direction(kTokens * kEpisodes, h);
    for (int k = 0; k < h; ++k) fill_column(direction, k, problem_.direction.data());
    return tape_.sum(tape_.multiply(x, tape_.leaf(direction)));
  }

  // The gradient in the order of the flat vector.
  NetVector<double> gradient() const {
    std::vector<double> flat;
    for (const Var v : leaves_) {
      const Eigen::MatrixXd by = tape_.gradient(v).transpose();  // out x in
      for (long r = 0; r < by.rows(); ++r) {
        for (long c = 0; c < by.cols(); ++c) flat.push_back(by(r, c));
      }
    }
    return Eigen::Map<NetVector<double>>(flat.data(), static_cast<long>(flat.size()));
  }

 private:
  static void fill_column(Eigen::MatrixXd& m, int k, const double* flat) {
    for (int i = 0; i < kTokens; ++i) {
      for (int b = 0; b < kEpisodes; ++b) m(b * kTokens + i, k) = flat[(k * kTokens + i) * kEpisodes + b];
    }
  }
  Var matrix(int out, int in) {
    Eigen::MatrixXd w(in, out);
    for (int r = 0; r < out; ++r) {
      for (int c = 0; c < in; ++c) w(c, r) = problem_.weights[at_++];
    }
    leaves_.push_back(tape_.leaf(w));
    return leaves_.back();
  }
  Var row(int count) {
    Eigen::MatrixXd r(1, count);
    for (int k = 0; k < count; ++k) r(0, k) = problem_.weights[at_++];
    leaves_.push_back(tape_.leaf(r));
    return leaves_.back();
  }
  Var linear(Var x, int out, int in) {
    const Var product = tape_.product(x, matrix(out, in));
    return tape_.add_row(product, row(out));
  }
  Var norm(Var x) {
    const Var gamma = row(kShape.width), beta = row(kShape.width);
    return tape_.column_norm(x, gamma, beta);
  }
  Var block(Var x) {
    const int h = kShape.width, channels = h / kShape.heads;
    const Var q = tape_.relu(linear(x, h, h)), k = tape_.relu(linear(x, h, h)), v = tape_.relu(linear(x, h, h));
    std::vector<Tape::Placed> parts;
    for (int b = 0; b < kEpisodes; ++b) {
      for (int head = 0; head < kShape.heads; ++head) {
        const auto part = [&](Var a) { return tape_.part(a, b * kTokens, kTokens, head * channels, channels); };
        const Var p = tape_.softmax_rows(
            tape_.scale(tape_.product(part(q), tape_.turned(part(k))), 1 / std::sqrt(static_cast<double>(channels))));
        parts.push_back({tape_.product(p, part(v)), b * kTokens, head * channels});
      }
    }
    const Var y = norm(tape_.add(tape_.assembled(kTokens * kEpisodes, h, parts), x));
    const Var f = tape_.relu(linear(y, 4 * h, h));
    const Var out = linear(f, h, 4 * h);
    return norm(tape_.add(out, y));
  }

  const Problem& problem_;
  Tape& tape_;
  long at_ = 0;
  std::vector<Var> leaves_;
};

TEST(Encoder, ValuesAndGradientsAreThoseOfTheTape) {
  const Problem problem;
  Tape tape;
  TapeEncoder twin(problem, tape);
  const Var loss = twin.run();
  EncoderWork<double> work;
  EXPECT_NEAR(tape.value(loss)(0, 0), problem.loss(work), 1e-10);
  tape.backward(loss);
  const NetVector<double> expected = twin.gradient(), found = problem.gradient();
  ASSERT_EQ(expected.size(), found.size());
  for (long k = 0; k < found.size(); ++k) {
    ASSERT_NEAR(found[k], expected[k], 1e-7 * std::max(1.0, std::abs(expected[k]))) << k;
  }
}

TEST(Encoder, CommutesWithPermutationsOfTheTokens) {
  Problem problem;
  EncoderWork<double> work, other;
  problem.loss(work);
  const int order[kTokens] = {2, 0, 1};
  NetVector<double> turned(problem.inputs.size());
  const auto at = [](int channel, int i, int b) { return (channel * kTokens + i) * kEpisodes + b; };
  for (int c = 0; c < kShape.inputs; ++c) {
    for (int i = 0; i < kTokens; ++i) {
      for (int b = 0; b < kEpisodes; ++b) turned[at(c, i, b)] = problem.inputs[at(c, order[i], b)];
    }
  }
  problem.inputs = turned;
  problem.loss(other);
  for (int c = 0; c < kShape.width; ++c) {
    for (int i = 0; i < kTokens; ++i) {
      for (int b = 0; b < kEpisodes; ++b) {
        EXPECT_NEAR(other.blocks.back().out[at(c, i, b)], work.blocks.back().out[at(c, order[i], b)], 1e-12);
      }
    }
  }
}

TEST(WeightLayout, StartsAsTheEncoderOfThePaper) {
  WeightLayout layout;
  const Encoder<float> encoder({}, layout);
  EXPECT_EQ(layout.size(), 279168);  // embedding 4096, norms 1664, six blocks of 45,568
  const NetVector<float> w = layout.draw<float>(Rng(4));
  EXPECT_LE(w.head(4096).cwiseAbs().maxCoeff(), std::sqrt(6.0f / 128));
  EXPECT_GT(w.head(4096).cwiseAbs().maxCoeff(), 0.9f * std::sqrt(6.0f / 128));
  EXPECT_TRUE((w.segment(4096, 64).array() == 1).all());       // gamma
  EXPECT_TRUE((w.segment(4096 + 64, 64).array() == 0).all());  // beta
}

TEST(MeanOfTokens, AndItsBackwardPass) {
  const std::vector<double> x = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};  // two channels, three tokens, two lanes
  std::vector<double> mean(4), by(12, 1);
  mean_of_tokens(x.data(), 2, 3, 2, mean.data());
  EXPECT_EQ(mean, (std::vector<double>{3, 4, 9, 10}));
  add_mean_of_tokens_back(mean.data(), 2, 3, 2, by.data());
  EXPECT_DOUBLE_EQ(by[0], 2);
  EXPECT_DOUBLE_EQ(by[11], 1 + 10.0 / 3);
}

TEST(Adam, StepsWithTensorsAreTheOrdinaryOnes) {
  Rng rng(5);
  const NetVector<double> start = random_vector(Rng(6), 11);
  for (const bool early : {false, true}) {
    const AdamOptions options{.learning_rate = 0.01, .beta2 = 0.99, .epsilon = 1e-7, .epsilon_first = early};
    Adam<double> adam(options, 11);
    NetVector<double> w = start, mean = NetVector<double>::Zero(11), square = mean, expected = start;
    for (int t = 1; t <= 5; ++t) {
      NetVector<double> g = random_vector(Rng(10 + t), 11);
      adam.step(w, g, std::vector<long>{0, 4, 11}, 1);
      for (const auto& [from, count] : {std::pair(0, 4), std::pair(4, 7)}) {
        const double norm = g.segment(from, count).norm();
        if (norm > 1) g.segment(from, count) /= norm;
      }
      mean = 0.9 * mean + 0.1 * g;
      square = (0.99 * square.array() + 0.01 * g.array().square()).matrix();
      const double first = 1 - std::pow(0.9, t), second = std::sqrt(1 - std::pow(0.99, t));
      for (int k = 0; k < 11; ++k) {
        expected[k] -= early ? 0.01 * second / first * mean[k] / (std::sqrt(square[k]) + 1e-7)
                             : 0.01 / first * mean[k] / (std::sqrt(square[k]) / second + 1e-7);
      }
      EXPECT_LT((w - expected).cwiseAbs().maxCoeff(), 1e-14);
    }
  }
}

}  // namespace
}  // namespace agon
