#include "agon/effect/linear_effect.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "agon/base/distributions.h"
#include "agon/base/linear_algebra.h"
#include "agon/base/text.h"
#include "agon/score/blocks.h"
#include "agon/score/completion.h"
#include "agon/score/em.h"

namespace agon {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kCollinear = 1e-10;  // share of a column's squares that is left when others determine it
constexpr double kInflation = 10;     // of the variance: a warning from here on

// Rows that belong together: one experiment, or all rows.
struct Part {
  double weight = 0;
  VectorXd mean;
  MatrixXd scatter;  // sum of w (z - mean)(z - mean)'
};

std::vector<Part> parts_of(const Blocks& blocks) {
  const Dataset& data = blocks.data();
  const int q = blocks.columns();
  const size_t count = data.has_regimes() ? data.regimes().size() : 1;
  std::vector<Part> parts(count);
  for (Part& part : parts) {
    part.mean = VectorXd::Zero(q);
    part.scatter = MatrixXd::Zero(q, q);
  }
  constexpr size_t kChunk = 1024;
  MatrixXd cells;
  for (size_t first = 0; first < data.rows(); first += kChunk) {
    const size_t rows = std::min(kChunk, data.rows() - first);
    cells.resize(static_cast<Eigen::Index>(rows), q);
    blocks.fill(first, rows, cells.data());
    for (size_t k = 0; k < count; ++k) {
      std::vector<Eigen::Index> own;
      for (size_t row = 0; row < rows; ++row) {
        if (count == 1 || data.regime_of(first + row) == static_cast<int>(k)) {
          own.push_back(static_cast<Eigen::Index>(row));
        }
      }
      if (own.empty()) continue;
      MatrixXd some(static_cast<Eigen::Index>(own.size()), q);
      for (size_t row = 0; row < own.size(); ++row) {
        const double weight = data.weight(first + static_cast<size_t>(own[row]));
        parts[k].weight += weight;
        parts[k].mean += weight * cells.row(own[row]).transpose();
        some.row(static_cast<Eigen::Index>(row)) = std::sqrt(weight) * cells.row(own[row]);
      }
      add_gram(parts[k].scatter, some);
    }
  }
  for (Part& part : parts) {
    part.mean /= part.weight;
    part.scatter = mirrored(part.scatter);
    part.scatter -= part.weight * part.mean * part.mean.transpose();
  }
  return parts;
}

std::vector<Part> parts_by_em(const Blocks& blocks, int threads) {
  const int q = blocks.columns();
  const EmFit fit = fit_em(blocks, {.tolerance = 1e-9, .most_steps = 2000, .threads = threads});
  Part part;
  part.weight = blocks.data().total_weight();
  part.mean = Eigen::Map<const VectorXd>(fit.mean.data(), q);
  part.scatter = part.weight * Eigen::Map<const MatrixXd>(fit.covariance.data(), q, q);
  return {part};
}

// Each reading of an outcome is a linear function of its columns: the column itself in its own units, or the share of
// each of its levels.
struct Readings {
  std::vector<VectorXd> of_columns;
  std::vector<double> base;  // the mean of each over the rows
};

}  // namespace

struct LinearEffects::Moments {
  Moments(Dataset given, int threads)
      : data(given.has_missing() && given.has_regimes() ? complete_by_draws(given, 10, 0, {.threads = threads}).data
                                                        : std::move(given)),
        blocks(data, {.raw = true}),
        parts(blocks.has_missing() ? parts_by_em(blocks, threads) : parts_of(blocks)) {
    for (const Column& column : data.columns()) {
      double sum = 0, weight = 0;
      for (size_t row = 0; row < column.values.size(); ++row) {
        if (column.is_missing(row)) continue;
        sum += data.weight(row) * column.values[row];
        weight += data.weight(row);
      }
      means.push_back(weight > 0 ? sum / weight : 0);
    }
  }

