// agon/score/em.h
//
// Means and covariances of columns with missing cells, by maximum likelihood: the EM algorithm for the multivariate
// normal distribution (Dempster, Laird & Rubin 1977; Little & Rubin 2002, section 11.2). Cells are assumed to be
// missing at random given the cells that were seen.
//
//   const Blocks blocks(data, {});
//   const EmFit fit = fit_em(blocks, {.threads = 2});
//   fit.covariance[3 * blocks.columns() + 5];   // of columns 3 and 5
//   fit.mean[3]; fit.steps; fit.converged;
//
// A missing cell hides the whole block of its variable. It starts at mean 0 and covariance I. A step takes each
// pattern of gaps, regresses the hidden columns on the seen ones (with kFloor added to the diagonal of the seen
// covariance), fills them in by their conditional means, and adds their conditional covariance. It stops when no entry
// of the mean or the covariance moves by more than `tolerance`, or after `most_steps`.
//
// Why so few steps. EM starts at independence, and covers after k steps all but a share l^k of the way in a direction
// of which the share l of the information is missing (Dempster, Laird & Rubin 1977, section 3). So 30 steps go all the
// way where up to 80 % are missing, and stay near independence where the cells that were seen decide next to nothing
// and the likelihood would make up relations between guesses. This serves as a prior: with 30 % missing at random given
// a column, graphs are better than after 500 steps (docs/results/tables.md).
//
// The result does not depend on the number of threads, nor on the order of columns beyond rounding.
#pragma once

#include <vector>

#include "agon/base/stop.h"
#include "agon/score/blocks.h"

namespace agon {

constexpr double kFloor = 1e-6;  // the noise floor: no column is known better than to a thousandth of its spread

struct EmOptions {
  double tolerance = 1e-6;
  int most_steps = 30;
  // Where a step would cost more multiplications than this, each hidden block is regressed on the `most_regressors`
  // seen columns most correlated with it (over the rows in which both were seen), if that is cheaper. The likelihood
  // may then fall on the way.
  double most_operations = 1e11;
  int most_regressors = 40;
  double floor = kFloor;  // added to the diagonal of the seen covariance
  int threads = 1;
  const Watch* watch = nullptr;  // a stop request ends the steps
};

struct EmFit {
  std::vector<double> mean;        // q
  std::vector<double> covariance;  // q x q, symmetric
  int steps = 0;
  double movement = 0;  // the largest change in the last step
  bool converged = true;
  bool restricted = false;  // hidden blocks were regressed on most_regressors columns each
};

EmFit fit_em(const Blocks& blocks, const EmOptions& options = {});

}  // namespace agon
