#include "agon/score/block_moments.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <optional>
#include <string>

#include "agon/base/linear_algebra.h"
#include "agon/data/capability.h"

namespace agon {
namespace {

constexpr Capabilities kTakes = {
    .categorical = true, .continuous = true, .mixed = true, .missing = true, .weights = true};

// The least share of a direction within a block that is still told from 0.
constexpr double kLeastPivot = 1e-10;

// The rows behind a matrix, and the group of each. Without regimes: all of them, in one group.
class Members {
 public:
  explicit Members(const Dataset& data) : data_(data) { weight_ = {data.total_weight()}; }
  // `rows` holds how many rows each regime has, or is empty, and then they are counted; rows with weights always are.
  Members(const Dataset& data, const RowSet& set, const std::vector<double>& rows = {})
      : data_(data), set_(&set), weight_(set.groups, 0) {
    if (!data.has_weights() && !rows.empty()) {
      for (size_t regime = 0; regime < rows.size(); ++regime) {
        if (set.group[regime] >= 0) weight_[set.group[regime]] += rows[regime];
      }
      return;
    }
    for (size_t row = 0; row < data.rows(); ++row) {
      if (group(row) >= 0) weight_[group(row)] += data.weight(row);
    }
  }
  int groups() const { return static_cast<int>(weight_.size()); }
  int group(size_t row) const { return set_ == nullptr ? 0 : set_->group[data_.regime_of(row)]; }  // -1: not among them
  double weight(int group) const { return weight_[group]; }
  double weight() const { return std::accumulate(weight_.begin(), weight_.end(), 0.0); }
  bool all() const { return set_ == nullptr; }

