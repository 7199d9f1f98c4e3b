// A score of random numbers, and the posterior by going through all DAGs: the slow twin of exact.h.
#pragma once

#include <cmath>
#include <vector>

#include "agon/base/rng.h"
#include "agon/graph/knowledge.h"
#include "agon/graph/test_graphs.h"
#include "agon/posterior/parent_table.h"
#include "agon/score/local_score.h"

namespace agon::test {

// Each family has a random score of its own: nothing is equivalent to anything, so an error in the weights shows.
class RandomScore : public LocalScore {
 public:
  RandomScore(int nodes, double spread, uint64_t seed, int max_parents = 100) : spread_(spread), rng_(seed) {
    traits_.name = "random";
    traits_.score_equivalent = false;
    traits_.max_parents = max_parents;
    traits_.constant.assign(static_cast<size_t>(nodes), false);
  }
  double local(Node child, Parents parents) const override {
    uint64_t key = static_cast<uint64_t>(child);
    for (const Node v : parents) key = 64 * key + static_cast<uint64_t>(v) + 1;
    return spread_ * rng_.split("family", key).normal() - 100;
  }
  const ScoreTraits& traits() const override { return traits_; }
  void set_constant(Node v) { traits_.constant[static_cast<size_t>(v)] = true; }

 private:
  double spread_;
  Rng rng_;
  ScoreTraits traits_;
};

struct EnumeratedPosterior {
  std::vector<double> arrow, path;  // [from * p + to]
  double log_weight = kLogZero;
};

inline EnumeratedPosterior enumerated_posterior(const LocalScore& score, const Knowledge& knowledge) {
  const int p = score.size();
  std::vector<Dag> dags;
  std::vector<double> totals;
  EnumeratedPosterior out;
  for (const Dag& dag : all_dags(p)) {
    bool allowed = satisfies(dag, knowledge);
    for (Node v = 0; v < p; ++v) {
      allowed = allowed && dag.parents(v).count() <= score.traits().max_parents;
      const bool joined = dag.parents(v).count() + dag.children(v).count() > 0;
      allowed = allowed && !(joined && score.traits().constant[static_cast<size_t>(v)]);
    }
    if (!allowed) continue;
    double sum = 0;
    for (Node v = 0; v < p; ++v) {
      if (!score.traits().constant[static_cast<size_t>(v)]) sum += score.local(v, dag.parent_list(v));
    }
    dags.push_back(dag);
    totals.push_back(sum);
    out.log_weight = log_add(out.log_weight, sum);
  }
  const auto n = static_cast<size_t>(p);
  out.arrow.assign(n * n, 0);
  out.path.assign(n * n, 0);
  for (size_t k = 0; k < dags.size(); ++k) {
    const double share = std::exp(totals[k] - out.log_weight);
    for (Node from = 0; from < p; ++from) {
      NodeSet reached(p);
      std::vector<Node> waiting = {from};
      while (!waiting.empty()) {
        const Node v = waiting.back();
        waiting.pop_back();
        for (const Node child : dags[k].children(v)) {
          if (reached.contains(child)) continue;
          reached.insert(child);
          waiting.push_back(child);
        }
      }
      for (const Node to : reached) out.path[static_cast<size_t>(from) * n + static_cast<size_t>(to)] += share;
      for (const Node to : dags[k].children(from)) {
        out.arrow[static_cast<size_t>(from) * n + static_cast<size_t>(to)] += share;
      }
    }
  }
  return out;
}

inline std::vector<ParentTable> complete_tables(const LocalScore& score, const Knowledge& knowledge = {}) {
  std::vector<ParentTable> tables;
  const auto lists = all_parents(score, knowledge);
  for (const Node v : varying_nodes(score)) {
    tables.push_back(make_parent_table(score, knowledge, v, lists[static_cast<size_t>(v)], 100));
  }
  return tables;
}

}  // namespace agon::test
