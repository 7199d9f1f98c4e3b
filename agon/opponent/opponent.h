// agon/opponent/opponent.h
//
// What every opponent returns: a Dag, the CPDAG if it has one, and how it got there. Any result can be the warm start
// of the game.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agon/base/stop.h"
#include "agon/graph/dag.h"
#include "agon/graph/pag.h"
#include "agon/graph/pdag.h"
#include "agon/score/column_cache.h"

namespace agon {

struct SearchResult {
  Dag dag;
  double score = 0;            // total of dag, summed from local scores in node order
  long steps = 0;              // edits or operators made
  CacheCounts counts;          // columns of gains computed, and found in the cache
  std::string stopped_by;      // "no edit improves", "patience", "step limit", "time limit", "interrupted", ...
  std::optional<Cpdag> cpdag;  // if the search works on equivalence classes
  std::optional<Pag> pag;      // if it allows for hidden variables
  std::optional<double> varsortability;  // of dag, if the algorithm compares variances (graph/varsortability.h)
  std::vector<std::string> story;        // how it got there: one sentence per phase
};

}  // namespace agon
