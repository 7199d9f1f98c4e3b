// agon/opponent/gran_dag_net.h
//
// The networks of GraN-DAG: each predicts one variable from all others. The derivatives are written out by hand
// (Lachapelle, Brouillard, Deleu & Lacoste-Julien 2020, ICLR, section 3).
//
//   GranDagNet<float> net({.layers = 2, .units = 10}, inputs, rng);    // inputs[i]: which variables network i may see
//   net.learn(i, rows, scale, work);              // -ln p of variable i over these rows, and its gradient
//   net.connect(i);                               // connectivity()[i][k]: weight of the edge inputs()[i][k] -> i
//   net.add_penalty(i, dh_dc, factor);            // adds factor * dh/dw to the gradient
//   net.rms_step(i, 1e-3f);
//   net.clamp(i, 1e-4f, keep);                    // forgets the inputs whose edge has become too weak
//
// Network i:  z_1 = x W_1 + b_1,  a_l = leaky(z_l),  z_{l+1} = a_l W_{l+1} + b_{l+1},  mean = a_L v + c;
// then x_i ~ N(mean, e^{2 s_i}) with s_i learned. The edge j -> i weighs
//   C[j][i] = (|W_1| |W_2| ... |W_L| |v|)[j] / (number of paths from j to the output),
// which is 0 only if the output does not depend on x_j (section 3.1; the division is that of the authors' code).
//
// The data of one variable are stored together, and its functions touch nothing of another's. So threads may divide the
// variables among them, and no result depends on how. An input that was clamped is gone, with its weights, so the work
// shrinks with the graph. `Real` is float in training and double where gradients are checked.
#pragma once

#include <vector>

#include "agon/base/rng.h"

namespace agon {

struct GranDagShape {
  int layers = 2;      // hidden layers, >= 1
  int units = 10;      // of each, >= 1
  double leak = 0.01;  // slope of the units below zero
};

// Some rows of a table: value of variable j in row r is data[r * variables + j].
template <class Real>
struct TableRows {
  const Real* data;
  int count;
  int variables;
};

// Scratch memory of one thread.
template <class Real>
struct GranDagWork {
  std::vector<std::vector<Real>> active;  // by layer: rows x padded units, row by row
  std::vector<Real> back, back_next, residual, turned;
  std::vector<int> table_row, unit_row, unit;  // offsets for the kernels
};

template <class Real>
class GranDagNet {
 public:
  using Rows = TableRows<Real>;
  using Work = GranDagWork<Real>;

  // Weights uniform on +-g sqrt(6 / (in + out)) (Glorot & Bengio 2010) with g^2 = 2 / (1 + leak^2), biases and s zero.
  // Network i draws from rng.split("network", i): W_1 row by row (an input each), W_2, .., v.
  GranDagNet(const GranDagShape& shape, std::vector<std::vector<int>> inputs, Rng rng);

  int size() const { return static_cast<int>(inputs_.size()); }
  const std::vector<std::vector<int>>& inputs() const { return inputs_; }
  const std::vector<std::vector<Real>>& connectivity() const { return connectivity_; }  // as of the last connect()

  // The sum of -ln p(x_i | inputs) over the rows.
  double loss(int i, const Rows& x, Work& work) const;
  // The same, and the gradient of `scale` times it.
  double learn(int i, const Rows& x, double scale, Work& work);
  void connect(int i);
  void add_penalty(int i, const std::vector<Real>& by_connectivity, Real factor);
  // RMSprop (Tieleman & Hinton 2012): m = 0.99 m + 0.01 g^2, w = w - rate g / (sqrt(m) + 1e-8).
  void rms_step(int i, Real rate);
  void forget_steps(int i) { square_[i].assign(square_[i].size(), Real(0)); }  // m = 0
  // Removes the inputs whose connectivity is at most `limit` and for which keep(i, input) is false; returns how many.
  template <class Keep>
  int clamp(int i, Real limit, Keep keep);

  // sums[k] += sum over the rows of |d ln p(x_i | inputs) / d input k|.
  void add_influence(int i, const Rows& x, Work& work, std::vector<double>& sums) const;

  // The flat parameters of network i: s, c, padding, v, b_L, W_L, .., b_1, W_1, each matrix row by row and each row
  // padded with zeros that stay zeros. For tests.
  std::vector<Real>& weights(int i) { return weights_[i]; }
  const std::vector<Real>& gradient(int i) const { return gradient_[i]; }

 private:
  // Where the parts begin. Layer 0 is last, so that clamping only shortens the vector.
  int output() const { return width_; }
  int bias(int layer) const { return 2 * width_ + (shape_.layers - 1 - layer) * (width_ + width_ * width_); }
  int matrix(int layer) const { return bias(layer) + width_; }
  int fan_in(int i, int layer) const { return layer == 0 ? static_cast<int>(inputs_[i].size()) : width_; }

  void forward(int i, const Rows& x, Work& work) const;  // work.active and work.residual = x_i - mean
  // Backpropagates through the slopes and the matrix of a layer: work.back, the derivative by its output, becomes that
  // by its input.
  void back_through(int i, int layer, int rows, Work& work) const;
  std::vector<Real> path_from(int i, int layer) const;  // |W_{layer+1}| ... |v| / paths, by unit of the layer's output
  void remove_input(int i, size_t k);

  GranDagShape shape_;
  int width_;     // units of a layer, padded
  double paths_;  // from one input to the output
  std::vector<std::vector<int>> inputs_;
  std::vector<std::vector<Real>> connectivity_;
  std::vector<std::vector<Real>> weights_, gradient_, square_;
};

template <class Real>
template <class Keep>
int GranDagNet<Real>::clamp(int i, Real limit, Keep keep) {
  int removed = 0;
  for (size_t k = inputs_[i].size(); k-- > 0;) {
    if (connectivity_[i][k] > limit || keep(i, inputs_[i][k])) continue;
    remove_input(i, k);
    ++removed;
  }
  return removed;
}

extern template class GranDagNet<float>;
extern template class GranDagNet<double>;

}  // namespace agon
