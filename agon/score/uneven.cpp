#include "agon/score/uneven.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <vector>

#include "agon/base/linear_algebra.h"
#include "agon/score/em.h"

namespace agon {
namespace {

constexpr double kRounding = 1e-4;  // a share of variance below this is rounding, or nearly
constexpr size_t kRowsPerColumn = 4;

// The columns that vary, and every k-th row.
Dataset sampled(const Dataset& data, size_t stride) {
  std::vector<Column> columns;
  for (const Column& column : data.columns()) {
    if (!column.is_isolated()) columns.push_back(column);
  }
  if (columns.empty()) return {};
  const Dataset all = make_dataset(std::move(columns), data.source(), {.weights = data.row_info().weights});
  if (stride <= 1) return all;
  std::vector<size_t> rows;
  for (size_t row = 0; row < data.rows(); row += stride) rows.push_back(row);
  return with_rows(all, rows);
}

size_t columns_of_blocks(const Dataset& data) {
  size_t count = 0;
  for (const Column& column : data.columns()) {
    if (column.is_isolated()) continue;
    count += column.kind == ColumnKind::kContinuous ? 1 : column.levels.size() - 1;
  }
  return count;
}

// e^2 over its mean, minus 1, by row; 0 where the cell was not seen. e is known up to a factor.
Eigen::ArrayXd excess(const Eigen::VectorXd& e, const Eigen::ArrayXd& seen) {
  const Eigen::ArrayXd squares = e.array().square();
  const double mean = (squares * seen).sum() / seen.sum();
  return (squares / mean - 1) * (seen > 0).cast<double>();
}

// The weight of each row in which v was seen, else 0.
Eigen::ArrayXd weights_of(const Dataset& data, Node v) {
  Eigen::ArrayXd out(static_cast<Eigen::Index>(data.rows()));
  for (size_t row = 0; row < data.rows(); ++row) {
    out[static_cast<Eigen::Index>(row)] = data.column(v).is_missing(row) ? 0 : data.weight(row);
  }
  return out;
}

}  // namespace

UnevenSpread uneven_spread(const Dataset& data, bool raw, double most_products) {
  UnevenSpread out;
  if (data.is_summary()) return out;
  const size_t q = columns_of_blocks(data);
  if (q < 2) return out;
  const double affordable = most_products / (3 * static_cast<double>(q) * static_cast<double>(q));
  const double stride = std::ceil(static_cast<double>(data.rows()) / std::max(1.0, affordable));
  if (static_cast<double>(data.rows()) / stride < static_cast<double>(kRowsPerColumn * q)) return out;

  const Dataset table = sampled(data, static_cast<size_t>(stride));
  out.rows = table.rows();
  const Blocks blocks(table, {.raw = raw});
  Eigen::MatrixXd x(static_cast<Eigen::Index>(table.rows()), blocks.columns());
  blocks.fill(0, table.rows(), x.data());
  Eigen::ArrayXd weight(x.rows());
  for (Eigen::Index row = 0; row < x.rows(); ++row) weight[row] = table.weight(static_cast<size_t>(row));
  Eigen::MatrixXd covariance =
      transpose_product(x, Eigen::MatrixXd((x.array().colwise() * weight).matrix())) / weight.sum();
  covariance.diagonal().array() += kFloor;
  const Eigen::MatrixXd inverse = invert(covariance).inverse;  // column j: the regression of column j on all others

  for (Node v = 0; v < table.size(); ++v) {
    if (table.column(v).kind != ColumnKind::kContinuous || blocks.width(v) == 0) continue;
    const int j = blocks.start(v);
    if (1 / inverse(j, j) < kRounding) continue;
    ++out.numbers;
    const Eigen::ArrayXd seen = weights_of(table, v);
    const double n = seen.sum();
    const Eigen::ArrayXd d = excess(product(x, Eigen::VectorXd(inverse.col(j))), seen);
    const double variance = (d.square() * seen).sum() / n;
    const Eigen::VectorXd with = transpose_product(x, Eigen::VectorXd(d * seen)) / n;
    const auto told_by = [&](Node u) {
      const int m = blocks.width(u);
      const double share = with.segment(blocks.start(u), m).squaredNorm() / variance;
      return u != v && n / 2 * share > 0.5 * m * std::log(n) + 2 * std::log(table.size());
    };
    bool uneven = false;
    for (Node u = 0; u < table.size() && !uneven; ++u) uneven = told_by(u);
    out.uneven += uneven;
  }
  return out;
}

}  // namespace agon
