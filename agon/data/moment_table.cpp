#include "agon/data/moment_table.h"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "agon/base/error.h"
#include "agon/base/suggest.h"
#include "agon/data/column_builder.h"
#include "agon/data/matrix_rows.h"
#include "agon/data/records.h"
#include "agon/data/text_file.h"

namespace agon {
namespace {

constexpr double kSymmetric = 1e-9;  // of the scale of a cell
constexpr double kLeastSpearman = 1e-6;

struct NamedMatrix {
  std::vector<std::string> names;
  Eigen::MatrixXd cells;
  std::vector<size_t> lines;  // of each row, for messages
};

NamedMatrix read_matrix(std::string_view text, const std::string& name) {
  Dialect dialect;
  dialect.delimiter = detect_delimiter(std::string(text.substr(0, 1 << 16)), text.size() <= (1 << 16), dialect);
  RecordReader reader(text_source(text), name, dialect, 1 << 20);
  std::vector<Cell> cells;
  NamedMatrix out;
  if (!reader.next(cells)) throw InputError(name, "found nothing, expected a matrix with names in the first line");
  for (const Cell& cell : cells) out.names.emplace_back(cell.text());
  const std::string header = fmt::format("{}:{}", name, reader.line());
  std::vector<std::vector<double>> rows;
  while (reader.next(cells)) {
    const std::string place = fmt::format("{}:{}", name, reader.line());
    if (rows.empty() && cells.size() == out.names.size()) out.names.erase(out.names.begin());  // the corner
    if (cells.size() != out.names.size() + 1) {
      throw InputError(place,
                       fmt::format("found {} cells, expected a name and {} numbers", cells.size(), out.names.size()));
    }
    if (rows.size() >= out.names.size() || cells[0].text() != out.names[rows.size()]) {
      throw InputError(
          place,
          rows.size() >= out.names.size()
              ? fmt::format("a row more than the {} names of the header", out.names.size())
              : fmt::format("the row is called {}, and column {} is called {}", quoted(std::string(cells[0].text())),
                            rows.size() + 1, quoted(out.names[rows.size()])),
          "rows and columns of a covariance matrix have the same names in the same order");
    }
    std::vector<double>& row = rows.emplace_back(out.names.size());
    for (size_t k = 0; k < row.size(); ++k) {
      if (parse_number(cells[k + 1].text(), row[k])) continue;
      throw InputError(
          place,
          fmt::format("column {}: {} is not a number", quoted(out.names[k]), quoted(std::string(cells[k + 1].text()))),
          "a covariance matrix has no gaps; where pairs were never seen together, leave a column out");
    }
    out.lines.push_back(reader.line());
  }
  if (rows.size() != out.names.size()) {
    throw InputError(header, fmt::format("{} names and {} rows", out.names.size(), rows.size()));
  }
  const auto q = static_cast<Eigen::Index>(rows.size());
  out.cells.resize(q, q);
  for (Eigen::Index a = 0; a < q; ++a) {
    for (Eigen::Index b = 0; b < q; ++b) out.cells(a, b) = rows[a][b];
  }
  return out;
}

void check_symmetry(NamedMatrix& matrix, const std::string& name) {
  Eigen::MatrixXd& m = matrix.cells;
  for (Eigen::Index a = 0; a < m.rows(); ++a) {
    if (!(m(a, a) >= 0)) {
      throw InputError(fmt::format("{}:{}", name, matrix.lines[a]),
                       fmt::format("the variance of {} is {}", quoted(matrix.names[a]), m(a, a)),
                       "a variance is 0 or more");
    }
    for (Eigen::Index b = 0; b < a; ++b) {
      const double scale = std::max({std::abs(m(a, b)), std::abs(m(b, a)), std::sqrt(m(a, a) * m(b, b))});
      if (std::abs(m(a, b) - m(b, a)) > kSymmetric * scale) {
        throw InputError(fmt::format("{}:{}", name, matrix.lines[a]),
                         fmt::format("{} with {} is {}, and {} the other way round", quoted(matrix.names[a]),
                                     quoted(matrix.names[b]), m(a, b), m(b, a)),
                         "a covariance matrix is symmetric");
      }
      m(a, b) = m(b, a) = 0.5 * (m(a, b) + m(b, a));
    }
  }
}

// Rank correlations as the correlations of the Gaussian copula.
void from_spearman(NamedMatrix& matrix, const std::string& name) {
  for (Eigen::Index a = 0; a < matrix.cells.rows(); ++a) {
    for (Eigen::Index b = 0; b < matrix.cells.cols(); ++b) {
      double& r = matrix.cells(a, b);
      if (std::abs(r) > 1 + kSymmetric || (a == b && std::abs(r - 1) > kSymmetric)) {
        throw InputError(fmt::format("{}:{}", name, matrix.lines[a]),
                         fmt::format("{} with {} is {}", quoted(matrix.names[a]), quoted(matrix.names[b]), r),
                         "rank correlations lie between -1 and 1, and are 1 on the diagonal");
      }
      r = a == b ? 1 : 2 * std::sin(std::numbers::pi * std::clamp(r, -1.0, 1.0) / 6);
    }
  }
}

// Indicators `A=x` of one A become one column of several numbers.
std::vector<Column> grouped(const std::vector<std::string>& names, std::vector<std::vector<double>> values,
                            std::vector<std::string>& notes) {
  std::map<std::string, size_t> place;
  std::map<std::string, std::vector<std::string>> levels;
  std::vector<Column> columns;
  for (size_t k = 0; k < names.size(); ++k) {
    const size_t equals = names[k].find('=');
    const std::string group = equals == std::string::npos || equals == 0 ? "" : names[k].substr(0, equals);
    if (!group.empty()) levels[group].push_back(names[k].substr(equals + 1));
    const auto found = group.empty() ? place.end() : place.find(group);
    if (found != place.end()) {
      columns[found->second].more.push_back(std::move(values[k]));
      continue;
    }
    if (!group.empty()) place[group] = columns.size();
    columns.push_back(continuous_column(group.empty() ? names[k] : group, std::move(values[k])));
  }
  for (const auto& [group, of] : levels) {
    notes.push_back(fmt::format("{} is a category, known by {} {}: {}.", quoted(group), of.size(),
                                of.size() == 1 ? "indicator" : "indicators", listed(of)));
  }
  return columns;
}

}  // namespace

MomentTable read_covariance_text(std::string_view text, const std::string& name, const MomentOptions& options) {
  NamedMatrix matrix = read_matrix(text, name);
  check_symmetry(matrix, name);
  if (options.spearman) from_spearman(matrix, name);
  MomentTable out;
  auto values = rows_of_matrix(matrix.cells, Eigen::VectorXd::Zero(matrix.cells.rows()), name,
                               options.spearman ? kLeastSpearman : 0);
  std::vector<Column> columns = grouped(matrix.names, std::move(values), out.notes);
  RowInfo info;
  info.summary = true;
  const size_t rows = columns.empty() ? 0 : columns.front().rows();
  info.weights.assign(rows, options.rows / static_cast<double>(rows));
  out.data = make_dataset(std::move(columns), name, std::move(info));
  return out;
}

MomentTable read_covariance(const std::string& path, const MomentOptions& options) {
  return read_covariance_text(read_text_file(path), path, options);
}

}  // namespace agon
