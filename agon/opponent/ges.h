// agon/opponent/ges.h
//
// Greedy equivalence search: steepest ascent over Markov equivalence classes instead of single DAGs.
//
//   auto score = make_score("auto", data);
//   SearchResult r = ges(*score);
//   r.cpdag, r.dag, r.score, r.story;        // the class, its central member, the score, one sentence per phase
//
// Three phases. Each applies the operator that gains most until none gains:
//   forward    Insert(X, Y, T)   an edge X -> Y enters, T -> Y are directed        Chickering 2002, theorem 15
//   backward   Delete(X, Y, H)   the edge between X and Y goes                     Chickering 2002, theorem 17
//   turning    Turn(X, Y, C)     Y -> X or X - Y becomes X -> Y                    Hauser & Buehlmann 2012
//
// All three are repeated until none of them finds anything. Forward and backward alone find the true class in the limit
// of large samples; turning repairs some of the errors that a finite sample leads them into.
//
// On a table of experiments (a score with row sets) the classes are those of cpdag_of(dag, row_set), and the operators
// those of GIES (Hauser & Buehlmann 2012). An edge that experiments direct has a direction from the moment it enters;
// only turning can correct it when more of the graph is known. So there are no phases: an edge enters only where no
// deletion and no turn gains, as in Nazaret & Blei 2024 (XGES). docs/results/experiments.md says what that is worth.
//
// What may be relied on: the answer is the same for any number of threads and any order of columns; an operator whose
// gain is below tie_tolerance(score) is never applied; of operators whose gains tie, the one with the smallest (Y, X,
// set) wins; constant columns stay isolated; no node of any member of the class has more parents than
// score.traits().max_parents. `watch` is asked between operators; on a stop the result so far is returned, and
// resume_ges() continues from there as if there had been no stop.
//
// What makes it fast, compared with the plain twin behind `by_spec`: one column of gains per (Y, parents of Y, clique)
// serves every X; after an operator, only the targets it touched are examined again; an operator that fails its path
// test is put aside with the path as a witness, and examined again when that path breaks; the CPDAG is repaired around
// the operator (ges_cpdag.h) instead of rebuilt; the target whose insertion gains most is at the root of a tree
// (tournament.h). The first sweep over all targets runs on several threads.
#pragma once

#include "agon/graph/knowledge.h"
#include "agon/opponent/opponent.h"
#include "agon/score/gain_store.h"

namespace agon {

struct GesOptions {
  bool turning = true;     // run the turning phase (12 simulated tables, one seed: 10 better scores, 2 equal, for
                           // some more time). Always on with experiments
  bool in_phases = false;  // with experiments too: GIES as published, for comparison with other programs
  bool by_spec = false;    // the plain twin: enumerate every operator from scratch, rebuild the CPDAG. For tests
  int max_cliques = 4096;  // most sets T (H, C) considered per target, smallest first; `story` says if it was reached
  long max_steps = 0;      // most operators; 0: no limit
  size_t store_bytes = size_t{96} << 20;  // for columns of gains
  int threads = 1;                        // of the sweeps over all variables; the answer does not depend on it
};

// With knowledge, the search starts from the required edges (more exactly, from repair(start, knowledge)) and passes
// only through classes with a member that satisfies the knowledge. `dag` is the central one of those members
// (central_member.h), and `cpdag` is the whole class (mpdag_of(dag, knowledge) says what the knowledge leaves open in
// it).
SearchResult ges(const LocalScore& score, const GesOptions& options = {}, const Watch& watch = {},
                 const Knowledge& knowledge = {});

// Runs all phases, from the class of `start`.
SearchResult ges_from(GainStore& store, const Dag& start, const GesOptions& options = {}, const Watch& watch = {},
                      const Knowledge& knowledge = {});

// Continues what ges() or ges_from() left unfinished, with the same score, options and knowledge.
SearchResult resume_ges(GainStore& store, const SearchResult& cut, const GesOptions& options = {},
                        const Watch& watch = {}, const Knowledge& knowledge = {});

// Runs the backward phase alone, from the class of `start`. BOSS ends with it (Andrews et al. 2023).
SearchResult backward_phase(GainStore& store, const Dag& start, const GesOptions& options = {}, const Watch& watch = {},
                            const Knowledge& knowledge = {});

}  // namespace agon
