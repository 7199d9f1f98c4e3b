#include "agon/opponent/dag_gnn.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "agon/nn/dense_kernels.h"
#include "agon/opponent/linear_weights.h"

namespace agon {
namespace {

constexpr double kDiagonal = 100;  // weight of the sum of A_ii^2
constexpr double kMostC = 1e20;
constexpr int kMostOuterRounds = 100;

// Gauss-Jordan elimination with pivots from the diagonal down, in a fixed order.
template <class Real>
void invert(std::vector<Real> m, int d, std::vector<Real>& inverse) {
  inverse.assign(static_cast<size_t>(d) * d, Real(0));
  for (int i = 0; i < d; ++i) inverse[i * d + i] = 1;
  for (int k = 0; k < d; ++k) {
    int pivot = k;
    for (int r = k + 1; r < d; ++r) {
      if (std::abs(m[r * d + k]) > std::abs(m[pivot * d + k])) pivot = r;
    }
    if (m[pivot * d + k] == Real(0)) m[pivot * d + k] = Real(1e-6);
    for (int c = 0; c < d && pivot != k; ++c) {
      std::swap(m[pivot * d + c], m[k * d + c]);
      std::swap(inverse[pivot * d + c], inverse[k * d + c]);
    }
    const Real share = Real(1) / m[k * d + k];
    for (int c = 0; c < d; ++c) m[k * d + c] *= share, inverse[k * d + c] *= share;
    for (int r = 0; r < d; ++r) {
      const Real factor = m[r * d + k];
      if (r == k || factor == Real(0)) continue;
      for (int c = 0; c < d; ++c) {
        m[r * d + c] -= factor * m[k * d + c];
        inverse[r * d + c] -= factor * inverse[k * d + c];
      }
    }
  }
}

}  // namespace

double dag_gnn_acyclicity(const std::vector<double>& a, int variables, std::vector<double>* slope) {
  const int d = variables;
  const DenseKernels<double>& kernels = dense_kernels<double>();
  std::vector<double> square(a.size()), power(a.size(), 0.0), next(a.size()), scratch;
  for (int i = 0; i < d; ++i) {
    for (int j = 0; j < d; ++j) square[i * d + j] = (i == j ? 1 : 0) + a[i * d + j] * a[i * d + j] / d;
    power[i * d + i] = 1;
  }
  const auto times = [&](std::vector<double>& left, const std::vector<double>& right) {
    kernels.product({left.data(), d, 1}, {right.data(), d, 1}, d, d, d, false, next.data(), d, scratch);
    left.swap(next);
  };
  const std::vector<double> base = square;
  for (int exponent = d - 1; exponent > 0; exponent /= 2) {  // power = base^(d - 1)
    if (exponent % 2 == 1) times(power, square);
    if (exponent > 1) times(square, std::vector<double>(square));
  }
  if (slope != nullptr) {
    slope->resize(a.size());
    for (int i = 0; i < d; ++i) {
      for (int j = 0; j < d; ++j) (*slope)[i * d + j] = 2 * power[j * d + i] * a[i * d + j];
    }
  }
  times(power, base);
  double trace = -d;
  for (int i = 0; i < d; ++i) trace += power[i * d + i];
  return trace;
}

// ---- the model ----

template <class Real>
DagGnnNet<Real>::DagGnnNet(int variables, int units, std::vector<char> allowed, Rng rng)
    : d_(variables),
      f_{{1, units, true, true, layout_}, {units, 1, true, false, layout_}, {}, {}},
      g_{{1, units, true, true, layout_}, {units, 1, true, false, layout_}, {}, {}},
      shift_(layout_.add_constant(1, 0)),
      a_(layout_.add_constant(variables * variables, 0)),
      allowed_(std::move(allowed)),
      weights_(NetVector<Real>::Zero(layout_.size())),
      gradient_(NetVector<Real>::Zero(layout_.size())),
      adam_({}, layout_.size()) {
  draw(f_, true, rng.split("f"));
  draw(g_, false, rng.split("g"));
}

template <class Real>
void DagGnnNet<Real>::draw(const Scalar& net, bool biases, Rng rng) {
  for (const Linear<Real>* layer : {&net.wide, &net.narrow}) {
    const double spread = std::sqrt(2.0 / (layer->in + layer->out)), bound = 1 / std::sqrt(layer->in);
    for (int k = 0; k < layer->in * layer->out; ++k) {
      weights_[layer->matrix + k] = static_cast<Real>(spread * rng.normal());
    }
    for (int k = 0; biases && k < layer->out; ++k) {
      weights_[layer->bias + k] = static_cast<Real>(rng.uniform(-bound, bound));
    }
  }
}

template <class Real>
void DagGnnNet<Real>::fill_matrix(std::vector<Real>& a) const {
  const long size = static_cast<long>(d_) * d_;
  a.resize(size);
  std::vector<Real> up(size), down(size);
  for (long k = 0; k < size; ++k) {
    up[k] = 3 * weights_[a_ + k];
    down[k] = -up[k];
  }
  dense_kernels<Real>().exp(up.data(), size, up.data());
  dense_kernels<Real>().exp(down.data(), size, down.data());
  for (long k = 0; k < size; ++k) {
    const Real x = 3 * weights_[a_ + k];
    // The difference of exponentials loses small numbers, so sinh is a series there.
    a[k] = std::abs(x) < Real(0.05) ? x * (1 + x * x / 6 * (1 + x * x / 20)) : (up[k] - down[k]) / 2;
    if (!allowed_[k]) a[k] = 0;
  }
}

template <class Real>
std::vector<double> DagGnnNet<Real>::matrix() const {
  std::vector<Real> a;
  fill_matrix(a);
  return {a.begin(), a.end()};
}

template <class Real>
void DagGnnNet<Real>::apply(Scalar& net, const std::vector<Real>& in, std::vector<Real>& out) {
  const long count = static_cast<long>(in.size());
  net.hidden.resize(net.wide.out * count);
  out.resize(count);
  net.wide.forward(weights_.data(), in.data(), count, net.hidden.data(), scratch_);
  net.narrow.forward(weights_.data(), net.hidden.data(), count, out.data(), scratch_);
}

template <class Real>
void DagGnnNet<Real>::apply_back(Scalar& net, const std::vector<Real>& in, const std::vector<Real>& out,
                                 std::vector<Real>& by_out, Real* by_in) {
  const long count = static_cast<long>(in.size());
  net.by_hidden.resize(net.hidden.size());
  net.narrow.backward(weights_.data(), net.hidden.data(), out.data(), by_out.data(), count, gradient_.data(),
                      net.by_hidden.data(), false, scratch_);
  net.wide.backward(weights_.data(), in.data(), net.hidden.data(), net.by_hidden.data(), count, gradient_.data(), by_in,
                    false, scratch_);
}

template <class Real>
double DagGnnNet<Real>::loss(const Real* x, int rows, const Real* noise) {
  const DenseKernels<Real>& kernels = dense_kernels<Real>();
  const long count = static_cast<long>(rows) * d_;
  const Real share = Real(1) / static_cast<Real>(rows), w = weights_[shift_];
  gradient_.setZero();
  fill_matrix(matrix_);
  x_.assign(x, x + count);
  apply(f_, x_, v_);

  // z = (f(x) + w)(I - A) - w, a row per row of x.
  u_.resize(count);
  z_.resize(count);
  for (long k = 0; k < count; ++k) u_[k] = v_[k] + w;
  kernels.product({u_.data(), d_, 1}, {matrix_.data(), d_, 1}, rows, d_, d_, false, z_.data(), d_, scratch_);
  for (long k = 0; k < count; ++k) z_[k] = u_[k] - z_[k] - w;

  // What the decoder's network sees: f(x), and with noise e the sum f(x) + e (I - A)^-1.
  if (noise != nullptr) {
    std::vector<Real> m(matrix_.size());
    for (int i = 0; i < d_; ++i) {
      for (int j = 0; j < d_; ++j) m[i * d_ + j] = (i == j ? 1 : 0) - matrix_[i * d_ + j];
    }
    invert(std::move(m), d_, inverse_);
    kernels.product({noise, d_, 1}, {inverse_.data(), d_, 1}, rows, d_, d_, true, v_.data(), d_, scratch_);
  }
  apply(g_, v_, y_);
  double loss = 0;
  std::vector<Real> by_y(count);
  for (long k = 0; k < count; ++k) {
    const Real miss = y_[k] - x_[k];
    by_y[k] = miss * share;
    loss += 0.5 * static_cast<double>(miss * miss * share) + 0.5 * static_cast<double>(z_[k] * z_[k] * share);
  }
  by_v_.resize(count);
  apply_back(g_, v_, y_, by_y, by_v_.data());

  by_a_.assign(static_cast<size_t>(d_) * d_, Real(0));
  if (noise != nullptr) {  // by A: M' (e' by_v) M' with M = (I - A)^-1
    std::vector<Real> outer(by_a_.size()), half(by_a_.size());
    kernels.product({noise, 1, d_}, {by_v_.data(), d_, 1}, d_, rows, d_, false, outer.data(), d_, scratch_);
    kernels.product({inverse_.data(), 1, d_}, {outer.data(), d_, 1}, d_, d_, d_, false, half.data(), d_, scratch_);
    kernels.product({half.data(), d_, 1}, {inverse_.data(), 1, d_}, d_, d_, d_, false, by_a_.data(), d_, scratch_);
  }
  // by_z = z / rows; by A: -u' by_z; by u: by_z (I - A'); by w: both shifts.
  std::vector<Real> by_u(count), minus(count);
  for (long k = 0; k < count; ++k) {
    by_u[k] = z_[k] * share;
    minus[k] = -by_u[k];
  }
  gradient_[shift_] += kernels.sum(minus.data(), count);
  kernels.product({u_.data(), 1, d_}, {minus.data(), d_, 1}, d_, rows, d_, true, by_a_.data(), d_, scratch_);
  kernels.product({minus.data(), d_, 1}, {matrix_.data(), 1, d_}, rows, d_, d_, true, by_u.data(), d_, scratch_);
  gradient_[shift_] += kernels.sum(by_u.data(), count);
  for (long k = 0; k < count; ++k) by_u[k] += by_v_[k];
  apply_back(f_, x_, v_, by_u, nullptr);

  for (int i = 0; i < d_; ++i) {
    const Real own = matrix_[i * d_ + i];
    loss += kDiagonal * static_cast<double>(own) * static_cast<double>(own);
    by_a_[i * d_ + i] += static_cast<Real>(2 * kDiagonal) * own;
  }
  add_slope({by_a_.begin(), by_a_.end()});
  return loss;
}

template <class Real>
void DagGnnNet<Real>::add_slope(const std::vector<double>& by_matrix) {
  for (size_t k = 0; k < by_matrix.size(); ++k) {
    if (!allowed_[k]) continue;
    const double a = static_cast<double>(matrix_[k]);  // sinh(3 a), so that cosh is the root of 1 + its square
    gradient_[a_ + static_cast<long>(k)] += static_cast<Real>(by_matrix[k] * 3 * std::sqrt(1 + a * a));
  }
}

template <class Real>
void DagGnnNet<Real>::step(double rate, double sparsity) {
  adam_.set_learning_rate(rate);
  adam_.step(weights_, gradient_, layout_.tensors(), 0);
  if (!(sparsity > 0)) return;
  const Real cut = static_cast<Real>(sparsity * rate);
  for (long k = a_; k < layout_.size(); ++k) {
    const Real size = std::abs(weights_[k]) - cut;
    weights_[k] = size > 0 ? std::copysign(size, weights_[k]) : Real(0);
  }
}

template <class Real>
void DagGnnNet<Real>::exchange_state(Archive& archive) {
  archive(weights_);
  Archive::demand(weights_.size() == layout_.size());
  adam_.exchange_state(archive);
}

template class DagGnnNet<float>;
template class DagGnnNet<double>;

// ---- training ----

namespace {

class Lagrangian {
 public:
  Lagrangian(const StandardTable& table, const DagGnnOptions& options, std::vector<char> allowed, Rng rng,
             const Watch& watch, const SavedSearch& saved)
      : table_(table),
        options_(options),
        watch_(watch),
        saved_(saved),
        d_(table.variables()),
        net_(d_, options.units, std::move(allowed), rng.split("weights")),
        noise_rng_(rng.split("noise")) {
    if (saved.from == nullptr) return;
    Archive archive{std::string_view(*saved.from)};
    exchange_state(archive);
    archive.finish();
  }

