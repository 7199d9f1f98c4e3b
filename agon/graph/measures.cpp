#include "agon/graph/measures.h"

#include <cassert>
#include <string>

#include "agon/base/error.h"
#include "agon/graph/class_members.h"
#include "agon/graph/equivalence.h"
#include "agon/graph/sid.h"

namespace agon {

namespace {

double share(int part, int whole, double if_none) { return whole == 0 ? if_none : static_cast<double>(part) / whole; }

double composite_score(double tpr, double fdr, int shd) { return (tpr + (1 - fdr) + 1.0 / (1 + shd)) / 3; }

// The truth, made ready to be compared with many predictions.
class Truth {
 public:
  Truth(const std::vector<Edge>& edges, int nodes, const std::vector<int>& row_set = {})
      : nodes_(nodes), row_set_(row_set), children_(nodes), skeleton_(nodes) {
    for (const Edge& e : edges) {
      if (e.from < 0 || e.from >= nodes || e.to < 0 || e.to >= nodes) {
        throw InputError("", "the true graph has an edge " + std::to_string(e.from) + " -> " + std::to_string(e.to) +
                                 ", but there are " + std::to_string(nodes) + " nodes");
      }
      if (e.from == e.to) {
        throw InputError("", "the true graph has an edge from node " + std::to_string(e.from) + " to itself");
      }
      if (children_.test(e.from, e.to)) continue;
      ++edge_count_;
      pair_count_ += !skeleton_.test(e.from, e.to);
      children_.set(e.from, e.to);
      skeleton_.set(e.from, e.to);
      skeleton_.set(e.to, e.from);
    }
    dag_ = dag_from_edges(nodes, edges);
    if (dag_) cpdag_ = cpdag_of(*dag_, row_set_);
  }

  bool acyclic() const { return dag_.has_value(); }

  Measures compare(const Dag& predicted, const Watch& watch) const {
    Measures m;
    m.true_edges = edge_count_;
    m.predicted_edges = predicted.edge_count();
    for (const Edge& e : predicted.edges()) {
      if (children_.test(e.from, e.to)) {
        ++m.correct;
      } else if (children_.test(e.to, e.from)) {
        ++m.reversed;
      } else {
        ++m.extra;
      }
    }
    m.missing = m.true_edges - m.correct - m.reversed;
    m.tpr = share(m.correct, m.true_edges, 1);
    m.fdr = share(m.reversed + m.extra, m.predicted_edges, 0);
    m.shd = m.missing + m.extra + m.reversed;
    m.score = composite_score(m.tpr, m.fdr, m.shd);
    set_skeleton(m, m.correct + m.reversed, m.predicted_edges);
    if (dag_) {
      m.shd_cpdag = shd(*cpdag_, cpdag_of(predicted, row_set_));
      m.sid = sid(*dag_, predicted, watch);
    }
    return m;
  }

  PdagMeasures compare(const Pdag& predicted) const {
    PdagMeasures m;
    int both = 0;
    for (Node v = 0; v < nodes_; ++v) {
      NodeSet joined = predicted.adjacency(v);
      joined &= skeleton_[v];
      both += joined.count();
    }
    set_skeleton(m, both / 2, predicted.edge_count());
    if (cpdag_) m.shd_cpdag = shd(*cpdag_, predicted);
    return m;
  }

  CreditedMeasures compare_credited(const Pdag& predicted) const {
    int right = 0, reversed = 0, extra = 0;
    const auto count = [&](Edge e, bool credited) {
      if (!skeleton_.test(e.from, e.to)) {
        ++extra;
      } else if (credited || children_.test(e.from, e.to)) {
        ++right;
      } else {
        ++reversed;
      }
    };
    for (const Edge& e : predicted.directed_edges()) count(e, false);
    for (const Edge& e : predicted.undirected_edges()) count(e, true);
    const int missing = pair_count_ - right - reversed;
    CreditedMeasures m;
    m.tpr = share(right, edge_count_, 1);
    m.fdr = share(reversed + extra, predicted.edge_count(), 0);
    m.shd = missing + extra + reversed;
    m.score = composite_score(m.tpr, m.fdr, m.shd);
    return m;
  }

 private:
  template <class Result>
  void set_skeleton(Result& m, int both, int predicted) const {
    m.skeleton_precision = share(both, predicted, 1);
    m.skeleton_recall = share(both, pair_count_, 1);
    m.skeleton_f1 = share(2 * both, predicted + pair_count_, 1);
  }

