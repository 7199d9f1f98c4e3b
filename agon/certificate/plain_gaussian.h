// agon/certificate/plain_gaussian.h
//
// gaussian-bic and copula-bic by least squares:
//
//   s(j, P) = -n/2 (ln(2 pi v) + 1) - penalty 1/2 ln n (|P| + 2),  v = mean squared residual of j on P with intercept
//
// Columns are centred and scaled to length 1. A Householder factorisation X = Q R then shortens them from n to p
// numbers and keeps all angles between them. Every family is a Gram-Schmidt process on columns of R, with a second pass
// where the first cancelled much. No correlation matrix is formed, so the residual of nearly dependent columns keeps
// digits that the search loses; `rounding` says how much it may lose. Ranks and normal quantiles are computed here too,
// the latter by bisection on erfc.
//
// A parent that the other parents determine adds its penalty and nothing else. A constant column has likelihood 1.
#pragma once

#include <Eigen/Core>

#include "agon/certificate/plain_score.h"

namespace agon::plain {

// The fitted model of a graph over standardised columns (mean 0, variance 1): x_j = sum of b_q x_q + N(0, variance_j).
struct GaussianModel {
  struct Equation {
    std::vector<Node> parents;
    std::vector<double> coefficients;
    double variance = 0;  // 0: a constant column, which adds nothing to the likelihood
  };
  std::vector<Equation> equations;  // by node

  double log_likelihood(std::span<const double> x) const;
  std::vector<double> gradient(std::span<const double> x) const;  // of log_likelihood, at x
};

class GaussianScorer final : public Scorer {
 public:
  enum class Scale { kRaw, kCopula };  // the columns as they are, or their normal scores
  GaussianScorer(const Dataset& data, Scale scale, double penalty);

  Value local(Node child, Parents parents) const override;
  std::vector<Value> additions(Node child, Parents parents, std::span<const Node> others) const override;
  std::vector<NodeSet> may_gain(std::span<const Family> families, double least) const override;
  std::unique_ptr<SetScores> set_scores(double price) const override;
  std::unique_ptr<Resampler> resampler(const std::vector<Family>& families) const override;
  double row_constant(const std::vector<Dag>& graphs, int threads) const override;
  bool has_gradient() const override { return true; }
  std::vector<std::string> assumptions() const override;

  GaussianModel fit(const Dag& dag) const;
  Eigen::MatrixXd correlation() const;            // of the columns; a constant one is uncorrelated with all others
  double standardised(Node v, size_t row) const;  // a cell of the table, mean 0 and variance 1 by column

 private:
  class Resampled;
  using Columns = std::vector<Eigen::VectorXd>;

  // An orthonormal basis of the space that the parents' columns span.
  struct Basis {
    Columns vectors;
    double smallest = 1;  // the smallest share of its squared length that a parent kept
  };
  Basis basis(Parents parents) const;
  static Eigen::VectorXd residual(Eigen::VectorXd x, const Columns& orthonormal);
  GaussianModel::Equation equation(Node child, Parents parents) const;
  Value value(Node child, double share, double smallest, size_t parents) const;

  const Dataset& data_;
  double factor_;                            // penalty
  double penalty_;                           // penalty * 1/2 ln n
  double rounding_;                          // error of a correlation, as the search computes it
  std::vector<double> mean_, deviation_;     // of the columns as they are; for copula-bic, 0 and 1
  std::vector<std::vector<double>> normal_;  // copula-bic: the normal scores
  Eigen::MatrixXd short_;                    // R
};

// The standard normal quantile of u in (0, 1).
double normal_quantile(double u);

}  // namespace agon::plain
