#include "agon/opponent/linear_weights.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <limits>

#include "agon/base/linear_algebra.h"
#include "agon/graph/varsortability.h"

namespace agon {

using Eigen::MatrixXd;

Covariance covariance(const Dataset& data, bool standard) {
  const StandardTable table = standardise(data);
  Covariance out;
  out.node = table.node;
  out.categorical = table.categorical;
  const int p = table.variables(), n = table.rows;
  if (p == 0) return out;  // Eigen's products do not accept empty matrices
  MatrixXd sums = MatrixXd::Zero(p, p);
  for (int first = 0; first < n; first += 256) {
    const int count = std::min(256, n - first);
    const Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> rows(
        table.value.data() + static_cast<size_t>(first) * p, count, p);
    const MatrixXd block = rows.cast<double>();
    add_gram(sums, block);
  }
  out.value = mirrored(sums) / std::max(1, n);
  if (standard) return out;
  for (int v = 0; v < p; ++v) {  // back to the scale of the column
    const Column& column = data.column(out.node[v]);
    double mean = 0, square = 0;
    const auto cell = [&](int r) {
      return column.kind == ColumnKind::kCategorical ? static_cast<double>(column.codes[r]) : column.values[r];
    };
    for (int r = 0; r < n; ++r) mean += cell(r) / n;
    for (int r = 0; r < n; ++r) square += (cell(r) - mean) * (cell(r) - mean) / n;
    out.value.row(v) *= std::sqrt(square);
    out.value.col(v) *= std::sqrt(square);
  }
  return out;
}

std::vector<Edge> allowed_pairs(const std::vector<int>& node, const Knowledge& knowledge) {
  std::vector<Edge> out;
  for (int from = 0; from < static_cast<int>(node.size()); ++from) {
    for (int to = 0; to < static_cast<int>(node.size()); ++to) {
      if (from != to && knowledge.allows(Edge{node[from], node[to]})) out.push_back({from, to});
    }
  }
  return out;
}

LinearModel::LinearModel(MatrixXd covariance, std::vector<Edge> allowed)
    : c_(std::move(covariance)),
      pairs_(std::move(allowed)),
      parents_(c_.rows()),
      squares_(c_.rows()),
      places_(c_.rows()) {}

void LinearModel::load(const std::vector<double>& w) {
  residual_ = MatrixXd::Identity(size(), size());
  product_ = c_;
  for (size_t k = 0; k < w.size(); ++k) {
    if (w[k] == 0) continue;
    residual_(pairs_[k].from, pairs_[k].to) = -w[k];
    product_.col(pairs_[k].to) -= w[k] * c_.col(pairs_[k].from);
  }
}

double LinearModel::least_squares(const std::vector<double>& w, std::vector<double>& slope) {
  load(w);
  for (size_t k = 0; k < w.size(); ++k) slope[k] -= product_(pairs_[k].from, pairs_[k].to);
  return 0.5 * residual_.cwiseProduct(product_).sum();
}

// -ln |det(I - W)|; its gradient is (I - W)^-T.
double LinearModel::add_log_determinant(std::vector<double>& slope) const {
  const auto [inverse, log_determinant] = invert(residual_);
  if (!std::isfinite(log_determinant)) return std::numeric_limits<double>::infinity();
  for (size_t k = 0; k < slope.size(); ++k) slope[k] += inverse(pairs_[k].to, pairs_[k].from);
  return -log_determinant;
}

double LinearModel::likelihood_ev(const std::vector<double>& w, std::vector<double>& slope) {
  load(w);
  const double square = residual_.cwiseProduct(product_).sum();
  for (size_t k = 0; k < w.size(); ++k) slope[k] -= size() / square * product_(pairs_[k].from, pairs_[k].to);
  return 0.5 * size() * std::log(square) + add_log_determinant(slope);
}

double LinearModel::likelihood_nv(const std::vector<double>& w, std::vector<double>& slope) {
  load(w);
  const Eigen::VectorXd squares = residual_.cwiseProduct(product_).colwise().sum();
  for (size_t k = 0; k < w.size(); ++k) {
    slope[k] -= product_(pairs_[k].from, pairs_[k].to) / squares[pairs_[k].to];
  }
  return 0.5 * squares.array().log().sum() + add_log_determinant(slope);
}

double LinearModel::acyclicity(const std::vector<double>& w, const std::function<double(double h)>& factor,
                               std::vector<double>& slope, double tiny) {
  for (int v = 0; v < size(); ++v) {
    parents_[v].clear();
    squares_[v].clear();
    places_[v].clear();
  }
  for (size_t k = 0; k < w.size(); ++k) {
    if (!(std::abs(w[k]) > tiny)) continue;
    parents_[pairs_[k].to].push_back(pairs_[k].from);
    squares_[pairs_[k].to].push_back(w[k] * w[k]);
    places_[pairs_[k].to].push_back(static_cast<int>(k));
    if (w[k] * w[k] > 50) return std::numeric_limits<double>::infinity();  // far outside any range of interest
  }
  term_.set_edges(parents_);
  for (int b = 0; b < term_.blocks(); ++b) term_.compute(b, squares_);
  if (term_.blocks() == 0) return 0;
  const double h = term_.h(), by = factor(h);
  for (int to = 0; to < size(); ++to) {
    const std::vector<double>& gradient = term_.gradient(to);
    for (size_t k = 0; k < places_[to].size(); ++k) slope[places_[to][k]] += by * 2 * w[places_[to][k]] * gradient[k];
  }
  return h;
}

SearchResult linear_answer(const Dataset& data, const LocalScore& score, const LinearAnswerOptions& options,
                           const Knowledge& knowledge, const std::function<LearnedWeights(LinearModel&)>& learn) {
  const Covariance c = covariance(data, options.standardise);
  LinearModel model(c.value, allowed_pairs(c.node, knowledge));
  const LearnedWeights weights = learn(model);
  LearnedEdges learned{.h = weights.h, .steps = weights.steps, .stopped_by = weights.stopped_by};
  for (size_t k = 0; k < weights.weights.size(); ++k) {
    const double weight = std::abs(weights.weights[k]);
    if (weight >= options.threshold)
      learned.edges.push_back({{c.node[model.pairs()[k].from], c.node[model.pairs()[k].to]}, weight});
  }
  return answer_of_weights(data, score, knowledge, std::move(learned), c.categorical, options);
}

SearchResult answer_of_weights(const Dataset& data, const LocalScore& score, const Knowledge& knowledge,
                               LearnedEdges learned, int categorical, const LinearAnswerOptions& options) {
  SearchResult out;
  if (categorical > 0) {
    out.story.push_back(fmt::format("{} categorical of {} columns are used as {}codes", categorical, data.size(),
                                    options.standardise ? "standardised " : ""));
  }
  out.story.push_back(fmt::format("{} steps, h {:.2g}, {} edges weigh at least {:g}, stopped by: {}", learned.steps,
                                  learned.h, learned.edges.size(), options.threshold, learned.stopped_by));
  LeftOut left;
  out.dag = dag_from_weights(std::move(learned.edges), score, knowledge, &left);
  if (left.cycle + left.over_cap + left.unscored > 0) {
    out.story.push_back(
        fmt::format("{} edges left out that would close a cycle, {} beyond the most parents, {} whose "
                    "parents would determine the child",
                    left.cycle, left.over_cap, left.unscored));
  }
  if (data.all_of(ColumnKind::kContinuous)) {
    out.varsortability = varsortability(data.size(), out.dag.edges(), column_variances(data));
  }
  if (out.varsortability) {
    out.story.push_back(
        fmt::format("varsortability of the answer {:.2f}: {}", *out.varsortability,
                    options.standardise
                        ? "of the values as they are, which the search did not see; its columns were standardised"
                        : "the search saw the values as they are, so that their scales may have decided directions"));
  }
  out.steps = learned.steps;
  out.stopped_by = learned.stopped_by;
  out.score = total(score, out.dag);
  return out;
}

}  // namespace agon