 private:
  const Dataset& data_;
  const RowSet* set_ = nullptr;
  std::vector<double> weight_;  // by group
};

// fn(first row, cells), for one chunk of rows after the other, so that no second copy of a large table is needed.
template <class Fn>
void by_chunks(const Blocks& blocks, Fn fn) {
  constexpr size_t kChunk = 1024;
  const Eigen::Index q = blocks.columns();
  std::vector<double> cells(kChunk * static_cast<size_t>(q));
  for (size_t first = 0; first < blocks.data().rows(); first += kChunk) {
    const size_t count = std::min(kChunk, blocks.data().rows() - first);
    blocks.fill(first, count, cells.data());
    fn(first, Eigen::Map<Eigen::MatrixXd>(cells.data(), static_cast<Eigen::Index>(count), q));
  }
}

// The mean of every column in every group. Over all rows the columns are centred as they are.
Eigen::MatrixXd group_means(const Blocks& blocks, const Members& members) {
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(members.groups(), blocks.columns());
  if (members.all()) return sum;
  by_chunks(blocks, [&](size_t first, const auto& cells) {
    for (Eigen::Index k = 0; k < cells.rows(); ++k) {
      const size_t row = first + static_cast<size_t>(k);
      if (members.group(row) >= 0) sum.row(members.group(row)) += blocks.data().weight(row) * cells.row(k);
    }
  });
  for (int g = 0; g < members.groups(); ++g) sum.row(g) /= members.weight(g);
  return sum;
}

// The covariance of complete blocks, within groups.
Eigen::MatrixXd covariance(const Blocks& blocks, const Members& members) {
  const Eigen::Index q = blocks.columns();
  const Dataset& data = blocks.data();
  const Eigen::MatrixXd means = group_means(blocks, members);
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(q, q);
  by_chunks(blocks, [&](size_t first, auto cells) {
    for (Eigen::Index k = 0; k < cells.rows() && !members.all(); ++k) {
      const int group = members.group(first + static_cast<size_t>(k));
      if (group < 0) {
        cells.row(k).setZero();
      } else {
        cells.row(k) -= means.row(group);
      }
    }
    for (Eigen::Index k = 0; k < cells.rows() && data.has_weights(); ++k) {
      cells.row(k) *= std::sqrt(data.weight(first + static_cast<size_t>(k)));
    }
    add_gram(sum, cells);
  });
  return mirrored(sum) / members.weight();
}

// L^-1 of every block's own part of S = L L', applied from both sides. A direction that does not vary becomes 0.
void orthonormalise(const std::vector<int>& start, Eigen::MatrixXd& s) {
  const auto width = [&](size_t v) { return start[v + 1] - start[v]; };
  size_t narrow = 0;
  while (narrow + 1 < start.size() && width(narrow) <= 1) ++narrow;
  if (narrow + 1 == start.size()) {  // what follows is then no more than this
    const auto scale = [](double square) { return square > kLeastPivot ? 1 / std::sqrt(square) : 0.0; };
    Eigen::VectorXd by(s.rows());
    for (Eigen::Index a = 0; a < s.rows(); ++a) by(a) = scale(s(a, a));
    for (Eigen::Index b = 0; b < s.cols(); ++b) {
      for (Eigen::Index a = 0; a < s.rows(); ++a) s(a, b) = by(a) * s(a, b) * by(b);
    }
    return;
  }
  Eigen::MatrixXd whiten = Eigen::MatrixXd::Zero(s.rows(), s.cols());
  for (size_t v = 0; v + 1 < start.size(); ++v) {
    const Eigen::Index first = start[v], m = start[v + 1] - start[v];
    if (m == 0) continue;
    Eigen::MatrixXd factor = s.block(first, first, m, m);
    for (Eigen::Index i = 0; i < m; ++i) {  // Cholesky
      for (Eigen::Index j = 0; j <= i; ++j) {
        double sum = factor(i, j);
        for (Eigen::Index k = 0; k < j; ++k) sum -= factor(i, k) * factor(j, k);
        if (i == j) {
          factor(i, i) = sum > kLeastPivot ? std::sqrt(sum) : std::numeric_limits<double>::infinity();
        } else {
          factor(i, j) = sum / factor(j, j);
        }
      }
    }
    whiten.block(first, first, m, m) = solve_lower(factor, Eigen::MatrixXd(Eigen::MatrixXd::Identity(m, m)));
  }
  s = product_with_transpose(product(whiten, s), whiten);
}

double log_likelihood_alone(const Blocks& blocks, Node v, double n) {
  if (blocks.width(v) == 0) return 0;
  if (!blocks.data().column(v).has_levels()) {
    return -0.5 * n * (std::log(2 * std::numbers::pi) + 2 * std::log(blocks.deviation(v)) + 1);
  }
  double sum = 0;
  for (double share : blocks.shares(v)) sum += share > 0 ? share * std::log(share) : 0;
  return n * sum;
}

// Sets R = (S + floor I) / (1 + floor); the part of each variable by itself is the identity but for rounding.
void set_matrix(const Eigen::MatrixXd& s, double floor, BlockMoments& out) {
  const Eigen::Index q = s.rows();
  out.floor = floor;
  out.matrix.resize(static_cast<size_t>(q) * static_cast<size_t>(q));
  const auto at = [&](Eigen::Index a, Eigen::Index b) -> double& { return out.matrix[static_cast<size_t>(a * q + b)]; };
  for (Eigen::Index a = 0; a < q; ++a) {
    for (Eigen::Index b = 0; b < a; ++b) at(a, b) = at(b, a) = std::clamp(s(a, b), -1.0, 1.0) / (1 + floor);
    at(a, a) = 1;
  }
  for (Node v = 0; v < out.size(); ++v) {
    for (int a = out.start[v]; a < out.start[v + 1]; ++a) {
      for (int b = out.start[v]; b < out.start[v + 1]; ++b) at(a, b) = a == b;
    }
  }
}

Blocks blocks_of(const Dataset& data, const ScoreOptions& options) {
  const BlockOptions own{.raw = options.raw, .basis = options.basis, .gap_columns = options.gap_columns};
  return options.blocks != nullptr ? options.blocks->of(data, own) : Blocks(data, own);
}

EmOptions em_options(const EmOptions& em, const ScoreOptions& options) {
  EmOptions own = em;
  own.threads = options.threads;
  own.watch = options.watch;
  return own;
}

}  // namespace

// Weight, mean and scatter of complete blocks in every regime. Row sets are made of whole regimes, so their covariances
// follow without another pass over the rows (Chan, Golub & LeVeque 1983, The American Statistician 37).
class RegimeSums {
 public:
  explicit RegimeSums(const Blocks& blocks) {
    const Dataset& data = blocks.data();
    const int regimes = static_cast<int>(data.regimes().size());
    RowSet each{.group = std::vector<int>(regimes), .groups = regimes};
    std::iota(each.group.begin(), each.group.end(), 0);
    const Members members(data, each);
    means_ = group_means(blocks, members);
    for (int k = 0; k < regimes; ++k) weight_.push_back(members.weight(k));
    scatter_.assign(regimes, Eigen::MatrixXd::Zero(blocks.columns(), blocks.columns()));
    by_chunks(blocks, [&](size_t first, auto cells) {
      std::vector<std::vector<Eigen::Index>> rows(regimes);
      for (Eigen::Index k = 0; k < cells.rows(); ++k) {
        const size_t row = first + static_cast<size_t>(k);
        const int regime = data.regime_of(row);
        cells.row(k) -= means_.row(regime);
        if (data.has_weights()) cells.row(k) *= std::sqrt(data.weight(row));
        rows[regime].push_back(k);
      }
      for (int k = 0; k < regimes; ++k) {
        if (!rows[k].empty()) add_gram(scatter_[k], Eigen::MatrixXd(cells(rows[k], Eigen::all)));
      }
    });
    for (Eigen::MatrixXd& sum : scatter_) sum = mirrored(sum);
  }

