#include "agon/opponent/rl_reward.h"

#include <algorithm>
#include <cmath>

#include "agon/base/linear_algebra.h"
#include "agon/nn/dense_kernels.h"

namespace agon {
namespace {

constexpr double kAddedSquare = 1e-8;  // added to a mean square before its logarithm
constexpr double kDependent = 1e-10;   // a term of which less than this share is left is a combination of others
constexpr double kTop = 5;             // the relative score of the empty graph
constexpr double kProcessNoise = 1e-10;

std::string key_of(int child, const std::vector<int>& parents, int d) {
  std::string key(2 + (d + 7) / 8, '\0');
  key[0] = static_cast<char>(child & 255);
  key[1] = static_cast<char>(child >> 8);
  for (const int p : parents) key[2 + p / 8] = static_cast<char>(key[2 + p / 8] | 1 << (p % 8));
  return key;
}

// Cholesky's factor of the moments of some terms, row by row; a term that depends on those before it gets no row.
struct Factor {
  std::vector<int> kept;
  Eigen::MatrixXd rows;

  Factor(const Eigen::MatrixXd& moments, const std::vector<int>& terms)
      : rows(static_cast<long>(terms.size()), static_cast<long>(terms.size())) {
    for (const int term : terms) {
      const double left = add_row(moments, term, static_cast<long>(kept.size()));
      if (left > kDependent * moments(term, term)) kept.push_back(term);
    }
  }
  // Writes row `k`, which belongs to `term`, and returns the square of its last element: what the others leave over.
  double add_row(const Eigen::MatrixXd& moments, int term, long k) {
    if (k >= rows.rows()) rows.conservativeResize(k + 1, std::max(k + 1, rows.cols()));
    double left = moments(term, term);
    for (long c = 0; c < k; ++c) {
      double v = moments(term, kept[c]);
      for (long e = 0; e < c; ++e) v -= rows(k, e) * rows(c, e);
      v /= rows(c, c);
      rows(k, c) = v;
      left -= v * v;
    }
    rows(k, k) = std::sqrt(std::max(left, 0.0));
    return left;
  }
};

// Covariances of the given columns, which are centred here.
Eigen::MatrixXd covariances(Eigen::MatrixXd columns) {
  for (long c = 0; c < columns.cols(); ++c) columns.col(c).array() -= columns.col(c).mean();
  Eigen::MatrixXd sums = Eigen::MatrixXd::Zero(columns.cols(), columns.cols());
  for (long first = 0; first < columns.rows(); first += 256) {
    const Eigen::MatrixXd block = columns.middleRows(first, std::min<long>(256, columns.rows() - first));
    add_gram(sums, block);
  }
  return mirrored(sums) / static_cast<double>(columns.rows());
}

}  // namespace

double same_log(double x) {
  double y = 0;
  dense_kernels<double>().log(&x, 1, &y);
  return y;
}

Regressions::Regressions(const StandardTable& table, Regression kind)
    : d_(table.variables()), n_(table.rows), kind_(kind) {
  const bool products = kind == Regression::kQuadratic;
  const long terms = d_ + (products ? static_cast<long>(d_) * (d_ + 1) / 2 : 0);
  Eigen::MatrixXd columns(table.rows, terms);
  for (int r = 0; r < table.rows; ++r) {
    for (int v = 0; v < d_; ++v) columns(r, v) = static_cast<double>(table.at(r, v));
  }
  if (products) {
    long at = d_;
    for (int a = 0; a < d_; ++a) {
      for (int b = a; b < d_; ++b) columns.col(at++) = columns.col(a).cwiseProduct(columns.col(b));
    }
  }
  if (kind == Regression::kGaussianProcess) columns_ = columns;
  moments_ = covariances(std::move(columns));
}

std::vector<int> Regressions::terms_of(const std::vector<int>& parents) const {
  std::vector<int> terms = parents;
  if (kind_ != Regression::kQuadratic) return terms;
  for (size_t i = 0; i < parents.size(); ++i) {
    for (size_t j = i; j < parents.size(); ++j) {
      const int a = parents[i], b = parents[j];
      terms.push_back(d_ + a * d_ - a * (a - 1) / 2 + (b - a));
    }
  }
  return terms;
}

double Regressions::residual(int child, const std::vector<int>& parents) {
  const auto [place, fresh] = cache_.try_emplace(key_of(child, parents, d_), 0.0);
  if (!fresh) return place->second;
  ++fitted_;
  double result = 0;
  if (kind_ == Regression::kGaussianProcess) {
    result = parents.empty() ? moments_(child, child) : process_residual(child, parents);
  } else {
    Factor factor(moments_, terms_of(parents));
    result = std::max(0.0, factor.add_row(moments_, child, static_cast<long>(factor.kept.size())));
  }
  return place->second = result;
}

// y - K (K + s I)^-1 y = s (K + s I)^-1 y.
double Regressions::process_residual(int child, const std::vector<int>& parents) const {
  const long n = columns_.rows();
  Eigen::MatrixXd k = Eigen::MatrixXd::Zero(n, n);
  for (const int p : parents) {
    for (long j = 0; j < n; ++j) {
      for (long i = j + 1; i < n; ++i) {
        const double apart = columns_(i, p) - columns_(j, p);
        k(i, j) += apart * apart;
      }
    }
  }
  std::vector<double> squares;
  for (long j = 0; j < n; ++j) {
    for (long i = j + 1; i < n; ++i) squares.push_back(k(i, j));
  }
  double middle = 1;
  if (!squares.empty()) {
    std::nth_element(squares.begin(), squares.begin() + static_cast<long>(squares.size() / 2), squares.end());
    middle = squares[squares.size() / 2];  // the square of the median distance
  }
  if (!(middle > 0)) middle = 1;
  std::vector<double> row;
  for (long j = 0; j < n; ++j) {
    row.assign(n - j, 0.0);
    for (long i = j; i < n; ++i) row[i - j] = -0.5 * k(i, j) / middle;
    dense_kernels<double>().exp(row.data(), n - j, row.data());
    for (long i = j; i < n; ++i) k(i, j) = row[i - j];
  }
  double noise = kProcessNoise;
  const Eigen::VectorXd y = columns_.col(child);
  for (int attempt = 0; attempt < 8; ++attempt, noise *= 10) {  // the kernel is near singular; raise until it factors
    Eigen::MatrixXd with = k;
    with.diagonal().array() += noise;
    const Cholesky factor(with);
    if (!factor.succeeded()) continue;
    const Eigen::VectorXd left = noise * factor.solve(y);
    return (left.squaredNorm() + 1.0) / n_;
  }
  return moments_(child, child);
}

std::vector<double> Regressions::coefficients(int child, const std::vector<int>& parents) const {
  std::vector<double> out(parents.size(), 0.0);
  const std::vector<int> terms = terms_of(parents);
  Factor factor(moments_, terms);
  const long m = static_cast<long>(factor.kept.size());
  if (m == 0) return out;
  factor.add_row(moments_, child, m);
  std::vector<double> beta(m);
  for (long k = m - 1; k >= 0; --k) {  // L' beta = row of the child
    double v = factor.rows(m, k);
    for (long e = k + 1; e < m; ++e) v -= factor.rows(e, k) * beta[e];
    beta[k] = v / factor.rows(k, k);
  }
  for (long k = 0; k < m; ++k) {
    for (size_t q = 0; q < parents.size(); ++q) {
      const int term = factor.kept[k], p = parents[q];
      bool contains = term == p;
      for (size_t r = 0; r < parents.size() && term >= d_ && !contains; ++r) {
        const int a = std::min(p, parents[r]), b = std::max(p, parents[r]);
        contains = term == d_ + a * d_ - a * (a - 1) / 2 + (b - a);
      }
      if (contains) out[q] = std::max(out[q], std::abs(beta[k]));
    }
  }
  return out;
}

void Regressions::residuals_in_order(const std::vector<int>& order, std::vector<double>& residuals) {
  const int d = static_cast<int>(order.size());
  residuals.assign(d, 0.0);
  work_.resize(d, d);
  for (int t = 0; t < d; ++t) {
    const double own = moments_(order[t], order[t]);
    double left = own;
    for (int c = 0; c < t; ++c) {
      double v = moments_(order[t], order[c]);
      for (int e = 0; e < c; ++e) v -= work_(e, t) * work_(e, c);
      v = work_(c, c) > 0 ? v / work_(c, c) : 0;
      work_(c, t) = v;
      left -= v * v;
    }
    residuals[order[t]] = std::max(left, 0.0);
    work_(t, t) = left > kDependent * own ? std::sqrt(left) : 0;  // a dependent one explains nothing more
  }
}

// ---- scores of graphs ----

GraphScore::GraphScore(Regressions& fits, Variances variances) : fits_(fits), variances_(variances) {
  const int d = fits.size();
  ParentLists none(d), all(d);
  for (int child = 0; child < d; ++child) {
    for (int p = 0; p < d; ++p) {
      if (p != child) all[child].push_back(p);
    }
  }
  low_ = without_price(all);
  high_ = without_price(none);
}

double GraphScore::without_price(const ParentLists& parents) {
  double sum = 0;
  for (int child = 0; child < fits_.size(); ++child) {
    const double residual = fits_.residual(child, parents[child]);
    sum += variances_ == Variances::kEqual ? residual : same_log(residual + kAddedSquare);
  }
  return variances_ == Variances::kEqual ? same_log(sum + kAddedSquare) : sum;
}

double GraphScore::raw(const ParentLists& parents) {
  double edges = 0;
  for (const auto& list : parents) edges += static_cast<double>(list.size());
  const double shares = variances_ == Variances::kEqual ? fits_.size() : 1;
  return without_price(parents) + edges * same_log(fits_.rows()) / (fits_.rows() * shares);
}

double GraphScore::relative(const ParentLists& parents) {
  const double range = high_ - low_;
  return range > 0 ? kTop * (raw(parents) - low_) / range : 0;
}

double CycleCount::operator()(const ParentLists& parents) {
  term_.set_edges(parents);
  if (term_.blocks() == 0) return 0;
  ones_.resize(parents.size());
  for (size_t child = 0; child < parents.size(); ++child) ones_[child].assign(parents[child].size(), 1.0);
  for (int block = 0; block < term_.blocks(); ++block) term_.compute(block, ones_);
  return term_.h();
}

// ---- which graphs to remember ----

void exchange(Archive& archive, SampledGraph& graph) {
  archive(graph.bits);
  archive(graph.score);
  archive(graph.cycles);
  archive(graph.contradictions);
}

void ParetoFront::offer(const SampledGraph& graph) {
  const auto as_good = [](const SampledGraph& a, const SampledGraph& b) {
    return a.score <= b.score && a.cycles <= b.cycles && a.contradictions <= b.contradictions;
  };
  for (const SampledGraph& known : graphs_) {
    if (as_good(known, graph)) return;
  }
  std::erase_if(graphs_, [&](const SampledGraph& known) { return as_good(graph, known); });
  graphs_.push_back(graph);
}

const SampledGraph* ParetoFront::best(double lambda1, double lambda2, double beta, bool acyclic_only) const {
  const SampledGraph* found = nullptr;
  double least = 0;
  for (const SampledGraph& g : graphs_) {
    const bool cyclic = g.cycles > kCyclic;
    if (cyclic && acyclic_only) continue;
    const double cost = g.score + (cyclic ? lambda1 : 0) + lambda2 * g.cycles + beta * g.contradictions;
    if (found != nullptr && cost >= least) continue;
    found = &g;
    least = cost;
  }
  return found;
}

PenaltySchedule::PenaltySchedule(int variables) : lambda2(1) {
  for (int k = 0; k < static_cast<int>(std::lround(variables / 3.0)); ++k) lambda2 /= 10;
}

void PenaltySchedule::update(bool best_is_acyclic, double best_score) {
  if (best_is_acyclic) ceiling = best_score;
  lambda1 = std::min(lambda1 + 1, ceiling);
  lambda2 = std::min(lambda2 * 10, 0.01);
  beta = std::min(beta + 0.1, 1.0);
}

}  // namespace agon
