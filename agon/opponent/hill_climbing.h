// agon/opponent/hill_climbing.h
//
// Steepest ascent and tabu search over single edits of a Dag: the simplest opponents, and the first users of the delta
// table.
//
//   auto score = make_score("auto", data);
//   SearchResult r = hill_climb(*score, Dag(data.size()));
//   r.dag, r.score, r.steps;
//
// hill_climb applies the legal edit that gains most until none gains: its result is 1-optimal. tabu_search continues
// from there. It takes the best edit even if that loses, as long as the pair was not edited recently, and returns the
// best graph it saw, made 1-optimal (Glover 1989; as in bnlearn, patience counts moves since the last new best).
//
// A stop before the gains of all first edits are known leaves the start, repaired.
//
// Ties go to the graph with fewer edges, then to the smaller node (canonical order, which carries no information).
#pragma once

#include "agon/graph/knowledge.h"
#include "agon/opponent/opponent.h"

namespace agon {

struct HillClimbOptions {
  long max_steps = 0;                      // most edits; 0: no limit
  int threads = 1;                         // for the first columns; the result does not depend on it
  size_t cache_bytes = size_t{256} << 20;  // for columns of gains
};

struct TabuOptions {
  int tenure = 10;     // moves for which an edited pair may not be edited again
  int patience = 100;  // moves without a new best after which the search ends
  HillClimbOptions climb = {};
};

// Both start from repair(start, knowledge) and apply only moves that the knowledge allows.
SearchResult hill_climb(const LocalScore& score, const Dag& start, const HillClimbOptions& options = {},
                        const Watch& watch = {}, const Knowledge& knowledge = {});
SearchResult tabu_search(const LocalScore& score, const Dag& start, const TabuOptions& options = {},
                         const Watch& watch = {}, const Knowledge& knowledge = {});

}  // namespace agon
