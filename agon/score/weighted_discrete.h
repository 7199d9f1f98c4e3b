// agon/score/weighted_discrete.h
//
// discrete-bic and bdeu for tables whose rows have weights or come from experiments, or whose gaps were filled with
// draws. The formulas are those of discrete_score.h with weights in place of counts: N is the weight of the rows of a
// cell, n the weight of all rows, and neither need be whole. A table and its GROUP BY with the counts as weights score
// the same.
//
//   const WeightedDiscreteBic score(data, {.penalty = 1});        // data has weights, drawn cells or regimes
//   double s = total(score, dag);
//
// Cells that were drawn are guesses, and the likelihood takes them for observations. So where cells were drawn, the
// free parameters of discrete-bic cost more:
//
//   sum over the sets T of {j} u P that hold j of   prod_{v in T} (r_v - 1)  *  max over pairs a, b in T of omega_ab
//
// omega_ab = 1 / f_ab, f_ab the share of the weight of the rows in which neither a nor b was drawn; 1 for T = {j}. With
// all omega = 1 this is (r_j - 1) prod r_q. A family with two variables that were never seen together is undefined, and
// so is one with more than kMostChargedParents parents, since there are 2^|P| sets. A sum over sets of variables does
// not change from one DAG of a class to another: both scores are score-equivalent.
//
// In a table of experiments a family is scored on the row set of its child (row_sets.h). Its G groups are the states of
// one more parent: discrete-bic charges G times as many parameters, and bdeu divides its prior among G times as many
// configurations. Levels and n are those of the whole table. To this come the cells that were set, which have no
// parents: each experiment that set the child has a model of its own for them, with r - 1 parameters or with a prior of
// its own (Cooper & Yoo 1999). That part is the same for all graphs, and makes totals comparable.
#pragma once

#include <vector>

#include "agon/score/local_score.h"
#include "agon/score/weighted_rows.h"

namespace agon {

// Most parents of a node under discrete-bic where cells were drawn.
constexpr int kMostChargedParents = 12;

// The most parents that a search gives a node under discrete-bic by default: as discrete_parent_cap, and at most
// kMostChargedParents where cells were drawn.
int discrete_bic_parent_cap(const Dataset& data);

// What both scores share: counting, and the batch calls. A score turns the counts of a family into its value.
class WeightedDiscrete : public LocalScore {
 public:
  double local(Node child, Parents parents) const final;
  const ScoreTraits& traits() const final { return traits_; }
  double addition_gains(Node child, Parents parents, std::span<double> gains) const final;
  double removal_gains(Node child, Parents parents, std::span<double> gains) const final;
  double column_gains(Node child, Parents parents, std::span<double> additions, std::span<double> removals) const final;

 protected:
  WeightedDiscrete(const Dataset& data, const ScoreOptions& options, const char* name, int parent_cap);
  // Scores the cells that were set, by value(). A score calls it once, when it can answer.
  void add_set_cells(const Dataset& data);
  const WeightedRows& rows_of(Node child) const { return rows_[traits_.row_set.empty() ? 0 : traits_.row_set[child]]; }

  // The value of a family of so many possible configurations of the parents and so many free parameters, which are
  // infinite where the family is undefined.
  virtual double value(const WeightedCounts& counts, Node child, double configurations, double parameters) const = 0;

  // The largest log-likelihood of the cells given their configurations, and the logarithm of the likelihood averaged
  // over a Dirichlet prior that gives every configuration so much weight, spread evenly over the levels of the child.
  static double log_likelihood(const WeightedCounts& counts);
  double marginal_likelihood(const WeightedCounts& counts, Node child, double per_configuration) const;

  std::vector<WeightedRows> rows_;  // by row set
  double total_ = 0;                // n
  ScoreTraits traits_;
  std::vector<double> omega_ = {};  // p x p; empty: all 1

 private:
  std::vector<double> set_cells_;  // by node: what the cells that were set add
};

class WeightedDiscreteBic final : public WeightedDiscrete {
 public:
  explicit WeightedDiscreteBic(const Dataset& data, const ScoreOptions& options = {});

 private:
  double value(const WeightedCounts& counts, Node child, double configurations, double parameters) const override;
  double penalty_;  // penalty * 1/2 ln n
};

class WeightedBdeu final : public WeightedDiscrete {
 public:
  explicit WeightedBdeu(const Dataset& data, const ScoreOptions& options = {}, const char* name = "bdeu");

 private:
  double value(const WeightedCounts& counts, Node child, double configurations, double parameters) const override;
  double ess_;
};

}  // namespace agon
