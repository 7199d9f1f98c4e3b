#include "agon/data/summary.h"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>

#include "agon/base/error.h"
#include "agon/base/linear_algebra.h"
#include "agon/base/suggest.h"
#include "agon/data/kinds.h"
#include "agon/data/matrix_rows.h"

namespace agon {
namespace {

size_t packed(size_t a, size_t b) { return a * (a + 1) / 2 + b; }  // b <= a

size_t width_of(const std::vector<SummaryColumn>& columns) {
  size_t q = 0;
  for (const SummaryColumn& column : columns) q += column.width();
  return q;
}

// ---------------------------------------------------------------------------------------------- adding up

// Adds `from` to `to`, both of the same columns and levels. Chan, Golub & LeVeque 1983, equation 2.1 with means.
void add_sums(Sums& to, const Sums& from) {
  if (from.weight == 0) return;
  if (to.weight == 0) {
    to = from;
    return;
  }
  const double share = from.weight / (to.weight + from.weight), apart = to.weight * share;
  const size_t q = to.mean.size();
  std::vector<double> delta(q);
  for (size_t a = 0; a < q; ++a) delta[a] = from.mean[a] - to.mean[a];
  for (size_t a = 0, at = 0; a < q; ++a) {
    for (size_t b = 0; b <= a; ++b, ++at) to.scatter[at] += from.scatter[at] + apart * delta[a] * delta[b];
    to.mean[a] += share * delta[a];
  }
  for (const auto& [cell, weight] : from.cells) to.cells[cell] += weight;
  to.rows += from.rows;
  to.weight += from.weight;
  to.squares += from.squares;
}

void refuse_too_many(const Summary& summary, const std::string& place) {
  for (const SummaryColumn& column : summary.columns) {
    const size_t levels = column.levels.size();
    // Which levels a part of a table would pool depends on the part.
    const bool pooled = levels == kMostLevels && std::ranges::find(column.levels, kOtherLevel) != column.levels.end();
    if (levels <= kMostLevels && !pooled) continue;
    throw InputError(place,
                     fmt::format("column {} has more levels than the {} that a summary keeps of a category",
                                 quoted(column.name), kMostLevels),
                     fmt::format("--drop {0} omits it; --continuous {0} takes it as numbers", shell_word(column.name)));
  }
  for (const std::vector<Sums>& part : summary.parts) {
    size_t cells = 0;
    for (const Sums& sums : part) cells += sums.cells.size();
    if (cells <= kMostCells) continue;
    throw InputError(place, fmt::format("there are more than {} distinct rows", with_commas(kMostCells)),
                     "--moments keeps means and products of indicators instead of distinct rows; or --drop columns of "
                     "many levels");
  }
}

void refuse_overflow(const Summary& summary, const std::string& place) {
  for (const std::vector<Sums>& part : summary.parts) {
    for (const Sums& sums : part) {
      if (sums.scatter.empty()) continue;
      size_t at = 0;
      for (const SummaryColumn& column : summary.columns) {
        for (size_t k = 0; k < column.width(); ++k, ++at) {
          if (std::isfinite(sums.scatter[packed(at, at)])) continue;
          throw InputError(place,
                           fmt::format("the squares of column {} are too large to be summed", quoted(column.name)),
                           "rescale it, or --drop it");
        }
      }
    }
  }
}

// ---------------------------------------------------------------------------------------------- from rows

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

// ---------------------------------------------------------------------------------------------- one form, one layout

// The indicators of distinct rows.
Sums as_moments(const Sums& counted, const std::vector<SummaryColumn>& columns) {
  Sums out;
  const size_t q = width_of(columns);
  out.rows = counted.rows;
  out.weight = counted.weight;
  out.squares = counted.squares;
  if (counted.weight == 0) return out;
  out.mean.assign(q, 0);
  out.scatter.assign(q * (q + 1) / 2, 0);
  std::vector<size_t> ones;
  for (const auto& [cell, weight] : counted.cells) {
    ones.clear();
    for (size_t c = 0, at = 0; c < columns.size(); at += columns[c++].width()) {
      if (columns[c].width() > 0) ones.push_back(at + cell[c]);
    }
    for (const size_t a : ones) {
      out.mean[a] += weight;
      for (const size_t b : ones) {
        if (b <= a) out.scatter[packed(a, b)] += weight;
      }
    }
  }
  for (size_t a = 0, at = 0; a < q; ++a) {
    for (size_t b = 0; b <= a; ++b, ++at) out.scatter[at] -= out.mean[a] * (out.mean[b] / out.weight);
  }
  for (double& mean : out.mean) mean /= out.weight;
  return out;
}

Summary with_moments(Summary summary, const std::string& place) {
  if (summary.form == SummaryForm::kMoments) return summary;
  summary.form = SummaryForm::kMoments;
  for (std::vector<Sums>& part : summary.parts) {
    for (Sums& sums : part) {
      for (const auto& [cell, weight] : sums.cells) {
        if (std::find(cell.begin(), cell.end(), kGapCode) == cell.end()) continue;
        throw InputError(place, "distinct rows with missing cells cannot become moments",
                         "summarize both with --missing drop-rows");
      }
      sums = as_moments(sums, summary.columns);
    }
  }
  return summary;
}

// What the columns of two summaries are together.
std::vector<SummaryColumn> united(const Summary& a, const Summary& b, const std::string& place) {
  std::map<std::string, const SummaryColumn*> other;
  for (const SummaryColumn& column : b.columns) other[column.name] = &column;
  std::vector<std::string> missing, extra;
  std::set<std::string> known;
  for (const SummaryColumn& column : a.columns) {
    known.insert(column.name);
    if (!other.contains(column.name)) missing.push_back(quoted(column.name));
  }
  for (const SummaryColumn& column : b.columns) {
    if (!known.contains(column.name)) extra.push_back(quoted(column.name));
  }
  if (!missing.empty() || !extra.empty()) {
    std::string what = "its columns are others";
    if (!missing.empty()) what += ": without " + listed(missing);
    if (!extra.empty()) what += (missing.empty() ? ": with " : ", and with ") + listed(extra);
    throw InputError(place, what, "only summaries of the same columns can be added; --drop leaves columns out");
  }
  std::vector<SummaryColumn> out = a.columns;
  for (SummaryColumn& column : out) {
    const SummaryColumn& second = *other[column.name];
    if (column.kind != second.kind && !column.identifier && !second.identifier) {
      throw InputError(place,
                       fmt::format("column {} is {}, and was {} before", quoted(column.name), to_string(second.kind),
                                   to_string(column.kind)),
                       fmt::format("summarize all parts with --discrete {0}, or all with --continuous {0}",
                                   shell_word(column.name)));
    }
    column.identifier = column.identifier || second.identifier;
    if (column.identifier) {
      column.kind = ColumnKind::kCategorical;
      column.levels.clear();
      continue;
    }
    std::vector<std::string> levels;
    std::set_union(column.levels.begin(), column.levels.end(), second.levels.begin(), second.levels.end(),
                   std::back_inserter(levels), label_less);
    column.levels = std::move(levels);
  }
  return out;
}

// The same sums in another order of columns and among more levels.
class Relabelling {
 public:
  Relabelling(const std::vector<SummaryColumn>& from, const std::vector<SummaryColumn>& to) : q_(width_of(to)) {
    std::map<std::string, size_t> old_place;
    std::vector<size_t> old_start(1, 0);
    for (size_t c = 0; c < from.size(); ++c) {
      old_place[from[c].name] = c;
      old_start.push_back(old_start.back() + from[c].width());
    }
    place_.assign(old_start.back(), kGone);
    size_t at = 0;
    for (const SummaryColumn& column : to) {
      const size_t c = old_place.at(column.name);
      column_.push_back(c);
      std::vector<uint32_t>& code = code_.emplace_back();
      const auto& labels = from[c].levels;
      for (size_t k = 0; k < labels.size() && !column.identifier; ++k) {
        const auto found = std::lower_bound(column.levels.begin(), column.levels.end(), labels[k], label_less);
        code.push_back(static_cast<uint32_t>(found - column.levels.begin()));
        place_[old_start[c] + k] = at + code.back();
      }
      if (column.kind == ColumnKind::kContinuous && column.width() > 0) place_[old_start[c]] = at;
      at += column.width();
    }
  }

