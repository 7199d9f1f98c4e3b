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
// Experiments: rows count unless their experiment set a node on a path from x to y; P(z) is taken from rows in which
// nothing was set, if there are any.
#pragma once

#include "agon/data/dataset.h"
#include "agon/effect/adjustment.h"
#include "agon/effect/figures.h"

namespace agon {

EffectFigures counted_effect(const Dataset& data, Node cause, Node outcome, const Adjustment& adjustment,
                             const LevelPair& levels = {});

}  // namespace agon
