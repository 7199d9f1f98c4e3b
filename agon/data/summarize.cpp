#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <optional>

#include "agon/base/error.h"
#include "agon/base/linear_algebra.h"
#include "agon/base/suggest.h"
#include "agon/data/sums.h"

namespace agon {
namespace {

// The columns of a table, and where each begins among the widths of all.
struct Layout {
  std::vector<const Column*> columns;  // in file order
  std::vector<size_t> start;
  size_t q = 0;
};

// The moments of some rows, a chunk at a time, so that no second copy of the table is made.
Sums moments_of(const Dataset& data, const Layout& layout, const Summary& summary, const std::vector<size_t>& rows) {
  constexpr size_t kChunkRows = 1024;
  Sums out;
  const auto q = static_cast<Eigen::Index>(layout.q);
  for (size_t first = 0; first < rows.size(); first += kChunkRows) {
    const size_t count = std::min(kChunkRows, rows.size() - first);
    Eigen::MatrixXd x = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(count), q);
    for (size_t c = 0; c < layout.columns.size(); ++c) {
      const Column& column = *layout.columns[c];
      if (summary.columns[c].width() == 0) continue;
      const auto at = static_cast<Eigen::Index>(layout.start[c]);
      for (size_t k = 0; k < count; ++k) {
        const size_t row = rows[first + k];
        if (column.kind == ColumnKind::kContinuous) {
          x(static_cast<Eigen::Index>(k), at) = column.values[row];
        } else {
          x(static_cast<Eigen::Index>(k), at + column.codes[row]) = 1;
        }
      }
    }
    Sums sums;
    sums.rows = static_cast<double>(count);
    Eigen::VectorXd weight(static_cast<Eigen::Index>(count));
    for (size_t k = 0; k < count; ++k) {
      const double w = data.weight(rows[first + k]);
      weight(static_cast<Eigen::Index>(k)) = w;
      sums.weight += w;
      sums.squares += w * w;
    }
    const Eigen::RowVectorXd origin = x.row(0);  // so that the mean of equal cells is what they are
    x.rowwise() -= origin;
    const Eigen::RowVectorXd shift = (weight.transpose() * x) / sums.weight;
    x.rowwise() -= shift;
    for (Eigen::Index k = 0; k < x.rows() && data.has_weights(); ++k) x.row(k) *= std::sqrt(weight(k));
    Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(q, q);
    add_gram(gram, x);
    sums.mean.resize(layout.q);
    sums.scatter.resize(layout.q * (layout.q + 1) / 2);
    for (Eigen::Index a = 0; a < q; ++a) {
      sums.mean[static_cast<size_t>(a)] = origin(a) + shift(a);
      for (Eigen::Index b = 0; b <= a; ++b)
        sums.scatter[packed(static_cast<size_t>(a), static_cast<size_t>(b))] = gram(a, b);
    }
    add_sums(out, sums);
  }
  return out;
}

Sums cells_of_rows(const Dataset& data, const Layout& layout, const std::vector<size_t>& rows) {
  Sums out;
  std::vector<uint32_t> cell(layout.columns.size());
  for (const size_t row : rows) {
    for (size_t c = 0; c < cell.size(); ++c) {
      const Column& column = *layout.columns[c];
      cell[c] = column.identifier ? 0 : column.is_missing(row) ? kGapCode : column.codes[row];
    }
    const double w = data.weight(row);
    out.cells[cell] += w;
    out.rows += 1;
    out.weight += w;
    out.squares += w * w;
  }
  return out;
}

// A missing target is an observation; a row without another label comes from nowhere.
Column label_column(Column column, bool targets, const std::string& source) {
  if (!column.has_missing()) return column;
  if (!targets) {
    size_t row = 0;
    while (!column.is_missing(row)) ++row;
    throw InputError(source, fmt::format("column {}: row {} has no label", quoted(column.name), row + 1),
                     "say for every row where it comes from");
  }
  const auto none = static_cast<uint32_t>(column.levels.size());
  column.levels.push_back("none");
  Codes codes;
  for (size_t row = 0; row < column.codes.size(); ++row) {
    codes.push_back(column.is_missing(row) ? none : column.codes[row]);
  }
  column.codes = std::move(codes);
  column.missing = {};
  return column;
}

void refuse_unknown_targets(const std::vector<Regime>& regimes, const std::vector<std::string>& variables,
                            const std::string& source) {
  for (const Regime& regime : regimes) {
    for (const std::string& target : regime.targets) {
      if (std::ranges::find(variables, target) != variables.end()) continue;
      throw InputError(
          source,
          fmt::format("the experiment {} sets {}, and there is no such column", quoted(regime.name), quoted(target)),
          did_you_mean(target, variables));
    }
  }
}

}  // namespace

