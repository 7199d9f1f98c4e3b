#include "agon/certificate/plain_matrix.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "agon/base/linear_algebra.h"

namespace agon::plain {
namespace {

// By group, a column each. Over a whole table the columns have mean 0 as they are.
Eigen::MatrixXd means_of(const BlockColumns& columns, const FamilyRows& rows) {
  const Eigen::Index q = columns.columns();
  Eigen::MatrixXd sums = Eigen::MatrixXd::Zero(q, rows.groups);
  if (rows.group.empty()) return sums;
  Eigen::VectorXd x(q), weight = Eigen::VectorXd::Zero(rows.groups);
  for (size_t row = 0; row < rows.group.size(); ++row) {
    const int group = rows.group[row];
    if (group < 0) continue;
    columns.fill_row(row, x.data());
    sums.col(group) += columns.data().weight(row) * x;
    weight(group) += columns.data().weight(row);
  }
  for (int group = 0; group < rows.groups; ++group) sums.col(group) /= weight(group);
  return sums;
}

// The columns of a variable over some rows, as a variable of numbers.
Column own_column(const BlockColumns& columns, Node v, const std::vector<size_t>& rows) {
  Column out = continuous_column(columns.data().column(v).name, std::vector<double>(rows.size(), 0));
  out.more.assign(static_cast<size_t>(std::max(0, columns.width(v) - 1)), out.values);
  for (size_t k = 0; k < rows.size() && columns.width(v) > 0; ++k) {
    if (columns.is_hidden(rows[k], v)) out.missing.insert(k);
    out.values[k] = columns.cell(rows[k], v, 0);
    for (int c = 1; c < columns.width(v); ++c) out.more[static_cast<size_t>(c) - 1][k] = columns.cell(rows[k], v, c);
  }
  return out;
}

// Those variables, and the groups as a category. It has a name that no variable has.
Dataset own_table(const BlockColumns& columns, const FamilyRows& rows, const std::string& groups_name) {
  const Dataset& data = columns.data();
  std::vector<size_t> kept;
  std::vector<int> group;
  RowInfo info;
  for (size_t row = 0; row < data.rows(); ++row) {
    if (rows.group_of(row) < 0) continue;
    kept.push_back(row);
    group.push_back(rows.group_of(row));
    if (data.has_weights()) info.weights.push_back(data.weight(row));
  }
  std::vector<Column> out = {categorical_column(groups_name, group)};
  for (Node v = 0; v < data.size(); ++v) out.push_back(own_column(columns, v, kept));
  return make_dataset(std::move(out), data.source(), std::move(info));
}

// L with L L' = block, column by column. A column that those before it determine gets the unit vector instead, and is
// marked.
struct Factor {
  Eigen::MatrixXd lower;
  std::vector<Eigen::Index> determined;
};

Factor factor_of(const Eigen::MatrixXd& block) {
  const Eigen::Index m = block.rows();
  Factor out{Eigen::MatrixXd::Zero(m, m), {}};
  for (Eigen::Index k = 0; k < m; ++k) {
    const Eigen::RowVectorXd row = out.lower.row(k).head(k);
    const double left = block(k, k) - row.squaredNorm();
    if (!(left > kDetermined)) {
      out.lower(k, k) = 1;
      out.determined.push_back(k);
      continue;
    }
    out.lower(k, k) = std::sqrt(left);
    const Eigen::Index below = m - k - 1;
    if (below == 0) continue;
    out.lower.col(k).tail(below) = block.col(k).tail(below);
    out.lower.col(k).tail(below).noalias() -= out.lower.bottomLeftCorner(below, k) * row.transpose();
    out.lower.col(k).tail(below) /= out.lower(k, k);
  }
  return out;
}

}  // namespace

// The rows are shortened to q by Householder reflections, a slab at a time below the factor found so far, which keeps
// all lengths and angles.
Eigen::MatrixXd covariance_of_rows(const BlockColumns& columns, const FamilyRows& rows) {
  const Dataset& data = columns.data();
  const Eigen::Index q = columns.columns();
  const Eigen::Index height = std::max<Eigen::Index>(512, 2 * q);
  const Eigen::MatrixXd mean = means_of(columns, rows);
  Eigen::MatrixXd slab, factor(0, q);
  Eigen::VectorXd x(q);
  for (size_t row = 0; row < data.rows();) {
    slab.resize(factor.rows() + height, q);
    slab.topRows(factor.rows()) = factor;
    Eigen::Index filled = factor.rows();
    for (; row < data.rows() && filled < slab.rows(); ++row) {
      const int group = rows.group_of(row);
      if (group < 0) continue;
      columns.fill_row(row, x.data());
      slab.row(filled++) = std::sqrt(data.weight(row) / rows.weight) * (x - mean.col(group)).transpose();
    }
    slab.conservativeResize(filled, q);
    factor = slab.rows() <= q ? slab : triangular_factor(slab);
  }
  return transpose_product(factor, factor);
}

FittedCovariance covariance_by_em(const BlockColumns& columns, const FamilyRows& rows, double floor, int threads) {
  const Dataset& data = columns.data();
  std::string groups_name = "group";
  while (data.index_of(groups_name) >= 0) groups_name += "s";
  const Dataset table = own_table(columns, rows, groups_name);
  const BlockColumns own(table, {.raw = true});
  FittedCovariance out{Eigen::MatrixXd::Zero(columns.columns(), columns.columns()),
                       PlainEm(own, floor, threads).fit(-1)};
  const Eigen::Index q = own.columns();
  const Eigen::Map<const Eigen::MatrixXd> found(out.em.moments.covariance.data(), q, q);
  std::vector<int> from, to, groups;
  for (Node u = 0; u < own.size(); ++u) {
    const Node v = data.index_of(table.column(u).name);
    for (int c = 0; c < own.width(u); ++c) {
      (v < 0 ? groups : from).push_back(own.start(u) + c);
      if (v >= 0) to.push_back(columns.start(v) + c);
    }
  }
  Eigen::MatrixXd s = found(from, from);
  if (!groups.empty() && !from.empty()) {
    const Eigen::MatrixXd across = found(groups, from);
    s -= transpose_product(across, Cholesky(found(groups, groups)).solve(across));
  }
  out.covariance(to, to) = s;
  return out;
}

void orthonormalise(const std::vector<int>& start, Eigen::MatrixXd& s) {
  for (size_t v = 0; v + 1 < start.size(); ++v) {
    const Eigen::Index first = start[v], m = start[v + 1] - start[v];
    if (m == 0) continue;
    const Factor factor = factor_of(s.block(first, first, m, m));
    Eigen::MatrixXd rows = solve_lower(factor.lower, Eigen::MatrixXd(s.middleRows(first, m)));
    for (const Eigen::Index k : factor.determined) rows.row(k).setZero();
    s.middleRows(first, m) = rows;
    s.middleCols(first, m) = rows.transpose();  // s is symmetric
    s.block(first, first, m, m).setIdentity();
  }
}

Eigen::MatrixXd floored(Eigen::MatrixXd s, double floor) {
  s.diagonal().array() += floor;
  return s / (1 + floor);
}

Diagonal diagonal(const Eigen::MatrixXd& m, Eigen::Index child) {
  Diagonal out;
  if (m.rows() == 0) return out;
  const Cholesky cholesky(m);
  const Eigen::VectorXd pivots = cholesky.factor().diagonal().cwiseAbs2();
  out.smallest = pivots.minCoeff();
  out.defined = cholesky.succeeded() && out.smallest > kDetermined;
  out.log_child = 0.5 * pivots.tail(child).array().log().sum();
  return out;
}

std::vector<int> joined(std::vector<int> a, const std::vector<int>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace agon::plain
