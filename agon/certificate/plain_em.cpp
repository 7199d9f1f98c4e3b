#include "agon/certificate/plain_em.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "agon/base/linear_algebra.h"
#include "agon/base/parallel.h"

namespace agon::plain {
namespace {

constexpr Eigen::Index kRowsAtOnce = 256;
constexpr int kPieces = 16;  // of the work of a step; fixed, so that sums do not depend on the number of threads

bool fell(double before, double after) { return !(after >= before - 1e-10 * (1 + std::abs(before))); }

double largest_change(const Eigen::VectorXd& mean, const Eigen::MatrixXd& covariance) {
  if (mean.size() == 0) return 0;
  return std::max(mean.cwiseAbs().maxCoeff(), covariance.cwiseAbs().maxCoeff());
}

}  // namespace

// Of the hidden columns of a pattern on its seen ones, under V = S + e I.
struct PlainEm::Regression {
  Cholesky seen;                 // of V_oo
  Eigen::MatrixXd coefficients;  // |o| x |h|
  Eigen::MatrixXd covariance;    // of the hidden columns given the seen ones
  double log_determinant;        // of V_oo
};

struct PlainEm::Sums {
  explicit Sums(Eigen::Index q)
      : first(Eigen::VectorXd::Zero(q)), second(Eigen::MatrixXd::Zero(q, q)), waiting(q, kRowsAtOnce) {}

  // Rows wait until there are many, because one product of many rows is faster than many products of one.
  void take(const Eigen::VectorXd& row, double weight) {
    if (count == kRowsAtOnce) multiply();
    first += weight * row;
    waiting.col(count++) = std::sqrt(weight) * row;
  }
  void multiply() {
    if (count > 0) add_product_with_transpose(second, waiting.leftCols(count), waiting.leftCols(count));
    count = 0;
  }

  Eigen::VectorXd first;   // of the filled rows minus the mean before the step, by weight
  Eigen::MatrixXd second;  // of their products, with the conditional covariances
  double likelihood = 0;

