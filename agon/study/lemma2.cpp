#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "agon/base/linear_algebra.h"
#include "agon/base/parallel.h"
#include "agon/data/simulate.h"
#include "agon/graph/dag.h"
#include "agon/study/theorems.h"

// Lemma 2 of the paper: for Z ~ N(0, I) and scores s_G, s_H per row that are Lipschitz with L_G and L_H, the centred
// difference Y = s_G(Z) - s_H(Z) - E is sub-Gaussian with variance proxy (L_G + L_H)^2, that is
//   ln E exp(t Y) <= t^2 (L_G + L_H)^2 / 2   for every t.
//
// The score per row of a linear Gaussian model is quadratic in the row. With x = C z, where C C' is the covariance,
//   s_G(z) = const - z' Q_G z / 2,   Q_G = C' (sum over nodes j of v_j v_j' / sigma_j^2) C,   v_j = e_j - coefficients.
// A quadratic has no Lipschitz constant, so the premise fails, and so does the conclusion: for t of one sign,
// E exp(t Y) = det(I + t (Q_G - Q_H))^(-1/2) is infinite beyond |t| = 1 / max |eigenvalue of Q_G - Q_H|. On rows of
// length at most R the premise holds with L_G = R |Q_G|, since the projection onto a ball is 1-Lipschitz. The study
// checks the lemma there, and says where it ends without the ball.
namespace agon {
namespace {

constexpr int kLemmaNodes = 6;
constexpr size_t kFittedRows = 2000;
constexpr int kDraws = 20000;
constexpr double kSteps[] = {-4, -2, -1, -0.5, -0.25, 0.25, 0.5, 1, 2, 4};  // t, in units of 1 / (L_G + L_H)

Eigen::MatrixXd covariance_of(const Dataset& data) {
  const int p = data.size(), n = static_cast<int>(data.rows());
  Eigen::MatrixXd x(p, n);
  for (int v = 0; v < p; ++v) {
    for (int r = 0; r < n; ++r) x(v, r) = data.column(v).values[static_cast<size_t>(r)];
  }
  x.colwise() -= x.rowwise().mean().eval();
  return product_with_transpose(x, x) / n;
}

// Q of a graph whose coefficients and variances are fitted to the covariance.
Eigen::MatrixXd quadratic_form(const Dag& dag, const Eigen::MatrixXd& covariance, const Eigen::MatrixXd& mixing) {
  const int p = dag.size();
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(p, p);
  for (Node child = 0; child < p; ++child) {
    std::vector<Node> parents;
    for (Node v = 0; v < p; ++v) {
      if (dag.has_edge(v, child)) parents.push_back(v);
    }
    const int k = static_cast<int>(parents.size());
    Eigen::MatrixXd among(k, k), with(k, 1);
    for (int a = 0; a < k; ++a) {
      with(a, 0) = covariance(parents[a], child);
      for (int b = 0; b < k; ++b) among(a, b) = covariance(parents[a], parents[b]);
    }
    Eigen::MatrixXd direction = Eigen::MatrixXd::Zero(p, 1);
    direction(child, 0) = 1;
    double variance = covariance(child, child);
    if (k > 0) {
      const Eigen::MatrixXd weights = Cholesky(among).solve(with);
      for (int a = 0; a < k; ++a) {
        direction(parents[a], 0) = -weights(a, 0);
        variance -= weights(a, 0) * with(a, 0);
      }
    }
    sum += product_with_transpose(direction, direction) / variance;
  }
  return product(transpose_product(mixing, sum), mixing);
}

double largest_eigenvalue(const Eigen::MatrixXd& matrix) {
  const Eigen::VectorXd values = symmetric_eigen(matrix).values;
  return std::max(std::abs(values(0)), std::abs(values(values.size() - 1)));
}

struct Pair {
  double radius = 0, lipschitz = 0;  // R, L_G + L_H
  double deviation = 0;              // of Y, on the ball
  double worst = 0;                  // largest ln E exp(tY) / bound over the t tried; at most 1 if the lemma holds
  double ends_at = 0;                // |t| beyond which E exp(tY) is infinite without the ball, for one sign of t
};

// Two graphs on one table: the true one, and the true one with an edge more or less.
Pair measure_pair(const Rng& rng) {
  Rng draw = rng.split("draws");
  const auto parents = random_graph({.nodes = kLemmaNodes, .average_degree = 3}, rng.split("graph"));
  const Simulated made = simulate_sem(parents, kFittedRows, {}, rng.split("rows"));
  const Dag truth = dag_from_parents(made.parents);
  Dag other = truth;
  const std::vector<Edge> edges = truth.edges();
  if (edges.empty()) {
    other.add_edge(0, 1);
  } else {
    const Edge edge = edges[static_cast<size_t>(draw.below(static_cast<int>(edges.size())))];
    other.remove_edge(edge.from, edge.to);
  }
  const Eigen::MatrixXd covariance = covariance_of(made.data);
  const Eigen::MatrixXd mixing = Cholesky(covariance).factor().triangularView<Eigen::Lower>();
  const Eigen::MatrixXd g = quadratic_form(truth, covariance, mixing), h = quadratic_form(other, covariance, mixing);
  const Eigen::MatrixXd difference = g - h;

  Pair out;
  out.radius = std::sqrt(kLemmaNodes) + 1;
  out.lipschitz = out.radius * (largest_eigenvalue(g) + largest_eigenvalue(h));
  out.ends_at = 1 / largest_eigenvalue(difference);
  std::vector<double> y;
  double mean = 0;
  for (int k = 0; k < kDraws; ++k) {
    Eigen::VectorXd z(kLemmaNodes);
    for (int v = 0; v < kLemmaNodes; ++v) z(v) = draw.normal();
    z *= std::min(1.0, out.radius / z.norm());
    y.push_back(-0.5 * z.dot(product(difference, z)));
    mean += y.back() / kDraws;
  }
  for (double& value : y) {
    value -= mean;
    out.deviation += value * value / kDraws;
  }
  out.deviation = std::sqrt(out.deviation);
  for (const double step : kSteps) {
    double moment = 0;
    for (const double value : y) moment += std::exp(step * value / out.lipschitz) / kDraws;
    out.worst = std::max(out.worst, std::log(moment) / (step * step / 2));
  }
  return out;
}

}  // namespace

Study study_lemma2(const StudyOptions& options, const Watch& watch) {
  const int pairs = options.trials > 0 ? options.trials : kLemma2Pairs;
  const Rng root = Rng(options.seed).split("lemma2");
  std::vector<Pair> measured(static_cast<size_t>(pairs));
  parallel_for(pairs, options.threads, [&](int i) {
    if (watch.was_interrupted()) return;
    measured[static_cast<size_t>(i)] = measure_pair(root.split("pair", static_cast<uint64_t>(i)));
  });
  if (watch.was_interrupted()) throw std::runtime_error("interrupted");

  Study study;
  study.headings = {"pair", "radius", "lipschitz", "deviation", "worst_share_of_bound", "moment_infinite_beyond",
                    "holds"};
  int broken = 0;
  FigureSeries points{.name = "a pair of graphs", .line = false};
  std::vector<double> worst, share, ends;
  for (size_t i = 0; i < measured.size(); ++i) {
    const Pair& m = measured[i];
    const bool holds = m.worst <= 1 && m.deviation <= m.lipschitz;
    broken += !holds;
    worst.push_back(m.worst);
    share.push_back(m.deviation / m.lipschitz);
    ends.push_back(m.ends_at);
    study.rows.push_back({std::to_string(i), fmt::format("{}", m.radius), fmt::format("{}", m.lipschitz),
                          fmt::format("{}", m.deviation), fmt::format("{}", m.worst), fmt::format("{}", m.ends_at),
                          holds ? "1" : "0"});
    points.points.push_back({m.lipschitz, m.deviation});
  }
  study.table_headings = {"", ">least", ">median", ">most"};
  const auto line = [&](const std::string& name, std::vector<double> values) {
    std::sort(values.begin(), values.end());
    study.table.push_back({name, fmt::format("{:.4g}", values.front()),
                           fmt::format("{:.4g}", values[values.size() / 2]), fmt::format("{:.4g}", values.back())});
  };
  line("ln E exp(tY), share of the bound (largest over t)", worst);
  line("standard deviation of Y over L_G + L_H", share);
  line("without the ball: E exp(tY) is infinite beyond |t| =", ends);
  study.holds = broken == 0;
  study.verdict = fmt::format(
      "Lemma 2 {} for {} of {} pairs of Gaussian scores on rows of bounded length; on all rows its premise fails, "
      "since "
      "such a score is quadratic, and so does its conclusion: beyond |t| = {:.3g} at the latest a moment is infinite.",
      study.holds ? "holds" : "FAILS", pairs - broken, pairs, *std::max_element(ends.begin(), ends.end()));
  study.notes = {
      fmt::format("{} nodes, {} draws of a row per pair, rows longer than {:.2f} shortened to that; t from "
                  "{:g} to {:g} over L_G + L_H",
                  kLemmaNodes, kDraws, std::sqrt(kLemmaNodes) + 1, kSteps[0], kSteps[std::size(kSteps) - 1])};
  study.figure = {
      .title = "Differences of Gaussian scores per row", .x = "L_G + L_H", .left = "standard deviation", .right = ""};
  study.figure.series = {points};
  return study;
}

}  // namespace agon
