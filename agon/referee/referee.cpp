#include "agon/referee/referee.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "agon/base/text.h"
#include "agon/certificate/plain_edge_price.h"
#include "agon/certificate/plain_set_scores.h"
#include "agon/referee/dual_ascent.h"
#include "agon/referee/relaxation.h"
#include "agon/referee/rounding.h"

namespace agon {
namespace {

constexpr int kDpAtOnce = 16;        // nodes on cycles with each other that dynamic programming takes in milliseconds
constexpr double kAscentWork = 0.3;  // share of the budget for the bound without a linear program
constexpr double kListWork = 0.5;    // share of the budget for listing families

// A point of the tree, with what the proof says about it.
struct TreeNode {
  std::vector<ProofStep> stages;
  ProofStep end = {};                  // leaf, open or dp; of a branch, the branch
  int with = -1, without = -1;         // children of a branch
  std::unique_ptr<SearchSpace> space;  // while it waits
  RelaxationStart start = {};
  Units bound = 0;
};

class Prover {
 public:
  Prover(const FamilyLists& lists, bool dp, Incumbent& incumbent, Budget& budget, const Watch& watch)
      : lists_(lists),
        dp_(dp),
        incumbent_(incumbent),
        budget_(budget),
        watch_(watch),
        pool_(static_cast<int>(lists.of.size())),
        cutter_(static_cast<int>(lists.of.size())) {}

  void run() {
    tree_.emplace_back();
    tree_[0].space = std::make_unique<SearchSpace>(SearchSpace{lists_.of});
    if (tree_[0].space->has_empty()) return;
    if (finish_by_dp(0, kDpAtOnce)) return;
    const AscentResult ascent = dual_ascent(*tree_[0].space, pool_, budget_.work * kAscentWork, watch_);
    budget_.used += ascent.work;
    after_ascent = ascent.bound;
    tree_[0].start.multipliers = ascent.multipliers;
    for (const ProofMultiplier& m : ascent.multipliers) tree_[0].start.cuts.push_back(m.cut);
    tree_[0].bound = bound_of(*tree_[0].space, pool_.cuts(), ascent.multipliers).total;
    waiting_.emplace(0, tree_[0].bound);
    while (!waiting_.empty()) {
      const int next = best_waiting();
      if (budget_.is_spent(watch_) && visited_ > 0) break;
      ++visited_;
      waiting_.erase(next);
      visit(next);
    }
    for (const auto& [node, bound] : waiting_) leave_open(node, tree_[node].start.multipliers);
  }

  // The proof of what was found, with only the cuts that it uses.
  void write(Proof& proof) const {
    std::map<int, int> number;
    const auto renumber = [&](ProofStep step) {
      for (ProofMultiplier& m : step.multipliers) {
        const auto [at, is_new] = number.emplace(m.cut, static_cast<int>(proof.cuts.size()));
        if (is_new) proof.cuts.push_back(pool_.text(m.cut));
        m.cut = at->second;
      }
      return step;
    };
    const auto append = [&](auto&& self, int node) -> void {
      for (const ProofStep& stage : tree_[node].stages) proof.steps.push_back(renumber(stage));
      proof.steps.push_back(renumber(tree_[node].end));
      if (tree_[node].with >= 0) {
        self(self, tree_[node].with);
        self(self, tree_[node].without);
      }
    };
    append(append, 0);
  }

  int visited() const { return visited_; }
  Units root_bound() const { return root_bound_; }
  Units after_ascent = 0;

 private:
  int best_waiting() const {
    return std::ranges::max_element(waiting_, [](const auto& a, const auto& b) { return a.second < b.second; })->first;
  }

