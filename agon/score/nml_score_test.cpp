#include "agon/score/nml_score.h"

#include <gtest/gtest.h>

#include <cmath>

#include "agon/score/regret.h"
#include "agon/score/test_counted_score.h"
#include "agon/score/test_discrete_scores.h"

namespace agon {
namespace {

using testing::CountsByParents;
using testing::Family;

using RegretOf = double(double n, double levels);

double qnml_by(RegretOf* regret, const Dataset& data, const Family& family) {
  const CountsByParents counts = testing::counts_by_parents(data, family);
  double configurations = 1;
  for (const Node q : family.parents) configurations *= testing::levels_of(data, q);
  const double n = data.total_weight();
  return testing::log_likelihood(counts) - regret(n, configurations * testing::levels_of(data, family.child)) +
         regret(n, configurations);
}

double qnml_by_definition(const Dataset& data, const Family& family) {
  return qnml_by(multinomial_regret, data, family);
}

double fnml_by_definition(const Dataset& data, const Family& family) {
  double score = 0;
  const CountsByParents counts = testing::counts_by_parents(data, family);
  for (const auto& [configuration, cells] : counts) {
    double rows = 0;
    for (const auto& [level, n] : cells) rows += n;
    score -= multinomial_regret(rows, testing::levels_of(data, family.child));
  }
  return score + testing::log_likelihood(counts);
}

TEST(Qnml, EqualsItsDefinitionInEveryLayout) { testing::check_definition<Qnml, WeightedQnml>({}, qnml_by_definition); }

TEST(Fnml, EqualsItsDefinitionInEveryLayout) { testing::check_definition<Fnml, WeightedFnml>({}, fnml_by_definition); }

double qnml_edges_by_definition(const Dataset& data, const Family& family) {
  double vary = 0;
  for (const Column& column : data.columns()) vary += !column.is_isolated();
  return qnml_by(straight_regret, data, family) -
         (vary > 1 ? std::log(vary) : 0) * static_cast<double>(family.parents.size());
}

TEST(QnmlEdges, IsQnmlWithAStraightRegretAndANameForEveryParent) {
  EXPECT_TRUE(rc::check([](uint64_t seed) {
    Rng rng(seed);
    const Dataset data = testing::random_table(rng);
    testing::check_family(*testing::make_discrete("qnml-edges", data), data, rng, qnml_edges_by_definition);
    const Dataset weighted = testing::random_weighted({.variables = 5, .rows = 1 + rng.below(80)}, 0, rng);
    testing::check_family(*testing::make_discrete("qnml-edges", weighted), weighted, rng, qnml_edges_by_definition);
  }));
}

// x = 0 0 0 0 1 1 1 1, y = 0 0 0 1 1 1 1 0: the likelihood of y is 2^-8, and given x it is (3/4)^6 (1/4)^2. R by the
// formula of regret.h:
//
//   python3 -c "from math import *
//   def R(n, K): a = K/n; c = .5 + .5*sqrt(1 + 4/a); return n*(log(a) + (a + 2)*log(c) - 1/c) - .5*log(c + 2/a)
//   fit = 6*log(3/4) + 2*log(1/4)
//   print(8*log(.5) - R(8, 2), fit - R(8, 4) + R(8, 2), fit - 2*R(4, 2))"
TEST(Nml, Golden) {
  const Dataset data = make_dataset(
      {categorical_column("x", {0, 0, 0, 0, 1, 1, 1, 1}), categorical_column("y", {0, 0, 0, 1, 1, 1, 1, 0})}, "eight");
  const Node y = data.index_of("y");
  const std::vector<Node> x = {data.index_of("x")};
  EXPECT_NEAR(Qnml(data).local(y, {}), -7.0841523307648755, 1e-12);
  EXPECT_NEAR(Fnml(data).local(y, {}), -7.0841523307648755, 1e-12);
  EXPECT_NEAR(Qnml(data).local(y, x), -6.381592702770471, 1e-12);
  EXPECT_NEAR(Fnml(data).local(y, x), -7.024687854441757, 1e-12);
}

TEST(Qnml, IsTheSameForAllMembersOfAClass) {
  Rng rng(4);
  for (int trial = 0; trial < 30; ++trial) {
    const Dataset data = testing::random_table(rng);
    testing::expect_equivalent(Qnml(data), rng);
    testing::expect_equivalent(*testing::make_discrete("qnml-edges", data), rng);
  }
}

// a and b have two and three levels: a -> b has three codes of its rows where b -> a has four, of other lengths.
TEST(Fnml, IsNotTheSameForAllMembersOfAClass) {
  const Dataset data = make_dataset(
      {categorical_column("a", {0, 0, 0, 1, 1, 1, 1, 0}), categorical_column("b", {0, 1, 2, 0, 1, 0, 2, 0})}, "t");
  const Fnml score(data);
  EXPECT_FALSE(score.traits().score_equivalent);
  const Node a = data.index_of("a"), b = data.index_of("b");
  const double forward = score.local(a, {}) + score.local(b, std::vector<Node>{a});
  const double backward = score.local(b, {}) + score.local(a, std::vector<Node>{b});
  EXPECT_GT(std::abs(forward - backward), 0.01);
}

// Many parents: more configurations than a double can count. The gains stay finite, and the family scores what it
// should.
TEST(Qnml, TakesAnyNumberOfParents) {
  Rng rng(5);
  std::vector<Column> columns;
  for (int v = 0; v < 1200; ++v) {
    std::vector<int> cells = {0, 1};
    for (int row = 2; row < 12; ++row) cells.push_back(rng.below(2));
    columns.push_back(categorical_column("v" + std::to_string(v), cells));
  }
  const Dataset data = make_dataset(std::move(columns), "wide");
  std::vector<Node> parents;
  for (Node v = 1; v < 1150; ++v) parents.push_back(v);
  const Qnml score(data);
  EXPECT_NEAR(score.local(0, parents), -12 * std::log(2.0), 1e-9);  // every row has parents of its own
  std::vector<double> gains(1200);
  score.addition_gains(0, parents, gains);
  EXPECT_NEAR(gains[1199], 0, 1e-9);
  const Qnml straight(data, {}, Regret::kStraight);
  straight.addition_gains(0, parents, gains);
  EXPECT_LT(straight.local(0, parents), -1e100);
  EXPECT_TRUE(std::isfinite(straight.local(0, parents)) && std::isfinite(gains[1199]));
}

// 1,000 rows of noise: of 512 families with more configurations than rows, qnml likes most better than no parents at
// all. With the straight regret it likes none.
TEST(QnmlEdges, DoesNotLearnNoiseByHeart) {
  Rng rng(8);
  std::vector<Column> columns;
  for (int v = 0; v < 8; ++v) {
    std::vector<int> cells;
    for (int row = 0; row < 1000; ++row) cells.push_back(row < 8 ? row : rng.below(8));
    columns.push_back(categorical_column("v" + std::to_string(v), cells));
  }
  const Dataset data = make_dataset(std::move(columns), "noise");
  const Qnml published(data), straight(data, {}, Regret::kStraight);
  int families = 0, liked = 0, liked_straight = 0;
  for (Node child = 0; child < 8; ++child) {
    for (unsigned set = 0; set < 256; ++set) {
      std::vector<Node> parents;
      for (Node v = 0; v < 8; ++v) {
        if ((set >> v & 1) != 0) parents.push_back(v);
      }
      if (parents.size() < 4 || (set >> child & 1) != 0) continue;
      ++families;
      liked += published.local(child, parents) > published.local(child, {});
      liked_straight += straight.local(child, parents) > straight.local(child, {});
    }
  }
  EXPECT_GT(liked, families / 2);
  EXPECT_EQ(liked_straight, 0);
}

}  // namespace
}  // namespace agon
