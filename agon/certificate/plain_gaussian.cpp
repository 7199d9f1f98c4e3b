#include "agon/certificate/plain_gaussian.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>

#include "agon/base/linear_algebra.h"
#include "agon/base/parallel.h"
#include "agon/certificate/plain_set_scores.h"
#include "agon/data/capability.h"

namespace agon::plain {
namespace {

// Mean and standard deviation (divided by n, not n - 1) in two passes. Cells are first scaled by a power of two, which
// is exact, so that squares neither overflow nor underflow.
std::pair<double, double> mean_and_deviation(const std::vector<double>& x) {
  double largest = 0;
  for (double cell : x) largest = std::max(largest, std::abs(cell));
  if (largest == 0) return {0, 0};
  const int exponent = std::ilogb(largest);
  const double n = static_cast<double>(x.size());
  long double sum = 0, squares = 0;
  for (double cell : x) sum += std::scalbn(cell, -exponent);
  const double mean = static_cast<double>(sum / n);
  for (double cell : x) {
    const long double d = std::scalbn(cell, -exponent) - mean;
    squares += d * d;
  }
  return {std::scalbn(mean, exponent), std::scalbn(std::sqrt(static_cast<double>(squares / n)), exponent)};
}

// F^-1((average rank - 1/2) / n), F the normal distribution function, then scaled to mean 0 and variance 1. An average
// rank is a multiple of 1/2, so one table `quantiles`, indexed by twice the rank, serves all columns.
std::vector<double> normal_scores(const std::vector<double>& x, std::vector<double>& quantiles) {
  const size_t n = x.size();
  std::vector<std::pair<double, size_t>> sorted(n);
  for (size_t row = 0; row < n; ++row) sorted[row] = {x[row], row};
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> z(n);
  for (size_t first = 0, end = 0; first < n; first = end) {
    while (end < n && sorted[end].first == sorted[first].first) ++end;
    const size_t twice_rank = first + 1 + end;  // ranks first + 1 .. end
    double& quantile = quantiles[twice_rank];
    if (std::isnan(quantile)) {
      quantile = normal_quantile((static_cast<double>(twice_rank) - 1) / (2 * static_cast<double>(n)));
    }
    for (size_t k = first; k < end; ++k) z[sorted[k].second] = quantile;
  }
  const auto [mean, deviation] = mean_and_deviation(z);
  for (double& cell : z) cell = deviation > 0 ? (cell - mean) / deviation : 0;
  return z;
}

}  // namespace

double normal_quantile(double u) {
  if (u > 0.5) return -normal_quantile(1 - u);
  double low = -40, high = 0;
  for (;;) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) return middle;
    (0.5 * std::erfc(-middle / std::numbers::sqrt2) < u ? low : high) = middle;
  }
}

double GaussianModel::log_likelihood(std::span<const double> x) const {
  double sum = 0;
  for (size_t j = 0; j < equations.size(); ++j) {
    const Equation& e = equations[j];
    if (e.variance == 0) continue;
    double residual = x[j];
    for (size_t k = 0; k < e.parents.size(); ++k) residual -= e.coefficients[k] * x[e.parents[k]];
    sum -= 0.5 * (std::log(2 * std::numbers::pi * e.variance) + residual * residual / e.variance);
  }
  return sum;
}

std::vector<double> GaussianModel::gradient(std::span<const double> x) const {
  std::vector<double> out(equations.size());
  for (size_t j = 0; j < equations.size(); ++j) {
    const Equation& e = equations[j];
    if (e.variance == 0) continue;
    double residual = x[j];
    for (size_t k = 0; k < e.parents.size(); ++k) residual -= e.coefficients[k] * x[e.parents[k]];
    const double pull = residual / e.variance;
    out[j] -= pull;
    for (size_t k = 0; k < e.parents.size(); ++k) out[e.parents[k]] += e.coefficients[k] * pull;
  }
  return out;
}

