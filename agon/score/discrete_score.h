// agon/score/discrete_score.h
//
// Scores for categorical tables. n: rows; r_v: levels of v that occur; N: counts; P: the parents of j.
//
//   DiscreteBic   s(j, P) = sum over cells N_ca ln(N_ca / N_c)  -  penalty * 1/2 ln n * (r_j - 1) * prod_{q in P} r_q
//                 c a configuration of the parents, a a level of j (Schwarz 1978, with the free parameters of a full
//                 table)
//   Bdeu          s(j, P) = sum_c [ lnG(A/q) - lnG(A/q + N_c) + sum_a ( lnG(A/(q r_j) + N_ca) - lnG(A/(q r_j)) ) ]
//                 q = prod r over P, A the equivalent sample size, lnG the log of the gamma function
//                 (Heckerman, Geiger & Chickering 1995, eq. 28 with uniform priors, after Buntine 1991)
//
// Both are score-equivalent. Both are sums over the non-empty cells and configurations alone, and are computed that
// way. The batch calls count every addition at a node in one pass (discrete_table.h).
#pragma once

#include "agon/score/discrete_table.h"
#include "agon/score/local_score.h"

namespace agon {

// The most parents that a search gives a node by default: all other columns. No cap is needed, because a table with
// many parents pays a large penalty by itself.
int discrete_parent_cap(const Dataset& data);

class DiscreteBic final : public LocalScore {
 public:
  explicit DiscreteBic(const Dataset& data, const ScoreOptions& options = {});
  double local(Node child, Parents parents) const override;
  const ScoreTraits& traits() const override { return traits_; }
  double addition_gains(Node child, Parents parents, std::span<double> gains) const override;
  double removal_gains(Node child, Parents parents, std::span<double> gains) const override;
  double column_gains(Node child, Parents parents, std::span<double> additions,
                      std::span<double> removals) const override;
  double positive_additions(Node child, Parents parents, std::vector<ParentGain>& best) const override;

 private:
  struct Terms;
  Terms terms(Node child, double configurations) const;

  DiscreteTable table_;
  ScoreTraits traits_;
  double penalty_;               // penalty * 1/2 ln n
  std::vector<double> x_log_x_;  // x ln x for small x
};

class Bdeu final : public LocalScore {
 public:
  explicit Bdeu(const Dataset& data, const ScoreOptions& options = {}, const char* name = "bdeu");
  double local(Node child, Parents parents) const override;
  const ScoreTraits& traits() const override { return traits_; }
  double addition_gains(Node child, Parents parents, std::span<double> gains) const override;
  double removal_gains(Node child, Parents parents, std::span<double> gains) const override;
  double column_gains(Node child, Parents parents, std::span<double> additions,
                      std::span<double> removals) const override;

 private:
  struct Terms;
  Terms terms(Node child, double configurations) const;

  DiscreteTable table_;
  ScoreTraits traits_;
  double ess_;
};

}  // namespace agon