  // The contrasts of a level.
  VectorXd level(Node v, size_t k) const {
    VectorXd out(blocks.width(v));
    const Column& column = data.column(v);
    for (size_t row = 0; row < data.rows(); ++row) {
      if (column.is_missing(row) || column.codes[row] != k) continue;
      blocks.fill_row(v, row, out.data());
      break;
    }
    return out;
  }

  Readings readings(Node outcome, const VectorXd& mean) const {
    Readings out;
    const Column& column = data.column(outcome);
    if (column.kind == ColumnKind::kContinuous) {
      out.of_columns.push_back(VectorXd::Constant(1, blocks.deviation(outcome)));
      out.base.push_back(means[outcome] + blocks.deviation(outcome) * mean(0));
      return out;
    }
    for (size_t l = 0; l < column.levels.size(); ++l) {
      const double share = blocks.shares(outcome)[l];
      out.of_columns.push_back(share * level(outcome, l));
      out.base.push_back(share + out.of_columns.back().dot(mean));
    }
    return out;
  }

  // The weight of the rows that lack none of these columns.
  double complete_weight(const std::vector<Node>& nodes) const {
    double weight = 0;
    for (size_t row = 0; row < data.rows(); ++row) {
      const bool whole =
          std::none_of(nodes.begin(), nodes.end(), [&](Node v) { return data.column(v).is_missing(row); });
      if (whole) weight += data.weight(row);
    }
    return weight;
  }

  Dataset data;
  Blocks blocks;
  std::vector<Part> parts;    // by regime
  std::vector<double> means;  // by column, of numbers
};

namespace {

// Means and products of a few columns over the rows that a question may use.
struct Selected {
  double weight = 0, groups = 0;
  VectorXd mean;
  MatrixXd scatter;  // within batches
  bool some_left_out = false;
};

Selected select(const Dataset& data, const std::vector<Part>& parts, const std::vector<int>& columns,
                const std::vector<Node>& paths) {
  const Eigen::Index m = static_cast<Eigen::Index>(columns.size());
  std::map<std::string, std::vector<size_t>> batches;
  Selected out;
  for (size_t k = 0; k < parts.size(); ++k) {
    if (!data.has_regimes()) {
      batches[""].push_back(k);
      continue;
    }
    const std::vector<int>& targets = data.targets(static_cast<int>(k));
    const bool usable = std::none_of(targets.begin(), targets.end(), [&](int target) {
      return std::binary_search(paths.begin(), paths.end(), target);
    });
    if (usable) batches[data.regimes()[k].batch].push_back(k);
    out.some_left_out = out.some_left_out || !usable;
  }
  out.mean = VectorXd::Zero(m);
  out.scatter = MatrixXd::Zero(m, m);
  for (const auto& [batch, members] : batches) {
    double weight = 0;
    VectorXd mean = VectorXd::Zero(m);
    for (const size_t k : members) {
      weight += parts[k].weight;
      for (Eigen::Index i = 0; i < m; ++i) mean(i) += parts[k].weight * parts[k].mean(columns[i]);
    }
    mean /= weight;
    for (const size_t k : members) {
      for (Eigen::Index i = 0; i < m; ++i) {
        for (Eigen::Index j = 0; j < m; ++j) {
          const double apart =
              (parts[k].mean(columns[i]) - mean(i)) * (parts[k].mean(columns[j]) - mean(j)) * parts[k].weight;
          out.scatter(i, j) += parts[k].scatter(columns[i], columns[j]) + apart;
        }
      }
    }
    out.mean += weight * mean;
    out.weight += weight;
    out.groups += 1;
  }
  if (out.weight > 0) out.mean /= out.weight;
  return out;
}

// Removes what column k explains from all others; false if the columns before it explain it already.
bool eliminate(MatrixXd& scatter, Eigen::Index k, double own_squares) {
  const double pivot = scatter(k, k);
  if (!(pivot > kCollinear * own_squares)) return false;
  const VectorXd column = scatter.col(k) / pivot;
  const VectorXd row = scatter.row(k);
  scatter -= column * row.transpose();
  return true;
}

Estimate estimate_of(double value, double variance, double freedom) {
  const double error = std::sqrt(std::max(0.0, variance));
  const double half = freedom > 0 ? error * student_quantile(kConfidence, freedom) : kUnknown;
  return {value, freedom > 0 ? error : kUnknown, value - half, value + half};
}

void append_columns(const Blocks& blocks, Node v, std::vector<int>& columns) {
  for (int c = 0; c < blocks.width(v); ++c) columns.push_back(blocks.start(v) + c);
}

size_t level_index(const Column& column, const std::string& level, size_t otherwise) {
  if (level.empty()) return otherwise;
  const auto at = std::find(column.levels.begin(), column.levels.end(), level);
  return static_cast<size_t>(at - column.levels.begin());  // the caller has checked that there is one
}

EffectFigures unknown(const Column& x, const Column& y, const std::string& why) {
  EffectFigures out{.settings = x.levels, .readings = y.levels, .standardised = kUnknown, .warnings = {why}};
  out.change.assign(std::max<size_t>(1, y.levels.size()), {kUnknown, kUnknown, kUnknown, kUnknown});
  return out;
}

// What makes the figures doubtful. `left`: the smallest share of a column of the cause that the set leaves unexplained.
void add_doubts(EffectFigures& out, const Column& cause, double freedom, double left) {
  if (freedom < 1) out.warnings.push_back("there are more columns than rows to regress on: the figures mean nothing");
  if (left < 1 / kInflation) {
    out.warnings.push_back(fmt::format(
        "the columns adjusted for explain {:.1f} % of {}: its effect is hard to tell from theirs (collinearity)",
        100 * (1 - left), shown(cause.name)));
  }
  if (out.readings.empty()) return;
  for (const auto& row : out.under) {
    const bool outside =
        std::any_of(row.begin(), row.end(), [](const Estimate& e) { return e.value < 0 || e.value > 1; });
    if (!outside) continue;
    out.warnings.push_back("the linear model gives a probability outside 0 to 1");
    break;
  }
}

}  // namespace

