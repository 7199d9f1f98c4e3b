#include "agon/certificate/plain_completion.h"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "agon/base/linear_algebra.h"
#include "agon/base/text.h"
#include "agon/certificate/plain_gaussian.h"

namespace agon::plain {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Index = Eigen::Index;

double cell(const Column& column, size_t row) {
  return column.kind == ColumnKind::kCategorical ? column.codes[row] : column.values[row];
}

std::vector<std::string> check_columns(const Dataset& original, const Dataset& completed) {
  if (original.names() != completed.names()) return {"the completed table has other columns"};
  std::vector<std::string> complaints;
  for (Node v = 0; v < original.size(); ++v) {
    const Column &was = original.column(v), &is = completed.column(v);
    const bool never_seen = was.missing.count() == original.rows();
    if (was.kind != is.kind || (was.levels != is.levels && !never_seen)) {
      complaints.push_back(fmt::format("column {} has other levels in the completed table", quoted(was.name)));
    }
  }
  return complaints;
}

// By row of the completed table the row that it is a copy of: copies are taken until their weights reach that of the
// row.
std::vector<size_t> copied_rows(const Dataset& original, const Dataset& completed,
                                std::vector<std::string>& complaints) {
  constexpr double kRounding = 1e-9;
  std::vector<size_t> copy_of;
  for (size_t row = 0; row < original.rows(); ++row) {
    double left = 1;  // of the weight of the row, as a share
    while (left > kRounding && copy_of.size() < completed.rows()) {
      left -= completed.weight(copy_of.size()) / original.weight(row);
      copy_of.push_back(row);
    }
    if (std::abs(left) <= kRounding) continue;
    complaints.push_back(fmt::format("the weights of the copies of row {} sum to {:g}, not to {:g}", row + 1,
                                     (1 - left) * original.weight(row), original.weight(row)));
    return {};
  }
  if (copy_of.size() < completed.rows()) complaints.push_back("the completed table has rows that are copies of no row");
  return copy_of;
}

void check_cells(const Column& was, const Column& is, const std::vector<size_t>& copy_of,
                 std::vector<std::string>& complaints) {
  std::vector<double> seen;
  for (size_t row = 0; row < was.rows(); ++row) {
    if (!was.is_missing(row)) seen.push_back(cell(was, row));
  }
  std::sort(seen.begin(), seen.end());
  size_t changed = 0, left = 0, unmarked = 0, unknown = 0;
  for (size_t row = 0; row < copy_of.size(); ++row) {
    const bool gap = was.is_missing(copy_of[row]);
    if (is.is_missing(row)) {
      ++left;
      continue;
    }
    if (is.drawn[row] != (gap || was.drawn[copy_of[row]])) ++unmarked;
    if (!gap && cell(is, row) != cell(was, copy_of[row])) ++changed;
    if (gap && !seen.empty() && !std::binary_search(seen.begin(), seen.end(), cell(is, row))) ++unknown;
  }
  const auto complain = [&](size_t count, const char* noun, const char* what) {
    if (count == 0) return;
    complaints.push_back(fmt::format("column {}: {} {}", quoted(was.name), counted(count, noun), what));
  };
  complain(changed, "seen cell", "changed");
  complain(left, "gap", "left");
  complain(unmarked, "cell", "with a mark that does not say whether it was drawn");
  complain(unknown, "drawn cell", "with a value that was never seen in the column");
}

// Columns of numbers for each variable: indicators of all levels but the first, less their shares; the normal scores of
// a continuous column. None for columns that can have no edge.
class Coding {
 public:
  explicit Coding(const Dataset& data) : data_(data), codes_(data.size()), start_{0} {
    for (Node v = 0; v < data.size(); ++v) {
      const Column& column = data.column(v);
      int width = 0;
      if (!column.is_isolated()) {
        count_cells(v);
        width = column.kind == ColumnKind::kCategorical ? static_cast<int>(column.levels.size()) - 1 : score(v);
      }
      start_.push_back(start_.back() + width);
    }
  }

