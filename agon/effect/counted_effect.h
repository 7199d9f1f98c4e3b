// agon/effect/counted_effect.h
//
// Effects between categories, by counting: P(y | do(x)) = sum over z of P(z) P(y | x, z), z the levels of the
// adjustment set (Pearl's back-door formula), for tables of categories without missing cells.
//
//   const EffectFigures f = counted_effect(data, x, y, adjustment);
//   f.under[0][1].value;         // P(y = second level | do(x = first level))
//   f.change[1].value;           // the average causal effect on it, from the first to the last level of x
//
// P(y | x, z) is the share among the rows in that cell. If x never occurs with z, P(y | x) stands in, and a warning
// says for what share of the rows. The standard error is that of the influence function,
//   var = sum_z P(z)^2 m (1 - m) / N_xz + 1/n sum_z P(z) (m_xz - P(y | do x))^2,
// with m = (N_xyz + 1/r) / (N_xz + 1), r levels of y, in the first sum: a cell of one row is not certain.
//
// Several causes together are one cause whose settings are all combinations of their levels, if one set adjusts for all
// of them. If none does, every row is weighed by what its settings were unlikely by, given the parents of each cause:
//   P(y | do(a, b)) = sum of w over rows with a, b, y / sum of w over rows with a, b,
//   w = 1 / P(a | pa(a)) P(b | pa(b)),
// all probabilities being shares of the rows. That is the truncated factorisation of the DAG (Robins 1986; Pearl 2009,
// equation 3.10) with whatever is not a cause taken from the rows as it is. Its errors are left to drawings of the
// rows.
//
// Experiments: rows count unless their experiment set a node on a path from x to y; P(z) is taken from rows in which
// nothing was set, if there are any.
#pragma once

#include "agon/data/dataset.h"
#include "agon/effect/adjustment.h"
#include "agon/effect/figures.h"

namespace agon {

EffectFigures counted_effect(const Dataset& data, Node cause, Node outcome, const Adjustment& adjustment,
                             const LevelPair& levels = {});

constexpr size_t kMostSettings = 256;  // combinations of levels that causes may have together
// `effect` is one of possible_effects(.., SeveralCauses::kTogether), and not none.
EffectFigures counted_effect(const Dataset& data, const std::vector<Node>& causes, Node outcome,
                             const PossibleEffect& effect);

}  // namespace agon
