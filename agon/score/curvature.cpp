#include "agon/score/curvature.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <vector>

#include "agon/score/blocks.h"

namespace agon {
namespace {

constexpr int kDegree = 3;
constexpr size_t kFewestRows = 200;  // fewer tell little about curves

// The continuous columns that take part, and every k-th row, so that the products stay within the bound.
Dataset sampled(const Dataset& data, double most_products) {
  if (data.is_summary()) return {};
  std::vector<Column> columns;
  for (const Column& column : data.columns()) {
    if (column.kind == ColumnKind::kContinuous && !column.is_isolated()) columns.push_back(column);
  }
  if (columns.size() < 2) return {};
  const double q = kDegree * static_cast<double>(columns.size());
  const double affordable = std::max(static_cast<double>(kFewestRows), most_products / (q * q));
  const size_t stride = static_cast<size_t>(std::ceil(static_cast<double>(data.rows()) / affordable));
  const Dataset all = make_dataset(std::move(columns), data.source(), {.weights = data.row_info().weights});
  if (stride <= 1) return all;
  std::vector<size_t> rows;
  for (size_t row = 0; row < data.rows(); row += stride) rows.push_back(row);
  return with_rows(all, rows);
}

// n times the expected square of the covariance of polynomials of degrees k < l of two jointly Gaussian columns.
double chance(int k, int l, double rho) {
  const double r2 = std::min(1.0, rho * rho);
  if (k == 1) return 1 + 2.0 * l * r2;
  return 1 + 12 * r2 + 18 * r2 * r2;  // degrees 2 and 3
}

}  // namespace

Curvature curvature(const Dataset& data, double most_products) {
  const Dataset table = sampled(data, most_products);
  Curvature out;
  out.rows = table.rows();
  if (table.size() < 2) return out;
  const Blocks blocks(table, {.basis = kDegree});
  const std::vector<double> seen = seen_together(table);
  const auto n = static_cast<Eigen::Index>(table.rows());
  Eigen::MatrixXd x(n, blocks.columns());
  blocks.fill(0, table.rows(), x.data());
  for (size_t row = 0; table.has_weights() && row < table.rows(); ++row) {
    x.row(static_cast<Eigen::Index>(row)) *= std::sqrt(table.weight(row));
  }
  const Eigen::MatrixXd products = x.transpose() * x;  // a gap adds nothing: its block is 0
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
