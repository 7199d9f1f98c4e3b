// agon/opponent/fci.h
//
// FCI: what tests of independence say when variables may be hidden (Spirtes, Glymour & Scheines 2000, ch. 6; Zhang
// 2008, Artificial Intelligence 172). Its answer is a Pag.
//
//   auto test = make_independence(data);
//   FciResult r = fci(*test);
//   write_graph(out, named(r.pag, data.names()), "tetrad");
//   SearchResult s = fci_opponent(*test, score, {}, watch, knowledge);     // a Dag of it, with its score
//
// 1. The skeleton of PC (skeleton.h), and in it the unshielded colliders.
// 2. Sets of neighbours may not be enough to separate a pair whose common causes are hidden. So for every pair a - b
//    that is left, sets of Possible-D-Sep(a) and of Possible-D-Sep(b) are tried: the nodes that a path reaches on which
//    every inner node is a collider or part of a triangle. At most `possible_given` columns of a set.
// 3. All marks become circles again; then the unshielded colliders, and the rules R1 to R10 of Zhang 2008 until none
//    applies. Where two colliders disagree about a mark both arrows stand (a <-> b), so no order matters.
//
// With an oracle that answers by d-separation, hidden nodes among them, the result is the true Pag. Rules 5 to 7 speak
// of rows selected by an effect of the columns; where nothing selected them an oracle gives no occasion for these.
//
// As an opponent: a --> b and a o-> b become a -> b, every other edge undirected (without_hidden() in graph/pag.h), and
// that becomes a Dag as that of PC does (pc.h).
//
// Knowledge: pairs forbidden both ways are not adjacent, required ones are, with a tail and an arrow; where one
// direction is forbidden the end that may not be a cause gets an arrow. Rules do not change these marks.
#pragma once

#include "agon/graph/pag.h"
#include "agon/opponent/opponent.h"
#include "agon/opponent/skeleton.h"
#include "agon/score/local_score.h"

namespace agon {

struct FciOptions {
  SkeletonOptions skeleton = {};
  // Most columns of a set of step 2; -1: no limit. Tests given many columns find nothing whatever is true, and every
  // set that finds nothing takes out an edge; and there are very many of them.
  int possible_given = 2;
};

struct FciResult {
  Pag pag;
  Skeleton skeleton{0};
  int removed_late = 0;  // edges that step 2 took out
  long tests = 0;
  std::string stopped_by;
};

FciResult fci(const Independence& test, const FciOptions& options = {}, const Knowledge& knowledge = {},
              const Watch& watch = {});

// Step 3 alone: the marks that follow from a skeleton and what separates its pairs.
Pag orient_pag(const Skeleton& skeleton, const Knowledge& knowledge = {});

SearchResult fci_opponent(const Independence& test, const LocalScore& score, const FciOptions& options = {},
                          const Watch& watch = {}, const Knowledge& knowledge = {});

}  // namespace agon
