#include <algorithm>
#include <cmath>

#include "agon/nn/dense_kernels.h"
#include "agon/opponent/rl_bic.h"

namespace agon {

template <class Real>
EdgePolicy<Real>::EdgePolicy(const RlBicOptions& options, int variables, int rows, std::vector<signed char> fixed,
                             bool with_bias, double bias, Rng rng)
    : d_(variables),
      batch_(options.batch),
      units_(options.decoder),
      fixed_(std::move(fixed)),
      u_(0),
      bias_(-1),
      adam_({.beta2 = 0.99, .epsilon = 1e-7, .epsilon_first = true}, 1) {
  left_ = {options.width, units_, false, false, layout_};
  right_ = {options.width, units_, false, false, layout_};
  u_ = layout_.add_vector(units_);
  if (with_bias) bias_ = layout_.add_constant(1, bias);
  encoder_begin_ = layout_.tensors().size() - 1;
  encoder_ = Encoder<Real>({rows, options.width, options.heads, options.blocks}, layout_);
  encoder_end_ = layout_.tensors().size() - 1;
  critic_wide_ = {options.width, options.width, true, true, layout_};
  critic_out_ = {options.width, 1, true, false, layout_};
  weights_ = layout_.template draw<Real>(rng);
  by_actor_ = by_critic_ = NetVector<Real>::Zero(layout_.size());
  adam_ = Adam<Real>({.beta2 = 0.99, .epsilon = 1e-7, .epsilon_first = true}, layout_.size());
}

template <class Real>
void EdgePolicy<Real>::forward(const Real* inputs) {
  const DenseKernels<Real>& kernels = dense_kernels<Real>();
  const long columns = static_cast<long>(d_) * batch_, pairs = static_cast<long>(d_) * columns;
  const std::vector<Real>& z = encoder_.forward(weights_.data(), inputs, d_, batch_, work_);
  l_.resize(units_ * columns);
  r_.resize(units_ * columns);
  left_.forward(weights_.data(), z.data(), columns, l_.data(), scratch_);
  right_.forward(weights_.data(), z.data(), columns, r_.data(), scratch_);
  logits_.assign(pairs, bias_ >= 0 ? weights_[bias_] : Real(0));
  tanh_.resize(units_ * pairs);
  for (int h = 0; h < units_; ++h) {
    const Real u = weights_[u_ + h];
    Real* t = tanh_.data() + h * pairs;
    for (int i = 0; i < d_; ++i) {
      const Real* left = l_.data() + h * columns + static_cast<long>(i) * batch_;
      const Real* right = r_.data() + h * columns;
      for (int j = 0; j < d_; ++j) {
        for (int b = 0; b < batch_; ++b) t[(i * d_ + j) * batch_ + b] = left[b] + right[j * batch_ + b];
      }
    }
    kernels.tanh(t, pairs, t);
    for (long k = 0; k < pairs; ++k) logits_[k] += u * t[k];
  }
  sigmoid_.resize(pairs);
  kernels.sigmoid(logits_.data(), pairs, sigmoid_.data());

  const int width = encoder_.shape().width;
  mean_.resize(static_cast<size_t>(width) * batch_);
  wide_.resize(mean_.size());
  judged_.resize(batch_);
  mean_of_tokens(z.data(), width, d_, batch_, mean_.data());
  critic_wide_.forward(weights_.data(), mean_.data(), batch_, wide_.data(), scratch_);
  critic_out_.forward(weights_.data(), wide_.data(), batch_, judged_.data(), scratch_);
}

template <class Real>
void EdgePolicy<Real>::sample(Rng& rng, std::vector<char>& sample) {
  sample.assign(static_cast<size_t>(d_) * d_ * batch_, 0);
  for (int pair = 0; pair < d_ * d_; ++pair) {
    for (int b = 0; b < batch_; ++b) {
      const size_t k = static_cast<size_t>(pair) * batch_ + b;
      sample[k] = decides(pair) ? rng.uniform() < static_cast<double>(sigmoid_[k]) : fixed_[pair] > 0;
    }
  }
}

template <class Real>
void EdgePolicy<Real>::actor_gradient(const std::vector<char>& sample, const std::vector<Real>& advantage,
                                      Real entropy) {
  const long columns = static_cast<long>(d_) * batch_, pairs = static_cast<long>(d_) * columns;
  by_actor_.setZero();
  // Both terms are means over all d^2 entries and over the batch.
  const Real share = Real(1) / static_cast<Real>(pairs);
  std::vector<Real> by_logit(pairs, Real(0));
  for (int pair = 0; pair < d_ * d_; ++pair) {
    if (!decides(pair)) continue;
    for (int b = 0; b < batch_; ++b) {
      const size_t k = static_cast<size_t>(pair) * batch_ + b;
      const Real p = sigmoid_[k], y = sample[k] ? Real(1) : Real(0);
      by_logit[k] = share * (advantage[b] * (p - y) + entropy * logits_[k] * p * (1 - p));
    }
  }
  if (bias_ >= 0) by_actor_[bias_] += dense_kernels<Real>().sum(by_logit.data(), pairs);
  std::vector<Real> by_l(units_ * columns, Real(0)), by_r(units_ * columns, Real(0));
  for (int h = 0; h < units_; ++h) {
    const Real u = weights_[u_ + h];
    const Real* t = tanh_.data() + h * pairs;
    by_actor_[u_ + h] += dense_kernels<Real>().dot(by_logit.data(), t, pairs);
    for (int i = 0; i < d_; ++i) {
      Real* left = by_l.data() + h * columns + static_cast<long>(i) * batch_;
      Real* right = by_r.data() + h * columns;
      for (int j = 0; j < d_; ++j) {
        for (int b = 0; b < batch_; ++b) {
          const long k = static_cast<long>(i * d_ + j) * batch_ + b;
          const Real by = by_logit[k] * u * (1 - t[k] * t[k]);
          left[b] += by;
          right[j * batch_ + b] += by;
        }
      }
    }
  }
  const Real* z = encoder_.shape().blocks > 0 ? work_.blocks.back().out.data() : work_.start.data();
  by_z_.resize(encoder_.shape().width * columns);
  left_.backward(weights_.data(), z, nullptr, by_l.data(), columns, by_actor_.data(), by_z_.data(), false, scratch_);
  right_.backward(weights_.data(), z, nullptr, by_r.data(), columns, by_actor_.data(), by_z_.data(), true, scratch_);
  encoder_.backward(weights_.data(), work_, by_z_.data(), by_actor_.data());
}

template <class Real>
void EdgePolicy<Real>::critic_gradient(const std::vector<Real>& advantage) {
  const int width = encoder_.shape().width;
  by_critic_.setZero();
  std::vector<Real> by(batch_), by_wide(wide_.size()), by_mean(mean_.size());
  for (int b = 0; b < batch_; ++b) by[b] = Real(-2) * advantage[b] / static_cast<Real>(batch_);
  critic_out_.backward(weights_.data(), wide_.data(), nullptr, by.data(), batch_, by_critic_.data(), by_wide.data(),
                       false, scratch_);
  critic_wide_.backward(weights_.data(), mean_.data(), wide_.data(), by_wide.data(), batch_, by_critic_.data(),
                        by_mean.data(), false, scratch_);
  by_z_.assign(static_cast<size_t>(width) * d_ * batch_, Real(0));
  add_mean_of_tokens_back(by_mean.data(), width, d_, batch_, by_z_.data());
  encoder_.backward(weights_.data(), work_, by_z_.data(), by_critic_.data());
}

template <class Real>
void EdgePolicy<Real>::exchange_state(Archive& archive) {
  archive(weights_);
  Archive::demand(weights_.size() == layout_.size());
  adam_.exchange_state(archive);
}

template <class Real>
void EdgePolicy<Real>::step(double rate) {
  const std::vector<long>& tensors = layout_.tensors();
  adam_.set_learning_rate(rate);
  const auto begin = tensors.begin();
  // The critic's own tensors have no actor gradient and the decoder's no critic gradient: they stay as they are.
  adam_.step(weights_, by_actor_, std::vector<long>(begin, begin + static_cast<long>(encoder_end_) + 1), 1);
  adam_.step(weights_, by_critic_, std::vector<long>(begin + static_cast<long>(encoder_begin_), tensors.end()), 1);
}

template class EdgePolicy<float>;
template class EdgePolicy<double>;

}  // namespace agon
