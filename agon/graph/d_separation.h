// agon/graph/d_separation.h
//
// Which independences a DAG implies: a and b are d-separated by a set when the set blocks every path between them. Then
// they are independent given that set in every distribution that the DAG can describe.
//
//   NodeSet given(p);  given.insert(2);
//   d_separated(dag, 0, 1, given);
//
// A path is blocked by a non-collider inside the set, or by a collider that neither is in the set nor has a descendant
// there (Pearl 1988). Computed by reachability in time linear in the edges (Shachter 1998; Koller & Friedman 2009,
// algorithm 3.1).
#pragma once

#include "agon/graph/dag.h"
#include "agon/graph/node_set.h"

namespace agon {

// a and b are different and not in `given`.
bool d_separated(const Dag& dag, Node a, Node b, NodeView given);

// The nodes outside `given` that are not d-separated from a by it; a, which is not in `given`, is among them.
NodeSet d_connected(const Dag& dag, Node a, NodeView given);

// `nodes` and all their ancestors (descendants): everything with a directed path to (from) them, of any length
// including 0.
NodeSet ancestors(const Dag& dag, NodeView nodes);
NodeSet descendants(const Dag& dag, NodeView nodes);

// Parents, children, and the other parents of the children: the smallest set that separates v from all other nodes.
NodeSet markov_blanket(const Dag& dag, Node v);

}  // namespace agon
