#include "agon/score/block_moments.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "agon/data/capability.h"

namespace agon {
namespace {

constexpr Capabilities kTakes = {
    .categorical = true, .continuous = true, .mixed = true, .missing = true, .weights = true};

// The least share of a direction within a block that is still told from 0.
constexpr double kLeastPivot = 1e-10;

// The covariance of complete blocks, in chunks of rows, so that no second copy of a large table is needed.
Eigen::MatrixXd covariance(const Blocks& blocks) {
  constexpr size_t kChunk = 1024;
  const Dataset& data = blocks.data();
  const Eigen::Index q = blocks.columns();
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(q, q);
  std::vector<double> cells(kChunk * static_cast<size_t>(q));
  for (size_t first = 0; first < data.rows(); first += kChunk) {
    const size_t count = std::min(kChunk, data.rows() - first);
    blocks.fill(first, count, cells.data());
    Eigen::Map<Eigen::MatrixXd> chunk(cells.data(), static_cast<Eigen::Index>(count), q);
    if (data.has_weights()) {
      for (size_t k = 0; k < count; ++k) chunk.row(static_cast<Eigen::Index>(k)) *= std::sqrt(data.weight(first + k));
    }
    sum.selfadjointView<Eigen::Lower>().rankUpdate(chunk.transpose());
  }
  return sum.selfadjointView<Eigen::Lower>() * Eigen::MatrixXd::Identity(q, q) / data.total_weight();
}

// L^-1 of every block's own part of S = L L', applied from both sides.
void orthonormalise(const std::vector<int>& start, Eigen::MatrixXd& s) {
  Eigen::MatrixXd whiten = Eigen::MatrixXd::Zero(s.rows(), s.cols());
  for (size_t v = 0; v + 1 < start.size(); ++v) {
    const Eigen::Index first = start[v], m = start[v + 1] - start[v];
    if (m == 0) continue;
    Eigen::MatrixXd factor = s.block(first, first, m, m);
    for (Eigen::Index i = 0; i < m; ++i) {  // Cholesky, with a floor below the pivots
      for (Eigen::Index j = 0; j <= i; ++j) {
        double sum = factor(i, j);
        for (Eigen::Index k = 0; k < j; ++k) sum -= factor(i, k) * factor(j, k);
        factor(i, j) = i == j ? std::sqrt(std::max(sum, kLeastPivot)) : sum / factor(j, j);
      }
    }
    whiten.block(first, first, m, m) =
        factor.triangularView<Eigen::Lower>().solve(Eigen::MatrixXd::Identity(m, m)).eval();
  }
  s = whiten * s * whiten.transpose();
}

double log_likelihood_alone(const Blocks& blocks, Node v, double n) {
  if (blocks.width(v) == 0) return 0;
  if (blocks.data().column(v).kind == ColumnKind::kContinuous) {
    return -0.5 * n * (std::log(2 * std::numbers::pi) + 2 * std::log(blocks.deviation(v)) + 1);
  }
  double sum = 0;
  for (double share : blocks.shares(v)) sum += share * std::log(share);
  return n * sum;
}

}  // namespace

BlockMoments block_moments(const Dataset& data, const ScoreOptions& options, const EmOptions& em) {
  refuse_beyond(kTakes, data, "a score on blocks of columns");
  const Blocks blocks(data, {.raw = options.raw, .basis = options.basis, .gap_columns = options.gap_columns});
  BlockMoments out;
  out.start = blocks.starts();
  out.weight = data.total_weight();
  const double floor = em.floor;
  out.floor = floor;
  const Eigen::Index q = blocks.columns();
  Eigen::MatrixXd s;
  if (blocks.has_missing()) {
    EmOptions own = em;
    own.threads = options.threads;
    own.watch = options.watch;
    out.em = fit_em(blocks, own);
    s = Eigen::Map<const Eigen::MatrixXd>(out.em->covariance.data(), q, q);
    orthonormalise(out.start, s);
    out.seen = seen_together(data);
  } else {
    s = covariance(blocks);
    if (!options.gap_columns) out.seen = seen_together(data);  // of cells that were drawn
  }
  out.matrix.resize(static_cast<size_t>(q) * static_cast<size_t>(q));
  const auto at = [&](Eigen::Index a, Eigen::Index b) -> double& { return out.matrix[static_cast<size_t>(a * q + b)]; };
  for (Eigen::Index a = 0; a < q; ++a) {
    for (Eigen::Index b = 0; b < a; ++b) at(a, b) = at(b, a) = std::clamp(s(a, b), -1.0, 1.0) / (1 + floor);
    at(a, a) = 1;
  }
  for (Node v = 0; v < blocks.size(); ++v) {
    for (int a = out.start[v]; a < out.start[v + 1]; ++a) {
      for (int b = out.start[v]; b < out.start[v + 1]; ++b) at(a, b) = a == b;  // what is there but for rounding
    }
    out.base.push_back(log_likelihood_alone(blocks, v, out.weight));
  }
  return out;
}

}  // namespace agon
