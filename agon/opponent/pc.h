// agon/opponent/pc.h
//
// PC: the graph whose separations are the independences that tests find in the data (Spirtes, Glymour & Scheines 2000,
// ch. 5.4), in its order-independent form (Colombo & Maathuis 2014, JMLR 15).
//
//   auto test = make_independence(data);
//   PcResult r = pc(*test, {.skeleton = {.alpha = 0.01}});
//   r.pdag;                         // directed where the tests decide, undirected where they leave it open
//   SearchResult s = pc_opponent(*test, score, {}, watch, knowledge);       // a Dag of it, with its score
//
// 1. Skeleton: skeleton.h.
// 2. Colliders. Let m be a neighbour of both a and b, which are not adjacent. If m is a collider, a and b become
//    dependent once m is known; if not, they become independent. So tests given S are compared with tests given S and
//    m, for all sets S of neighbours of a or of b, up to the size of the largest tried before. m is a collider if
//
//      mean over S of  ln p(S) - ln p(S and m)  >  ln 2
//
//    where p-values below the level count as the level, and pairs that are both below it do not count. One pair alone
//    would say little: where both separate a and b, which p-value is larger is chance. The rule depends on no order of
//    columns, as do those that look for the largest p-value (Ramsey 2016, arXiv:1610.00378) or count the sets
//    that separate (Colombo & Maathuis). docs/results/tables.md compares them. Colliders enter by descending mean (then
//    by nodes). A collider that would reverse an edge already directed is omitted, and counted as a conflict.
// 3. Every edge that the rules of Meek 1995 then force is directed.
//
// With an oracle that answers by d-separation, the result is the CPDAG of the true graph, and the Dag is its central
// member (graph/central_member.h). With tests on data there may be no consistent extension. Then the Dag is that of
// dag_by_rule() in graph/equivalence.h, and the story says so. The Dag gets the required edges first, then each of the
// others unless it closes a cycle, exceeds the cap on parents or determines a column (weighted_graph.h).
//
// Knowledge: directions that are required, or allowed only one way, are set before the colliders, which may not reverse
// them.
#pragma once

#include "agon/graph/pdag.h"
#include "agon/opponent/opponent.h"
#include "agon/opponent/skeleton.h"
#include "agon/score/local_score.h"

namespace agon {

struct PcOptions {
  SkeletonOptions skeleton = {};
};

struct PcResult {
  Pdag pdag;
  Skeleton skeleton{0};
  int colliders = 0;  // those that entered
  int conflicts = 0;  // those that did not
  long tests = 0;     // including those for colliders
  std::string stopped_by;
};

PcResult pc(const Independence& test, const PcOptions& options = {}, const Knowledge& knowledge = {},
            const Watch& watch = {});

SearchResult pc_opponent(const Independence& test, const LocalScore& score, const PcOptions& options = {},
                         const Watch& watch = {}, const Knowledge& knowledge = {});

// A Dag for the score from a partially directed graph, as described above; adds what it did to the story.
Dag dag_for_score(const Pdag& pdag, const LocalScore& score, const Knowledge& knowledge,
                  std::vector<std::string>& story);

}  // namespace agon
