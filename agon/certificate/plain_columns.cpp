#include "agon/certificate/plain_columns.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "agon/base/linear_algebra.h"
#include "agon/certificate/plain_gaussian.h"

namespace agon::plain {
namespace {

// Rows scaled by the square roots of their shares of the weight, so that X^T X is a covariance.
struct Scaled {
  Eigen::MatrixXd triangle;  // T, with a positive diagonal
  Eigen::Index rank = 0;     // leading columns before the first that the others determine
};

// `x` is centred already. Squared lengths below kDetermined of a column's own count as nothing.
Scaled factorise(const Eigen::MatrixXd& x, const Eigen::VectorXd& share) {
  const Eigen::Index m = x.cols();
  Eigen::MatrixXd scaled = Eigen::MatrixXd::Zero(std::max(x.rows(), m), m);
  scaled.topRows(x.rows()) = share.cwiseSqrt().asDiagonal() * x;
  const Eigen::RowVectorXd lengths = scaled.colwise().squaredNorm();
  Scaled out{triangular_factor(scaled), 0};
  for (Eigen::Index k = 0; k < m; ++k) {
    if (out.triangle(k, k) < 0) out.triangle.row(k) *= -1;
  }
  while (out.rank < m) {
    const double diagonal = out.triangle(out.rank, out.rank);
    if (!(diagonal * diagonal > kDetermined * lengths(out.rank))) break;
    ++out.rank;
  }
  return out;
}

// Centres the columns of x over rows of these shares and makes them orthonormal. The first column that those before it
// determine goes, with all that follow, as it is with powers; or, if `each`, every such column goes.
Eigen::MatrixXd orthonormal(Eigen::MatrixXd x, const Eigen::VectorXd& share, bool each = false) {
  x.rowwise() -= transpose_product(x, share).transpose();
  Scaled factor = factorise(x, share);
  while (each && factor.rank < x.cols()) {
    const Eigen::Index after = x.cols() - factor.rank - 1;
    x.middleCols(factor.rank, after) = x.rightCols(after).eval();
    x.conservativeResize(Eigen::NoChange, x.cols() - 1);
    factor = factorise(x, share);
  }
  const Eigen::Index m = factor.rank;
  return times_inverse_of_upper(x.leftCols(m), factor.triangle.topLeftCorner(m, m));
}

}  // namespace

BlockColumns::BlockColumns(const Dataset& data, const MixedOptions& options)
    : data_(data), blocks_(data.size()), start_(1, 0) {
  for (Node v = 0; v < data.size(); ++v) {
    int width = 0;
    if (!data.column(v).is_isolated()) {
      width = data.column(v).kind == ColumnKind::kCategorical ? embed_levels(v) : embed_numbers(v, options);
    }
    start_.push_back(start_.back() + width);
  }
  quantiles_ = {};
}

int BlockColumns::embed_levels(Node v) {
  const Column& column = data_.column(v);
  Block& block = blocks_[v];
  block.gaps = column.has_missing();
  const Eigen::Index k = static_cast<Eigen::Index>(column.levels.size());
  Eigen::VectorXd share = Eigen::VectorXd::Zero(k);
  for (size_t row = 0; row < data_.rows(); ++row) {
    if (!column.is_missing(row)) share(column.codes[row]) += data_.weight(row);
  }
  share /= share.sum();
  std::vector<Eigen::Index> order(k);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Eigen::Index a, Eigen::Index b) { return share(a) > share(b); });
  Eigen::MatrixXd indicators = Eigen::MatrixXd::Zero(k, k - 1);
  for (Eigen::Index l = 0; l + 1 < k; ++l) indicators(order[l], l) = 1;
  block.values = orthonormal(std::move(indicators), share);
  for (Eigen::Index l = 0; l < k; ++l) block.own_likelihood += share(l) * std::log(share(l));
  return static_cast<int>(block.values.cols());
}

