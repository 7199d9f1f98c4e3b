// agon/opponent/ges_operators.h
//
// The operators of greedy equivalence search, written plainly: every valid operator that gains, found from scratch, and
// the class it leads to, built from scratch. The incremental search (ges_search.h) is compared with this twin, and
// GesOptions::by_spec runs it.
//
//   for (const GesOperator& op : operators_by_spec(score, cpdag, OperatorKind::kInsert, 1e-9)) {
//     Cpdag next = *applied_by_spec(cpdag, op);
//   }
//
// An operator at the target y makes the neighbours in `clique` parents of y, in addition to those it has (Pa), so that
// the change of score is a difference of local scores:
//   insert  x and y not adjacent, clique = NA + T     s(y, Pa+clique+x) - s(y, Pa+clique)
//   remove  x -> y or x - y,      clique = NA - H     s(y, Pa+clique-x) - s(y, Pa+clique+x)
//   turn    y -> x,               clique = NA + T     insertion at y + s(x, Pa(x)-y) - s(x, Pa(x))
//   turn    x - y,                clique = C          insertion at y + s(x, Pa(x)+(C and N)) - s(x, Pa(x)+(C and N)+y)
// NA: the neighbours of y that are adjacent to x. N: those of them that are neighbours of x.
//
// On a table of experiments the classes are those of cpdag_of(dag, row_set), with the row sets of the score. Operators
// and conditions are the same (Hauser & Buehlmann 2012, section 4); only the completion differs.
#pragma once

#include <compare>
#include <optional>
#include <vector>

#include "agon/graph/knowledge.h"
#include "agon/graph/pdag.h"
#include "agon/score/local_score.h"

namespace agon {

enum class OperatorKind { kInsert, kRemove, kTurn };

struct GesOperator {
  OperatorKind kind = OperatorKind::kInsert;
  Node y = -1;  // the target
  Node x = -1;
  std::vector<Node> clique;  // ascending
  double gain = kNoGain;

  // The order that decides ties.
  bool precedes(const GesOperator& other) const {
    if (y != other.y) return y < other.y;
    if (x != other.x) return x < other.x;
    return clique < other.clique;
  }
};

// All valid operators of this kind with gain >= tolerance, sorted by precedes(). A turn is listed only if its insertion
// at y gains by itself: otherwise it is worse than the deletion of the same edge.
std::vector<GesOperator> operators_by_spec(const LocalScore& score, const Pdag& cpdag, OperatorKind kind,
                                           double tolerance);

// The class the operator leads to, found by a consistent extension of the edited Pdag (Chickering 2002, section 5).
// Nothing if there is no extension, which never happens with a valid operator.
std::optional<Cpdag> applied_by_spec(const Pdag& cpdag, const GesOperator& op, const std::vector<int>& row_set = {});

// A member of the class that satisfies the knowledge, or nothing if none does. With knowledge, GES passes only through
// classes that have such a member. All members of a class score the same, so which one is meant can be decided at the
// end.
std::optional<Dag> member_within(const Pdag& cpdag, const Knowledge& knowledge, const std::vector<int>& row_set = {});

// Does the class the operator leads to have a member that satisfies the knowledge?
bool is_admissible_by_spec(const Pdag& cpdag, const GesOperator& op, const Knowledge& knowledge,
                           const std::vector<int>& row_set = {});

// The operator to apply: the first by precedes() among those whose gain is within `tolerance` of the largest. Null if
// there is none.
const GesOperator* choose(const std::vector<GesOperator>& operators, double tolerance);

}  // namespace agon
