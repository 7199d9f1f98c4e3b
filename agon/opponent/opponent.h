// agon/opponent/opponent.h
//
// What every opponent returns: a Dag, the CPDAG if it has one, and how it got there. Any result can be the warm start
// of the game.
//
// Some searches can be resumed. Asked to stop, they leave in `unfinished` what they need to continue, and end as they
// would have ended without the stop, apart from the number of columns they compute.
#pragma once

#include <functional>
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

void exchange(Archive& archive, SearchResult& result);

// How a search that takes hours is saved while it runs, and where it begins if it was saved before. What `save` is
// given and what SearchResult::unfinished holds are the same: either can be the next `from`.
struct SavedSearch {
  const std::string* from = nullptr;           // null: from the beginning
  std::function<bool()> due = {};              // time to save; null: never
  std::function<void(std::string)> save = {};  // null: nowhere

  bool wanted() const { return due && save && due(); }
};

}  // namespace agon
