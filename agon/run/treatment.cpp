#include "agon/run/treatment.h"

#include <fmt/format.h>

#include "agon/base/error.h"
#include "agon/score/completion.h"

namespace agon {

std::string MissingPlan::assumption() const {
  const std::string at_random =
      "whether a cell is missing depends on nothing but the cells that were seen in its row (missing at random)";
  switch (used) {
    case MissingTreatment::kEm:
      return "The matrix of the score is the most likely one given the cells seen (EM), assuming that " + at_random +
             ". An edge is charged more, the fewer rows show both of its ends.";
    case MissingTreatment::kDraws:
      return fmt::format(
          "Each incomplete row stands as {} rows of one {}th of its weight, with gaps drawn given the "
          "cells seen, assuming that {}. An edge is charged more, the fewer rows show both of its ends.",
          draws, draws, at_random);
    case MissingTreatment::kLevel:
      return "A missing category is a level of its own and a missing number is marked by a column of its own. Nothing "
             "is assumed about why cells are missing, but a common cause with gaps no longer explains all that it "
             "causes.";
    default:
      return "";
  }
}

MissingPlan plan_missing(const Dataset& data, const ScoreEntry& entry, MissingTreatment asked, int draws,
                         uint64_t seed) {
  MissingPlan plan{.used = asked, .draws = draws, .seed = seed};
  if (!data.has_missing()) {
    plan.used = MissingTreatment::kError;
  } else if (asked == MissingTreatment::kAuto) {
    plan.used = entry.takes.missing ? MissingTreatment::kEm : MissingTreatment::kDraws;
  } else if (asked == MissingTreatment::kEm && !entry.takes.missing) {
    throw UsageError(fmt::format("--missing em has no effect on {}: it counts rows, and EM finds a matrix", entry.name),
                     "pass --missing draws, or a score that takes missing cells, such as --score mixed-bic");
  }
  return plan;
}

Dataset treated(const Dataset& data, const MissingPlan& plan, const EmOptions& options) {
  if (plan.used == MissingTreatment::kDraws) return complete_by_draws(data, plan.draws, plan.seed, options).data;
  if (plan.used == MissingTreatment::kLevel) return with_missing_level(data);
  return data;
}

}  // namespace agon
