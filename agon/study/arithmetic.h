// agon/study/arithmetic.h
//
// Which published figures can belong to a graph at all. TPR, FDR and SHD come from counts of edges; a figure that no
// counts give was not measured on one directed graph against that truth.
//
//   const RowArithmetic sums = arithmetic_of({.tpr = 0.55, .fdr = 0.25, .shd = 3, .score = 0.52}, {"asia", 8, 8});
//   sums.tpr_possible;                          // false: no k of 8 edges is 0.55 to two digits
//
// The derivation. The truth has E edges, the answer P, of which k are right and r are true ones reversed. Then
//   TPR = k / E,   FDR = (P - k) / P (0 for P = 0),
//   extra = P - k - r,   missing = E - k - r,   SHD = extra + missing + r = P + E - 2k - r,
//   0 <= r <= min(P - k, E - k),   0 <= k <= E,   k <= P <= p (p - 1) / 2.
// A row fits if some integers k, P, r give its TPR and FDR to two digits and its SHD exactly. For SHD whole numbers are
// published, so no rounding is allowed for. Acyclicity is not asked for: that only lets more rows fit.
//
// Means over several runs could have such figures; the paper mentions none. A CPDAG measured as gCastle does could too,
// since an undirected edge counts twice among its predictions.
#pragma once

#include <string>

#include "agon/study/published.h"

namespace agon {

struct RowArithmetic {
  bool tpr_possible = false;    // some k
  bool graph_possible = false;  // some k, P and r
  bool score_follows = false;   // Score = (TPR + 1 - FDR + 1/(1 + SHD)) / 3, for figures that round to the published
};
RowArithmetic arithmetic_of(const PublishedFigures& row, const PublishedTruth& truth);

// All published rows with their arithmetic, a line each; the suite writes it as published.csv.
std::string published_csv();

}  // namespace agon
