#include "agon/certificate/plain_set_scores.h"

#include <algorithm>
#include <cmath>

#include "agon/base/linear_algebra.h"
#include "agon/certificate/plain_gaussian.h"

namespace agon::plain {
namespace {

constexpr long double kMostUnits = 1152921504606846976.0L;  // 2^60

class GaussianSets final : public SetScores {
 public:
  GaussianSets(const GaussianScorer& scorer, const Eigen::MatrixXd& correlation, double smallest, double rows,
               double penalty, double price)
      : correlation_(correlation),
        half_rows_(0.5L * rows),
        charge_(static_cast<long double>(penalty) * 0.5L * std::log(static_cast<long double>(rows)) + price) {
    const double p = scorer.size();
    // Entries of R are off by 1e-14 or so; a pivot is then off by at most p times that, divided by the smallest
    // eigenvalue, relatively; and there are as many pivots as members.
    error_ = half_rows_ * 1e-14L * p * p / smallest;
    for (Node v = 0; v < scorer.size(); ++v) alone_.push_back(scorer.local(v, {}).score);
  }
  SetValue of_empty() const override { return {0, 0}; }
  int64_t price(Node child, int parents, double) const override { return units_below(nats(child, parents) - slack()); }
  int64_t price_above(Node child, int parents, double) const override {
    return units_above(nats(child, parents) + slack());
  }
  bool has_entropies() const override { return false; }
  bool has_likelihoods() const override { return true; }
  double levels(Node) const override { return 1; }
  double work_per_set() const override { return 100; }
  double rounding() const override { return static_cast<double>(2 * error_ + slack()); }
  std::unique_ptr<SetWalk> walk() const override { return std::make_unique<Walk>(*this); }

 private:
  long double nats(Node child, int parents) const { return charge_ * parents - alone_[child]; }
  long double slack() const { return 1e-12L * half_rows_ * 2; }  // of the doubles in alone_

  class Walk final : public SetWalk {
   public:
    explicit Walk(const GaussianSets& sets) : sets_(sets) {}
    void push(Node v) override {
      log_determinant_.push_back(solve(v));
      rows_.push_back(row_);
      nodes_.push_back(v);
    }
    void pop() override {
      log_determinant_.pop_back();
      rows_.pop_back();
      nodes_.pop_back();
    }
    SetValue with(Node v) override {
      const long double f = -sets_.half_rows_ * solve(v);
      return {units_above(f + sets_.error_), units_below(f - sets_.error_)};
    }

   private:
    // ln det of the nodes pushed and v; row_ becomes the row of v in the Cholesky factor.
    long double solve(Node v) {
      const size_t m = nodes_.size();
      row_.resize(m + 1);
      long double rest = 1;
      for (size_t i = 0; i < m; ++i) {
        long double x = sets_.correlation_(v, nodes_[i]);
        for (size_t k = 0; k < i; ++k) x -= row_[k] * rows_[i][k];
        row_[i] = x / rows_[i][i];
        rest -= row_[i] * row_[i];
      }
      row_[m] = std::sqrt(rest);
      return (m == 0 ? 0 : log_determinant_.back()) + std::log(rest);
    }
    const GaussianSets& sets_;
    std::vector<Node> nodes_;
    std::vector<std::vector<long double>> rows_;
    std::vector<long double> log_determinant_, row_;
  };

  Eigen::MatrixXd correlation_;
  long double half_rows_, charge_, error_ = 0;
  std::vector<double> alone_;  // s(j, no parents)
};

}  // namespace

int64_t units_above(long double nats) {
  const long double units = nats * kUnits;
  return static_cast<int64_t>(std::ceil(std::clamp(units + std::abs(units) * 0x1p-61L, -kMostUnits, kMostUnits))) + 1;
}

int64_t units_below(long double nats) { return -units_above(-nats); }

std::unique_ptr<SetScores> gaussian_set_scores(const GaussianScorer& scorer, double rows, double penalty,
                                               double price) {
  const Eigen::MatrixXd correlation = scorer.correlation();
  const double smallest = symmetric_eigen(correlation).values.minCoeff();
  if (!(smallest > 1e-5)) return nullptr;
  return std::make_unique<GaussianSets>(scorer, correlation, smallest, rows, penalty, price);
}

}  // namespace agon::plain
