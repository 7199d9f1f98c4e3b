#include "agon/score/weighted_discrete.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <map>
#include <memory>

#include "agon/base/error.h"
#include "agon/graph/equivalence.h"
#include "agon/score/discrete_score.h"
#include "agon/score/test_weights.h"

namespace agon {
namespace {

using testing::Family;

bool weighted_near(double actual, double expected) {
  return actual == expected || std::abs(actual - expected) <= 1e-9 * (1 + std::abs(expected));
}

double weighted_levels(const Dataset& data, Node v) {
  return data.column(v).is_isolated() ? 1 : static_cast<double>(data.column(v).levels.size());
}

// The weight of every cell: a map from the levels of the parents to the weights of the child's levels.
std::map<std::vector<uint32_t>, std::map<uint32_t, double>> weights_by_definition(const Dataset& data,
                                                                                  const Family& family) {
  std::map<std::vector<uint32_t>, std::map<uint32_t, double>> out;
  for (size_t row = 0; row < data.rows(); ++row) {
    std::vector<uint32_t> configuration;
    for (Node q : family.parents) configuration.push_back(data.column(q).codes[row]);
    out[configuration][data.column(family.child).codes[row]] += data.weight(row);
  }
  return out;
}

double seen_share(const Dataset& data, Node a, Node b) {
  double seen = 0, all = 0;
  for (size_t row = 0; row < data.rows(); ++row) {
    all += data.weight(row);
    if (!data.column(a).drawn[row] && !data.column(b).drawn[row]) seen += data.weight(row);
  }
  return seen / all;
}

// Every set that holds the child, every pair in it.
double parameters_by_definition(const Dataset& data, const Family& family) {
  double sum = 0;
  for (unsigned set = 0; set < 1u << family.parents.size(); ++set) {
    std::vector<Node> members = {family.child};
    for (size_t k = 0; k < family.parents.size(); ++k) {
      if (set >> k & 1) members.push_back(family.parents[k]);
    }
    double product = 1, omega = 1;
    for (size_t i = 0; i < members.size(); ++i) {
      product *= weighted_levels(data, members[i]) - 1;
      for (size_t k = 0; k < i; ++k) omega = std::max(omega, 1 / seen_share(data, members[i], members[k]));
    }
    sum += product * omega;
  }
  return sum;
}

double weighted_bic_by_definition(const Dataset& data, const Family& family, double penalty) {
  double likelihood = 0;
  for (const auto& [configuration, cells] : weights_by_definition(data, family)) {
    double all = 0;
    for (const auto& [level, n] : cells) all += n;
    for (const auto& [level, n] : cells) likelihood += n * std::log(n / all);
  }
  return likelihood - penalty * 0.5 * std::log(data.total_weight()) * parameters_by_definition(data, family);
}

double weighted_bdeu_by_definition(const Dataset& data, const Family& family, double ess) {
  double a = ess;
  for (Node q : family.parents) a /= weighted_levels(data, q);
  const double r = weighted_levels(data, family.child);
  double sum = 0;
  for (const auto& [configuration, cells] : weights_by_definition(data, family)) {
    double all = 0;
    for (const auto& [level, n] : cells) {
      all += n;
      sum += std::lgamma(a / r + n) - std::lgamma(a / r);
    }
    sum += std::lgamma(a) - std::lgamma(a + all);
  }
  return sum;
}

testing::TableShape random_shape(Rng& rng) {
  const int kind = rng.below(4);
  return {.variables = 2 + rng.below(7),
          .rows = 5 + rng.below(300),
          .most_levels = kind == 0   ? 2
                         : kind == 1 ? 60
                                     : 2 + rng.below(5),
          .copies = 1 + rng.below(3)};
}

std::unique_ptr<LocalScore> weighted(bool bic, const Dataset& data, const ScoreOptions& options = {}) {
  if (bic) return std::make_unique<WeightedDiscreteBic>(data, options);
  return std::make_unique<WeightedBdeu>(data, options);
}

TEST(WeightedDiscrete, EqualsItsDefinition) {
  EXPECT_TRUE(rc::check([](uint64_t seed) {
    Rng rng(seed);
    const Dataset data = testing::random_weighted(random_shape(rng), rng.below(2) * 0.3, rng);
    const Family family = testing::random_family(data.size(), 4, rng);
    const ScoreOptions options = {.penalty = rng.uniform(0.5, 2), .ess = rng.uniform(0.5, 20)};
    const double defined = weighted_bic_by_definition(data, family, options.penalty);
    if (std::isinf(defined)) {  // two of the family were never seen in one row
      RC_ASSERT_THROWS_AS(weighted(true, data, options)->local(family.child, family.parents), ScoreUndefined);
    } else {
      RC_ASSERT(weighted_near(weighted(true, data, options)->local(family.child, family.parents), defined));
    }
    RC_ASSERT(weighted_near(weighted(false, data, options)->local(family.child, family.parents),
                            weighted_bdeu_by_definition(data, family, options.ess)));
  }));
}

void expect_same_weighted_gains(const std::vector<double>& fast, const std::vector<double>& plain, double scale) {
  for (size_t v = 0; v < fast.size(); ++v) {
    RC_ASSERT(fast[v] == plain[v] || std::abs(fast[v] - plain[v]) <= 1e-9 * (1 + std::abs(scale)));
  }
}

TEST(WeightedDiscrete, BatchGainsArePlainGains) {
  EXPECT_TRUE(rc::check([](uint64_t seed, bool bic) {
    Rng rng(seed);
    const Dataset data = testing::random_weighted(random_shape(rng), rng.below(2) * 0.3, rng);
    const auto score = weighted(bic, data, {.max_parents = rng.below(2) * 3});
    const Family family = testing::random_family(data.size(), 5, rng);
    const double now = score->local(family.child, family.parents);
    std::vector<double> additions(data.size()), removals(family.parents.size());
    std::vector<double> fast = additions, fewer = removals;
    plain_addition_gains(*score, family.child, family.parents, additions);
    plain_removal_gains(*score, family.child, family.parents, removals);
    RC_ASSERT(score->addition_gains(family.child, family.parents, fast) == now);
    expect_same_weighted_gains(fast, additions, now);
    RC_ASSERT(score->removal_gains(family.child, family.parents, fewer) == now);
    expect_same_weighted_gains(fewer, removals, now);
    std::vector<double> both = fast, both_fewer = fewer;
    RC_ASSERT(score->column_gains(family.child, family.parents, both, both_fewer) == now);
    RC_ASSERT(both == fast && both_fewer == fewer);
  }));
}

// A table and its GROUP BY, against the scores for tables without weights.
TEST(WeightedDiscrete, CountsStandForRepeatedRows) {
  EXPECT_TRUE(rc::check([](uint64_t seed) {
    Rng rng(seed);
    const testing::CountedTable table = testing::random_counted(random_shape(rng), 9, rng);
    RC_PRE(table.counted.has_weights());
    const ScoreOptions options = {.penalty = rng.uniform(0.5, 2), .ess = rng.uniform(0.5, 20)};
    const Dag dag = testing::random_dag(table.counted.size(), 0.4, rng);
    RC_ASSERT(weighted_near(total(WeightedDiscreteBic(table.counted, options), dag),
                            total(DiscreteBic(table.expanded, options), dag)));
    RC_ASSERT(
        weighted_near(total(WeightedBdeu(table.counted, options), dag), total(Bdeu(table.expanded, options), dag)));
  }));
}

TEST(WeightedDiscrete, EquivalentDagsScoreTheSame) {
  int compared = 0;
  Rng rng(4);
  for (int trial = 0; trial < 60; ++trial) {
    const Dataset data =
        testing::random_weighted({.variables = 6, .rows = 150, .most_levels = 4}, trial % 2 * 0.4, rng);
    const Dag dag = testing::random_dag(data.size(), 0.5, rng);
    for (const bool bic : {true, false}) {
      const auto score = weighted(bic, data);
      const double expected = total(*score, dag);
      for (int member = 0; member < 5; ++member) {
        // Reversing covered edges reaches every member of the class (Chickering 1995).
        Dag other = dag;
        for (int step = 0; step < 20; ++step) {
          const std::vector<Edge> edges = other.edges();
          if (edges.empty()) break;
          const Edge edge = edges[static_cast<size_t>(rng.below(static_cast<int>(edges.size())))];
          std::vector<Node> parents = other.parent_list(edge.to);
          std::erase(parents, edge.from);
          if (parents == other.parent_list(edge.from)) other.apply({MoveKind::kReverse, edge.from, edge.to});
        }
        ASSERT_EQ(cpdag_of(other), cpdag_of(dag));
        compared += !(other == dag);
        EXPECT_TRUE(weighted_near(total(*score, other), expected)) << total(*score, other) << " and " << expected;
      }
    }
  }
  EXPECT_GT(compared, 100);
}

// To the last bit, since no sum depends on the order of the rows; names of levels may change the order of sums.
TEST(WeightedDiscrete, OrderOfRowsAndColumnsAndNamesOfLevelsDoNotMatter) {
  EXPECT_TRUE(rc::check([](uint64_t seed, bool bic) {
    Rng rng(seed);
    const Dataset data = testing::random_weighted(random_shape(rng), 0, rng);
    const Dag dag = testing::random_dag(data.size(), 0.4, rng);
    const double score = total(*weighted(bic, data), dag);
    RC_ASSERT(total(*weighted(bic, testing::shuffled_rows(data, rng)), dag) == score);
    RC_ASSERT(total(*weighted(bic, testing::shuffled_columns(data, rng)), dag) == score);
    std::vector<Column> columns = data.columns();
    for (Column& column : columns) {
      rng.shuffle(column.levels);
      for (std::string& label : column.levels) label = "level " + label;
    }
    RC_ASSERT(weighted_near(total(*weighted(bic, make_dataset(columns, "t", data.row_info())), dag), score));
  }));
}

TEST(WeightedDiscrete, DrawnCellsMakeParametersDearer) {
  EXPECT_TRUE(rc::check([](uint64_t seed) {
    Rng rng(seed);
    const Dataset data = testing::random_weighted(random_shape(rng), 0.3, rng);
    RC_PRE(data.has_drawn());
    std::vector<Column> seen = data.columns();
    for (Column& column : seen) column.drawn = {};
    const Dataset all_seen = make_dataset(seen, "t", data.row_info());
    const Dag dag = testing::random_dag(data.size(), 0.4, rng);
    const double dearer = total(WeightedDiscreteBic(data), dag), score = total(WeightedDiscreteBic(all_seen), dag);
    RC_ASSERT(dearer <= score + 1e-9 * (1 + std::abs(score)));
    RC_ASSERT(weighted_near(total(WeightedBdeu(data), dag), total(WeightedBdeu(all_seen), dag)));
  }));
}

// 2 x 2 counts 30, 10, 10, 30: the gain of the edge is 80 I - 1/2 ln 80.
// python3 -c "from math import log; print(60 * log(30 * 80 / 1600) + 20 * log(10 * 80 / 1600) - log(80) / 2)"
TEST(WeightedDiscrete, Golden) {
  const auto table = [](std::vector<double> weights, bool drawn) {
    std::vector<Column> columns = {categorical_column("a", {0, 0, 1, 1}), categorical_column("b", {0, 1, 0, 1})};
    if (drawn) columns[0].drawn.insert(1);
    return make_dataset(std::move(columns), "four", {.weights = std::move(weights)});
  };
  const WeightedDiscreteBic score(table({30, 10, 10, 30}, false));
  const std::vector<Node> zero = {0};
  EXPECT_NEAR(score.local(1, zero) - score.local(1, {}), 8.273949558, 1e-9);
  // Seen together in 70 of 80: the one parameter that the edge adds costs 8/7.
  const WeightedDiscreteBic dearer(table({30, 10, 10, 30}, true));
  EXPECT_NEAR(dearer.local(1, zero) - dearer.local(1, {}), 8.273949558 - std::log(80.0) / 14, 1e-9);
}

TEST(WeightedDiscrete, VariablesNeverSeenTogetherAreNotJoined) {
  std::vector<Column> columns = {categorical_column("a", {0, 1, 0, 1, 0, 0}),
                                 categorical_column("b", {0, 1, 0, 1, 1, 0}),
                                 categorical_column("c", {0, 1, 1, 0, 1, 0})};
  for (const size_t row : {0, 1, 2}) columns[0].drawn.insert(row);
  for (const size_t row : {3, 4, 5}) columns[1].drawn.insert(row);
  const Dataset data = make_dataset(columns, "t");
  const Node a = data.index_of("a"), b = data.index_of("b"), c = data.index_of("c");
  const WeightedDiscreteBic score(data, {.penalty = 0});
  std::vector<double> gains(3);
  score.addition_gains(a, {}, gains);
  EXPECT_EQ(gains[b], kNoGain);
  EXPECT_GT(gains[c], kNoGain);
  const std::vector<Node> parents = {a};
  score.addition_gains(c, parents, gains);  // {a, b, c} holds the pair too
  EXPECT_EQ(gains[b], kNoGain);
  EXPECT_THROW(score.local(b, parents), ScoreUndefined);
}

TEST(WeightedDiscrete, CapsParentsWhereCellsWereDrawn) {
  Rng rng(9);
  const testing::TableShape shape = {.variables = 16, .rows = 200, .most_levels = 2};
  const Dataset seen = testing::random_weighted(shape, 0, rng), drawn = testing::random_weighted(shape, 0.1, rng);
  EXPECT_EQ(discrete_bic_parent_cap(seen), 15);
  EXPECT_EQ(discrete_bic_parent_cap(drawn), kMostChargedParents);
  EXPECT_EQ(WeightedDiscreteBic(seen).traits().max_parents, 15);
  EXPECT_EQ(WeightedDiscreteBic(drawn).traits().max_parents, kMostChargedParents);
  EXPECT_EQ(WeightedDiscreteBic(drawn, {.max_parents = 14}).traits().max_parents, kMostChargedParents);
  EXPECT_EQ(WeightedDiscreteBic(drawn, {.max_parents = 3}).traits().max_parents, 3);
  EXPECT_EQ(WeightedBdeu(drawn).traits().max_parents, 15);
  std::vector<Node> parents;
  for (Node v = 1; v <= 13; ++v) parents.push_back(v);
  EXPECT_THROW(WeightedDiscreteBic(drawn).local(0, parents), ScoreUndefined);
  parents.pop_back();
  EXPECT_TRUE(
      weighted_near(WeightedDiscreteBic(drawn).local(0, parents), weighted_bic_by_definition(drawn, {0, parents}, 1)));
}

TEST(WeightedRows, MergesEqualRowsAndLeavesOutIsolatedColumns) {
  std::vector<Column> columns = {categorical_column("a", {0, 1, 0, 1}), categorical_column("name", {0, 1, 2, 3}),
                                 continuous_column("one", {1, 1, 1, 1})};
  columns[1].identifier = true;
  const Dataset data = make_dataset(columns, "t", {.weights = {0.5, 2, 1, 4}});
  const WeightedRows rows(data);
  EXPECT_EQ(rows.merged(), 2u);
  EXPECT_EQ(rows.total(), 7.5);
  EXPECT_EQ(rows.levels(data.index_of("name")), 1);
  const WeightedCounts counts = rows.count(rows.partition({}), data.index_of("a"));
  EXPECT_EQ(counts.cells, (std::vector<double>{1.5, 6}));
  EXPECT_EQ(counts.configurations, std::vector<double>{7.5});
}

TEST(WeightedRows, RefusesGapsAndExperiments) {
  std::vector<Column> columns = {categorical_column("a", {0, 1, 0, 1}), categorical_column("b", {0, 1, 1, 0})};
  RowInfo experiments = {.weights = {}, .regimes = {{.name = "seen"}, {.name = "set", .targets = {"a"}}}, .regime = {}};
  for (const uint32_t regime : {0, 0, 1, 1}) experiments.regime.push_back(regime);
  EXPECT_THROW(WeightedRows(make_dataset(columns, "t", experiments)), InputError);
  columns[0].missing.insert(2);
  EXPECT_THROW(WeightedRows(make_dataset(columns, "t")), InputError);
}

}  // namespace
}  // namespace agon
