#include "agon/match/cam_pruning.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "agon/base/distributions.h"
#include "agon/base/linear_algebra.h"
#include "agon/base/parallel.h"
#include "agon/data/row_sets.h"

namespace agon {
namespace {

constexpr double kLinearThresholds[] = {0.02, 0.05, 0.1, 0.2, 0.3};
constexpr double kDependent = 1e-7;  // if less than this share of a column's length is left, it is rounding

// The rows that a family is judged on, and the groups of them that have means of their own. Without experiments: all
// rows, in one group.
struct FamilyRows {
  std::vector<size_t> rows;
  std::vector<int> group;  // by place among them
  int groups = 1;

  long size() const { return static_cast<long>(rows.size()); }
};

class Families {
 public:
  explicit Families(const Dataset& data) {
    RowSets sets = row_sets(data);
    of_ = sets.of.empty() ? std::vector<int>(data.size(), 0) : std::move(sets.of);
    if (sets.sets.empty()) sets.sets = {{.group = {0}, .groups = 1}};
    for (const RowSet& set : sets.sets) {
      FamilyRows& family = rows_.emplace_back();
      family.groups = set.groups;
      for (size_t row = 0; row < data.rows(); ++row) {
        const int group = set.group[data.has_regimes() ? data.regime_of(row) : 0];
        if (group < 0) continue;
        family.rows.push_back(row);
        family.group.push_back(group);
      }
    }
  }
  const FamilyRows& of(Node child) const { return rows_[of_[child]]; }