std::unique_ptr<Scorer> gaussian_bic(const Dataset& data, double penalty) {
  return std::make_unique<GaussianScorer>(data, GaussianScorer::Scale::kRaw, penalty);
}

std::unique_ptr<Scorer> copula_bic(const Dataset& data, double penalty) {
  return std::make_unique<GaussianScorer>(data, GaussianScorer::Scale::kCopula, penalty);
}

GaussianScorer::GaussianScorer(const Dataset& data, Scale scale, double penalty)
    : data_(data), factor_(penalty), penalty_(penalty * 0.5 * std::log(static_cast<double>(data.rows()))) {
  rows_ = static_cast<double>(data.rows());
  rounding_ = 1e-16 * (100 + std::sqrt(rows_));
  refuse_beyond(kOrdinaryTables, data, "the certificate");
  const int p = data.size();
  std::vector<double> quantiles(2 * data.rows() + 1, std::nan(""));
  for (Node v = 0; v < p; ++v) {
    const std::vector<double>& x = data.column(v).values;
    const bool copula = scale == Scale::kCopula;
    auto [mean, deviation] = mean_and_deviation(x);
    constant_.push_back(data.column(v).is_isolated() || !(deviation > 0 || copula));
    if (copula) {
      normal_.push_back(constant_[v] ? std::vector<double>(x.size()) : normal_scores(x, quantiles));
      mean = 0;
      deviation = 1;
    }
    mean_.push_back(mean);
    deviation_.push_back(deviation);
  }
  // R of the standardised table, a block of rows at a time: each block is factorised below the factor found so far.
  const Eigen::Index height = std::max<Eigen::Index>(512, 2 * p);
  const Eigen::Index rows = static_cast<Eigen::Index>(data.rows());
  Eigen::MatrixXd block, factor(0, p);
  for (Eigen::Index first = 0; first < rows; first += height) {
    const Eigen::Index size = std::min(height, rows - first);
    block.resize(factor.rows() + size, p);
    block.topRows(factor.rows()) = factor;
    for (Node v = 0; v < p; ++v) {
      for (Eigen::Index k = 0; k < size; ++k) {
        block(factor.rows() + k, v) = standardised(v, static_cast<size_t>(first + k)) / std::sqrt(rows_);
      }
    }
    if (block.rows() <= p) {
      factor = block;
      continue;
    }
    factor = triangular_factor(block);
  }
  short_ = std::move(factor);
}

Eigen::MatrixXd GaussianScorer::correlation() const {
  Eigen::MatrixXd out = Eigen::MatrixXd::Identity(size(), size());
  for (Node a = 0; a < size(); ++a) {
    for (Node b = 0; b < a; ++b) {
      if (constant_[a] || constant_[b]) continue;
      long double sum = 0;
      for (Eigen::Index k = 0; k < short_.rows(); ++k) sum += static_cast<long double>(short_(k, a)) * short_(k, b);
      out(a, b) = out(b, a) = static_cast<double>(sum);
    }
  }
  return out;
}

double GaussianScorer::standardised(Node v, size_t row) const {
  if (constant_[v]) return 0;
  return normal_.empty() ? (data_.column(v).values[row] - mean_[v]) / deviation_[v] : normal_[v][row];
}

// Gram-Schmidt, with a second pass where the first removed nearly everything, so that much of what remains is rounding
// (Kahan's "twice is enough", in Parlett 1998, section 6-9).
Eigen::VectorXd GaussianScorer::residual(Eigen::VectorXd x, const Columns& orthonormal) {
  for (int pass = 0; pass < 2; ++pass) {
    const double before = x.squaredNorm();
    for (const Eigen::VectorXd& b : orthonormal) x -= b.dot(x) * b;
    if (x.squaredNorm() > 0.01 * before) break;
  }
  return x;
}

GaussianScorer::Basis GaussianScorer::basis(Parents parents) const {
  Basis out;
  for (Node q : parents) {
    if (constant_[q]) continue;
    Eigen::VectorXd x = residual(short_.col(q), out.vectors);
    const double share = x.squaredNorm();
    if (share <= kDetermined) continue;
    out.smallest = std::min(out.smallest, share);
    out.vectors.push_back(x / std::sqrt(share));
  }
  return out;
}

