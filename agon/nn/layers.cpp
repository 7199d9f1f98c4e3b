#include "agon/nn/layers.h"

#include <algorithm>
#include <cmath>

#include "agon/nn/dense_kernels.h"

namespace agon {

long WeightLayout::add_uniform(int out, int in) {
  const long at = size();
  begin_.push_back(at + static_cast<long>(out) * in);
  start_.push_back({std::sqrt(6.0 / (in + out)), 0});
  return at;
}

long WeightLayout::add_vector(int count) {
  const long at = size();
  begin_.push_back(at + count);
  start_.push_back({std::sqrt(3.0 / count), 0});
  return at;
}

long WeightLayout::add_constant(int count, double value) {
  const long at = size();
  begin_.push_back(at + count);
  start_.push_back({0, value});
  return at;
}

template <class Real>
NetVector<Real> WeightLayout::draw(Rng rng) const {
  NetVector<Real> weights(size());
  for (size_t t = 0; t < start_.size(); ++t) {
    Rng own = rng.split("tensor", t);
    for (long k = begin_[t]; k < begin_[t + 1]; ++k) {
      const double drawn = start_[t].bound > 0 ? own.uniform(-start_[t].bound, start_[t].bound) : 0;
      weights[k] = static_cast<Real>(start_[t].value + drawn);
    }
  }
  return weights;
}

template NetVector<float> WeightLayout::draw<float>(Rng) const;
template NetVector<double> WeightLayout::draw<double>(Rng) const;

// ---- linear ----

template <class Real>
Linear<Real>::Linear(int inputs, int outputs, bool with_bias, bool with_relu, WeightLayout& layout)
    : in(inputs), out(outputs), relu(with_relu) {
  matrix = layout.add_uniform(out, in);
  if (with_bias) bias = layout.add_constant(out, 0);
}

template <class Real>
void Linear<Real>::forward(const Real* weights, const Real* x, long columns, Real* y,
                           std::vector<Real>& scratch) const {
  if (bias >= 0) {
    for (int o = 0; o < out; ++o) std::fill_n(y + o * columns, columns, weights[bias + o]);
  }
  dense_kernels<Real>().product({weights + matrix, in, 1}, {x, columns, 1}, out, in, static_cast<int>(columns),
                                bias >= 0, y, columns, scratch);
  if (!relu) return;
  for (long k = 0; k < out * columns; ++k) y[k] = y[k] > 0 ? y[k] : Real(0);
}

template <class Real>
void Linear<Real>::backward(const Real* weights, const Real* x, const Real* y, Real* by_y, long columns, Real* gradient,
                            Real* by_x, bool add, std::vector<Real>& scratch) const {
  const DenseKernels<Real>& kernels = dense_kernels<Real>();
  if (relu) {
    for (long k = 0; k < out * columns; ++k) by_y[k] = y[k] > 0 ? by_y[k] : Real(0);
  }
  const int across = static_cast<int>(columns);
  kernels.product({by_y, columns, 1}, {x, 1, columns}, out, across, in, true, gradient + matrix, in, scratch);
  if (bias >= 0) {
    for (int o = 0; o < out; ++o) gradient[bias + o] += kernels.sum(by_y + o * columns, columns);
  }
  if (by_x == nullptr) return;
  kernels.product({weights + matrix, 1, in}, {by_y, columns, 1}, in, out, across, add, by_x, columns, scratch);
}

// ---- batch norm ----

template <class Real>
BatchNorm<Real>::BatchNorm(int count, WeightLayout& layout) : channels(count) {
  gamma = layout.add_constant(count, 1);
  beta = layout.add_constant(count, 0);
}

template <class Real>
void BatchNorm<Real>::forward(const Real* weights, const Real* x, long columns, Saved& saved, Real* y) const {
  const DenseKernels<Real>& kernels = dense_kernels<Real>();
  saved.scaled.resize(channels * columns);
  saved.inverse_root.resize(channels);
  for (int c = 0; c < channels; ++c, x += columns, y += columns) {
    Real* scaled = saved.scaled.data() + c * columns;
    const Real mean = kernels.sum(x, columns) / static_cast<Real>(columns);
    for (long k = 0; k < columns; ++k) scaled[k] = x[k] - mean;
    const Real variance = kernels.dot(scaled, scaled, columns) / static_cast<Real>(columns);
    const Real inverse = Real(1) / std::sqrt(variance + Real(1e-3));
    saved.inverse_root[c] = inverse;
    const Real g = weights[gamma + c], b = weights[beta + c];
    for (long k = 0; k < columns; ++k) {
      scaled[k] *= inverse;
      y[k] = g * scaled[k] + b;
    }
  }
}

template <class Real>
void BatchNorm<Real>::backward(const Real* weights, const Saved& saved, const Real* by_y, long columns, Real* gradient,
                               Real* by_x) const {
  const DenseKernels<Real>& kernels = dense_kernels<Real>();
  for (int c = 0; c < channels; ++c, by_y += columns, by_x += columns) {
    const Real* scaled = saved.scaled.data() + c * columns;
    const Real by_beta = kernels.sum(by_y, columns), by_gamma = kernels.dot(by_y, scaled, columns);
    gradient[beta + c] += by_beta;
    gradient[gamma + c] += by_gamma;
    const Real factor = weights[gamma + c] * saved.inverse_root[c];
    const Real shift = by_beta / static_cast<Real>(columns), slope = by_gamma / static_cast<Real>(columns);
    for (long k = 0; k < columns; ++k) by_x[k] = factor * (by_y[k] - shift - scaled[k] * slope);
  }
}

// ---- encoder ----

template <class Real>
Encoder<Real>::Encoder(const EncoderShape& shape, WeightLayout& layout) : shape_(shape) {
  const int h = shape.width;
  embed_ = {shape.inputs, h, false, false, layout};
  start_ = {h, layout};
  for (int l = 0; l < shape.blocks; ++l) {
    Block block;
    block.queries = {h, h, true, true, layout};
    block.keys = {h, h, true, true, layout};
    block.values = {h, h, true, true, layout};
    block.first = {h, layout};
    block.widen = {h, 4 * h, true, true, layout};
    block.narrow = {4 * h, h, true, false, layout};
    block.second = {h, layout};
    blocks_.push_back(block);
  }
}

template <class Real>
const std::vector<Real>& Encoder<Real>::forward(const Real* weights, const Real* x, int tokens, int lanes,
                                                EncoderWork<Real>& work) const {
  work.tokens = tokens;
  work.lanes = lanes;
  work.inputs = x;
  const long columns = static_cast<long>(tokens) * lanes;
  work.embedded.resize(shape_.width * columns);
  work.start.resize(shape_.width * columns);
  embed_.forward(weights, x, columns, work.embedded.data(), work.scratch);
  start_.forward(weights, work.embedded.data(), columns, work.start_norm, work.start.data());
  work.blocks.resize(blocks_.size());
  const std::vector<Real>* last = &work.start;
  for (size_t l = 0; l < blocks_.size(); ++l) {
    forward(blocks_[l], weights, last->data(), work.blocks[l], work);
    last = &work.blocks[l].out;
  }
  return *last;
}

template <class Real>
void Encoder<Real>::forward(const Block& block, const Real* weights, const Real* x, EncoderBlockWork<Real>& saved,
                            EncoderWork<Real>& work) const {
  const int tokens = work.tokens, lanes = work.lanes, channels = shape_.width / shape_.heads;
  const long columns = static_cast<long>(tokens) * lanes, size = shape_.width * columns;
  for (std::vector<Real>* part : {&saved.queries, &saved.keys, &saved.values, &saved.sum, &saved.middle, &saved.out}) {
    part->resize(size);
  }
  saved.wide.resize(4 * size);
  saved.attention.resize(shape_.heads * tokens * columns);
  block.queries.forward(weights, x, columns, saved.queries.data(), work.scratch);
  block.keys.forward(weights, x, columns, saved.keys.data(), work.scratch);
  block.values.forward(weights, x, columns, saved.values.data(), work.scratch);
  const Real scale = Real(1) / std::sqrt(static_cast<Real>(channels));
  for (int head = 0; head < shape_.heads; ++head) {
    const long at = head * channels * columns;
    dense_kernels<Real>().attend(
        {saved.queries.data() + at, saved.keys.data() + at, saved.values.data() + at, columns, channels, tokens, lanes},
        scale, saved.attention.data() + head * tokens * columns, saved.sum.data() + at);
  }
  for (long k = 0; k < size; ++k) saved.sum[k] += x[k];
  block.first.forward(weights, saved.sum.data(), columns, saved.first, saved.middle.data());
  block.widen.forward(weights, saved.middle.data(), columns, saved.wide.data(), work.scratch);
  block.narrow.forward(weights, saved.wide.data(), columns, saved.sum.data(), work.scratch);
  for (long k = 0; k < size; ++k) saved.sum[k] += saved.middle[k];
  block.second.forward(weights, saved.sum.data(), columns, saved.second, saved.out.data());
}

template <class Real>
void Encoder<Real>::backward(const Real* weights, EncoderWork<Real>& work, const Real* by_out, Real* gradient) const {
  const long columns = static_cast<long>(work.tokens) * work.lanes, size = shape_.width * columns;
  work.by_out.assign(by_out, by_out + size);
  for (std::vector<Real>* part : {&work.by_sum, &work.by_queries, &work.by_keys, &work.by_values}) part->resize(size);
  work.by_wide.resize(4 * size);
  for (size_t l = blocks_.size(); l-- > 0;) {
    const Real* x = l == 0 ? work.start.data() : work.blocks[l - 1].out.data();
    backward(blocks_[l], weights, x, work.blocks[l], work, gradient);
  }
  start_.backward(weights, work.start_norm, work.by_out.data(), columns, gradient, work.by_sum.data());
  embed_.backward(weights, work.inputs, nullptr, work.by_sum.data(), columns, gradient, nullptr, false, work.scratch);
}

template <class Real>
void Encoder<Real>::backward(const Block& block, const Real* weights, const Real* x, EncoderBlockWork<Real>& saved,
                             EncoderWork<Real>& work, Real* gradient) const {
  const int tokens = work.tokens, lanes = work.lanes, channels = shape_.width / shape_.heads;
  const long columns = static_cast<long>(tokens) * lanes;
  // Both sums pass the derivative on unchanged, so by_sum is also the beginning of the derivative by the other term.
  block.second.backward(weights, saved.second, work.by_out.data(), columns, gradient, work.by_sum.data());
  block.narrow.backward(weights, saved.wide.data(), nullptr, work.by_sum.data(), columns, gradient, work.by_wide.data(),
                        false, work.scratch);
  block.widen.backward(weights, saved.middle.data(), saved.wide.data(), work.by_wide.data(), columns, gradient,
                       work.by_sum.data(), true, work.scratch);
  block.first.backward(weights, saved.first, work.by_sum.data(), columns, gradient, work.by_out.data());
  const Real scale = Real(1) / std::sqrt(static_cast<Real>(channels));
  for (int head = 0; head < shape_.heads; ++head) {
    const long at = head * channels * columns;
    dense_kernels<Real>().attend_back(
        {saved.queries.data() + at, saved.keys.data() + at, saved.values.data() + at, columns, channels, tokens, lanes},
        scale, saved.attention.data() + head * tokens * columns, work.by_out.data() + at, work.by_queries.data() + at,
        work.by_keys.data() + at, work.by_values.data() + at);
  }
  block.queries.backward(weights, x, saved.queries.data(), work.by_queries.data(), columns, gradient,
                         work.by_out.data(), true, work.scratch);
  block.keys.backward(weights, x, saved.keys.data(), work.by_keys.data(), columns, gradient, work.by_out.data(), true,
                      work.scratch);
  block.values.backward(weights, x, saved.values.data(), work.by_values.data(), columns, gradient, work.by_out.data(),
                        true, work.scratch);
}

template <class Real>
void mean_of_tokens(const Real* x, int channels, int tokens, int lanes, Real* mean) {
  const Real share = Real(1) / static_cast<Real>(tokens);
  for (int c = 0; c < channels; ++c, mean += lanes) {
    std::fill_n(mean, lanes, Real(0));
    for (int i = 0; i < tokens; ++i, x += lanes) {
      for (int b = 0; b < lanes; ++b) mean[b] += x[b];
    }
    for (int b = 0; b < lanes; ++b) mean[b] *= share;
  }
}

template <class Real>
void add_mean_of_tokens_back(const Real* by_mean, int channels, int tokens, int lanes, Real* by_x) {
  const Real share = Real(1) / static_cast<Real>(tokens);
  for (int c = 0; c < channels; ++c, by_mean += lanes) {
    for (int i = 0; i < tokens; ++i, by_x += lanes) {
      for (int b = 0; b < lanes; ++b) by_x[b] += share * by_mean[b];
    }
  }
}

template struct Linear<float>;
template struct Linear<double>;
template struct BatchNorm<float>;
template struct BatchNorm<double>;
template class Encoder<float>;
template class Encoder<double>;
template void mean_of_tokens(const float*, int, int, int, float*);
template void mean_of_tokens(const double*, int, int, int, double*);
template void add_mean_of_tokens_back(const float*, int, int, int, float*);
template void add_mean_of_tokens_back(const double*, int, int, int, double*);

}  // namespace agon
