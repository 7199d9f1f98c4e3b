#include "agon/score/block_elimination.h"

#include <algorithm>
#include <cmath>

#include "agon/base/linear_algebra.h"
#include "agon/score/elimination_loops.h"

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

Eigen::MatrixXd part(const BlockColumns& of, const std::vector<int>& columns) {
  const Eigen::Index m = static_cast<Eigen::Index>(columns.size());
  Eigen::MatrixXd block(m, m);
  for (Eigen::Index a = 0; a < m; ++a) {
    for (Eigen::Index b = 0; b < m; ++b) block(a, b) = of.row(columns[a])[columns[b]];
  }
  return block;
}

}  // namespace

void take_columns(const BlockColumns& of, Node v, std::vector<int>& columns) {
  for (int c = of.start[v]; c < of.start[v + 1]; ++c) columns.push_back(c);
}

std::vector<int> columns_of(const BlockColumns& of, Parents variables) {
  std::vector<int> columns;
  for (Node v : variables) take_columns(of, v, columns);
  return columns;
}

Eigen::MatrixXd inverse_over(const BlockColumns& of, const std::vector<int>& columns) {
  const Eigen::MatrixXd matrix = part(of, columns);
  if (matrix.rows() <= 4 * kNarrow) return Cholesky(matrix).inverse();
  Eigen::MatrixXd inverse(matrix.rows(), matrix.cols());
  invert_symmetric(matrix.data(), static_cast<int>(matrix.rows()), inverse.data());
  return inverse;
}

// Cholesky factorisation, column by column: its pivots are what the columns before leave of each.
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

void own_information(const BlockColumns& of, Node child, Parents parents, const std::vector<double>& factor,
                     std::vector<double>& each) {
  const int also = of.width(child);
  int rank = 0;
  for (Node v : parents) rank += of.width(v);
  const int order = rank + also;
  static thread_local std::vector<double> inverse, block;
  inverse.resize(factor.size());
  invert_upper(factor.data(), order, inverse.data());
  // Of K over the columns `first` .. `first` + m - 1, then the child's if asked for.
  const auto log_det_of = [&](int first, int m, int of_child) {
    const int all = m + of_child;
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
  const double of_child = log_det_of(rank, also, 0);
  each.assign(parents.size(), 0);
  int first = 0;
  for (size_t k = 0; k < parents.size(); ++k) {
    const int m = of.width(parents[k]);
    if (m > 0) each[k] = -0.5 * (log_det_of(first, m, also) - log_det_of(first, m, 0) - of_child);
    first += m;
  }
}

std::vector<double> lower_factor(const BlockColumns& of, const std::vector<int>& columns) {
  const EliminationLoops& loops = elimination_loops();
  const int m = static_cast<int>(columns.size());
  std::vector<double> upper(static_cast<size_t>(m) * m), lower(upper.size());
  for (int k = 0; k < m; ++k) {
    double* row = upper.data() + static_cast<size_t>(k) * m;
    for (int c = k; c < m; ++c) row[c] = of.row(columns[k])[columns[c]];
    loops.subtract_rows(row + k, upper.data() + k, upper.data() + k, k, m - k, m);
    const double scale = 1 / std::sqrt(row[k]);
    for (int c = k; c < m; ++c) {
      row[c] *= scale;
      lower[static_cast<size_t>(c) * m + k] = row[c];
    }
  }
  return lower;
}

void BlockElimination::run(const BlockColumns& columns, std::optional<Node> of_whom, Parents parents) {
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

void BlockElimination::begin_beside() {
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

Eigen::MatrixXd BlockElimination::rows_of(const std::vector<double>& rows, int count, Node v) const {
  const int m = of.width(v);
  Eigen::MatrixXd out(count, m);
  for (int i = 0; i < count; ++i) {
    out.row(i) = Eigen::Map<const Eigen::RowVectorXd>(rows.data() + static_cast<size_t>(i) * of.count + of.start[v], m);
  }
  return out;
}

// The lower triangle of v's block given the parents.
Eigen::MatrixXd BlockElimination::left_of(Node v) const {
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
double BlockElimination::explained_wide(Node v) const {
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

void BlockElimination::subtract(std::vector<double>& block, const std::vector<double>& rows, int count, Node v) const {
  const int m = of.width(v);
  for (int i = 0; i < count; ++i) {
    const double* g = rows.data() + static_cast<size_t>(i) * of.count + of.start[v];
    for (int a = 0; a < m; ++a) {
      for (int b = 0; b <= a; ++b) block[a * m + b] -= g[a] * g[b];
    }
  }
}

// -1/2 ln of det(M_vv - G'G) / det(M_vv): M_vv the block of v given the parents, G its coordinates along the child.
double BlockElimination::explained(Node v) const {
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

double BlockElimination::log_left(Node v) const {
  return of.width(v) == 1 ? std::log(residual[of.start[v]]) : Cholesky(left_of(v)).log_determinant();
}

void BlockElimination::own_information(Parents parents, std::vector<double>& each) const {
  static thread_local std::vector<int> at;
  static thread_local std::vector<double> factor;
  at.clear();
  for (Node v : parents) take_columns(of, v, at);
  take_columns(of, whose, at);
  const size_t order = at.size();
  factor.resize(order * order);
  for (size_t i = 0; i < order; ++i) {
    const size_t parent_rows = static_cast<size_t>(rank);
    const double* row = i < parent_rows ? basis.data() + i * of.count : along.data() + (i - parent_rows) * of.count;
    for (size_t j = i; j < order; ++j) factor[j * order + i] = row[at[j]];
  }
  agon::own_information(of, whose, parents, factor, each);
}

}  // namespace agon
