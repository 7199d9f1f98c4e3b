#include "agon/score/seen_score.h"

#include <gtest/gtest.h>

#include <cmath>

#include "agon/score/discrete_score.h"
#include "agon/score/test_counted_score.h"

namespace agon {
namespace {

using testing::CountsByParents;
using testing::Family;

double bic_seen_by_definition(const Dataset& data, const Family& family) {
  const CountsByParents counts = testing::counts_by_parents(data, family);
  const double parameters = (testing::levels_of(data, family.child) - 1) * static_cast<double>(counts.size());
  return testing::log_likelihood(counts) - 1.5 * 0.5 * std::log(data.total_weight()) * parameters;
}

double bds_by_definition(const Dataset& data, const Family& family) {
  const CountsByParents counts = testing::counts_by_parents(data, family);
  const double r = testing::levels_of(data, family.child), a = 4 / static_cast<double>(counts.size());
  double sum = 0;
  for (const auto& [configuration, cells] : counts) {
    double rows = 0;
    for (const auto& [level, n] : cells) {
      rows += n;
      sum += std::lgamma(a / r + n) - std::lgamma(a / r);
    }
    sum += std::lgamma(a) - std::lgamma(a + rows);
  }
  return sum;
}

TEST(DiscreteBicSeen, EqualsItsDefinitionInEveryLayout) {
  testing::check_definition<DiscreteBicSeen, WeightedDiscreteBicSeen>({.penalty = 1.5}, bic_seen_by_definition);
}

TEST(Bds, EqualsItsDefinitionInEveryLayout) {
  testing::check_definition<Bds, WeightedBds>({.ess = 4}, bds_by_definition);
}

// a and b are never 1 together, so that two binary parents have three configurations. c copies a where b is 0.
//
//   a 0 0 0 0 1 1      given (a, b) = (0, 0): c = 0 0;   (0, 1): c = 0 1;   (1, 0): c = 1 1
//   b 0 0 1 1 0 0      discrete-bic-seen: 2 ln 1/2 - 3/2 ln 6
//   c 0 0 0 1 1 1      bds with A = 6: 2 in each configuration, 1 in each cell, so that each is N0! N1! / (N + 1)!:
//                      ln(1/3) + ln(1/6) + ln(1/3)
const Dataset& six_rows() {
  static const Dataset data =
      make_dataset({categorical_column("a", {0, 0, 0, 0, 1, 1}), categorical_column("b", {0, 0, 1, 1, 0, 0}),
                    categorical_column("c", {0, 0, 0, 1, 1, 1})},
                   "six");
  return data;
}

std::vector<Node> nodes(const std::vector<std::string>& names) {
  std::vector<Node> out;
  for (const std::string& name : names) out.push_back(six_rows().index_of(name));
  std::ranges::sort(out);
  return out;
}

TEST(SeenScores, Golden) {
  const Node c = six_rows().index_of("c");
  EXPECT_NEAR(DiscreteBicSeen(six_rows()).local(c, nodes({"a", "b"})), 2 * std::log(0.5) - 1.5 * std::log(6.0), 1e-12);
  EXPECT_NEAR(Bds(six_rows(), {.ess = 6}).local(c, nodes({"a", "b"})), -std::log(54.0), 1e-12);
}

// The counterexample to score equivalence. Three binary variables, all joined, are one class. Written as a -> b, {a, b}
// -> c a node after the other is charged 1 + 2 + 3 configurations, because (a, b) has three; with {a, c} -> b, where
// (a, c) has three as well, the same; with {b, c} -> a it is charged 1 + 2 + 4. The likelihoods are equal.
TEST(SeenScores, AreNotTheSameForAllMembersOfAClass) {
  const Node a = six_rows().index_of("a"), b = six_rows().index_of("b"), c = six_rows().index_of("c");
  const auto joined = [&](const LocalScore& score, Node first, Node second, Node third) {
    return score.local(first, {}) + score.local(second, std::vector<Node>{first}) +
           score.local(third, std::vector<Node>{std::min(first, second), std::max(first, second)});
  };
  const DiscreteBicSeen bic(six_rows());
  EXPECT_FALSE(bic.traits().score_equivalent);
  EXPECT_NEAR(joined(bic, a, b, c), joined(bic, a, c, b), 1e-12);
  EXPECT_NEAR(joined(bic, a, b, c) - joined(bic, b, c, a), 0.5 * std::log(6.0), 1e-12);
  const Bds bds(six_rows());
  EXPECT_FALSE(bds.traits().score_equivalent);
  EXPECT_GT(std::abs(joined(bds, a, b, c) - joined(bds, b, c, a)), 0.01);
}

// Where every configuration occurs, there is nothing to leave out.
TEST(SeenScores, AreDiscreteBicAndBdeuOnTablesThatReachEverything) {
  Rng rng(6);
  const Dataset data = testing::random_categorical({.variables = 4, .rows = 3000, .most_levels = 3}, rng);
  const Dag dag = testing::random_dag(4, 0.6, rng);
  for (Node v = 0; v < data.size(); ++v) {
    double possible = 1;
    for (const Node q : dag.parent_list(v)) possible *= testing::levels_of(data, q);
    ASSERT_EQ(static_cast<double>(testing::counts_by_parents(data, {v, dag.parent_list(v)}).size()), possible);
  }
  EXPECT_NEAR(total(DiscreteBicSeen(data), dag), total(DiscreteBic(data), dag), 1e-8);
  EXPECT_NEAR(total(Bds(data), dag), total(Bdeu(data), dag), 1e-8);
}

}  // namespace
}  // namespace agon
