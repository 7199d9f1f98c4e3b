#include "agon/opponent/anm.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <set>

#include "agon/base/distributions.h"
#include "agon/base/parallel.h"
#include "agon/opponent/hsic.h"
#include "agon/opponent/neighbour_selection.h"
#include "agon/opponent/order_regression.h"
#include "agon/opponent/standard_table.h"
#include "agon/opponent/weighted_graph.h"
#include "agon/score/gaussian_score.h"

namespace agon {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr size_t kFewValues = 6;  // with fewer distinct values, every value gets a term of its own

std::vector<int> spread_rows(int rows, int most) {
  std::vector<int> out;
  const int count = std::min(rows, most);
  for (int k = 0; k < count; ++k) out.push_back(static_cast<int>(static_cast<long>(k) * rows / count));
  return out;
}

// The terms of one column, orthogonal to each other and to the constant, of variance 1.
MatrixXd terms_of(const std::vector<double>& x) {
  const int n = static_cast<int>(x.size());
  std::vector<VectorXd> raw;
  const std::set<double> values(x.begin(), x.end());
  if (values.size() <= kFewValues) {
    for (double value : values) {
      VectorXd term(n);
      for (int r = 0; r < n; ++r) term[r] = x[r] == value;
      raw.push_back(term);
    }
  } else {
    const std::vector<double> z = normal_scores(x);
    raw.push_back(Eigen::Map<const VectorXd>(x.data(), n));
    const Eigen::Map<const VectorXd> score(z.data(), n);
    raw.push_back(score);
    raw.push_back(score.cwiseProduct(score));
    raw.push_back(score.array().cube().matrix());
    for (double share : {0.2, 0.4, 0.6, 0.8}) {
      raw.push_back((score.array() - normal_quantile(share)).cwiseMax(0.0).cube().matrix());
    }
  }
  MatrixXd out(n, raw.size());
  int kept = 0;
  for (VectorXd& term : raw) {
    term.array() -= term.mean();
    const double before = term.norm();
    for (int pass = 0; pass < 2; ++pass) {
      for (int k = 0; k < kept; ++k) term -= out.col(k).dot(term) / n * out.col(k);
    }
    if (!(term.norm() > 1e-6 * before) || !(before > 0)) continue;
    out.col(kept++) = term * (std::sqrt(static_cast<double>(n)) / term.norm());
  }
  return out.leftCols(kept);
}

// Additive regressions of any variable on any others, from one matrix of products of all terms.
class Additive {
 public:
  Additive(const std::vector<std::vector<double>>& columns, const AnmOptions& options) : options_(options) {
    const int p = static_cast<int>(columns.size()), n = p > 0 ? static_cast<int>(columns[0].size()) : 0;
    const std::vector<int> rows = spread_rows(n, options.regression_rows);
    n_ = static_cast<int>(rows.size());
    std::vector<MatrixXd> blocks;
    target_.resize(n_, p);
    for (int v = 0; v < p; ++v) {
      std::vector<double> x;
      for (int r : rows) x.push_back(columns[v][r]);
      target_.col(v) = Eigen::Map<const VectorXd>(x.data(), n_);
      target_.col(v).array() -= target_.col(v).mean();
      blocks.push_back(terms_of(x));
      first_.push_back(v == 0 ? 0 : first_.back() + static_cast<int>(blocks[v - 1].cols()));
      count_.push_back(static_cast<int>(blocks[v].cols()));
    }
    const int all = p > 0 ? first_.back() + count_.back() : 0;
    terms_.resize(n_, all);
    for (int v = 0; v < p; ++v) terms_.middleCols(first_[v], count_[v]) = blocks[v];
    products_ = MatrixXd::Zero(all, all);
    products_.selfadjointView<Eigen::Lower>().rankUpdate(terms_.transpose());
    products_ = MatrixXd(products_.selfadjointView<Eigen::Lower>());
    with_target_ = terms_.transpose() * target_;
    const int affordable = static_cast<int>(std::sqrt(2.5e7 / std::max(1, p)));
    tested_ = spread_rows(n_, std::min(options.hsic_rows, affordable));
  }

  // The residual on the rows for HSIC.
  std::vector<double> residual(int target, const std::vector<int>& regressors) const {
    const Fit fit = solve(target, regressors);
    std::vector<double> out;
    for (int r : tested_) {
      double value = target_(r, target);
      for (size_t k = 0; k < fit.place.size(); ++k)
        value -= fit.coefficient[static_cast<long>(k)] * terms_(r, fit.place[k]);
      out.push_back(value);
    }
    return out;
  }
  int tested_rows() const { return static_cast<int>(tested_.size()); }
  std::vector<double> values(int v) const {
    std::vector<double> out;
    for (int r : tested_) out.push_back(target_(r, v));
    return out;
  }