  int columns() const { return start_.back(); }
  int start(Node v) const { return start_[v]; }
  int width(Node v) const { return start_[v + 1] - start_[v]; }
  const Dataset& data() const { return data_; }
  // Categorical: shares of the levels. Continuous: distinct cells, ascending, and their scores.
  const std::vector<double>& shares(Node v) const { return codes_[v].shares; }
  const std::vector<double>& cells(Node v) const { return codes_[v].cells; }
  const std::vector<double>& scores(Node v) const { return codes_[v].scores; }

  void put(Node v, double value, Vector& x) const {
    const Code& code = codes_[v];
    if (data_.column(v).kind == ColumnKind::kContinuous) {
      const auto at = std::lower_bound(code.cells.begin(), code.cells.end(), value);
      x[start_[v]] = code.scores[static_cast<size_t>(at - code.cells.begin())];
      return;
    }
    for (int k = 0; k < width(v); ++k) x[start_[v] + k] = (value == k + 1 ? 1 : 0) - code.shares[k + 1];
  }

  // Covariance of the seen cells of each variable; 0 between variables.
  Matrix own_covariance() const {
    Matrix out = Matrix::Zero(columns(), columns());
    for (Node v = 0; v < data_.size(); ++v) {
      for (int a = 0; a < width(v); ++a) {
        for (int b = 0; b < width(v); ++b) {
          const std::vector<double>& pi = codes_[v].shares;
          const bool categorical = data_.column(v).kind == ColumnKind::kCategorical;
          out(start_[v] + a, start_[v] + b) = categorical ? (a == b ? pi[a + 1] : 0) - pi[a + 1] * pi[b + 1] : 1;
        }
      }
    }
    return out;
  }

 private:
  struct Code {
    std::vector<double> cells, shares, scores;  // by level, or by distinct cell
  };

  void count_cells(Node v) {
    std::map<double, double> weight;
    double all = 0;
    for (size_t row = 0; row < data_.rows(); ++row) {
      if (data_.column(v).is_missing(row)) continue;
      weight[cell(data_.column(v), row)] += data_.weight(row);
      all += data_.weight(row);
    }
    for (const auto& [value, w] : weight) {
      codes_[v].cells.push_back(value);
      codes_[v].shares.push_back(w / all);
    }
  }

  int score(Node v) {
    Code& code = codes_[v];
    double below = 0, mean = 0, square = 0;
    for (const double share : code.shares) {
      code.scores.push_back(normal_quantile(below + share / 2));
      below += share;
      mean += share * code.scores.back();
    }
    for (size_t k = 0; k < code.scores.size(); ++k) square += code.shares[k] * std::pow(code.scores[k] - mean, 2);
    for (double& z : code.scores) z = (z - mean) / std::sqrt(square);
    return 1;
  }

