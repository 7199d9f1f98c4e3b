// agon/graph/class_members.h
//
// Counts the DAGs of a Markov equivalence class, and draws one of them uniformly.
//
//   ClassMembers members(cpdag_of(dag));
//   members.size();                       // 3 for a chain of three nodes
//   Dag other = members.draw(rng);        // each member with probability 1 / size
//
// The directed measures of a single member are a matter of luck; their mean over such draws is a fair figure.
//
// The clique-picking algorithm of Wienöbst, Bannach & Liskiewicz 2021 (AAAI, "Polynomial-time algorithms for counting
// and sampling Markov equivalent DAGs"): time polynomial in the number of nodes, whatever the size of the class. The
// undirected part of a CPDAG falls into connected chordal pieces, whose acyclic orientations without v-structures are
// counted by the clique that comes first. Construction does the counting; a draw then takes nearly linear time.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "agon/base/rng.h"
#include "agon/graph/pdag.h"

namespace agon {

namespace detail {

// mantissa * 2^exponent: a double whose exponent cannot overflow, because factorials of large cliques would. Whole
// numbers up to 2^53 are exact.
struct Scaled {
  double mantissa = 0;
  int64_t exponent = 0;
};

}  // namespace detail

class ClassMembers {
 public:
  explicit ClassMembers(const Cpdag& cpdag);

  double size() const;      // exact up to 2^53, to about 12 digits beyond; infinity past the largest double
  double log_size() const;  // natural logarithm, always finite

  Dag draw(Rng& rng) const;  // uniform over the class

 private:
  // A connected chordal piece: its maximal cliques, each with the share of orientations that begin with it (and with
  // no clique listed before it) and with the sets that may not be the beginning of its own order.
  struct Piece {
    detail::Scaled count;
    std::vector<std::vector<Node>> cliques;
    std::vector<std::vector<std::vector<Node>>> forbidden_prefixes;
    std::vector<double> cumulative;  // shares, summed up
  };
  struct Scratch;

  detail::Scaled count(const std::vector<Node>& piece, Scratch& scratch);
  size_t edge_count(const std::vector<Node>& piece, Scratch& scratch) const;
  Piece clique_tree(const std::vector<Node>& piece, Scratch& scratch) const;
  std::vector<std::vector<Node>> pieces_after(const std::vector<Node>& piece, const std::vector<Node>& clique,
                                              Scratch& scratch) const;
  void components(const std::vector<Node>& nodes, Scratch& scratch, std::vector<std::vector<Node>>& out) const;
  void draw_order(const std::vector<Node>& piece, Rng& rng, Scratch& scratch, std::vector<Node>& order) const;

  Pdag pdag_;
  std::vector<std::vector<Node>> neighbours_;
  std::vector<std::vector<Node>> top_;         // the pieces of the CPDAG itself
  std::map<std::vector<Node>, Piece> pieces_;  // all that arise, by their sorted nodes; not cliques and trees
  detail::Scaled size_;
};

// For a single question; keep a ClassMembers for several.
double class_size(const Cpdag& cpdag);
Dag random_member(const Cpdag& cpdag, Rng& rng);

}  // namespace agon
