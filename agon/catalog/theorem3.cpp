#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <set>

#include "agon/base/parallel.h"
#include "agon/catalog/opponents.h"
#include "agon/catalog/theorems.h"
#include "agon/certificate/plain_score.h"
#include "agon/certificate/selection.h"
#include "agon/data/simulate.h"
#include "agon/graph/equivalence.h"
#include "agon/match/cam_pruning.h"
#include "agon/match/match.h"
#include "agon/score/scores.h"

namespace agon {
namespace {

constexpr int kNodes = 30;
constexpr double kInDegree = 3;
constexpr size_t kTrainingRows = 1000;
constexpr int kSizes[] = {400, 600, 800, 1000};

struct Model {
  std::vector<Node> order;  // parents first
  std::vector<std::vector<int>> parents;
  std::vector<std::vector<double>> weights;
  Eigen::MatrixXd covariance;  // of the population
};

Model model_of(const Simulated& simulated) {
  Model model{topological_order(dag_from_parents(simulated.parents)), simulated.parents, simulated.weights, {}};
  Eigen::MatrixXd weights = Eigen::MatrixXd::Zero(kNodes, kNodes);  // [child][parent]
  for (Node v = 0; v < kNodes; ++v) {
    for (size_t k = 0; k < model.parents[v].size(); ++k) weights(v, model.parents[v][k]) = model.weights[v][k];
  }
  const Eigen::MatrixXd mixing = (Eigen::MatrixXd::Identity(kNodes, kNodes) - weights).inverse();
  model.covariance = mixing * mixing.transpose();
  return model;
}

// The covariance (maximum likelihood) of n fresh rows.
Eigen::MatrixXd drawn_covariance(const Model& model, int n, Rng rng) {
  Eigen::MatrixXd x(kNodes, n);
  for (int row = 0; row < n; ++row) {
    for (const Node v : model.order) {
      double value = rng.normal();
      for (size_t k = 0; k < model.parents[v].size(); ++k) value += model.weights[v][k] * x(model.parents[v][k], row);
      x(v, row) = value;
    }
  }
  x.colwise() -= x.rowwise().mean().eval();
  return (x * x.transpose()) / n;
}

// ln of the variance of child that its parents leave.
double log_residual(const Eigen::MatrixXd& covariance, const plain::Family& family) {
  const int k = static_cast<int>(family.parents.size());
  Eigen::MatrixXd among(k, k);
  Eigen::VectorXd with(k);
  for (int a = 0; a < k; ++a) {
    with(a) = covariance(family.parents[a], family.child);
    for (int b = 0; b < k; ++b) among(a, b) = covariance(family.parents[a], family.parents[b]);
  }
  const double explained = k == 0 ? 0 : with.dot(among.llt().solve(with));
  return std::log(covariance(family.child, family.child) - explained);
}

class Candidates {
 public:
  void add(const Dag& dag) {
    for (const Dag& other : dags_) {
      if (same_class(dag, other)) return;
    }
    dags_.push_back(dag);
  }
  // Families once each: candidates share most of them.
  void settle() {
    std::set<plain::Family> all;
    for (const Dag& dag : dags_) {
      for (Node v = 0; v < kNodes; ++v) all.insert(plain::family_of(dag, v));
    }
    families_.assign(all.begin(), all.end());
    for (const Dag& dag : dags_) {
      parts_.emplace_back();
      for (Node v = 0; v < kNodes; ++v) {
        const auto at = std::lower_bound(families_.begin(), families_.end(), plain::family_of(dag, v));
        parts_.back().push_back(static_cast<size_t>(at - families_.begin()));
      }
    }
  }
  const std::vector<Dag>& dags() const { return dags_; }
  // BIC per row of every candidate, under this covariance of n rows.
  std::vector<double> scores(const Eigen::MatrixXd& covariance, int n) const {
    std::vector<double> local;
    for (const plain::Family& family : families_) {
      const double parameters = static_cast<double>(family.parents.size()) + 2;
      local.push_back(-0.5 * (std::log(2 * M_PI) + log_residual(covariance, family) + 1) -
                      parameters * std::log(n) / (2.0 * n));
    }
    std::vector<double> out;
    for (const auto& parts : parts_) {
      double sum = 0;
      for (const size_t k : parts) sum += local[k];
      out.push_back(sum);
    }
    return out;
  }

