// agon/effect/linear_effect.h
//
// Total effects by linear regression of the outcome on the cause and an adjustment set, from the means and products of
// the columns alone. Categories enter by contrasts of their levels (score/blocks.h); an outcome that is a category by
// the indicators of its levels (a linear probability model).
//
//   const LinearEffects table(data);
//   const EffectFigures f = table.estimate(x, y, adjustment);
//   f.change[0].value; f.change[0].low; f.change[0].high;
//
// The coefficient is that of least squares, its error s / sqrt(sum of squares of the cause given the set), with
// n - columns - 1 degrees of freedom. Columns of the set that others determine are left out, which changes nothing.
//
// Weights: n is the weight of the rows. Batches: all columns are centred within them. Experiments: rows are used unless
// their experiment set a node on a path from the cause to the outcome (adjustment.h says why that is right). Missing
// cells: means and products by EM (score/em.h), where n is the weight of the rows that lack none of the columns at
// hand; with experiments, gaps are filled by draws.
#pragma once

#include <memory>
#include <vector>

#include "agon/data/dataset.h"
#include "agon/effect/adjustment.h"
#include "agon/effect/figures.h"

namespace agon {

class LinearEffects {
 public:
  explicit LinearEffects(Dataset data, int threads = 1);
  ~LinearEffects();
  LinearEffects(LinearEffects&&) noexcept;

  // `adjustment.none` must be false. Neither column is isolated.
  EffectFigures estimate(Node cause, Node outcome, const Adjustment& adjustment, const LevelPair& levels = {}) const;

  // The joint effect of several causes, all numbers, on a number: what a unit more of each does while the others are
  // held. By cause. With t_i the total effect of cause i on the outcome and b_ij that on cause j, the paths from i to
  // the outcome are counted by the last cause on them, t_i = e_i + sum_j b_ij e_j; so e = (I + b)^-1 t (Nandy, Maathuis
  // & Richardson 2017, section 3, by another route). No errors: resample the rows for them.
  std::vector<double> joint(const std::vector<Node>& causes, Node outcome, const PossibleEffect& effect) const;

 private:
  struct Moments;
  std::unique_ptr<const Moments> moments_;
};

}  // namespace agon
