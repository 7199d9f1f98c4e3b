// agon/certificate/proof.h
//
// A proof that no graph scores higher than a given one by more than a stated gap: cuts, multipliers, a short tree.
// Plain data, as it stands in proof.txt (docs/proof.md has the format and its meaning). Nothing here judges it:
// proof_check.h does.
//
//   Proof proof = read_proof(text, "proof.txt");   // InputError with the line where it is malformed
//   proof.graph, proof.cuts.size(), proof.steps.size();
//   std::string again = to_text(proof);            // the same bytes
//
// Numbers in multipliers are in units of 2^-32 nat (kProofUnit). Nodes are indices into `names`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "agon/graph/dag.h"

namespace agon {

constexpr double kProofUnit = 1.0 / 4294967296.0;  // nats

// sum over j in nodes of w_j(parents of j that are in nodes) <= right, for every acyclic graph. A cluster has the
// weight 1 for at least `cluster` parents inside, and right = |nodes| - cluster. A local cut (cluster = 0) has
// generators: w_j(A) is the largest weight of a generator of j whose parents are all in A. A likelihood cut has weights
// and a right side from the table, in units of kProofUnit: plain_bound.h has them.
struct ProofCut {
  struct Generator {
    Node child = 0;
    std::vector<Node> parents;  // sorted
    int weight = 0;
    bool operator==(const Generator&) const = default;
  };
  static constexpr int kLikelihood = -1;

  int cluster = 0;  // k; 0: a local cut; or kLikelihood
  int64_t right = 0;
  std::vector<Node> nodes;  // sorted
  std::vector<Generator> generators = {};
  bool operator==(const ProofCut&) const = default;
};

struct ProofMultiplier {
  int cut = 0;  // index into Proof::cuts
  int64_t value = 0;
  bool operator==(const ProofMultiplier&) const = default;
};

// The tree in preorder. A subtree is any number of stages, then a branch with two subtrees (with the arc, without it),
// a leaf, an open end, or `dp`.
struct ProofStep {
  enum class Kind {
    kStage,   // bounds the families left here, and drops those that cannot be in a better graph
    kBranch,  // from -> to is there, or it is not
    kLeaf,    // ends with the bound of its multipliers
    kOpen,    // the same; the prover was stopped here
    kDp,      // ends with the best graph of the families left, by dynamic programming over sets of nodes
  };
  Kind kind = Kind::kLeaf;
  std::vector<ProofMultiplier> multipliers = {};
  Node from = 0, to = 0;
  bool operator==(const ProofStep&) const = default;
};

struct Proof {
  std::string checksum;  // of the table
  size_t rows = 0;
  std::string score;  // its name in the catalog
  double penalty = 1;
  double price = 0;                                    // what each parent costs beside the penalty, in nats
  int limit = 0;                                       // most parents of a node; 0: no limit
  std::vector<std::vector<Node>> required, forbidden;  // by child, its parents; both empty: nothing is known
  std::vector<std::string> names;
  Dag graph;         // a node with more than `limit` parents here may have exactly these, besides sets within the limit
  double claim = 0;  // score of the graph
  double epsilon = 0.001;
  std::vector<ProofCut> cuts;
  std::vector<ProofStep> steps;
  bool operator==(const Proof&) const = default;
};

std::string to_text(const Proof& proof);
Proof read_proof(std::string_view text, const std::string& place);

// A word for each kind, as the file has it: "stage", "branch", "leaf", "open", "dp".
const char* to_string(ProofStep::Kind kind);

}  // namespace agon
