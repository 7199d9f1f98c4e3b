#include "agon/opponent/anm.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "agon/base/distributions.h"
#include "agon/base/linear_algebra.h"
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
  for (int k = 0; k < count; ++k) out.push_back(static_cast<int>(int64_t{k} * rows / count));
  return out;
}

// The terms of one column: orthogonal to each other and to the constant, with variance 1.
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

// Additive regressions of any variable on any others, computed from one matrix of products of all terms.
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
    add_gram(products_, terms_);
    products_ = mirrored(products_);
    with_target_ = transpose_product(terms_, target_);
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

  // p-values of the regressors, each by the F test that all its terms have coefficient 0.
  std::vector<double> significance(int target, const std::vector<int>& regressors) const {
    std::vector<double> out;
    const Fit fit = solve(target, regressors);
    const int m = static_cast<int>(fit.place.size());
    const double freedom = n_ - 1 - m;
    if (m == 0 || freedom < 1) return std::vector<double>(regressors.size(), 1.0);
    const MatrixXd inverse = inverse_symmetric(fit.products);
    double rest = target_.col(target).squaredNorm();
    for (int k = 0; k < m; ++k) rest -= fit.coefficient[k] * with_target_(fit.place[k], target);
    const double noise = std::max(rest / freedom, 1e-12);
    int at = 0;
    for (int v : regressors) {
      const int count = count_[v];
      const VectorXd part = fit.coefficient.segment(at, count);
      const double f = part.dot(solve_symmetric(inverse.block(at, at, count, count), part)) / (count * noise);
      out.push_back(count > 0 ? f_tail(f, count, freedom) : 1);
      at += count;
    }
    return out;
  }

 private:
  struct Fit {
    std::vector<int> place;  // of the terms
    VectorXd coefficient;
    MatrixXd products;  // of the terms, with the ridge
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
    if (m > 0) fit.coefficient = solve_symmetric(a, b);
    fit.products = std::move(a);
    return fit;
  }

  AnmOptions options_;
  int n_ = 0;
  std::vector<int> first_, count_;  // by variable: its first term and how many it has
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

// One run of RESIT (Peters et al. 2014). run() calls its steps from top to bottom.
class Resit {
 public:
  Resit(const Dataset& data, const LocalScore& score, const AnmOptions& options, const Watch& watch,
        const Knowledge& knowledge)
      : score_(score),
        options_(options),
        watch_(watch),
        knowledge_(knowledge),
        table_(standardise(data)),
        p_(table_.variables()),
        selected_(p_ > options.select_above),
        others_(p_),
        placed_(p_, false),
        parents_(p_) {
    if (table_.categorical > 0) {
      tell("{} categorical of {} columns are used as codes", table_.categorical, data.size());
    }
  }

  SearchResult run() {
    // 1. Which others each variable is regressed on as long as they are left.
    choose_regressors();
    // 2. The order, from the last variable to the first.
    order_variables();
    // 3. The parents that matter, among those before each variable.
    build_graph(significant_edges());
    return std::move(out_);
  }

 private:
  template <class... Args>
  void tell(fmt::format_string<Args...> text, Args&&... args) {
    out_.story.push_back(fmt::format(text, std::forward<Args>(args)...));
  }

  // All others; on wide tables only those that a quick selection finds. Required parents are always included.
  void choose_regressors() {
    if (selected_ && !watch_.stop_requested()) {
      others_ = select_neighbours(table_, options_.neighbours, nullptr, options_.threads);
      for (int v = 0; v < p_; ++v) {
        for (int u = 0; u < p_; ++u) {
          if (u != v && knowledge_.is_required({table_.node[u], table_.node[v]})) others_[v].push_back(u);
        }
        std::sort(others_[v].begin(), others_[v].end());
        others_[v].erase(std::unique(others_[v].begin(), others_[v].end()), others_[v].end());
      }
      return;
    }
    for (int v = 0; v < p_; ++v) {
      for (int u = 0; u < p_; ++u) {
        if (u != v) others_[v].push_back(u);
      }
    }
  }

  std::vector<int> regressors_of(int v) const {
    std::vector<int> list;
    for (int u : others_[v]) {
      if (!placed_[u]) list.push_back(u);
    }
    return list;
  }

