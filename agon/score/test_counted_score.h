// What the tests of the scores of categorical tables share: counts by definition, and the checks that every such score
// has to pass.
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "agon/score/local_score.h"
#include "agon/score/test_weights.h"

namespace agon::testing {

// The weight of every cell: from the levels of the parents to the weights of the child's levels.
using CountsByParents = std::map<std::vector<uint32_t>, std::map<uint32_t, double>>;

inline CountsByParents counts_by_parents(const Dataset& data, const Family& family) {
  CountsByParents out;
  for (size_t row = 0; row < data.rows(); ++row) {
    std::vector<uint32_t> configuration;
    for (const Node q : family.parents) configuration.push_back(data.column(q).codes[row]);
    out[configuration][data.column(family.child).codes[row]] += data.weight(row);
  }
  return out;
}

inline double levels_of(const Dataset& data, Node v) {
  return data.column(v).is_isolated() ? 1 : static_cast<double>(data.column(v).levels.size());
}

inline double log_likelihood(const CountsByParents& counts) {
  double sum = 0;
  for (const auto& [configuration, cells] : counts) {
    double rows = 0;
    for (const auto& [level, n] : cells) rows += n;
    for (const auto& [level, n] : cells) sum += n > 0 ? n * std::log(n / rows) : 0;
  }
  return sum;
}

// Few rows and many, few levels and many, rows that repeat.
inline Dataset random_table(Rng& rng) {
  TableShape shape;
  shape.variables = 2 + rng.below(7);
  shape.rows = 1 + rng.below(400);
  const int kind = rng.below(4);
  shape.most_levels = kind == 0 ? 2 : kind == 1 ? 5 : kind == 2 ? 60 : 1 + rng.below(9);
  shape.copies = rng.below(3) == 0 ? 40 : 1;
  return random_categorical(shape, rng);
}

inline bool close(double actual, double expected) {
  return actual == expected || std::abs(actual - expected) <= 1e-9 * (1 + std::abs(expected));
}

// A family by definition, and the batch calls against their plain twins.
template <class Definition>
void check_family(const LocalScore& score, const Dataset& data, Rng& rng, Definition definition) {
  const Family family = random_family(data.size(), 5, rng);
  const double now = score.local(family.child, family.parents);
  RC_ASSERT(close(now, definition(data, family)));
  std::vector<double> fast(data.size()), plain(data.size()), without(family.parents.size()), twin(without);
  RC_ASSERT(close(score.column_gains(family.child, family.parents, fast, without), now));
  plain_addition_gains(score, family.child, family.parents, plain);
  plain_removal_gains(score, family.child, family.parents, twin);
  for (Node v = 0; v < data.size(); ++v) {
    RC_ASSERT(fast[v] == plain[v] || std::abs(fast[v] - plain[v]) <= 1e-9 * (1 + std::abs(now)));
  }
  for (size_t k = 0; k < twin.size(); ++k) RC_ASSERT(std::abs(without[k] - twin[k]) <= 1e-9 * (1 + std::abs(now)));
}

// Tables whose rows count once each; with weights; counted rows against the same rows written out.
template <class Score, class Weighted, class Definition>
void check_definition(const ScoreOptions& options, Definition definition) {
  EXPECT_TRUE(rc::check([&](uint64_t seed) {
    Rng rng(seed);
    const Dataset data = random_table(rng);
    check_family(Score(data, options), data, rng, definition);
  }));
  EXPECT_TRUE(rc::check([&](uint64_t seed) {
    Rng rng(seed);
    const TableShape shape = {
        .variables = 2 + rng.below(6), .rows = 1 + rng.below(100), .most_levels = 2 + rng.below(6)};
    const Dataset data = random_weighted(shape, 0, rng);
    check_family(Weighted(data, options), data, rng, definition);
    const CountedTable table = random_counted(shape, 12, rng);
    const Dag dag = random_dag(table.counted.size(), 0.4, rng);
    RC_ASSERT(close(total(Weighted(table.counted, options), dag), total(Score(table.expanded, options), dag)));
  }));
}

// Reversing a covered edge stays in the class, and such steps reach every member (Chickering 1995).
inline void expect_equivalent(const LocalScore& score, Rng& rng) {
  EXPECT_TRUE(score.traits().score_equivalent);
  const Dag dag = random_dag(score.size(), 0.5, rng);
  const double before = total(score, dag);
  for (const Edge& edge : dag.edges()) {
    std::vector<Node> parents = dag.parent_list(edge.to);
    std::erase(parents, edge.from);
    if (parents != dag.parent_list(edge.from)) continue;
    if (score.traits().constant[edge.from] || score.traits().constant[edge.to]) continue;
    Dag other = dag;
    other.apply({MoveKind::kReverse, edge.from, edge.to});
    EXPECT_TRUE(close(total(score, other), before)) << total(score, other) << " and " << before;
  }
}

}  // namespace agon::testing
