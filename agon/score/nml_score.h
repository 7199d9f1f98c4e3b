// agon/score/nml_score.h
//
// Scores for categorical tables by normalised maximum likelihood: the shortest code for the table whose length does not
// depend on a prior. There is nothing to set. R(n, K) is the regret of n draws from K levels (regret.h), the rest as in
// discrete_score.h, q = prod r over P.
//
//   Qnml   s(j, P) = sum over cells N_ca ln(N_ca / N_c)  -  [ R(n, q r_j) - R(n, q) ]
//          The family as one variable of q r_j levels, minus the parents as one variable of q levels: the quotient of
//          two normalised maximum likelihoods (Silander, Leppä-aho, Jääsaari & Roos 2018, AISTATS). Score-equivalent:
//          a sum over sets of variables, families minus parents, is the same for all DAGs of a class.
//   Fnml   s(j, P) = sum over c [ sum_a N_ca ln(N_ca / N_c) - R(N_c, r_j) ]
//          One code for each configuration of the parents (Silander, Roos, Kontkanen & Myllymäki 2008, PGM). It is
//          *not* score-equivalent.
//
//   qnml-edges     s(j, P) = sum over cells N_ca ln(N_ca / N_c)  -  [ S(n, q r_j) - S(n, q) ]  -  |P| ln p
//          p the columns that vary, S the straight regret (regret.h): four fifths of R, and at least one nat a cell.
//          The table and the graph as one message (edge_price.h). Equivalent DAGs have equally many edges, and S
//          depends on sets of variables alone, so it is score-equivalent too. Without ln p and S, wide tables with few
//          rows go wrong: a family with as many configurations as rows has likelihood 1 and costs less than n ln r_j,
//          so that a variable whose levels are about equally frequent takes any parents it can get.
//
//   const Qnml score(data);                   // qnml-edges: Regret::kStraight and with_edge_price() (edge_price.h)
//   double s = total(score, dag);             // larger is better, natural log
//
// Both take the approximate R of regret.h. Qnml is discrete-bic with another constant for each family, and as fast.
// Where n is large beside q r_j the constant is near that of discrete-bic; where the family has many more cells than
// rows, a further level costs at most n ln r_j, so that wide families are charged less than by BIC.
//
// Where rows have weights, N and n are weights (weighted_discrete.h). In a table of experiments n is the weight of the
// rows that the family is counted on, and their G groups are the states of one more parent. Cells that were drawn count
// as seen.
#pragma once

#include <vector>

#include "agon/score/discrete_family.h"
#include "agon/score/regret.h"
#include "agon/score/weighted_discrete.h"

namespace agon {

enum class Regret { kPublished, kStraight };  // R or S of regret.h

class Qnml final : public DiscreteFamilyScore<Qnml> {
 public:
  explicit Qnml(const Dataset& data, const ScoreOptions& options = {}, Regret regret = Regret::kPublished);

 private:
  friend DiscreteFamilyScore<Qnml>;
  struct Terms {
    static constexpr bool kZeroForNothing = true;
    static constexpr bool kPricedLikelihood = true;
    std::span<const double> table;
    double charge;
    double cell(uint32_t n) const { return x_log_x(table, n); }
    double configuration(uint32_t n) const { return -x_log_x(table, n); }
    double constant() const { return -charge; }
  };
  Terms terms(Node child, double configurations, const FamilyCounts& counts) const;

  std::vector<double> x_log_x_;
  Regret which_;
  std::vector<double> regret_;  // R(n, K) or S(n, K) by K, for small K
};

class Fnml final : public DiscreteFamilyScore<Fnml> {
 public:
  explicit Fnml(const Dataset& data, const ScoreOptions& options = {});

 private:
  friend DiscreteFamilyScore<Fnml>;
  struct Terms {
    static constexpr bool kZeroForNothing = true;
    static constexpr bool kPricedLikelihood = false;
    std::span<const double> table, charge;
    double levels;
    double cell(uint32_t n) const { return x_log_x(table, n); }
    double configuration(uint32_t n) const {
      return n < charge.size() ? -charge[n] : -x_log_x(table, n) - multinomial_regret(n, levels);
    }
    double constant() const { return 0; }
  };
  Terms terms(Node child, double configurations, const FamilyCounts& counts) const;

  std::vector<double> x_log_x_;
  std::vector<std::vector<double>> charge_;  // by number of levels: n ln n + R(n, levels), for small n
};

extern template class DiscreteFamilyScore<Qnml>;
extern template class DiscreteFamilyScore<Fnml>;

class WeightedQnml final : public WeightedDiscrete {
 public:
  explicit WeightedQnml(const Dataset& data, const ScoreOptions& options = {}, Regret regret = Regret::kPublished);

 private:
  double value(const WeightedCounts& counts, Node child, double configurations, double parameters) const override;

  Regret which_;
};

class WeightedFnml final : public WeightedDiscrete {
 public:
  explicit WeightedFnml(const Dataset& data, const ScoreOptions& options = {});

 private:
  double value(const WeightedCounts& counts, Node child, double configurations, double parameters) const override;
};

}  // namespace agon