  const Dataset& data_;
  std::vector<Code> codes_;
  std::vector<int> start_;
};

// The model that EM fits. K is the inverse of the covariance with the floor.
struct Model {
  Vector mean;
  Matrix covariance, precision;
};

std::vector<Node> gaps_of(const Coding& coding, size_t row) {
  std::vector<Node> gaps;
  for (Node v = 0; v < coding.data().size(); ++v) {
    if (coding.width(v) > 0 && coding.data().column(v).is_missing(row)) gaps.push_back(v);
  }
  return gaps;
}

std::vector<int> columns_of(const Coding& coding, const std::vector<Node>& nodes, size_t first = 0) {
  std::vector<int> out;
  for (size_t k = first; k < nodes.size(); ++k) {
    for (int c = 0; c < coding.width(nodes[k]); ++c) out.push_back(coding.start(nodes[k]) + c);
  }
  return out;
}

// The seen cells of a row, and 0 in its gaps.
Vector seen_part(const Coding& coding, size_t row) {
  Vector x = Vector::Zero(coding.columns());
  for (Node v = 0; v < coding.data().size(); ++v) {
    const Column& column = coding.data().column(v);
    if (coding.width(v) > 0 && !column.is_missing(row)) coding.put(v, cell(column, row), x);
  }
  return x;
}

// Hidden columns given the others: mean - slopes (x - mean) over the others, covariance K_hh^-1.
struct Regression {
  Matrix covariance, slopes;
};

Regression regress(const Model& model, const std::vector<int>& hidden) {
  Regression out;
  out.covariance = inverse_symmetric(model.precision(hidden, hidden));
  out.slopes = product(out.covariance, Matrix(model.precision(hidden, Eigen::all)));
  for (const int c : hidden) out.slopes.col(c).setZero();
  return out;
}

Model fit(const Coding& coding, const CompletionSteps& options) {
  const Dataset& data = coding.data();
  const Index n = static_cast<Index>(data.rows());
  const Matrix own = coding.own_covariance();
  std::map<std::vector<Node>, std::vector<Index>> patterns;
  Matrix x(coding.columns(), n);
  Vector weight(n);
  for (Index row = 0; row < n; ++row) {
    patterns[gaps_of(coding, static_cast<size_t>(row))].push_back(row);
    x.col(row) = seen_part(coding, static_cast<size_t>(row));
    weight[row] = data.weight(static_cast<size_t>(row));
  }
  Model model{Vector::Zero(coding.columns()), own, {}};
  const auto settle = [&] { model.precision = invert(model.covariance + options.floor * own).inverse; };
  settle();
  for (int step = 0; step < options.steps; ++step) {
    Matrix spread = Matrix::Zero(x.rows(), x.rows());
    for (const auto& [gaps, rows] : patterns) {
      if (gaps.empty()) continue;
      const std::vector<int> hidden = columns_of(coding, gaps);
      const Regression regression = regress(model, hidden);
      double sum = 0;
      for (const Index row : rows) {
        x(hidden, row) = model.mean(hidden) - product(regression.slopes, Vector(x.col(row) - model.mean));
        sum += weight[row];
      }
      spread(hidden, hidden) += sum * (regression.covariance - options.floor * own(hidden, hidden));
    }
    model.mean = product(x, weight) / weight.sum();
    const Matrix centred = x.colwise() - model.mean;
    model.covariance = (product_with_transpose(centred * weight.asDiagonal(), centred) + spread) / weight.sum();
    settle();
  }
  return model;
}

// Draws of one level, compared with their probabilities.
struct Tally {
  double share = 0;  // among the seen cells
  double excess = 0, variance = 0;
  double slanted = 0, slanted_variance = 0;  // each draw weighted by its probability less the share

  void add(double probability, bool drawn) {
    const double difference = (drawn ? 1 : 0) - probability, slant = probability - share;
    excess += difference;
    variance += probability * (1 - probability);
    slanted += slant * difference;
    slanted_variance += slant * slant * probability * (1 - probability);
  }
  bool is_fair() const {
    const auto within = [](double distance, double v) {
      return distance * distance <= 25 * (v + std::abs(distance) / 3);
    };
    return within(excess, variance) && within(slanted, slanted_variance);
  }
};

// One gap of a row, given all that is known before it.
struct Gap {
  Node node = 0;
  Regression regression;  // of its columns, and of the gaps after it, on the others
};

class DrawCheck {
 public:
  DrawCheck(const Coding& coding, const Model& model, const Dataset& completed, double floor)
      : coding_(coding), model_(model), completed_(completed), floor_(floor), tallies_(coding.data().size()) {
    for (Node v = 0; v < coding.data().size(); ++v) {
      if (coding.width(v) == 0) continue;
      if (coding.data().column(v).kind == ColumnKind::kCategorical) {
        for (const double share : coding.shares(v)) tallies_[v].push_back({.share = share});
      } else {
        tallies_[v].push_back({.share = upper_share(v)});
      }
    }
  }

