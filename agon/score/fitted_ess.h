// agon/score/fitted_ess.h
//
// The equivalent sample size of bdeu that a table supports best: of a fixed list, the one under which one fixed graph
// has the highest marginal likelihood. bdeu is very sensitive to it, and no value suits all tables (Silander, Kontkanen
// & Myllymäki 2007, UAI).
//
//   double ess = fitted_ess(data);                    // one of kEssGrid
//   const Bdeu score(data, {.ess = ess}, "bdeu-fitted");
//
// Silander and others let the graph follow the size: for each they search the best graph. Here the graph is fixed, so
// that the score stays one sum whatever is searched, and the certificate can choose again by itself: it is the best
// forest by discrete-bic with penalty 1 (Chow & Liu 1968), found without a search. Pairs are ordered by their gain,
// rounded to 1e-6 nats, then by their nodes; of sizes that tie, the smallest.
#pragma once

#include <array>

#include "agon/data/dataset.h"
#include "agon/graph/dag.h"
#include "agon/score/local_score.h"

namespace agon {

constexpr std::array<double, 11> kEssGrid = {0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200};

double fitted_ess(const Dataset& data);

// The best forest by a score that is the same for all members of a class: no node has more than one parent.
Dag best_forest(const LocalScore& score);

}  // namespace agon
