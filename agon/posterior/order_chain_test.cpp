#include "agon/posterior/order_chain.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <map>

#include "agon/posterior/test_posteriors.h"

namespace agon {
namespace {

using test::complete_tables;
using test::RandomScore;

Knowledge some_knowledge() {
  KnowledgeBuilder builder({"a", "b", "c", "d"});
  builder.require("d", "b", "test");
  builder.forbid("a", "c", "test");
  return builder.build();
}

// Every DAG on four nodes that the knowledge allows, with its share of all weight.
std::vector<std::pair<ParentMasks, double>> shares_of_all(const ParentSpace& space, const Knowledge& knowledge) {
  std::vector<std::pair<ParentMasks, double>> out;
  double all = kLogZero;
  for (const Dag& dag : test::all_dags(space.size())) {
    if (!satisfies(dag, knowledge)) continue;
    const ParentMasks parents = parents_in(space, dag);
    double score = 0;
    for (int v = 0; v < space.size(); ++v) score += space.table(v).own[parents[static_cast<size_t>(v)]];
    out.push_back({parents, score});
    all = log_add(all, score);
  }
  for (auto& [parents, share] : out) share = std::exp(share - all);
  return out;
}

// The law of total probability: the arrow into a node given the rest of a DAG, averaged over all DAGs, is the arrow.
TEST(ParentSpace, ArrowsGivenTheRestAverageToTheArrows) {
  const RandomScore score(4, 2, 11);
  for (const Knowledge& knowledge : {Knowledge(), some_knowledge()}) {
    const auto tables = complete_tables(score, knowledge);
    const ParentSpace space(tables);
    const auto all = test::enumerated_posterior(score, knowledge);
    std::vector<double> arrow(16, 0);
    for (const auto& [parents, share] : shares_of_all(space, knowledge)) {
      const std::vector<NodeSet> ancestors = ancestors_of(space, parents);
      for (int v = 0; v < 4; ++v) {
        std::vector<double> now(space.candidates(v).size());
        arrow_probabilities(space, ancestors, v, now);
        for (size_t k = 0; k < now.size(); ++k) {
          arrow[static_cast<size_t>(space.candidates(v)[k] * 4 + v)] += share * now[k];
        }
        for (const int u : space.always(v)) arrow[static_cast<size_t>(u * 4 + v)] += share;
      }
    }
    for (size_t k = 0; k < 16; ++k) EXPECT_NEAR(arrow[k], all.arrow[k], 1e-10) << k;
  }
}

// 20,000 draws: a share has a standard error of at most 0.0036; the bound is five of them.
TEST(ParentSpace, DrawsSetsInProportionToTheirWeight) {
  const RandomScore score(8, 1, 2);
  const auto tables = complete_tables(score);
  const ParentSpace space(tables);
  Rng rng(3);
  for (const ParentMask allowed : {0b0u, 0b101u, 0b1101101u}) {  // walked in both ways
    std::map<ParentMask, int> drawn;
    for (int k = 0; k < 20'000; ++k) ++drawn[space.draw(2, allowed, rng)];
    for (ParentMask mask = 0; mask < tables[2].own.size(); ++mask) {
      const double expected = mask & ~allowed ? 0 : std::exp(tables[2].own[mask] - tables[2].within[allowed]);
      EXPECT_NEAR(drawn[mask] / 20'000.0, expected, 0.018) << mask;
    }
  }
}

// A chain a -> b -> c with d free: d may be picked at four moments, so four orders, with probabilities by hand.
TEST(OrderChain, KnowsTheProbabilityOfItsOrder) {
  const RandomScore score(4, 1, 4);
  const auto tables = complete_tables(score);
  const ParentSpace space(tables);
  Dag dag(4);
  dag.add_edge(0, 1);
  dag.add_edge(1, 2);
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const OrderChain chain(space, parents_in(space, dag), Rng(seed));
    const double q = std::exp(chain.log_order_probability());
    const bool expected =
        std::abs(q - 1.0 / 2) < 1e-12 || std::abs(q - 1.0 / 4) < 1e-12 || std::abs(q - 1.0 / 8) < 1e-12;
    EXPECT_TRUE(expected) << q;
  }
}

// The share of time at each of the 543 DAGs on four nodes against its weight. Order MCMC without the correction fails
// this by far: it would give the empty DAG 24 times the weight of a complete one. Of 500,000 steps every fifth is
// looked at; these are worth over 20,000 independent ones, whose shares have a standard error below 0.0036. The bound
// is five times that: 1086 shares exceed it with probability below 1e-3 if the seed were not fixed, and the shares not
// so small.
TEST(OrderChain, VisitsDagsInProportionToTheirWeight) {
  for (const double spread : {0.0, 1.5}) {
    const RandomScore score(4, spread, 3);
    for (const Knowledge& knowledge : {Knowledge(), some_knowledge()}) {
      const auto tables = complete_tables(score, knowledge);
      const ParentSpace space(tables);
      Rng rng(4);
      OrderChain chain(space, random_parents(space, rng), Rng(5));
      std::map<ParentMasks, long> visits;
      const long looks = 100'000;
      std::vector<double> sizes(7, 0), expected_sizes(7, 0);
      const auto size_of = [](const ParentMasks& parents) {
        size_t edges = 0;
        for (const ParentMask mask : parents) edges += static_cast<size_t>(std::popcount(mask));
        return edges;
      };
      for (long k = 0; k < looks; ++k) {
        for (int step = 0; step < 5; ++step) chain.step();
        ++visits[chain.parents()];
        sizes[size_of(chain.parents())] += 1.0 / static_cast<double>(looks);
      }
      for (const auto& [parents, share] : shares_of_all(space, knowledge)) {
        EXPECT_NEAR(static_cast<double>(visits[parents]) / static_cast<double>(looks), share, 0.018);
        expected_sizes[size_of(parents)] += share;
      }
      for (size_t k = 0; k < 7; ++k) EXPECT_NEAR(sizes[k], expected_sizes[k], 0.018) << k;
    }
  }
}

TEST(OrderChain, IsAlwaysADagThatTheTablesAllow) {
  const RandomScore score(9, 3, 8, 3);
  KnowledgeBuilder builder({"a", "b", "c", "d", "e", "f", "g", "h", "i"});
  builder.require("d", "b", "test");
  builder.require("b", "h", "test");
  builder.forbid("a", "c", "test");
  const Knowledge knowledge = builder.build();
  const auto tables = complete_tables(score, knowledge);
  const ParentSpace space(tables);
  Rng rng(9);
  OrderChain chain(space, random_parents(space, rng), Rng(10));
  for (int k = 0; k < 2000; ++k) {
    chain.step();
    Dag dag(9);
    for (size_t v = 0; v < 9; ++v) {
      for (const Node u : tables[v].parents(chain.parents()[v])) dag.add_edge(u, static_cast<Node>(v));
      ASSERT_LE(dag.parents(static_cast<Node>(v)).count(), 3);
    }
    ASSERT_TRUE(is_acyclic(dag));
    ASSERT_TRUE(satisfies(dag, knowledge));
    ASSERT_EQ(parents_in(space, dag), chain.parents());
  }
  EXPECT_GT(chain.accepted(), 200);
}

}  // namespace
}  // namespace agon
