// agon/referee/relaxation.h
//
// One point of the proof's tree: the linear relaxation over its families, tightened by cuts until its bound is low
// enough, or stops falling.
//
//   Relaxation node(space, pool, cutter, {}, incumbent, lists.of);
//   node.solve(budget, watch);
//   node.bound(), node.multipliers();      // the lowest bound found here, in integers
//   node.steps();                          // stages of the proof: families were dropped
//   node.branch_arc();                     // where to split if it is not closed
//
// One round: solve; compute the bound of the multipliers over all families (never the solver's own figure); add
// families that price in; drop families that no better graph can have; round to a graph; separate clusters, where they
// no longer help local cuts, and where those do not either, likelihood cuts.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>

#include "agon/base/stop.h"
#include "agon/referee/cut_pool.h"
#include "agon/referee/linear_program.h"
#include "agon/referee/local_cuts.h"
#include "agon/referee/relaxed_point.h"

namespace agon {

// What all points of the tree share: the best graph so far, and how much may still be spent.
struct Incumbent {
  Dag dag;
  Units score = 0;  // rounded down
  Units goal = 0;   // score + epsilon: what a bound has to come down to
  // Offers a graph; true if it was better, and is the incumbent now.
  std::function<bool(const Dag&)> offer;
};

// Begins with a graph. `score_of` gives the score of a graph, rounded down. Graphs of the same class score the same up
// to `rounding` nats, so one is better only by more than twice that, by more than 1e-5, and by more than what searches
// call a tie.
void begin_with(Incumbent& incumbent, const Dag& dag, double epsilon, double rounding,
                std::function<Units(const Dag&)> score_of);

struct Budget {
  double work = 0;  // nanoseconds, roughly; counted, not measured
  double used = 0;
  long rounds = 0;  // solutions of a linear program so far
  bool is_spent(const Watch& watch) const { return used >= work || watch.stop_requested(); }
};

// What a child takes over from its parent.
struct RelaxationStart {
  std::vector<int> cuts;                       // rows to begin with
  std::vector<std::vector<NodeBits>> columns;  // by node, families to begin with
  std::vector<ProofMultiplier> multipliers;    // a first bound
};

class Relaxation {
 public:
  // `lists` are all families, for rounding. No list of `space` may be empty.
  Relaxation(SearchSpace space, CutPool& pool, LocalCutter& cutter, RelaxationStart start, Incumbent& incumbent,
             const std::vector<std::vector<BoundedFamily>>& lists);

  void solve(Budget& budget, const Watch& watch);

  bool is_closed() const { return bound_ <= incumbent_.goal || space_.has_empty(); }
  Units bound() const { return bound_; }
  const std::vector<ProofMultiplier>& multipliers() const { return multipliers_; }
  const std::vector<ProofStep>& steps() const { return steps_; }
  const SearchSpace& space() const { return space_; }
  std::optional<Edge> branch_arc() const;  // none: nothing is torn
  RelaxationStart start_of_child() const;

 private:
  void build();
  bool improve_bound(Budget& budget);
  bool price(const DualBound& bound);
  void fix(const DualBound& bound);
  void read_point();
  bool separate(Budget& budget, const Watch& watch, double gained);
  void add_columns(const std::vector<std::pair<Node, BoundedFamily>>& families);
  bool add_cut(const ProofCut& cut);
  void purge_rows();
  long families() const;  // left in the space

  SearchSpace space_;
  CutPool& pool_;
  LocalCutter& cutter_;
  RelaxationStart start_;
  Incumbent& incumbent_;
  const std::vector<std::vector<BoundedFamily>>& lists_;

  std::unique_ptr<LinearProgram> lp_;
  std::vector<std::pair<Node, BoundedFamily>> columns_;  // behind the elastic ones
  std::vector<std::set<NodeBits>> in_lp_;                // by node
  std::vector<int64_t> shift_;                           // by node: gains count from here
  struct CutRow {
    int cut;
    int slack = 0;  // rounds in which its multiplier was 0
  };
  std::vector<CutRow> rows_;               // behind those of the nodes
  std::vector<LinearProgram::Row> fresh_;  // the last of them, which the solver does not know yet
  RelaxedPoint point_;
  DualBound dual_;
  std::vector<ProofMultiplier> current_;  // of the last solution

  Units bound_ = 0;
  std::vector<ProofMultiplier> multipliers_;
  std::vector<ProofStep> steps_;
  int largest_set_ = 5;        // of local cuts
  bool stalled_ = false;       // local cuts of the largest sets hardly helped
  double program_work_ = 0;    // of the linear programs of the last round
  double work_per_try_ = 1e6;  // of one set of nodes, in the last round
};

}  // namespace agon
