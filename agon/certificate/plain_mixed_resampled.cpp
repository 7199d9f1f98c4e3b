#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "agon/base/linear_algebra.h"
#include "agon/certificate/plain_matrix.h"
#include "agon/certificate/plain_mixed.h"

namespace agon::plain {

// The moments of the filled rows by the weights drawn, then the families from them as from those of the whole table.
// Categories without gaps enter as codes: what they have in common with others are sums by level.
class MixedScorer::Resampled final : public Resampler {
 public:
  Resampled(const MixedScorer& scorer, const std::vector<Family>& families)
      : scorer_(scorer), families_(families), start_(1, 0) {
    std::vector<bool> used(scorer.size(), false);
    for (const Family& family : families) {
      used[family.child] = true;
      for (Node v : family.parents) used[v] = true;
    }
    std::vector<int> wanted;  // columns that do not enter as codes
    for (Node v = 0; v < scorer.size(); ++v) {
      const int first = start_.back(), width = used[v] ? scorer.columns_.width(v) : 0;
      start_.push_back(first + width);
      dense_start_.push_back(static_cast<Eigen::Index>(wanted.size()));
      if (width > 0 && scorer.is_coded(v)) {
        coded_.push_back(v);
        continue;
      }
      for (int c = 0; c < width; ++c) {
        wanted.push_back(scorer.columns_.start(v) + c);
        dense_.push_back(first + c);
      }
    }
    if (scorer.columns_.has_hidden()) {
      const PlainEm em(scorer.columns_, scorer.floor_, scorer.threads_);
      filled_ = em.fill(scorer.data_.has_regimes() ? em.fit(-1).moments : scorer.moments_, wanted);
    } else {
      filled_.rows.resize(static_cast<Eigen::Index>(scorer.data_.rows()), static_cast<Eigen::Index>(wanted.size()));
      Eigen::VectorXd x(scorer.columns_.columns());
      for (size_t row = 0; row < scorer.data_.rows(); ++row) {
        scorer.columns_.fill_row(row, x.data());
        filled_.rows.row(static_cast<Eigen::Index>(row)) = x(wanted).transpose();
      }
    }
    across_ = filled_.rows.transpose();
  }

  double operations() const override {
    const double n = static_cast<double>(filled_.rows.rows()), q = start_.back();
    const double entries = static_cast<double>(dense_.size() + coded_.size());
    std::set<size_t> sets;
    for (const Family& family : families_) sets.insert(scorer_.experiments_.index(family.child));
    double sum = n * entries * entries;
    for (Node v = 0; v < scorer_.size(); ++v) {
      const double m = start_[v + 1] - start_[v];
      sum += m * m * q * (scorer_.is_coded(v) ? 2 : 1);
    }
    sum *= static_cast<double>(sets.size());
    for (const Family& family : families_) {
      std::vector<Node> all = family.parents;
      all.push_back(family.child);
      sum += std::pow(static_cast<double>(places(all).size()), 3) / 3;
    }
    return sum;
  }

  std::vector<double> scores(std::span<const uint32_t> weights) const override {
    std::map<size_t, Eigen::MatrixXd> matrix;  // by row set
    std::map<Node, double> base;
    std::vector<double> out;
    for (const Family& family : families_) {
      const FamilyRows& rows = scorer_.experiments_.rows_of(family.child);
      const auto [r, first] = matrix.try_emplace(scorer_.experiments_.index(family.child));
      if (first) {
        Eigen::MatrixXd s = weighted_covariance(weights, rows);
        orthonormalise(start_, s);
        r->second = floored(std::move(s), scorer_.floor_);
      }
      const auto [at, fresh] = base.try_emplace(family.child, 0);
      if (fresh) at->second = score_alone(family.child, weights);
      const std::vector<int> all = joined(places(family.parents), places({family.child}));
      const Diagonal d = diagonal(r->second(all, all), scorer_.columns_.width(family.child));
      const double charge = scorer_.charge(family.child, family.parents);
      const bool defined = d.defined && !std::isinf(charge);
      out.push_back(defined ? at->second - rows.weight * d.log_child - charge : kUndefined);
    }
    return out;
  }

