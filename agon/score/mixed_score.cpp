#include "agon/score/mixed_score.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "agon/base/linear_algebra.h"
#include "agon/score/edge_price.h"
#include "agon/score/elimination_loops.h"
#include "agon/score/gaussian_score.h"

namespace agon {
namespace {

// Of blocks up to this width a few plain loops are faster than a call for whole matrices.
constexpr int kNarrow = 8;
// Blocks up to one column wider than this are kept up to date as a whole while columns are eliminated.
constexpr int kBeside = 3;

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

void take_columns(const BlockColumns& of, Node v, std::vector<int>& columns) {
  for (int c = of.start[v]; c < of.start[v + 1]; ++c) columns.push_back(c);
}

std::vector<int> columns_of(const BlockColumns& of, Parents variables) {
  std::vector<int> columns;
  for (Node v : variables) take_columns(of, v, columns);
  return columns;
}

Eigen::MatrixXd part(const BlockColumns& of, const std::vector<int>& columns) {
  const Eigen::Index m = static_cast<Eigen::Index>(columns.size());
  Eigen::MatrixXd block(m, m);
  for (Eigen::Index a = 0; a < m; ++a) {
    for (Eigen::Index b = 0; b < m; ++b) block(a, b) = of.row(columns[a])[columns[b]];
  }
  return block;
}

Eigen::MatrixXd inverse_of(const Eigen::MatrixXd& matrix) {
  if (matrix.rows() <= 4 * kNarrow) return Cholesky(matrix).inverse();
  Eigen::MatrixXd inverse(matrix.rows(), matrix.cols());
  invert_symmetric(matrix.data(), static_cast<int>(matrix.rows()), inverse.data());
  return inverse;
}

// ln det of the columns from `first` on, given those before. Cholesky factorisation, column by column: its pivots are
// what the columns before leave of each.
double log_share(const BlockColumns& of, const std::vector<int>& columns, size_t first) {
  if (columns.size() > 4 * kNarrow) {
    return Cholesky(part(of, columns)).log_determinant(static_cast<Eigen::Index>(first));
  }
  std::vector<std::vector<double>> factor;
  double sum = 0;
  for (size_t i = 0; i < columns.size(); ++i) {
    std::vector<double> row(i + 1);
    for (size_t j = 0; j <= i; ++j) {
      double x = of.row(columns[i])[columns[j]];
      for (size_t k = 0; k < j; ++k) x -= row[k] * (j == i ? row[k] : factor[j][k]);
      row[j] = j == i ? std::sqrt(x) : x / factor[j][j];
    }
    if (i >= first) sum += 2 * std::log(row[i]);
    factor.push_back(std::move(row));
  }
  return sum;
}

}  // namespace

// A child and its parents, the wide ones apart.
struct MixedBic::Family {
  Node child;
  Parents parents;
  WideSets::Mask own = 0;   // of the child, if it is wide
  WideSets::Mask wide = 0;  // the wide parents
  std::vector<Node> others = {};
  Parents narrow() const { return wide == 0 ? parents : Parents(others); }
};

// The state after the columns of the parents, then those of the child, were eliminated from a matrix.
struct MixedBic::Elimination {
  BlockColumns of;
  std::vector<double> basis;     // row i: every column's coordinate along the i-th column of the parents
  std::vector<double> residual;  // by column: its variance given the parents
  std::vector<double> beside;    // row d - 1: every column's covariance with the d-th behind it given the parents
  std::vector<double> along;     // row c: every column's coordinate along the child's column c, given the parents
  int rank = 0;                  // rows of basis
  int reach = 0;                 // rows of beside
  Node whose = 0;                // the child, if there is one
  int child = 0;                 // rows of along
  double log_share = 0;          // ln det of the child given its parents

  void run(const BlockColumns& columns, std::optional<Node> child, Parents parents);
  double explained(Node v) const;
  double explained_wide(Node v) const;
  double log_left(Node v) const;
  void own_information(Parents parents, std::span<double> each) const;