  Sums of(const Sums& sums) const {
    Sums out{.rows = sums.rows, .weight = sums.weight, .squares = sums.squares};
    for (const auto& [cell, weight] : sums.cells) {
      std::vector<uint32_t> moved;
      for (size_t k = 0; k < column_.size(); ++k) {
        const uint32_t code = cell[column_[k]];
        moved.push_back(code_[k].empty() ? 0 : code == kGapCode ? code : code_[k][code]);
      }
      out.cells[moved] += weight;
    }
    if (sums.mean.empty()) return out;
    out.mean.assign(q_, 0);
    out.scatter.assign(q_ * (q_ + 1) / 2, 0);
    for (size_t a = 0; a < sums.mean.size(); ++a) {
      if (place_[a] == kGone) continue;
      out.mean[place_[a]] = sums.mean[a];
      for (size_t b = 0; b <= a; ++b) {
        if (place_[b] == kGone) continue;
        const auto [low, high] = std::minmax(place_[a], place_[b]);
        out.scatter[packed(high, low)] = sums.scatter[packed(a, b)];
      }
    }
    return out;
  }

 private:
  static constexpr size_t kGone = SIZE_MAX;
  size_t q_;
  std::vector<size_t> column_;               // by new column: the old one
  std::vector<std::vector<uint32_t>> code_;  // by new column and old code
  std::vector<size_t> place_;                // by old place among the widths
};

bool same_layout(const std::vector<SummaryColumn>& a, const std::vector<SummaryColumn>& b) {
  return std::ranges::equal(a, b, [](const SummaryColumn& x, const SummaryColumn& y) {
    return x.name == y.name && x.identifier == y.identifier && x.levels == y.levels;
  });
}

std::vector<Regime> united_regimes(const Summary& a, const Summary& b, const std::string& place) {
  std::map<std::string, Regime> by_name;
  for (const Summary* summary : {&a, &b}) {
    for (const Regime& regime : summary->regimes) {
      const auto [at, fresh] = by_name.emplace(regime.name, regime);
      if (fresh || at->second == regime) continue;
      throw InputError(place,
                       fmt::format("the experiment {} set {}, and {} before", quoted(regime.name),
                                   regime.targets.empty() ? "nothing" : listed(regime.targets),
                                   at->second.targets.empty() ? "nothing" : listed(at->second.targets)),
                       "experiments of one name are the same experiment; say the same of it everywhere");
    }
  }
  std::vector<Regime> out;
  for (auto& [name, regime] : by_name) out.push_back(std::move(regime));
  if (out.size() > 1 && out.front().name.empty()) {
    throw InputError(place, "some rows come from experiments, and others say nothing about it",
                     "summarize all parts with the same --targets, --experiment and --within");
  }
  return out;
}

std::vector<std::vector<Sums>> moved_parts(const Summary& summary, const std::vector<SummaryColumn>& columns,
                                           const std::vector<Regime>& regimes) {
  std::optional<Relabelling> relabelling;
  if (!same_layout(summary.columns, columns)) relabelling.emplace(summary.columns, columns);
  std::vector<std::vector<Sums>> out;
  for (const std::vector<Sums>& part : summary.parts) {
    std::vector<Sums>& moved = out.emplace_back(regimes.size());
    for (size_t k = 0; k < part.size(); ++k) {
      const auto at = std::ranges::find(regimes, summary.regimes[k].name, &Regime::name);
      moved[static_cast<size_t>(at - regimes.begin())] = relabelling ? relabelling->of(part[k]) : part[k];
    }
  }
  return out;
}

// ---------------------------------------------------------------------------------------------- to a table

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

double Summary::rows() const {
  double sum = 0;
  for (const std::vector<Sums>& part : parts) {
    for (const Sums& sums : part) sum += sums.rows;
  }
  return sum;
}

double Summary::weight() const {
  double sum = 0;
  for (const std::vector<Sums>& part : parts) {
    for (const Sums& sums : part) sum += sums.weight;
  }
  return sum;
}

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
  refuse_too_many(out, data.source());
  std::vector<std::vector<size_t>> rows(out.regimes.size());
  for (size_t row = 0; row < data.rows() && !nothing; ++row) {
    rows[data.has_regimes() ? static_cast<size_t>(data.regime_of(row)) : 0].push_back(row);
  }
  std::vector<Sums>& part = out.parts.emplace_back();
  for (const std::vector<size_t>& own : rows) {
    part.push_back(out.form == SummaryForm::kCounts ? cells_of_rows(data, layout, own)
                                                    : moments_of(data, layout, out, own));
  }
  refuse_too_many(out, data.source());
  refuse_overflow(out, data.source());
  return out;
}

namespace {

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

void add(Summary& to, const Summary& from, const std::string& place) {
  if (to.form != from.form) {
    to = with_moments(std::move(to), place);
    if (from.form != SummaryForm::kMoments) return add(to, with_moments(from, place), place);
  }
  if (to.sampling != from.sampling) {
    throw InputError(place, "some rows have sampling weights, and others have none",
                     "summarize all parts with the same --weights");
  }
  std::vector<SummaryColumn> columns = united(to, from, place);
  std::vector<Regime> regimes = united_regimes(to, from, place);
  const bool keeps_parts = to.keeps_parts && from.keeps_parts;
  if (!same_layout(to.columns, columns) || to.regimes != regimes) to.parts = moved_parts(to, columns, regimes);
  to.columns = std::move(columns);
  to.regimes = std::move(regimes);
  const auto fold = [&](const std::vector<Sums>& part) {
    for (size_t r = 0; r < part.size(); ++r) add_sums(to.parts[0][r], part[r]);
  };
  if (!keeps_parts) {
    for (size_t k = 1; k < to.parts.size(); ++k) fold(to.parts[k]);
    to.parts.resize(1);
  }
  for (std::vector<Sums>& part : moved_parts(from, to.columns, to.regimes)) {
    keeps_parts ? to.parts.push_back(std::move(part)) : fold(part);
  }
  to.keeps_parts = keeps_parts;
  to.weighted = to.weighted || from.weighted;
  to.dropped += from.dropped;
  refuse_too_many(to, place);
  refuse_overflow(to, place);
}

Summary merge(const Summary& a, const Summary& b, const std::string& place) {
  Summary out = a;
  add(out, b, place);
  return out;
}

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
