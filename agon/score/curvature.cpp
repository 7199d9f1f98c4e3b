#include "agon/score/curvature.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <vector>

#include "agon/base/linear_algebra.h"
#include "agon/score/blocks.h"

namespace agon {
namespace {

constexpr int kDegree = 3;
constexpr size_t kFewestRows = 200;  // fewer tell little about curves
constexpr size_t kMostColumns = 200;

Column every_kth(const Column& column, size_t stride) {
  Column out;
  out.name = column.name;
  out.values.reserve(column.values.size() / stride + 1);
  for (size_t row = 0; row < column.values.size(); row += stride) {
    if (column.is_missing(row)) out.missing.insert(out.values.size());
    if (column.drawn[row]) out.drawn.insert(out.values.size());
    out.values.push_back(column.values[row]);
  }
  return out;
}

// The continuous columns that take part, and every k-th row, so that the products stay within the bound. No other cell
// is copied: the table may be as large as memory allows.
Dataset sampled(const Dataset& data, double most_products) {
  if (data.is_summary()) return {};
  std::vector<const Column*> taking_part;
  for (const Column& column : data.columns()) {
    if (column.kind == ColumnKind::kContinuous && !column.is_isolated()) taking_part.push_back(&column);
  }
  if (taking_part.size() < 2) return {};
  // Of many columns every k-th stands for all. Their order is that of a hash of their names, so this is a fair sample.
  const size_t step = (taking_part.size() + kMostColumns - 1) / kMostColumns;
  for (size_t k = 0; k * step < taking_part.size(); ++k) taking_part[k] = taking_part[k * step];
  taking_part.resize((taking_part.size() + step - 1) / step);
  const double q = kDegree * static_cast<double>(taking_part.size());
  const double affordable = std::max(static_cast<double>(kFewestRows), most_products / (q * q));
  const double share = static_cast<double>(data.rows()) / affordable;
  const size_t stride = std::max<size_t>(1, static_cast<size_t>(std::ceil(share)));
  std::vector<Column> columns;
  for (const Column* column : taking_part) columns.push_back(every_kth(*column, stride));
  RowInfo info;
  for (size_t row = 0; data.has_weights() && row < data.rows(); row += stride) info.weights.push_back(data.weight(row));
  return make_dataset(std::move(columns), data.source(), std::move(info));
}

// n times the expected square of the covariance of polynomials of degrees k < l of two jointly Gaussian columns.
double chance(int k, int l, double rho) {
  const double r2 = std::min(1.0, rho * rho);
  if (k == 1) return 1 + 2.0 * l * r2;
  return 1 + 12 * r2 + 18 * r2 * r2;  // degrees 2 and 3
}

// The products of all pairs of columns, summed over the rows by weight, a few rows at a time: the lower triangle. A gap
// adds nothing: its block is 0.
Eigen::MatrixXd products_of(const Blocks& blocks, const Dataset& table) {
  constexpr size_t kRowsAtATime = 512;
  Eigen::MatrixXd products = Eigen::MatrixXd::Zero(blocks.columns(), blocks.columns());
  for (size_t first = 0; first < table.rows(); first += kRowsAtATime) {
    const size_t count = std::min(kRowsAtATime, table.rows() - first);
    Eigen::MatrixXd x(static_cast<Eigen::Index>(count), blocks.columns());
    blocks.fill(first, count, x.data());
    for (size_t k = 0; table.has_weights() && k < count; ++k) {
      x.row(static_cast<Eigen::Index>(k)) *= std::sqrt(table.weight(first + k));
    }
    add_gram(products, x);
  }
  return products;
}

}  // namespace

Curvature curvature(const Dataset& data, double most_products) {
  const Dataset table = sampled(data, most_products);
  Curvature out;
  out.rows = table.rows();
  if (table.size() < 2) return out;
  const Blocks blocks(table, {.basis = kDegree});
  const std::vector<double> seen = seen_together(table);
  const Eigen::MatrixXd products = products_of(blocks, table);
  for (Node a = 0; a < table.size(); ++a) {
    for (Node b = 0; b < a; ++b) {
      if (blocks.width(a) < kDegree || blocks.width(b) < kDegree) continue;
      const double both = table.total_weight() * (seen.empty() ? 1 : seen[a * table.size() + b]);
      ++out.pairs;
      if (both <= 0) continue;
      const auto c = [&](int k, int l) { return products(blocks.start(a) + k - 1, blocks.start(b) + l - 1) / both; };
      const double rho = c(1, 1);
      const double squares = (c(1, 2) * c(1, 2) + c(2, 1) * c(2, 1)) / chance(1, 2, rho) +
                             (c(1, 3) * c(1, 3) + c(3, 1) * c(3, 1)) / chance(1, 3, rho) +
                             (c(2, 3) * c(2, 3) + c(3, 2) * c(3, 2)) / chance(2, 3, rho);
      out.curved += both / 2 * squares > 3 * std::log(both);
    }
  }
  return out;
}

}  // namespace agon