// Columns of complete tables without weights meet the same probabilities again and again, so quantiles are kept.
std::vector<double> BlockColumns::normal_scores(Node v) {
  const Column& column = data_.column(v);
  std::vector<size_t> order;
  long double whole = 0;
  for (size_t row = 0; row < data_.rows(); ++row) {
    if (column.is_missing(row)) continue;
    order.push_back(row);
    whole += data_.weight(row);
  }
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return column.values[a] < column.values[b]; });
  std::vector<double> z(data_.rows(), 0);
  std::vector<std::pair<double, double>> met;
  long double below = 0;
  auto known = quantiles_.begin();
  for (size_t first = 0, end = 0; first < order.size(); first = end) {
    long double equal = 0;
    for (; end < order.size() && column.values[order[end]] == column.values[order[first]]; ++end) {
      equal += data_.weight(order[end]);
    }
    const double u = static_cast<double>((below + equal / 2) / whole);
    while (known != quantiles_.end() && known->first < u) ++known;
    const double quantile = known != quantiles_.end() && known->first == u ? known->second : normal_quantile(u);
    met.emplace_back(u, quantile);
    for (size_t k = first; k < end; ++k) z[order[k]] = quantile;
    below += equal;
  }
  if (met.size() > quantiles_.size()) quantiles_ = std::move(met);
  return z;
}

int BlockColumns::embed_numbers(Node v, const MixedOptions& options) {
  const Column& column = data_.column(v);
  Block& block = blocks_[v];
  const bool missing = column.has_missing();
  block.gaps = missing && !options.gap_columns;
  const bool raw = options.raw || data_.is_summary();  // rows that stand for a matrix have no ranks
  const std::vector<double> cells = raw ? column.values : normal_scores(v);

  // The seen cells, scaled by a power of two, which is exact, so that squares neither overflow nor underflow.
  double largest = 0;
  long double seen_weight = 0;
  std::vector<size_t> seen;
  for (size_t row = 0; row < data_.rows(); ++row) {
    if (column.is_missing(row)) continue;
    seen.push_back(row);
    seen_weight += data_.weight(row);
    largest = std::max(largest, std::abs(cells[row]));
  }
  const int exponent = largest > 0 ? std::ilogb(largest) : 0;
  const Eigen::Index n = static_cast<Eigen::Index>(seen.size());
  Eigen::VectorXd x(n), share(n);
  long double sum = 0, squares = 0;
  for (Eigen::Index k = 0; k < n; ++k) {
    x(k) = std::scalbn(cells[seen[k]], -exponent);
    share(k) = static_cast<double>(data_.weight(seen[k]) / seen_weight);
    sum += static_cast<long double>(share(k)) * x(k);
  }
  x.array() -= static_cast<double>(sum);
  for (Eigen::Index k = 0; k < n; ++k) squares += static_cast<long double>(share(k)) * x(k) * x(k);
  if (!(squares > 0) && column.more.empty()) return 0;
  const double deviation = squares > 0 ? std::sqrt(static_cast<double>(squares)) : 1;
  x /= deviation;
  const double log_deviation = raw ? std::log(deviation) + exponent * std::numbers::ln2 : 0;
  block.own_likelihood = -0.5 * (std::log(2 * std::numbers::pi) + 1) - log_deviation;

  // Powers of x and of the cell span the same space, once there is a constant.
  const int degree = data_.is_summary() ? 1 : options.basis;
  Eigen::MatrixXd powers(n, degree + static_cast<Eigen::Index>(column.more.size()));
  powers.col(0) = x;
  for (int d = 1; d < degree; ++d) powers.col(d) = powers.col(d - 1).cwiseProduct(x);
  for (size_t k = 0; k < column.more.size(); ++k) {
    auto further = powers.col(degree + static_cast<Eigen::Index>(k));
    for (Eigen::Index i = 0; i < n; ++i) further(i) = column.more[k][seen[i]];
    further.array() -= share.dot(further);
    const double spread = std::sqrt(share.dot(further.cwiseAbs2()));
    if (spread > 0) further /= spread;
  }
  if (column.has_levels()) {  // indicators: their means are the shares of the levels
    block.own_likelihood = 0;
    for (size_t l = 0; l <= column.more.size(); ++l) {
      long double mean = 0;
      for (Eigen::Index k = 0; k < n; ++k) {
        mean += static_cast<long double>(share(k)) * (l == 0 ? column.values : column.more[l - 1])[seen[k]];
      }
      if (mean > 0) block.own_likelihood += static_cast<double>(mean * std::log(mean));
    }
  }
  const Eigen::MatrixXd block_of_seen = orthonormal(std::move(powers), share, !column.more.empty());
  const Eigen::Index width = block_of_seen.cols();
  const bool mark = missing && options.gap_columns;
  block.values = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(data_.rows()), width + (mark ? 1 : 0));
  for (Eigen::Index k = 0; k < n; ++k) {
    block.values.row(static_cast<Eigen::Index>(seen[k])).head(width) = block_of_seen.row(k);
  }
  if (mark) {
    // With 0 in the gaps the other columns keep mean 0, are orthogonal to the mark, and lose the share of the gaps.
    const double kept = static_cast<double>(seen_weight / data_.total_weight());
    block.values /= std::sqrt(kept);
    const double high = std::sqrt(kept / (1 - kept)), low = -std::sqrt((1 - kept) / kept);
    for (size_t row = 0; row < data_.rows(); ++row) {
      block.values(static_cast<Eigen::Index>(row), width) = column.is_missing(row) ? high : low;
    }
  }
  return static_cast<int>(block.values.cols());
}

