#include "agon/referee/referee.h"

#include <fmt/format.h>

#include <algorithm>

#include "agon/base/text.h"
#include "agon/certificate/plain_edge_price.h"
#include "agon/certificate/plain_set_scores.h"
#include "agon/referee/prover.h"

namespace agon {
namespace {

constexpr double kListWork = 0.5;  // share of the budget for listing families

std::string limit_text(int limit) {
  return limit == 0 ? "any number of parents" : fmt::format("at most {}", counted(limit, "parent"));
}

}  // namespace

Judgement judge(const JudgedScore& score, const Knowledge& knowledge, const Dag& champion,
                const RefereeOptions& options, const Watch& watch) {
  Judgement out;
  const int p = score.data.size();
  if (p > kMostProofNodes) {
    out.story.push_back(fmt::format("the referee takes at most {} columns, and there are {}", kMostProofNodes, p));
    return out;
  }
  // 1. The families that can matter.
  Budget budget{.work = options.work};
  const FamilyOptions listing{.limit = options.limit,
                              .least = options.list_all && options.limit > 0 ? options.limit : 1,
                              .work = options.work * kListWork,
                              .memory = options.memory,
                              .threads = options.threads,
                              .besides = &champion};
  watch.tell({.phase = "listing families", .edges = -1});
  const auto lists = list_families(score.scorer, knowledge, listing, watch);
  if (!lists) {
    out.stopped_by = watch.stop_reason();
    out.story.push_back("the referee was stopped while it listed the families");
    return out;
  }
  out.limit = lists->limit;
  out.families = lists->size();
  out.rounding = lists->rounding;
  out.story.push_back(fmt::format("{} families with {} can matter; {} sets were scored", with_commas(lists->size()),
                                  limit_text(lists->limit), with_commas(lists->sets)));

  // 2. The bound, and better graphs on the way.
  const double epsilon = std::max(options.epsilon, 2 * lists->rounding);
  Incumbent incumbent;
  begin_with(incumbent, champion, epsilon, lists->rounding,
             [&](const Dag& dag) { return score_below(score.scorer, dag); });
  watch.tell({.phase = "proof", .edges = -1});
  CutPool pool(p, lists->likelihoods);
  LocalCutter cutter(p);
  Prover prover({lists->of, options.dp, pool, cutter}, incumbent, budget, watch);
  prover.run({lists->of});

  // 3. The proof, and what it shows.
  if (incumbent.dag != champion) out.better = incumbent.dag;
  const KnownParents known = known_parents(knowledge, p);
  out.proof = {.checksum = score.data.checksum(),
               .rows = score.data.rows(),
               .score = score.name,
               .penalty = score.penalty,
               .price = plain::edge_price(score.scorer),
               .limit = lists->limit,
               .required = known.required,
               .forbidden = known.forbidden,
               .names = score.data.names(),
               .graph = incumbent.dag,
               .claim = static_cast<double>(incumbent.score) * kProofUnit,
               .epsilon = epsilon,
               .cuts = {},
               .steps = {}};
  prover.write(out.proof);
  const ProofVerdict shown = check_tree(out.proof, *lists, static_cast<int64_t>(incumbent.score));
  out.judged = shown.accepted;
  out.proven = shown.proven;
  out.score = shown.score;
  out.upper_bound = shown.upper_bound;
  if (!out.proven) out.stopped_by = watch.stop_requested() ? watch.stop_reason() : "work";
  if (prover.visited() > 0) {
    out.story.push_back(fmt::format(
        "{} linear program{}, {} point{} of the tree; gap {:.4g} after dual ascent, {:.4g} at "
        "the root, {:.4g} at the end",
        with_commas(budget.rounds), budget.rounds == 1 ? "" : "s", prover.visited(), prover.visited() == 1 ? "" : "s",
        static_cast<double>(prover.after_ascent() - incumbent.score) * kProofUnit,
        std::max(0.0, static_cast<double>(prover.root_bound() - incumbent.score) * kProofUnit), out.gap()));
  }
  if (!out.judged) out.story.push_back("the proof was refused: " + shown.why);
  if (prover.visited() > 0 && !has_linear_program())
    out.story.push_back("without a linear program: " + why_no_solver());
  return out;
}

}  // namespace agon
