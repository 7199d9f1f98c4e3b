#include "agon/run/treatment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "agon/base/error.h"
#include "agon/base/suggest.h"
#include "agon/base/text.h"
#include "agon/certificate/plain_completion.h"
#include "agon/certificate/plain_edge_price.h"
#include "agon/certificate/plain_mixed.h"
#include "agon/score/block_moments.h"
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
          "Each incomplete row stands as {} that share its weight, with gaps drawn given the "
          "cells seen, assuming that {}. An edge is charged more, the fewer rows show both of its ends.",
          counted(draws, "row"), at_random);
    case MissingTreatment::kLevel:
      return "A missing category is a level of its own and a missing number is marked by a column of its own. Nothing "
             "is assumed about why cells are missing, but a common cause with gaps no longer explains all that it "
             "causes.";
    default:
      return "";
  }
}

namespace {

bool has_gaps_that_matter(const Dataset& data) {
  const auto& columns = data.columns();
  return std::any_of(columns.begin(), columns.end(),
                     [](const Column& column) { return column.has_missing() && !column.is_isolated(); });
}

}  // namespace

MissingPlan plan_missing(const Dataset& data, const ScoreEntry& entry, MissingTreatment asked, int draws,
                         uint64_t seed) {
  MissingPlan plan{.used = asked, .draws = draws, .seed = seed};
  if (!data.has_missing() || (entry.takes.missing && !has_gaps_that_matter(data))) {
    plan.used = MissingTreatment::kError;
  } else if (asked == MissingTreatment::kAuto) {
    plan.used = entry.takes.missing ? MissingTreatment::kEm : MissingTreatment::kDraws;
  } else if (asked == MissingTreatment::kEm && !entry.takes.missing) {
    throw UsageError(fmt::format("--missing em has no effect on {}: it counts rows, and EM finds a matrix", entry.name),
                     "pass --missing draws, or a score that takes missing cells, such as --score mixed-bic");
  }
  return plan;
}

Treated treated(const Dataset& data, const MissingPlan& plan, const EmOptions& options) {
  if (plan.used == MissingTreatment::kDraws) {
    Completion drawn = complete_by_draws(data, plan.draws, plan.seed, options);
    return {std::move(drawn.data), {drawn.steps, drawn.restricted}};
  }
  if (plan.used == MissingTreatment::kLevel) return {with_missing_level(data)};
  return {data};
}

namespace {

// Two computations of one matrix may differ by rounding, which EM carries from step to step.
constexpr double kSameMatrix = 1e-7;

TableCheck check_matrix(const BlockMoments* moments, const plain::MixedScorer& judge) {
  const std::string steps = counted(judge.em()->steps, "step");
  if (judge.em()->likelihood_fell) {
    return {false, fmt::format("EM was run again for {}, and the likelihood fell on the way", steps)};
  }
  if (moments == nullptr) return {true, fmt::format("EM was run again for {}; the likelihood never fell", steps)};
  double apart = 0;
  const Eigen::Index q = judge.matrix().rows();
  if (q != moments->columns()) return {false, "EM was run again, and the matrix has another size"};
  for (Eigen::Index a = 0; a < q; ++a) {
    for (Eigen::Index b = 0; b < q; ++b) {
      const double found = moments->at(static_cast<int>(a), static_cast<int>(b));
      apart = std::max(apart, std::abs(found - judge.matrix()(a, b)));
    }
  }
  return {apart <= kSameMatrix,
          fmt::format("EM was run again for {}: the likelihood never fell, and no entry of the matrix is further off "
                      "than {:.0e}",
                      steps, std::max(apart, 1e-16))};
}

// Where EM would take too long to run again, one step from its matrix must move no entry, if it had come to rest.
TableCheck check_step(const BlockMoments* moments, const plain::MixedScorer& judge) {
  if (moments == nullptr || moments->em->restricted) {
    return {true,
            "EM regressed each gap on some of the columns alone, which is not repeated here: its matrix was taken "
            "as it is"};
  }
  const plain::EmCheck check = judge.check({moments->em->mean, moments->em->covariance});
  const bool rests = !moments->em->converged || check.movement <= 2 * plain::PlainEm::kTolerance;
  return {rests && !check.likelihood_fell,
          fmt::format("EM would take too long to run again; one step of it from the matrix moves no entry by more than "
                      "{:.0e}",
                      std::max(check.movement, 1e-16))};
}

}  // namespace

std::optional<TableCheck> check_gaps(const Dataset& data, const Dataset& scored, const MissingPlan& plan,
                                     const DrawFit& fit, const BlockMoments* moments, const plain::Scorer& judge) {
  if (plan.used == MissingTreatment::kDraws) {
    const std::vector<std::string> complaints =
        plain::check_completion(data, scored, {.steps = fit.steps, .restricted = fit.restricted});
    if (!complaints.empty()) return TableCheck{false, joined(complaints, "; ")};
    return TableCheck{true,
                      "seen cells are unchanged, the weights of copies sum to those of their rows, and what was "
                      "drawn agrees with its probabilities within five standard errors"};
  }
  const auto* mixed = dynamic_cast<const plain::MixedScorer*>(&plain::without_edge_price(judge));
  if (plan.used != MissingTreatment::kEm || mixed == nullptr) return std::nullopt;
  if (!mixed->em() && moments != nullptr && !moments->em) return std::nullopt;  // varies too little for a block
  return mixed->em() ? check_matrix(moments, *mixed) : check_step(moments, *mixed);
}

}  // namespace agon
