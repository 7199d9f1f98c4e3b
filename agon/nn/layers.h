// agon/nn/layers.h
//
// Layers with backward passes written by hand, and the encoder of Zhu, Ng & Chen (2020, ICLR) made of them: attention
// and feed-forward blocks with batch norms, which has no notion of the order of its tokens.
//
//   WeightLayout layout;
//   const Encoder<float> encoder({.inputs = 64, .width = 64, .heads = 16, .blocks = 6}, layout);
//   NetVector<float> weights = layout.draw<float>(Rng(0)), gradient = NetVector<float>::Zero(layout.size());
//   EncoderWork<float> work;
//   const std::vector<float>& z = encoder.forward(weights.data(), x.data(), tokens, lanes, work);
//   encoder.backward(weights.data(), work, by_z.data(), gradient.data());      // adds d loss / d weights
//
// A batch is a matrix with one row per channel and tokens x lanes columns: the value of token i in lane b stands at
// i * lanes + b. A lane is an episode of the batch, and lanes see each other only in the batch norms. All weights are
// in one flat vector, tensor after tensor; a layer knows where its own begin.
//
// What may be relied on: the same bits on every machine (dense_kernels.h), and one thread. `Real` is float in training
// and double where gradients are checked.
#pragma once

#include <vector>

#include "agon/base/rng.h"
#include "agon/nn/mlp.h"

namespace agon {

// Where the tensors of a network begin in its flat vector, and how each starts.
class WeightLayout {
 public:
  // Uniform on +-sqrt(6 / (in + out)) (Glorot & Bengio 2010); returns where the tensor begins.
  long add_uniform(int out, int in);
  long add_vector(int count);  // uniform on +-sqrt(6 / (2 count))
  long add_constant(int count, double value);
  long size() const { return begin_.back(); }
  const std::vector<long>& tensors() const { return begin_; }  // where each begins, and where the last ends
  template <class Real>
  NetVector<Real> draw(Rng rng) const;

 private:
  struct Start {
    double bound, value;  // uniform on +-bound around the value
  };
  std::vector<long> begin_ = {0};
  std::vector<Start> start_;
};

// y = W x + b, then max(., 0) if `relu`. W is out x in, row by row.
template <class Real>
struct Linear {
  int in = 0, out = 0;
  bool relu = false;
  long matrix = -1, bias = -1;  // bias -1: none

  Linear() = default;
  Linear(int inputs, int outputs, bool with_bias, bool with_relu, WeightLayout& layout);
  void forward(const Real* weights, const Real* x, long columns, Real* y, std::vector<Real>& scratch) const;
  // `by_y` is overwritten if `relu` (it becomes the derivative by W x + b). by_x: nullptr if nobody asks for it; the
  // derivative is added to what is there if `add`.
  void backward(const Real* weights, const Real* x, const Real* y, Real* by_y, long columns, Real* gradient, Real* by_x,
                bool add, std::vector<Real>& scratch) const;
};

// Per channel over all columns: (x - mean) / sqrt(variance + 1e-3) * gamma + beta. Always with the statistics of the
// batch.
template <class Real>
struct BatchNorm {
  int channels = 0;
  long gamma = -1, beta = -1;
  struct Saved {
    std::vector<Real> scaled, inverse_root;
  };

  BatchNorm() = default;
  BatchNorm(int count, WeightLayout& layout);
  void forward(const Real* weights, const Real* x, long columns, Saved& saved, Real* y) const;
  void backward(const Real* weights, const Saved& saved, const Real* by_y, long columns, Real* gradient,
                Real* by_x) const;
};

struct EncoderShape {
  int inputs = 64;  // values of a token
  int width = 64;   // channels; a multiple of heads
  int heads = 16;
  int blocks = 6;
  bool embeds = true;  // false: the inputs are channels already, as many as the width, and go to the first block
};

template <class Real>
struct EncoderBlockWork {
  std::vector<Real> queries, keys, values, attention, sum, middle, wide, out;
  typename BatchNorm<Real>::Saved first, second;
};

template <class Real>
struct EncoderWork {
  int tokens = 0, lanes = 0;
  const Real* inputs = nullptr;  // of the last forward(); they must outlive backward()
  std::vector<Real> embedded, start;
  typename BatchNorm<Real>::Saved start_norm;
  std::vector<EncoderBlockWork<Real>> blocks;
  std::vector<Real> by_out, by_sum, by_wide, by_queries, by_keys, by_values, scratch;
};

template <class Real>
class Encoder {
 public:
  Encoder() = default;
  Encoder(const EncoderShape& shape, WeightLayout& layout);
  const EncoderShape& shape() const { return shape_; }
  // x: shape.inputs rows. The answer, shape.width rows, lives in `work` until its next use. lanes: a multiple of
  // kLaneStep.
  const std::vector<Real>& forward(const Real* weights, const Real* x, int tokens, int lanes,
                                   EncoderWork<Real>& work) const;
  // Without embedding, work.by_out holds the derivative by the inputs afterwards.
  void backward(const Real* weights, EncoderWork<Real>& work, const Real* by_out, Real* gradient) const;

 private:
  struct Block {
    Linear<Real> queries, keys, values, widen, narrow;
    BatchNorm<Real> first, second;
  };
  void forward(const Block& block, const Real* weights, const Real* x, EncoderBlockWork<Real>& saved,
               EncoderWork<Real>& work) const;
  void backward(const Block& block, const Real* weights, const Real* x, EncoderBlockWork<Real>& saved,
                EncoderWork<Real>& work, Real* gradient) const;  // work.by_out: by the output, then by x

  EncoderShape shape_;
  Linear<Real> embed_;
  BatchNorm<Real> start_;
  std::vector<Block> blocks_;
};

// The mean over the tokens of each lane: `channels` rows of `lanes` columns. And its backward pass, added to by_x.
template <class Real>
void mean_of_tokens(const Real* x, int channels, int tokens, int lanes, Real* mean);
template <class Real>
void add_mean_of_tokens_back(const Real* by_mean, int channels, int tokens, int lanes, Real* by_x);

extern template NetVector<float> WeightLayout::draw<float>(Rng) const;
extern template NetVector<double> WeightLayout::draw<double>(Rng) const;
extern template struct Linear<float>;
extern template struct Linear<double>;
extern template struct BatchNorm<float>;
extern template struct BatchNorm<double>;
extern template class Encoder<float>;
extern template class Encoder<double>;
extern template void mean_of_tokens(const float*, int, int, int, float*);
extern template void mean_of_tokens(const double*, int, int, int, double*);
extern template void add_mean_of_tokens_back(const float*, int, int, int, float*);
extern template void add_mean_of_tokens_back(const double*, int, int, int, double*);

}  // namespace agon