  int nodes_;
  std::vector<int> row_set_;
  BitRows children_;
  BitRows skeleton_;
  int edge_count_ = 0;
  int pair_count_ = 0;  // fewer than edges when there are two-cycles
  std::optional<Dag> dag_;
  std::optional<Cpdag> cpdag_;
};

template <class NextGraph>
MeanMeasures mean_over(const Truth& truth, int graphs, const Watch& watch, NextGraph next_graph) {
  assert(graphs >= 1);
  MeanMeasures mean;
  double shd_cpdag = 0;
  double sid = 0;
  bool has_sid = false;
  for (int k = 0; k < graphs; ++k) {  // sums, divided once: the mean of shares cannot pass 1 by rounding
    watch.tell({.phase = "comparison", .steps = k, .edges = -1, .budget = graphs, .unit = "graph"});
    if (k > 0 && watch.stop_requested()) break;
    const Measures m = truth.compare(next_graph(), watch);
    if (k > 0 && truth.acyclic() && !m.sid) break;
    ++mean.graphs;
    mean.tpr += m.tpr;
    mean.fdr += m.fdr;
    mean.shd += m.shd;
    mean.score += m.score;
    mean.skeleton_precision += m.skeleton_precision;
    mean.skeleton_recall += m.skeleton_recall;
    mean.skeleton_f1 += m.skeleton_f1;
    has_sid = m.sid.has_value();
    shd_cpdag += static_cast<double>(m.shd_cpdag.value_or(0));
    sid += static_cast<double>(m.sid.value_or(0));
  }
  for (double* sum : {&mean.tpr, &mean.fdr, &mean.shd, &mean.score, &mean.skeleton_precision, &mean.skeleton_recall,
                      &mean.skeleton_f1}) {
    *sum /= mean.graphs;
  }
  if (truth.acyclic()) mean.shd_cpdag = shd_cpdag / mean.graphs;
  if (has_sid) mean.sid = sid / mean.graphs;
  return mean;
}

}  // namespace

Measures measure(const std::vector<Edge>& truth, const Dag& predicted, const std::vector<int>& row_set,
                 const Watch& watch) {
  return Truth(truth, predicted.size(), row_set).compare(predicted, watch);
}

PdagMeasures measure(const std::vector<Edge>& truth, const Pdag& predicted) {
  return Truth(truth, predicted.size()).compare(predicted);
}

CreditedMeasures measure_credited(const std::vector<Edge>& truth, const Pdag& predicted) {
  return Truth(truth, predicted.size()).compare_credited(predicted);
}

int shd(const Pdag& a, const Pdag& b) {
  assert(a.size() == b.size());
  int ends = 0;  // each differing pair is seen from both of its nodes
  for (Node v = 0; v < a.size(); ++v) {
    for (int k = 0; k < a.parents(v).word_count(); ++k) {
      const uint64_t differ = (a.parents(v).word(k) ^ b.parents(v).word(k)) |
                              (a.children(v).word(k) ^ b.children(v).word(k)) |
                              (a.neighbours(v).word(k) ^ b.neighbours(v).word(k));
      ends += std::popcount(differ);
    }
  }
  return ends / 2;
}

MeanMeasures class_mean(const std::vector<Edge>& truth, const Cpdag& predicted, int members, Rng& rng,
                        const std::vector<int>& row_set, const Watch& watch) {
  const ClassMembers of_class(predicted);
  return mean_over(Truth(truth, predicted.size(), row_set), members, watch, [&] { return of_class.draw(rng); });
}

MeanMeasures random_control(const std::vector<Edge>& truth, int nodes, int edges, int graphs, Rng& rng,
                            const std::vector<int>& row_set, const Watch& watch) {
  return mean_over(Truth(truth, nodes, row_set), graphs, watch, [&] { return random_dag_like(nodes, edges, rng); });
}

Dag random_dag_like(int nodes, int edges, Rng& rng) {
  const long pairs = static_cast<long>(nodes) * (nodes - 1) / 2;
  if (edges < 0 || edges > pairs) {
    throw UsageError("a graph of " + std::to_string(nodes) + " nodes has at most " + std::to_string(pairs) +
                     " edges; " + std::to_string(edges) + " were asked for");
  }
  std::vector<Node> order(nodes);
  for (Node v = 0; v < nodes; ++v) order[v] = v;
  rng.shuffle(order);

  // Selection sampling (Knuth 2, algorithm 3.4.2S): each pair is taken with probability wanted / left.
  Dag dag(nodes);
  long left = pairs;
  for (int i = 0; i < nodes; ++i) {
    for (int j = i + 1; j < nodes; ++j, --left) {
      const int wanted = edges - dag.edge_count();
      if (wanted == 0) return dag;
      if (rng.uniform() * static_cast<double>(left) < wanted) dag.add_edge(order[i], order[j]);
    }
  }
  return dag;
}

}  // namespace agon