Value GaussianScorer::value(Node child, double share, double smallest, size_t parents) const {
  if (share <= kDetermined) return {kUndefined, 0};
  const double log_variance = 2 * std::log(deviation_[child]) + std::log(share);
  return {-0.5 * rows_ * (std::log(2 * std::numbers::pi) + log_variance + 1) -
              penalty_ * (static_cast<double>(parents) + 2),
          rows_ * rounding_ / std::min(share, smallest)};
}

Value GaussianScorer::local(Node child, Parents parents) const {
  if (constant_[child]) return {-penalty_ * static_cast<double>(parents.size()), 0};
  const Basis given = basis(parents);
  return value(child, residual(short_.col(child), given.vectors).squaredNorm(), given.smallest, parents.size());
}

std::vector<Value> GaussianScorer::additions(Node child, Parents parents, std::span<const Node> others) const {
  std::vector<Value> out;
  const Basis given = basis(parents);
  const Eigen::VectorXd rest = residual(short_.col(child), given.vectors);
  for (Node v : others) {
    if (constant_[child] || constant_[v]) {
      out.push_back({kUndefined, 0});
      continue;
    }
    const Eigen::VectorXd x = residual(short_.col(v), given.vectors);
    const double length = x.squaredNorm();
    if (length <= kDetermined * (1 + 1e-3)) {  // adds nothing; at the border the search may decide either way
      const Value same = value(child, rest.squaredNorm(), given.smallest, parents.size() + 1);
      out.push_back(length <= kDetermined * (1 - 1e-3) ? same : Value{kUndefined, 0});
      continue;
    }
    const double share = (rest - x * (x.dot(rest) / length)).squaredNorm();
    // So close to the border, another computation may find the model undefined.
    const bool border = share <= kDetermined * (1 + 1e-3);
    out.push_back(value(child, border ? 0 : share, std::min(given.smallest, length), parents.size() + 1));
  }
  return out;
}

// A node v that is left out: its column keeps the share `length` of its square beside the parents, and covers
// dot^2 / (length rest^2) of what they leave of the child. Below `bar` that gains at most `least`. All products are
// those of one matrix with the columns of several families. Their error is far below kRounding, and nodes and families
// so close to dependence that it might matter all the same are not left out.
std::vector<NodeSet> GaussianScorer::may_gain(std::span<const Family> families, double least) const {
  constexpr double kRounding = 1e-10, kLeastLength = 1e-3, kLeastRest = 1e-4;
  const double bar = -std::expm1(-2 * (penalty_ + least) / rows_);
  struct Place {
    Eigen::Index first, end;
    double rest;
  };
  std::vector<Place> places;
  Columns directions;  // of each family: what is left of the child, then the basis of the parents
  for (const Family& family : families) {
    const Eigen::Index first = static_cast<Eigen::Index>(directions.size());
    Basis given = basis(family.parents);
    directions.push_back(residual(short_.col(family.child), given.vectors));
    const double rest = directions.back().squaredNorm();
    for (Eigen::VectorXd& b : given.vectors) directions.push_back(std::move(b));
    places.push_back({first, static_cast<Eigen::Index>(directions.size()), rest});
  }
  Eigen::MatrixXd right(short_.rows(), static_cast<Eigen::Index>(directions.size()));
  for (size_t k = 0; k < directions.size(); ++k) right.col(static_cast<Eigen::Index>(k)) = directions[k];
  const Eigen::MatrixXd products = transpose_product(short_, right);
  std::vector<NodeSet> out;
  for (const Place& place : places) {
    NodeSet& may = out.emplace_back(size());
    const bool close = place.rest < kLeastRest || place.rest * (1 - bar) < kLeastRest * kLeastRest;
    for (Node v = 0; v < size(); ++v) {
      double length = 1;
      for (Eigen::Index k = place.first + 1; k < place.end; ++k) length -= products(v, k) * products(v, k);
      const double dot = std::abs(products(v, place.first)) + kRounding;
      if (close || length < kLeastLength || dot * dot > bar * place.rest * (length - kRounding)) may.insert(v);
    }
  }
  return out;
}

