// agon/opponent/ges_search.h
//
// The state of a greedy equivalence search: the CPDAG and, for each target y, the operators there. After an operator
// only what it touched is examined again. The phases are in ges.cpp.
//
//   GainStore store(score, 128 << 20);
//   GesSearch search(store, cpdag_of(dag, score.traits().row_set), 4096);
//   while (std::optional<GesOperator> op = search.best(OperatorKind::kInsert)) search.apply(*op);
//
// Promise: best() and all() give the answers of operators_by_spec() and choose(), up to rounding; the CPDAG is the one
// that applied_by_spec() builds. With knowledge, the operators are those of operators_by_spec() that satisfy
// is_admissible_by_spec().
//
// How it works. Every operator at y has a clique C of neighbours of y that become parents (ges_operators.h), so one
// column of gains for (y, Pa(y) + C) holds the insertions of all x, best first. A target keeps one such list per clique
// and a place in each: all insertions before that place are known to be invalid now. An insertion whose path test fails
// is put aside together with the path found; an operator that breaks the path brings it back. Only insertions that come
// first somewhere are ever tested.
#pragma once

#include <array>
#include <optional>
#include <unordered_map>
#include <vector>

#include "agon/base/stop.h"
#include "agon/opponent/ges_cpdag.h"
#include "agon/opponent/ges_operators.h"
#include "agon/opponent/tournament.h"
#include "agon/score/gain_store.h"

namespace agon {

// Counts of work, for benchmarks and tests.
struct GesCounts {
  long targets = 0;     // lists of a target that were built
  long path_tests = 0;  // searches for a semi-directed path
  long witnesses = 0;   // tests answered by a path that was known already
};

class GesSearch {
 public:
  // Some member of `start` must satisfy the knowledge.
  GesSearch(GainStore& store, const Cpdag& start, int max_cliques, Knowledge knowledge = {}, int threads = 1);

  const Pdag& pdag() const { return cpdag_.pdag(); }
  // Brings the lists of operators up to date, as best() would. On a wide table that takes seconds; false: it was asked
  // to stop, and the rest is left for the next call.
  bool refresh(OperatorKind kind, const Watch& watch = {});
  std::optional<GesOperator> best(OperatorKind kind);
  std::vector<GesOperator> all(OperatorKind kind);  // sorted by precedes(). For tests
  void apply(const GesOperator& op);

  bool capped() const { return capped_; }  // some target had more than max_cliques cliques
  double tolerance() const { return tolerance_; }
  const GesCounts& counts() const { return counts_; }

 private:
  // The insertions at y with one clique.
  struct Family {
    std::vector<Node> clique;
    std::span<const ParentGain> best;
    size_t next = 0;          // all insertions before it are aside
    std::vector<char> aside;  // by place in `best`, as far as any were put aside
  };
  struct Target {
    int version = 0;  // of the lists of insertions
    std::vector<Family> families;
    std::vector<GesOperator> removals, turns;
  };
  struct Parked {
    Node y;
    int version;
    int family;
    int place;
  };
  struct Step {
    Node to;
    int parked;
  };

  NodeSet& stale(OperatorKind kind) { return stale_[static_cast<size_t>(kind)]; }
  // Computes the columns of gains that the stale lists of insertions need, on all threads; false after a stop.
  bool prefetch(const Watch& watch);
  void cliques_at(Node y);  // fills cliques_
  std::vector<Node> parents_with(Node y, const std::vector<Node>& clique) const;
  double local_or(Node child, const std::vector<Node>& parents, bool& defined) const;

  void build_insertions(Node y);
  void build_removals(Node y);
  void build_turns(Node y);
  void offer_turn(Node y, const std::vector<Node>& clique, ParentGain addition);

  // Knowledge: first what the operator itself shows, then the complete test.
  bool is_plainly_inadmissible(OperatorKind kind, Node y, Node x, std::span<const Node> clique) const;
  bool is_admissible(const GesOperator& op);
  bool is_change_admissible();
  void edit(const GesOperator& op);

  bool covers(Node y, Node x, const std::vector<Node>& clique) const;
  bool is_valid_insertion(Node y, int family, size_t place);
  bool is_valid_turn(const GesOperator& op);
  bool separates(Node y, Node x, const std::vector<Node>& clique);
  bool find_path(Node from, Node to, bool skip_edge);  // avoids blocked nodes; leaves the path in path_
  bool is_intact(const std::vector<Node>& path) const;
  void block(std::span<const Node> nodes);
  void park(Node y, int family, size_t place, const std::vector<Node>& path);
  void put_aside(Node y, Family& family, size_t place);
  void update_bound(Node y);
  void break_step(Node from, Node to);
  void bring_back(const Parked& parked);
  void sweep_parked();
  std::optional<GesOperator> best_insertion();
  std::optional<GesOperator> best_listed(OperatorKind kind);

  GainStore& store_;
  GesCpdag cpdag_;
  int max_cliques_;
  double tolerance_;
  bool capped_ = false;
  size_t store_bound_ = 0;
  std::vector<Target> targets_;
  std::array<NodeSet, 3> stale_;  // by kind of operator: the targets whose lists must be made again
  Tournament bound_;              // by y: no insertion there gains more, except those aside
  Knowledge knowledge_;
  int threads_;
  std::vector<std::vector<Node>> cliques_;  // scratch

  std::vector<Parked> parked_;
  std::vector<Parked> refused_;           // aside because of the knowledge, until the next operator is applied
  std::vector<std::vector<Step>> steps_;  // by the node a step leaves
  std::unordered_map<uint64_t, std::vector<Node>> witness_;  // (y, x): the last path found; looked up, never iterated

  // Scratch of the path search: a number per node that says in which search it was last marked.
  int search_ = 0, block_ = 0;
  std::vector<int> blocked_, seen_from_, seen_to_;
  std::vector<Node> before_, after_;
  std::vector<Node> frontier_from_, frontier_to_, next_;
  std::vector<Node> path_;
  GesCounts counts_;
};

}  // namespace agon
