#include "agon/opponent/gran_dag_plain.h"

#include <cmath>
#include <numbers>

namespace agon {
namespace {

PlainMatrix product(const PlainMatrix& a, const PlainMatrix& b) {
  PlainMatrix out(a.size(), std::vector<double>(b[0].size(), 0.0));
  for (size_t i = 0; i < a.size(); ++i) {
    for (size_t j = 0; j < b[0].size(); ++j) {
      for (size_t k = 0; k < b.size(); ++k) out[i][j] += a[i][k] * b[k][j];
    }
  }
  return out;
}

PlainMatrix absolute(PlainMatrix m) {
  for (auto& row : m) {
    for (double& x : row) x = std::abs(x);
  }
  return m;
}

double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

}  // namespace

PlainMatrix plain_exponential(const PlainMatrix& m) {
  const size_t p = m.size();
  PlainMatrix sum(p, std::vector<double>(p, 0.0));
  for (size_t i = 0; i < p; ++i) sum[i][i] = 1;
  PlainMatrix term = sum;
  for (int order = 1; order < 1000; ++order) {
    term = product(term, m);
    double largest = 0;
    for (size_t i = 0; i < p; ++i) {
      for (size_t j = 0; j < p; ++j) {
        term[i][j] /= order;
        sum[i][j] += term[i][j];
        largest = std::max(largest, std::abs(term[i][j]));
      }
    }
    if (largest < 1e-17) break;
  }
  return sum;
}

PlainGranDag::PlainGranDag(const GranDagShape& shape, const std::vector<std::vector<int>>& inputs, Rng rng)
    : shape_(shape), p_(static_cast<int>(inputs.size())) {
  const double gain = std::sqrt(2 / (1 + shape.leak * shape.leak));
  for (int i = 0; i < p_; ++i) {
    Rng draw = rng.split("network", static_cast<uint64_t>(i));
    std::vector<bool> sees(p_, false);
    for (int j : inputs[i]) sees[j] = true;
    sees_.push_back(sees);
    Network net;
    for (int l = 0; l <= shape.layers; ++l) {
      const int in = l == 0 ? p_ : shape.units, out = l == shape.layers ? 1 : shape.units;
      const int fan_in = l == 0 ? static_cast<int>(inputs[i].size()) : in;
      const double bound = gain * std::sqrt(6.0 / (fan_in + out));
      Layer layer;
      layer.weight.assign(in, std::vector<double>(out, 0.0));
      for (int a = 0; a < in; ++a) {
        if (l == 0 && !sees[a]) continue;
        for (int b = 0; b < out; ++b) layer.weight[a][b] = draw.uniform(-bound, bound);
      }
      layer.by_weight.assign(in, std::vector<double>(out, 0.0));
      layer.square = layer.by_weight;
      layer.bias.assign(out, 0.0);
      layer.by_bias = layer.square_bias = layer.bias;
      net.layers.push_back(layer);
    }
    networks_.push_back(net);
  }
}

double PlainGranDag::add_likelihood(int variable, const PlainMatrix& rows) {
  Network& net = networks_[variable];
  const size_t depth = net.layers.size();
  const double share = 1.0 / (static_cast<double>(rows.size()) * p_);
  double loss = 0;
  for (const std::vector<double>& row : rows) {
    std::vector<std::vector<double>> value = {row};
    for (int j = 0; j < p_; ++j) {
      if (!sees_[variable][j]) value[0][j] = 0;
    }
    for (size_t l = 0; l < depth; ++l) {
      const Layer& layer = net.layers[l];
      std::vector<double> out = layer.bias;
      for (size_t b = 0; b < out.size(); ++b) {
        for (size_t a = 0; a < value[l].size(); ++a) out[b] += value[l][a] * layer.weight[a][b];
        if (l + 1 < depth && out[b] < 0) out[b] *= shape_.leak;
      }
      value.push_back(out);
    }
    const double residual = row[variable] - value[depth][0], precision = std::exp(-2 * net.log_scale);
    loss += 0.5 * std::log(2 * std::numbers::pi) + net.log_scale + 0.5 * residual * residual * precision;
    net.by_log_scale += share * (1 - residual * residual * precision);

    std::vector<double> back = {-share * residual * precision};
    for (size_t l = depth; l-- > 0;) {
      Layer& layer = net.layers[l];
      std::vector<double> below(value[l].size(), 0.0);
      for (size_t b = 0; b < back.size(); ++b) {
        layer.by_bias[b] += back[b];
        for (size_t a = 0; a < value[l].size(); ++a) {
          layer.by_weight[a][b] += value[l][a] * back[b];
          below[a] += layer.weight[a][b] * back[b];
        }
      }
      for (size_t a = 0; a < below.size(); ++a) {
        if (value[l][a] <= 0) below[a] *= shape_.leak;
      }
      back = below;
    }
  }
  return loss * share;
}

PlainMatrix PlainGranDag::connectivity() const {
  PlainMatrix c(p_, std::vector<double>(p_, 0.0));
  for (int i = 0; i < p_; ++i) {
    PlainMatrix path = absolute(networks_[i].layers[0].weight);
    for (size_t l = 1; l < networks_[i].layers.size(); ++l)
      path = product(path, absolute(networks_[i].layers[l].weight));
    for (int j = 0; j < p_; ++j) {
      if (sees_[i][j]) c[j][i] = path[j][0] / std::pow(shape_.units, shape_.layers);
    }
  }
  return c;
}

void PlainGranDag::add_penalty(const PlainMatrix& by_connectivity) {
  for (int i = 0; i < p_; ++i) {
    std::vector<Layer>& layers = networks_[i].layers;
    for (size_t l = 0; l < layers.size(); ++l) {
      // The product of the absolute matrices before layer l, weighted by the input's share, and the product of those
      // after it.
      PlainMatrix before(1, std::vector<double>(p_, 0.0));
      for (int j = 0; j < p_; ++j) {
        if (sees_[i][j]) before[0][j] = by_connectivity[j][i] / std::pow(shape_.units, shape_.layers);
      }
      for (size_t k = 0; k < l; ++k) before = product(before, absolute(layers[k].weight));
      PlainMatrix after(1, std::vector<double>(1, 1.0));
      for (size_t k = layers.size(); k-- > l + 1;) after = product(absolute(layers[k].weight), after);
      for (size_t a = 0; a < layers[l].weight.size(); ++a) {
        for (size_t b = 0; b < layers[l].weight[a].size(); ++b) {
          layers[l].by_weight[a][b] += sign(layers[l].weight[a][b]) * before[0][a] * after[b][0];
        }
      }
    }
  }
}

void PlainGranDag::update(double rate) {
  const auto one = [rate](double& w, double& g, double& m) {
    m = 0.99 * m + 0.01 * g * g;
    w -= rate * g / (std::sqrt(m) + 1e-8);
    g = 0;
  };
  for (Network& net : networks_) {
    one(net.log_scale, net.by_log_scale, net.square_log_scale);
    for (Layer& layer : net.layers) {
      for (size_t b = 0; b < layer.bias.size(); ++b) {
        one(layer.bias[b], layer.by_bias[b], layer.square_bias[b]);
        for (size_t a = 0; a < layer.weight.size(); ++a)
          one(layer.weight[a][b], layer.by_weight[a][b], layer.square[a][b]);
      }
    }
  }
}

PlainGranDag::Outcome PlainGranDag::step(const PlainMatrix& rows, double lambda, double mu, double rate, double clamp) {
  Outcome out{0, -static_cast<double>(p_)};
  for (int i = 0; i < p_; ++i) out.loss += add_likelihood(i, rows);
  const PlainMatrix exponential = plain_exponential(connectivity());
  for (int i = 0; i < p_; ++i) out.h += exponential[i][i];
  PlainMatrix by_connectivity(p_, std::vector<double>(p_, 0.0));
  for (int j = 0; j < p_; ++j) {
    for (int i = 0; i < p_; ++i) by_connectivity[j][i] = (lambda + mu * out.h) * exponential[i][j];
  }
  add_penalty(by_connectivity);
  update(rate);
  const PlainMatrix c = connectivity();
  for (int i = 0; i < p_; ++i) {
    for (int j = 0; j < p_; ++j) {
      if (c[j][i] <= clamp) sees_[i][j] = false;
    }
  }
  return out;
}

}  // namespace agon