  // All copies of a row: begin .. end - 1 in the completed table.
  void add_row(size_t row, size_t begin, size_t end) {
    const std::vector<Node> nodes = gaps_of(coding_, row);
    std::vector<Gap> gaps;
    for (size_t k = 0; k < nodes.size(); ++k) {
      gaps.push_back({nodes[k], regress(model_, columns_of(coding_, nodes, k))});
    }
    const Vector seen = seen_part(coding_, row);
    for (size_t copy = begin; copy < end; ++copy) {
      Vector x = seen;
      for (const Gap& gap : gaps) {
        const Index start = coding_.start(gap.node), width = coding_.width(gap.node);
        const Vector mean =
            model_.mean.segment(start, width) - product(gap.regression.slopes.topRows(width), Vector(x - model_.mean));
        const double value = cell(completed_.column(gap.node), copy);
        add_draw(gap.node, mean, std::sqrt(std::max(0.0, gap.regression.covariance(0, 0) - floor_)), value);
        coding_.put(gap.node, value, x);
      }
    }
  }

  void complain(std::vector<std::string>& complaints) const {
    for (Node v = 0; v < coding_.data().size(); ++v) {
      const Column& column = coding_.data().column(v);
      for (size_t k = 0; k < tallies_[v].size(); ++k) {
        if (tallies_[v][k].is_fair()) continue;
        const bool categorical = column.kind == ColumnKind::kCategorical;
        complaints.push_back(fmt::format(
            "column {}: {} not drawn as often as its probabilities say", quoted(column.name),
            categorical ? "level " + quoted(column.levels[k]) + " was" : std::string("numbers above the median were")));
        break;
      }
    }
  }

 private:
  // The last cell that is not above the median, and the share of the cells above it. A number above it is drawn when
  // the normal draw is beyond the middle between its score and the next.
  size_t middle(Node v) const { return (coding_.cells(v).size() - 1) / 2; }
  double upper_share(Node v) const {
    double share = 0;
    for (size_t k = middle(v) + 1; k < coding_.shares(v).size(); ++k) share += coding_.shares(v)[k];
    return share;
  }

  void add_draw(Node v, const Vector& mean, double deviation, double value) {
    if (coding_.data().column(v).kind == ColumnKind::kContinuous) {
      const size_t at = middle(v);
      const double bound = (coding_.scores(v)[at] + coding_.scores(v)[at + 1]) / 2;
      const double p = deviation > 0 ? 0.5 * std::erfc((bound - mean[0]) / deviation / std::numbers::sqrt2)
                                     : (mean[0] > bound ? 1 : 0);
      tallies_[v][0].add(p, value > coding_.cells(v)[at]);
      return;
    }
    std::vector<double> p(tallies_[v].size());
    p[0] = coding_.shares(v)[0] - mean.sum();
    for (size_t k = 1; k < p.size(); ++k) p[k] = coding_.shares(v)[k] + mean[static_cast<Index>(k) - 1];
    double sum = 0;
    for (double& one : p) sum += one = std::max(0.0, one);
    for (size_t k = 0; k < p.size(); ++k) tallies_[v][k].add(p[k] / sum, value == static_cast<double>(k));
  }

  const Coding& coding_;
  const Model& model_;
  const Dataset& completed_;
  double floor_;
  std::vector<std::vector<Tally>> tallies_;  // by node: by level; continuous: one
};

}  // namespace

std::vector<std::string> check_completion(const Dataset& original, const Dataset& completed,
                                          const CompletionSteps& steps) {
  std::vector<std::string> complaints = check_columns(original, completed);
  if (!complaints.empty()) return complaints;
  const std::vector<size_t> copy_of = copied_rows(original, completed, complaints);
  if (!complaints.empty()) return complaints;
  for (Node v = 0; v < original.size(); ++v) {
    check_cells(original.column(v), completed.column(v), copy_of, complaints);
  }
  if (!complaints.empty() || steps.restricted) return complaints;
  const Coding coding(original);
  const Model model = fit(coding, steps);
  DrawCheck check(coding, model, completed, steps.floor);
  for (size_t begin = 0, end = 0; begin < copy_of.size(); begin = end) {
    while (end < copy_of.size() && copy_of[end] == copy_of[begin]) ++end;
    check.add_row(copy_of[begin], begin, end);
  }
  check.complain(complaints);
  return complaints;
}

}  // namespace agon::plain
