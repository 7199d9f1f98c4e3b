#include "agon/run/proving.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "agon/base/error.h"
#include "agon/base/grace.h"
#include "agon/base/text.h"
#include "agon/opponent/hill_climbing.h"
#include "agon/referee/referee.h"

namespace agon {
namespace {

using Clock = Watch::Clock;

constexpr double kLeastSeconds = 1, kMostSeconds = 15;
constexpr double kLossWork = 60e9;            // for the losses of all edges, unless --prove is given
constexpr std::chrono::seconds kLongest{30};  // by the clock, unless --prove is given

double elapsed_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Is the first judgement worth more than the second? What is proven comes first, then what speaks of more graphs.
bool tells_more(const Judgement& a, const Judgement& b) {
  if (a.judged != b.judged) return a.judged;
  if (a.better.has_value() != b.better.has_value()) return a.better.has_value();
  if (a.proven != b.proven) return a.proven;
  const auto reach = [](const Judgement& j) { return j.limit == 0 ? 1 << 20 : j.limit; };
  if (reach(a) != reach(b)) return reach(a) > reach(b);
  return a.gap() <= b.gap();
}

// One budget after the other, each four times the one before, until it is proven for every graph that was asked about:
// whenever it is stopped, the last finished one tells something.
Judgement prove_on(const ProvingTask& task, const Dag& champion, RefereeOptions options, int wanted,
                   const Watch& watch) {
  Judgement best;
  for (options.work = 4e9; !watch.stop_requested(); options.work *= 4) {
    const Judgement next = judge(task.score, task.knowledge, champion, options, watch);
    if (!best.judged || tells_more(next, best)) best = next;
    if (!next.judged && !watch.stop_requested()) break;
    if (next.proven && (next.limit == 0 || (wanted > 0 && next.limit >= wanted))) break;
    if (options.work > 1e15) break;
  }
  return best;
}

// "" if the better graph is the champion now, else why it is not.
std::string crown(MatchResult& match, const Dag& better, const ProvingTask& task, double seconds, const Watch& watch) {
  const SearchResult climbed =
      hill_climb(task.search_score, better, {.threads = task.threads}, with_grace(watch), task.knowledge);
  if (!(climbed.score > match.score + tie_tolerance(task.search_score))) return "by so little that it is a tie";
  if (match.edge_budget > 0 && climbed.dag.edge_count() > match.edge_budget) {
    return "but has more edges than the budget allows";
  }
  match.champion = climbed.dag;
  match.score = climbed.score;
  match.found_by = "referee";
  match.history.push_back({match.counts.moves, seconds, climbed.score, "referee"});
  match.candidates.push_back(climbed.dag);
  match.ascent_cut = climbed.stopped_by != "no edit improves";
  return "";
}

// Each edge of the champion against the best graph without it.
void add_losses(Proved& out, const ProofSettings& settings, const ProvingTask& task, const Proof& proof,
                RefereeOptions options, const Watch& watch) {
  const auto began = Clock::now();
  options.work = settings.prove ? 1e15 : kLossWork;
  out.losses = edge_losses(task.score, task.knowledge, proof, out.optimum.upper_bound, options, watch);
  long known = 0, proven = 0;
  for (const EdgeLoss& loss : out.losses) {
    for (const auto& bound : {loss.adjacency, loss.direction}) {
      known += bound ? 1 : 0;
      proven += bound && bound->proven ? 1 : 0;
    }
  }
  out.story.push_back(fmt::format("the referee: {} of {} losses of edges were proven, {} bounded, in {:.1f} s",
                                  with_commas(proven), with_commas(2 * static_cast<long>(out.losses.size())),
                                  with_commas(known - proven), elapsed_since(began)));
}

Optimum not_attempted(std::string reason) {
  Optimum out;
  out.reason = std::move(reason);
  return out;
}

Optimum optimum_of(const Judgement& judgement, const Dag& champion) {
  Optimum out;
  out.status = judgement.proven ? Optimum::Status::kProven : Optimum::Status::kGap;
  out.upper_bound = judgement.upper_bound;
  out.gap = judgement.gap();
  out.epsilon = judgement.proof.epsilon;
  out.rounding = judgement.rounding;
  out.max_parents = judgement.limit;
  out.families = judgement.families;
  out.cuts = static_cast<long>(judgement.proof.cuts.size());
  out.reason = judgement.proven ? "" : judgement.stopped_by;
  for (Node v = 0; v < champion.size() && out.max_parents > 0; ++v) {
    out.larger_families = out.larger_families || champion.parents(v).count() > out.max_parents;
  }
  return out;
}

}  // namespace

ProofSettings::ProofSettings(Settings& settings) : settings_(settings) {
  settings.option(prove, {.name = "prove",
                          .help = "after the match, go on until no graph is left that could score higher, or until the "
                                  "time limit, half of which it gets"});
  settings.option(no_prove, {.name = "no-prove", .help = "do not ask how much better any graph could be"});
  settings.option(parents, {.name = "prove-parents",
                            .value = "K",
                            .help = "most parents of a node in the graphs that the proof speaks of",
                            .range = at_least(1),
                            .otherwise = "as many as the time allows, best all"});
  settings.option(losses,
                  {.name = "edge-losses",
                   .help = "for every edge, how much less the best graph without it scores, and the best without "
                           "its arrow"});
}

void ProofSettings::check() {
  if (prove && no_prove) throw UsageError("--prove and --no-prove contradict each other", "omit one of them");
  if (no_prove && settings_.given("prove-parents")) {
    throw UsageError("--prove-parents has no effect with --no-prove", "omit one of them");
  }
  if (no_prove && losses) throw UsageError("--edge-losses has no effect with --no-prove", "omit one of them");
  for (const std::string option : {"prove", "no-prove", "prove-parents", "edge-losses"}) {
    if (!settings_.given(option)) settings_.leave_out(option);
  }
}

Proved prove_champion(const ProofSettings& settings, const ProvingTask& task, MatchResult& match, Watch watch) {
  const auto began = Clock::now();
  const Watch all = watch;
  if (settings.no_prove) return {not_attempted("--no-prove"), "", {}};
  if (watch.stop_requested()) return {not_attempted("no time was left"), "", {}};
  const ScoreTraits& traits = task.search_score.traits();
  const bool capped = traits.max_parents > 0 && traits.max_parents < task.search_score.size() - 1;
  const int cap = capped ? traits.max_parents : 0;
  const int wanted =
      settings.parents > 0 && cap > 0 ? std::min(settings.parents, cap) : std::max(settings.parents, cap);

  // 1. Judge.
  RefereeOptions options{.work = 1e9 * std::clamp(task.search_seconds, kLeastSeconds, kMostSeconds),
                         .limit = wanted,
                         .list_all = settings.parents > 0,
                         .memory = settings.prove ? std::min(task.memory / 2, 8e9) : std::min(task.memory / 2, 5e8),
                         .threads = task.threads};
  if (!settings.prove) watch.deadline = std::min(watch.deadline.value_or(Clock::time_point::max()), began + kLongest);
  Judgement judgement = settings.prove ? prove_on(task, match.champion, options, wanted, watch)
                                       : judge(task.score, task.knowledge, match.champion, options, watch);
  Proved out;
  for (const std::string& sentence : judgement.story) out.story.push_back("the referee: " + sentence);
  if (!judgement.judged) {
    out.optimum = not_attempted(judgement.story.empty() ? "no time was left" : judgement.story.back());
    out.optimum.seconds = elapsed_since(began);
    return out;
  }

  // 2. A better graph is the new champion; what was proven is then about that one.
  if (judgement.better) {
    const double before = match.score, seconds = match.history.empty() ? 0 : match.history.back().seconds;
    const std::string refused = crown(match, *judgement.better, task, seconds, watch);
    out.story.push_back(
        refused.empty()
            ? fmt::format("the referee found a graph that scores {:.3f} more, the new champion", match.score - before)
            : "the referee found a graph that scores higher " + refused);
  }
  judgement.proof.graph = match.champion;
  const int64_t below = score_below(task.score.scorer, match.champion);
  judgement.proof.claim = static_cast<double>(below) * kProofUnit;
  out.proof = to_text(judgement.proof);
  out.optimum = optimum_of(judgement, match.champion);
  out.optimum.seconds = elapsed_since(began);

  // 3. Check it from the table, as a stranger would.
  const auto checking = Clock::now();
  const ProofVerdict checked =
      check_proof(read_proof(out.proof, "proof.txt"), task.score, task.knowledge, task.threads, watch);
  out.optimum.check_seconds = elapsed_since(checking);
  if (checked.unfinished) {
    out.optimum.gap = out.optimum.upper_bound - judgement.proof.claim;
    if (out.optimum.gap > out.optimum.epsilon) out.optimum.status = Optimum::Status::kGap;
    return out;
  }
  if (!checked.accepted) throw GuaranteeViolated("the referee's proof was refused: " + checked.why);
  out.optimum.checked = true;
  out.optimum.status = checked.proven ? Optimum::Status::kProven : Optimum::Status::kGap;
  out.optimum.upper_bound = checked.upper_bound;
  out.optimum.gap = checked.gap();
  out.optimum.leaves = checked.leaves;
  if (settings.losses) add_losses(out, settings, task, judgement.proof, options, all);
  return out;
}

}  // namespace agon
