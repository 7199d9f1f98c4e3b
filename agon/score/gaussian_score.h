// agon/score/gaussian_score.h
//
// Scores for continuous tables. n: rows; P: the parents of j.
//
//   s(j, P) = -n/2 (ln(2 pi v) + 1) - penalty * 1/2 ln n * (|P| + 2)
//             v = maximum-likelihood residual variance of j regressed on P with an intercept
//
//   gaussian-bic   on the columns as they are
//   copula-bic     after z = F^-1((average rank - 1/2) / n), F the standard normal distribution, each column
//                  restandardised: the nonparanormal of Liu, Lafferty & Wasserman 2009, with normal scores of ranks
//
// The rows enter only through one correlation matrix, so the cost of a score does not depend on n. A batch of all
// additions at a node takes one elimination of the parents from it, O(p k^2) for k parents. From 512 columns on
// the matrix is made by the dense kernels (nn/dense_kernels.h), on all threads and with the same bits on every machine.
//
// Rank-deficient parents are not an error: a parent that the others determine adds its penalty and nothing else. A
// child that its parents determine exactly has no density: local() throws ScoreUndefined, and the batch calls give
// -infinity. A constant column has likelihood 1, so that it scores 0; it stays an isolated node.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "agon/score/local_score.h"

namespace agon {

// The most parents that a search gives a node by default: one for every ten rows, but at least three. With more, a
// regression begins to fit the noise.
int gaussian_parent_cap(const Dataset& data);

class GaussianBic final : public LocalScore {
 public:
  enum class Scale { kRaw, kCopula };
  explicit GaussianBic(const Dataset& data, Scale scale, const ScoreOptions& options = {});

  double local(Node child, Parents parents) const override;
  const ScoreTraits& traits() const override { return traits_; }
  double addition_gains(Node child, Parents parents, std::span<double> gains) const override;
  double removal_gains(Node child, Parents parents, std::span<double> gains) const override;
  double positive_additions(Node child, Parents parents, std::vector<ParentGain>& best) const override;
  void pair_additions(Node child, Parents parents, std::vector<PairGain>& best) const override;
  double addition_gain(Node child, Parents parents, Node v) const override;
  bool keeps_columns_short() const override;  // of wide tables

  double price() const { return price_; }  // of a parent beside the penalty, see edge_price.h
  double correlation(Node a, Node b) const { return row(a)[b]; }
  // Does a column depend exactly on others, although there are more rows than columns? Then some families have no
  // score. Beyond a thousand columns nobody looks: the cost is cubic.
  bool is_singular() const;

 private:
  // The state after the parents of a child were eliminated from the correlation matrix.
  struct Elimination {
    std::vector<double> basis;     // row i: every variable's coordinate along the i-th independent parent
    std::vector<double> residual;  // by variable: the share of its variance that the parents do not explain
    std::vector<double> partial;   // by variable: its covariance with the child given the parents
    double share = 1;              // residual[child]
    size_t rank = 0;               // rows of basis
    double explained(Node v) const { return partial[v] * partial[v] / (residual[v] * share); }
  };
  const Elimination& eliminate(Node child, Parents parents) const;
  double gain_of(const Elimination& e, Node v) const;

  const double* row(Node v) const { return correlation_.data() + static_cast<size_t>(v) * names_.size(); }
  double score(Node child, double residual_share, size_t parents) const;
  [[noreturn]] void throw_undefined(Node child, Parents parents) const;

  ScoreTraits traits_;
  double n_;
  double penalty_;                   // of a parent: penalty * 1/2 ln n, and the price of an edge
  double price_ = 0;                 // the latter
  std::vector<std::string> names_;   // for ScoreUndefined
  std::vector<double> correlation_;  // p x p
  std::vector<double> base_;         // by node: -n/2 (ln(2 pi variance) + 1)
};

// The quantile function of the standard normal distribution, u in (0, 1), to about 1e-15 relative.
double normal_quantile(double u);

// Normal quantiles of the middle of a cell's share of all cells. Columns without weights have most of these shares in
// common, and each is computed once.
class MiddleQuantiles {
 public:
  // normal_quantile((below + equal / 2) / all), bit for bit.
  double at(double below, double equal, double all);

 private:
  double all_ = 0;
  std::vector<double> known_;  // by 2 below + equal; NaN: not yet
};

// The cells in ascending order, each with its row; equal cells by row.
std::vector<std::pair<double, uint32_t>> ascending(const std::vector<double>& values);

// Normal scores of the average ranks: F^-1((rank - 1/2) / n), standardised to mean 0 and variance 1 (over n).
std::vector<double> normal_scores(const std::vector<double>& values);
std::vector<double> normal_scores(const std::vector<double>& values, MiddleQuantiles& quantiles);

}  // namespace agon
