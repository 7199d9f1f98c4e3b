#include "agon/referee/prover.h"

#include <algorithm>
#include <cmath>

#include "agon/referee/dual_ascent.h"

namespace agon {
namespace {

constexpr int kDpAtOnce = 16;        // nodes on cycles with each other that dynamic programming takes in milliseconds
constexpr double kAscentWork = 0.3;  // share of the budget for the bound without a linear program

// Of dynamic programming over the sets of so many nodes, in nanoseconds, roughly.
double dp_work(int nodes) { return std::pow(2.0, nodes) * 1000; }

}  // namespace

void Prover::run(SearchSpace space, const RelaxationStart& start) {
  tree_.emplace_back();
  tree_[0].space = std::make_unique<SearchSpace>(std::move(space));
  if (tree_[0].space->has_empty()) return;
  if (finish_by_dp(0, kDpAtOnce)) return;
  tree_[0].start = start;
  if (start.cuts.empty()) {
    const AscentResult ascent = dual_ascent(*tree_[0].space, means_.pool, budget_.work * kAscentWork, watch_);
    budget_.used += ascent.work;
    tree_[0].start.multipliers = ascent.multipliers;
    for (const ProofMultiplier& m : ascent.multipliers) tree_[0].start.cuts.push_back(m.cut);
  }
  tree_[0].bound = bound_of(*tree_[0].space, means_.pool.cuts(), tree_[0].start.multipliers).total;
  after_ascent_ = tree_[0].bound;
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

void Prover::write(Proof& proof) const {
  std::map<int, int> number;
  const auto renumber = [&](ProofStep step) {
    for (ProofMultiplier& m : step.multipliers) {
      const auto [at, is_new] = number.emplace(m.cut, static_cast<int>(proof.cuts.size()));
      if (is_new) proof.cuts.push_back(means_.pool.text(m.cut));
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

int Prover::best_waiting() const {
  return std::ranges::max_element(waiting_, [](const auto& a, const auto& b) { return a.second < b.second; })->first;
}

void Prover::visit(int index) {
  if (finish_by_dp(index, kDpAtOnce)) return;
  Relaxation relaxation(std::move(*tree_[index].space), means_.pool, means_.cutter, std::move(tree_[index].start),
                        incumbent_, means_.lists);
  tree_[index].space.reset();
  // Where dynamic programming could do the same, the linear program may cost as much and no more.
  Budget part = budget_;
  if (means_.dp && largest_part(relaxation.space()) <= kMostDpNodes)
    part.work = std::min(part.work, part.used + dp_work(largest_part(relaxation.space())));
  relaxation.solve(part, watch_);
  budget_.used = part.used;
  budget_.rounds = part.rounds;
  if (index == 0) root_bound_ = relaxation.bound();
  tree_[index].stages = relaxation.steps();
  tree_[index].bound = relaxation.bound();
  if (relaxation.is_closed()) {
    tree_[index].end = {.kind = ProofStep::Kind::kLeaf, .multipliers = relaxation.multipliers()};
    return;
  }
  const int nodes = largest_part(relaxation.space());
  if (nodes <= kDpAtOnce || (nodes <= kMostDpNodes && budget_.used + dp_work(nodes) < budget_.work)) {
    tree_[index].space = std::make_unique<SearchSpace>(relaxation.space());
    if (finish_by_dp(index, kMostDpNodes)) return;
  }
  const std::optional<Edge> arc = relaxation.branch_arc();
  if (budget_.is_spent(watch_) || !arc) {
    leave_open(index, relaxation.multipliers());
    return;
  }
  tree_[index].end = {.kind = ProofStep::Kind::kBranch, .multipliers = {}, .from = arc->from, .to = arc->to};
  add_child(relaxation, index, *arc, true);
  add_child(relaxation, index, *arc, false);
}

void Prover::add_child(const Relaxation& relaxation, int parent, Edge arc, bool stands) {
  const int child = static_cast<int>(tree_.size());
  tree_.emplace_back();
  (stands ? tree_[parent].with : tree_[parent].without) = child;
  auto space = std::make_unique<SearchSpace>(relaxation.space());
  decide(*space, arc.from, arc.to, stands);
  if (space->has_empty()) {
    tree_[child].end = {.kind = ProofStep::Kind::kLeaf};
    return;
  }
  tree_[child].start = relaxation.start_of_child();
  tree_[child].bound = bound_of(*space, means_.pool.cuts(), tree_[child].start.multipliers).total;
  if (tree_[child].bound <= incumbent_.goal) {
    tree_[child].end = {.kind = ProofStep::Kind::kLeaf, .multipliers = tree_[child].start.multipliers};
    return;
  }
  tree_[child].space = std::move(space);
  waiting_.emplace(child, tree_[child].bound);
}

bool Prover::finish_by_dp(int index, int most) {
  SearchSpace& space = *tree_[index].space;
  if (!means_.dp || largest_part(space) > most) return false;
  budget_.used += dp_work(largest_part(space));
  const auto best = best_by_dp(space);
  if (best) incumbent_.offer(best->dag);
  tree_[index].end = {.kind = ProofStep::Kind::kDp};
  tree_[index].space.reset();
  return true;
}

void Prover::leave_open(int index, const std::vector<ProofMultiplier>& multipliers) {
  tree_[index].end = {.kind = ProofStep::Kind::kOpen, .multipliers = multipliers};
  tree_[index].space.reset();
}

}  // namespace agon
