// agon/run/treatment.h
//
// What is done about missing cells, between reading a table and scoring it. A graph's score must be one fixed sum, or
// "never worse" means nothing, so the gaps are settled once, before any search (docs/method.md).
//
//   const MissingPlan plan = plan_missing(table, entry, MissingTreatment::kAuto, 10, seed);
//   const Dataset work = treated(table, plan, {.threads = 2});     // the table that everything works on
//   plan.assumption();                                             // what must hold for that to be right
#pragma once

#include <cstdint>
#include <string>

#include "agon/catalog/scores.h"
#include "agon/data/missing.h"
#include "agon/score/em.h"

namespace agon {

struct MissingPlan {
  MissingTreatment used = MissingTreatment::kError;  // kEm, kDraws or kLevel; kError: no cell is missing
  int draws = 10;                                    // rows for an incomplete one, with kDraws
  uint64_t seed = 0;

  bool changes_table() const { return used == MissingTreatment::kDraws || used == MissingTreatment::kLevel; }
  std::string assumption() const;  // a sentence; "" when no cell is missing
};

// kAuto becomes EM for scores that work on a matrix, draws for those that count. UsageError for EM with a score that
// counts.
MissingPlan plan_missing(const Dataset& data, const ScoreEntry& entry, MissingTreatment asked, int draws,
                         uint64_t seed);

// With EM the table as it is: the score integrates the gaps out. With draws and levels, a table without gaps, except
// for numbers under kLevel, which the score marks by a column of their own.
Dataset treated(const Dataset& data, const MissingPlan& plan, const EmOptions& options);

}  // namespace agon
