#include "agon/certificate/proof_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "agon/certificate/plain_bound.h"
#include "agon/certificate/plain_edge_price.h"
#include "agon/certificate/plain_set_scores.h"

namespace agon {
namespace {

constexpr int kMostDepth = 1000;  // of the tree

struct Refused {
  std::string why;
};
struct Stopped {};

// The tree in preorder, with what is left of the lists.
class TreeWalk {
 public:
  TreeWalk(const Proof& proof, const Cuts& cuts, Units goal, ProofVerdict& verdict, const Watch& watch)
      : proof_(proof), cuts_(cuts), goal_(goal), verdict_(verdict), watch_(watch), highest_(goal) {}

  Units highest(SearchSpace space) {
    subtree(std::move(space), 0);
    if (at_ != proof_.steps.size()) throw Refused{"steps after the end of the tree"};
    return highest_;
  }

 private:
  void subtree(SearchSpace space, int depth) {
    if (depth > kMostDepth) throw Refused{"the tree is too deep"};
    for (;;) {
      if (watch_.stop_requested()) throw Stopped{};
      if (at_ == proof_.steps.size()) throw Refused{"the tree is not complete"};
      const ProofStep& step = proof_.steps[at_++];
      switch (step.kind) {
        case ProofStep::Kind::kStage:
          ++verdict_.stages;
          if (!space.has_empty()) drop(space, bound(space, step), goal_);
          break;
        case ProofStep::Kind::kBranch: {
          SearchSpace other = space;
          decide(space, step.from, step.to, true);
          subtree(std::move(space), depth + 1);
          decide(other, step.from, step.to, false);
          subtree(std::move(other), depth + 1);
          return;
        }
        case ProofStep::Kind::kLeaf:
        case ProofStep::Kind::kOpen:
          ++verdict_.leaves;
          if (step.kind == ProofStep::Kind::kOpen) ++verdict_.open;
          // Without a family for some node there is no graph here at all.
          if (!space.has_empty()) highest_ = std::max(highest_, bound(space, step).total);
          return;
        case ProofStep::Kind::kDp: {
          ++verdict_.leaves;
          if (space.has_empty()) return;
          if (largest_part(space) > kMostDpNodes) throw Refused{"dp over too many nodes"};
          if (const auto best = best_by_dp(space)) highest_ = std::max(highest_, best->score);
          return;
        }
      }
    }
  }

  DualBound bound(const SearchSpace& space, const ProofStep& step) const {
    for (const ProofMultiplier& m : step.multipliers) {
      if (m.cut < 0 || m.cut >= static_cast<int>(cuts_.size())) throw Refused{"a multiplier of an unknown cut"};
      if (m.value < 0) throw Refused{"a negative multiplier"};
    }
    return bound_of(space, cuts_, step.multipliers);
  }

  const Proof& proof_;
  const Cuts& cuts_;
  Units goal_;
  ProofVerdict& verdict_;
  const Watch& watch_;
  Units highest_;
  size_t at_ = 0;
};

std::string differs(const Proof& proof, const JudgedScore& score, const Knowledge& knowledge) {
  const Dataset& data = score.data;
  if (proof.checksum != data.checksum()) return "the proof is about another table: its checksum differs";
  if (proof.rows != data.rows() || proof.names != data.names()) return "the proof is about other columns or rows";
  if (proof.score != score.name) return fmt::format("the proof is about the score {}", proof.score);
  if (proof.penalty != score.penalty) return "the proof is about another penalty";
  if (proof.price != plain::edge_price(score.scorer)) return "the proof is about another price per parent";
  const KnownParents known = known_parents(knowledge, data.size());
  if (proof.required != known.required || proof.forbidden != known.forbidden) {
    return "the proof assumes other background knowledge";
  }
  if (proof.graph.size() != data.size() || !is_acyclic(proof.graph)) return "the graph is not acyclic";
  if (!satisfies(proof.graph, knowledge)) return "the graph breaks the background knowledge";
  return "";
}

}  // namespace

KnownParents known_parents(const Knowledge& knowledge, int nodes) {
  KnownParents out;
  if (knowledge.empty()) return out;
  out.required.resize(nodes);
  out.forbidden.resize(nodes);
  bool any_required = false, any_forbidden = false;
  for (Node to = 0; to < nodes; ++to) {
    for (Node from = 0; from < nodes; ++from) {
      if (from == to) continue;
      if (knowledge.is_required({from, to})) out.required[to].push_back(from);
      if (knowledge.is_forbidden({from, to})) out.forbidden[to].push_back(from);
    }
    any_required = any_required || !out.required[to].empty();
    any_forbidden = any_forbidden || !out.forbidden[to].empty();
  }
  if (!any_required) out.required.clear();
  if (!any_forbidden) out.forbidden.clear();
  return out;
}

ProofVerdict check_tree(const Proof& proof, const FamilyLists& lists, int64_t below, const Watch& watch) {
  ProofVerdict out;
  out.limit = proof.limit;
  out.rounding = lists.rounding;
  out.families = lists.size();
  out.epsilon = proof.epsilon;
  out.score = static_cast<double>(below) * kProofUnit;
  if (!(proof.epsilon >= 0) || proof.epsilon > 1e9) {
    out.why = "epsilon is out of range";
    return out;
  }
  const Units goal = static_cast<Units>(below) + plain::units_above(proof.epsilon);
  try {
    const Cuts cuts(proof.cuts, static_cast<int>(lists.of.size()), lists.likelihoods);
    const Units highest = TreeWalk(proof, cuts, goal, out, watch).highest({lists.of});
    out.accepted = true;
    out.proven = highest <= goal && lists.rounding <= kMostRounding;
    out.upper_bound = static_cast<double>(highest) * kProofUnit;
  } catch (const Refused& refused) {
    out.why = refused.why;
  } catch (const InvalidCut& invalid) {
    out.why = invalid.what();
  } catch (const Stopped&) {
    out.unfinished = true;
    out.why = "stopped";
  }
  return out;
}

ProofVerdict check_proof(const Proof& proof, const JudgedScore& score, const Knowledge& knowledge, int threads,
                         const Watch& watch) {
  ProofVerdict out;
  out.why = differs(proof, score, knowledge);
  if (!out.why.empty()) return out;
  const int64_t below = score_below(score.scorer, proof.graph);
  const double found = static_cast<double>(below) * kProofUnit;
  if (!(std::abs(found - proof.claim) <= 1e-5 + 1e-8 * std::abs(found))) {
    out.why = fmt::format("the graph scores {:.6f}, not {:.6f}", found, proof.claim);
    return out;
  }
  const auto lists = list_families(score.scorer, knowledge,
                                   {.limit = proof.limit, .threads = threads, .besides = &proof.graph}, watch);
  if (!lists) {
    out.unfinished = watch.stop_requested();
    out.why = out.unfinished ? "stopped" : "there are too many columns";
    return out;
  }
  if (lists->limit != 0 && lists->limit != proof.limit) {
    out.unfinished = watch.stop_requested();
    out.why = out.unfinished ? "stopped" : "the lists of families do not fit into memory";
    return out;
  }
  return check_tree(proof, *lists, below, watch);
}

}  // namespace agon
