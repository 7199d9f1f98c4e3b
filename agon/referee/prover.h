// agon/referee/prover.h
//
// The tree of a proof: points are visited in the order of their bounds, each by its relaxation, and split at an arc
// until none is left that could hold a better graph, or the work is spent.
//
//   Prover prover({lists.of, true, pool, cutter}, incumbent, budget, watch);
//   prover.run({lists.of});                  // from a dual ascent; or from an earlier proof's rows and multipliers
//   prover.write(proof);                     // its cuts and steps
//
// The best graph that was met is in the incumbent.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "agon/referee/relaxation.h"

namespace agon {

// What several proofs may share.
struct ProofMeans {
  const std::vector<std::vector<BoundedFamily>>& lists;  // all families, for rounding
  bool dp = true;                                        // dynamic programming where few nodes are left on cycles
  CutPool& pool;
  LocalCutter& cutter;
};

class Prover {
 public:
  Prover(const ProofMeans& means, Incumbent& incumbent, Budget& budget, const Watch& watch)
      : means_(means), incumbent_(incumbent), budget_(budget), watch_(watch) {}

  void run(SearchSpace space, const RelaxationStart& start = {});
  void write(Proof& proof) const;  // only the cuts that it uses

  int visited() const { return visited_; }
  Units root_bound() const { return root_bound_; }
  Units after_ascent() const { return after_ascent_; }

 private:
  // A point of the tree, with what the proof says about it.
  struct TreeNode {
    std::vector<ProofStep> stages;
    ProofStep end = {};                  // leaf, open or dp; of a branch, the branch
    int with = -1, without = -1;         // children of a branch
    std::unique_ptr<SearchSpace> space;  // while it waits
    RelaxationStart start = {};
    Units bound = 0;
  };

  int best_waiting() const;
  void visit(int index);
  void add_child(const Relaxation& relaxation, int parent, Edge arc, bool stands);
  bool finish_by_dp(int index, int most);
  void leave_open(int index, const std::vector<ProofMultiplier>& multipliers);

  ProofMeans means_;
  Incumbent& incumbent_;
  Budget& budget_;
  const Watch& watch_;
  std::vector<TreeNode> tree_;
  std::map<int, Units> waiting_;
  int visited_ = 0;
  Units root_bound_ = 0, after_ascent_ = 0;
};

}  // namespace agon
