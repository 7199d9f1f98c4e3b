#include <algorithm>
#include <cmath>

#include "agon/nn/dense_kernels.h"
#include "agon/opponent/corl.h"

namespace agon {

template <class Real>
OrderPolicy<Real>::OrderPolicy(const CorlOptions& options, int variables, std::vector<std::vector<int>> before, Rng rng)
    : d_(variables),
      batch_(options.batch),
      width_(options.width),
      before_(std::move(before)),
      cell_start_(0),
      adam_({}, 1) {
  encoder_ = Encoder<Real>({options.rows, width_, options.heads, options.blocks}, layout_);
  cell_ = {2 * width_, 4 * width_, true, false, layout_};
  cell_start_ = layout_.add_vector(width_);
  add(glimpse_);
  add(pointer_);
  weights_ = layout_.template draw<Real>(rng);
  gradient_ = NetVector<Real>::Zero(layout_.size());
  adam_ = Adam<Real>({.beta2 = 0.99, .epsilon = 1e-7, .epsilon_first = true}, layout_.size());
}

template <class Real>
void OrderPolicy<Real>::add(Attention& part) {
  part.nodes = {width_, width_, false, false, layout_};
  part.query = {width_, width_, false, false, layout_};
  part.v = layout_.add_vector(width_);
}

template <class Real>
void OrderPolicy<Real>::copy_step(const std::vector<Real>& all, int step, std::vector<Real>& one, int channels) const {
  one.resize(static_cast<size_t>(channels) * batch_);
  for (int c = 0; c < channels; ++c) std::copy_n(all.data() + at(c, step), batch_, one.data() + c * batch_);
}

template <class Real>
void OrderPolicy<Real>::encode(const Real* inputs) {
  const long columns = static_cast<long>(d_) * batch_;
  const std::vector<Real>& z = encoder_.forward(weights_.data(), inputs, d_, batch_, work_);
  mean_.resize(static_cast<size_t>(width_) * batch_);
  mean_of_tokens(z.data(), width_, d_, batch_, mean_.data());
  for (Attention* part : {&glimpse_, &pointer_}) {
    part->base.resize(width_ * columns);
    part->nodes.forward(weights_.data(), z.data(), columns, part->base.data(), scratch_);
    part->tanh.resize(static_cast<size_t>(d_) * width_ * columns);
    part->weight.resize(d_ * columns);
  }
  for (std::vector<Real>* state : {&x_, &h_, &c_, &next_c_, &next_h_, &query_}) state->resize(width_ * columns);
  gates_.resize(4 * width_ * columns);
}

template <class Real>
void OrderPolicy<Real>::attend(Attention& part, const Real* query, int step) {
  const DenseKernels<Real>& kernels = dense_kernels<Real>();
  const long columns = static_cast<long>(d_) * batch_;
  part.asked.resize(static_cast<size_t>(width_) * batch_);
  part.query.forward(weights_.data(), query, batch_, part.asked.data(), scratch_);
  Real* tanh = part.tanh.data() + step * width_ * columns;
  Real* score = part.weight.data() + step * columns;
  std::fill_n(score, columns, Real(0));
  for (int c = 0; c < width_; ++c) {
    const Real* base = part.base.data() + c * columns;
    const Real* asked = part.asked.data() + c * batch_;
    Real* t = tanh + c * columns;
    for (int i = 0; i < d_; ++i) {
      for (int b = 0; b < batch_; ++b) t[i * batch_ + b] = base[i * batch_ + b] + asked[b];
    }
    kernels.tanh(t, columns, t);
    const Real v = weights_[part.v + c];
    for (long k = 0; k < columns; ++k) score[k] += v * t[k];
  }
  // Softmax over the nodes that may still be chosen.
  const char* open = open_.data() + step * columns;
  std::vector<Real> most(batch_, Real(-1e30)), total(batch_, Real(0));
  const auto each = [&](auto&& act) {
    for (int i = 0; i < d_; ++i) {
      for (int b = 0; b < batch_; ++b) act(static_cast<long>(i) * batch_ + b, b);
    }
  };
  each([&](long k, int b) { most[b] = open[k] && score[k] > most[b] ? score[k] : most[b]; });
  each([&](long k, int b) { score[k] -= most[b]; });
  kernels.exp(score, columns, score);
  each([&](long k, int b) {
    score[k] = open[k] ? score[k] : Real(0);
    total[b] += score[k];
  });
  each([&](long k, int b) { score[k] /= total[b]; });
}

// One step from the states before it: h and c after it, the query of the pointer, and its probabilities.
template <class Real>
void OrderPolicy<Real>::decode(int step) {
  const DenseKernels<Real>& kernels = dense_kernels<Real>();
  const long count = static_cast<long>(width_) * batch_;
  std::vector<Real> both, one, gates(4 * count);
  copy_step(x_, step, both, width_);
  copy_step(h_, step, one, width_);
  both.insert(both.end(), one.begin(), one.end());
  cell_.forward(weights_.data(), both.data(), batch_, gates.data(), scratch_);
  kernels.sigmoid(gates.data(), count, gates.data());
  kernels.tanh(gates.data() + count, count, gates.data() + count);
  for (long k = 2 * count; k < 3 * count; ++k) gates[k] += 1;
  kernels.sigmoid(gates.data() + 2 * count, 2 * count, gates.data() + 2 * count);
  std::vector<Real> c(count), h(count);
  for (int channel = 0; channel < width_; ++channel) {
    for (int b = 0; b < batch_; ++b) {
      const long k = static_cast<long>(channel) * batch_ + b;
      c[k] = gates[2 * count + k] * c_[at(channel, step) + b] + gates[k] * gates[count + k];
    }
  }
  kernels.tanh(c.data(), count, h.data());
  for (int channel = 0; channel < width_; ++channel) {
    for (int b = 0; b < batch_; ++b) {
      const long k = static_cast<long>(channel) * batch_ + b, to = at(channel, step) + b;
      h[k] *= gates[3 * count + k];
      next_c_[to] = c[k];
      next_h_[to] = h[k];
    }
  }
  for (int row = 0; row < 4 * width_; ++row) {
    std::copy_n(gates.data() + static_cast<long>(row) * batch_, batch_, gates_.data() + at(row, step));
  }

  attend(glimpse_, h.data(), step);
  const std::vector<Real>& z = encoder_.shape().blocks > 0 ? work_.blocks.back().out : work_.start;
  const long columns = static_cast<long>(d_) * batch_;
  const Real* share = glimpse_.weight.data() + step * columns;
  std::vector<Real> query = h;
  for (int channel = 0; channel < width_; ++channel) {
    Real* to = query.data() + static_cast<long>(channel) * batch_;
    for (int i = 0; i < d_; ++i) {
      const Real* node = z.data() + channel * columns + static_cast<long>(i) * batch_;
      for (int b = 0; b < batch_; ++b) to[b] += share[i * batch_ + b] * node[b];
    }
    std::copy_n(to, batch_, query_.data() + at(channel, step));
  }
  attend(pointer_, query.data(), step);
}

template <class Real>
void OrderPolicy<Real>::sample(const Real* inputs, Rng& rng) {
  encode(inputs);
  const long columns = static_cast<long>(d_) * batch_;
  const std::vector<Real>& z = encoder_.shape().blocks > 0 ? work_.blocks.back().out : work_.start;
  open_.assign(d_ * columns, 0);
  order_.assign(columns, -1);
  std::vector<char> placed(columns, 0);  // [node][episode]
  for (int channel = 0; channel < width_; ++channel) {
    const Real* mean = mean_.data() + static_cast<long>(channel) * batch_;
    std::copy_n(mean, batch_, x_.data() + at(channel, 0));
    std::copy_n(mean, batch_, h_.data() + at(channel, 0));
    std::fill_n(c_.data() + at(channel, 0), batch_, weights_[cell_start_ + channel]);
  }
  for (int step = 0; step < d_; ++step) {
    for (int b = 0; b < batch_; ++b) {
      for (int v = 0; v < d_; ++v) {
        const auto stands = [&](int u) { return placed[static_cast<long>(u) * batch_ + b] != 0; };
        open_[step * columns + static_cast<long>(v) * batch_ + b] =
            !stands(v) && std::all_of(before_[v].begin(), before_[v].end(), stands);
      }
    }
    decode(step);
    const Real* p = pointer_.weight.data() + step * columns;
    for (int b = 0; b < batch_; ++b) {
      double left = rng.uniform();
      int found = -1;
      for (int v = 0; v < d_; ++v) {
        const long k = static_cast<long>(v) * batch_ + b;
        if (!open_[step * columns + k]) continue;
        found = v;
        left -= static_cast<double>(p[k]);
        if (left < 0) break;
      }
      order_[step * batch_ + b] = found;
      placed[static_cast<long>(found) * batch_ + b] = 1;
    }
    if (step + 1 == d_) break;
    for (int channel = 0; channel < width_; ++channel) {
      const long to = at(channel, step + 1);
      std::copy_n(next_h_.data() + at(channel, step), batch_, h_.data() + to);
      std::copy_n(next_c_.data() + at(channel, step), batch_, c_.data() + to);
      for (int b = 0; b < batch_; ++b) {
        x_[to + b] = z[channel * columns + static_cast<long>(order_[step * batch_ + b]) * batch_ + b];
      }
    }
  }
}

template <class Real>
void OrderPolicy<Real>::exchange_state(Archive& archive) {
  archive(weights_);
  Archive::demand(weights_.size() == layout_.size());
  adam_.exchange_state(archive);
}

template <class Real>
void OrderPolicy<Real>::replay(const Real* inputs) {
  const std::vector<Real> x = x_, h = h_, c = c_;
  encode(inputs);
  x_ = x, h_ = h, c_ = c;
  for (int step = 0; step < d_; ++step) decode(step);
}

template <class Real>
Real OrderPolicy<Real>::log_probability(int step, int episode) const {
  const long k = static_cast<long>(chosen(step, episode)) * batch_ + episode;
  Real p = pointer_.weight[static_cast<long>(step) * d_ * batch_ + k];
  p = std::max(p, Real(1e-30));
  dense_kernels<Real>().log(&p, 1, &p);
  return p;
}

template <class Real>
void OrderPolicy<Real>::attend_back(Attention& part, const Real* query, int step, const std::vector<Real>& by_score,
                                    Real* by_query) {
  const DenseKernels<Real>& kernels = dense_kernels<Real>();
  const long columns = static_cast<long>(d_) * batch_;
  const Real* tanh = part.tanh.data() + step * width_ * columns;
  std::vector<Real> by_asked(static_cast<size_t>(width_) * batch_, Real(0));
  for (int c = 0; c < width_; ++c) {
    const Real* t = tanh + c * columns;
    const Real v = weights_[part.v + c];
    gradient_[part.v + c] += kernels.dot(by_score.data(), t, columns);
    Real* by_base = part.by_base.data() + c * columns;
    Real* asked = by_asked.data() + static_cast<long>(c) * batch_;
    for (int i = 0; i < d_; ++i) {
      for (int b = 0; b < batch_; ++b) {
        const long k = static_cast<long>(i) * batch_ + b;
        const Real by = by_score[k] * v * (1 - t[k] * t[k]);
        by_base[k] += by;
        asked[b] += by;
      }
    }
  }
  part.query.backward(weights_.data(), query, nullptr, by_asked.data(), batch_, gradient_.data(), by_query, true,
                      scratch_);
}

template <class Real>
void OrderPolicy<Real>::actor_gradient(const std::vector<Real>& weight) {
  const long columns = static_cast<long>(d_) * batch_, count = static_cast<long>(width_) * batch_;
  const std::vector<Real>& z = encoder_.shape().blocks > 0 ? work_.blocks.back().out : work_.start;
  gradient_.setZero();
  std::vector<Real> by_z(width_ * columns, Real(0)), by_score(columns), query, h, both, by_query, by_h, by_gates;
  for (Attention* part : {&glimpse_, &pointer_}) part->by_base.assign(width_ * columns, Real(0));
  for (int step = 0; step < d_; ++step) {
    const Real* p = pointer_.weight.data() + step * columns;
    for (int i = 0; i < d_; ++i) {
      for (int b = 0; b < batch_; ++b) {
        const Real chosen_here = chosen(step, b) == i ? Real(1) : Real(0);
        by_score[i * batch_ + b] = weight[step * batch_ + b] * (p[i * batch_ + b] - chosen_here);
      }
    }
    copy_step(query_, step, query, width_);
    copy_step(next_h_, step, h, width_);
    by_query.assign(count, Real(0));
    attend_back(pointer_, query.data(), step, by_score, by_query.data());

    // query = sum of share_i z_i + h
    by_h = by_query;
    const Real* share = glimpse_.weight.data() + step * columns;
    std::fill(by_score.begin(), by_score.end(), Real(0));
    for (int c = 0; c < width_; ++c) {
      const Real* by = by_query.data() + static_cast<long>(c) * batch_;
      for (int i = 0; i < d_; ++i) {
        for (int b = 0; b < batch_; ++b) {
          const long k = static_cast<long>(i) * batch_ + b;
          by_score[k] += by[b] * z[c * columns + k];
          by_z[c * columns + k] += share[k] * by[b];
        }
      }
    }
    std::vector<Real> mean(batch_, Real(0));
    for (int i = 0; i < d_; ++i) {
      for (int b = 0; b < batch_; ++b) mean[b] += share[i * batch_ + b] * by_score[i * batch_ + b];
    }
    for (int i = 0; i < d_; ++i) {
      for (int b = 0; b < batch_; ++b) {
        const long k = static_cast<long>(i) * batch_ + b;
        by_score[k] = share[k] * (by_score[k] - mean[b]);
      }
    }
    attend_back(glimpse_, h.data(), step, by_score, by_h.data());

    // The cell, one step: x, h and c before it are constants.
    by_gates.resize(4 * count);
    for (int c = 0; c < width_; ++c) {
      for (int b = 0; b < batch_; ++b) {
        const long k = static_cast<long>(c) * batch_ + b, here = at(c, step) + b;
        const Real i = gates_[here], g = gates_[at(width_ + c, step) + b], f = gates_[at(2 * width_ + c, step) + b],
                   o = gates_[at(3 * width_ + c, step) + b];
        const Real bent = o != Real(0) ? next_h_[here] / o : Real(0);  // tanh(c)
        const Real by_c = by_h[k] * o * (1 - bent * bent);
        by_gates[k] = by_c * g * i * (1 - i);
        by_gates[count + k] = by_c * i * (1 - g * g);
        by_gates[2 * count + k] = by_c * c_[here] * f * (1 - f);
        by_gates[3 * count + k] = by_h[k] * bent * o * (1 - o);
      }
    }
    copy_step(x_, step, both, width_);
    copy_step(h_, step, h, width_);
    both.insert(both.end(), h.begin(), h.end());
    cell_.backward(weights_.data(), both.data(), nullptr, by_gates.data(), batch_, gradient_.data(), nullptr, false,
                   scratch_);
  }
  for (Attention* part : {&glimpse_, &pointer_}) {
    part->nodes.backward(weights_.data(), z.data(), nullptr, part->by_base.data(), columns, gradient_.data(),
                         by_z.data(), true, scratch_);
  }
  encoder_.backward(weights_.data(), work_, by_z.data(), gradient_.data());
}

template class OrderPolicy<float>;
template class OrderPolicy<double>;

}  // namespace agon