 private:
  std::vector<int> places(const std::vector<Node>& nodes) const {
    std::vector<int> out;
    for (Node v : nodes) {
      for (int c = start_[v]; c < start_[v + 1]; ++c) out.push_back(c);
    }
    return out;
  }

  // Within groups. The mean of a group is kept as a sum, by share of the weight.
  Eigen::MatrixXd weighted_covariance(std::span<const uint32_t> weights, const FamilyRows& rows) const {
    Eigen::VectorXd share(filled_.rows.rows());
    for (Eigen::Index row = 0; row < share.size(); ++row) {
      share(row) = rows.group_of(static_cast<size_t>(row)) < 0 ? 0 : weights[row];
    }
    share /= share.sum();
    const Eigen::Index q = start_.back();
    Eigen::MatrixXd s = Eigen::MatrixXd::Zero(q, q), mean = Eigen::MatrixXd::Zero(q, rows.groups);
    if (!dense_.empty()) {
      mean(dense_, Eigen::all) = dense_means(share, rows);
      s(dense_, dense_) = transpose_product(share.asDiagonal() * filled_.rows, filled_.rows);
    }
    for (size_t k = 0; k < coded_.size(); ++k) add_coded(k, share, rows, mean, s);
    Eigen::VectorXd of_group = Eigen::VectorXd::Zero(rows.groups);
    for (Eigen::Index row = 0; row < share.size(); ++row) {
      of_group(std::max(0, rows.group_of(static_cast<size_t>(row)))) += share(row);
    }
    for (int group = 0; group < rows.groups; ++group) {
      if (of_group(group) > 0) s -= mean.col(group) * mean.col(group).transpose() / of_group(group);
    }
    std::vector<double> by_pattern(filled_.hidden.size());
    for (size_t row = 0; row < filled_.pattern.size(); ++row) {
      by_pattern[filled_.pattern[row]] += share(static_cast<Eigen::Index>(row));
    }
    for (size_t k = 0; k < by_pattern.size(); ++k) {
      if (by_pattern[k] == 0 || filled_.hidden[k].empty()) continue;
      const std::vector<int> at = at_dense(filled_.hidden[k]);
      s(at, at) += by_pattern[k] * filled_.covariance[k];
    }
    return s;
  }

  Eigen::MatrixXd dense_means(const Eigen::VectorXd& share, const FamilyRows& rows) const {
    if (rows.groups == 1) return transpose_product(filled_.rows, share);
    Eigen::MatrixXd mean = Eigen::MatrixXd::Zero(across_.rows(), rows.groups);
    for (Eigen::Index row = 0; row < share.size(); ++row) {
      if (share(row) > 0) mean.col(rows.group_of(static_cast<size_t>(row))) += share(row) * across_.col(row);
    }
    return mean;
  }

  std::vector<int> at_dense(const std::vector<int>& columns) const {
    std::vector<int> out;
    for (const int c : columns) out.push_back(dense_[c]);
    return out;
  }

