// agon/effect/pag_next.h
//
// What an experiment would settle in a PAG, where variables may be hidden.
//
//   const PagExperiment best = pag_experiments(pag)[0];
//   best.node; best.circles;     // a variable, and the circles at it
//   best.least;                  // setting it settles so many circles of the graph, whatever comes out
//
// Setting x shows of each neighbour y whether x causes it: y moves with x, or it does not. So every circle at x becomes
// a tail or an arrowhead; and where it is a tail, y does not cause x, so the mark at y is an arrowhead. The rules of
// Zhang 2008 (pag_rules.h) give more; all but R4 are used, which needs to know what separated two nodes.
//
// Outcomes that would make a collider of an unshielded triple that is none, or a node its own ancestor, are excluded.
// Others may be left that no graph has, so `least` is a lower bound. How many graphs belong to an outcome is not known,
// so there is no mean. Beyond kMostPagOutcomes outcomes `least` is the number of circles at the node.
//
// Assumed, beside what FCI assumes: no rows were selected. A Pag with undirected edges, which say the opposite, has no
// answer: pag_experiments() throws InputError.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agon/effect/next_step.h"
#include "agon/graph/pag.h"

namespace agon {

constexpr int kMostPagOutcomes = 256;  // of an experiment on one node

struct PagExperiment {
  Node node = 0;
  int circles = 0;
  int least = 0;
};

int circle_count(const Pag& pag);

// Every node with a circle at it, those that settle most first. `place` is for messages.
std::vector<PagExperiment> pag_experiments(const Pag& pag, const std::string& place = "the graph");

// What is known after an experiment on `node` that moved its neighbours `caused` and no others; nothing if no graph of
// the Pag can come out so, as far as can be told.
std::optional<Pag> after_experiment(const Pag& pag, Node node, const std::vector<Node>& caused);

// With names, by node. A circle belongs to one variable, so a batch settles at least those at all of its variables.
NextAnswer next_answer(const Pag& pag, const std::vector<std::string>& names, int budget, const std::string& place);

}  // namespace agon
