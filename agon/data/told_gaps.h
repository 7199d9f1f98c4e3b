// agon/data/told_gaps.h
//
// Finds columns whose gaps another column tells: they are not missing at random, and an answer that guesses them from
// the rest guesses what was never there (the year of death of those who live).
//
//   for (const ToldGap& gap : told_gaps(data)) out << gap.where << "\n";     // "exactly where \"death\" is \"0\""
//
// Whether a cell is missing is a variable of two values. The teller's levels, or at most ten bins of equal size of a
// continuous teller, explain a share of its variance; the Gaussian information of that share is above one nat a row
// when the share is above 1 - exp(-2) = 0.86. A continuous teller is also tried as a threshold: all gaps on one side of
// it. So that chance cannot do it, at least kFewestTold gaps and as many seen cells must be there, and the information
// between the gap and the levels must pay for its parameters, as in BIC. Only rows in which the teller is seen count,
// and they must hold at least half of the gaps.
//
// Cost: rows x columns x patterns of gaps; columns with the same gaps are one pattern.
#pragma once

#include <string>
#include <vector>

#include "agon/base/stop.h"
#include "agon/data/dataset.h"

namespace agon {

constexpr size_t kFewestTold = 5;

struct ToldGap {
  std::vector<int> columns;  // nodes with the same gaps, by name
  int teller = 0;            // node; of several the one that explains most, then the first by name
  double share = 0;          // of the variance of the gaps that it explains; 1: it determines them
  std::string where;         // if it does, in words: `exactly where "death" is "0"`
};

// By the names of the columns. What the tellers say that were looked at, if a stop is requested.
std::vector<ToldGap> told_gaps(const Dataset& data, const Watch& watch = {});

// How many cells told_gaps() would look at: for callers who think that too many.
double told_gaps_work(const Dataset& data);

}  // namespace agon
