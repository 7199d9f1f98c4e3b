#include "agon/study/arithmetic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace agon {
namespace {

constexpr double kHalfDigit = 0.005 + 1e-9;  // of two digits, either way of rounding a half

bool rounds_to(double value, double published) { return std::abs(value - published) <= kHalfDigit; }

// P that give this FDR with k right edges lie between two bounds, but p (p - 1) / 2 is small enough to try them all.
bool fits(const PublishedFigures& row, int k, int true_edges, int most_edges) {
  const int shd = static_cast<int>(std::lround(row.shd));
  for (int predicted = k; predicted <= most_edges; ++predicted) {
    const double fdr = predicted == 0 ? 0 : static_cast<double>(predicted - k) / predicted;
    if (!rounds_to(fdr, row.fdr)) continue;
    const int reversed = predicted + true_edges - 2 * k - shd;
    if (0 <= reversed && reversed <= std::min(predicted - k, true_edges - k)) return true;
  }
  return false;
}

}  // namespace

RowArithmetic arithmetic_of(const PublishedFigures& row, const PublishedTruth& truth) {
  RowArithmetic out;
  for (int k = 0; k <= truth.edges; ++k) {
    if (!rounds_to(static_cast<double>(k) / truth.edges, row.tpr)) continue;
    out.tpr_possible = true;
    out.graph_possible = out.graph_possible || fits(row, k, truth.edges, truth.nodes * (truth.nodes - 1) / 2);
  }
  // Each of TPR, FDR and the Score itself may be off by half a digit.
  const double score = (row.tpr + 1 - row.fdr + 1 / (1 + row.shd)) / 3;
  out.score_follows = std::abs(score - row.score) <= kHalfDigit + 2 * kHalfDigit / 3;
  return out;
}

std::string published_csv() {
  std::string out = "data,system,algorithm,tpr,fdr,shd,score,tpr_possible,graph_possible,score_follows\n";
  for (const PublishedRow& row : published_rows()) {
    const PublishedFigures& f = row.figures;
    const RowArithmetic sums = arithmetic_of(f, published_truth(row.data));
    out += fmt::format("{},{},{},{},{},{},{},{:d},{:d},{:d}\n", row.data, row.system, row.algorithm, f.tpr, f.fdr,
                       f.shd, f.score, sums.tpr_possible, sums.graph_possible, sums.score_follows);
  }
  return out;
}

}  // namespace agon
