// agon/effect/adjustment.h
//
// Which columns to adjust for, so that a regression shows what setting one variable does to another.
//
//   const Adjustment found = optimal_adjustment(dag, x, y);
//   found.none;                   // x does not cause y in this DAG: the effect is 0
//   found.set;                    // otherwise: regress y on x and these
//
//   const EffectSet effects = possible_effects(graphs, x, y);      // of every DAG of a class
//   effects.identified;           // all of them give the same answer
//   effects.list[0].share;        // of the DAGs that give the first one
//
// In a DAG the optimal set is O(x, y) = pa(cn) - de(cn) - {x}, where cn are the nodes on directed paths from x to y, y
// among them and x not. It is valid, and of all valid sets it gives the smallest asymptotic variance in linear models
// (Henckel, Perković & Maathuis 2022, definition 3.2 and theorem 3.4). It also makes the nodes in cn independent of
// everything else but their own causes, so that rows of any experiment that set none of cn can be used.
//
// In a class, the edges at x are directed in all ways that occur (causal_class.h). Then the total effect is identified:
// every path that may lead from x to y starts with an arrow out of x (Perković 2020, theorem 3.6), and O is the same in
// all members that agree on the edges at x. So one member answers for all of them. Ways that lead to the same set are
// one possible effect.
#pragma once

#include <optional>
#include <vector>

#include "agon/effect/causal_class.h"

namespace agon {

struct Adjustment {
  bool none = false;             // no directed path
  std::vector<Node> set = {};    // ascending
  std::vector<Node> paths = {};  // cn: the nodes on the directed paths, without x; ascending
};

Adjustment optimal_adjustment(const Dag& dag, Node cause, Node outcome);

// One set for all of several causes at once: O = pa(cn) - de(cn) - causes, where cn are the nodes on directed paths
// from a cause to the outcome that meet no other cause. Nothing if no set adjusts for all of them, as when l is between
// them and confounds the second: a -> l -> b with l -> y. If any set is valid then O is (Henckel et al. 2022).
std::optional<Adjustment> joint_adjustment(const Dag& dag, const std::vector<Node>& causes, Node outcome);

// How several causes are estimated: in linear models their joint effect follows from effects of pairs (joint IDA,
// Nandy, Maathuis & Richardson 2017); in others they are taken as one cause with many settings.
enum class SeveralCauses { kByPairs, kTogether };

// One of the effects that the members of a class have.
struct PossibleEffect {
  double share = 0;  // of the members; NaN: not counted
  // By cause: its total effect on the outcome; and, where several causes are set together, on the other causes
  // (`among[i][j]`, by which the joint effect follows: linear_effect.h).
  std::vector<Adjustment> on_outcome;
  std::vector<std::vector<Adjustment>> among;
  // Causes taken together: `on_outcome` has the joint set, the same for each; or, if there is none, the parents of each
  // (counted_effect.h says what they are for).
  bool by_parents = false;
};

struct EffectSet {
  std::vector<Node> causes;
  Node outcome = 0;
  std::vector<PossibleEffect> list;  // the most frequent first; where shares are equal, by set
  bool identified = false;           // there is one
  bool too_many = false;             // more than kMostWays ways: `list` is empty
  // Open edges at a cause that begin a path to the outcome in some member: once they are known, the effect is
  // identified.
  std::vector<Edge> deciding;

  bool counted() const;
};

// The joint effect of setting all of `causes`, which are different and not the outcome.
EffectSet possible_effects(const CausalClass& graphs, const std::vector<Node>& causes, Node outcome,
                           SeveralCauses how = SeveralCauses::kByPairs);
inline EffectSet possible_effects(const CausalClass& graphs, Node cause, Node outcome) {
  return possible_effects(graphs, std::vector<Node>{cause}, outcome);
}

// Does `set` satisfy the adjustment criterion in the DAG (Shpitser, VanderWeele & Robins 2010)? For tests.
bool is_valid_adjustment(const Dag& dag, Node cause, Node outcome, const std::vector<Node>& set);

// Do they give the same estimate? The paths may differ between members that do.
bool same_estimate(const Adjustment& a, const Adjustment& b);

// Nodes that some member of the closed Pdag makes descendants of v, v among them: directed paths that begin where an
// unshielded path of open edges leads (Perković, Kalisch & Maathuis 2017, lemma 3.6).
NodeSet possible_descendants(const Pdag& closed, Node v);

}  // namespace agon
