// agon/run/treatment.h
//
// What is done about missing cells, between reading a table and scoring it. A graph's score must be one fixed sum, or
// "never worse" means nothing, so the gaps are settled once, before any search (docs/method.md).
//
//   const MissingPlan plan = plan_missing(data, score_entry("mixed-bic"), MissingTreatment::kAuto, 10, seed);
//   const Treated work = treated(data, plan, {.threads = 2});     // work.data is what everything works on
//   plan.assumption();                                             // what must hold for that to be right
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "agon/catalog/scores.h"
#include "agon/certificate/certificate.h"
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

// The fit behind drawn cells.
struct DrawFit {
  int steps = 0;            // of EM
  bool restricted = false;  // it regressed each gap on some of the columns alone
};

struct Treated {
  Dataset data;
  DrawFit fit = {};
};

// With EM the table as it is: the score integrates the gaps out. With draws and levels, a table without gaps, except
// for numbers under kLevel, which the score marks by a column of their own.
Treated treated(const Dataset& data, const MissingPlan& plan, const EmOptions& options);

// What the certificate's own code makes of the treatment: that the matrix of EM is what EM run again finds, or that the
// draws are fair. Nothing if no cell was missing, or levels stand for gaps. `scored` is the table after the treatment,
// from which the scores are made; `moments` is the matrix of the search, null where only its record is at hand.
std::optional<TableCheck> check_gaps(const Dataset& data, const Dataset& scored, const MissingPlan& plan,
                                     const DrawFit& fit, const BlockMoments* moments, const plain::Scorer& judge);

}  // namespace agon