  void visit(int index) {
    if (finish_by_dp(index, kDpAtOnce)) return;
    Relaxation relaxation(std::move(*tree_[index].space), pool_, cutter_, std::move(tree_[index].start), incumbent_,
                          lists_.of);
    tree_[index].space.reset();
    relaxation.solve(budget_, watch_);
    if (index == 0) root_bound_ = relaxation.bound();
    tree_[index].stages = relaxation.steps();
    tree_[index].bound = relaxation.bound();
    if (relaxation.is_closed()) {
      tree_[index].end = {.kind = ProofStep::Kind::kLeaf, .multipliers = relaxation.multipliers()};
      return;
    }
    const int part = largest_part(relaxation.space());
    const double dp_work = std::pow(2.0, part) * part * part;
    if (part <= kDpAtOnce || (part <= kMostDpNodes && budget_.used + dp_work < budget_.work)) {
      tree_[index].space = std::make_unique<SearchSpace>(relaxation.space());
      if (finish_by_dp(index, kMostDpNodes)) return;
    }
    const std::optional<Edge> arc = relaxation.branch_arc();
    if (budget_.is_spent(watch_) || !arc) {
      leave_open(index, relaxation.multipliers());
      return;
    }
    tree_[index].end = {.kind = ProofStep::Kind::kBranch, .multipliers = {}, .from = arc->from, .to = arc->to};
    for (const bool stands : {true, false}) {
      const int child = static_cast<int>(tree_.size());
      tree_.emplace_back();
      (stands ? tree_[index].with : tree_[index].without) = child;
      auto space = std::make_unique<SearchSpace>(relaxation.space());
      decide(*space, arc->from, arc->to, stands);
      if (space->has_empty()) {
        tree_[child].end = {.kind = ProofStep::Kind::kLeaf};
        continue;
      }
      tree_[child].start = relaxation.start_of_child();
      tree_[child].bound = bound_of(*space, pool_.cuts(), tree_[child].start.multipliers).total;
      tree_[child].space = std::move(space);
      if (tree_[child].bound <= incumbent_.goal) {
        tree_[child].end = {.kind = ProofStep::Kind::kLeaf, .multipliers = tree_[child].start.multipliers};
        tree_[child].space.reset();
      } else {
        waiting_.emplace(child, tree_[child].bound);
      }
    }
  }

  bool finish_by_dp(int index, int most) {
    SearchSpace& space = *tree_[index].space;
    if (!dp_ || largest_part(space) > most) return false;
    budget_.used += std::pow(2.0, largest_part(space)) * 1000;
    const auto best = best_by_dp(space);
    if (best) incumbent_.offer(best->dag);
    tree_[index].end = {.kind = ProofStep::Kind::kDp};
    tree_[index].space.reset();
    return true;
  }

  void leave_open(int index, const std::vector<ProofMultiplier>& multipliers) {
    tree_[index].end = {.kind = ProofStep::Kind::kOpen, .multipliers = multipliers};
    tree_[index].space.reset();
  }

  const FamilyLists& lists_;
  bool dp_;
  Incumbent& incumbent_;
  Budget& budget_;
  const Watch& watch_;
  CutPool pool_;
  LocalCutter cutter_;
  std::vector<TreeNode> tree_;
  std::map<int, Units> waiting_;
  int visited_ = 0;
  Units root_bound_ = 0;
};

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
  const auto lists = list_families(score, knowledge, listing, watch);
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
  Incumbent incumbent;
  incumbent.dag = champion;
  incumbent.score = score_below(score, champion);
  const double epsilon = std::max(options.epsilon, 2 * lists->rounding);
  const auto set_goal = [&] { incumbent.goal = incumbent.score + plain::units_above(epsilon); };
  set_goal();
  incumbent.offer = [&](const Dag& dag) {
    const Units found = score_below(score, dag);
    // A graph of the same class scores the same up to rounding; that is no news.
    if (found <= incumbent.score + plain::units_above(std::min(epsilon, 1e-3))) return false;
    incumbent.score = found;
    incumbent.dag = dag;
    set_goal();
    return true;
  };
  watch.tell({.phase = "proof", .edges = -1});
  Prover prover(*lists, options.dp, incumbent, budget, watch);
  prover.run();

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
        static_cast<double>(prover.after_ascent - incumbent.score) * kProofUnit,
        std::max(0.0, static_cast<double>(prover.root_bound() - incumbent.score) * kProofUnit), out.gap()));
  }
  if (!out.judged) out.story.push_back("the proof was refused: " + shown.why);
  if (prover.visited() > 0 && !has_linear_program())
    out.story.push_back("without a linear program: " + why_no_solver());
  return out;
}

}  // namespace agon
