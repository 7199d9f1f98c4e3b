// agon/opponent/fci.h
//
// FCI: what tests of independence imply when some variables may be hidden (Spirtes, Glymour & Scheines 2000, ch. 6;
// Zhang 2008, Artificial Intelligence 172). The answer is a Pag.
//
//   auto test = make_independence(data);
//   FciResult r = fci(*test);
//   write_graph(out, named(r.pag, data.names()), "tetrad");
//   SearchResult s = fci_opponent(*test, score, {}, watch, knowledge);     // a Dag of it, with its score
//
// 1. The skeleton of PC (skeleton.h), and its unshielded colliders.
// 2. Sets of neighbours may not be enough to separate a pair whose common causes are hidden. So for every pair a - b
//    that is left, subsets of Possible-D-Sep(a) and of Possible-D-Sep(b) are tried. These are the nodes reached by a
//    path on which every inner node is a collider or part of a triangle. A set has at most `possible_given` columns.
// 3. All marks become circles again. Then the unshielded colliders are marked, and the rules R1 to R10 of Zhang 2008
//    are applied until none changes anything. Where two colliders disagree about an edge, it gets both arrows
//    (a <-> b), so that the order does not matter.
//
// With an oracle that answers by d-separation, the result is the true Pag even if there are hidden nodes. Rules 5 to 7
// are about rows that were selected by an effect of the columns; where there was no selection, an oracle never triggers
// them.
//
// As an opponent: a --> b and a o-> b become a -> b, and every other edge becomes undirected (without_hidden() in
// graph/pag.h). The result becomes a Dag in the same way as the graph of PC (pc.h).
//
// Knowledge: pairs forbidden both ways are not adjacent; required pairs are, with a tail and an arrow. Where one
// direction is forbidden, the end that may not be a cause gets an arrow. The rules do not change these marks.
#pragma once

#include "agon/graph/pag.h"
#include "agon/opponent/opponent.h"
#include "agon/opponent/skeleton.h"
#include "agon/score/local_score.h"

namespace agon {

struct FciOptions {
  SkeletonOptions skeleton = {};
  // The most columns of a set in step 2; -1: no limit. There are very many sets. Tests given many columns rarely find a
  // dependence even where there is one, and every set that finds none removes an edge.
  int possible_given = 2;
};

struct FciResult {
  Pag pag;
  Skeleton skeleton{0};
  int removed_late = 0;  // edges that step 2 removed
  long tests = 0;
  std::string stopped_by;
};

FciResult fci(const Independence& test, const FciOptions& options = {}, const Knowledge& knowledge = {},
              const Watch& watch = {});

// Step 3 alone: the marks that follow from a skeleton and its separating sets.
Pag orient_pag(const Skeleton& skeleton, const Knowledge& knowledge = {});

SearchResult fci_opponent(const Independence& test, const LocalScore& score, const FciOptions& options = {},
                          const Watch& watch = {}, const Knowledge& knowledge = {});

}  // namespace agon
