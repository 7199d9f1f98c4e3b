// agon/certificate/proof_check.h
//
// Checks a proof against the table it is about. The lists of families are made again from the table, every cut is shown
// to hold, and the tree is walked in integers. A wrong or damaged proof can only be refused, or bound worse: each step
// is valid for any multipliers >= 0 and any cut that holds, so nothing the prover says has to be believed.
//
//   const Proof proof = read_proof(text, "proof.txt");
//   const JudgedScore score{.scorer = *scorer, .name = "discrete-bic", .penalty = 1, .data = data};
//   ProofVerdict v = check_proof(proof, score, knowledge);
//   v.accepted, v.why;               // refused: why
//   v.upper_bound, v.proven;         // no graph that satisfies the knowledge and the limit scores more
//
// What it uses: the certificate's own scorers, the lists of plain_families.h, the steps of plain_bound.h; nothing of
// the prover, of agon/score or of an LP solver.
#pragma once

#include <string>

#include "agon/base/stop.h"
#include "agon/certificate/plain_families.h"
#include "agon/certificate/proof.h"

namespace agon {

struct ProofVerdict {
  bool accepted = false;
  std::string why = {};     // why it was refused, or not finished
  bool unfinished = false;  // a stop was requested: nothing is known
  bool proven = false;      // upper_bound <= score + epsilon
  double score = 0;         // of the graph, rounded down
  double upper_bound = 0;   // of every graph within the limit
  double epsilon = 0;
  int limit = 0;        // most parents of a node; 0: none
  double rounding = 0;  // nats that the bound may be too high because scores are not exact
  long families = 0;    // on the lists
  long stages = 0, leaves = 0, open = 0;

  double gap() const { return upper_bound - score; }
};

// A score that rounds by more than this cannot be proven optimal, only bounded.
constexpr double kMostRounding = 0.01;

ProofVerdict check_proof(const Proof& proof, const JudgedScore& score, const Knowledge& knowledge, int threads = 1,
                         const Watch& watch = {});

// The same when the lists were made before: what the checker does after its first step.
ProofVerdict check_tree(const Proof& proof, const FamilyLists& lists, int64_t score_below, const Watch& watch = {});

// The lists of parents as a proof has them; both empty without knowledge.
struct KnownParents {
  std::vector<std::vector<Node>> required, forbidden;
};
KnownParents known_parents(const Knowledge& knowledge, int nodes);

}  // namespace agon
