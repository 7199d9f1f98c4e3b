// agon/nn/mlp.h
//
// A small fully connected network, written directly on Eigen: at a few thousand weights the overhead of a framework
// would cost more than the arithmetic.
//
//   Mlp net({.inputs = 24, .hidden = {32}, .outputs = 1, .zero_last = true}, rng);
//   MlpWork<float> work;
//   const auto& y = net.forward(x, work);            // x: inputs x batch, y: outputs x batch
//   net.backward(work, dloss_dy, gradient);          // adds d loss / d weights to a flat vector
//   Adam<float> adam({.learning_rate = 1e-3}, net.weights().size());
//   adam.step(net.weights(), gradient);
//   polyak(target.weights(), net.weights(), 0.005f); // target = (1 - tau) target + tau online
//
// Layer l maps h to W_l h + b_l. Every layer but the last is followed by the leaky ReLU max(z, leak z). All weights are
// in one flat vector, layer by layer, W_l column by column and then b_l, so that an optimiser need not know about
// layers. A network is a value: copy it, compare it, write it out. The weights drawn from an Rng are the same on every
// machine; `Real` is float in play and double where gradients are checked.
#pragma once

#include <Eigen/Core>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agon/base/archive.h"
#include "agon/base/rng.h"
#include "agon/nn/adam.h"
#include "agon/nn/mlp_fwd.h"

namespace agon {

template <class Real>
using NetVector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
template <class Real>
using NetMatrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;

// Writes or reads a vector or a matrix: its size, then its values.
template <class Real, int Columns>
void exchange(Archive& archive, Eigen::Matrix<Real, Eigen::Dynamic, Columns>& matrix) {
  int64_t rows = matrix.rows(), columns = matrix.cols();
  archive(rows);
  archive(columns);
  if (archive.reads()) {
    archive.demand_room(rows, columns, sizeof(Real));
    matrix.resize(rows, columns);
  }
  archive.raw(matrix.data(), static_cast<size_t>(matrix.size()) * sizeof(Real));
}

struct MlpShape {
  int inputs = 1;           // >= 1
  std::vector<int> hidden;  // widths, first hidden layer first; empty: a linear network
  int outputs = 1;          // >= 1
  double leak = 0.01;       // slope of the hidden units below zero, [0, 1); 0 is the plain ReLU
  bool zero_last = false;   // start with the last layer at zero, so that the untrained network answers 0
  bool operator==(const MlpShape&) const = default;
};

// Where a forward pass leaves what the backward pass needs. Use one per thread, and keep it: later calls then allocate
// nothing.
template <class Real>
struct MlpWork {
  std::vector<NetMatrix<Real>> activation;  // [0] is the input, [l] the output of layer l - 1
  NetMatrix<Real> back, back_next;
  std::vector<NetVector<Real>> single;  // the same for forward_one()
};

template <class Real>
class BasicMlp {
 public:
  BasicMlp() = default;
  // Weights N(0, 2 / fan-in) (He et al. 2015, eq. 10), biases zero. The last layer: N(0, 1 / fan-in), or zero.
  BasicMlp(const MlpShape& shape, Rng rng);

  const MlpShape& shape() const { return shape_; }
  int layers() const { return static_cast<int>(widths_.size()) - 1; }
  NetVector<Real>& weights() { return weights_; }
  const NetVector<Real>& weights() const { return weights_; }
  // Views of one layer; 0 is the first.
  Eigen::Map<const NetMatrix<Real>> matrix(int layer) const;
  Eigen::Map<const NetVector<Real>> bias(int layer) const;
  Eigen::Map<NetMatrix<Real>> matrix(int layer);
  Eigen::Map<NetVector<Real>> bias(int layer);

  // One column per example. The answer lives in `work` until its next use.
  const NetMatrix<Real>& forward(const Eigen::Ref<const NetMatrix<Real>>& inputs, MlpWork<Real>& work) const;
  // One example; the same values up to rounding.
  const NetVector<Real>& forward_one(const Eigen::Ref<const NetVector<Real>>& input, MlpWork<Real>& work) const;
  // Adds to `gradient` (laid out as the weights) the derivative of a loss whose derivative by the outputs of the last
  // forward() in `work` is `by_output`.
  void backward(MlpWork<Real>& work, const NetMatrix<Real>& by_output, NetVector<Real>& gradient) const;

  bool operator==(const BasicMlp& other) const {
    return shape_ == other.shape_ && weights_.size() == other.weights_.size() && weights_ == other.weights_;
  }

 private:
  void lay_out();

  MlpShape shape_;
  std::vector<int> widths_;   // inputs, hidden ..., outputs
  std::vector<long> offset_;  // where layer l begins in weights_
  NetVector<Real> weights_;
};

// As text: a line "mlp 1", a line with the shape, then one weight per line, with enough digits to read the same bits.
std::string to_text(const Mlp& net);
// Throws InputError naming `place` for text that is not a network, or has too few or too many weights.
Mlp parse_mlp(std::string_view text, const std::string& place);

// Adam (adam.h) on the weights of a network.
template <class Real>
class Adam {
 public:
  Adam(const AdamOptions& options, long weights)
      : options_(options), mean_(NetVector<Real>::Zero(weights)), square_(NetVector<Real>::Zero(weights)) {}
  void step(NetVector<Real>& weights, const NetVector<Real>& gradient);
  // The same, except that the gradient of each tensor is first cut to an L2 norm of `most`; 0: not cut. `tensors` says
  // where each begins, and where the last ends.
  void step(NetVector<Real>& weights, const NetVector<Real>& gradient, std::span<const long> tensors, double most);
  void set_learning_rate(double rate) { options_.learning_rate = rate; }
  long steps() const { return steps_; }
  void exchange_state(Archive& archive) {
    archive(mean_);
    archive(square_);
    archive(steps_);
  }

 private:
  AdamOptions options_;
  NetVector<Real> mean_, square_;
  long steps_ = 0;
};

// target = (1 - tau) target + tau online.
template <class Real>
void polyak(NetVector<Real>& target, const NetVector<Real>& online, Real tau) {
  target += tau * (online - target);
}

extern template class BasicMlp<float>;
extern template class BasicMlp<double>;
extern template class Adam<float>;
extern template class Adam<double>;

}  // namespace agon