  // Of the rows of a set, within its groups: covariance() of them, up to rounding.
  Eigen::MatrixXd covariance(const RowSet& set) const {
    Eigen::MatrixXd middle = Eigen::MatrixXd::Zero(set.groups, means_.cols());
    std::vector<double> weight(set.groups, 0);
    for (size_t k = 0; k < weight_.size(); ++k) {
      if (set.group[k] < 0) continue;
      middle.row(set.group[k]) += weight_[k] * means_.row(static_cast<Eigen::Index>(k));
      weight[set.group[k]] += weight_[k];
    }
    for (int g = 0; g < set.groups; ++g) middle.row(g) /= weight[g];
    Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(means_.cols(), means_.cols()), apart(weight_.size(), means_.cols());
    apart.setZero();
    for (size_t k = 0; k < weight_.size(); ++k) {
      if (set.group[k] < 0) continue;
      const auto row = static_cast<Eigen::Index>(k);
      sum += scatter_[k];
      apart.row(row) = std::sqrt(weight_[k]) * (means_.row(row) - middle.row(set.group[k]));
    }
    return (sum + transpose_product(apart, apart)) / std::accumulate(weight.begin(), weight.end(), 0.0);
  }

  // The variance of a column in one regime.
  double variance(int regime, int column) const { return scatter_[regime](column, column) / weight_[regime]; }

