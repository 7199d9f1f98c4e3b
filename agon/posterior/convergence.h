// agon/posterior/convergence.h
//
// Have chains that started apart come together, and how many independent draws are their samples worth?
//
//   const std::vector<std::vector<double>> chains = {first, second};   // one figure, sample by sample
//   split_r_hat(chains);            // near 1: the halves of all chains look like draws from one distribution
//   effective_samples(chains);      // of all chains together
//
// Sources: Gelman et al. 2013, Bayesian Data Analysis, 3rd edition, sections 11.4 and 11.5 (each chain is split in two,
// so that a drift shows too); the sum of autocorrelations ends where a pair of neighbouring lags is no longer positive
// (Geyer 1992, Statistical Science 7), and may not rise on the way (Vehtari et al. 2021, Bayesian Analysis 16).
//
// Chains of fewer than four samples tell nothing: R-hat is then infinite, and the effective number 0. A figure that
// never varies has R-hat 1 and as many effective samples as samples; one that stands still at different values in
// different halves has R-hat infinity.
#pragma once

#include <vector>

namespace agon {

double split_r_hat(const std::vector<std::vector<double>>& chains);  // chains of one length
double effective_samples(const std::vector<std::vector<double>>& chains);

}  // namespace agon
