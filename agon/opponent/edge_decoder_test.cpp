#include "agon/opponent/edge_decoder.h"

#include <gtest/gtest.h>

#include <numeric>

#include "agon/nn/test_tape.h"

namespace agon {
namespace {

constexpr int kNodes = 3, kLanes = 8, kDecoderWidth = 6;
constexpr EdgeDecoderShape kDecoderShape{.width = kDecoderWidth, .heads = 2, .units = 5};

std::vector<double> normals(Rng rng, long count) {
  std::vector<double> out(count);
  for (double& v : out) v = rng.normal();
  return out;
}

// A decoder with random weights, biases included; loss = direction . logits.
struct RandomDecoder {
  WeightLayout layout;
  std::unique_ptr<EdgeDecoder<double>> decoder;
  std::vector<double> weights, z = normals(Rng(2), kDecoderWidth*kNodes*kLanes),
                               direction = normals(Rng(3), kNodes*kNodes*kLanes);

  explicit RandomDecoder(EdgeDecoderKind kind)
      : decoder(make_edge_decoder<double>(kind, kDecoderShape, kNodes, kLanes, layout)),
        weights(normals(Rng(1), layout.size())) {}

  double loss() {
    std::vector<double> logits(direction.size(), 0.0);
    decoder->forward(weights.data(), z.data(), logits);
    return std::inner_product(logits.begin(), logits.end(), direction.begin(), 0.0);
  }
  void gradient(std::vector<double>& by_weights, std::vector<double>& by_z) {
    loss();
    by_weights.assign(weights.size(), 0.0);
    by_z.resize(z.size());
    decoder->backward(weights.data(), z.data(), direction, by_weights.data(), by_z.data());
  }
};

class EdgeDecoders : public ::testing::TestWithParam<EdgeDecoderKind> {};
INSTANTIATE_TEST_SUITE_P(All, EdgeDecoders,
                         ::testing::Values(EdgeDecoderKind::kPair, EdgeDecoderKind::kBilinear, EdgeDecoderKind::kTensor,
                                           EdgeDecoderKind::kTransformer));

TEST_P(EdgeDecoders, GradientsAreThoseOfDifferences) {
  RandomDecoder d(GetParam());
  std::vector<double> by_weights, by_z;
  d.gradient(by_weights, by_z);
  const auto check = [&](std::vector<double>& values, const std::vector<double>& found) {
    for (size_t k = 0; k < values.size(); ++k) {
      const double before = values[k], step = 1e-6;
      values[k] = before + step;
      const double up = d.loss();
      values[k] = before - step;
      const double down = d.loss();
      values[k] = before;
      ASSERT_NEAR(found[k], (up - down) / (2 * step), 1e-6 * std::max(1.0, std::abs(found[k]))) << k;
    }
  };
  check(d.weights, by_weights);
  check(d.z, by_z);
}

// The decoders once more, as their formulas read: a row is a variable of an episode, weights stand on the right. The
// block of the transformer is the encoder's, which has a twin of its own (nn/layers_test.cpp).
class TapeDecoder {
 public:
  TapeDecoder(const RandomDecoder& model, Tape& tape) : model_(model), tape_(tape) {
    Eigen::MatrixXd z(kNodes * kLanes, kDecoderWidth);
    for (int c = 0; c < kDecoderWidth; ++c) {
      for (int i = 0; i < kNodes; ++i) {
        for (int b = 0; b < kLanes; ++b) z(b * kNodes + i, c) = model.z[(c * kNodes + i) * kLanes + b];
      }
    }
    z_ = tape.leaf(z);
  }

