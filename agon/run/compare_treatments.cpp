#include "agon/run/compare_treatments.h"

#include <algorithm>
#include <cmath>

#include "agon/match/match.h"
#include "agon/opponent/boss.h"
#include "agon/opponent/ges.h"
#include "agon/opponent/hill_climbing.h"

namespace agon {
namespace {

using Effort = TreatmentSearch::Effort;

// What GES may fall short of the best graph, as a share of what it gains over the empty one. Its usual shortfall is
// a fraction of that.
constexpr double kShortfall = 0.01;

struct Found {
  TreatmentTotal best;
  double gain = 0;  // over the graph without edges
};

// BOSS, and half a percent of the usual play after it: on dense graphs BOSS alone may end a nat below the best. Tabu
// search where the score tells the members of a class apart, by which searches over classes go round in circles.
MatchResult boss_and_play(const LocalScore& score, const TreatmentSearch& search, const Watch& watch) {
  const Rng rng = Rng(search.seed).split("treatments");
  const Entrant entrant{"boss", [&](const Watch& own, const OpponentResults&) {
                          return score.traits().score_equivalent ? boss(score, {.threads = search.threads}, rng, own)
                                                                 : tabu_search(score, Dag(score.size()), {}, own);
                        }};
  const MatchOptions options{.moves = default_patience(score) / 10, .threads = search.threads};
  return play_match(score, {entrant}, options, Knowledge(score.size()), rng, watch);
}

Found best_found(const RegimeTreatment& treatment, const LocalScore& score, const TreatmentSearch& search) {
  const Watch watch = search.watch != nullptr ? *search.watch : Watch();
  Found out{{treatment, 0, {}}};
  if (search.effort == Effort::kQuick) {
    const bool by_class = score.traits().score_equivalent;
    SearchResult result = by_class ? ges(score, {}, watch) : hill_climb(score, Dag(score.size()), {}, watch);
    out.best.total = result.score;
    out.best.dag = std::move(result.dag);
  } else {
    MatchResult match = boss_and_play(score, search, watch);
    out.best.total = match.score;
    out.best.dag = std::move(match.champion);
  }
  out.gain = out.best.total - total(score, Dag(score.size()));
  return out;
}

// Whether better graphs might reverse the choice between the two treatments that keep the targets.
bool is_close(const Dataset& data, const std::vector<Found>& found) {
  const bool targets = full_treatment(data).targets;
  std::vector<double> totals;
  double doubt = 0;
  for (const Found& one : found) {
    if (one.best.treatment.targets != targets) continue;
    totals.push_back(one.best.total);
    doubt = std::max(doubt, kShortfall * one.gain);
  }
  return totals.size() == 2 && std::abs(totals[0] - totals[1]) < doubt;
}

// Of the treatments that keep the targets, the one whose graph `judge` scores highest.
RegimeTreatment best_kept(const std::vector<TreatmentTotal>& totals, bool targets, const LocalScore& judge) {
  RegimeTreatment best;
  double highest = kNoGain;
  for (const TreatmentTotal& one : totals) {
    if (one.treatment.targets != targets) continue;
    const double value = total(judge, one.dag);
    if (value > highest) {
      highest = value;
      best = one.treatment;
    }
  }
  return best;
}

}  // namespace

TreatmentChoice choose_treatment(const Dataset& data,
                                 const std::function<std::unique_ptr<LocalScore>(const Dataset&)>& make,
                                 const TreatmentSearch& search) {
  const std::vector<RegimeTreatment> possible = possible_treatments(data);
  if (possible.size() == 1) return {possible[0], {}};
  std::vector<Found> found;
  for (const RegimeTreatment& treatment : possible) {
    const Dataset table = with_treatment(data, treatment);
    found.push_back(best_found(treatment, *make(table), search));
  }
  const bool close = is_close(data, found);
  std::vector<TreatmentTotal> totals;
  for (Found& one : found) totals.push_back(std::move(one.best));
  TreatmentChoice choice = choose_among(data, std::move(totals));
  const bool targets = full_treatment(data).targets;
  const RegimeTreatment ahead = choice.best();
  const auto kept = std::ranges::count_if(possible, [&](const RegimeTreatment& one) { return one.targets == targets; });
  const bool judged = kept > 1 && ahead.targets != targets;  // see below; of one there is nothing to choose
  if (search.effort == Effort::kQuick && (close || judged)) {
    TreatmentSearch thorough = search;
    thorough.effort = Effort::kThorough;
    return choose_treatment(data, make, thorough);
  }
  // Targets that are not what they were said to be (soft ones that were declared perfect) distort both totals, and the
  // graph behind the higher one may be the worse by far. A treatment without them that fits better still is the model
  // to trust, so it judges the two graphs.
  if (judged) {
    const Dataset table = with_treatment(data, ahead);
    try {
      choice.used = best_kept(choice.totals, targets, *make(table));
    } catch (const ScoreUndefined&) {  // the choice by total stays
    }
  }
  return choice;
}

}  // namespace agon
