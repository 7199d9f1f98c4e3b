#include "agon/opponent/gran_dag_net.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "agon/nn/row_kernels.h"

namespace agon {

template <class Real>
GranDagNet<Real>::GranDagNet(const GranDagShape& shape, std::vector<std::vector<int>> inputs, Rng rng)
    : shape_(shape),
      width_(padded_units(shape.units)),
      paths_(std::pow(shape.units, shape.layers)),
      inputs_(std::move(inputs)) {
  const double gain = std::sqrt(2 / (1 + shape.leak * shape.leak));
  for (int i = 0; i < size(); ++i) {
    Rng draw = rng.split("network", static_cast<uint64_t>(i));
    std::vector<Real> w(matrix(0) + fan_in(i, 0) * width_, Real(0));
    const auto fill = [&](int at, int in, int out) {
      const double bound = gain * std::sqrt(6.0 / (in + out));
      return [&draw, &w, bound, at](int k) { w[at + k] = static_cast<Real>(draw.uniform(-bound, bound)); };
    };
    for (int l = 0; l < shape_.layers; ++l) {
      const int in = l == 0 ? fan_in(i, 0) : shape_.units;
      const auto draw_one = fill(matrix(l), in, shape_.units);
      for (int a = 0; a < in; ++a) {
        for (int u = 0; u < shape_.units; ++u) draw_one(a * width_ + u);
      }
    }
    const auto draw_one = fill(output(), shape_.units, 1);
    for (int u = 0; u < shape_.units; ++u) draw_one(u);
    gradient_.emplace_back(w.size(), Real(0));
    square_.emplace_back(w.size(), Real(0));
    weights_.push_back(std::move(w));
    connectivity_.emplace_back(inputs_[i].size());
    connect(i);
  }
}

template <class Real>
void GranDagNet<Real>::forward(int i, const Rows& x, Work& work) const {
  const RowKernels<Real>& kernels = row_kernels<Real>();
  const Real* w = weights_[i].data();
  work.active.resize(shape_.layers);
  work.table_row.resize(x.count);
  work.unit_row.resize(x.count);
  for (int r = 0; r < x.count; ++r) {
    work.table_row[r] = r * x.variables;
    work.unit_row[r] = r * width_;
  }
  work.unit.resize(std::max(width_, x.count));
  std::iota(work.unit.begin(), work.unit.end(), 0);
  for (int l = 0; l < shape_.layers; ++l) {
    work.active[l].resize(static_cast<size_t>(x.count) * width_);
    kernels.layer(l == 0 ? x.data : work.active[l - 1].data(), l == 0 ? work.table_row.data() : work.unit_row.data(),
                  x.count, l == 0 ? inputs_[i].data() : work.unit.data(), fan_in(i, l), w + matrix(l), w + bias(l),
                  static_cast<Real>(shape_.leak), width_, work.active[l].data());
  }
  work.residual.resize(x.count);
  const Real* v = w + output();
  for (int r = 0; r < x.count; ++r) {
    const Real* a = work.active.back().data() + r * width_;
    Real mean = w[1];
    for (int u = 0; u < shape_.units; ++u) mean += a[u] * v[u];
    work.residual[r] = x.data[r * x.variables + i] - mean;
  }
}

template <class Real>
double GranDagNet<Real>::loss(int i, const Rows& x, Work& work) const {
  forward(i, x, work);
  const double s = weights_[i][0];
  double squares = 0;
  for (Real e : work.residual) squares += static_cast<double>(e) * static_cast<double>(e);
  return x.count * (0.5 * std::log(2 * std::numbers::pi) + s) + 0.5 * squares * std::exp(-2 * s);
}

template <class Real>
void GranDagNet<Real>::back_through(int i, int layer, int rows, Work& work) const {
  const int in = fan_in(i, layer);
  const Real* m = weights_[i].data() + matrix(layer);
  const int across = padded_units(in);
  work.turned.assign(static_cast<size_t>(width_) * across, Real(0));
  for (int a = 0; a < in; ++a) {
    for (int u = 0; u < width_; ++u) work.turned[u * across + a] = m[a * width_ + u];
  }
  work.back_next.resize(static_cast<size_t>(rows) * across);
  row_kernels<Real>().product(work.back.data(), work.unit_row.data(), rows, work.unit.data(), width_,
                              work.turned.data(), across, work.back_next.data());
  work.back.swap(work.back_next);
}

template <class Real>
double GranDagNet<Real>::learn(int i, const Rows& x, double scale, Work& work) {
  const RowKernels<Real>& kernels = row_kernels<Real>();
  const double value = loss(i, x, work);
  const Real* w = weights_[i].data();
  Real* g = gradient_[i].data();
  const double s = w[0], precision = std::exp(-2 * s);
  // -ln p = const + count s + precision/2 * sum of squares, so the sum of squares can be recovered from the value.
  const double squares = 2 * (value - x.count * (0.5 * std::log(2 * std::numbers::pi) + s));
  g[0] = static_cast<Real>(scale * (x.count - squares));
  const Real factor = static_cast<Real>(-scale * precision);
  Real sum = 0;
  for (Real& e : work.residual) sum += e *= factor;  // now d loss / d mean
  g[1] = sum;
  const int zero = 0;
  kernels.product(work.residual.data(), &zero, 1, work.unit.data(), x.count, work.active.back().data(), width_,
                  g + output());
  work.back.resize(static_cast<size_t>(x.count) * width_);
  const Real* v = w + output();
  for (int r = 0; r < x.count; ++r) {
    for (int u = 0; u < width_; ++u) work.back[r * width_ + u] = work.residual[r] * v[u];
  }
  for (int l = shape_.layers - 1; l >= 0; --l) {
    kernels.slope(work.active[l].data(), static_cast<Real>(shape_.leak), x.count * width_, work.back.data());
    Real* by_bias = g + bias(l);
    std::fill(by_bias, by_bias + width_, Real(0));
    for (int r = 0; r < x.count; ++r) {
      for (int u = 0; u < width_; ++u) by_bias[u] += work.back[r * width_ + u];
    }
    // The derivative by W_l: the columns of the layer's input, times work.back.
    kernels.product(l == 0 ? x.data : work.active[l - 1].data(), l == 0 ? inputs_[i].data() : work.unit.data(),
                    fan_in(i, l), l == 0 ? work.table_row.data() : work.unit_row.data(), x.count, work.back.data(),
                    width_, g + matrix(l));
    if (l > 0) back_through(i, l, x.count, work);
  }
  return value;
}

template <class Real>
std::vector<Real> GranDagNet<Real>::path_from(int i, int layer) const {
  const Real* w = weights_[i].data();
  std::vector<Real> path(width_), below(width_);
  for (int u = 0; u < width_; ++u) path[u] = std::abs(w[output() + u]) * static_cast<Real>(1 / paths_);
  for (int l = shape_.layers - 1; l > layer; --l) {
    const Real* m = w + matrix(l);
    for (int a = 0; a < width_; ++a) {
      Real sum = 0;
      for (int u = 0; u < width_; ++u) sum += std::abs(m[a * width_ + u]) * path[u];
      below[a] = sum;
    }
    path.swap(below);
  }
  return path;
}

template <class Real>
void GranDagNet<Real>::connect(int i) {
  const std::vector<Real> path = path_from(i, 0);
  const Real* m = weights_[i].data() + matrix(0);
  for (size_t k = 0; k < connectivity_[i].size(); ++k, m += width_) {
    Real sum = 0;
    for (int u = 0; u < width_; ++u) sum += std::abs(m[u]) * path[u];
    connectivity_[i][k] = sum;
  }
}

// With u_l = |W_{l+1}| ... |v| / paths (from the output down) and d_l = dh/dc |W_1| ... |W_l| (from the inputs up), the
// derivative by an entry of W_l is its sign times the product of the two on its sides.
template <class Real>
void GranDagNet<Real>::add_penalty(int i, const std::vector<Real>& by_connectivity, Real factor) {
  const Real* w = weights_[i].data();
  Real* g = gradient_[i].data();
  std::vector<Real> below = by_connectivity, next(width_);
  for (Real& b : below) b *= factor;
  for (int l = 0; l < shape_.layers; ++l) {
    const std::vector<Real> above = path_from(i, l);
    const Real* m = w + matrix(l);
    Real* by_matrix = g + matrix(l);
    std::fill(next.begin(), next.end(), Real(0));
    for (int a = 0; a < fan_in(i, l); ++a, m += width_, by_matrix += width_) {
      const Real weight = below[a];
      for (int u = 0; u < width_; ++u) {
        by_matrix[u] += std::copysign(weight * above[u], m[u]);  // in the padding, above is 0
        next[u] += weight * std::abs(m[u]);
      }
    }
    below = next;
  }
  for (int u = 0; u < shape_.units; ++u) {
    g[output() + u] += std::copysign(below[u] * static_cast<Real>(1 / paths_), w[output() + u]);
  }
}

template <class Real>
void GranDagNet<Real>::rms_step(int i, Real rate) {
  row_kernels<Real>().rms(gradient_[i].data(), rate, static_cast<int>(gradient_[i].size()), square_[i].data(),
                          weights_[i].data());
}

template <class Real>
void GranDagNet<Real>::remove_input(int i, size_t k) {
  inputs_[i].erase(inputs_[i].begin() + static_cast<long>(k));
  connectivity_[i].erase(connectivity_[i].begin() + static_cast<long>(k));
  const long row = matrix(0) + static_cast<long>(k) * width_;
  for (std::vector<Real>* part : {&weights_[i], &gradient_[i], &square_[i]}) {
    part->erase(part->begin() + row, part->begin() + row + width_);
  }
}

template <class Real>
void GranDagNet<Real>::add_influence(int i, const Rows& x, Work& work, std::vector<double>& sums) const {
  if (inputs_[i].empty()) return;
  forward(i, x, work);
  const Real* w = weights_[i].data();
  const Real precision = static_cast<Real>(std::exp(-2.0 * w[0]));
  work.back.resize(static_cast<size_t>(x.count) * width_);
  for (int r = 0; r < x.count; ++r) {
    for (int u = 0; u < width_; ++u) work.back[r * width_ + u] = precision * work.residual[r] * w[output() + u];
  }
  for (int l = shape_.layers - 1; l >= 0; --l) {
    row_kernels<Real>().slope(work.active[l].data(), static_cast<Real>(shape_.leak), x.count * width_,
                              work.back.data());
    back_through(i, l, x.count, work);
  }
  const size_t across = padded_units(fan_in(i, 0));
  for (int r = 0; r < x.count; ++r) {
    for (size_t k = 0; k < sums.size(); ++k) sums[k] += std::abs(static_cast<double>(work.back[r * across + k]));
  }
}

template class GranDagNet<float>;
template class GranDagNet<double>;

}  // namespace agon
