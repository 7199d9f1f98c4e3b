#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "agon/base/error.h"
#include "agon/base/text.h"
#include "agon/data/matrix_rows.h"
#include "agon/data/sums.h"

namespace agon {
namespace {

Eigen::MatrixXd covariance_of(const Sums& sums) {
  const auto q = static_cast<Eigen::Index>(sums.mean.size());
  Eigen::MatrixXd out(q, q);
  for (Eigen::Index a = 0; a < q; ++a) {
    for (Eigen::Index b = 0; b <= a; ++b) {
      out(a, b) = out(b, a) = sums.scatter[packed(static_cast<size_t>(a), static_cast<size_t>(b))] / sums.weight;
    }
  }
  return out;
}

std::vector<Column> empty_columns(const Summary& summary) {
  std::vector<Column> out;
  for (const SummaryColumn& of : summary.columns) {
    Column& column = out.emplace_back();
    column.name = of.name;
    column.identifier = of.identifier;
    column.kind = summary.form == SummaryForm::kCounts ? ColumnKind::kCategorical : ColumnKind::kContinuous;
    column.levels = of.levels;
    if (summary.form == SummaryForm::kMoments && of.levels.size() > 1) column.more.resize(of.levels.size() - 1);
  }
  return out;
}

struct Growing {
  std::vector<Column> columns;
  RowInfo info;
};

void add_moments(const Summary& summary, const Sums& sums, const std::string& place, Growing& table, size_t& rows) {
  const Eigen::Map<const Eigen::VectorXd> mean(sums.mean.data(), static_cast<Eigen::Index>(sums.mean.size()));
  const std::vector<std::vector<double>> cells = rows_of_matrix(covariance_of(sums), mean, place, 0);
  rows = std::max<size_t>(2, 2 * cells.size());
  size_t at = 0;
  for (size_t c = 0; c < table.columns.size(); ++c) {
    Column& column = table.columns[c];
    if (summary.columns[c].width() == 0) {
      column.values.resize(column.values.size() + rows, 0);
      continue;
    }
    const auto append = [&](std::vector<double>& to) {
      to.insert(to.end(), cells[at].begin(), cells[at].end());
      ++at;
    };
    append(column.values);
    for (std::vector<double>& further : column.more) append(further);
  }
  table.info.weights.resize(table.info.weights.size() + rows, sums.weight / static_cast<double>(rows));
}

void add_cells(const Sums& sums, Growing& table, size_t& rows) {
  rows = sums.cells.size();
  for (const auto& [cell, weight] : sums.cells) {
    for (size_t c = 0; c < cell.size(); ++c) {
      Column& column = table.columns[c];
      if (cell[c] == kGapCode) column.missing.insert(column.codes.size());
      column.codes.push_back(cell[c] == kGapCode ? kMissingCode : cell[c]);
    }
    table.info.weights.push_back(weight);
  }
}

std::string lost_sentence(const Summary& summary) {
  std::string text = fmt::format("a summary of {} has means and products, but no ranks: numbers are taken as they are",
                                 counted(std::llround(summary.rows()), "row"));
  if (summary.parts.size() >= kFewestParts) {
    return text + fmt::format("; a bootstrap resamples its {} parts.", summary.parts.size());
  }
  return text + ", and there is nothing to resample.";
}

}  // namespace

SummaryTable to_table(const Summary& summary, const std::string& source) {
  Growing table{.columns = empty_columns(summary), .info = {}};
  const bool experiments = summary.regimes.size() > 1 || !summary.regimes.front().name.empty();
  const bool apart = summary.form == SummaryForm::kMoments;
  for (size_t p = 0; p < summary.parts.size(); ++p) {
    for (size_t k = 0; k < summary.regimes.size(); ++k) {
      const Sums& sums = summary.parts[p][k];
      if (sums.weight == 0) continue;
      size_t rows = 0;
      if (summary.form == SummaryForm::kCounts) {
        add_cells(sums, table, rows);
      } else {
        add_moments(summary, sums, source, table, rows);
      }
      for (size_t row = 0; row < rows; ++row) {
        if (experiments) table.info.regime.push_back(static_cast<uint32_t>(k));
        if (apart) table.info.part.push_back(static_cast<uint32_t>(p));
      }
    }
  }
  if (table.info.weights.empty()) throw InputError(source, "the summary has no rows");
  double squares = 0;
  for (const std::vector<Sums>& part : summary.parts) {
    for (const Sums& sums : part) squares += sums.squares;
  }
  const double weight = summary.weight();
  if (summary.sampling) {  // to the effective number of rows, Kish 1965
    for (double& w : table.info.weights) w *= weight / squares;
  }
  if (experiments) table.info.regimes = summary.regimes;
  table.info.summary = summary.form == SummaryForm::kMoments;
  SummaryTable out;
  for (Column& column : table.columns) {
    if (!column.identifier || column.kind != ColumnKind::kCategorical) continue;
    column.levels = {"(identifier)"};
  }
  out.data = make_dataset(std::move(table.columns), source, std::move(table.info));
  if (summary.form == SummaryForm::kMoments) out.notes.push_back(lost_sentence(summary));
  if (summary.sampling) {
    out.notes.push_back(fmt::format("sampling weights: {} rows count as {:.6g}, the effective number.",
                                    with_commas(std::llround(summary.rows())), weight * weight / squares));
  }
  if (summary.dropped > 0) {
    out.notes.push_back(fmt::format("{} with missing cells were left out when the summary was made.",
                                    counted(std::llround(summary.dropped), "row")));
  }
  return out;
}

}  // namespace agon