  // p-values of the regressors: the F test that all terms of one have coefficient 0.
  std::vector<double> significance(int target, const std::vector<int>& regressors) const {
    std::vector<double> out;
    const Fit fit = solve(target, regressors);
    const int m = static_cast<int>(fit.place.size());
    const double freedom = n_ - 1 - m;
    if (m == 0 || freedom < 1) return std::vector<double>(regressors.size(), 1.0);
    const MatrixXd inverse = fit.factor.solve(MatrixXd::Identity(m, m));
    double rest = target_.col(target).squaredNorm();
    for (int k = 0; k < m; ++k) rest -= fit.coefficient[k] * with_target_(fit.place[k], target);
    const double noise = std::max(rest / freedom, 1e-12);
    int at = 0;
    for (int v : regressors) {
      const int count = count_[v];
      const VectorXd part = fit.coefficient.segment(at, count);
      const double f = part.dot(inverse.block(at, at, count, count).ldlt().solve(part)) / (count * noise);
      out.push_back(count > 0 ? f_tail(f, count, freedom) : 1);
      at += count;
    }
    return out;
  }

 private:
  struct Fit {
    std::vector<int> place;  // terms
    VectorXd coefficient;
    Eigen::LDLT<MatrixXd> factor;
  };
  Fit solve(int target, const std::vector<int>& regressors) const {
    Fit fit;
    for (int v : regressors) {
      for (int k = 0; k < count_[v]; ++k) fit.place.push_back(first_[v] + k);
    }
    const int m = static_cast<int>(fit.place.size());
    MatrixXd a(m, m);
    VectorXd b(m);
    for (int i = 0; i < m; ++i) {
      b[i] = with_target_(fit.place[i], target);
      for (int j = 0; j < m; ++j) a(i, j) = products_(fit.place[i], fit.place[j]);
      a(i, i) *= 1 + options_.ridge;
    }
    fit.factor.compute(a);
    fit.coefficient = m > 0 ? VectorXd(fit.factor.solve(b)) : VectorXd(0);
    return fit;
  }

  AnmOptions options_;
  int n_ = 0;
  std::vector<int> first_, count_;  // by variable: its terms
  MatrixXd terms_, target_, products_, with_target_;
  std::vector<int> tested_;
};

bool may_come_last(int v, const std::vector<int>& rest, const std::vector<int>& node, const Knowledge& knowledge,
                   bool tiers) {
  return std::all_of(rest.begin(), rest.end(), [&](int u) {
    if (u == v) return true;
    const Edge out{node[v], node[u]}, in{node[u], node[v]};
    return !knowledge.is_required(out) && !(tiers && knowledge.is_forbidden(in) && knowledge.allows(out));
  });
}

}  // namespace

AnmPair anm_pair(const std::vector<double>& x, const std::vector<double>& y, const AnmOptions& options) {
  const Additive model({x, y}, options);
  const Hsic forward = hsic(gaussian_kernel(model.residual(1, {0})), gaussian_kernel(model.values(0)));
  const Hsic backward = hsic(gaussian_kernel(model.residual(0, {1})), gaussian_kernel(model.values(1)));
  return {forward.p_value(), backward.p_value(), forward.excess(), backward.excess()};
}

