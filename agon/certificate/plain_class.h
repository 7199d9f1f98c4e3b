// agon/certificate/plain_class.h
//
// Which arrows of a graph the data and the knowledge determine, implemented a second time from the definitions, for
// `agon verify`: v-structures, then Meek's rules until none applies.
//
//   Pdag cpdag = plain::class_of(dag);                 // agon/graph: cpdag_of, by Chickering's labelling
//   Pdag mpdag = plain::class_of(dag, knowledge);      // agon/graph: mpdag_of
//   plain::class_of(dag, {}, plain::Experiments(data).row_set());   // agon/graph: cpdag_of(dag, row_set)
//
// An edge is directed when all members of the class that satisfy the knowledge share its arrow. Meek 1995, UAI, "Causal
// inference and causal explanation with background knowledge": rules 1 to 4. Experiments determine the edges between
// variables that different rows tell about (Hauser & Bühlmann 2012, theorem 10; plain_regimes.h), and with them more.
#pragma once

#include <vector>

#include "agon/graph/knowledge.h"
#include "agon/graph/pdag.h"

namespace agon::plain {

// `dag` must be acyclic and satisfy the knowledge. `row_set` by node; empty: there were no experiments.
Pdag class_of(const Dag& dag, const Knowledge& knowledge = {}, const std::vector<int>& row_set = {});

}  // namespace agon::plain