 private:
  std::vector<Dag> dags_;
  std::vector<plain::Family> families_;
  std::vector<std::vector<size_t>> parts_;
};

// The opponent's graph, the challenger's champions, and what pruning makes of both.
Candidates make_candidates(const Dataset& data, const Rng& rng, int threads, const Watch& watch) {
  const auto score = make_score("gaussian-bic", data, {});
  const Dag empty(kNodes);
  const Knowledge nothing(kNodes);
  const Entrant ges{"ges", [&](const Watch& inner) {
                      return opponent_entry("ges").propose({.data = data,
                                                            .score = *score,
                                                            .start = empty,
                                                            .knowledge = nothing,
                                                            .rng = rng.split("ges"),
                                                            .watch = inner});
                    }};
  MatchOptions options;
  options.moves = 20000;
  options.threads = threads;
  options.prune = [&](const Dag& dag) { return pruned_candidates(data, dag, {.threads = threads}, nothing); };
  const MatchResult match = play_match(*score, {ges}, options, nothing, rng.split("match"), watch);
  Candidates out;
  for (const Dag& dag : match.candidates) out.add(dag);
  out.settle();
  return out;
}

// Wilson 1927: a 95 % interval of a share.
std::pair<double, double> wilson(int hits, int trials) {
  const double z = 1.959963984540054, n = trials, share = hits / n;
  const double centre = (share + z * z / (2 * n)) / (1 + z * z / n);
  const double half = z / (1 + z * z / n) * std::sqrt(share * (1 - share) / n + z * z / (4 * n * n));
  return {std::max(0.0, centre - half), std::min(1.0, centre + half)};
}

}  // namespace

Study study_theorem3(const StudyOptions& options, const Watch& watch) {
  const int trials = options.trials > 0 ? options.trials : 1000;
  const Rng root = Rng(options.seed).split("theorem3");
  const auto parents = random_graph({.nodes = kNodes, .average_degree = 2 * kInDegree}, root.split("graph"));
  const Simulated training = simulate_sem(parents, kTrainingRows, {}, root.split("training"));
  const Model model = model_of(training);
  const Candidates candidates = make_candidates(training.data, root, options.threads, watch);
  const int count = static_cast<int>(candidates.dags().size());
  const auto scorer = plain::make_scorer(training.data, {.name = "gaussian-bic"});
  const double lipschitz = scorer->row_constant(candidates.dags(), options.threads);

  Study study;
  study.headings = {"n",    "trials", "candidates",     "errors",          "error_rate", "low",
                    "high", "gap",    "drawn_gap_mean", "drawn_gap_error", "bound"};
  study.table_headings = {">rows",          ">trials", ">wrong",     ">error rate",
                          ">95 % interval", ">gap",    ">drawn gap", ">bound"};
  FigureSeries rate{.name = "error rate"}, bound{.name = "bound", .colour = "#a33"},
      gap{.name = "gap, per row", .colour = "#2a7d3f"};
  bound.dashed = true;
  gap.on_right = true;
  std::vector<std::pair<double, double>> intervals;
  std::vector<double> rates, gaps;
  bool within_bound = true;
  for (const int n : kSizes) {
    std::vector<double> truth = candidates.scores(model.covariance, n);
    const size_t best = static_cast<size_t>(std::max_element(truth.begin(), truth.end()) - truth.begin());
    const double top = truth[best];
    truth[best] = plain::kUndefined;
    const double ahead = top - *std::max_element(truth.begin(), truth.end());
    std::vector<double> drawn(static_cast<size_t>(trials));  // lead of the best over the others
    parallel_for(trials, options.threads, [&](int t) {
      if (watch.was_interrupted()) return;
      const Rng rng = root.split(fmt::format("trial {}", n), static_cast<uint64_t>(t));
      std::vector<double> scores = candidates.scores(drawn_covariance(model, n, rng), n);
      const double lead = scores[best];
      scores[best] = plain::kUndefined;
      drawn[static_cast<size_t>(t)] = lead - *std::max_element(scores.begin(), scores.end());
    });
    if (watch.was_interrupted()) throw std::runtime_error("interrupted");
    int wrong = 0;
    double mean = 0, squares = 0;
    for (const double lead : drawn) {
      wrong += !(lead > 0);
      mean += lead / trials;
      squares += lead * lead / trials;
    }
    const double error = std::sqrt(std::max(0.0, squares - mean * mean) / trials);
    const double share = static_cast<double>(wrong) / trials;
    const auto [low, high] = wilson(wrong, trials);
    const double delta = count > 1 ? lipschitz_delta(lipschitz, ahead, count, n) : 0;
    within_bound = within_bound && low <= delta;
    intervals.push_back({low, high});
    rates.push_back(share);
    gaps.push_back(ahead);
    study.rows.push_back({std::to_string(n), std::to_string(trials), std::to_string(count), std::to_string(wrong),
                          fmt::format("{}", share), fmt::format("{}", low), fmt::format("{}", high),
                          fmt::format("{}", ahead), fmt::format("{}", mean), fmt::format("{}", error),
                          fmt::format("{}", delta)});
    study.table.push_back({std::to_string(n), std::to_string(trials), std::to_string(wrong),
                           fmt::format("{:.4f}", share), fmt::format("{:.4f} .. {:.4f}", low, high),
                           fmt::format("{:.5f}", ahead), fmt::format("{:.5f} +- {:.5f}", mean, error),
                           fmt::format("{:.3g}", delta)});
    rate.points.push_back({static_cast<double>(n), share, low, high});
    bound.points.push_back({static_cast<double>(n), delta});
    gap.points.push_back({static_cast<double>(n), ahead});
  }
  // Falls: never above the one before by more than chance (the intervals part), and lower at the end than at the start.
  bool falls = rates.back() <= rates.front();
  for (size_t k = 1; k < rates.size(); ++k) falls = falls && intervals[k].first <= intervals[k - 1].second;
  const bool grows = std::is_sorted(gaps.begin(), gaps.end());
  study.holds = falls && grows && within_bound && count > 1;
  study.verdict = fmt::format(
      "Theorem 3, as the study states it, {}: the error rate {} ({:.4f} at {} rows, {:.4f} at {}); the gap {}; {}.",
      study.holds ? "holds" : "FAILS", falls ? "does not rise beyond chance" : "does NOT fall", rates.front(),
      kSizes[0], rates.back(), kSizes[3], grows ? "grows" : "does NOT grow",
      within_bound ? "no rate is above the bound" : "a rate is ABOVE the bound");
  study.notes = {
      fmt::format("{} candidates from GES, the challenger and pruning, on {} rows. The bound takes L = {:.3g}, the "
                  "largest gradient over those rows; a bound of 1 says nothing.",
                  count, kTrainingRows, lipschitz),
      "Where the runner-up is the best graph with k edges more, the gap is their penalty, k ln n / 2n, which shrinks; "
      "it grows where the runner-up lacks an edge."};
  study.figure = {.title = "Selecting the best candidate", .x = "rows", .left = "error rate", .right = "gap per row"};
  study.figure.series = {rate, gap, bound};
  return study;
}

}  // namespace agon
