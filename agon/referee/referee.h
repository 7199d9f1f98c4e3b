// agon/referee/referee.h
//
// After the match: how much better could any graph be? The referee tries to prove that none scores higher than the
// champion, or says by how much one could at most, and writes down why.
//
//   const JudgedScore score{.scorer = *scorer, .name = "discrete-bic", .penalty = 1, .data = data};
//   Judgement v = judge(score, knowledge, best, {.work = 2e9});
//   v.proof;                    // for a file; check_proof() confirms it from the table alone
//   v.gap();                    // 0.0001; or 161.5
//   v.better;                   // a graph that scores higher, if the referee found one
//
// What may be relied on: `upper_bound` is what the proof shows, so it is never below the best score of a graph within
// the limit. The answer depends on the budget in work, not on time, unless the watch stops it; then it is worse, not
// wrong.
//
// How: the lists of families that can matter (plain_families.h), a bound by dual ascent, a linear relaxation with cuts
// (relaxation.h) where there is a solver, a tree over arcs; or dynamic programming where few nodes are left on cycles.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agon/certificate/plain_families.h"
#include "agon/certificate/proof_check.h"

namespace agon {

struct RefereeOptions {
  double work = 2e9;       // to spend, in nanoseconds of one core, roughly: it is counted, not measured
  int limit = 0;           // most parents of a node; 0: as many as the work allows, best all
  bool list_all = false;   // list up to the limit whatever it costs; otherwise as far as half of the work goes
  double epsilon = 0.001;  // nats within which a bound counts as reached
  double memory = 4e9;     // bytes
  int threads = 1;
  bool dp = true;  // dynamic programming where few nodes are left on cycles; false: for tests of the rest
};

struct Judgement {
  bool judged = false;     // false: nothing could be said; `story` says why
  bool proven = false;     // no graph within the limit scores more than epsilon above
  int limit = 0;           // most parents of a node; 0: no limit
  double score = 0;        // of the champion, or of `better`
  double upper_bound = 0;  // of every graph within the limit
  std::optional<Dag> better = {};
  Proof proof = {};
  long families = 0;            // on the lists
  double rounding = 0;          // nats; 0 for counts
  std::string stopped_by = {};  // "": nothing; "work", "time limit", "interrupted"
  std::vector<std::string> story = {};

  double gap() const { return upper_bound - score; }
};

Judgement judge(const JudgedScore& score, const Knowledge& knowledge, const Dag& champion,
                const RefereeOptions& options = {}, const Watch& watch = {});

}  // namespace agon
