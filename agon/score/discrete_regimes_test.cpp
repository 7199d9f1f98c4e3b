// discrete-bic and bdeu on tables of experiments.

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <map>
#include <memory>

#include "agon/data/row_sets.h"
#include "agon/graph/class_members.h"
#include "agon/graph/equivalence.h"
#include "agon/score/test_regimes.h"
#include "agon/score/test_weights.h"
#include "agon/score/weighted_discrete.h"

namespace agon {
namespace {

using testing::Family;

bool near(double actual, double expected) {
  return actual == expected || std::abs(actual - expected) <= 1e-9 * (1 + std::abs(expected));
}

double levels(const Dataset& data, Node v) {
  return data.column(v).is_isolated() ? 1 : static_cast<double>(data.column(v).levels.size());
}

std::unique_ptr<LocalScore> scored(bool bic, const Dataset& data, const ScoreOptions& options = {}) {
  if (bic) return std::make_unique<WeightedDiscreteBic>(data, options);
  return std::make_unique<WeightedBdeu>(data, options);
}

// What the cells of some rows are worth, by configuration.
using Cells = std::map<std::vector<uint32_t>, std::map<uint32_t, double>>;

double bic_of(const Cells& cells, double price, double parameters) {
  double sum = -price * parameters;
  for (const auto& [configuration, of_level] : cells) {
    double all = 0;
    for (const auto& [level, n] : of_level) all += n;
    for (const auto& [level, n] : of_level) sum += n * std::log(n / all);
  }
  return sum;
}

double bdeu_of(const Cells& cells, double ess, double configurations, double r) {
  const double a = ess / configurations;
  double sum = 0;
  for (const auto& [configuration, of_level] : cells) {
    double all = 0;
    for (const auto& [level, n] : of_level) {
      all += n;
      sum += std::lgamma(a / r + n) - std::lgamma(a / r);
    }
    sum += std::lgamma(a) - std::lgamma(a + all);
  }
  return sum;
}

// Row by row: the group is the first parent, and each regime that set the child is a family of its own.
double by_definition(bool bic, const Dataset& data, const Family& family, const ScoreOptions& options) {
  const RowSets sets = row_sets(data);
  const RowSet& set = sets.sets[sets.of[family.child]];
  Cells cells;
  std::map<int, Cells> set_cells;
  for (size_t row = 0; row < data.rows(); ++row) {
    const int group = set.group[data.regime_of(row)];
    const uint32_t level = data.column(family.child).codes[row];
    std::vector<uint32_t> configuration = {static_cast<uint32_t>(group)};
    for (const Node q : family.parents) configuration.push_back(data.column(q).codes[row]);
    (group < 0 ? set_cells[data.regime_of(row)][{}] : cells[configuration])[level] += data.weight(row);
  }
  const double r = levels(data, family.child), price = options.penalty * 0.5 * std::log(data.total_weight());
  double q = set.groups;
  for (const Node v : family.parents) q *= levels(data, v);
  double sum = bic ? bic_of(cells, price, (r - 1) * q) : bdeu_of(cells, options.ess, q, r);
  for (const auto& [regime, alone] : set_cells) {
    sum += bic ? bic_of(alone, price, r - 1) : bdeu_of(alone, options.ess, 1, r);
  }
  return sum;
}

Dataset random_experiments(double gaps, Rng& rng) {
  const testing::TableShape shape = {
      .variables = 2 + rng.below(6), .rows = 5 + rng.below(200), .most_levels = rng.below(4) == 0 ? 60 : 4};
  return testing::with_random_regimes(testing::random_weighted(shape, gaps, rng), rng);
}

TEST(DiscreteRegimes, EqualsItsDefinition) {
  EXPECT_TRUE(rc::check([](uint64_t seed, bool bic) {
    Rng rng(seed);
    const Dataset data = random_experiments(0, rng);
    RC_PRE(data.has_regimes());
    const Family family = testing::random_family(data.size(), 4, rng);
    const ScoreOptions options = {.penalty = rng.uniform(0.5, 2), .ess = rng.uniform(0.5, 20)};
    RC_ASSERT(near(scored(bic, data, options)->local(family.child, family.parents),
                   by_definition(bic, data, family, options)));
  }));
}

TEST(DiscreteRegimes, BatchGainsArePlainGains) {
  EXPECT_TRUE(rc::check([](uint64_t seed, bool bic) {
    Rng rng(seed);
    const Dataset data = random_experiments(rng.below(2) * 0.3, rng);
    const auto score = scored(bic, data);
    const Family family = testing::random_family(data.size(), 4, rng);
    std::vector<double> additions(data.size()), removals(family.parents.size());
    std::vector<double> fast = additions, fewer = removals;
    double now = 0;
    try {
      now = score->column_gains(family.child, family.parents, fast, fewer);
    } catch (const ScoreUndefined&) {  // two of the family were never seen in one row
      return;
    }
    RC_ASSERT(now == score->local(family.child, family.parents));
    plain_addition_gains(*score, family.child, family.parents, additions);
    plain_removal_gains(*score, family.child, family.parents, removals);
    const auto same = [&](double a, double b) { return a == b || std::abs(a - b) <= 1e-9 * (1 + std::abs(now)); };
    for (size_t v = 0; v < fast.size(); ++v) RC_ASSERT(same(fast[v], additions[v]));
    for (size_t k = 0; k < fewer.size(); ++k) RC_ASSERT(same(fewer[k], removals[k]));
  }));
}

// Members of the class that the experiments leave, drawn cells included.
TEST(DiscreteRegimes, EquivalentDagsScoreTheSame) {
  Rng rng(5);
  int compared = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const Dataset data = random_experiments(trial % 2 * 0.2, rng);
    const Dag dag = testing::random_dag(data.size(), 0.5, rng);
    for (const bool bic : {true, false}) {
      const auto score = scored(bic, data);
      const ClassMembers members(cpdag_of(dag, score->traits().row_set));
      try {
        const double expected = total(*score, dag);
        for (int k = 0; k < 4; ++k) {
          const Dag other = members.draw(rng);
          compared += !(other == dag);
          EXPECT_TRUE(near(total(*score, other), expected)) << total(*score, other) << " and " << expected;
        }
      } catch (const ScoreUndefined&) {
      }
    }
  }
  EXPECT_GT(compared, 100);
}

TEST(DiscreteRegimes, OrderOfRowsAndColumnsDoesNotMatter) {
  EXPECT_TRUE(rc::check([](uint64_t seed, bool bic) {
    Rng rng(seed);
    const Dataset data = random_experiments(0, rng);
    const Dag dag = testing::random_dag(data.size(), 0.4, rng);
    const double score = total(*scored(bic, data), dag);
    RC_ASSERT(total(*scored(bic, testing::shuffled_rows(data, rng)), dag) == score);
    RC_ASSERT(total(*scored(bic, testing::shuffled_columns(data, rng)), dag) == score);
  }));
}

// Experiments that set nothing, all of one batch, are one sample.
TEST(DiscreteRegimes, NothingSetIsAnOrdinaryTable) {
  Rng rng(6);
  const Dataset plain = testing::random_weighted({.variables = 5, .rows = 80}, 0, rng);
  RowInfo info = plain.row_info();
  info.regimes = {{.name = "monday"}, {.name = "tuesday"}};
  for (size_t row = 0; row < plain.rows(); ++row) info.regime.push_back(row % 2);
  const Dataset data = make_dataset(plain.columns(), "t", info);
  ASSERT_TRUE(data.has_regimes());
  const Dag dag = testing::random_dag(5, 0.5, rng);
  for (const bool bic : {true, false}) EXPECT_EQ(total(*scored(bic, data), dag), total(*scored(bic, plain), dag));
}

// Eight rows were seen, with x, y = 0 0 and 1 1 three times each, 0 1 and 1 0 once each; in four more somebody set x:
// 0 0 and 1 1 twice each. Family by family, as Cooper & Yoo 1999 (UAI) combine such rows:
//   x, not set   4 and 4 of 8                        y      6 and 6 of 12
//   x, set       2 and 2 of 4                        y|x    5 and 1 of 6, twice
//   x|y          3 and 1 of 4, twice: eight rows, because x was not caused in the others
// discrete-bic, ln 12 = L: x: 12 ln(1/2) - L, x|y: 6 ln(3/4) + 2 ln(1/4) + 4 ln(1/2) - 3/2 L.
// bdeu with ess 4 has 1 in each cell of y|x, so that each of its two configurations is worth 5! 1! / 7! = 1/42. x alone
// has 2 in each cell: 3!/11! (5!)^2 = 1/462 where it was not set, 3!/7! (3!)^2 = 3/70 where it was.
TEST(DiscreteRegimes, Golden) {
  std::vector<int> x, y;
  RowInfo info = {.regimes = {{.name = "seen"}, {.name = "set", .targets = {"x"}}}};
  const auto add = [&](int times, int a, int b, uint32_t regime) {
    for (int k = 0; k < times; ++k) {
      x.push_back(a);
      y.push_back(b);
      info.regime.push_back(regime);
    }
  };
  add(3, 0, 0, 0), add(3, 1, 1, 0), add(1, 0, 1, 0), add(1, 1, 0, 0), add(2, 0, 0, 1), add(2, 1, 1, 1);
  const Dataset data = make_dataset({categorical_column("x", x), categorical_column("y", y)}, "t", info);
  const Node at_x = data.index_of("x"), at_y = data.index_of("y");
  const double l = std::log(12.0), half = std::log(0.5);
  const WeightedDiscreteBic bic(data);
  EXPECT_NEAR(bic.local(at_x, {}), 12 * half - l, 1e-12);
  EXPECT_NEAR(bic.local(at_y, {}), 12 * half - l / 2, 1e-12);
  EXPECT_NEAR(bic.local(at_y, std::vector<Node>{at_x}), 10 * std::log(5 / 6.0) + 2 * std::log(1 / 6.0) - l, 1e-12);
  EXPECT_NEAR(bic.local(at_x, std::vector<Node>{at_y}), 6 * std::log(0.75) + 2 * std::log(0.25) + 4 * half - 1.5 * l,
              1e-12);
  const WeightedBdeu bdeu(data, {.ess = 4});
  EXPECT_NEAR(bdeu.local(at_y, std::vector<Node>{at_x}), 2 * std::log(1 / 42.0), 1e-12);
  EXPECT_NEAR(bdeu.local(at_x, {}), std::log(1 / 462.0) + std::log(3 / 70.0), 1e-12);
  EXPECT_NE(bic.traits().row_set[at_x], bic.traits().row_set[at_y]);
}

// Two batches with shares 3 : 1 and 1 : 3 of x, and y a copy of it.
TEST(DiscreteRegimes, BatchesAreOneMoreParent) {
  const std::vector<int> x = {0, 0, 0, 1, 0, 1, 1, 1}, y = {0, 0, 0, 1, 0, 1, 1, 1};
  RowInfo info = {.regimes = {{.name = "a", .batch = "a"}, {.name = "b", .batch = "b"}}};
  for (const uint32_t k : {0, 0, 0, 0, 1, 1, 1, 1}) info.regime.push_back(k);
  const Dataset data = make_dataset({categorical_column("x", x), categorical_column("y", y)}, "t", info);
  const double shares = 6 * std::log(0.75) + 2 * std::log(0.25);
  EXPECT_NEAR(WeightedDiscreteBic(data).local(0, {}), shares - std::log(8.0), 1e-12);
  // A copy in each batch: nothing is left, for four parameters.
  EXPECT_NEAR(WeightedDiscreteBic(data).local(0, std::vector<Node>{1}), -2 * std::log(8.0), 1e-12);
}

}  // namespace
}  // namespace agon