  LearnedEdges learn() {
    while (at_.round < kMostOuterRounds && stopped_by_.empty()) {
      while (at_.c < kMostC) {
        const double elbo = subproblem();
        if (!stopped_by_.empty() || elbo > 2 * at_.best) break;
        if (at_.h <= at_.last_h / 4) break;
        at_.c *= 10;
      }
      if (!stopped_by_.empty()) break;
      at_.last_h = at_.h;
      at_.lambda += at_.c * at_.h;
      if (at_.h <= options_.h_end) stopped_by_ = "acyclic";
      if (at_.c >= kMostC) stopped_by_ = "c limit";
      ++at_.round;
    }
    if (stopped_by_.empty()) stopped_by_ = "round limit";
    const std::vector<double> a = net_.matrix();
    LearnedEdges out{.h = dag_gnn_acyclicity(a, d_, nullptr), .steps = at_.steps, .stopped_by = stopped_by_};
    for (int from = 0; from < d_; ++from) {
      for (int to = 0; to < d_; ++to) {
        const double weight = std::abs(a[from * d_ + to]);
        if (from != to && weight >= options_.threshold) {
          out.edges.push_back({{table_.node[from], table_.node[to]}, weight});
        }
      }
    }
    return out;
  }

  // If a stop was requested: where (SearchResult).
  const std::string& unfinished() const { return unfinished_; }

