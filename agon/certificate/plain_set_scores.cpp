#include "agon/certificate/plain_set_scores.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "agon/certificate/plain_gaussian.h"
#include "agon/certificate/plain_regret.h"

namespace agon::plain {
namespace {

constexpr long double kUnits = 4294967296.0L;
constexpr long double kMostUnits = 1152921504606846976.0L;  // 2^60

// Partitions of the rows by the configuration of the variables pushed so far, one per depth. A group of one row adds
// 1 ln 1 = 0 here and in every refinement, so it is left out.
class DiscreteSets final : public SetScores {
 public:
  // With `regret` the price is that quotient, instead of one for each parameter.
  DiscreteSets(const Dataset& data, double penalty, double price, RegretQuotient* regret)
      : price_(price), regret_(regret) {
    n_ = data.rows();
    const int p = data.size();
    codes_.resize(p);
    levels_.assign(p, 1);
    for (Node v = 0; v < p; ++v) {
      const Column& column = data.column(v);
      if (column.is_isolated()) continue;
      levels_[v] = static_cast<int>(column.levels.size());
      codes_[v].resize(n_);
      for (size_t row = 0; row < n_; ++row) codes_[v][row] = static_cast<uint8_t>(column.codes[row]);
    }
    up_.assign(n_ + 1, 0);
    down_.assign(n_ + 1, 0);
    for (size_t c = 2; c <= n_; ++c) {
      const long double x = static_cast<long double>(c) * std::log(static_cast<long double>(c));
      up_[c] = static_cast<int64_t>(std::ceil(x * kUnits)) + 1;
      down_[c] = static_cast<int64_t>(std::floor(x * kUnits)) - 1;
    }
    per_parameter_ = static_cast<long double>(penalty) * 0.5L * std::log(static_cast<long double>(n_));
  }

  SetValue of_empty() const override { return {up_[n_], down_[n_]}; }
  int64_t price(Node child, int parents, double configurations) const override {
    return units_below(nats(child, parents, configurations) - 0.5L * rounding());
  }
  int64_t price_above(Node child, int parents, double configurations) const override {
    return units_above(nats(child, parents, configurations) + 0.5L * rounding());
  }
  // The price of one more parent under qnml falls again when there are many configurations, so that a parent that does
  // not pay now may pay in the company of others.
  bool has_entropies() const override { return regret_ == nullptr; }
  double levels(Node v) const override { return levels_[v]; }
  double work_per_set() const override { return 1.5 * static_cast<double>(n_) + 100; }
  double rounding() const override { return regret_ != nullptr ? 2e-7 : 0; }
  std::unique_ptr<SetWalk> walk() const override { return std::make_unique<Walk>(*this); }

 private:
  long double nats(Node child, int parents, double configurations) const {
    if (regret_ != nullptr) {
      return static_cast<long double>(regret_(static_cast<double>(n_), configurations, levels_[child])) +
             static_cast<long double>(price_) * parents;
    }
    return per_parameter_ * (levels_[child] - 1) * static_cast<long double>(configurations) +
           static_cast<long double>(price_) * parents;
  }

  class Walk final : public SetWalk {
   public:
    explicit Walk(const DiscreteSets& sets) : sets_(sets) {
      Partition all;
      all.rows.resize(sets.n_);
      for (size_t row = 0; row < sets.n_; ++row) all.rows[row] = static_cast<uint32_t>(row);
      all.ends = {static_cast<uint32_t>(sets.n_)};
      depth_.push_back(std::move(all));
    }
    void push(Node v) override {
      if (used_ == depth_.size()) depth_.emplace_back();
      refine(depth_[used_ - 1], depth_[used_], v);
      ++used_;
    }
    void pop() override { --used_; }
    SetValue with(Node v) override {
      const Partition& now = depth_[used_ - 1];
      const uint8_t* code = sets_.codes_[v].data();
      const int levels = sets_.levels_[v];
      const uint32_t* rows = now.rows.data();
      SetValue out;
      uint32_t first = 0;
      for (const uint32_t end : now.ends) {
        count_.assign(levels, 0);
        for (uint32_t k = first; k < end; ++k) ++count_[code[rows[k]]];
        for (int level = 0; level < levels; ++level) {
          out.up += sets_.up_[count_[level]];
          out.down += sets_.down_[count_[level]];
        }
        first = end;
      }
      return out;
    }

   private:
    struct Partition {
      std::vector<uint32_t> rows;  // group after group
      std::vector<uint32_t> ends;  // of the groups
    };
    void refine(const Partition& from, Partition& to, Node v) {
      const uint8_t* code = sets_.codes_[v].data();
      const int levels = sets_.levels_[v];
      to.rows.resize(from.rows.size());
      to.ends.clear();
      uint32_t first = 0, kept = 0;
      for (const uint32_t end : from.ends) {
        count_.assign(levels, 0);
        for (uint32_t k = first; k < end; ++k) ++count_[code[from.rows[k]]];
        place_.assign(levels, UINT32_MAX);
        for (int level = 0; level < levels; ++level) {
          if (count_[level] < 2) continue;
          place_[level] = kept;
          kept += count_[level];
          to.ends.push_back(kept);
        }
        for (uint32_t k = first; k < end; ++k) {
          uint32_t& place = place_[code[from.rows[k]]];
          if (place != UINT32_MAX) to.rows[place++] = from.rows[k];
        }
        first = end;
      }
      to.rows.resize(kept);
    }

    const DiscreteSets& sets_;
    std::vector<Partition> depth_;
    size_t used_ = 1;
    std::vector<uint32_t> count_, place_;
  };

  size_t n_ = 0;
  double price_;
  RegretQuotient* regret_;
  long double per_parameter_ = 0;
  std::vector<std::vector<uint8_t>> codes_;
  std::vector<int> levels_;
  std::vector<int64_t> up_, down_;  // of c ln c
};

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

namespace {

std::unique_ptr<SetScores> categorical_set_scores(const Dataset& data, double penalty, double price,
                                                  RegretQuotient* regret) {
  if (data.has_missing() || data.has_drawn() || data.has_weights() || data.has_regimes() || data.is_summary())
    return nullptr;
  for (const Column& column : data.columns()) {
    if (column.is_isolated()) continue;
    if (column.kind != ColumnKind::kCategorical || column.levels.size() > 256) return nullptr;
  }
  return std::make_unique<DiscreteSets>(data, penalty, price, regret);
}

}  // namespace

std::unique_ptr<SetScores> discrete_set_scores(const Dataset& data, double penalty, double price) {
  return categorical_set_scores(data, penalty, price, nullptr);
}

std::unique_ptr<SetScores> regret_set_scores(const Dataset& data, RegretQuotient* regret, double price) {
  return categorical_set_scores(data, 0, price, regret);
}

std::unique_ptr<SetScores> gaussian_set_scores(const GaussianScorer& scorer, double rows, double penalty,
                                               double price) {
  const Eigen::MatrixXd correlation = scorer.correlation();
  const double smallest =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(correlation, Eigen::EigenvaluesOnly).eigenvalues().minCoeff();
  if (!(smallest > 1e-5)) return nullptr;
  return std::make_unique<GaussianSets>(scorer, correlation, smallest, rows, penalty, price);
}

}  // namespace agon::plain
