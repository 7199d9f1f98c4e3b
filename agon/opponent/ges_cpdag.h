// agon/opponent/ges_cpdag.h
//
// A CPDAG under the operators of GES, repaired around each operator instead of rebuilt.
//
//   GesCpdag c(cpdag_of(dag));
//   c.insert(2, 5, clique);        // 2 -> 5 enters, and v -> 5 for each v of the clique
//   for (const PairChange& change : c.changes()) ...    // exactly the pairs whose edge is another than before
//   c.pdag();                      // completed again
//
// How. A CPDAG is its skeleton and v-structures, closed under rules 1 to 3 of Meek 1995 (rule 4 is for background
// knowledge). Each directed edge carries a rank: 0 when a v-structure shows it, else the moment a rule directed it from
// edges of smaller rank. An operator removes some premises. Every edge that may have rested on one is asked whether it
// still has a support of smaller rank; if not it becomes undirected and those that may have rested on it are asked in
// turn. What stays directed then has a derivation from v-structures that stand, so it is compelled, and closing under
// the rules again (from the places that changed) gives the CPDAG. No edge is touched that the operator does not reach.
//
// Operators are given by the clique, the neighbours of y that become its parents beside those it has: NA + T for an
// insertion, NA - H for a deletion, C for a turn. They must be valid (ges_operators.h); nothing is checked here.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "agon/graph/pdag.h"

namespace agon {

enum class PairState : uint8_t { kNone, kForward, kBackward, kUndirected };  // forward: a -> b

struct PairChange {
  Node a;
  Node b;  // a < b
  PairState before;
  PairState after;
};

class GesCpdag {
 public:
  explicit GesCpdag(const Cpdag& cpdag);

  const Pdag& pdag() const { return pdag_; }
  int size() const { return pdag_.size(); }

  void insert(Node x, Node y, std::span<const Node> clique);  // x and y are not adjacent
  void remove(Node x, Node y, std::span<const Node> clique);  // x -> y or x - y stands
  void turn(Node x, Node y, std::span<const Node> clique);    // y -> x or x - y stands

  void undo();  // takes the last operator back; once

  const std::vector<PairChange>& changes() const { return changes_; }  // of the last operator, sorted by (a, b)

  // Where a semi-directed path may go from v (out: children and neighbours) and come from (in: parents and neighbours),
  // in no particular order.
  std::span<const Node> out(Node v) const { return out_[v]; }
  std::span<const Node> in(Node v) const { return in_[v]; }
  bool passes(Node from, Node to) const { return pdag_.has_directed(from, to) || pdag_.has_undirected(from, to); }

 private:
  struct Rank {
    Node parent;
    int64_t rank;
  };
  struct Touched {  // a pair as it was before one edit
    Node a;
    Node b;
    PairState state;
    int64_t rank;
  };

  PairState state(Node a, Node b) const;
  void touch(Node a, Node b);  // before the pair changes
  void link(Node a, Node b);   // a - b enters
  void cut(Node a, Node b);    // whatever stands between them goes
  void direct(Node from, Node to, int64_t rank);
  void undirect(Node from, Node to);
  int64_t rank(Node from, Node to) const;
  void set_rank(Node from, Node to, int64_t rank);

  bool shows_v_structure(Node from, Node to) const;
  bool rule_3(Node from, Node to) const;
  bool is_supported(Node from, Node to, int64_t below) const;

  void begin();
  void show(Node from, Node to);  // a v-structure shows from -> to
  // x -> y, when it forms v-structures with the clique or with other parents of y; else x - y, to be looked at again.
  void show_colliders(Node x, Node y, std::span<const Node> clique);
  void suspect_dependents(Node from, Node to);
  void suspect_children(Node v);
  void settle();                    // the two passes described above
  void follow(Node from, Node to);  // direct what from -> to forces

  Pdag pdag_;
  std::vector<std::vector<Node>> out_, in_;
  std::vector<std::vector<Rank>> ranks_;  // by child
  int64_t clock_ = 0;
  std::vector<Touched> journal_;  // the edits of the last operator
  std::vector<PairChange> changes_;
  std::vector<Edge> suspects_;  // directed edges that may have lost their support
  std::vector<Edge> shown_;     // edges directed by v-structures of this operator
  std::vector<Edge> loose_;     // undirected pairs that a rule may direct now
  std::vector<Edge> work_;      // directed edges whose consequences are not drawn yet
};

}  // namespace agon
