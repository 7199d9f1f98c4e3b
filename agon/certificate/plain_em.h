// agon/certificate/plain_em.h
//
// Means and covariances of columns with hidden cells, by EM in its textbook form (Little & Rubin 2002, section 11.2),
// for the certificate: what agon/score/em.h promises, implemented a second time.
//
//   const plain::BlockColumns columns(data, {});
//   const plain::PlainEm em(columns, 1e-6);
//   const plain::EmFit fit = em.fit(-1);                       // until it converges; or exactly as many steps as given
//   fit.likelihood_fell;                                       // false, or this code is wrong
//   const plain::EmCheck check = em.check(fit.moments);        // one step from a matrix that somebody claims
//
// A step fills in the hidden columns of every row by their regression on the seen ones,
//
//   E[h | o] = m_h + S_ho (S_oo + e I)^-1 (o - m_o),   Cov[h | o] = S_hh - S_ho (S_oo + e I)^-1 S_oh,
//
// and takes means and covariances of the filled rows, the conditional covariances included. It starts at mean 0 and
// covariance I.
//
// What must never fall. Let V = S + e I. The regression above is that of V, and Cov[h | o] is that of V minus e I. So a
// step takes V to what EM for V would give, plus e D, where D is diagonal and holds the share of the weight in which
// each column was seen. That is EM for a penalised likelihood, and with each step
//
//   F = ln p(seen cells | mean, V) - n/2 e tr(D V^-1)
//
// rises or stays. Without a floor it is the likelihood of the seen cells.
#pragma once

#include <Eigen/Core>

#include "agon/certificate/plain_columns.h"

namespace agon::plain {

struct EmFit {
  EmMoments moments;
  int steps = 0;
  double movement = 0;           // the largest change of an entry in the last step
  bool converged = false;        // the last step moved no entry by more than 1e-6
  double objective = 0;          // F, at the matrix before the last step
  bool likelihood_fell = false;  // F fell by more than rounding in some step
};

struct EmCheck {
  double movement = 0;           // the largest change of an entry that a step from the matrix makes
  bool likelihood_fell = false;  // in that step
};

class PlainEm {
 public:
  static constexpr double kTolerance = 1e-6;
  static constexpr int kMostSteps = 30;

  // `columns` must outlive it. The result does not depend on the number of threads.
  PlainEm(const BlockColumns& columns, double floor, int threads = 1);

  double operations_per_step() const;  // multiplications, roughly: cubes for every pattern of gaps, squares for rows

  EmFit fit(int steps) const;  // -1: until no entry moves by more than kTolerance, or kMostSteps
  EmCheck check(const EmMoments& claimed) const;

  // The rows with their hidden columns filled in, and how uncertain those are by pattern of gaps. Columns are `wanted`
  // ones, numbered as there.
  struct Filled {
    Eigen::MatrixXd rows;                     // n x |wanted|
    std::vector<uint32_t> pattern;            // by row
    std::vector<std::vector<int>> hidden;     // by pattern: the wanted columns that it hides, ascending
    std::vector<Eigen::MatrixXd> covariance;  // by pattern: of those, given the seen columns
  };
  Filled fill(const EmMoments& moments, const std::vector<int>& wanted) const;

 private:
  // Rows that hide the same columns.
  struct Pattern {
    std::vector<size_t> rows;
    std::vector<Eigen::Index> seen, hidden;
  };
  struct Moments {
    Eigen::VectorXd mean;
    Eigen::MatrixXd covariance;
  };
  struct Step {
    Moments after;
    double objective = 0;  // F before the step
  };
  struct Sums;
  struct Regression;

  Regression regress(const Pattern& pattern, const Moments& at) const;
  void add(const Pattern& pattern, const Moments& at, Sums& sums) const;
  Step step(const Moments& at) const;

  const BlockColumns& columns_;
  double floor_;
  int threads_;
  double weight_ = 0;           // n
  Eigen::VectorXd seen_share_;  // D
  std::vector<Pattern> patterns_;
};

}  // namespace agon::plain
