// agon/opponent/weighted_independence.h
//
// The tests g2 and chi2 (independence.h) on tables whose rows have weights, or whose gaps were filled with draws:
// counts are sums of weights, and n is the weight of all rows. make_independence() chooses it for such tables.
//
//   const WeightedIndependence test(data, DiscreteIndependence::Kind::kG2);
//   double p = test.p_value(3, 5, std::vector<Node>{1, 2});
//
// Drawn cells are no evidence: where cells of a or b were drawn, statistic and n are scaled by the share of the weight
// of the rows in which neither was. A pair that was never seen together is called independent.
//
// What may be relied on: a table of counts gets the answers of the table that it stands for, up to rounding.
#pragma once

#include "agon/opponent/independence.h"
#include "agon/score/weighted_rows.h"

namespace agon {

class WeightedIndependence final : public Independence {
 public:
  using Kind = DiscreteIndependence::Kind;
  // `data` must be categorical throughout.
  explicit WeightedIndependence(const Dataset& data, Kind kind = Kind::kG2, double rows_per_dof = 5);

  int size() const override { return rows_.size(); }
  std::string name() const override { return kind_ == Kind::kG2 ? "g2" : "chi2"; }
  double p_value(Node a, Node b, Parents given) const override;
  // Not yet scaled by what was seen.
  TestStatistic statistic(Node a, Node b, Parents given) const { return statistic(kind_, a, b, given); }

 private:
  TestStatistic statistic(Kind kind, Node a, Node b, Parents given) const;
  bool determines(Node from, Node to) const;  // does every level of `from` come with only one level of `to`?
  double seen(Node a, Node b) const { return seen_.empty() ? 1 : seen_[static_cast<size_t>(a) * rows_.size() + b]; }

  WeightedRows rows_;
  Kind kind_;
  double rows_per_dof_;
  std::vector<char> isolated_;
  std::vector<double> seen_;  // share of the weight in which both were seen, p x p; empty: all of it
};

}  // namespace agon