double BlockColumns::cell(size_t row, Node v, int column) const {
  const Column& source = data_.column(v);
  if (is_hidden(row, v)) return 0;
  const size_t line = source.kind == ColumnKind::kCategorical ? source.codes[row] : row;
  return blocks_[v].values(static_cast<Eigen::Index>(line), column);
}

void BlockColumns::fill_row(size_t row, double* out) const {
  for (Node v = 0; v < size(); ++v) {
    for (int k = 0; k < width(v); ++k) *out++ = cell(row, v, k);
  }
}

bool BlockColumns::has_hidden() const {
  return std::any_of(blocks_.begin(), blocks_.end(), [](const Block& block) { return block.gaps; });
}

Eigen::MatrixXd rarity(const BlockColumns& columns) {
  const Dataset& data = columns.data();
  const int p = columns.size();
  Eigen::MatrixXd out = Eigen::MatrixXd::Ones(p, p);
  std::vector<Node> gappy;  // the others were seen in every row
  for (Node v = 0; v < p; ++v) {
    if (columns.has_hidden(v) || data.column(v).drawn.any()) gappy.push_back(v);
  }
  if (gappy.empty()) return out;
  const Eigen::Index g = static_cast<Eigen::Index>(gappy.size());
  constexpr size_t kRows = 512;
  Eigen::MatrixXd together = Eigen::MatrixXd::Zero(g, g);
  for (size_t first = 0; first < data.rows(); first += kRows) {
    const Eigen::Index count = static_cast<Eigen::Index>(std::min(kRows, data.rows() - first));
    Eigen::MatrixXd seen = Eigen::MatrixXd::Zero(count, g);
    Eigen::VectorXd weight(count);
    for (Eigen::Index k = 0; k < count; ++k) {
      const size_t row = first + static_cast<size_t>(k);
      weight(k) = data.weight(row);
      for (Eigen::Index a = 0; a < g; ++a) {
        seen(k, a) = columns.is_hidden(row, gappy[a]) || data.column(gappy[a]).drawn[row] ? 0 : 1;
      }
    }
    together += transpose_product(weight.asDiagonal() * seen, seen);
  }
  const double whole = data.total_weight();
  for (Eigen::Index a = 0; a < g; ++a) {
    for (Node v = 0; v < p; ++v) out(gappy[a], v) = out(v, gappy[a]) = whole / together(a, a);
  }
  for (Eigen::Index a = 0; a < g; ++a) {
    for (Eigen::Index b = 0; b < g; ++b) out(gappy[a], gappy[b]) = whole / together(a, b);
  }
  return out;
}

}  // namespace agon::plain
