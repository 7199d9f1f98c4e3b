#include "agon/score/edge_price.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "agon/graph/test_graphs.h"
#include "agon/score/gaussian_score.h"
#include "agon/score/mixed_score.h"
#include "agon/score/nml_score.h"
#include "agon/score/test_tables.h"

namespace agon {
namespace {

TEST(EdgePrice, NamesOneOfTheVariablesThatVary) {
  EXPECT_NEAR(naming_price(100), 4.605170185988092, 1e-12);  // python3 -c "from math import log; print(log(100))"
  EXPECT_EQ(naming_price(1), 0);
  EXPECT_EQ(naming_price(0), 0);
}

TEST(EdgePrice, WhatIsBehindIt) {
  Rng rng(1);
  const Dataset data = testing::random_continuous(4, 100, false, rng);
  const MixedBic bare(data);
  EXPECT_EQ(&without_edge_price(bare), &bare);
  EXPECT_EQ(edge_price(bare), 0);
  const auto named = with_edge_price(std::make_unique<MixedBic>(data), 2, "dear");
  const auto same = with_edge_price(std::make_unique<MixedBic>(data), 2);
  EXPECT_EQ(edge_price(*named), 2);
  EXPECT_EQ(named->traits().name, "dear");
  EXPECT_EQ(without_edge_price(*named).traits().name, "mixed-bic");
  EXPECT_EQ(same->traits().name, "mixed-bic");
}

// Seven columns and one that does not vary: a price of ln 7.
struct Pair {
  Dataset data;
  std::unique_ptr<LocalScore> plain, priced;
  double price = std::log(7);
};

// GaussianBic takes the price by itself, others through with_edge_price().
Pair some_pair(bool gaussian, Rng& rng) {
  std::vector<Column> columns = testing::random_continuous(7, 20, false, rng).columns();
  columns.push_back(continuous_column("constant", std::vector<double>(20, 1)));
  Pair out{make_dataset(std::move(columns), "t"), nullptr, nullptr};
  if (gaussian) {
    const auto make = [&](bool priced) {
      return std::make_unique<GaussianBic>(out.data, GaussianBic::Scale::kRaw, ScoreOptions{.priced_edges = priced});
    };
    out.plain = make(false);
    out.priced = make(true);
  } else {
    out.plain = std::make_unique<MixedBic>(out.data);
    out.priced = with_edge_price(std::make_unique<MixedBic>(out.data), naming_price(*out.plain));
  }
  return out;
}

RC_GTEST_PROP(EdgePrice, ChargesByTheEdge, ()) {
  Rng rng(*rc::gen::arbitrary<uint64_t>());
  const Pair t = some_pair(*rc::gen::arbitrary<bool>(), rng);
  RC_ASSERT(std::abs(edge_price(*t.priced) - t.price) < 1e-12);
  Dag dag = testing::random_dag(8, 0.2, rng);
  const Node constant = t.data.index_of("constant");
  for (const Edge e : dag.edges()) {
    if (e.from == constant || e.to == constant) dag.remove_edge(e.from, e.to);
  }
  RC_PRE(dag.edge_count() > 0);
  RC_ASSERT(std::abs(total(*t.plain, dag) - t.price * dag.edge_count() - total(*t.priced, dag)) < 1e-9);
  for (const Dag& member : test::members_by_walk(dag)) {
    RC_ASSERT(std::abs(total(*t.priced, member) - total(*t.priced, dag)) < 1e-6);
  }
}

RC_GTEST_PROP(EdgePrice, TheBatchCallsAreTheirPlainTwins, ()) {
  Rng rng(*rc::gen::arbitrary<uint64_t>());
  const Pair t = some_pair(*rc::gen::arbitrary<bool>(), rng);
  const Node child = *rc::gen::inRange(0, 8);
  std::vector<Node> parents;
  for (Node v = 0; v < 8; ++v) {
    if (v != child && parents.size() < 2 && rng.uniform() < 0.3 && !t.plain->traits().constant[v]) parents.push_back(v);
  }
  std::vector<double> fast(8), slow(8), removed(parents.size()), expected(parents.size());
  const auto near = [](double a, double b) { return a == b || std::abs(a - b) < 1e-8; };
  RC_ASSERT(
      near(t.priced->addition_gains(child, parents, fast), plain_addition_gains(*t.priced, child, parents, slow)));
  for (Node v = 0; v < 8; ++v) RC_ASSERT(near(fast[v], slow[v]));
  t.priced->removal_gains(child, parents, removed);
  plain_removal_gains(*t.priced, child, parents, expected);
  for (size_t k = 0; k < parents.size(); ++k) RC_ASSERT(near(removed[k], expected[k]));
  std::vector<double> both(8), both_removed(parents.size());
  t.priced->column_gains(child, parents, both, both_removed);
  RC_ASSERT(both == fast);
  for (size_t k = 0; k < parents.size(); ++k) RC_ASSERT(near(both_removed[k], removed[k]));
  std::vector<ParentGain> best;
  t.priced->positive_additions(child, parents, best);
  size_t positive = 0;
  for (const double gain : fast) positive += gain > 1e-9;
  RC_ASSERT(best.size() == positive);
  for (const ParentGain& one : best) RC_ASSERT(near(one.gain, fast[one.node]));
}

// Qnml is told the price, so that it need not count what gains less.
TEST(EdgePrice, QnmlGivesWhatIsWorthIt) {
  Rng rng(3);
  const Dataset data = testing::random_categorical({.variables = 30, .rows = 700, .most_levels = 4}, rng);
  const auto priced = with_edge_price(std::make_unique<Qnml>(data), 4);
  const Qnml plain(data);
  int taken = 0, too_dear = 0;
  for (int round = 0; round < 60; ++round) {
    const auto family = testing::random_family(data.size(), 3, rng);
    std::vector<double> gains(data.size());
    std::vector<ParentGain> expected, found, without_price;
    const double score = priced->addition_gains(family.child, family.parents, gains);
    sort_positive(gains, expected);
    EXPECT_EQ(priced->positive_additions(family.child, family.parents, found), score);
    EXPECT_EQ(found, expected);
    plain.positive_additions(family.child, family.parents, without_price);
    taken += static_cast<int>(found.size());
    too_dear += static_cast<int>(without_price.size() - found.size());
  }
  EXPECT_GT(taken, 10);
  EXPECT_GT(too_dear, 10);
}

}  // namespace
}  // namespace agon
