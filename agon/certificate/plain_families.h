// agon/certificate/plain_families.h
//
// Which families a best graph can consist of: for every node, the parent sets that no other set makes superfluous, each
// with an upper bound of its score in units of 2^-32 nat. Everything a proof says rests on these lists, and they are
// made from the table alone.
//
//   const auto lists = list_families(*scorer, knowledge, {.limit = 4});
//   lists->of[3][0].parents, lists->of[3][0].score;   // the best set of node 3
//   lists->limit;                                     // 4; 0: no set was left out because of its size
//
// What is left out, and why (docs/proof.md has the proofs):
//   1. dominance: Q, if a subset P that holds all required parents has a bound at least as high;
//   2. entropy rule, discrete-bic and qnml-edges (de Campos & Ji 2011; de Campos, Scanagatta, Corani & Zaffalon 2018):
//      Q and all its supersets, if a member y can never earn its price: n min(H(j|Q-y), H(y|Q-y)) <= price of Q less
//      that of Q-y;
//   3. sets of more than `limit` parents, sets with a forbidden parent, sets without a required one.
//
// The scores come from values of sets where the scorer has them (set_scores(): discrete-bic by counts, exactly; qnml,
// qnml-edges, gaussian-bic and copula-bic up to rounding), and otherwise family by family. Lists are sorted by (score,
// largest first; parents).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agon/base/stop.h"
#include "agon/certificate/node_bits.h"
#include "agon/certificate/plain_score.h"
#include "agon/certificate/plain_set_scores.h"
#include "agon/graph/knowledge.h"

namespace agon {

// A score as the certificate computes it, with what a proof says about it.
struct JudgedScore {
  const plain::Scorer& scorer;
  std::string name;    // in the catalog
  double penalty = 1;  // of the BIC scores
  const Dataset& data;
};

struct BoundedFamily {
  int64_t score = 0;  // at least the true one
  NodeBits parents;
};

struct FamilyLists {
  std::vector<std::vector<BoundedFamily>> of;  // by node
  int limit = 0;        // every set of at most so many parents is listed or made superfluous; 0: every set
  bool exact = false;   // integers from counts; otherwise floating-point numbers with room for rounding
  double rounding = 0;  // nats by which the bounds of a whole graph may be too high for that reason
  long sets = 0;        // sets of variables, or families, that were scored
  std::shared_ptr<const plain::SetScores> likelihoods = {};  // of sets, for likelihood cuts; null: there are none
  std::string stopped;                                       // why `limit` is not what was asked for; "": it is

  long size() const;
};

struct FamilyOptions {
  int limit = 0;        // most parents; 0: no limit
  int least = 1;        // sets up to this size are listed whatever they cost
  double work = 1e300;  // nanoseconds, roughly: the next size is begun only if it fits into what is left
  double memory = 4e9;  // bytes
  int threads = 1;      // the lists do not depend on it
  // Sets beyond the limit that are listed nevertheless, by node; empty: none.
  const Dag* besides = nullptr;
};

constexpr int kMostProofNodes = NodeBits::kMost;

// Nothing if a stop was requested, or if there are more than kMostProofNodes columns.
std::optional<FamilyLists> list_families(const plain::FamilyScorer& scorer, const Knowledge& knowledge,
                                         const FamilyOptions& options, const Watch& watch = {});

// A lower bound of the score of a graph, in units.
int64_t score_below(const plain::FamilyScorer& scorer, const Dag& dag);

}  // namespace agon
