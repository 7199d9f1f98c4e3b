// agon/certificate/plain_mixed.h
//
// mixed-bic from the cells: every variable is a block of columns (plain_columns.h), and all rows enter through the
// matrix R of these columns.
//
//   s(j, P) = s0(j) + n I(j; P) - penalty 1/2 ln n * sum over q in P of m_j m_q w_jq
//   I(j; P) = -1/2 (ln det R_{j and P} - ln det R_P - ln det R_j)
//
//   n       the total weight of the rows; m_v the columns of v
//   w_jq    1 over the share of n in which j and q were both seen
//   s0(j)   continuous: -n/2 (ln(2 pi v) + 1) - penalty 1/2 ln n * 2, v the variance of its seen cells (1 for normal
//           scores); categorical, k levels: n sum of pi ln pi - penalty 1/2 ln n (k - 1), pi the shares among seen cells
//
// The columns are shortened from n to q numbers by a Householder factorisation, a slab of rows at a time; S holds the
// products of the short columns. With missing cells S is the covariance that EM finds (plain_em.h). Each block is made
// orthonormal, and R = (S + e I) / (1 + e), e the floor. ln det is twice the sum of the logarithms of a Cholesky
// diagonal; the parents come first, so that the child's part of the diagonal is all that I(j; P) needs.
//
// A family may hold at most max(4, n / 4) columns: additions() calls what goes beyond that undefined. So is an edge
// between two variables that were never seen together.
//
//   const plain::MixedScorer scorer(data, {.em_steps = 28});
//   if (scorer.em()) scorer.em()->likelihood_fell;     // false
#pragma once

#include <Eigen/Dense>
#include <optional>

#include "agon/certificate/plain_em.h"

namespace agon::plain {

// The Gaussian model of a graph over the q columns of a row, with covariances R: each block is regressed on the blocks
// of its parents.
struct MixedModel {
  struct Equation {
    std::vector<int> child, parents;  // columns
    Eigen::MatrixXd coefficients;     // child x parents
    Eigen::MatrixXd precision;        // of the residual of the child
    double log_determinant = 0;       // of that precision
  };
  std::vector<Equation> equations;  // by node

  double log_density(const Eigen::VectorXd& x) const;
  Eigen::VectorXd gradient(const Eigen::VectorXd& x) const;  // of log_density, at x
};

class MixedScorer final : public Scorer {
 public:
  MixedScorer(const Dataset& data, const MixedOptions& options);

  Value local(Node child, Parents parents) const override;
  std::vector<Value> additions(Node child, Parents parents, std::span<const Node> candidates) const override;
  // The hidden cells stay filled in as the whole table has it, and so do the weights w_jq.
  std::unique_ptr<Resampler> resampler(const std::vector<Family>& families) const override;
  double row_constant(const std::vector<Dag>& graphs, int threads) const override;
  bool has_gradient() const override { return true; }
  std::vector<std::string> assumptions() const override;

  const BlockColumns& columns() const { return columns_; }
  const Eigen::MatrixXd& matrix() const { return matrix_; }  // R
  const std::optional<EmFit>& em() const { return em_; }     // with missing cells, unless the moments were given

  // Is this matrix, found by others, a fixed point of EM? One step from it is enough to see. The columns are those of
  // columns(). Throws std::invalid_argument if there are not as many.
  EmCheck check(const EmMoments& claimed) const;

  MixedModel fit(const Dag& dag) const;

 private:
  class Resampled;

  std::vector<int> columns_of(Parents nodes) const;
  bool is_coded(Node v) const;  // a category without hidden cells: its row of columns goes by its code
  Eigen::MatrixXd precision(const MixedModel& model) const;
  MixedModel::Equation equation(Node child, Parents parents) const;
  double charge(Node child, Parents parents) const;  // of the edges; infinite if two were never seen together
  // From the child's part of a Cholesky diagonal; `smallest` is the smallest pivot of all.
  Value value(Node child, double log_diagonal, double smallest, double charge) const;

  const Dataset& data_;
  BlockColumns columns_;
  double floor_;
  double price_;      // penalty * 1/2 ln n
  double rounding_;   // error of an entry of R, as the search computes it
  int most_columns_;  // of a family
  int threads_;
  Eigen::MatrixXd rarity_;    // w
  Eigen::MatrixXd matrix_;    // R
  std::vector<double> base_;  // s0
  EmMoments moments_;         // with missing cells: what S comes from
  std::optional<EmFit> em_;
};

// Roughly how many multiplications EM takes for so many steps; 0 without missing cells.
double mixed_em_operations(const Dataset& data, const MixedOptions& options, int steps);

}  // namespace agon::plain
