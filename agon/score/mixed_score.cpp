#include "agon/score/mixed_score.h"

#include <algorithm>
#include <cmath>

#include "agon/base/linear_algebra.h"
#include "agon/score/elimination_loops.h"
#include "agon/score/gaussian_score.h"

namespace agon {
namespace {

std::vector<ColumnKind> kinds_of(const Dataset& data) {
  std::vector<ColumnKind> kinds;
  for (const Column& column : data.columns()) kinds.push_back(column.kind);
  return kinds;
}

// Of blocks up to this width a few plain loops are faster than a call for whole matrices.
constexpr int kNarrow = 8;

// ln det of a symmetric positive definite matrix of order m, row by row. Overwrites it with its Cholesky factor.
double log_determinant(double* a, int m) {
  if (m > 4 * kNarrow) {  // many columns at once
    return Cholesky(Eigen::Map<const Eigen::MatrixXd>(a, m, m).transpose()).log_determinant();
  }
  if (m == 1) return std::log(a[0]);
  if (m == 2) return std::log(a[0] * a[3] - a[2] * a[2]);
  double product = 1, sum = 0;  // of the pivots; a logarithm is taken before the product can leave the range of doubles
  for (int i = 0; i < m; ++i) {
    double* row = a + i * m;
    for (int j = 0; j <= i; ++j) {
      const double* other = a + j * m;
      double x = row[j];
      for (int k = 0; k < j; ++k) x -= row[k] * other[k];
      row[j] = i == j ? std::sqrt(x) : x / other[j];
    }
    product *= row[i] * row[i];
    if (product < 1e-200 || product > 1e200) {
      sum += std::log(product);
      product = 1;
    }
  }
  return sum + std::log(product);
}

}  // namespace

// The state after the columns of the parents, then those of the child, were eliminated from R.
struct MixedBic::Elimination {
  std::vector<double> basis;     // row i: every column's coordinate along the i-th column of the parents
  std::vector<double> residual;  // by column: its variance given the parents
  std::vector<double> along;     // row c: every column's coordinate along the child's column c, given the parents
  int rank = 0;                  // rows of basis
  int child = 0;                 // rows of along
  double log_share = 0;          // ln det of the child given its parents
};

MixedBic::MixedBic(const Dataset& data, const ScoreOptions& options, const std::string& name)
    : MixedBic(block_moments(data, options), kinds_of(data), options, name) {}

MixedBic::MixedBic(BlockMoments moments, std::vector<ColumnKind> kinds, const ScoreOptions& options,
                   const std::string& name)
    : moments_(std::move(moments)),
      n_(moments_.weight),
      penalty_(options.penalty * 0.5 * std::log(n_)),
      most_columns_(std::max(4, static_cast<int>(std::min(n_ / 4, 1e9)))),
      narrow_(moments_.seen.empty()) {
  traits_.name = name;
  traits_.max_parents =
      options.max_parents > 0 ? options.max_parents : std::max(3, static_cast<int>(std::min(n_ / 10, 1e9)));
  for (Node v = 0; v < moments_.size(); ++v) {
    const int width = moments_.width(v);
    traits_.constant.push_back(width == 0);
    narrow_ = narrow_ && width <= 1;
    const double parameters = kinds[v] == ColumnKind::kContinuous ? 2 : width;
    alone_.push_back(width == 0 ? 0 : moments_.base[v] - penalty_ * parameters);
  }
}

double MixedBic::edge_penalty(Node a, Node b) const {
  return penalty_ * moments_.width(a) * moments_.width(b) * moments_.omega(a, b);
}

double MixedBic::score(Node child, Parents parents, double information) const {
  double sum = alone_[child] + n_ * information;
  for (Node q : parents) {
    if (!traits_.constant[q] && !traits_.constant[child]) sum -= edge_penalty(child, q);
  }
  if (std::isinf(sum)) throw ScoreUndefined(traits_.name + ": two variables of a family were never seen in one row");
  return sum;
}

int MixedBic::room(Node child, Parents parents) const {
  int columns = moments_.width(child);
  for (Node q : parents) columns += moments_.width(q);
  return most_columns_ - columns;
}

double MixedBic::local(Node child, Parents parents) const {
  if (traits_.constant[child]) return 0;
  // Cholesky factorisation of (parents, child), column by column. The child's pivots are what the parents leave of it.
  std::vector<int> columns;
  for (Node q : parents) {
    for (int c = moments_.start[q]; c < moments_.start[q + 1]; ++c) columns.push_back(c);
  }
  const size_t of_parents = columns.size();
  for (int c = moments_.start[child]; c < moments_.start[child + 1]; ++c) columns.push_back(c);
  if (columns.size() > 4 * kNarrow) {
    Eigen::MatrixXd block(columns.size(), columns.size());
    for (size_t a = 0; a < columns.size(); ++a) {
      for (size_t b = 0; b < columns.size(); ++b) block(a, b) = moments_.at(columns[a], columns[b]);
    }
    return score(child, parents, -0.5 * Cholesky(block).log_determinant(static_cast<Eigen::Index>(of_parents)));
  }
  std::vector<std::vector<double>> factor;
  double log_share = 0;
  for (size_t i = 0; i < columns.size(); ++i) {
    std::vector<double> row(i + 1);
    for (size_t j = 0; j <= i; ++j) {
      double x = moments_.at(columns[i], columns[j]);
      for (size_t k = 0; k < j; ++k) x -= row[k] * (j == i ? row[k] : factor[j][k]);
      row[j] = j == i ? std::sqrt(x) : x / factor[j][j];
    }
    if (i >= of_parents) log_share += 2 * std::log(row[i]);
    factor.push_back(std::move(row));
  }
  return score(child, parents, -0.5 * log_share);
}

const MixedBic::Elimination& MixedBic::eliminate(Node child, Parents parents) const {
  static thread_local Elimination e;  // static only to keep its memory from one call to the next
  const EliminationLoops& loops = elimination_loops();
  const int q = moments_.columns();
  int rows = 0;
  for (Node v : parents) rows += moments_.width(v);
  e.child = moments_.width(child);
  e.rank = 0;
  e.basis.resize(static_cast<size_t>(rows) * q);
  e.residual.assign(q, 1.0);
  // `along` begins as the covariances of the child's columns. The first is kept up to date with every elimination; the
  // others, which most children do not have, catch up afterwards.
  e.along.resize(static_cast<size_t>(e.child) * q);
  std::copy_n(moments_.row(moments_.start[child]), static_cast<size_t>(e.child) * q, e.along.data());
  const int of_child = moments_.start[child];
  for (Node v : parents) {
    for (int c = moments_.start[v]; c < moments_.start[v + 1]; ++c) {
      double* out = e.basis.data() + static_cast<size_t>(e.rank) * q;
      std::copy_n(moments_.row(c), q, out);
      for (int i = 0; i < e.rank; ++i) {
        const double* earlier = e.basis.data() + static_cast<size_t>(i) * q;
        loops.subtract(out, earlier[c], earlier, q);
      }
      const double scale = 1 / std::sqrt(e.residual[c]);
      loops.eliminate(out, scale, out[of_child] * scale, e.residual.data(), e.along.data(), q);
      ++e.rank;
    }
  }
  e.log_share = 0;
  for (int c = 0; c < e.child; ++c) {
    double* out = e.along.data() + static_cast<size_t>(c) * q;
    for (int i = 0; c > 0 && i < e.rank; ++i) {
      const double* earlier = e.basis.data() + static_cast<size_t>(i) * q;
      loops.subtract(out, earlier[of_child + c], earlier, q);
    }
    for (int i = 0; i < c; ++i) {
      const double* earlier = e.along.data() + static_cast<size_t>(i) * q;
      loops.subtract(out, earlier[of_child + c], earlier, q);
    }
    const double left = c == 0 ? e.residual[of_child] : out[of_child + c];
    const double scale = 1 / std::sqrt(left);
    for (int v = 0; v < q; ++v) out[v] *= scale;
    e.log_share += std::log(left);
  }
  return e;
}

// The same for wide blocks, with products and decompositions that work on many columns at once. The determinant of
// I - X'X, X = L^-1 G' with L L' = M_vv, is taken over the columns of v or over those of the child, whichever are fewer.
double MixedBic::explained_wide(const Elimination& e, Node v) const {
  const int q = moments_.columns(), first = moments_.start[v], m = moments_.width(v);
  const auto part = [&](const std::vector<double>& rows, int count) {
    Eigen::MatrixXd out(count, m);
    for (int i = 0; i < count; ++i) {
      out.row(i) = Eigen::Map<const Eigen::RowVectorXd>(rows.data() + static_cast<size_t>(i) * q + first, m);
    }
    return out;
  };
  Eigen::MatrixXd x = part(e.along, e.child).transpose();
  if (e.rank > 0) {
    Eigen::MatrixXd left = Eigen::MatrixXd::Identity(m, m);
    add_gram(left, part(e.basis, e.rank), -1);
    x = Cholesky(left).whitened(x);
  }
  const Eigen::Index order = std::min<Eigen::Index>(m, e.child);
  Eigen::MatrixXd share = Eigen::MatrixXd::Identity(order, order);
  if (e.child <= m) {
    add_gram(share, x, -1);
  } else {
    add_outer(share, x, -1);
  }
  return -0.5 * Cholesky(share).log_determinant();
}

// -1/2 ln of det(M_vv - G'G) / det(M_vv): M_vv the block of v given the parents, G its coordinates along the child.
double MixedBic::explained(const Elimination& e, Node v) const {
  const int q = moments_.columns(), first = moments_.start[v], m = moments_.width(v);
  if (m == 1) {
    double along = 0;
    for (int c = 0; c < e.child; ++c) {
      const double g = e.along[static_cast<size_t>(c) * q + first];
      along += g * g;
    }
    return -0.5 * std::log(1 - along / e.residual[first]);
  }
  if (m > kNarrow) return explained_wide(e, v);
  static thread_local std::vector<double> before, after;
  before.assign(static_cast<size_t>(m) * m, 0);
  for (int a = 0; a < m; ++a) before[a * m + a] = 1;
  const auto subtract = [&](std::vector<double>& block, const std::vector<double>& rows, int count) {
    for (int i = 0; i < count; ++i) {
      const double* g = rows.data() + static_cast<size_t>(i) * q + first;
      for (int a = 0; a < m; ++a) {
        for (int b = 0; b <= a; ++b) block[a * m + b] -= g[a] * g[b];
      }
    }
  };
  subtract(before, e.basis, e.rank);
  after = before;
  subtract(after, e.along, e.child);
  return -0.5 * (log_determinant(after.data(), m) - log_determinant(before.data(), m));
}

double MixedBic::addition_gains(Node child, Parents parents, std::span<double> gains) const {
  std::fill(gains.begin(), gains.end(), kNoGain);
  if (traits_.constant[child]) return local(child, parents);
  const Elimination& e = eliminate(child, parents);
  if (static_cast<int>(parents.size()) < traits_.max_parents) {
    const int widest = room(child, parents);
    for (Node v = 0; v < size(); ++v) {
      if (v == child || traits_.constant[v] || moments_.width(v) > widest) continue;
      const double gain = n_ * explained(e, v) - edge_penalty(child, v);
      gains[v] = gain > kNoGain ? gain : kNoGain;  // never seen together: the penalty is infinite
    }
    for (Node q : parents) gains[q] = kNoGain;
  }
  return score(child, parents, -0.5 * e.log_share);
}

double MixedBic::positive_additions(Node child, Parents parents, std::vector<ParentGain>& best) const {
  best.clear();
  if (traits_.constant[child]) return local(child, parents);
  const Elimination& e = eliminate(child, parents);
  // Where all blocks are single columns: -n/2 ln(1 - share explained) exceeds the penalty only above this. It is set
  // slightly lower, so that rounding decides nothing here.
  const double threshold = narrow_ ? -std::expm1(-2 * penalty_ / n_) * (1 - 1e-9) : 0;
  const double* along = e.along.data();
  const int widest = room(child, parents);
  for (Node v = 0; v < size(); ++v) {
    if (narrow_) {
      const int c = moments_.start[v];
      if (traits_.constant[v] || along[c] * along[c] <= threshold * e.residual[c]) continue;
    }
    if (!may_add(traits_, child, parents, v) || moments_.width(v) > widest) continue;
    const double gain = n_ * explained(e, v) - edge_penalty(child, v);
    if (gain > 0) best.push_back({gain, v});
  }
  sort_by_gain(best);
  return score(child, parents, -0.5 * e.log_share);
}

double MixedBic::removal_gains(Node child, Parents parents, std::span<double> gains) const {
  if (parents.empty() || traits_.constant[child]) return plain_removal_gains(*this, child, parents, gains);
  // With K the inverse of R over parents and child, what a parent k tells about the child beyond the others is
  // -1/2 (ln det K_{k and child} - ln det K_kk - ln det K_child).
  std::vector<int> columns, first;
  const auto take = [&](Node v) {
    first.push_back(static_cast<int>(columns.size()));
    for (int c = moments_.start[v]; c < moments_.start[v + 1]; ++c) columns.push_back(c);
  };
  for (Node q : parents) take(q);
  take(child);
  const Eigen::Index m = static_cast<Eigen::Index>(columns.size());
  Eigen::MatrixXd block(m, m);
  for (Eigen::Index a = 0; a < m; ++a) {
    for (Eigen::Index b = 0; b < m; ++b) block(a, b) = moments_.at(columns[a], columns[b]);
  }
  const Eigen::MatrixXd inverse = Cholesky(block).inverse();
  static thread_local std::vector<double> part;
  const auto log_det_of = [&](std::initializer_list<size_t> variables) {
    std::vector<int> at;
    for (size_t k : variables) {
      const int end = k < parents.size() ? first[k + 1] : static_cast<int>(m);
      for (int c = first[k]; c < end; ++c) at.push_back(c);
    }
    part.resize(at.size() * at.size());
    for (size_t a = 0; a < at.size(); ++a) {
      for (size_t b = 0; b < at.size(); ++b) part[a * at.size() + b] = inverse(at[a], at[b]);
    }
    return log_determinant(part.data(), static_cast<int>(at.size()));
  };
  const size_t self = parents.size();
  const double of_child = log_det_of({self});
  for (size_t k = 0; k < parents.size(); ++k) {
    if (traits_.constant[parents[k]]) {
      gains[k] = 0;
      continue;
    }
    const double information = -0.5 * (log_det_of({k, self}) - log_det_of({k}) - of_child);
    gains[k] = edge_penalty(child, parents[k]) - n_ * information;
  }
  return score(child, parents, 0.5 * of_child);  // det K_child is 1 / det of the child given its parents
}

}  // namespace agon