 private:
  Eigen::MatrixXd waiting;  // a row of the table is a column here
  Eigen::Index count = 0;
};

PlainEm::PlainEm(const BlockColumns& columns, double floor, int threads)
    : columns_(columns), floor_(floor), threads_(threads) {
  const Dataset& data = columns.data();
  const int q = columns.columns();
  std::map<std::vector<bool>, size_t> known;
  seen_share_ = Eigen::VectorXd::Zero(q);
  std::vector<bool> hidden(columns.size());
  for (size_t row = 0; row < data.rows(); ++row) {
    for (Node v = 0; v < columns.size(); ++v) hidden[v] = columns.width(v) > 0 && columns.is_hidden(row, v);
    const auto [at, fresh] = known.try_emplace(hidden, patterns_.size());
    if (fresh) {
      Pattern& pattern = patterns_.emplace_back();
      for (Node v = 0; v < columns.size(); ++v) {
        for (int c = columns.start(v); c < columns.start(v) + columns.width(v); ++c) {
          (hidden[v] ? pattern.hidden : pattern.seen).push_back(c);
        }
      }
    }
    Pattern& pattern = patterns_[at->second];
    pattern.rows.push_back(row);
    weight_ += data.weight(row);
    for (Eigen::Index c : pattern.seen) seen_share_(c) += data.weight(row);
  }
  if (weight_ > 0) seen_share_ /= weight_;
}

double PlainEm::operations_per_step() const {
  double sum = std::pow(columns_.columns(), 3);
  for (const Pattern& pattern : patterns_) {
    const double o = static_cast<double>(pattern.seen.size()), h = static_cast<double>(pattern.hidden.size());
    sum += o * o * (o / 3 + 2 * h) + o * h * h;
    sum += static_cast<double>(pattern.rows.size()) * (o * o + o * h + (o + h) * (o + h));
  }
  return sum;
}

PlainEm::Regression PlainEm::regress(const Pattern& pattern, const Moments& at) const {
  Eigen::MatrixXd v = at.covariance(pattern.seen, pattern.seen);
  v.diagonal().array() += floor_;
  const Eigen::MatrixXd across = at.covariance(pattern.seen, pattern.hidden);
  Regression out{Cholesky(v), across, at.covariance(pattern.hidden, pattern.hidden), 0};
  out.log_determinant = 2 * out.seen.factor().diagonal().array().log().sum();
  if (across.size() == 0) return out;  // wide systems of no equations are a division by zero inside Eigen
  out.coefficients = out.seen.solve(across);
  out.covariance -= transpose_product(across, out.coefficients);
  return out;
}

void PlainEm::add(const Pattern& pattern, const Moments& at, Sums& sums) const {
  const Regression regression = regress(pattern, at);
  const Eigen::Index q = columns_.columns();
  const Eigen::Index o = static_cast<Eigen::Index>(pattern.seen.size());
  const double fixed = static_cast<double>(o) * std::log(2 * std::numbers::pi) + regression.log_determinant;
  double pattern_weight = 0;
  const Eigen::Index rows = static_cast<Eigen::Index>(pattern.rows.size());
  for (Eigen::Index first = 0; first < rows; first += kRowsAtOnce) {
    const Eigen::Index count = std::min(kRowsAtOnce, rows - first);
    Eigen::MatrixXd x(q, count);  // a row of the table is a column here
    for (Eigen::Index k = 0; k < count; ++k) columns_.fill_row(pattern.rows[first + k], x.col(k).data());
    x.colwise() -= at.mean;
    const Eigen::MatrixXd seen = x(pattern.seen, Eigen::all);
    x(pattern.hidden, Eigen::all) = transpose_product(regression.coefficients, seen);
    const Eigen::MatrixXd whitened = solve_lower(regression.seen.factor(), seen);
    for (Eigen::Index k = 0; k < count; ++k) {
      const double weight = columns_.data().weight(pattern.rows[first + k]);
      pattern_weight += weight;
      sums.take(x.col(k), weight);
      sums.likelihood -= 0.5 * weight * (fixed + whitened.col(k).squaredNorm());
    }
  }
  for (size_t a = 0; a < pattern.hidden.size(); ++a) {
    for (size_t b = 0; b < pattern.hidden.size(); ++b) {
      sums.second(pattern.hidden[a], pattern.hidden[b]) +=
          pattern_weight * regression.covariance(static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(b));
    }
  }
}

PlainEm::Step PlainEm::step(const Moments& at) const {
  const Eigen::Index q = columns_.columns();
  std::vector<Sums> sums(kPieces, Sums(q));
  parallel_for(kPieces, threads_, [&](int piece) {
    for (size_t k = static_cast<size_t>(piece); k < patterns_.size(); k += kPieces) add(patterns_[k], at, sums[piece]);
    sums[piece].multiply();
  });
  for (int piece = 1; piece < kPieces; ++piece) {
    sums[0].first += sums[piece].first;
    sums[0].second += sums[piece].second;
    sums[0].likelihood += sums[piece].likelihood;
  }
  Step out;
  const Eigen::VectorXd moved = sums[0].first / weight_;
  out.after.mean = at.mean + moved;
  out.after.covariance = sums[0].second / weight_ - moved * moved.transpose();
  out.after.covariance = (0.5 * (out.after.covariance + out.after.covariance.transpose())).eval();
  out.objective = sums[0].likelihood;
  if (floor_ > 0) {
    Eigen::MatrixXd v = at.covariance;
    v.diagonal().array() += floor_;
    const Eigen::MatrixXd inverse = Cholesky(v).inverse();
    out.objective -= 0.5 * weight_ * floor_ * seen_share_.dot(inverse.diagonal());
  }
  return out;
}

EmFit PlainEm::fit(int steps) const {
  const Eigen::Index q = columns_.columns();
  Moments at{Eigen::VectorXd::Zero(q), Eigen::MatrixXd::Identity(q, q)};
  EmFit out;
  const int most = steps < 0 ? kMostSteps : steps;
  while (out.steps < most && !(steps < 0 && out.converged)) {
    Step next = step(at);
    if (out.steps > 0 && fell(out.objective, next.objective)) out.likelihood_fell = true;
    out.objective = next.objective;
    out.movement = largest_change(next.after.mean - at.mean, next.after.covariance - at.covariance);
    out.converged = out.movement <= kTolerance;
    at = std::move(next.after);
    ++out.steps;
  }
  out.moments.mean.assign(at.mean.data(), at.mean.data() + q);
  out.moments.covariance.assign(at.covariance.data(), at.covariance.data() + q * q);
  return out;
}

EmCheck PlainEm::check(const EmMoments& claimed) const {
  const Eigen::Index q = columns_.columns();
  const Moments at{Eigen::Map<const Eigen::VectorXd>(claimed.mean.data(), q),
                   Eigen::Map<const Eigen::MatrixXd>(claimed.covariance.data(), q, q)};
  const Step next = step(at);
  EmCheck out;
  out.movement = largest_change(next.after.mean - at.mean, next.after.covariance - at.covariance);
  out.likelihood_fell = fell(next.objective, step(next.after).objective);
  return out;
}

PlainEm::Filled PlainEm::fill(const EmMoments& moments, const std::vector<int>& wanted) const {
  const Eigen::Index q = columns_.columns();
  const Moments at{Eigen::Map<const Eigen::VectorXd>(moments.mean.data(), q),
                   Eigen::Map<const Eigen::MatrixXd>(moments.covariance.data(), q, q)};
  std::vector<int> place(columns_.columns(), -1);
  for (size_t k = 0; k < wanted.size(); ++k) place[wanted[k]] = static_cast<int>(k);
  Filled out;
  out.rows.resize(static_cast<Eigen::Index>(columns_.data().rows()), static_cast<Eigen::Index>(wanted.size()));
  out.pattern.resize(columns_.data().rows());
  Eigen::VectorXd x(q);
  for (const Pattern& pattern : patterns_) {
    const Regression regression = regress(pattern, at);
    for (size_t row : pattern.rows) {
      columns_.fill_row(row, x.data());
      const Eigen::VectorXd away = x(pattern.seen) - at.mean(pattern.seen);
      x(pattern.hidden) = at.mean(pattern.hidden) + transpose_product(regression.coefficients, away);
      out.rows.row(static_cast<Eigen::Index>(row)) = x(wanted).transpose();
      out.pattern[row] = static_cast<uint32_t>(out.hidden.size());
    }
    std::vector<int> kept, hidden;  // places among the hidden columns, and among the wanted ones
    for (size_t k = 0; k < pattern.hidden.size(); ++k) {
      if (place[pattern.hidden[k]] < 0) continue;
      kept.push_back(static_cast<int>(k));
      hidden.push_back(place[pattern.hidden[k]]);
    }
    out.covariance.push_back(regression.covariance(kept, kept));
    out.hidden.push_back(std::move(hidden));
  }
  return out;
}

}  // namespace agon::plain
