// agon/certificate/plain_bound.h
//
// The steps of a proof, one function each, in exact integers. All of them rest on weak duality: for any cuts that hold
// in every acyclic graph and any multipliers >= 0, put z(j, P) = s(j, P) - sum of multiplier * w_j(P). Then no graph
// scores more than
//
//   U = sum over j of max_P z(j, P) + sum over cuts of multiplier * right,
//
// and none that contains (j, P) more than U - max z(j, .) + z(j, P). Sum the cuts over the families of a graph to see
// it.
//
//   SearchSpace space{lists.of};                       // every family that may still matter
//   const Cuts cuts(proof.cuts, p);                    // throws InvalidCut if one does not hold in all acyclic graphs
//   DualBound bound = bound_of(space, cuts, multipliers);
//   drop(space, bound, goal);                          // families that cannot be in a graph better than `goal`
//   decide(space, 3, 8, true);                         // the graphs with 3 -> 8
//   best_by_dp(space);                                 // the best graph of these families
//
// Source: Jaakkola, Sontag, Globerson & Meila 2010 (the relaxation); Cussens 2011 (k-clusters).
#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "agon/certificate/plain_families.h"
#include "agon/certificate/plain_set_scores.h"
#include "agon/certificate/proof.h"

namespace agon {

__extension__ typedef __int128 Units;  // 2^-32 nat; sums of products of 64-bit numbers fit
inline double nats(Units units) { return static_cast<double>(units) * kProofUnit; }

class InvalidCut : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

constexpr int kMostLocalNodes = 12;  // of a local cut, whose right side is recomputed over all subsets
constexpr int kMostDpNodes = 20;     // that can be on cycles with each other

// The highest sum of weights in an acyclic graph over the nodes of a cut: what its right side must not be less than.
int64_t highest_weight(const ProofCut& cut);

// What parents add to the fit, F(A + j) - F(A) (plain_set_scores.h), enclosed, each computed once. In an acyclic graph
// over D, in topological order, no node's parents add more than all its predecessors would (more of them never fit
// worse), and those sums telescope: so
//
//   sum over j in D of F(pa_j + j) - F(pa_j)  <=  F(D) - F(no nodes)
//
// for every D: a likelihood cut. A cluster is the same with F(S) = max(|S and D| - k, 0); any function of sets will do
// whose gains do not fall when the set grows (Studeny 2015). Not for several threads at once.
class FitGains {
 public:
  explicit FitGains(std::shared_ptr<const plain::SetScores> sets) : sets_(std::move(sets)) {}  // null: not known
  plain::SetValue of(Node j, NodeBits given) const;  // F(given + j) - F(given)
  plain::SetValue of_all(NodeBits nodes) const;      // F(nodes) - F(no nodes)
  bool known() const { return sets_ != nullptr; }

 private:
  std::shared_ptr<const plain::SetScores> sets_;
  struct Hash {
    size_t operator()(const std::pair<Node, NodeBits>& key) const;
  };
  mutable std::unordered_map<std::pair<Node, NodeBits>, plain::SetValue, Hash> memo_;
};

class Cuts {
 public:
  // Without `sets` there can be no likelihood cut.
  explicit Cuts(int nodes, std::shared_ptr<const plain::SetScores> sets = nullptr)
      : of_(nodes), gains_(std::move(sets)) {}
  Cuts(const std::vector<ProofCut>& cuts, int nodes, std::shared_ptr<const plain::SetScores> sets = nullptr);

  int add(const ProofCut& cut);  // its index; InvalidCut
  size_t size() const { return cuts_.size(); }
  // Right sides and weights of likelihood cuts are rounded up and down to units of kProofUnit; the others are counts.
  int64_t right(int cut) const { return cuts_[cut].right; }
  double scale(int cut) const { return cuts_[cut].cluster == ProofCut::kLikelihood ? kProofUnit : 1; }
  Units worth(int cut, Units multiplier) const;                             // multiplier * right, rounded up
  Units charge(int cut, Units multiplier, Node j, NodeBits parents) const;  // multiplier * weight, rounded down
  const FitGains& gains() const { return gains_; }
  NodeBits nodes(int cut) const { return cuts_[cut].nodes; }
  const std::vector<int>& of(Node j) const { return of_[j]; }  // cuts that j is in
  int64_t weight(int cut, Node j, NodeBits parents) const;

 private:
  struct Compiled {
    int cluster = 0;
    int64_t right = 0;
    NodeBits nodes;
    struct Generator {
      Node child;
      NodeBits parents;
      int64_t weight;
    };
    std::vector<Generator> generators;  // by child, then heaviest first
  };
  std::vector<Compiled> cuts_;
  std::vector<std::vector<int>> of_;
  FitGains gains_;
};

// The graphs that a point of the tree speaks of: those made of these families, with the arcs decided so far.
struct SearchSpace {
  std::vector<std::vector<BoundedFamily>> of;  // by node
  std::vector<NodeBits> reached = {};          // by node: those that forced arcs lead to; empty: none is forced

  bool has_empty() const;  // a node has no family left: there is no such graph
};

struct DualBound {
  Units total = 0;                     // no graph of the space scores more
  std::vector<Units> best;             // by node: the highest z
  std::vector<std::vector<Units>> of;  // by node and family: z
};
// Multipliers must be >= 0, and no list may be empty.
DualBound bound_of(const SearchSpace& space, const Cuts& cuts, const std::vector<ProofMultiplier>& multipliers);

// Removes families that no graph better than `goal` can have. Returns how many.
long drop(SearchSpace& space, const DualBound& bound, Units goal);
long droppable(const SearchSpace& space, const DualBound& bound, Units goal);

// Removes the families that disagree with the decision about from -> to.
void decide(SearchSpace& space, Node from, Node to, bool stands);

// The highest score of an acyclic graph of these families, by dynamic programming over the subsets of each strongly
// connected part (Silander & Myllymaki 2006). Nothing if a part has more than kMostDpNodes nodes, or there is no graph.
struct DpResult {
  Units score = 0;
  Dag dag;
};
std::optional<DpResult> best_by_dp(const SearchSpace& space);
// The largest strongly connected part of "i is in a family of j".
int largest_part(const SearchSpace& space);

}  // namespace agon
