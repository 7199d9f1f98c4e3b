// agon/data/capability.h
//
// What a table may hold, and what an algorithm can take. Every algorithm that reads columns declares what it takes, and
// refuses the rest before it begins: an answer that ignores a weight or a missing cell would be wrong without a sign.
//
//   const Capabilities able = {.continuous = true};
//   refuse_beyond(able, data, "the algorithm lingam");
//   // t.csv: the algorithm lingam cannot use missing cells (columns "age", "income")
//   //   hint: leave out the rows that have them with --missing drop-rows, or the columns with --drop NAMES
#pragma once

#include <string>

#include "agon/data/dataset.h"

namespace agon {

// What a table may hold beyond complete, equally weighted rows of one experiment, and what an algorithm can take.
// Constant columns count for neither kind: they take no part in any search.
struct Capabilities {
  bool categorical = false;  // columns of this kind
  bool continuous = false;
  bool mixed = false;  // both kinds in one table
  // Without `mixed`: both kinds in one table if the categorical columns have two levels each, to be read as 0 and 1.
  bool two_levels = false;
  bool missing = false;
  bool weights = false;
  bool regimes = false;
  bool operator==(const Capabilities&) const = default;
};

// An ordinary table: columns of any kind, complete, rows that count once each and come from one experiment.
constexpr Capabilities kOrdinaryTables = {.categorical = true, .continuous = true, .mixed = true};
// What can be read as numbers: measurements, with categories of two levels among them, or a table of codes alone.
constexpr Capabilities kTablesOfNumbers = {.categorical = true, .continuous = true, .two_levels = true};
// Whatever a table may hold: for code that does not look at cells, such as a search by a score.
constexpr Capabilities kAnyTable = {
    .categorical = true, .continuous = true, .mixed = true, .missing = true, .weights = true, .regimes = true};

Capabilities needs_of(const Dataset& data);  // what the table holds

// InputError when the table holds what `who` cannot take: it names what that is, the columns concerned, and what to do.
void refuse_beyond(const Capabilities& able, const Dataset& data, const std::string& who);

}  // namespace agon
