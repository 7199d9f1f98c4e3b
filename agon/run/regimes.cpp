#include "agon/run/regimes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "agon/match/match.h"
#include "agon/opponent/boss.h"

namespace agon {
namespace {

constexpr double kNoteworthy = 3;  // nats; the strength below which an edge is weak

const TreatmentTotal& best_of(const std::vector<TreatmentTotal>& totals) {
  return *std::max_element(totals.begin(), totals.end(),
                           [](const TreatmentTotal& a, const TreatmentTotal& b) { return a.total < b.total; });
}

// BOSS, and half a percent of the usual play after it: on dense graphs BOSS alone may end a nat below the best.
double best_total(const LocalScore& score, const TreatmentSearch& search) {
  const Rng rng = Rng(search.seed).split("treatments");
  const Entrant entrant{"boss", [&](const Watch& watch, const OpponentResults&) {
                          return boss(score, {.threads = search.threads}, rng, watch);
                        }};
  const MatchOptions options{.moves = default_moves(score) / 200, .threads = search.threads};
  return play_match(score, {entrant}, options, Knowledge(score.size()), rng,
                    search.watch != nullptr ? *search.watch : Watch())
      .score;
}

}  // namespace

TreatmentChoice choose_treatment(const Dataset& data,
                                 const std::function<std::unique_ptr<LocalScore>(const Dataset&)>& make,
                                 const TreatmentSearch& search) {
  TreatmentChoice out;
  const RegimeTreatment full = full_treatment(data);
  std::vector<TreatmentTotal> allowed;
  for (const bool targets : {false, true}) {
    for (const bool within : {false, true}) {
      if ((targets && !full.targets) || (within && !full.within)) continue;
      const RegimeTreatment treatment{.targets = targets, .within = within};
      const Dataset table = with_treatment(data, treatment);
      const std::unique_ptr<LocalScore> score = make(table);
      out.totals.push_back({treatment, best_total(*score, search)});
      if (targets == full.targets) allowed.push_back(out.totals.back());
    }
  }
  out.used = best_of(allowed).treatment;
  if (out.totals.size() == 1) out.totals.clear();
  return out;
}

std::string TreatmentChoice::remark() const {
  if (totals.empty()) return "";
  const TreatmentTotal& best = best_of(totals);
  const auto own = std::find_if(totals.begin(), totals.end(), [&](const auto& t) { return t.treatment == used; });
  const double ahead = best.total - own->total;
  const RegimeTreatment without{.targets = false, .within = used.within};
  for (const TreatmentTotal& other : totals) {
    if (!used.targets || other.treatment != without) continue;
    if (std::abs(other.total - own->total) > 1e-9 * (1 + std::abs(own->total))) continue;
    return used.within ? "soft targets say nothing here: every variable has a mean of its own in each batch anyway"
                       : "the targets make no difference to the fit";
  }
  if (best.treatment == used || ahead < kNoteworthy) return "";
  if (used.targets && !best.treatment.targets && best.treatment.within == used.within) {
    return fmt::format("without targets the fit is better by {:.0f} nats: the interventions look soft", ahead);
  }
  if (used.targets && !best.treatment.targets) {
    return fmt::format(
        "without targets ({}) the fit is better by {:.0f} nats: the interventions look soft, or miss "
        "what they aim at",
        to_string(best.treatment), ahead);
  }
  return fmt::format("the fit is better by {:.0f} nats under \"{}\"", ahead, to_string(best.treatment));
}

}  // namespace agon