 private:
  std::vector<double> weight_;
  Eigen::MatrixXd means_;  // by regime and column
  std::vector<Eigen::MatrixXd> scatter_;
};

std::shared_ptr<const RegimeSums> SharedBlocks::sums_of(const Blocks& blocks) {
  const Codes& regime = blocks.data().row_info().regime;
  if (!sums_ || !(regime_ == regime)) {
    regime_ = regime;
    sums_ = std::make_shared<const RegimeSums>(blocks);
  }
  return sums_;
}

BlockMoments block_moments(const Dataset& data, const ScoreOptions& options, const EmOptions& em) {
  refuse_beyond(kTakes, data, "a score on blocks of columns");
  const Blocks blocks = blocks_of(data, options);
  BlockMoments out;
  out.start = blocks.starts();
  out.weight = out.total = data.total_weight();
  const Eigen::Index q = blocks.columns();
  if (blocks.has_missing()) {
    out.em = fit_em(blocks, em_options(em, options));
    Eigen::MatrixXd s = Eigen::Map<const Eigen::MatrixXd>(out.em->covariance.data(), q, q);
    orthonormalise(out.start, s);
    out.seen = seen_together(data);
    set_matrix(s, em.floor, out);
  } else {
    if (!options.gap_columns) out.seen = seen_together(data);  // of cells that were drawn
    set_matrix(covariance(blocks, Members(data)), em.floor, out);
  }
  for (Node v = 0; v < blocks.size(); ++v) {
    out.base.push_back(log_likelihood_alone(blocks, v, out.weight));
    out.parameters.push_back(data.column(v).has_levels() ? blocks.width(v) : 2);
  }
  return out;
}

namespace {

// The rows of a set as a table of their own, for EM: the columns of every block as numbers, and the groups as a
// category. The certificate and the tests know only the result, which depends on neither coding.
Dataset embedded_rows(const Blocks& blocks, const Members& members) {
  const Dataset& data = blocks.data();
  std::vector<size_t> rows;
  for (size_t row = 0; row < data.rows(); ++row) {
    if (members.group(row) >= 0) rows.push_back(row);
  }
  std::vector<Column> columns;
  RowInfo info;
  std::string groups_name = "group";
  std::vector<double> cells(blocks.columns());
  for (Node v = 0; v < data.size(); ++v) {
    Column column = continuous_column(data.column(v).name, std::vector<double>(rows.size(), 0));
    column.more.assign(std::max(0, blocks.width(v) - 1), std::vector<double>(rows.size(), 0));
    for (size_t k = 0; k < rows.size(); ++k) {
      if (blocks.is_missing(v, rows[k])) {
        column.missing.insert(k);
        continue;
      }
      blocks.fill_row(v, rows[k], cells.data());
      if (blocks.width(v) > 0) column.values[k] = cells[0];
      for (size_t c = 0; c < column.more.size(); ++c) column.more[c][k] = cells[c + 1];
    }
    while (column.name == groups_name) groups_name += '_';
    columns.push_back(std::move(column));
  }
  std::vector<int> group;
  for (size_t row : rows) {
    group.push_back(members.group(row));
    if (data.has_weights()) info.weights.push_back(data.weight(row));
  }
  columns.push_back(categorical_column(groups_name, group));
  return make_dataset(std::move(columns), data.source(), std::move(info));
}

// The covariance of the blocks within groups that EM finds on the rows of a set. A block that spans fewer directions
// there has zeros in their place.
Eigen::MatrixXd em_covariance(const Blocks& blocks, const Members& members, const EmOptions& options) {
  const Dataset table = embedded_rows(blocks, members);
  const Blocks own(table, {.raw = true});
  const EmFit fit = fit_em(own, options);
  const Eigen::Index all = own.columns();
  const Eigen::MatrixXd found = Eigen::Map<const Eigen::MatrixXd>(fit.covariance.data(), all, all);

  std::vector<Eigen::Index> from, to, groups;
  for (Node u = 0; u < own.size(); ++u) {
    const Node v = blocks.data().index_of(table.column(u).name);
    for (int c = 0; c < own.width(u); ++c) {
      if (v < 0) {
        groups.push_back(own.start(u) + c);
      } else {
        from.push_back(own.start(u) + c);
        to.push_back(blocks.start(v) + c);
      }
    }
  }
  Eigen::MatrixXd s = found(from, from);
  if (!groups.empty()) {
    const Eigen::MatrixXd across = found(groups, from);
    s -= transpose_product(across, solve_symmetric(found(groups, groups), across));
  }
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(blocks.columns(), blocks.columns());
  out(to, to) = s;
  return out;
}

// The variance of the first column of a number over the cells seen in the whole table: 1, unless gaps are marked by a
// column of their own.
double spread(const Blocks& blocks, Node v) {
  const Column& column = blocks.data().column(v);
  if (!column.has_missing() || blocks.has_missing(v)) return 1;
  double seen = 0;
  for (size_t row = 0; row < column.rows(); ++row) seen += column.is_missing(row) ? 0 : blocks.data().weight(row);
  return blocks.data().total_weight() / seen;
}

double gaussian_likelihood(double weight, double variance, double deviation, double floor) {
  return -0.5 * weight * (std::log(2 * std::numbers::pi * std::max(variance, floor)) + 2 * std::log(deviation) + 1);
}

// Log-likelihood of the cells of a column, in units of its spread over all rows, of a mean and a variance, or shares,
// by group. The cells that were seen stand for all of theirs.
double grouped_likelihood(const Blocks& blocks, Node v, const Members& members, double floor) {
  const Dataset& data = blocks.data();
  const Column& column = data.column(v);
  if (blocks.width(v) == 0) return 0;
  std::vector<double> seen(members.groups(), 0);
  if (column.has_levels()) {
    std::vector<std::vector<double>> weight(members.groups(), std::vector<double>(column.levels.size(), 0));
    for (size_t row = 0; row < data.rows(); ++row) {
      const int g = members.group(row);
      if (g < 0 || column.is_missing(row)) continue;
      seen[g] += data.weight(row);
      if (column.kind == ColumnKind::kCategorical) {
        weight[g][column.codes[row]] += data.weight(row);
        continue;
      }
      for (size_t l = 0; l < column.levels.size(); ++l) {  // shares of rows that stand for many
        weight[g][l] += data.weight(row) * (l == 0 ? column.values[row] : column.more[l - 1][row]);
      }
    }
    double sum = 0;
    for (int g = 0; g < members.groups(); ++g) {
      for (double w : weight[g]) sum += w > 0 ? members.weight(g) * w / seen[g] * std::log(w / seen[g]) : 0;
    }
    return sum;
  }
  std::vector<double> cells(blocks.width(v)), mean(members.groups(), 0);
  const auto each_seen = [&](auto fn) {
    for (size_t row = 0; row < data.rows(); ++row) {
      const int g = members.group(row);
      if (g < 0 || column.is_missing(row)) continue;
      blocks.fill_row(v, row, cells.data());
      fn(g, data.weight(row), cells[0]);
    }
  };
  each_seen([&](int g, double w, double z) {
    mean[g] += w * z;
    seen[g] += w;
  });
  for (int g = 0; g < members.groups(); ++g) mean[g] = seen[g] > 0 ? mean[g] / seen[g] : 0;
  double squares = 0;
  each_seen([&](int g, double w, double z) { squares += w * (z - mean[g]) * (z - mean[g]); });
  const double weight = std::accumulate(seen.begin(), seen.end(), 0.0);
  const double variance = weight > 0 ? squares / weight / spread(blocks, v) : 0;
  return gaussian_likelihood(members.weight(), variance, blocks.deviation(v), floor);
}

// What variable v scores without parents: its row set, and every experiment that set it. `s` is the covariance of the
// row set, `rows` the number of rows of every regime. With `sums`, nothing needs to be summed again for numbers without
// gaps.
void describe_alone(const Dataset& data, const Blocks& blocks, Node v, const Members& members,
                    const std::vector<double>& rows, double floor, const Eigen::MatrixXd& s, const RegimeSums* sums,
                    BlockMoments& out) {
  const bool number = !data.column(v).has_levels();
  const bool summed = number && sums != nullptr && blocks.width(v) > 0 && !data.column(v).has_missing();
  const double groups = members.groups();
  const auto likelihood = [&](const Members& those, double variance) {
    return summed ? gaussian_likelihood(those.weight(), variance, blocks.deviation(v), floor)
                  : grouped_likelihood(blocks, v, those, floor);
  };
  const int first = blocks.start(v);
  double base = likelihood(members, summed ? s(first, first) : 0);
  double parameters = number ? 1 + groups : blocks.width(v) * groups;
  for (size_t k = 0; k < data.regimes().size(); ++k) {
    const bool target = std::ranges::binary_search(data.targets(static_cast<int>(k)), v);
    if (!target || data.regimes()[k].intervention != Intervention::kPerfect) continue;
    RowSet alone{.group = std::vector<int>(data.regimes().size(), -1), .groups = 1};
    alone.group[k] = 0;
    base += likelihood(Members(data, alone, rows), summed ? sums->variance(static_cast<int>(k), first) : 0);
    parameters += number ? 2 : blocks.width(v);
  }
  out.base.push_back(base);
  out.parameters.push_back(parameters);
}

}  // namespace

std::vector<BlockMoments> block_moments_by_row_set(const Dataset& data, const RowSets& sets,
                                                   const ScoreOptions& options, const EmOptions& em) {
  Capabilities takes = kTakes;
  takes.regimes = true;
  refuse_beyond(takes, data, "a score on blocks of columns");
  const Blocks blocks = blocks_of(data, options);
  const bool all_seen = options.gap_columns && !blocks.has_missing();
  const std::vector<double> seen = all_seen ? std::vector<double>() : seen_together(data);
  // Worth it unless there are so many regimes that a matrix for each is more work than the rows.
  const size_t work = data.regimes().size() * static_cast<size_t>(blocks.columns());
  std::shared_ptr<const RegimeSums> sums;
  if (!blocks.has_missing() && work <= data.rows()) {
    sums = options.blocks != nullptr ? options.blocks->sums_of(blocks) : std::make_shared<const RegimeSums>(blocks);
  }
  std::vector<double> rows(data.regimes().size(), 0);  // of each regime
  for (size_t row = 0; !rows.empty() && row < data.rows(); ++row) ++rows[data.regime_of(row)];
  std::vector<BlockMoments> all;
  for (size_t k = 0; k < sets.sets.size(); ++k) {
    const Members members(data, sets.sets[k], rows);
    BlockMoments out;
    out.start = blocks.starts();
    out.seen = seen;
    out.weight = members.weight();
    out.total = data.total_weight();
    Eigen::MatrixXd s = sums                   ? sums->covariance(sets.sets[k])
                        : blocks.has_missing() ? em_covariance(blocks, members, em_options(em, options))
                                               : covariance(blocks, members);
    for (Node v = 0; v < data.size(); ++v) {
      if (sets.of[v] == static_cast<int>(k)) {
        describe_alone(data, blocks, v, members, rows, em.floor, s, sums.get(), out);
      } else {
        out.base.push_back(0);
        out.parameters.push_back(0);
      }
    }
    orthonormalise(out.start, s);
    set_matrix(s, em.floor, out);
    all.push_back(std::move(out));
  }
  return all;
}

}  // namespace agon
