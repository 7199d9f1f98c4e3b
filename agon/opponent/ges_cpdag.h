// agon/opponent/ges_cpdag.h
//
// A CPDAG that the operators of GES edit. It is repaired around each operator instead of rebuilt.
//
//   GesCpdag c(cpdag_of(dag));
//   c.insert(2, 5, clique);        // 2 -> 5 enters, and v -> 5 for each v of the clique
//   for (const PairChange& change : c.changes()) ...    // exactly the pairs whose edge is another than before
//   c.pdag();                      // completed again
//
// How it works. A CPDAG is its skeleton and v-structures, closed under rules 1 to 3 of Meek 1995 (rule 4 is for
// background knowledge). Each directed edge has a rank: 0 if a v-structure shows it, else the time at which a rule
// directed it from edges of smaller rank. An operator removes some premises. Every edge that may have rested on one of
// them is checked: does it still have a support of smaller rank? If not, it becomes undirected, and the edges that may
// have rested on it are checked in turn. Every edge that is still directed then has a derivation from v-structures
// that exist, so it is compelled. Closing under the rules again (from the places that changed) gives the CPDAG. No edge
// is touched that the operator does not reach.
//
// In the class of a table of experiments (cpdag_of with row sets) an edge between nodes of different row sets is
// directed by itself: it has rank 0 and needs no support. Everything else follows by the same three rules (Hauser &
// Buehlmann 2012, theorem 18).
//
// Operators are given by the clique: the neighbours of y that become its parents in addition to those it has. It is
// NA + T for an insertion, NA - H for a deletion, C for a turn. Operators must be valid (ges_operators.h); nothing is
// checked here.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "agon/graph/equivalence.h"
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
  explicit GesCpdag(const Cpdag& cpdag, std::vector<int> row_set = {});

  const Pdag& pdag() const { return pdag_; }
  int size() const { return pdag_.size(); }

  void insert(Node x, Node y, std::span<const Node> clique);  // x and y are not adjacent
  void remove(Node x, Node y, std::span<const Node> clique);  // there is an edge x -> y or x - y
  void turn(Node x, Node y, std::span<const Node> clique);    // there is an edge y -> x or x - y

  void undo();  // takes back the last operator; only once

  const std::vector<PairChange>& changes() const { return changes_; }  // of the last operator, sorted by (a, b)

  // Where a semi-directed path may go from v (out: children and neighbours) and where it may come from (in: parents and
  // neighbours), in no particular order.
  std::span<const Node> out(Node v) const { return out_[v]; }
  std::span<const Node> in(Node v) const { return in_[v]; }
  bool is_cut(Node a, Node b) const { return agon::is_cut(row_set_, a, b); }
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
  void touch(Node a, Node b);  // call before the pair changes
  void link(Node a, Node b);   // adds a - b
  void cut(Node a, Node b);    // removes the edge between them, of whatever kind
  void direct(Node from, Node to, int64_t rank);
  void undirect(Node from, Node to);
  int64_t rank(Node from, Node to) const;
  void set_rank(Node from, Node to, int64_t rank);

  bool shows_v_structure(Node from, Node to) const;
  bool rule_3(Node from, Node to) const;
  bool is_supported(Node from, Node to, int64_t below) const;

  void begin();
  void show(Node from, Node to);  // notes that a v-structure or an experiment shows from -> to
  // Directs x -> y if it forms v-structures with the clique or with other parents of y, or if experiments show it; else
  // leaves x - y, to be checked again.
  void show_colliders(Node x, Node y, std::span<const Node> clique);
  void suspect_dependents(Node from, Node to);
  void suspect_children(Node v);
  void settle();                    // the two passes described above
  void follow(Node from, Node to);  // directs what from -> to forces

  Pdag pdag_;
  std::vector<int> row_set_;
  std::vector<std::vector<Node>> out_, in_;
  std::vector<std::vector<Rank>> ranks_;  // by child
  int64_t clock_ = 0;
  std::vector<Touched> journal_;  // the edits of the last operator
  std::vector<PairChange> changes_;
  std::vector<Edge> suspects_;  // directed edges that may have lost their support
  std::vector<Edge> shown_;     // edges directed by v-structures of this operator, or by experiments
  std::vector<Edge> loose_;     // undirected pairs that a rule may direct now
  std::vector<Edge> work_;      // directed edges whose consequences have not been drawn yet
};

}  // namespace agon