  Var loss(EdgeDecoderKind kind) {
    std::vector<Var> left, right, forms, u;
    const int units = kind == EdgeDecoderKind::kPair ? kDecoderShape.units : 2;
    if (kind == EdgeDecoderKind::kBilinear) {
      forms.push_back(tape_.product(z_, weight(kDecoderWidth, kDecoderWidth)));
    } else {
      Var l = tape_.product(z_, weight(units, kDecoderWidth));
      if (kind == EdgeDecoderKind::kTensor) l = tape_.add_row(l, weight(units, 1, true));
      const Var r = tape_.product(z_, weight(units, kDecoderWidth));
      const Var all_u = weight(units, 1, true);
      for (int h = 0; h < units; ++h) {
        left.push_back(tape_.part(l, 0, kNodes * kLanes, h, 1));
        right.push_back(tape_.part(r, 0, kNodes * kLanes, h, 1));
        u.push_back(tape_.part(all_u, 0, 1, h, 1));
        if (kind == EdgeDecoderKind::kTensor) forms.push_back(tape_.product(z_, weight(kDecoderWidth, kDecoderWidth)));
      }
    }
    Var sum = tape_.leaf(Eigen::MatrixXd::Zero(1, 1));
    for (int b = 0; b < kLanes; ++b) {
      if (kind == EdgeDecoderKind::kBilinear) sum = tape_.add(sum, weighed(form(forms[0], b), b));
      for (size_t h = 0; h < u.size(); ++h) {
        Var pair = tape_.add(tape_.product(part(left[h], b, 1), ones(1, kNodes)),
                             tape_.product(ones(kNodes, 1), tape_.turned(part(right[h], b, 1))));
        if (!forms.empty()) pair = tape_.add(pair, form(forms[h], b));
        sum = tape_.add(sum, tape_.product(weighed(tape_.tanh(pair), b), u[h]));
      }
    }
    return sum;
  }

  std::vector<double> by_weights() const {
    std::vector<double> flat;
    for (const Var v : leaves_) {
      const Eigen::MatrixXd by = tape_.gradient(v).transpose();  // out x in
      for (long r = 0; r < by.rows(); ++r) {
        for (long c = 0; c < by.cols(); ++c) flat.push_back(by(r, c));
      }
    }
    return flat;
  }
  double by_z(int channel, int node, int lane) const { return tape_.gradient(z_)(lane * kNodes + node, channel); }

 private:
  Var weight(int out, int in, bool row = false) {
    Eigen::MatrixXd w(row ? 1 : in, out);
    for (int r = 0; r < out; ++r) {
      for (int c = 0; c < in; ++c) w(c, r) = model_.weights[at_++];
    }
    leaves_.push_back(tape_.leaf(w));
    return leaves_.back();
  }
  Var ones(long rows, long columns) { return tape_.leaf(Eigen::MatrixXd::Ones(rows, columns)); }
  Var part(Var v, int lane, int width) { return tape_.part(v, lane * kNodes, kNodes, 0, width); }
  Var form(Var right, int lane) {  // z_i . W z_j
    return tape_.product(part(z_, lane, kDecoderWidth), tape_.turned(part(right, lane, kDecoderWidth)));
  }
  Var weighed(Var logits, int lane) {
    Eigen::MatrixXd direction(kNodes, kNodes);
    for (int k = 0; k < kNodes * kNodes; ++k) direction(k / kNodes, k % kNodes) = model_.direction[k * kLanes + lane];
    return tape_.sum(tape_.multiply(logits, tape_.leaf(direction)));
  }

  const RandomDecoder& model_;
  Tape& tape_;
  Var z_ = 0;
  long at_ = 0;
  std::vector<Var> leaves_;
};

TEST(EdgeDecoder, ValuesAndGradientsAreThoseOfTheTape) {
  for (const EdgeDecoderKind kind : {EdgeDecoderKind::kPair, EdgeDecoderKind::kBilinear, EdgeDecoderKind::kTensor}) {
    RandomDecoder model(kind);
    Tape tape;
    TapeDecoder twin(model, tape);
    const Var loss = twin.loss(kind);
    EXPECT_NEAR(tape.value(loss)(0, 0), model.loss(), 1e-10);
    tape.backward(loss);
    std::vector<double> by_weights, by_z;
    model.gradient(by_weights, by_z);
    const std::vector<double> expected = twin.by_weights();
    ASSERT_EQ(expected.size(), by_weights.size());
    for (size_t k = 0; k < expected.size(); ++k) {
      ASSERT_NEAR(by_weights[k], expected[k], 1e-7 * std::max(1.0, std::abs(expected[k]))) << k;
    }
    for (int c = 0; c < kDecoderWidth; ++c) {
      for (int i = 0; i < kNodes; ++i) {
        for (int b = 0; b < kLanes; ++b) {
          ASSERT_NEAR(by_z[(c * kNodes + i) * kLanes + b], twin.by_z(c, i, b), 1e-7);
        }
      }
    }
  }
}

}  // namespace
}  // namespace agon