LinearEffects::LinearEffects(Dataset data, int threads)
    : moments_(std::make_unique<const Moments>(std::move(data), threads)) {}
LinearEffects::~LinearEffects() = default;
LinearEffects::LinearEffects(LinearEffects&&) noexcept = default;

EffectFigures LinearEffects::estimate(Node cause, Node outcome, const Adjustment& adjustment,
                                      const LevelPair& levels) const {
  const Dataset& data = moments_->data;
  const Blocks& blocks = moments_->blocks;
  const Column &x_column = data.column(cause), &y_column = data.column(outcome);

  // The set first, then the cause, then the outcome: eliminating in this order leaves what the cause explains beside
  // it.
  std::vector<int> columns;
  std::vector<Node> involved = {cause, outcome};
  for (const Node v : adjustment.set) {
    append_columns(blocks, v, columns);
    involved.push_back(v);
  }
  const Eigen::Index set = static_cast<Eigen::Index>(columns.size()), x = blocks.width(cause),
                     y = blocks.width(outcome);
  append_columns(blocks, cause, columns);
  append_columns(blocks, outcome, columns);
  Selected rows = select(data, moments_->parts, columns, adjustment.paths);
  if (!(rows.weight > 0)) {
    return unknown(x_column, y_column, "every experiment set a variable on the way to the outcome: no rows are left");
  }
  double n = rows.weight;
  if (blocks.has_missing()) n = moments_->complete_weight(involved);

  MatrixXd left = rows.scatter;
  double used = rows.groups;  // parameters
  for (Eigen::Index k = 0; k < set; ++k) used += eliminate(left, k, rows.scatter(k, k)) ? 1 : 0;
  MatrixXd after_cause = left;
  double least_left = 1;  // the smallest share of a column of the cause that the set leaves unexplained
  for (Eigen::Index k = set; k < set + x; ++k) {
    least_left = std::min(least_left, after_cause(k, k) / rows.scatter(k, k));
    if (!eliminate(after_cause, k, rows.scatter(k, k))) {
      return unknown(
          x_column, y_column,
          fmt::format("the columns adjusted for determine {}: they cannot be told apart", shown(x_column.name)));
    }
    used += 1;
  }
  const double freedom = n - used;
  const MatrixXd inverse = inverse_symmetric(left.block(set, set, x, x));
  const MatrixXd slopes = product(inverse, MatrixXd(left.block(set, set + x, x, y)));
  const MatrixXd residual = after_cause.block(set + x, set + x, y, y) / (freedom > 0 ? freedom * rows.weight / n : 1);
  // The products behind `inverse` sum over the weight of all rows; where some lack cells, n of it counts.
  const double seen = rows.weight / n;

  EffectFigures out{.settings = x_column.levels, .readings = y_column.levels, .rows = n};
  const auto [reading, base] = moments_->readings(outcome, rows.mean.tail(y));
  const auto estimate = [&, &reading = reading, &base = base](const VectorXd& step, size_t r, bool level_itself) {
    const VectorXd slope = product(slopes, reading[r]);
    const double noise = reading[r].dot(product(residual, reading[r]));
    double value = step.dot(slope), variance = noise * seen * step.dot(product(inverse, step));
    if (level_itself) {
      value += base[r];
      variance += noise / n;
    }
    return estimate_of(value, variance, freedom);
  };

  if (x_column.kind == ColumnKind::kContinuous) {
    const VectorXd unit = VectorXd::Constant(1, 1 / blocks.deviation(cause));
    for (size_t r = 0; r < reading.size(); ++r) out.change.push_back(estimate(unit, r, false));
  } else {
    const size_t from = level_index(x_column, levels.from, 0);
    const size_t to = level_index(x_column, levels.to, x_column.levels.size() - 1);
    out.from = x_column.levels[from];
    out.to = x_column.levels[to];
    const VectorXd x_mean = rows.mean.segment(set, x);
    for (size_t l = 0; l < x_column.levels.size(); ++l) {
      out.under.emplace_back();
      for (size_t r = 0; r < reading.size(); ++r) {
        out.under.back().push_back(estimate(moments_->level(cause, l) - x_mean, r, true));
      }
    }
    const VectorXd step = moments_->level(cause, to) - moments_->level(cause, from);
    for (size_t r = 0; r < reading.size(); ++r) out.change.push_back(estimate(step, r, false));
  }

  double brought = 0, spread = 0;  // sums of squares
  for (const VectorXd& r : reading) {
    const VectorXd slope = product(slopes, r);
    brought += slope.dot(product(MatrixXd(rows.scatter.block(set, set, x, x)), slope));
    spread += r.dot(product(MatrixXd(rows.scatter.block(set + x, set + x, y, y)), r));
  }
  out.standardised = spread > 0 ? std::sqrt(brought / spread) : kUnknown;
  out.has_sign = x_column.levels.size() <= 2 && y_column.levels.size() <= 2;
  const bool backwards = level_index(x_column, out.from, 0) > level_index(x_column, out.to, 0);
  if (out.has_sign && (out.change.back().value < 0) != backwards) out.standardised = -out.standardised;

  add_doubts(out, x_column, freedom, least_left);
  return out;
}

std::vector<double> LinearEffects::joint(const std::vector<Node>& causes, Node outcome,
                                         const PossibleEffect& effect) const {
  const Eigen::Index k = static_cast<Eigen::Index>(causes.size());
  const auto total = [&](Node from, Node to, const Adjustment& adjustment) {
    return adjustment.none ? 0 : estimate(from, to, adjustment).change[0].value;
  };
  MatrixXd among = MatrixXd::Identity(k, k);
  MatrixXd single(k, 1);
  for (Eigen::Index i = 0; i < k; ++i) {
    single(i, 0) = total(causes[i], outcome, effect.on_outcome[i]);
    for (Eigen::Index j = 0; j < k; ++j) {
      if (i != j) among(i, j) = total(causes[i], causes[j], effect.among[i][j]);
    }
  }
  const MatrixXd joint = product(invert(among).inverse, single);
  return {joint.data(), joint.data() + k};
}

}  // namespace agon