SearchResult resit(const Dataset& data, const LocalScore& score, const AnmOptions& options, const Watch& watch,
                   const Knowledge& knowledge) {
  const StandardTable table = standardise(data);
  const int p = table.variables();
  SearchResult out;
  if (table.categorical > 0) {
    out.story.push_back(fmt::format("{} categorical of {} columns are used as codes", table.categorical, data.size()));
  }
  std::vector<std::vector<double>> columns(p, std::vector<double>(table.rows));
  for (int v = 0; v < p; ++v) {
    for (int r = 0; r < table.rows; ++r) columns[v][r] = table.at(r, v);
  }
  // Whom a variable is regressed on while they are left.
  std::vector<std::vector<int>> others(p);
  const bool selected = p > options.select_above;
  if (selected && !watch.stop_requested()) {
    others = select_neighbours(table, options.neighbours, nullptr, options.threads);
    for (int v = 0; v < p; ++v) {
      for (int u = 0; u < p; ++u) {
        if (u != v && knowledge.is_required({table.node[u], table.node[v]})) others[v].push_back(u);
      }
      std::sort(others[v].begin(), others[v].end());
      others[v].erase(std::unique(others[v].begin(), others[v].end()), others[v].end());
    }
  } else {
    for (int v = 0; v < p; ++v) {
      for (int u = 0; u < p; ++u) {
        if (u != v) others[v].push_back(u);
      }
    }
  }

  std::vector<int> rest(p), last;  // last: from the last on
  for (int v = 0; v < p; ++v) rest[v] = v;
  std::vector<bool> placed(p, false);
  std::vector<char> stale(p, true);  // a byte each: several threads write
  std::vector<double> dependence(p, 0.0);
  std::optional<Additive> model;
  std::vector<Kernel> kernels(p);
  if (!watch.stop_requested() && p > 1) {
    model.emplace(columns, options);
    parallel_for(p, options.threads, [&](int v) { kernels[v] = gaussian_kernel(model->values(v)); });
  }
  const auto regressors_of = [&](int v) {
    std::vector<int> list;
    for (int u : others[v]) {
      if (!placed[u]) list.push_back(u);
    }
    return list;
  };
  std::vector<std::vector<int>> parents(p);  // before pruning, of those placed
  while (rest.size() > 1 && !watch.stop_requested()) {
    parallel_for(static_cast<int>(rest.size()), options.threads, [&](int k) {
      const int v = rest[k];
      if (!stale[v] || watch.stop_requested()) return;
      const std::vector<int> regressors = regressors_of(v);
      dependence[v] = 0;
      if (!regressors.empty()) {
        const Kernel kernel = gaussian_kernel(model->residual(v, regressors));
        for (int u : regressors)
          dependence[v] += hsic(kernel, kernels[u]).excess() / static_cast<double>(regressors.size());
      }
      stale[v] = false;
    });
    if (watch.stop_requested()) break;
    int sink = -1;
    for (const bool tiers : {true, false}) {
      for (int v : rest) {
        if (!may_come_last(v, rest, table.node, knowledge, tiers)) continue;
        if (sink < 0 || dependence[v] < dependence[sink]) sink = v;
      }
      if (sink >= 0) break;
    }
    parents[sink] = regressors_of(sink);
    placed[sink] = true;
    std::erase(rest, sink);
    last.push_back(sink);
    for (int v : rest) stale[v] = stale[v] || std::binary_search(others[v].begin(), others[v].end(), sink);
    watch.tell({"finding the last variable", static_cast<long>(last.size()), -1, 0, {}, p, "variable"});
  }
  out.steps = static_cast<long>(last.size());
  out.stopped_by = watch.stop_requested() ? watch.stop_reason() : "all ordered";
  out.story.push_back(
      fmt::format("{} of {} variables ordered from the last on, by HSIC of residuals on {} rows{}",
                  rest.size() > 1 ? last.size() : static_cast<size_t>(p), p, model ? model->tested_rows() : 0,
                  selected ? fmt::format(", each regressed on at most {} others", options.neighbours) : ""));

  // Parents that matter.
  std::vector<std::vector<WeightedEdge>> kept(last.size());
  parallel_for(static_cast<int>(last.size()), options.threads, [&](int k) {
    const int v = last[k];
    std::vector<int> allowed;
    for (int u : parents[v]) {
      if (knowledge.allows(Edge{table.node[u], table.node[v]})) allowed.push_back(u);
    }
    const std::vector<double> p_values = model->significance(v, allowed);
    for (size_t i = 0; i < allowed.size(); ++i) {
      if (p_values[i] < options.level) {
        kept[k].push_back({{table.node[allowed[i]], table.node[v]}, 1 - p_values[i]});
      }
    }
  });
  std::vector<WeightedEdge> edges;
  for (const auto& list : kept) edges.insert(edges.end(), list.begin(), list.end());
  const size_t count = edges.size();
  LeftOut left;
  out.dag = dag_from_weights(std::move(edges), score, knowledge, &left);
  out.story.push_back(fmt::format("{} edges are significant at {:g}{}", count, options.level,
                                  left.cycle + left.over_cap + left.unscored == 0
                                      ? ""
                                      : fmt::format(", of which {} contradict a required edge, exceed the most parents "
                                                    "or determine a column",
                                                    left.cycle + left.over_cap + left.unscored)));
  out.score = total(score, out.dag);
  return out;
}

}  // namespace agon
