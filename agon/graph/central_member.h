// agon/graph/central_member.h
//
// Data cannot tell the members of an equivalence class apart, yet an answer that is a DAG has to be one of them. This
// chooses a member that is near to all the others, so that whichever of them is true, few edges point the wrong way.
//
//   Dag central = *central_member(cpdag_of(dag));          // a - b - c: a <- b -> c, one edge from either other member
//
// Each connected piece of undirected edges is directed away from its *median*, the node with the smallest sum of
// distances to the others; what this leaves undirected falls into smaller pieces, which are directed in the same
// way. If the piece is a tree, the result is the member with the smallest mean SHD to all members: a member is given by
// its root, and two members differ in the edges on the path between their roots. Otherwise it is close to that.
//
// Ties go to the node that comes first in the order of consistent_extension(), so the answer is deterministic. At
// p = 2000 with 4000 edges it takes some 10 ms, with one undirected tree of all nodes 60.
#pragma once

#include <optional>

#include "agon/graph/dag.h"
#include "agon/graph/pdag.h"

namespace agon {

// The central one of the consistent extensions of `pdag`, which may be a CPDAG, the MPDAG of a class under background
// knowledge, or any other. All extensions belong to one class. Nothing when there is none.
std::optional<Dag> central_member(const Pdag& pdag);

}  // namespace agon
