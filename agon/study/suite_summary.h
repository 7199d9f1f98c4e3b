// agon/study/suite_summary.h
//
// Turns finished cells into the tables of a suite: means with standard errors, the published figures beside them, which
// algorithm is best, and a test of what the paper claims.
//
//   Suite suite = summarise(suite_tables({}), suite_algorithms(), cells, 60);
//   suite.claims;                      // never below the opponent; at least the published Score; CPDAG SHD beside GES
//   promise_holds(suite);              // guarantee I in every cell
#pragma once

#include <string>
#include <vector>

#include "agon/study/paper_suite.h"
#include "agon/study/suite.h"

namespace agon {

// Cells may be missing; means are over those that exist. `limit` is the limit of a cell in CPU seconds.
Suite summarise(const std::vector<SuiteTable>& tables, const std::vector<std::string>& algorithms,
                const std::vector<SuiteCell>& cells, double limit);

// S(match) >= S(opponent) wherever both are known.
bool promise_holds(const Suite& suite);

Spread spread_of(const std::vector<double>& values);  // mean and its standard error

}  // namespace agon
