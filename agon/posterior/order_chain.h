// agon/posterior/order_chain.h
//
// A Markov chain over DAGs that takes its large steps in the space of orders.
//
//   const ParentSpace space(tables);
//   OrderChain chain(space, parents_in(space, champion.dag), rng);
//   for (int k = 0; k < 1000; ++k) chain.step();
//   chain.parents();                                        // the DAG: by table, which candidates are parents
//   const std::vector<NodeSet> ancestors = ancestors_of(space, chain.parents());
//   arrow_probabilities(space, ancestors, 2, out);          // of every candidate of table 2, given the rest of the DAG
//
// Order MCMC (Friedman & Koller 2003, Machine Learning 50) mixes well, since the sum over all DAGs of an order is a
// product, Z(order) = prod over v of A_v(nodes before v), with the sums A of parent_table.h. But it counts a DAG once
// for every order it fits, which favours sparse DAGs. Here that is put right exactly: the state is a pair of a DAG and
// an order, and its target is
//
//   P(DAG) q(order | DAG)
//
// where q draws an order by picking, again and again, one of the nodes whose parents were all picked before, each with
// the same probability. q sums to 1 over the orders of a DAG, so DAGs have the distribution P, whatever their number of
// orders. Two kinds of steps leave the target as it is:
//   - another order is drawn from q, given the DAG;
//   - a node moves to another position, drawn in proportion to Z; it and the nodes it passed get newly drawn parents,
//     given the new order. The ratio of Metropolis and Hastings is then q of the new pair over q of the old.
//
// What may be relied on: the stationary distribution is the posterior over the DAGs that the tables allow, uniform
// prior; the path depends on the tables, the start and the rng alone.
#pragma once

#include <span>
#include <vector>

#include "agon/base/rng.h"
#include "agon/posterior/parent_table.h"

namespace agon {

// What all chains read: the tables, with candidates as indices of tables. The tables must outlive it.
class ParentSpace {
 public:
  explicit ParentSpace(const std::vector<ParentTable>& tables);

  int size() const { return static_cast<int>(entries_.size()); }
  const ParentTable& table(int v) const { return *entry(v).table; }
  const std::vector<int>& candidates(int v) const { return entry(v).candidates; }  // as indices of tables
  const std::vector<int>& always(int v) const { return entry(v).always; }
  // The bit of u among the candidates of v; 0: it is none.
  ParentMask bit(int v, int u) const {
    return bits_[static_cast<size_t>(v) * entries_.size() + static_cast<size_t>(u)];
  }
  bool requires_parent(int v, int u) const {
    return required_[static_cast<size_t>(v) * entries_.size() + static_cast<size_t>(u)] != 0;
  }
  // A set within `allowed`, drawn in proportion to exp(own).
  ParentMask draw(int v, ParentMask allowed, Rng& rng) const;

 private:
  struct Entry {
    const ParentTable* table;
    std::vector<int> candidates, always;
    std::vector<ParentMask> best_first;  // the sets with a weight, by falling score
  };
  const Entry& entry(int v) const { return entries_[static_cast<size_t>(v)]; }

  std::vector<Entry> entries_;
  std::vector<ParentMask> bits_;
  std::vector<char> required_;
};

using ParentMasks = std::vector<ParentMask>;  // a DAG: by table, which candidates are parents

// The edges of a DAG over all nodes that the tables allow; they must be acyclic together with the required ones.
ParentMasks parents_in(const ParentSpace& space, const Dag& dag);
// A random order, and up to two parents for each node: far from any answer.
ParentMasks random_parents(const ParentSpace& space, Rng& rng);

// By table: itself and its ancestors, as indices of tables.
std::vector<NodeSet> ancestors_of(const ParentSpace& space, const ParentMasks& parents);

// P(candidate k of v is its parent | the parents of all other nodes), for all k.
void arrow_probabilities(const ParentSpace& space, const std::vector<NodeSet>& ancestors, int v, std::span<double> out);

class OrderChain {
 public:
  OrderChain(const ParentSpace& space, ParentMasks start, Rng rng);

  void step();
  const ParentMasks& parents() const { return parents_; }
  long accepted() const { return accepted_; }  // steps that were accepted

  // ln q(order | DAG), for tests.
  double log_order_probability() const;

 private:
  void draw_order();
  int draw_position(int v);
  void move(int v, int to);

  const ParentSpace& space_;
  Rng rng_;
  std::vector<int> order_, at_;  // at_[order_[k]] = k
  ParentMasks parents_;
  ParentMasks before_;    // by table: the candidates that come before it
  double log_order_ = 0;  // ln q of the current pair
  long steps_ = 0, accepted_ = 0;
  std::vector<double> weight_;  // by position: ln Z, up to a constant
  struct Change {
    int v;
    ParentMask parents, before;
  };
  std::vector<Change> changes_;     // what the step under way replaced
  std::vector<double> log_;         // ln of 0 .. p
  mutable std::vector<int> ready_;  // by position: how many nodes could be picked there, as differences
  // Room for draw_order, kept from call to call.
  std::vector<int> first_child_, missing_, next_, child_, pickable_;
};

}  // namespace agon
