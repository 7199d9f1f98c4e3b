#include "agon/opponent/weighted_independence.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>

#include "agon/base/distributions.h"
#include "agon/base/error.h"
#include "agon/score/blocks.h"
#include "agon/score/test_weights.h"

namespace agon {
namespace {

using Kind = DiscreteIndependence::Kind;

bool near(double x, double y) { return std::abs(x - y) <= 1e-9 * (1 + std::abs(y)); }

TEST(WeightedIndependence, CountsStandForRepeatedRows) {
  EXPECT_TRUE(rc::check([](uint64_t seed, bool g2) {
    Rng rng(seed);
    const testing::CountedTable table =
        testing::random_counted({.variables = 5, .rows = 10 + rng.below(80), .most_levels = 2 + rng.below(3)}, 12, rng);
    const Kind kind = g2 ? Kind::kG2 : Kind::kChi2;
    const WeightedIndependence counted(table.counted, kind);
    const DiscreteIndependence expanded(table.expanded, kind);
    const testing::Family family = testing::random_family(5, 3, rng);
    for (Node b = 0; b < 5; ++b) {
      if (b == family.child || std::ranges::binary_search(family.parents, b)) continue;
      const TestStatistic found = counted.statistic(family.child, b, family.parents);
      const TestStatistic expected = expanded.statistic(family.child, b, family.parents);
      RC_ASSERT(near(found.value, expected.value) && found.dof == expected.dof);
      RC_ASSERT(found.configurations == expected.configurations);
      RC_ASSERT(
          near(counted.p_value(family.child, b, family.parents), expanded.p_value(family.child, b, family.parents)));
    }
  }));
}

TEST(WeightedIndependence, DrawnCellsAreNoEvidence) {
  Rng rng(3);
  const int p = 8;
  const Dataset data = testing::random_weighted({.variables = p, .rows = 400, .most_levels = 3}, 0.4, rng);
  const std::vector<double> share = seen_together(data);
  const WeightedIndependence test(data);
  int compared = 0;
  for (Node a = 0; a < p; ++a) {
    for (Node b = 0; b < p; ++b) {
      if (a == b || data.column(a).is_isolated() || data.column(b).is_isolated()) continue;
      const TestStatistic found = test.statistic(a, b, {});
      EXPECT_NEAR(test.p_value(a, b, {}), chi_square_tail(found.value * share[a * p + b], found.dof), 1e-12);
      compared += share[a * p + b] < 1;
    }
  }
  EXPECT_GT(compared, 0);

  std::vector<Column> columns = {categorical_column("a", {0, 1, 0, 1, 0, 1}),
                                 categorical_column("b", {0, 1, 0, 1, 0, 1})};
  for (size_t row = 0; row < 6; ++row) columns[row % 2].drawn.insert(row);
  const RowInfo heavy = {.weights = std::vector<double>(6, 100)};
  EXPECT_EQ(WeightedIndependence(make_dataset(columns, "t", heavy)).p_value(0, 1, {}), 1);
  for (Column& column : columns) column.drawn = {};
  EXPECT_LT(WeightedIndependence(make_dataset(columns, "t", heavy)).p_value(0, 1, {}), 1e-9);
}

TEST(WeightedIndependence, IsMadeForTablesWithWeights) {
  Rng rng(4);
  const Dataset data = testing::random_weighted({.variables = 4, .rows = 400, .most_levels = 3}, 0, rng);
  const auto g2 = make_independence(data), chi2 = make_independence(data, "chi2");
  EXPECT_EQ(g2->name(), "g2");
  EXPECT_EQ(g2->p_value(0, 1, {}), WeightedIndependence(data, Kind::kG2).p_value(0, 1, {}));
  EXPECT_EQ(chi2->p_value(0, 1, {}), WeightedIndependence(data, Kind::kChi2).p_value(0, 1, {}));
  const Dataset numbers = testing::random_continuous(3, 20, false, rng);
  EXPECT_THROW(
      make_independence(make_dataset(numbers.columns(), "t", {.weights = std::vector<double>(20, 2)}), "fisher-z"),
      InputError);
}

}  // namespace
}  // namespace agon
