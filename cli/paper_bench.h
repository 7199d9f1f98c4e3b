// cli/paper_bench.h
//
// `agon bench --suite paper`: every cell of study/paper_suite.h in a process of its own, several at a time. Each
// finished cell is a file in OUT/cells, so a run that was killed resumes where it stopped; a cell whose inputs changed
// is computed again. The tables are written to OUT at the end; after an interruption, they cover the cells finished so
// far.
#pragma once

#include <string>
#include <vector>

#include "agon/study/paper_suite.h"
#include "cli/console.h"

namespace agon::cli {

struct PaperBench {
  SuiteChoice choice = {};
  std::vector<std::string> algorithms = {};  // names in the catalog; empty: all
  std::vector<std::string> challengers = {"auto"};
  double limit = 60;  // CPU seconds of a cell
  int jobs = 1;       // processes at a time
  std::string out = "bench-paper";
  bool json = false;
};

// Returns the exit code: kFault when a match ended below its opponent.
int run_paper_bench(const PaperBench& bench, Log& log);

}  // namespace agon::cli
