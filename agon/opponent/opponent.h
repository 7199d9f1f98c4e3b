// agon/opponent/opponent.h
//
// What every opponent returns: a Dag, the CPDAG if it has one, and how it got there. Any result can be the warm start
// of the game.
//
// Some searches can be resumed. Asked to stop, they leave in `unfinished` what they need to continue, and end as they
// would have ended without the stop, apart from the number of columns they compute.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agon/base/archive.h"
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
  std::string unfinished = {};           // of a search that was stopped: where; "": it ended, or cannot be resumed
};

// All of it but the varsortability, which no search by score has.
void exchange(Archive& archive, SearchResult& result);

}  // namespace agon