GaussianModel::Equation GaussianScorer::equation(Node child, Parents parents) const {
  GaussianModel::Equation out;
  if (constant_[child]) return out;
  Columns orthonormal;
  for (Node q : parents) {
    if (constant_[q]) continue;
    const Eigen::VectorXd x = residual(short_.col(q), orthonormal);
    if (x.squaredNorm() <= kDetermined) continue;
    orthonormal.push_back(x.normalized());
    out.parents.push_back(q);
  }
  out.variance = residual(short_.col(child), orthonormal).squaredNorm();
  if (out.parents.empty()) return out;
  Eigen::MatrixXd design(short_.rows(), static_cast<Eigen::Index>(out.parents.size()));
  for (size_t k = 0; k < out.parents.size(); ++k) {
    design.col(static_cast<Eigen::Index>(k)) = short_.col(out.parents[k]);
  }
  const Eigen::VectorXd b = least_squares(design, short_.col(child));
  out.coefficients.assign(b.data(), b.data() + b.size());
  return out;
}

GaussianModel GaussianScorer::fit(const Dag& dag) const {
  GaussianModel model;
  for (Node v = 0; v < size(); ++v) model.equations.push_back(equation(v, dag.parent_list(v)));
  return model;
}

double GaussianScorer::row_constant(const std::vector<Dag>& graphs, int threads) const {
  std::map<Family, GaussianModel::Equation> memo;
  std::vector<GaussianModel> models(graphs.size());
  for (size_t k = 0; k < graphs.size(); ++k) {
    for (Node v = 0; v < size(); ++v) {
      const auto [at, fresh] = memo.try_emplace(family_of(graphs[k], v));
      if (fresh) at->second = equation(v, at->first.parents);
      models[k].equations.push_back(at->second);
    }
  }
  constexpr size_t kBlock = 256;
  std::vector<double> largest((data_.rows() + kBlock - 1) / kBlock);
  parallel_for(static_cast<int>(largest.size()), threads, [&](int block) {
    std::vector<double> x(size());
    const size_t first = block * kBlock;
    for (size_t row = first; row < std::min(first + kBlock, data_.rows()); ++row) {
      for (Node v = 0; v < size(); ++v) x[v] = standardised(v, row);
      for (const GaussianModel& model : models) {
        double squares = 0;
        for (double g : model.gradient(x)) squares += g * g;
        largest[block] = std::max(largest[block], squares);
      }
    }
  });
  return std::sqrt(*std::max_element(largest.begin(), largest.end()));
}

// Weighted covariances of the pairs that share a family, then elimination of the parents, family by family.
class GaussianScorer::Resampled final : public Resampler {
 public:
  Resampled(const GaussianScorer& scorer, const std::vector<Family>& families)
      : scorer_(scorer), families_(families), place_(scorer.size(), -1) {
    for (const Family& family : families) {
      for (Node v : family.parents) place_[v] = 0;
      place_[family.child] = 0;
    }
    int used = 0;
    for (int& place : place_) place = place < 0 ? -1 : used++;
    BitRows together(used);
    for (const Family& family : families) {
      const std::vector<int> at = places(family);
      for (int a : at) {
        for (int b : at) together.set(std::max(a, b), std::min(a, b));
      }
    }
    for (int a = 0; a < used; ++a) partners_.push_back(together[a].to_vector());
    table_.resize(static_cast<Eigen::Index>(scorer.data_.rows()), used);
    for (Node v = 0; v < scorer.size(); ++v) {
      if (place_[v] < 0) continue;
      for (size_t row = 0; row < scorer.data_.rows(); ++row) {
        table_(static_cast<Eigen::Index>(row), place_[v]) = scorer.standardised(v, row);
      }
    }
  }

