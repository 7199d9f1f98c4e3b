// agon/certificate/plain_class.h
//
// What data and knowledge determine of a graph, written a second time from the definitions, for `agon verify`:
// v-structures, then the rules of Meek until none applies.
//
//   Pdag cpdag = plain::class_of(dag);                 // agon/graph: cpdag_of, by Chickering's labelling
//   Pdag mpdag = plain::class_of(dag, knowledge);      // agon/graph: mpdag_of
//
// Directed edges are those that all members of the class (which satisfy the knowledge) share. Meek 1995, UAI, "Causal
// inference and causal explanation with background knowledge": rules 1 to 4.
#pragma once

#include "agon/graph/knowledge.h"
#include "agon/graph/pdag.h"

namespace agon::plain {

// `dag` must be acyclic and satisfy the knowledge.
Pdag class_of(const Dag& dag, const Knowledge& knowledge = {});

}  // namespace agon::plain
