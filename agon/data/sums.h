// agon/data/sums.h
//
// What the chapters of summary.h share: summarize.cpp makes sums of rows, summary.cpp adds them up, summary_file.cpp
// writes and reads them, summary_table.cpp makes tables of them.
//
//   Sums monday, tuesday;                // of the same columns and levels
//   add_sums(monday, tuesday);
//   monday.scatter[packed(3, 1)];        // of columns 3 and 1
#pragma once

#include <string>
#include <vector>

#include "agon/data/summary.h"

namespace agon {

// Where (a, b) stands in a lower triangle written by rows; b <= a.
constexpr size_t packed(size_t a, size_t b) { return a * (a + 1) / 2 + b; }

size_t width_of(const std::vector<SummaryColumn>& columns);  // of all together

// Adds `from` to `to`, both of the same columns and levels.
void add_sums(Sums& to, const Sums& from);

// InputError for more levels or distinct rows than a summary keeps, and for squares that are not finite.
void refuse_too_much(const Summary& summary, const std::string& place);

}  // namespace agon
