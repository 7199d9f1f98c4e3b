#include "agon/referee/lp_search.h"

#include <fmt/format.h>

#include <cassert>

#include "agon/base/text.h"
#include "agon/certificate/plain_families.h"
#include "agon/opponent/hill_climbing.h"
#include "agon/referee/prover.h"

namespace agon {
namespace {

constexpr double kListShare = 0.5;  // of the work, for listing families
constexpr double kEpsilon = 0.001;  // nats: a graph this near to the bound is the best
static_assert(kMostLpColumns == kMostProofNodes);

// The families of a score that searches ask. A column of gains serves all parents that may be added, so each costs
// little.
class SearchedFamilies final : public plain::FamilyScorer {
 public:
  explicit SearchedFamilies(const LocalScore& score) : score_(score) { constant_ = score.traits().constant; }

  plain::Value local(Node child, Parents parents) const override {
    try {
      return {score_.local(child, parents)};
    } catch (const ScoreUndefined&) {
      return {plain::kUndefined};
    }
  }
  std::vector<plain::Value> additions(Node child, Parents parents, std::span<const Node> others) const override {
    std::vector<double> gains(score_.size());
    std::vector<plain::Value> out(others.size(), plain::Value{plain::kUndefined});
    try {
      const double base = score_.addition_gains(child, parents, gains);
      for (size_t k = 0; k < others.size(); ++k) {
        if (gains[others[k]] != kNoGain) out[k] = {base + gains[others[k]]};
      }
    } catch (const ScoreUndefined&) {  // of the parents alone: nothing can be said of their supersets either
    }
    return out;
  }
  double work_per_family(int /*parents*/) const override { return 2000; }

 private:
  const LocalScore& score_;
};

}  // namespace

SearchResult lp_search(const LocalScore& score, const LpSearchOptions& options, const Watch& watch,
                       const Knowledge& knowledge) {
  const int p = score.size();
  assert(p <= kMostLpColumns);
  SearchResult out;
  out.dag = repair(Dag(p), knowledge);

  // 1. The families that can matter.
  const SearchedFamilies families(score);
  const int cap = score.traits().max_parents;
  watch.tell({.phase = "listing families", .edges = -1});
  const auto lists = list_families(families, knowledge,
                                   {.limit = cap < p - 1 ? cap : 0,
                                    .work = options.work * kListShare,
                                    .memory = options.memory,
                                    .threads = options.threads,
                                    .besides = &out.dag},
                                   watch);

  // 2. Relaxations, each rounded to graphs.
  bool proven = false;
  if (lists) {
    const std::string reach =
        lists->limit == 0 ? "any number of parents" : fmt::format("at most {}", counted(lists->limit, "parent"));
    out.story.push_back(fmt::format("{} families with {} can matter", with_commas(lists->size()), reach));
    Incumbent incumbent;
    begin_with(incumbent, out.dag, kEpsilon, lists->rounding,
               [&](const Dag& dag) { return score_below(families, dag); });
    watch.tell({.phase = "linear programs", .edges = -1});
    Budget budget{.work = options.work};
    CutPool pool(p);
    LocalCutter cutter(p);
    Prover prover({lists->of, true, pool, cutter}, incumbent, budget, watch);
    prover.run({lists->of});
    proven = !budget.is_spent(watch);
    out.dag = incumbent.dag;
    out.steps = budget.rounds;
    out.story.push_back(fmt::format("the best graph of {} has {}", counted(budget.rounds, "linear program"),
                                    counted(out.dag.edge_count(), "edge")));
    if (!has_linear_program()) out.story.push_back("without a linear program: " + why_no_solver());
  }

  // 3. Single edits, which know no limit on parents but the score's.
  const SearchResult climbed = hill_climb(score, out.dag, {.threads = options.threads}, watch, knowledge);
  out.dag = climbed.dag;
  out.score = climbed.score;
  out.steps += climbed.steps;
  out.counts = climbed.counts;
  out.story.push_back(fmt::format("{} made it 1-optimal", counted(climbed.steps, "edit")));
  out.stopped_by = watch.stop_requested() ? watch.stop_reason() : proven ? "no better graph is left" : "work limit";
  return out;
}

}  // namespace agon
