// agon/graph/sid.h
//
// Structural intervention distance: how many of the p(p-1) causal questions "what does setting i do to j?" a predicted
// DAG answers wrongly when the truth is another DAG (Peters & Bühlmann 2015, Neural Computation 27).
//
//   long wrong = sid(truth, predicted);       // 0 .. p(p-1); not symmetric
//
// The predicted graph answers by adjusting for the parents Z of i in it. As they show, the answer for (i, j) is
// wrong exactly when
//   - j is in Z (so "no effect" is claimed) although j descends from i in the truth, or
//   - j is not in Z, and Z is not a valid adjustment set for (i, j) in the truth: some member of Z descends from a node
//     W != i on a directed path from i to j (W itself counts), or some other path from i to j is open given Z.
// It is zero exactly when every true edge is predicted: extra edges cost nothing here, so read it beside SHD. Time
// O(p (p + edges)).
#pragma once

#include <optional>

#include "agon/base/stop.h"
#include "agon/graph/dag.h"

namespace agon {

long sid(const Dag& truth, const Dag& predicted);

// Nothing if a stop was requested before the last cause was looked at.
std::optional<long> sid(const Dag& truth, const Dag& predicted, const Watch& watch);

// Whether the effect of `cause` on each node is answered wrongly: one row of the count above.
NodeSet wrong_effects(const Dag& truth, Node cause, NodeView predicted_parents);

}  // namespace agon
