#include "agon/opponent/order_regression.h"

#include <algorithm>
#include <cmath>

#include "agon/base/linear_algebra.h"
#include "agon/base/parallel.h"

namespace agon {
namespace {

constexpr double kLeastVariance = 1e-8;  // share of variance below which a variable counts as determined
constexpr int kRowsAtOnce = 256;         // rows at a time

// A symmetric matrix in which variables are swept in and out. The entry (target, target) is the residual variance given
// those swept in. The entry (k, target) is the coefficient of k if k is in, else their partial covariance.
class Sweep {
 public:
  Sweep(const Correlations& c, const std::vector<int>& variables) : m_(static_cast<int>(variables.size())) {
    for (int a : variables) {
      for (int b : variables) value_.push_back(c.at(a, b));
    }
  }
  double at(int a, int b) const { return value_[static_cast<size_t>(a) * m_ + b]; }
  void sweep(int k) {
    double* pivot = &value_[static_cast<size_t>(k) * m_];
    const double d = pivot[k];
    for (int b = 0; b < m_; ++b) pivot[b] /= d;
    for (int a = 0; a < m_; ++a) {
      if (a == k) continue;
      double* row = &value_[static_cast<size_t>(a) * m_];
      const double factor = row[k];
      for (int b = 0; b < m_; ++b) row[b] -= factor * pivot[b];
      row[k] = -factor / d;
    }
    pivot[k] = 1 / d;
  }

 private:
  int m_;
  std::vector<double> value_;
};

// The chosen members of `earlier` with their coefficients.
std::vector<std::pair<int, double>> choose(const Correlations& c, int target, const std::vector<int>& earlier,
                                           const std::vector<bool>& required, const Watch& watch) {
  std::vector<int> variables = earlier;
  variables.push_back(target);
  Sweep s(c, variables);
  const int m = static_cast<int>(earlier.size()), t = m;
  std::vector<bool> in(m, false);
  int count = 0;
  const double price = std::log(c.rows);  // of a parent, on the scale of twice the log-likelihood
  for (int k = 0; k < m; ++k) {
    if (!required[k] || s.at(k, k) < kLeastVariance) continue;
    s.sweep(k);
    in[k] = true;
    ++count;
  }
  while (s.at(t, t) > kLeastVariance && count + 3 < c.rows) {
    int best = -1;
    double most = 0;
    for (int k = 0; k < m; ++k) {
      if (in[k] || s.at(k, k) < kLeastVariance) continue;
      const double fall = s.at(k, t) * s.at(k, t) / s.at(k, k);
      if (fall > most) {
        most = fall;
        best = k;
      }
    }
    if (watch.stop_requested()) return {};
    const double left = s.at(t, t) - most;
    if (best < 0 || (left > 0 && -c.rows * std::log(left / s.at(t, t)) <= price)) break;
    s.sweep(best);
    in[best] = true;
    ++count;
  }
  while (s.at(t, t) > kLeastVariance) {
    int least = -1;
    double rise = 0;
    for (int k = 0; k < m; ++k) {
      if (!in[k] || required[k]) continue;
      const double r = s.at(k, t) * s.at(k, t) / s.at(k, k);  // here the entry (k, k) is that of the inverse
      if (least < 0 || r < rise) {
        rise = r;
        least = k;
      }
    }
    if (least < 0 || c.rows * std::log1p(rise / s.at(t, t)) > price) break;
    s.sweep(least);
    in[least] = false;
  }
  std::vector<std::pair<int, double>> out;
  for (int k = 0; k < m; ++k) {
    if (in[k]) out.emplace_back(earlier[k], s.at(k, t));
  }
  return out;
}

}  // namespace

Correlations correlations(const StandardTable& table) {
  const int p = table.variables(), n = table.rows;
  Correlations out{p, static_cast<double>(n), std::vector<double>(static_cast<size_t>(p) * p), table.node};
  if (p == 0) return out;  // Eigen's products do not accept empty matrices
  Eigen::MatrixXd sums = Eigen::MatrixXd::Zero(p, p);
  for (int first = 0; first < n; first += kRowsAtOnce) {
    const Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> rows(
        table.value.data() + static_cast<size_t>(first) * p, std::min(kRowsAtOnce, n - first), p);
    const Eigen::MatrixXd block = rows.cast<double>();
    add_gram(sums, block);
  }
  for (int a = 0; a < p; ++a) {
    for (int b = a; b < p; ++b) out.value[static_cast<size_t>(a) * p + b] = sums(b, a);
  }
  std::vector<double> root(p);
  for (int a = 0; a < p; ++a) root[a] = std::sqrt(out.at(a, a));
  for (int a = 0; a < p; ++a) {
    for (int b = a; b < p; ++b) {
      const double r = a == b ? 1 : out.at(a, b) / (root[a] * root[b]);
      out.value[static_cast<size_t>(a) * p + b] = out.value[static_cast<size_t>(b) * p + a] = r;
    }
  }
  return out;
}

std::vector<WeightedEdge> regress_in_order(const Correlations& c, const std::vector<int>& order,
                                           const Knowledge& knowledge, int threads, const Watch& watch) {
  std::vector<std::vector<WeightedEdge>> found(order.size());
  parallel_for(static_cast<int>(order.size()), threads, [&](int place) {
    if (watch.stop_requested()) return;
    const int target = order[place];
    std::vector<int> earlier(order.begin(), order.begin() + place);
    std::sort(earlier.begin(), earlier.end());
    std::erase_if(earlier, [&](int v) { return knowledge.is_forbidden({c.node[v], c.node[target]}); });
    std::vector<bool> required;
    for (int v : earlier) required.push_back(knowledge.is_required({c.node[v], c.node[target]}));
    for (const auto& [v, coefficient] : choose(c, target, earlier, required, watch)) {
      found[place].push_back({{c.node[v], c.node[target]}, std::abs(coefficient)});
    }
  });
  std::vector<WeightedEdge> out;
  for (const auto& list : found) out.insert(out.end(), list.begin(), list.end());
  return out;
}

bool may_come_first(int v, const std::vector<int>& rest, const std::vector<int>& node, const Knowledge& knowledge,
                    bool tiers) {
  return std::all_of(rest.begin(), rest.end(), [&](int u) {
    if (u == v) return true;
    const Edge out{node[v], node[u]}, in{node[u], node[v]};
    return !knowledge.is_required(in) && !(tiers && knowledge.is_forbidden(out) && knowledge.allows(in));
  });
}

}  // namespace agon
