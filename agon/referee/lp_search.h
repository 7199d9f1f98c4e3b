// agon/referee/lp_search.h
//
// A search that comes from above: the linear relaxation of the problem says which parents every node would like, cuts
// forbid the cycles among them, and each fractional answer is rounded to a graph. The best of these graphs, made
// 1-optimal by single edits, is the answer.
//
//   SearchResult r = lp_search(score);
//   r.dag;  // scores r.score
//
// What may be relied on: the answer depends on the budget in work, not on time, unless the watch stops it. It takes any
// score: families are scored by LocalScore. On few columns it ends early, because no better graph is left within the
// limit on parents that the work allows; `stopped_by` says so. Without a solver (linear_program.h) only small parts are
// solved, by dynamic programming, and the rest is left to the edits; the story says it.
//
// Source: Jaakkola, Sontag, Globerson & Meila 2010, AISTATS; Bartlett & Cussens 2017, Artificial Intelligence 244.
#pragma once

#include "agon/graph/knowledge.h"
#include "agon/opponent/opponent.h"
#include "agon/score/local_score.h"

namespace agon {

struct LpSearchOptions {
  double work = 3e9;    // to spend on families and relaxations, in nanoseconds of one core, roughly: it is counted
  double memory = 5e8;  // bytes, for the lists of families
  int threads = 1;      // the answer does not depend on it
};

constexpr int kMostLpColumns = 128;  // more are a mistake of the caller

SearchResult lp_search(const LocalScore& score, const LpSearchOptions& options = {}, const Watch& watch = {},
                       const Knowledge& knowledge = {});

}  // namespace agon
