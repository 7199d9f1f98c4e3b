#include "agon/data/linear_dependence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "agon/base/error.h"
#include "agon/base/hash.h"
#include "agon/base/linear_algebra.h"

namespace agon {
namespace {

constexpr double kMostWork = 1e9;     // multiplications for the correlation matrix; above this, rows are sampled
constexpr double kNegligible = 1e-4;  // a weight whose term moves the target by fewer standard deviations is ignored
constexpr double kNearlyNegligible = 5e-3;  // the same where there is noise: a quarter of kNearlyUnexplained
constexpr size_t kMostNearTerms = 12;       // more are a fit, not a sum that somebody computed

// The rows to correlate: all, or from each of m equal stretches one at random (but always the same).
std::vector<size_t> sample_rows(size_t n, size_t p) {
  const size_t affordable = static_cast<size_t>(kMostWork / static_cast<double>(p * p));
  const size_t m = std::min(n, std::max(affordable, 2 * p + 100));
  std::vector<size_t> rows(m);
  for (uint64_t i = 0; i < m; ++i) {  // size_t may have 32 bits, too few for the products
    const uint64_t begin = i * n / m, end = (i + 1) * n / m;
    rows[i] = static_cast<size_t>(begin + mix64(i) % (end - begin));
  }
  return rows;
}

Eigen::MatrixXd correlations(const std::vector<const std::vector<double>*>& columns, const std::vector<size_t>& rows,
                             const Watch& watch) {
  const auto p = static_cast<Eigen::Index>(columns.size());
  const auto m = static_cast<Eigen::Index>(rows.size());
  constexpr Eigen::Index kBlock = 512;  // rows standardised at a time
  std::vector<Moments> scale(columns.size());
  for (size_t j = 0; j < columns.size(); ++j) {
    std::vector<double> picked(rows.size());
    for (size_t i = 0; i < rows.size(); ++i) picked[i] = (*columns[j])[rows[i]];
    scale[j] = moments(picked);
  }
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(p, p);
  for (Eigen::Index first = 0; first < m && !watch.stop_requested(); first += kBlock) {
    const Eigen::Index count = std::min(kBlock, m - first);
    Eigen::MatrixXd block(p, count);
    for (Eigen::Index j = 0; j < p; ++j) {
      const Moments& s = scale[j];
      for (Eigen::Index i = 0; i < count; ++i) {
        block(j, i) = s.deviation > 0 ? ((*columns[j])[rows[first + i]] - s.mean) / s.deviation : 0;
      }
    }
    add_outer(result, block, 1.0 / static_cast<double>(m));
  }
  return mirrored(result);
}

// The equation of `target` on `terms`, and its R2 over all rows. `scale` is over all rows too, so an exact relation
// between columns is one between their standardised values, without a constant.
LinearRelation fit(const std::vector<const std::vector<double>*>& columns, const std::vector<Moments>& scale,
                   size_t target, std::vector<size_t> terms) {
  const size_t n = columns[target]->size();
  const auto k = static_cast<Eigen::Index>(terms.size());
  Eigen::VectorXd z(k);
  const auto standardised = [&](size_t j, size_t row) {
    return ((*columns[j])[row] - scale[j].mean) / scale[j].deviation;
  };
  const auto load = [&](size_t row) {
    for (Eigen::Index t = 0; t < k; ++t) z[t] = standardised(terms[t], row);
    return standardised(target, row);
  };
  Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(k, k);
  Eigen::VectorXd right = Eigen::VectorXd::Zero(k);
  for (size_t row : sample_rows(n, terms.size())) {
    const double y = load(row);
    gram.selfadjointView<Eigen::Lower>().rankUpdate(z);
    right += y * z;
  }
  const Eigen::VectorXd beta = solve_symmetric(gram, right);
  double residual = 0;
  for (size_t row = 0; row < n; ++row) {
    const double gap = load(row) - beta.dot(z);
    residual += gap * gap;
  }
  LinearRelation relation{target, std::move(terms), {}, scale[target].mean, 1 - residual / static_cast<double>(n)};
  for (Eigen::Index t = 0; t < k; ++t) {
    const Moments& s = scale[relation.terms[t]];
    const double weight = beta[t] * scale[target].deviation / s.deviation;
    relation.weights.push_back(weight);
    relation.offset -= weight * s.mean;
  }
  const double noise = 1e-5 * std::max(scale[target].deviation, std::abs(scale[target].mean));
  if (std::abs(relation.offset) < noise) relation.offset = 0;
  return relation;
}

// Every term takes a row of the fit away.
bool nearly_holds(const LinearRelation& relation, size_t rows) {
  const double n = static_cast<double>(rows), free = n - static_cast<double>(relation.terms.size()) - 1;
  return free > 0 && (1 - relation.r_squared) * n / free <= kNearlyUnexplained;
}

// The column to solve for: the only one whose coefficient in (sum = constant) has its sign; else the last.
size_t best_target(const LinearRelation& relation) {
  std::vector<size_t> positive, negative = {relation.target};  // weights * terms - target = constant
  for (size_t t = 0; t < relation.terms.size(); ++t) {
    (relation.weights[t] > 0 ? positive : negative).push_back(relation.terms[t]);
  }
  if (positive.size() == 1 && negative.size() > 1) return positive[0];
  if (negative.size() == 1 && positive.size() > 1) return negative[0];
  return std::max(relation.target, *std::max_element(relation.terms.begin(), relation.terms.end()));
}

}  // namespace

Moments moments(const std::vector<double>& values) {
  const double share = 1 / static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (double x : values) sum += x * share;  // each by itself, because the sum of large numbers may overflow
  for (double x : values) squares += (x - sum) * (x - sum) * share;
  return {sum, std::sqrt(squares)};
}

std::vector<double> seen_values(const Column& column) {
  if (!column.has_missing()) return column.values;
  std::vector<double> out;
  for (size_t row = 0; row < column.values.size(); ++row) {
    if (!column.is_missing(row)) out.push_back(column.values[row]);
  }
  return out;
}

Moments seen_moments(const Column& column) {
  return column.has_missing() ? moments(seen_values(column)) : moments(column.values);
}

std::vector<LinearRelation> linear_relations(const std::vector<const std::vector<double>*>& columns, size_t most,
                                             const Watch& watch) {
  const auto p = static_cast<Eigen::Index>(columns.size());
  if (p < 2) return {};
  std::vector<Moments> scale;
  for (const std::vector<double>* column : columns) scale.push_back(moments(*column));
  const Eigen::MatrixXd r = correlations(columns, sample_rows(columns[0]->size(), columns.size()), watch);

  // Step 1: factor by pivots of largest residual variance until none is left. Row j of `factor` belongs to column j.
  Eigen::MatrixXd factor = Eigen::MatrixXd::Zero(p, p);
  Eigen::VectorXd residual = r.diagonal();
  std::vector<Eigen::Index> pivots;
  std::vector<bool> taken(p, false);
  Eigen::Index near_rank = p;  // the pivots of which every other column is nearly a combination
  while (static_cast<Eigen::Index>(pivots.size()) < p) {
    if (watch.stop_requested()) return {};
    Eigen::Index best = -1;
    for (Eigen::Index j = 0; j < p; ++j) {
      if (!taken[j] && (best < 0 || residual[j] > residual[best])) best = j;
    }
    if (residual[best] <= 2 * kUnexplained) break;
    const auto k = static_cast<Eigen::Index>(pivots.size());
    if (residual[best] <= 2 * kNearlyUnexplained) near_rank = std::min(near_rank, k);
    Eigen::VectorXd next = r.col(best);
    if (k > 0) next -= factor.leftCols(k) * factor.row(best).head(k).transpose();
    next /= std::sqrt(residual[best]);
    factor.col(k) = next;
    residual -= next.cwiseAbs2();
    taken[best] = true;
    pivots.push_back(best);
  }

  // Step 2: each remaining column is a combination of the pivots. Keep those that matter, and check on all rows.
  const auto rank = static_cast<Eigen::Index>(pivots.size());
  Eigen::MatrixXd triangle(rank, rank);
  for (Eigen::Index i = 0; i < rank; ++i) triangle.row(i) = factor.row(pivots[i]).head(rank);
  std::vector<LinearRelation> relations;
  std::vector<bool> solved_for(p, false);  // each column at most once, so that all of them can be dropped
  for (Eigen::Index j = 0; j < p && relations.size() < most && !watch.stop_requested(); ++j) {
    if (taken[j] || r(j, j) == 0) continue;
    const Eigen::VectorXd beta =
        triangle.triangularView<Eigen::Lower>().transpose().solve(factor.row(j).head(rank).transpose());
    std::vector<size_t> terms;
    for (Eigen::Index i = 0; i < rank; ++i) {
      if (std::abs(beta[i]) > kNegligible) terms.push_back(static_cast<size_t>(pivots[i]));
    }
    if (terms.empty()) continue;
    std::sort(terms.begin(), terms.end());
    LinearRelation relation = fit(columns, scale, static_cast<size_t>(j), terms);
    const size_t target = best_target(relation);
    if (target != relation.target && !solved_for[target]) {
      std::replace(terms.begin(), terms.end(), target, relation.target);
      std::sort(terms.begin(), terms.end());
      relation = fit(columns, scale, target, terms);
    }
    if (!(1 - relation.r_squared <= kUnexplained)) continue;
    solved_for[relation.target] = true;
    relations.push_back(std::move(relation));
  }

  // Step 3: late pivots are nearly a combination of those before near_rank.
  for (Eigen::Index i = near_rank; i < rank && relations.size() < most && !watch.stop_requested(); ++i) {
    const Eigen::VectorXd beta = triangle.topLeftCorner(near_rank, near_rank)
                                     .triangularView<Eigen::Lower>()
                                     .transpose()
                                     .solve(triangle.row(i).head(near_rank).transpose());
    std::vector<size_t> terms;
    for (Eigen::Index t = 0; t < near_rank; ++t) {
      if (std::abs(beta[t]) > kNearlyNegligible) terms.push_back(static_cast<size_t>(pivots[t]));
    }
    if (terms.empty() || terms.size() > kMostNearTerms) continue;
    std::sort(terms.begin(), terms.end());
    const LinearRelation found = fit(columns, scale, static_cast<size_t>(pivots[i]), terms);
    LinearRelation relation = found;
    if (const size_t target = best_target(found); target != found.target) {
      std::replace(terms.begin(), terms.end(), target, found.target);
      std::sort(terms.begin(), terms.end());
      relation = fit(columns, scale, target, terms);
    }
    if (solved_for[relation.target] || !nearly_holds(relation, columns[0]->size())) relation = found;
    if (solved_for[relation.target] || !nearly_holds(relation, columns[0]->size())) continue;
    solved_for[relation.target] = true;
    relations.push_back(std::move(relation));
  }
  std::sort(relations.begin(), relations.end(),
            [](const LinearRelation& a, const LinearRelation& b) { return a.target < b.target; });
  return relations;
}

std::string equation_text(const std::string& target, const std::vector<std::pair<std::string, double>>& terms,
                          double offset) {
  constexpr size_t kMostTerms = 12;
  // 0.9999999 is 1 up to rounding.
  const auto number = [](double x) {
    const double whole = std::round(x);
    return std::abs(x - whole) < 1e-5 * std::abs(whole) ? fmt::format("{:.10g}", whole) : fmt::format("{:.6g}", x);
  };
  std::string text = agon::quoted(target) + " =";
  bool first = true;
  for (size_t t = 0; t < terms.size(); ++t) {
    const auto& [name, weight] = terms[t];
    if (t >= kMostTerms) continue;
    const std::string size = number(std::abs(weight));
    text += first ? (weight < 0 ? " -" : " ") : (weight < 0 ? " - " : " + ");
    if (size != "1") text += size + " ";
    text += agon::quoted(name);
    first = false;
  }
  if (terms.size() > kMostTerms) text += fmt::format(" + ... ({} terms in all)", terms.size());
  if (offset != 0) {
    text += fmt::format(" {} {}", offset < 0 ? "-" : "+", number(std::abs(offset)));
  }
  return text;
}

}  // namespace agon
