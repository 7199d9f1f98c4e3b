// agon/score/seen_score.h
//
// Scores for categorical tables that count the configurations of the parents that occur, u(P), where discrete-bic and
// bdeu count all that are possible, q = prod r over P. In a table whose columns depend on each other strongly the two
// differ widely. The rest as in discrete_score.h.
//
//   DiscreteBicSeen   s(j, P) = sum over cells N_ca ln(N_ca / N_c)  -  penalty * 1/2 ln n * (r_j - 1) * u(P)
//                     The parameters that the table says something about. Tetrad's discrete BIC counts them so, without
//                     a source; its default penalty is 2.
//   Bds               s(j, P) = sum over the c that occur [ lnG(A/u) - lnG(A/u + N_c)
//                                                           + sum_a ( lnG(A/(u r_j) + N_ca) - lnG(A/(u r_j)) ) ]
//                     bdeu whose prior gives nothing to configurations that do not occur (Scutari 2016, PMLR 52)
//
//   const DiscreteBicSeen score(data, {.penalty = 2});
//   double s = total(score, dag);
//
// Neither is score-equivalent. Reversing a covered edge x -> y with the common parents P replaces the charge
//   (r_x - 1) u(P) + (r_y - 1) u(P, x)   by   (r_y - 1) u(P) + (r_x - 1) u(P, y).
// With q in place of u both are q (r_x r_y - 1). With u they differ as soon as x and y occur with different
// configurations of P; seen_score_test.cpp has an example of six rows. Where every configuration occurs, the two scores
// are discrete-bic and bdeu.
//
// Where rows have weights or come from experiments: as in weighted_discrete.h. Cells that were drawn count as seen.
#pragma once

#include <vector>

#include "agon/score/discrete_family.h"
#include "agon/score/weighted_discrete.h"

namespace agon {

class DiscreteBicSeen final : public DiscreteFamilyScore<DiscreteBicSeen> {
 public:
  explicit DiscreteBicSeen(const Dataset& data, const ScoreOptions& options = {});

 private:
  friend DiscreteFamilyScore<DiscreteBicSeen>;
  struct Terms {
    static constexpr bool kZeroForNothing = true;
    static constexpr bool kPricedLikelihood = false;
    std::span<const double> table;
    double charge;  // of a configuration
    double cell(uint32_t n) const { return x_log_x(table, n); }
    double configuration(uint32_t n) const { return -x_log_x(table, n) - (n > 0 ? charge : 0); }
    double constant() const { return 0; }
  };
  Terms terms(Node child, double configurations, const FamilyCounts& counts) const;

  double penalty_;  // penalty * 1/2 ln n
  std::vector<double> x_log_x_;
};

class Bds final : public DiscreteFamilyScore<Bds> {
 public:
  explicit Bds(const Dataset& data, const ScoreOptions& options = {});

 private:
  friend DiscreteFamilyScore<Bds>;
  struct Terms {
    static constexpr bool kZeroForNothing = false;  // it is zero, but costs a logarithm of the gamma function
    static constexpr bool kPricedLikelihood = false;
    double per_cell, per_configuration;
    double log_gamma_cell, log_gamma_configuration;
    double cell(uint32_t n) const { return n == 0 ? 0 : log_gamma(per_cell + n) - log_gamma_cell; }
    double configuration(uint32_t n) const { return log_gamma_configuration - log_gamma(per_configuration + n); }
    double constant() const { return 0; }
  };
  Terms terms(Node child, double configurations, const FamilyCounts& counts) const;

  double ess_;
};

extern template class DiscreteFamilyScore<DiscreteBicSeen>;
extern template class DiscreteFamilyScore<Bds>;

class WeightedDiscreteBicSeen final : public WeightedDiscrete {
 public:
  explicit WeightedDiscreteBicSeen(const Dataset& data, const ScoreOptions& options = {});

 private:
  double value(const WeightedCounts& counts, Node child, double configurations, double parameters) const override;
  double penalty_;
};

class WeightedBds final : public WeightedDiscrete {
 public:
  explicit WeightedBds(const Dataset& data, const ScoreOptions& options = {});

 private:
  double value(const WeightedCounts& counts, Node child, double configurations, double parameters) const override;
  double ess_;
};

}  // namespace agon