Summary summarize(const Dataset& data, const SummarizeOptions& options) {
  std::vector<size_t> complete;
  for (size_t row = 0; row < data.rows() && options.drop_missing; ++row) {
    const bool gap = std::ranges::any_of(
        data.columns(), [&](const Column& column) { return !column.identifier && column.is_missing(row); });
    if (!gap) complete.push_back(row);
  }
  const bool nothing = options.drop_missing && complete.empty();
  if (options.drop_missing && !nothing && complete.size() < data.rows()) {
    Summary kept = summarize(with_rows(data, complete), options);
    kept.dropped = static_cast<double>(data.rows() - complete.size());
    return kept;
  }

  Summary out;
  Layout layout;
  bool categories = true;
  for (const int node : data.file_order()) {
    const Column& column = data.column(node);
    layout.columns.push_back(&column);
    out.columns.push_back({column.name, column.identifier ? ColumnKind::kCategorical : column.kind, column.identifier});
    if (!column.identifier && !nothing) out.columns.back().levels = column.levels;
    categories = categories && out.columns.back().kind == ColumnKind::kCategorical;
    layout.start.push_back(layout.q);
    layout.q += out.columns.back().width();
  }
  out.form = categories && !options.moments ? SummaryForm::kCounts : SummaryForm::kMoments;
  out.keeps_parts = options.parts && out.form == SummaryForm::kMoments;
  out.weighted = data.has_weights();
  out.regimes = data.has_regimes() ? data.regimes() : std::vector<Regime>{Regime{}};
  out.dropped = nothing ? static_cast<double>(data.rows()) : 0;
  for (size_t c = 0; c < layout.columns.size() && !nothing && out.form == SummaryForm::kMoments; ++c) {
    const Column& column = *layout.columns[c];
    if (!column.has_missing() || column.identifier) continue;
    size_t row = 0;
    while (!column.is_missing(row)) ++row;
    throw InputError(
        data.source(),
        fmt::format("column {} is missing in row {}, and sums of products have no gaps", quoted(column.name), row + 1),
        "--missing drop-rows leaves out the rows that have gaps, --drop NAMES the columns");
  }
  refuse_too_much(out, data.source());
  std::vector<std::vector<size_t>> rows(out.regimes.size());
  for (size_t row = 0; row < data.rows() && !nothing; ++row) {
    rows[data.has_regimes() ? static_cast<size_t>(data.regime_of(row)) : 0].push_back(row);
  }
  std::vector<Sums>& part = out.parts.emplace_back();
  for (const std::vector<size_t>& own : rows) {
    part.push_back(out.form == SummaryForm::kCounts ? cells_of_rows(data, layout, own)
                                                    : moments_of(data, layout, out, own));
  }
  refuse_too_much(out, data.source());
  return out;
}

Summary summarize(const Dataset& data, const ExperimentOptions& experiments, const std::vector<ExperimentTargets>& file,
                  const SummarizeOptions& options) {
  ExperimentLabels labels;
  std::vector<Column> columns;
  std::vector<std::string> variables;
  for (const int node : data.file_order()) {
    const Column& column = data.column(node);
    const bool targets = column.name == experiments.targets && !experiments.targets_in_file();
    if (column.name == experiments.experiment) {
      labels.experiment = label_column(column, false, data.source());
    } else if (targets) {
      labels.targets = label_column(column, true, data.source());
    } else if (std::ranges::find(experiments.within, column.name) != experiments.within.end()) {
      labels.within.push_back(label_column(column, false, data.source()));
    } else {
      columns.push_back(column);
      variables.push_back(column.name);
    }
  }
  Experiments found = experiments_of(labels, file, experiments, variables);
  for (Regime& regime : found.regimes) {
    std::sort(regime.targets.begin(), regime.targets.end());
    regime.targets.erase(std::unique(regime.targets.begin(), regime.targets.end()), regime.targets.end());
  }
  refuse_unknown_targets(found.regimes, variables, data.source());
  std::vector<std::vector<size_t>> rows(found.regimes.size());
  for (size_t row = 0; row < data.rows(); ++row) rows[found.regime[row]].push_back(row);
  const Dataset table = make_dataset(std::move(columns), data.source(), {.weights = data.row_info().weights});
  std::optional<Summary> out;
  SummarizeOptions of_each = options;
  of_each.parts = false;
  for (size_t k = 0; k < rows.size(); ++k) {
    Summary own = summarize(with_rows(table, rows[k]), of_each);
    own.regimes = {found.regimes[k]};
    out ? add(*out, own, data.source()) : void(out = std::move(own));
  }
  out->keeps_parts = options.parts && out->form == SummaryForm::kMoments;
  return std::move(*out);
}

}  // namespace agon