  std::vector<double> scores(std::span<const uint32_t> weights) const override {
    const Eigen::MatrixXd covariance = weighted_covariance(weights);
    std::vector<double> out;
    for (const Family& family : families_) out.push_back(score(family, covariance));
    return out;
  }

 private:
  std::vector<int> places(const Family& family) const {  // the child last
    std::vector<int> at;
    for (Node q : family.parents) at.push_back(place_[q]);
    at.push_back(place_[family.child]);
    return at;
  }

  // Zero for a pair that shares no family.
  Eigen::MatrixXd weighted_covariance(std::span<const uint32_t> weights) const {
    const Eigen::Index m = table_.cols();
    Eigen::VectorXd share(table_.rows());
    for (Eigen::Index row = 0; row < share.size(); ++row) share(row) = weights[row] / scorer_.rows();
    Eigen::MatrixXd covariance = Eigen::MatrixXd::Zero(m, m);
    Eigen::VectorXd mean(m), weighted(table_.rows());
    for (Eigen::Index a = 0; a < m; ++a) {
      weighted = share.cwiseProduct(table_.col(a));
      mean(a) = weighted.sum();
      for (int b : partners_[a]) {
        covariance(a, b) = covariance(b, a) = weighted.dot(table_.col(b)) - mean(a) * mean(b);
      }
    }
    return covariance;
  }

  double score(const Family& family, const Eigen::MatrixXd& covariance) const {
    const Eigen::Index k = static_cast<Eigen::Index>(family.parents.size());
    const std::vector<int> at = places(family);
    Eigen::MatrixXd m(k + 1, k + 1);
    for (Eigen::Index a = 0; a <= k; ++a) {
      for (Eigen::Index b = 0; b <= k; ++b) m(a, b) = covariance(at[a], at[b]);
    }
    const double own = m(k, k);
    const double charge = scorer_.penalty_ * static_cast<double>(k);
    if (scorer_.constant_[family.child] || own <= kDetermined) return -charge;  // constant among these rows
    for (Eigen::Index i = 0; i < k; ++i) {
      if (m(i, i) <= kDetermined * covariance(at[i], at[i])) continue;
      for (Eigen::Index a = i + 1; a <= k; ++a) {
        const double factor = m(a, i) / m(i, i);
        for (Eigen::Index b = i + 1; b <= k; ++b) m(a, b) -= factor * m(i, b);
      }
    }
    if (m(k, k) <= kDetermined * own) return kUndefined;
    const double log_variance = 2 * std::log(scorer_.deviation_[family.child]) + std::log(m(k, k));
    return -0.5 * scorer_.rows() * (std::log(2 * std::numbers::pi) + log_variance + 1) - charge - 2 * scorer_.penalty_;
  }

  const GaussianScorer& scorer_;
  std::vector<Family> families_;
  std::vector<int> place_;                  // column of table_, by node
  std::vector<std::vector<int>> partners_;  // by column a: columns b <= a that share a family with it, a included
  Eigen::MatrixXd table_;                   // standardised columns
};

std::vector<std::string> GaussianScorer::assumptions() const {
  return {!normal_.empty()
              ? "The bound is for standard Gaussian data: each column was given Gaussian margins by its ranks, but "
                "columns with Gaussian margins need not be jointly Gaussian."
              : "The bound is for standard Gaussian data: the columns were standardised, but real columns are Gaussian "
                "only approximately.",
          "The bound is for a Lipschitz score: a Gaussian log-likelihood is quadratic and has no finite Lipschitz "
          "constant; L is its steepest slope at the rows of this table."};
}

std::unique_ptr<SetScores> GaussianScorer::set_scores(double price) const {
  return gaussian_set_scores(*this, rows_, factor_, price);
}

std::unique_ptr<Resampler> GaussianScorer::resampler(const std::vector<Family>& families) const {
  return std::make_unique<Resampled>(*this, families);
}

}  // namespace agon::plain
