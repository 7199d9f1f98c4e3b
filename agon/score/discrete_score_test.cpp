#include "agon/score/discrete_score.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "agon/score/test_scores.h"
#include "agon/score/test_tables.h"

namespace agon {
namespace {

using testing::Family;
using testing::TableShape;

// Counts by definition: a map from (levels of the parents) to the counts of the child's levels.
std::map<std::vector<uint32_t>, std::vector<double>> counts_by_definition(const Dataset& data, const Family& family) {
  std::map<std::vector<uint32_t>, std::vector<double>> counts;
  for (size_t row = 0; row < data.rows(); ++row) {
    std::vector<uint32_t> levels;
    for (Node q : family.parents) levels.push_back(data.column(q).codes[row]);
    auto& cells = counts[levels];
    cells.resize(data.column(family.child).levels.size());
    ++cells[data.column(family.child).codes[row]];
  }
  return counts;
}

double bic_by_definition(const Dataset& data, const Family& family, double penalty) {
  double likelihood = 0;
  for (const auto& [levels, cells] : counts_by_definition(data, family)) {
    double rows = 0;
    for (double n : cells) rows += n;
    for (double n : cells) {
      if (n > 0) likelihood += n * std::log(n / rows);
    }
  }
  double parameters = static_cast<double>(data.column(family.child).levels.size()) - 1;
  for (Node q : family.parents) parameters *= static_cast<double>(data.column(q).levels.size());
  return likelihood - penalty * 0.5 * std::log(static_cast<double>(data.rows())) * parameters;
}

double bdeu_by_definition(const Dataset& data, const Family& family, double ess) {
  double configurations = 1;
  for (Node q : family.parents) configurations *= static_cast<double>(data.column(q).levels.size());
  const double r = static_cast<double>(data.column(family.child).levels.size());
  const double a = ess / configurations;
  double sum = 0;
  for (const auto& [levels, cells] : counts_by_definition(data, family)) {
    double rows = 0;
    for (double n : cells) {
      rows += n;
      sum += std::lgamma(a / r + n) - std::lgamma(a / r);
    }
    sum += std::lgamma(a) - std::lgamma(a + rows);
  }
  return sum;
}

Dataset random_table(Rng& rng) {
  TableShape shape;
  shape.variables = 2 + rng.below(7);
  shape.rows = 1 + rng.below(400);
  const int kind = rng.below(4);
  shape.most_levels = kind == 0 ? 2 : kind == 1 ? 5 : kind == 2 ? 60 : 1 + rng.below(9);
  shape.copies = rng.below(3) == 0 ? 40 : 1;
  return testing::random_categorical(shape, rng);
}

void expect_near(double actual, double expected) {
  RC_ASSERT(std::abs(actual - expected) <= 1e-9 * (1 + std::abs(expected)));
}

void expect_same_gains(const std::vector<double>& fast, const std::vector<double>& plain, double scale) {
  for (size_t v = 0; v < fast.size(); ++v) {
    if (plain[v] == kNoGain) {
      RC_ASSERT(fast[v] == kNoGain);
    } else {
      RC_ASSERT(std::abs(fast[v] - plain[v]) <= 1e-9 * (1 + std::abs(scale)));
    }
  }
}

template <class Score, class Definition>
void check_against_definition(uint64_t seed, const ScoreOptions& options, Definition definition) {
  Rng rng(seed);
  const Dataset data = random_table(rng);
  const Score score(data, options);
  const Family family = testing::random_family(data.size(), 5, rng);
  const double now = score.local(family.child, family.parents);
  expect_near(now, definition(data, family));

  std::vector<double> fast(data.size()), plain(data.size());
  RC_ASSERT(score.addition_gains(family.child, family.parents, fast) == now);
  plain_addition_gains(score, family.child, family.parents, plain);
  expect_same_gains(fast, plain, now);
  std::vector<ParentGain> best;
  RC_ASSERT(score.positive_additions(family.child, family.parents, best) == now);
  RC_ASSERT(std::ssize(best) == std::ranges::count_if(fast, [](double gain) { return gain > 0; }));
  for (size_t k = 0; k < best.size(); ++k) {
    RC_ASSERT(best[k].gain > 0 && best[k].gain == fast[best[k].node] && (k == 0 || best[k - 1].gain >= best[k].gain));
  }

  fast.assign(family.parents.size(), 0);
  plain.assign(family.parents.size(), 0);
  RC_ASSERT(score.removal_gains(family.child, family.parents, fast) == now);
  plain_removal_gains(score, family.child, family.parents, plain);
  expect_same_gains(fast, plain, now);
}

TEST(DiscreteBic, EqualsItsDefinitionInEveryLayout) {
  EXPECT_TRUE(rc::check([](uint64_t seed) {
    check_against_definition<DiscreteBic>(seed, {.penalty = 1.5}, [](const Dataset& data, const Family& family) {
      return bic_by_definition(data, family, 1.5);
    });
  }));
}

TEST(Bdeu, EqualsItsDefinitionInEveryLayout) {
  EXPECT_TRUE(rc::check([](uint64_t seed) {
    check_against_definition<Bdeu>(seed, {.ess = 4}, [](const Dataset& data, const Family& family) {
      return bdeu_by_definition(data, family, 4);
    });
  }));
}

TEST(DiscreteTable, MergesRepeatedRowsAndOnlyThem) {
  Rng rng(3);
  const Dataset repeated = testing::random_categorical({.variables = 3, .rows = 30, .copies = 40}, rng);
  const Dataset distinct = testing::random_categorical({.variables = 30, .rows = 300, .most_levels = 9}, rng);
  EXPECT_TRUE(DiscreteTable(repeated).is_merged());
  EXPECT_LE(DiscreteTable(repeated).stored_rows(), 30u);
  EXPECT_FALSE(DiscreteTable(distinct).is_merged());
}

TEST(DiscreteTable, OneRepeatedRowAndAnEnormousNumberOfLevels) {
  std::vector<int> id(3000), twin(3000), bit(3000);
  for (int row = 0; row < 3000; ++row) {
    id[row] = row;
    twin[row] = 2999 - row;
    bit[row] = row % 2;
  }
  const Dataset data = make_dataset(
      {categorical_column("id", id), categorical_column("twin", twin), categorical_column("bit", bit)}, "t");
  const DiscreteBic score(data);
  const Family family{
      data.index_of("id"),
      {std::min(data.index_of("twin"), data.index_of("bit")), std::max(data.index_of("twin"), data.index_of("bit"))}};
  EXPECT_DOUBLE_EQ(score.local(family.child, family.parents), bic_by_definition(data, family, 1));
  std::vector<double> gains(3);
  score.addition_gains(family.child, Parents(family.parents).first(1), gains);
  for (double g : gains) EXPECT_FALSE(std::isnan(g));
}

TEST(DiscreteScores, OrderOfRowsChangesNoBit) {
  EXPECT_TRUE(rc::check([](uint64_t seed) {
    Rng rng(seed);
    const Dataset data = random_table(rng);
    const Dataset other = testing::shuffled_rows(data, rng);
    const Family family = testing::random_family(data.size(), 4, rng);
    RC_ASSERT(DiscreteBic(data).local(family.child, family.parents) ==
              DiscreteBic(other).local(family.child, family.parents));
    RC_ASSERT(Bdeu(data).local(family.child, family.parents) == Bdeu(other).local(family.child, family.parents));
  }));
}

TEST(DiscreteBic, ConstantColumnsTakeNoPart) {
  const Dataset data = make_dataset({categorical_column("a", {0, 1, 0, 1}), categorical_column("b", {0, 1, 0, 1}),
                                     categorical_column("c", {0, 0, 0, 0})},
                                    "t");
  const DiscreteBic score(data);
  const Node c = data.index_of("c");
  EXPECT_TRUE(score.traits().constant[c]);
  EXPECT_EQ(score.local(c, {}), 0);
  std::vector<double> gains(3);
  score.addition_gains(c, {}, gains);
  EXPECT_EQ(gains, (std::vector<double>(3, kNoGain)));
  score.addition_gains(data.index_of("a"), {}, gains);
  EXPECT_EQ(gains[c], kNoGain);
  EXPECT_GT(gains[data.index_of("b")], 0);
}

TEST(Scores, AConstantColumnOfTheOtherKindIsNoObstacle) {
  for (int copies : {1, 50}) {
    std::vector<int> a, b;
    std::vector<double> flat, x;
    for (int row = 0; row < 8 * copies; ++row) {
      a.push_back(row % 2);
      b.push_back(row % 4 / 2);
      flat.push_back(1.5);
      x.push_back(row % 8 + 0.5 * a.back());
    }
    const Dataset words = make_dataset({categorical_column("a", a), categorical_column("b", b)}, "t");
    const Dataset with_flat =
        make_dataset({categorical_column("a", a), continuous_column("flat", flat), categorical_column("b", b)}, "t");
    const auto plain = make_score("auto", words), mixed = make_score("auto", with_flat);
    EXPECT_EQ(mixed->traits().name, "discrete-bic");
    EXPECT_TRUE(mixed->traits().constant[with_flat.index_of("flat")]);
    EXPECT_EQ(plain->local(words.index_of("a"), std::vector<Node>{words.index_of("b")}),
              mixed->local(with_flat.index_of("a"), std::vector<Node>{with_flat.index_of("b")}));
    std::vector<double> gains(3);
    mixed->addition_gains(with_flat.index_of("a"), {}, gains);
    EXPECT_EQ(gains[with_flat.index_of("flat")], kNoGain);
    const Dataset numbers = make_dataset(
        {continuous_column("x", x), categorical_column("flat", std::vector<int>(x.size(), 0), {"same"})}, "t");
    EXPECT_EQ(make_score("auto", numbers)->traits().name, "copula-bic");
    EXPECT_EQ(make_score("gaussian-bic", numbers)->local(numbers.index_of("flat"), {}), 0);
  }
}

TEST(DiscreteBic, ObeysTheCapOnParents) {
  Rng rng(5);
  const Dataset data = testing::random_categorical({.variables = 5, .rows = 200, .most_levels = 3}, rng);
  const DiscreteBic score(data, {.max_parents = 1});
  std::vector<double> gains(5);
  score.addition_gains(0, std::vector<Node>{1}, gains);
  EXPECT_EQ(gains, std::vector<double>(5, kNoGain));
}

}  // namespace
}  // namespace agon