 private:
  // How far the training has come.
  struct Place {
    double lambda = 0, c = 1, h = 0;
    double last_h = std::numeric_limits<double>::infinity(), best = last_h;  // best: the lowest loss of an epoch
    int round = 0, epoch = 0, first = 0, batches = 0;
    double elbo = 0;  // of the batches of this epoch, without penalties
    long steps = 0;
  };

  // Everything that the next step depends on.
  void exchange_state(Archive& archive) {
    archive(at_);
    net_.exchange_state(archive);
    archive(noise_rng_);
  }

  std::string state() {
    Archive archive;
    exchange_state(archive);
    return archive.bytes();
  }

  double rate() const {  // 3e-3 / log10(c), within limits
    return at_.c <= 1 ? 1e-2 : std::clamp(3e-3 / std::log10(at_.c), 1e-4, 1e-2);
  }

  // `epochs` passes; returns the loss without penalties of the last one.
  double subproblem() {
    double last = 0;
    for (; at_.epoch < options_.epochs; ++at_.epoch) {
      for (; at_.first < table_.rows; at_.first += options_.batch, ++at_.batches) {
        if (must_stop()) return last;
        at_.elbo += step(at_.first, std::min(options_.batch, table_.rows - at_.first));
        ++at_.steps;
      }
      last = at_.elbo / std::max(1, at_.batches);
      at_.best = std::min(at_.best, last);
      at_.elbo = at_.first = at_.batches = 0;
      if (at_.epoch % 10 == 0) {
        watch_.tell({fmt::format("DAG-GNN, loss {:.4g}, h {:.1e}, c {:.0e}", last, at_.h, at_.c), at_.steps, -1});
      }
    }
    at_.epoch = 0;
    at_.h = dag_gnn_acyclicity(net_.matrix(), d_, nullptr);
    return last;
  }