 private:
  std::vector<int> of_;
  std::vector<FamilyRows> rows_;
};

// Subtracts the mean of each group: what is regressed afterwards is regressed with a mean for each of them.
void centre(Eigen::VectorXd& x, const FamilyRows& family) {
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(family.groups), count = sum;
  for (long k = 0; k < x.size(); ++k) {
    sum[family.group[k]] += x[k];
    count[family.group[k]] += 1;
  }
  for (long k = 0; k < x.size(); ++k) x[k] -= sum[family.group[k]] / count[family.group[k]];
}

void scale(Eigen::VectorXd& x) {
  const double spread = std::sqrt(x.squaredNorm() / static_cast<double>(x.size()));
  if (spread > 0) x /= spread;
}

// The cells of these rows with mean 0 and variance 1.
Eigen::VectorXd standardised(const Column& column, const FamilyRows& family) {
  Eigen::VectorXd x(family.size());
  for (long k = 0; k < x.size(); ++k) {
    const size_t row = family.rows[k];
    x[k] = column.kind == ColumnKind::kCategorical ? static_cast<double>(column.codes[row]) : column.values[row];
  }
  const double largest = x.cwiseAbs().maxCoeff();
  if (largest > 0) x /= largest;  // so that squares of large values stay finite
  x.array() -= x.mean();
  scale(x);
  return x;
}

// The same with mean 0 in each group.
Eigen::VectorXd standardised_within(const Column& column, const FamilyRows& family) {
  Eigen::VectorXd x = standardised(column, family);
  if (family.groups == 1) return x;
  centre(x, family);
  scale(x);
  return x;
}

// At most `most` values of x that divide its sorted values evenly, both ends included; all values if there are no more.
std::vector<double> knots_of(const Eigen::VectorXd& x, int most) {
  std::vector<double> sorted(x.data(), x.data() + x.size());
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> distinct = sorted;
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  if (static_cast<int>(distinct.size()) <= most) return distinct;
  std::vector<double> knots;
  for (int k = 0; k < most; ++k) {
    knots.push_back(sorted[static_cast<size_t>(std::llround(static_cast<double>(k) * (x.size() - 1) / (most - 1)))]);
  }
  knots.erase(std::unique(knots.begin(), knots.end()), knots.end());
  return knots;
}

// Columns that span the natural cubic splines over the knots of x, without the constants of the groups: orthogonal to
// them and to each other, of length 1. (Truncated powers that are linear beyond the last knots, as in Hastie,
// Tibshirani & Friedman 2009, eq. 5.4. They are badly conditioned, and made orthogonal for that reason.)
Eigen::MatrixXd spline_columns(const Eigen::VectorXd& x, const FamilyRows& family, int most_knots) {
  const std::vector<double> knots = knots_of(x, most_knots);
  const int count = static_cast<int>(knots.size());
  const long n = x.size();
  if (count < 2) return Eigen::MatrixXd(n, 0);
  const double low = knots.front(), range = knots.back() - low;
  const auto cube = [](double v) { return v > 0 ? v * v * v : 0.0; };
  const auto bend = [&](double v, int k) {
    return (cube((v - knots[k]) / range) - cube((v - knots.back()) / range)) / ((knots.back() - knots[k]) / range);
  };
  Eigen::MatrixXd columns(n, count - 1);
  int kept = 0;
  for (int k = -1; k < count - 2; ++k) {
    Eigen::VectorXd column(n);
    for (long r = 0; r < n; ++r) column[r] = k < 0 ? (x[r] - low) / range : bend(x[r], k) - bend(x[r], count - 2);
    column.array() -= column.mean();
    if (family.groups > 1) centre(column, family);
    const double length = column.norm();
    for (int pass = 0; pass < 2; ++pass) {  // twice is enough (Giraud et al. 2005)
      for (int other = 0; other < kept; ++other) column -= columns.col(other).dot(column) * columns.col(other);
    }
    if (!(column.norm() > kDependent * length)) continue;
    columns.col(kept++) = column / column.norm();
  }
  columns.conservativeResize(n, kept);
  return columns;
}

// Which columns of a Gram matrix (diagonal 1) are independent of those before them, by Cholesky's algorithm.
std::vector<int> independent_columns(const Eigen::MatrixXd& gram) {
  const int size = static_cast<int>(gram.rows());
  std::vector<int> kept;
  std::vector<Eigen::VectorXd> loadings;
  for (int c = 0; c < size; ++c) {
    Eigen::VectorXd loading = gram.col(c);
    for (const Eigen::VectorXd& earlier : loadings) loading -= earlier[c] * earlier;
    if (loading[c] < kDependent) continue;
    loading /= std::sqrt(loading[c]);
    kept.push_back(c);
    loadings.push_back(std::move(loading));
  }
  return kept;
}

// The entries of a vector, or the rows and columns of a matrix, at these places.
Eigen::VectorXd entries(const Eigen::VectorXd& x, const std::vector<int>& places) {
  Eigen::VectorXd out(static_cast<long>(places.size()));
  for (size_t k = 0; k < places.size(); ++k) out[static_cast<long>(k)] = x[places[k]];
  return out;
}
Eigen::MatrixXd entries(const Eigen::MatrixXd& x, const std::vector<int>& places) {
  const long size = static_cast<long>(places.size());
  Eigen::MatrixXd out(size, size);
  for (long a = 0; a < size; ++a) {
    for (long b = 0; b < size; ++b) out(a, b) = x(places[a], places[b]);
  }
  return out;
}

std::vector<double> tails_of(const Dataset& data, const FamilyRows& family, Node child,
                             const std::vector<Node>& parents, int knots) {
  const Eigen::VectorXd y = standardised_within(data.column(child), family);
  const long n = y.size();
  const int m = static_cast<int>(parents.size());
  if (m == 0) return {};
  // As in CAM: at least three rows per coefficient, or else fewer coefficients.
  const int most = n < 3L * knots * m ? std::max(2, static_cast<int>((n + 3L * m - 1) / (3L * m))) : knots;
  std::vector<Eigen::MatrixXd> parts;
  std::vector<int> owner;
  for (int k = 0; k < m; ++k) {
    parts.push_back(spline_columns(standardised(data.column(parents[k]), family), family, most));
    owner.insert(owner.end(), static_cast<size_t>(parts.back().cols()), k);
  }
  const long width = static_cast<long>(owner.size());
  if (width == 0) return std::vector<double>(m, 1.0);  // all parents are constant, and Eigen rejects empty matrices
  Eigen::MatrixXd all(n, width);
  long at = 0;
  for (const Eigen::MatrixXd& part : parts) {
    all.middleCols(at, part.cols()) = part;
    at += part.cols();
  }
  Eigen::MatrixXd whole = Eigen::MatrixXd::Zero(width, width);
  add_gram(whole, all);
  whole = mirrored(whole);

  const std::vector<int> kept = independent_columns(whole);
  const long size = static_cast<long>(kept.size());
  const double degrees = static_cast<double>(n - family.groups - size);
  std::vector<double> out(m, 1.0);
  if (degrees < 1) return std::vector<double>(m, 0.0);  // nothing can be tested, so nothing is dropped
  const Eigen::VectorXd with_y = entries(transpose_product(all, y), kept);
  const Cholesky cholesky(entries(whole, kept));
  const Eigen::VectorXd beta = cholesky.solve(with_y);
  const Eigen::MatrixXd inverse = cholesky.inverse();
  const double residual = std::max(y.squaredNorm() - beta.dot(with_y), 1e-12 * static_cast<double>(n));
  for (int k = 0; k < m; ++k) {
    std::vector<int> own;
    for (long c = 0; c < size; ++c) {
      if (owner[kept[c]] == k) own.push_back(static_cast<int>(c));
    }
    if (own.empty()) continue;  // it adds nothing to the parents before it
    // How much the residual sum of squares would grow without these coefficients.
    const Eigen::VectorXd part = entries(beta, own);
    const double loss = part.dot(Cholesky(entries(inverse, own)).solve(part));
    const double df = static_cast<double>(own.size());
    out[k] = f_tail((loss / df) / (residual / degrees), df, degrees);
  }
  return out;
}

// A regression by least squares says little about a category, so where numbers are in the table too, edges into
// categories stay. A table of categories alone is one of codes, and they are all there is.
std::vector<char> tested_nodes(const Dataset& data) {
  const bool codes = data.all_of(ColumnKind::kCategorical);
  std::vector<char> out;
  for (const Column& column : data.columns()) out.push_back(codes || column.kind == ColumnKind::kContinuous);
  return out;
}

}  // namespace

std::vector<double> spline_significance(const Dataset& data, Node child, const std::vector<Node>& parents, int knots) {
  refuse_beyond(kPrunedTables, data, "CAM pruning");
  return tails_of(data, Families(data).of(child), child, parents, knots);
}

Dag prune_splines(const Dataset& data, const Dag& dag, const CamOptions& options, const Knowledge& knowledge) {
  refuse_beyond(kPrunedTables, data, "CAM pruning");
  std::vector<std::vector<double>> tails(dag.size());
  const std::vector<char> tested = tested_nodes(data);
  const Families families(data);
  parallel_for(dag.size(), options.threads, [&](int child) {
    if (tested[child]) tails[child] = tails_of(data, families.of(child), child, dag.parent_list(child), options.knots);
  });
  Dag out = dag;
  for (Node child = 0; child < dag.size(); ++child) {
    const std::vector<Node> parents = dag.parent_list(child);
    for (size_t k = 0; k < tails[child].size(); ++k) {
      if (tails[child][k] >= options.level && !knowledge.is_required({parents[k], child})) {
        out.remove_edge(parents[k], child);
      }
    }
  }
  return out;
}

namespace {

// The coefficients of a node's parents, all columns standardised.
std::vector<double> linear_coefficients(const Dataset& data, const FamilyRows& family, Node child,
                                        const std::vector<Node>& parents) {
  const int m = static_cast<int>(parents.size());
  const Eigen::VectorXd y = standardised_within(data.column(child), family);
  Eigen::MatrixXd x(y.size(), m);
  for (int k = 0; k < m; ++k) {
    x.col(k) = standardised_within(data.column(parents[k]), family) / std::sqrt(double(y.size()));
  }
  const Eigen::MatrixXd gram = transpose_product(x, x);
  const std::vector<int> kept = independent_columns(gram);
  const Eigen::VectorXd with_y = entries(transpose_product(x, y), kept) / std::sqrt(double(y.size()));
  const Eigen::VectorXd beta = Cholesky(entries(gram, kept)).solve(with_y);
  std::vector<double> out(m, 0.0);
  for (size_t k = 0; k < kept.size(); ++k) out[kept[k]] = beta[static_cast<long>(k)];
  for (int k = 0; k < m; ++k) {  // codes have no slope for a number to follow
    const Column& parent = data.column(parents[k]);
    const bool codes = parent.kind == ColumnKind::kCategorical && parent.levels.size() > 2;
    if (codes && data.column(child).kind == ColumnKind::kContinuous) out[k] = std::numeric_limits<double>::infinity();
  }
  return out;
}

Dag without_weak(const Dag& dag, const std::vector<std::vector<double>>& coefficients, double threshold,
                 const Knowledge& knowledge) {
  Dag out = dag;
  for (Node child = 0; child < dag.size(); ++child) {
    const std::vector<Node> parents = dag.parent_list(child);
    for (size_t k = 0; k < coefficients[child].size(); ++k) {
      if (std::abs(coefficients[child][k]) < threshold && !knowledge.is_required({parents[k], child})) {
        out.remove_edge(parents[k], child);
      }
    }
  }
  return out;
}

std::vector<std::vector<double>> all_coefficients(const Dataset& data, const Dag& dag, int threads) {
  refuse_beyond(kPrunedTables, data, "CAM pruning");
  std::vector<std::vector<double>> out(dag.size());
  const std::vector<char> tested = tested_nodes(data);
  const Families families(data);
  parallel_for(dag.size(), threads, [&](int child) {
    if (tested[child]) out[child] = linear_coefficients(data, families.of(child), child, dag.parent_list(child));
  });
  return out;
}

}  // namespace

Dag prune_linear(const Dataset& data, const Dag& dag, double threshold, const Knowledge& knowledge) {
  return without_weak(dag, all_coefficients(data, dag, 1), threshold, knowledge);
}

std::vector<Dag> pruned_candidates(const Dataset& data, const Dag& dag, const CamOptions& options,
                                   const Knowledge& knowledge) {
  std::vector<Dag> out;
  const auto offer = [&](Dag candidate) {
    if (candidate == dag || std::find(out.begin(), out.end(), candidate) != out.end()) return;
    out.push_back(std::move(candidate));
  };
  offer(prune_splines(data, dag, options, knowledge));
  const auto coefficients = all_coefficients(data, dag, options.threads);
  for (const double threshold : kLinearThresholds) offer(without_weak(dag, coefficients, threshold, knowledge));
  return out;
}

}  // namespace agon