 private:
  void begin_beside();
  Eigen::MatrixXd rows_of(const std::vector<double>& rows, int count, Node v) const;
  Eigen::MatrixXd left_of(Node v) const;
  void subtract(std::vector<double>& block, const std::vector<double>& rows, int count, Node v) const;
};

// What a batch of additions needs. A wide child has no columns to eliminate: what it explains of a variable is the
// difference between what the parents leave of that one and what they leave together with the child.
struct MixedBic::Additions {
  Family family;
  const Elimination* given_parents;
  const Elimination* given_all;  // the child too; null: a narrow child, in the elimination above
  double log_share;              // ln det of the child given its parents
};

MixedBic::MixedBic(const Dataset& data, const ScoreOptions& options, const std::string& name)
    : MixedBic(block_moments(data, options), options, name) {}

MixedBic::MixedBic(BlockMoments moments, const ScoreOptions& options, const std::string& name, int wide)
    : moments_(std::move(moments)),
      n_(moments_.weight),
      penalty_(options.penalty * 0.5 * std::log(moments_.total)),
      most_columns_(std::max(4, static_cast<int>(std::min(n_ / 4, 1e9)))),
      narrow_(moments_.seen.empty()) {
  traits_.name = name;
  traits_.max_parents =
      options.max_parents > 0 ? options.max_parents : std::max(3, static_cast<int>(std::min(moments_.total / 10, 1e9)));
  for (Node v = 0; v < moments_.size(); ++v) {
    const int width = moments_.width(v);
    traits_.constant.push_back(width == 0);
    narrow_ = narrow_ && width <= 1;
    alone_.push_back(width == 0 ? 0 : moments_.base[v] - penalty_ * moments_.parameters[v]);
  }
  if (options.priced_edges) naming_ = naming_price(*this);
  auto sets = std::make_shared<const WideSets>(moments_, wide);
  if (!sets->empty()) wide_ = std::move(sets);
}

double MixedBic::edge_penalty(Node a, Node b) const {
  return std::max(penalty_, penalty_ * moments_.width(a) * moments_.width(b) - naming_) * moments_.omega(a, b);
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

MixedBic::Family MixedBic::family(Node child, Parents parents) const {
  Family out{.child = child, .parents = parents};
  if (!wide_) return out;
  out.own = wide_->mark(child);
  for (Node q : parents) {
    out.wide |= wide_->mark(q);
    if (wide_->mark(q) == 0) out.others.push_back(q);
  }
  return out;
}

BlockColumns MixedBic::columns(WideSets::Mask given) const {
  if (wide_) return wide_->given(given).narrow;
  return {moments_.start.data(), moments_.matrix.data(), moments_.columns(), moments_.columns()};
}

double MixedBic::log_share(const Family& f, WideSets::Mask wide) const {
  const BlockColumns without = columns(wide);
  std::vector<int> at = columns_of(without, f.narrow());
  if (f.own == 0) {
    const size_t of_parents = at.size();
    take_columns(without, f.child, at);
    return agon::log_share(without, at, of_parents);
  }
  const double alone = wide_->given(wide | f.own).log_determinant - wide_->given(wide).log_determinant;
  return alone + agon::log_share(columns(wide | f.own), at, 0) - agon::log_share(without, at, 0);
}

double MixedBic::local(Node child, Parents parents) const {
  if (traits_.constant[child]) return 0;
  const Family f = family(child, parents);
  return score(child, parents, -0.5 * log_share(f, f.wide));
}

void MixedBic::Elimination::run(const BlockColumns& columns, std::optional<Node> of_whom, Parents parents) {
  of = columns;
  const EliminationLoops& loops = elimination_loops();
  const int q = of.count;
  int rows = 0;
  for (Node v : parents) rows += of.width(v);
  whose = of_whom.value_or(0);
  child = of_whom ? of.width(*of_whom) : 0;
  rank = 0;
  basis.resize(static_cast<size_t>(rows) * q);
  residual.resize(q);
  for (int c = 0; c < q; ++c) residual[c] = of.row(c)[c];
  begin_beside();
  // `along` begins as the covariances of the child's columns. The first is kept up to date with every elimination; the
  // others, which most children do not have, catch up afterwards.
  const int first = of_whom ? of.start[*of_whom] : 0;
  along.assign(static_cast<size_t>(std::max(1, child)) * q, 0);
  for (int c = 0; c < child; ++c) std::copy_n(of.row(first + c), q, along.data() + static_cast<size_t>(c) * q);
  for (Node v : parents) {
    for (int c = of.start[v]; c < of.start[v + 1]; ++c) {
      double* out = basis.data() + static_cast<size_t>(rank) * q;
      std::copy_n(of.row(c), q, out);
      loops.subtract_rows(out, basis.data(), basis.data() + c, rank, q, q);
      const double scale = 1 / std::sqrt(residual[c]);
      loops.eliminate(out, scale, child > 0 ? out[first] * scale : 0, residual.data(), along.data(), q);
      for (int d = 1; d <= reach; ++d) {
        loops.subtract_products(beside.data() + static_cast<size_t>(d - 1) * q, out, out + d, q - d);
      }
      ++rank;
    }
  }
  log_share = 0;
  for (int c = 0; c < child; ++c) {
    double* out = along.data() + static_cast<size_t>(c) * q;
    if (c > 0) loops.subtract_rows(out, basis.data(), basis.data() + first + c, rank, q, q);
    loops.subtract_rows(out, along.data(), along.data() + first + c, c, q, q);
    const double left = c == 0 ? residual[first] : out[first + c];
    const double scale = 1 / std::sqrt(left);
    for (int v = 0; v < q; ++v) out[v] *= scale;
    log_share += std::log(left);
  }
}

void MixedBic::Elimination::begin_beside() {
  reach = 0;
  for (Node v = 0; of.start[v] < of.count; ++v) {
    if (of.width(v) <= kBeside + 1) reach = std::max(reach, of.width(v) - 1);
  }
  beside.resize(static_cast<size_t>(reach) * of.count);
  for (int d = 1; d <= reach; ++d) {
    double* out = beside.data() + static_cast<size_t>(d - 1) * of.count;
    for (int c = 0; c + d < of.count; ++c) out[c] = of.row(c)[c + d];
  }
}

Eigen::MatrixXd MixedBic::Elimination::rows_of(const std::vector<double>& rows, int count, Node v) const {
  const int m = of.width(v);
  Eigen::MatrixXd out(count, m);
  for (int i = 0; i < count; ++i) {
    out.row(i) = Eigen::Map<const Eigen::RowVectorXd>(rows.data() + static_cast<size_t>(i) * of.count + of.start[v], m);
  }
  return out;
}

// The lower triangle of v's block given the parents.
Eigen::MatrixXd MixedBic::Elimination::left_of(Node v) const {
  const int m = of.width(v);
  Eigen::MatrixXd left(m, m);
  for (int a = 0; a < m; ++a) {
    for (int b = 0; b < m; ++b) left(a, b) = of.row(of.start[v] + a)[of.start[v] + b];
  }
  if (rank > 0) add_gram(left, rows_of(basis, rank, v), -1);
  return left;
}

// explained() for wider blocks, with products and decompositions that work on many columns at once. The determinant of
// I - X'X, X = L^-1 G' with L L' = M_vv, is taken over the columns of v or of the child, whichever are fewer.
double MixedBic::Elimination::explained_wide(Node v) const {
  const int m = of.width(v);
  Eigen::MatrixXd x = rows_of(along, child, v).transpose();
  if (rank > 0 || !of.orthonormal) x = Cholesky(left_of(v)).whitened(x);
  const Eigen::Index order = std::min(m, child);
  Eigen::MatrixXd share = Eigen::MatrixXd::Identity(order, order);
  if (child <= m) {
    add_gram(share, x, -1);
  } else {
    add_outer(share, x, -1);
  }
  return -0.5 * Cholesky(share).log_determinant();
}

void MixedBic::Elimination::subtract(std::vector<double>& block, const std::vector<double>& rows, int count,
                                     Node v) const {
  const int m = of.width(v);
  for (int i = 0; i < count; ++i) {
    const double* g = rows.data() + static_cast<size_t>(i) * of.count + of.start[v];
    for (int a = 0; a < m; ++a) {
      for (int b = 0; b <= a; ++b) block[a * m + b] -= g[a] * g[b];
    }
  }
}

// -1/2 ln of det(M_vv - G'G) / det(M_vv): M_vv the block of v given the parents, G its coordinates along the child.
double MixedBic::Elimination::explained(Node v) const {
  const int first = of.start[v], m = of.width(v);
  if (m == 1) {
    double sum = 0;
    for (int c = 0; c < child; ++c) {
      const double g = along[static_cast<size_t>(c) * of.count + first];
      sum += g * g;
    }
    return -0.5 * std::log(1 - sum / residual[first]);
  }
  if (m > kNarrow) return explained_wide(v);
  static thread_local std::vector<double> before, after;
  before.resize(static_cast<size_t>(m) * m);
  if (m <= kBeside + 1) {
    for (int a = 0; a < m; ++a) {
      before[a * m + a] = residual[first + a];
      for (int b = 0; b < a; ++b) before[a * m + b] = beside[static_cast<size_t>(a - b - 1) * of.count + first + b];
    }
  } else {
    for (int a = 0; a < m; ++a) std::copy_n(of.row(first + a) + first, m, before.data() + a * m);
    subtract(before, basis, rank, v);
  }
  after = before;
  subtract(after, along, child, v);
  return -0.5 * (log_determinant(after.data(), m) - log_determinant(before.data(), m));
}

// ln det of v's block given the parents.
double MixedBic::Elimination::log_left(Node v) const {
  return of.width(v) == 1 ? std::log(residual[of.start[v]]) : Cholesky(left_of(v)).log_determinant();
}

// What each parent tells about the child beyond the others. The elimination holds U, upper triangular, with U'U = R over
// the parents and the child; with V its inverse, K = V V' is the inverse of R, and removal_gains() says how K answers.
void MixedBic::Elimination::own_information(Parents parents, std::span<double> each) const {
  static thread_local std::vector<int> at;
  static thread_local std::vector<double> factor, inverse, block;
  at.clear();
  for (Node v : parents) take_columns(of, v, at);
  take_columns(of, whose, at);
  const int order = rank + child;
  const size_t cells = static_cast<size_t>(order) * order;
  factor.resize(cells);
  inverse.resize(cells);
  for (int i = 0; i < order; ++i) {
    const double* row = i < rank ? basis.data() + static_cast<size_t>(i) * of.count
                                 : along.data() + static_cast<size_t>(i - rank) * of.count;
    for (int j = i; j < order; ++j) factor[static_cast<size_t>(j) * order + i] = row[at[j]];
  }
  invert_upper(factor.data(), order, inverse.data());

  // The lower triangle of K over the columns `first` .. `first` + m - 1, then those of the child if asked for.
  const auto log_det_of = [&](int first, int m, int also) {
    const int all = m + also;
    block.resize(static_cast<size_t>(all) * all);
    const auto column = [&](int k) { return k < m ? first + k : rank + k - m; };
    for (int a = 0; a < all; ++a) {
      for (int b = 0; b <= a; ++b) {
        const double* x = inverse.data() + static_cast<size_t>(column(a)) * order;
        const double* y = inverse.data() + static_cast<size_t>(column(b)) * order;
        double sum = 0;
        for (int i = column(a); i < order; ++i) sum += x[i] * y[i];
        block[a * all + b] = sum;
      }
    }
    return log_determinant(block.data(), all);
  };
  const double of_child = log_det_of(rank, child, 0);
  int first = 0;
  for (size_t k = 0; k < parents.size(); ++k) {
    const int m = of.width(parents[k]);
    each[k] = m == 0 ? 0 : -0.5 * (log_det_of(first, m, child) - log_det_of(first, m, 0) - of_child);
    first += m;
  }
}

MixedBic::Additions MixedBic::additions(Node child, Parents parents) const {
  static thread_local Elimination first, second;  // static only to keep their memory from one call to the next
  Additions out{family(child, parents), &first, nullptr, 0};
  const Family& f = out.family;
  if (f.own == 0) {
    first.run(columns(f.wide), child, f.narrow());
    out.log_share = first.log_share;
    return out;
  }
  first.run(columns(f.wide), std::nullopt, f.narrow());
  second.run(columns(f.wide | f.own), std::nullopt, f.narrow());
  out.given_all = &second;
  out.log_share = log_share(f, f.wide);
  return out;
}

double MixedBic::information(const Additions& all, Node v) const {
  const Family& f = all.family;
  if (wide_ && wide_->mark(v) != 0) return 0.5 * (all.log_share - log_share(f, f.wide | wide_->mark(v)));
  if (all.given_all) return 0.5 * (all.given_parents->log_left(v) - all.given_all->log_left(v));
  return all.given_parents->explained(v);
}

void MixedBic::fill_additions(const Additions& all, std::span<double> gains) const {
  const Node child = all.family.child;
  const Parents parents = all.family.parents;
  std::fill(gains.begin(), gains.end(), kNoGain);
  if (static_cast<int>(parents.size()) >= traits_.max_parents) return;
  const int widest = room(child, parents);
  for (Node v = 0; v < size(); ++v) {
    if (!may_add(traits_, child, parents, v) || moments_.width(v) > widest) continue;
    const double gain = n_ * information(all, v) - edge_penalty(child, v);
    gains[v] = gain > kNoGain ? gain : kNoGain;  // never seen together: the penalty is infinite
  }
}

double MixedBic::addition_gains(Node child, Parents parents, std::span<double> gains) const {
  std::fill(gains.begin(), gains.end(), kNoGain);
  if (traits_.constant[child]) return local(child, parents);
  const Additions all = additions(child, parents);
  fill_additions(all, gains);
  return score(child, parents, -0.5 * all.log_share);
}

// One elimination serves the additions and the removals.
double MixedBic::column_gains(Node child, Parents parents, std::span<double> additions,
                              std::span<double> removals) const {
  if (wide_ || parents.empty() || traits_.constant[child]) {
    return LocalScore::column_gains(child, parents, additions, removals);
  }
  const Additions all = this->additions(child, parents);
  fill_additions(all, additions);
  all.given_parents->own_information(parents, removals);
  for (size_t k = 0; k < parents.size(); ++k) {
    removals[k] = traits_.constant[parents[k]] ? 0 : edge_penalty(child, parents[k]) - n_ * removals[k];
  }
  return score(child, parents, -0.5 * all.log_share);
}

double MixedBic::positive_additions(Node child, Parents parents, std::vector<ParentGain>& best) const {
  best.clear();
  if (traits_.constant[child]) return local(child, parents);
  const Additions all = additions(child, parents);
  // Where all blocks are single columns: -n/2 ln(1 - share explained) exceeds the penalty only above this. It is set
  // slightly lower, so that rounding decides nothing here.
  const double threshold = narrow_ ? -std::expm1(-2 * penalty_ / n_) * (1 - 1e-9) : 0;
  const double* along = all.given_parents->along.data();
  const double* residual = all.given_parents->residual.data();
  const int widest = room(child, parents);
  for (Node v = 0; v < size(); ++v) {
    if (narrow_) {
      const int c = moments_.start[v];
      if (traits_.constant[v] || along[c] * along[c] <= threshold * residual[c]) continue;
    }
    if (!may_add(traits_, child, parents, v) || moments_.width(v) > widest) continue;
    const double gain = n_ * information(all, v) - edge_penalty(child, v);
    if (gain > 0) best.push_back({gain, v});
  }
  sort_by_gain(best);
  return score(child, parents, -0.5 * all.log_share);
}

// With K the inverse of R over parents and child, what a parent k tells about the child beyond the others is
// -1/2 (ln det K_{k and child} - ln det K_kk - ln det K_child). For a wide child, whose columns are not in K, it is
// 1/2 (ln det K_kk - ln det K'_kk): K and K' the inverses over the parents given the child, and without it.
double MixedBic::removal_gains(Node child, Parents parents, std::span<double> gains) const {
  if (parents.empty() || traits_.constant[child]) return plain_removal_gains(*this, child, parents, gains);
  const Family f = family(child, parents);
  const Parents narrow = f.narrow();
  const BlockColumns of = columns(f.wide | f.own);
  std::vector<int> at, first;  // first: by place among the narrow parents, then of the child and the end
  for (Node q : narrow) {
    first.push_back(static_cast<int>(at.size()));
    take_columns(of, q, at);
  }
  first.push_back(static_cast<int>(at.size()));
  if (f.own == 0) take_columns(of, child, at);
  first.push_back(static_cast<int>(at.size()));
  Eigen::MatrixXd inverse, without;
  if (!at.empty()) inverse = inverse_of(part(of, at));
  if (!at.empty() && f.own != 0) without = inverse_of(part(columns(f.wide), at));

  static thread_local std::vector<double> block;
  const auto log_det_of = [&](const Eigen::MatrixXd& whole, std::initializer_list<size_t> variables) {
    std::vector<int> of_them;
    for (size_t k : variables) {
      for (int c = first[k]; c < first[k + 1]; ++c) of_them.push_back(c);
    }
    const size_t m = of_them.size();
    block.resize(m * m);
    for (size_t a = 0; a < m; ++a) {
      for (size_t b = 0; b < m; ++b) block[a * m + b] = whole(of_them[a], of_them[b]);
    }
    return log_determinant(block.data(), static_cast<int>(m));
  };
  const size_t self = narrow.size();
  const double of_child = f.own == 0 ? log_det_of(inverse, {self}) : -log_share(f, f.wide);
  size_t place = 0;  // of a narrow parent
  for (size_t k = 0; k < parents.size(); ++k) {
    const WideSets::Mask mark = wide_ ? wide_->mark(parents[k]) : 0;
    const size_t own = mark == 0 ? place++ : self;
    if (traits_.constant[parents[k]]) {
      gains[k] = 0;
      continue;
    }
    double information = 0;
    if (mark != 0) {
      information = 0.5 * (log_share(f, f.wide & ~mark) + of_child);
    } else if (f.own != 0) {
      information = 0.5 * (log_det_of(inverse, {own}) - log_det_of(without, {own}));
    } else {
      information = -0.5 * (log_det_of(inverse, {own, self}) - log_det_of(inverse, {own}) - of_child);
    }
    gains[k] = edge_penalty(child, parents[k]) - n_ * information;
  }
  return score(child, parents, 0.5 * of_child);  // det K_child is 1 / det of the child given its parents
}

}  // namespace agon
