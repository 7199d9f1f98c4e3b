// agon/opponent/boss_order.h
//
// An order of the variables during a search. Each variable takes the grow-shrink parents that the order allows (from
// those before it); the score of the order is the sum of the local scores. One step moves one variable to the best of
// all places.
//
//   OrderSearch search(score, {}, 96 << 20);
//   search.set_order(order);
//   while (search.sweep() > 0) {}            // until no variable has a better place
//   search.order(), search.score(), search.dag();
//
// How a step stays cheap (nothing here approximates; plain_order_sweep() in boss_plain.h gives the same orders):
//   - every variable w keeps the path its parents took through its tree. Moving v changes w only if v is on that path,
//     or if its branch comes before the one chosen at some node of it. reach_[v][w] holds the first such depth;
//   - v's own parents change only where a variable that would be preferred enters the prefix. So the places of v are
//     tried by jumping from one such event to the next;
//   - mark() and take_back() undo a run of steps from saved paths, for searches that perturb and repair;
//   - with several threads, scouts compute the columns that the next variables of a sweep will ask for, as if none of
//     them moved. In a sparse graph few do.
//
// Constant variables that no required edge touches are in no order. A variable stays between its required parents and
// its required children. Forbidden parents are never taken, wherever they are in the order.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "agon/base/rng.h"
#include "agon/base/stop.h"
#include "agon/graph/dag.h"
#include "agon/opponent/boss_trees.h"
#include "agon/opponent/boss_walks.h"

namespace agon {

// How far a sweep has come.
struct SweepPlace {
  Node next = 0;  // the variable to try next
  int moved = 0;  // variables that moved so far
};

class OrderSearch {
 public:
  // with_pairs: growing may take two parents at once where no single one helps (boss_trees.h).
  OrderSearch(const LocalScore& score, const OrderRules& rules, size_t byte_limit, bool with_pairs = false);
  // From here on, sweeps and set_order() compute columns of gains on so many threads. No answer and no count depends on
  // it.
  void use_threads(int threads) { threads_ = threads; }

  const std::vector<Node>& order() const { return order_; }
  double score() const;  // summed in node order
  Dag dag() const;       // each variable with its grow-shrink parents
  int position(Node v) const { return position_[v]; }
  // What v grew, before shrinking: a superset of its parents.
  std::vector<Node> grown_parents(Node v) const { return trees_.grown_parents(path_[v].back().at); }
  long evaluations() const { return evaluations_; }  // parent sets examined, one per variable and prefix
  const CacheCounts& counts() const { return trees_.counts(); }
  double tolerance() const { return tolerance_; }  // a move that gains less counts as no gain

  // The calls below that take a watch return false, or nothing, when they were asked to stop before their end. Only
  // after set_order() is there no order then; otherwise the search is where it was after its last whole step.

  // `order` must contain each variable that takes part exactly once, and must satisfy the knowledge.
  bool set_order(std::span<const Node> order, const Watch& watch = {});

  // Moves v to the first of its best places if that beats its present one. Returns the gain, 0 if v stays.
  std::optional<double> improve(Node v, const Watch& watch = {});
  void move(Node v, int position);  // as near to `position` as the knowledge allows

  // Calls improve() once for every variable, by node, from `place` on; after a stop, it may be called again with the
  // same place.
  bool sweep(SweepPlace& place, const Watch& watch = {});
  int sweep();  // returns how many moved

  // Calls improve() for the variables of `agenda` and, as long as something moves, for those that the moves touched.
  // Ends when evaluations() has reached `last`.
  bool settle(std::vector<Node> agenda, long last, const Watch& watch = {});

  void mark();                                                   // from here on, steps can be taken back
  void take_back();                                              // back to the mark, which stays
  void forget();                                                 // removes the mark
  const std::vector<Node>& touched() const { return touched_; }  // variables whose path changed since the mark

  // Recomputes every path and compares; for tests.
  bool check_invariants();

 private:
  struct Level {
    TreeIndex at;
    int choice;  // index of the branch or pair taken; at the last level, the number of both
  };
  using Path = std::vector<Level>;
  struct Saved {
    Node node;
    Path path;
    double local;
  };
  struct Step {
    int place;  // from this place on ...
    double change;
  };

  uint8_t& reach(Node v, Node w) { return reach_[static_cast<size_t>(v) * p_ + w]; }
  uint8_t reach(Node v, Node w) const { return reach_[static_cast<size_t>(v) * p_ + w]; }
  template <class Visit>
  void visit_passed(const Level& level, Visit visit);  // the variables of all branches and pairs up to the choice
  int first_depth(Node v, Node w) const;
  void note(Node w, size_t depth);    // enters path levels >= depth into reach_
  void unnote(Node w, size_t depth);  // removes them from reach_
  void trace(Node w, size_t depth);   // recomputes the path from level depth on
  double walk(TreeIndex at, int from, int place);
  double effect(Node v, Node w, bool before);
  bool own_events(Node v, const Watch& watch);
  std::pair<int, int> allowed(Node v) const;
  void place(Node v, int position);
  void save(Node w);
  void retrace(Node w, size_t depth);
  bool rebuild(const Watch& watch = {});
  void keep_to_limit();
  template <class Scouting>
  void send_scouts(std::span<const Node> children, const Watch& watch, Scouting scouting);
  Node look_ahead(Node first, const Watch& watch);

  int p_;
  const OrderRules& rules_;
  ParentTrees trees_;
  std::vector<Node> order_;
  std::vector<int> position_;
  std::vector<Path> path_;
  std::vector<double> local_;
  std::vector<uint8_t> reach_;  // [v][w]: 1 + the first depth at which v matters to w's path; 0: none
  std::vector<std::vector<Node>> required_children_;

  bool marked_ = false;
  bool log_void_ = false;  // the trees were cleared since the mark
  std::vector<Node> marked_order_;
  std::vector<Saved> log_;
  std::vector<Node> touched_;
  std::vector<char> is_touched_;

  double tolerance_ = 0;
  long evaluations_ = 0;
  size_t bytes_when_built_ = 0;
  int threads_ = 1;
  std::vector<Step> steps_;         // scratch of improve()
  boss_walks::ClimbScratch climb_;  // scratch of own_events()
  std::vector<char> queued_;
};

}  // namespace agon