  // The means of a category's columns, and their products with themselves, with the columns that are no codes and with
  // the categories before it.
  void add_coded(size_t k, const Eigen::VectorXd& share, const FamilyRows& rows, Eigen::MatrixXd& mean,
                 Eigen::MatrixXd& s) const {
    const Node v = coded_[k];
    const Eigen::MatrixXd& values = scorer_.columns_.values(v);
    const Eigen::Index levels = values.rows(), m = values.cols(), first = start_[v];
    const auto& codes = scorer_.data_.column(v).codes;
    Eigen::MatrixXd counts = Eigen::MatrixXd::Zero(levels, rows.groups);
    for (Eigen::Index row = 0; row < share.size(); ++row) {
      counts(codes[row], std::max(0, rows.group_of(static_cast<size_t>(row)))) += share(row);
    }
    mean.middleRows(first, m) = transpose_product(values, counts);
    s.block(first, first, m, m) = transpose_product(counts.rowwise().sum().asDiagonal() * values, values);
    if (!dense_.empty()) {
      Eigen::MatrixXd sums = Eigen::MatrixXd::Zero(across_.rows(), levels);
      for (Eigen::Index row = 0; row < share.size(); ++row) {
        if (share(row) > 0) sums.col(codes[row]) += share(row) * across_.col(row);
      }
      const Eigen::MatrixXd products = product(sums, values);
      s(dense_, Eigen::seqN(first, m)) = products;
      s(Eigen::seqN(first, m), dense_) = products.transpose();
    }
    for (size_t j = 0; j < k; ++j) {
      const Node u = coded_[j];
      const Eigen::MatrixXd& other = scorer_.columns_.values(u);
      const auto& other_codes = scorer_.data_.column(u).codes;
      Eigen::MatrixXd table = Eigen::MatrixXd::Zero(levels, other.rows());
      for (Eigen::Index row = 0; row < share.size(); ++row) table(codes[row], other_codes[row]) += share(row);
      const Eigen::MatrixXd products = product(transpose_product(values, table), other);
      s.block(first, start_[u], m, other.cols()) = products;
      s.block(start_[u], first, other.cols(), m) = products.transpose();
    }
  }

  // s0 of a variable, from its seen cells by the weights drawn. If they are all equal its likelihood is 1.
  double score_alone(Node v, std::span<const uint32_t> weights) const {
    if (scorer_.constant_[v]) return 0;
    if (scorer_.data_.has_regimes()) return scorer_.base_[v];
    const Column& column = scorer_.data_.column(v);
    const size_t n = scorer_.data_.rows();
    double seen = 0;
    if (column.kind == ColumnKind::kCategorical) {
      std::vector<double> counts(column.levels.size());
      for (size_t row = 0; row < n; ++row) {
        if (!column.is_missing(row)) counts[column.codes[row]] += weights[row];
      }
      for (double count : counts) seen += count;
      double sum = 0;
      for (double count : counts) sum += count > 0 ? count / seen * std::log(count / seen) : 0;
      return scorer_.rows() * sum - scorer_.price_ * (static_cast<double>(counts.size()) - 1);
    }
    // The first column of the block is the number itself, centred and scaled over the whole table.
    const auto x = filled_.rows.col(dense_start_[v]);
    double first = 0, second = 0, whole = 0, all = 0;
    for (size_t row = 0; row < n; ++row) {
      if (column.is_missing(row)) continue;
      const double cell = x(static_cast<Eigen::Index>(row));
      seen += weights[row];
      first += weights[row] * cell;
      second += weights[row] * cell * cell;
      whole += scorer_.data_.weight(row) * cell * cell;
      all += scorer_.data_.weight(row);
    }
    const double variance = seen > 0 ? (second / seen - first / seen * (first / seen)) / (whole / all) : 0;
    if (variance <= kDetermined) return 0;
    const double likelihood = scorer_.columns_.own_likelihood(v) - 0.5 * std::log(variance);
    return scorer_.rows() * likelihood - 2 * scorer_.price_;
  }

  const MixedScorer& scorer_;
  std::vector<Family> families_;
  std::vector<int> start_;                 // by node: its first column here; none for a node that is not used
  std::vector<Node> coded_;                // nodes that enter as codes
  std::vector<int> dense_;                 // the columns of the others: those of filled_
  std::vector<Eigen::Index> dense_start_;  // by node that is not coded: its first column in filled_
  PlainEm::Filled filled_;
  Eigen::MatrixXd across_;  // its rows, as columns
};

std::unique_ptr<Resampler> MixedScorer::resampler(const std::vector<Family>& families) const {
  return std::make_unique<Resampled>(*this, families);
}

}  // namespace agon::plain
