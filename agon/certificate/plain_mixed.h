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
//           scores); categorical, k levels: n sum of pi ln pi - penalty 1/2 ln n (k - 1), pi the shares when seen
//
// The columns are shortened from n to q numbers by a Householder factorisation, a slab of rows at a time; S holds the
// products of the short columns. With missing cells S is the covariance that EM finds (plain_em.h). Each block is made
// orthonormal, and R = (S + e I) / (1 + e), e the floor. ln det is twice the sum of the logarithms of a Cholesky
// diagonal; the parents come first, so that the child's part of the diagonal is all that I(j; P) needs.
//
// In a table of experiments each family is scored on the rows of its child (plain_regimes.h). Columns are embedded
// once, over all rows; then there is a matrix for every row set, of its rows, centred within groups. W_j, their weight,
// takes the place of n in front of I and in the likelihood of s0, which has a mean (or shares) for each of the G
// groups:
//
//   s0(j)   continuous: -W/2 (ln(2 pi v) + 1) - penalty 1/2 ln n (1 + G), v the variance within groups, relative to the
//           whole table for normal scores; categorical: sum over groups and levels N ln(N / N_group) - ... (k - 1) G
//
// Every regime that set j adds the likelihood of these cells with a mean and a variance, or shares, of their own, minus
// the price of 2 or k - 1 parameters. No variance counts as less than the floor times that over the whole table.
//
// A family may hold at most max(4, W / 4) columns: additions() calls what goes beyond that undefined. So is an edge
// between two variables that were never seen together.
//
//   const plain::MixedScorer scorer(data, {.em_steps = 28});
//   if (scorer.em()) scorer.em()->likelihood_fell;     // false
#pragma once

#include <Eigen/Core>
#include <optional>

#include "agon/certificate/plain_em.h"
#include "agon/certificate/plain_regimes.h"

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
  std::vector<Value> additions(Node child, Parents parents, std::span<const Node> others) const override;
  double work_per_family(int parents) const override;
  // The hidden cells stay filled in as the whole table has it, and so do the weights w_jq; with regimes also s0.
  std::unique_ptr<Resampler> resampler(const std::vector<Family>& families) const override;
  double row_constant(const std::vector<Dag>& graphs, int threads) const override;
  bool has_gradient() const override { return true; }
  std::vector<std::string> assumptions() const override;

  const BlockColumns& columns() const { return columns_; }
  const Eigen::MatrixXd& matrix() const { return matrices_[0]; }  // R, of a table without regimes
  const Eigen::MatrixXd& matrix_of(Node child) const { return matrices_[experiments_.index(child)]; }
  // With missing cells, unless the moments were given. Of the row sets of experiments: the most steps, and so on; the
  // moments are left out.
  const std::optional<EmFit>& em() const { return em_; }

  // Is this matrix, found by others, a fixed point of EM? One step from it is enough to see. The columns are those of
  // columns(). Throws std::invalid_argument if there are not as many.
  EmCheck check(const EmMoments& claimed) const;

  MixedModel fit(const Dag& dag) const;

 private:
  class Resampled;

  Eigen::MatrixXd fitted(const FamilyRows& rows, const MixedOptions& options);
  std::vector<int> columns_of(Parents nodes) const;
  int most_columns(Node child) const;  // of its family
  bool is_coded(Node v) const;         // a category without hidden cells: its row of columns goes by its code
  Eigen::MatrixXd precision(const MixedModel& model) const;
  MixedModel::Equation equation(Node child, Parents parents) const;
  double likelihood_alone(Node v, const FamilyRows& rows) const;  // of its seen cells, standing for all
  double score_of_set_cells(Node v) const;
  double score_alone(Node v) const;  // s0
  double parameters_alone(Node v) const;
  double charge(Node child, Parents parents) const;  // of the edges; infinite if two were never seen together
  // From the child's part of a Cholesky diagonal; `smallest` is the smallest pivot of all.
  Value value(Node child, double log_diagonal, double smallest, double charge) const;

  const Dataset& data_;
  BlockColumns columns_;
  Experiments experiments_;
  double floor_;
  double price_;       // penalty * 1/2 ln n
  double naming_ = 0;  // MixedOptions::named: ln of the number of variables that vary
  double rounding_;    // error of an entry of R, as the search computes it
  int threads_;
  Eigen::MatrixXd rarity_;                 // w
  std::vector<Eigen::MatrixXd> matrices_;  // R, by row set
  std::vector<double> base_;               // s0
  EmMoments moments_;                      // with missing cells: what S comes from
  std::optional<EmFit> em_;
};

// Roughly how many multiplications EM takes for so many steps; 0 without missing cells.
double mixed_em_operations(const Dataset& data, const MixedOptions& options, int steps);

}  // namespace agon::plain