  // Repeatedly places the variable whose residual depends least on those left: it comes last among them.
  void order_variables() {
    std::vector<int> rest(p_);
    for (int v = 0; v < p_; ++v) rest[v] = v;
    if (!watch_.stop_requested() && p_ > 1) fit_kernels();
    std::vector<char> stale(p_, true);  // dependence[v] must be recomputed; a byte each, as several threads write
    std::vector<double> dependence(p_, 0.0);
    while (rest.size() > 1 && !watch_.stop_requested()) {
      parallel_for(static_cast<int>(rest.size()), options_.threads, [&](int k) {
        const int v = rest[k];
        if (!stale[v] || watch_.stop_requested()) return;
        dependence[v] = dependence_of(v);
        stale[v] = false;
      });
      if (watch_.stop_requested()) break;
      const int sink = least_dependent(rest, dependence);
      parents_[sink] = regressors_of(sink);
      placed_[sink] = true;
      std::erase(rest, sink);
      last_.push_back(sink);
      // Only the variables that were regressed on it need a new regression.
      for (int v : rest) stale[v] = stale[v] || std::binary_search(others_[v].begin(), others_[v].end(), sink);
      watch_.tell({"finding the last variable", static_cast<long>(last_.size()), -1, 0, {}, p_, "variable"});
    }
    out_.steps = static_cast<long>(last_.size());
    out_.stopped_by = watch_.stop_requested() ? watch_.stop_reason() : "all ordered";
    tell("{} of {} variables ordered from the last on, by HSIC of residuals on {} rows{}",
         rest.size() > 1 ? last_.size() : static_cast<size_t>(p_), p_, model_ ? model_->tested_rows() : 0,
         selected_ ? fmt::format(", each regressed on at most {} others", options_.neighbours) : "");
  }

  void fit_kernels() {
    std::vector<std::vector<double>> columns(p_, std::vector<double>(table_.rows));
    for (int v = 0; v < p_; ++v) {
      for (int r = 0; r < table_.rows; ++r) columns[v][r] = table_.at(r, v);
    }
    model_.emplace(columns, options_);
    kernels_.resize(p_);
    parallel_for(p_, options_.threads, [&](int v) { kernels_[v] = gaussian_kernel(model_->values(v)); });
  }

  // How much the residual of v, after regression on those left, depends on them: the mean excess of HSIC.
  double dependence_of(int v) const {
    const std::vector<int> regressors = regressors_of(v);
    if (regressors.empty()) return 0;
    const Kernel kernel = gaussian_kernel(model_->residual(v, regressors));
    double sum = 0;
    for (int u : regressors) sum += hsic(kernel, kernels_[u]).excess() / static_cast<double>(regressors.size());
    return sum;
  }

  // Only variables that the knowledge lets come last are considered. If the tiers exclude all of them, only required
  // edges count.
  int least_dependent(const std::vector<int>& rest, const std::vector<double>& dependence) const {
    int sink = -1;
    for (const bool tiers : {true, false}) {
      for (int v : rest) {
        if (!may_come_last(v, rest, table_.node, knowledge_, tiers)) continue;
        if (sink < 0 || dependence[v] < dependence[sink]) sink = v;
      }
      if (sink >= 0) break;
    }
    return sink;
  }

  std::vector<WeightedEdge> significant_edges() const {
    std::vector<std::vector<WeightedEdge>> kept(last_.size());
    parallel_for(static_cast<int>(last_.size()), options_.threads, [&](int k) {
      const int v = last_[k];
      std::vector<int> allowed;
      for (int u : parents_[v]) {
        if (knowledge_.allows(Edge{table_.node[u], table_.node[v]})) allowed.push_back(u);
      }
      const std::vector<double> p_values = model_->significance(v, allowed);
      for (size_t i = 0; i < allowed.size(); ++i) {
        if (p_values[i] < options_.level) {
          kept[k].push_back({{table_.node[allowed[i]], table_.node[v]}, 1 - p_values[i]});
        }
      }
    });
    std::vector<WeightedEdge> edges;
    for (const auto& list : kept) edges.insert(edges.end(), list.begin(), list.end());
    return edges;
  }

  void build_graph(std::vector<WeightedEdge> edges) {
    const size_t count = edges.size();
    LeftOut left;
    out_.dag = dag_from_weights(std::move(edges), score_, knowledge_, &left);
    const auto without = left.cycle + left.over_cap + left.unscored;
    tell("{} edges are significant at {:g}{}", count, options_.level,
         without == 0 ? ""
                      : fmt::format(", of which {} contradict a required edge, exceed the most parents or determine a "
                                    "column",
                                    without));
    out_.score = total(score_, out_.dag);
  }

  const LocalScore& score_;
  const AnmOptions& options_;
  const Watch& watch_;
  const Knowledge& knowledge_;
  const StandardTable table_;
  const int p_;
  const bool selected_;  // too many columns to regress each on all others
  std::vector<std::vector<int>> others_;
  std::vector<bool> placed_;
  std::vector<int> last_;                  // those placed so far, the last of the order first
  std::vector<std::vector<int>> parents_;  // of those placed, before pruning
  std::optional<Additive> model_;
  std::vector<Kernel> kernels_;
  SearchResult out_;
};

}  // namespace

AnmPair anm_pair(const std::vector<double>& x, const std::vector<double>& y, const AnmOptions& options) {
  const Additive model({x, y}, options);
  const Hsic forward = hsic(gaussian_kernel(model.residual(1, {0})), gaussian_kernel(model.values(0)));
  const Hsic backward = hsic(gaussian_kernel(model.residual(0, {1})), gaussian_kernel(model.values(1)));
  return {forward.p_value(), backward.p_value(), forward.excess(), backward.excess()};
}

SearchResult resit(const Dataset& data, const LocalScore& score, const AnmOptions& options, const Watch& watch,
                   const Knowledge& knowledge) {
  return Resit(data, score, options, watch, knowledge).run();
}

}  // namespace agon
