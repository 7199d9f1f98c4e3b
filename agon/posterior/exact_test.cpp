#include "agon/posterior/exact.h"

#include <gtest/gtest.h>

#include "agon/posterior/test_posteriors.h"

namespace agon {
namespace {

using test::complete_tables;
using test::enumerated_posterior;
using test::EnumeratedPosterior;
using test::RandomScore;

void expect_same(const ExactPosterior& exact, const EnumeratedPosterior& all, double tolerance) {
  EXPECT_NEAR(exact.log_weight, all.log_weight, tolerance);
  ASSERT_EQ(exact.arrow.size(), all.arrow.size());
  for (size_t k = 0; k < all.arrow.size(); ++k) {
    EXPECT_NEAR(exact.arrow[k], all.arrow[k], tolerance) << k;
    EXPECT_NEAR(exact.path[k], all.path[k], tolerance) << k;
  }
  EXPECT_LT(exact.error, tolerance);
}

Knowledge known(int nodes, const std::vector<Edge>& required, const std::vector<Edge>& forbidden) {
  std::vector<std::string> names;
  for (int v = 0; v < nodes; ++v) names.push_back("v" + std::to_string(v));
  KnowledgeBuilder builder(names);
  const auto name = [&](Node v) { return names[static_cast<size_t>(v)]; };
  for (const Edge& e : required) builder.require(name(e.from), name(e.to), "test");
  for (const Edge& e : forbidden) builder.forbid(name(e.from), name(e.to), "test");
  return builder.build();
}

// The numbers of labelled DAGs, Robinson 1973.
TEST(Exact, CountsAllDags) {
  const std::vector<double> dags = {1, 1, 3, 25, 543, 29281, 3781503, 1138779265, 783702329343, 1213442454842881};
  for (int p = 1; p <= 9; ++p) {
    const RandomScore score(p, 0, 1);
    const ExactPosterior exact = exact_posterior(complete_tables(score));
    EXPECT_NEAR(exact.log_weight + 100 * p, std::log(dags[static_cast<size_t>(p)]), 1e-10) << p;
    EXPECT_LT(exact.error, 1e-10);
  }
}

TEST(Exact, IsTheShareOfAllDags) {
  for (int p = 1; p <= 5; ++p) {
    for (const double spread : {0.5, 3.0, 20.0}) {
      const RandomScore score(p, spread, static_cast<uint64_t>(p));
      expect_same(exact_posterior(complete_tables(score)), enumerated_posterior(score, {}), 1e-10);
    }
  }
}

// Scores of real tables differ by thousands of nats, far beyond the range of a double's exponent.
TEST(Exact, TakesScoresThatAreFarApart) {
  const RandomScore score(5, 3000, 7);
  expect_same(exact_posterior(complete_tables(score)), enumerated_posterior(score, {}), 1e-7);
}

TEST(Exact, KeepsKnowledgeCapsAndConstants) {
  const Knowledge knowledge = known(5, {{0, 3}, {3, 1}}, {{2, 1}, {4, 0}, {2, 3}});
  const RandomScore score(5, 2, 8);
  expect_same(exact_posterior(complete_tables(score, knowledge)), enumerated_posterior(score, knowledge), 1e-10);

  const RandomScore capped(5, 2, 9, 2);
  expect_same(exact_posterior(complete_tables(capped)), enumerated_posterior(capped, {}), 1e-10);
}

// No twin can check twelve nodes; what can be checked is that the shares of each node sum to 1, and that a DAG far
// ahead of all others has nearly all weight.
TEST(Exact, HoldsTogetherAtTwelveNodes) {
  const RandomScore score(kMostExactNodes, 4, 10, 4);
  const ExactPosterior exact = exact_posterior(complete_tables(score));
  EXPECT_LT(exact.error, 1e-9);
  const auto p = static_cast<size_t>(kMostExactNodes);
  for (size_t a = 0; a < p; ++a) {
    for (size_t b = 0; b < p; ++b) {
      if (a == b) continue;
      EXPECT_LE(exact.arrow[a * p + b], exact.path[a * p + b] + 1e-9);
      EXPECT_LE(exact.path[a * p + b] + exact.path[b * p + a], 1 + 1e-9);
    }
  }
}

}  // namespace
}  // namespace agon
