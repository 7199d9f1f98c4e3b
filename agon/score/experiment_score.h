// agon/score/experiment_score.h
//
// mixed-bic, and with it copula-bic and gaussian-bic, on tables of experiments: the family of a variable is scored on
// its own row set (row_sets.h), with the matrix R of that set.
//
//   const ExperimentBic score(data, {});              // data.has_regimes()
//   double s = total(score, dag);
//
//   s(j, P) = s0(j) + W_j I(j; P) - penalty * 1/2 ln n * sum_{q in P} m_j m_q w_jq
//
// W_j is the weight of j's row set, n that of all rows. Where an experiment set j, its parents explain nothing, and so
// the family has no use for these rows (Hauser & Bühlmann 2012, eq. 14); what describes them without parents is part of
// s0. It is the same for all graphs, but makes totals comparable with those of other treatments of the same rows.
//
// All DAGs of one interventional class score the same: equivalent DAGs that agree on the edges between different row
// sets are joined by reversals of covered edges within row sets, and each set has a matrix of its own, which gives an
// equivalent score.
#pragma once

#include <string>
#include <vector>

#include "agon/score/mixed_score.h"

namespace agon {

// The floor of complete tables of numbers, where copula-bic and gaussian-bic have none without experiments: so thin
// that it changes no digit of a total that anybody reads, and no family is undefined.
constexpr double kThinFloor = 1e-10;

class ExperimentBic final : public LocalScore {
 public:
  explicit ExperimentBic(const Dataset& data, const ScoreOptions& options = {}, const std::string& name = "mixed-bic",
                         const EmOptions& em = {});

  double local(Node child, Parents parents) const override { return of(child).local(child, parents); }
  const ScoreTraits& traits() const override { return traits_; }
  double addition_gains(Node child, Parents parents, std::span<double> gains) const override {
    return of(child).addition_gains(child, parents, gains);
  }
  double removal_gains(Node child, Parents parents, std::span<double> gains) const override {
    return of(child).removal_gains(child, parents, gains);
  }
  double positive_additions(Node child, Parents parents, std::vector<ParentGain>& best) const override {
    return of(child).positive_additions(child, parents, best);
  }

 private:
  const MixedBic& of(Node child) const { return by_set_[traits_.row_set[child]]; }

  ScoreTraits traits_;
  std::vector<MixedBic> by_set_;
};

}  // namespace agon
