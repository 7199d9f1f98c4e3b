#include "agon/opponent/neighbour_selection.h"

#include <algorithm>
#include <cmath>

#include "agon/base/linear_algebra.h"
#include "agon/base/parallel.h"

namespace agon {
namespace {

constexpr double kVanished = 1e-6;  // a term with a smaller share of its variance left is only rounding

// Linear terms 0 .. p-1 followed by quadratic terms p .. 2p-1: x^2 without its mean and its linear part, or 0 if
// nothing remains.
Eigen::MatrixXd gram_of_terms(const StandardTable& table) {
  const int p = table.variables(), n = table.rows;
  Eigen::MatrixXd terms(n, 2 * p);
  for (int v = 0; v < p; ++v) {
    auto x = terms.col(v);
    for (int r = 0; r < n; ++r) x[r] = table.at(r, v);
    Eigen::VectorXd square = x.array().square();
    const double before = (square.array() - square.mean()).square().mean();
    square.array() -= square.mean();
    square -= x * (x.dot(square) / x.squaredNorm());
    const double left = square.squaredNorm() / n;
    if (left > kVanished * std::max(1.0, before)) {
      terms.col(p + v) = square / std::sqrt(left);
    } else {
      terms.col(p + v).setZero();
    }
  }
  Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(2 * p, 2 * p);
  add_gram(gram, terms, 1.0 / n);
  return mirrored(gram);
}

// What is left of all terms and of one target after regression on the terms that entered.
class Selection {
 public:
  Selection(const Eigen::MatrixXd& gram, int target)
      : gram_(gram),
        p_(static_cast<int>(gram.rows()) / 2),
        with_target_(gram.col(target)),
        variance_(gram.diagonal()),
        between_(p_),
        residual_(gram(target, target)) {
    for (int j = 0; j < p_; ++j) between_[j] = gram(j, p_ + j);
  }

  double residual() const { return residual_; }

  // How much the residual variance would fall if j entered.
  double gain(int j) const {
    const double a = variance_[j], b = variance_[p_ + j], c = between_[j];
    const double u = with_target_[j], v = with_target_[p_ + j];
    const double determinant = a * b - c * c;
    if (determinant > kVanished) return (b * u * u - 2 * c * u * v + a * v * v) / determinant;
    return std::max(a > kVanished ? u * u / a : 0.0, b > kVanished ? v * v / b : 0.0);
  }
  int terms(int j) const { return (variance_[j] > kVanished) + (variance_[p_ + j] > kVanished); }

  void enter(int j) {
    regress_out(j);
    regress_out(p_ + j);
  }

 private:
  void regress_out(int term) {
    const double variance = variance_[term];
    if (variance <= kVanished) return;
    Eigen::VectorXd loading = gram_.col(term);
    for (const Eigen::VectorXd& earlier : loadings_) loading -= earlier[term] * earlier;
    loading /= std::sqrt(variance);
    const double share = with_target_[term] / std::sqrt(variance);
    with_target_ -= share * loading;
    residual_ -= share * share;
    variance_.array() -= loading.array().square();
    between_.array() -= loading.head(p_).array() * loading.tail(p_).array();
    variance_[term] = 0;
    loadings_.push_back(std::move(loading));
  }

  const Eigen::MatrixXd& gram_;
  int p_;
  Eigen::VectorXd with_target_, variance_, between_;
  double residual_;
  std::vector<Eigen::VectorXd> loadings_;
};

}  // namespace

std::vector<std::vector<int>> select_neighbours(const StandardTable& table, int most,
                                                const std::function<bool(int from, int to)>& may_enter, int threads) {
  const int p = table.variables();
  const Eigen::MatrixXd gram = gram_of_terms(table);
  std::vector<std::vector<int>> out(p);
  parallel_for(p, threads, [&](int target) {
    Selection selection(gram, target);
    std::vector<int> eligible;
    for (int j = 0; j < p; ++j) {
      if (j != target && (!may_enter || may_enter(j, target))) eligible.push_back(j);
    }
    const int enough = std::min({most, table.rows / 4, static_cast<int>(eligible.size())});
    while (static_cast<int>(out[target].size()) < enough) {
      int best = -1;
      double best_gain = 0;
      for (int j : eligible) {
        const double gain = selection.gain(j);
        if (gain > best_gain) {
          best = j;
          best_gain = gain;
        }
      }
      if (best < 0) break;
      const double before = selection.residual(), after = std::max(before - best_gain, 1e-12);
      if (0.5 * table.rows * std::log(before / after) < selection.terms(best)) break;
      selection.enter(best);
      out[target].push_back(best);
      eligible.erase(std::find(eligible.begin(), eligible.end(), best));
      if (selection.residual() < 1e-9) break;
    }
    std::sort(out[target].begin(), out[target].end());
  });
  return out;
}

}  // namespace agon