  bool must_stop() {
    if (watch_.stop_requested()) {
      stopped_by_ = watch_.stop_reason();
      unfinished_ = state();
      if (saved_.save) saved_.save(unfinished_);
      return true;
    }
    if (options_.max_steps > 0 && at_.steps >= options_.max_steps) stopped_by_ = "step limit";
    if (stopped_by_.empty() && saved_.wanted()) saved_.save(state());
    return !stopped_by_.empty();
  }

  double step(int first, int rows) {
    if (options_.sample) {
      noise_.resize(static_cast<size_t>(rows) * d_);
      for (float& e : noise_) e = static_cast<float>(noise_rng_.normal());
    }
    const double loss = net_.loss(table_.value.data() + static_cast<size_t>(first) * d_, rows,
                                  options_.sample ? noise_.data() : nullptr);
    at_.h = dag_gnn_acyclicity(net_.matrix(), d_, &slope_);
    for (double& s : slope_) s *= at_.lambda + at_.c * at_.h;
    net_.add_slope(slope_);
    net_.step(rate(), options_.sparsity);
    return loss;
  }

  const StandardTable& table_;
  const DagGnnOptions& options_;
  const Watch& watch_;
  const SavedSearch& saved_;
  int d_;
  DagGnnNet<float> net_;
  Rng noise_rng_;
  std::vector<float> noise_;
  std::vector<double> slope_;
  Place at_;
  std::string stopped_by_, unfinished_;
};

}  // namespace

SearchResult dag_gnn(const Dataset& data, const LocalScore& score, const DagGnnOptions& options, Rng rng,
                     const Watch& watch, const Knowledge& knowledge, const SavedSearch& saved) {
  const StandardTable table = options.standardise ? standardise(data) : as_it_is(data);
  const int d = table.variables();
  std::vector<char> allowed(static_cast<size_t>(d) * d, 0);
  for (int i = 0; i < d; ++i) allowed[i * d + i] = 1;
  for (const Edge& pair : allowed_pairs(table.node, knowledge)) allowed[pair.from * d + pair.to] = 1;
  LearnedEdges learned{.stopped_by = watch.stop_requested() ? watch.stop_reason() : "acyclic"};
  std::string unfinished;
  if (d > 1) {
    Lagrangian training(table, options, std::move(allowed), rng, watch, saved);
    learned = training.learn();
    unfinished = training.unfinished();
  }
  SearchResult out = answer_of_weights(data, score, knowledge, std::move(learned), table.categorical,
                                       {options.standardise, options.threshold});
  out.unfinished = std::move(unfinished);
  return out;
}

}  // namespace agon
