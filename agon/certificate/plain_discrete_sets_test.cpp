// F(S) by masks and rows against counts of cells, set by set.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "agon/base/rng.h"
#include "agon/certificate/plain_set_scores.h"

namespace agon {
namespace {

TEST(DiscreteSets, AreSumsOverCells) {
  Rng rng(1);
  const int rows = 700;
  std::vector<std::vector<int>> codes;
  std::vector<Column> columns;
  // Few levels, many, and more pairs of levels than masks are made for.
  for (const int levels : {2, 3, 2, 12, 30, 2, 4}) {
    codes.emplace_back();
    for (int row = 0; row < rows; ++row) {
      // Rare levels, and dependence on the column before, so that groups of all sizes occur.
      const int before = codes.size() > 1 ? codes[codes.size() - 2][static_cast<size_t>(row)] : 0;
      codes.back().push_back(rng.below(4) == 0 ? rng.below(levels) : before % levels);
    }
    for (int level = 0; level < levels; ++level) codes.back()[static_cast<size_t>(level)] = level;
    columns.push_back(categorical_column("x" + std::to_string(codes.size()), codes.back()));
  }
  const Dataset data = make_dataset(columns, "test");
  for (Node v = 0; v < 7; ++v) {  // the table has an order of its own
    for (size_t row = 0; row < static_cast<size_t>(rows); ++row) {
      codes[static_cast<size_t>(v)][row] = static_cast<int>(data.column(v).codes[row]);
    }
  }
  const auto scores = plain::discrete_set_scores(data, 1, 0);
  ASSERT_TRUE(scores);
  const auto walk = scores->walk();
  std::vector<Node> pushed;
  for (int step = 0; step < 600; ++step) {
    // A walk up and down, as a depth-first search makes it, with any order of members.
    if (pushed.size() < 5 && rng.below(2) == 0) {
      const Node v = rng.below(7);
      if (std::ranges::find(pushed, v) != pushed.end()) continue;
      walk->push(v);
      pushed.push_back(v);
    } else if (!pushed.empty() && rng.below(3) == 0) {
      walk->pop();
      pushed.pop_back();
    }
    const Node v = rng.below(7);
    if (std::ranges::find(pushed, v) != pushed.end()) continue;
    std::map<std::vector<int>, int> cells;
    for (size_t row = 0; row < static_cast<size_t>(rows); ++row) {
      std::vector<int> cell = {codes[static_cast<size_t>(v)][row]};
      for (const Node u : pushed) cell.push_back(codes[static_cast<size_t>(u)][row]);
      ++cells[cell];
    }
    long double sum = 0;
    for (const auto& [cell, count] : cells) sum += count * std::log(static_cast<long double>(count));
    const plain::SetValue value = walk->with(v);
    const long double unit = 1.0L / 4294967296.0L;
    EXPECT_GE(value.up * unit, sum);
    EXPECT_LE(value.down * unit, sum);
    EXPECT_LE((value.up - value.down) * unit, 1e-6L);
  }
}

// Of few configurations the regrets are kept, of many they are computed.
TEST(DiscreteSets, PricesOfRegretsAreThoseOfTheQuotient) {
  const Dataset data = make_dataset({categorical_column("two", {0, 1, 0, 1, 0, 1, 0, 1, 0}),
                                     categorical_column("three", {0, 1, 2, 0, 1, 2, 0, 1, 2})},
                                    "test");
  const auto sets = plain::regret_set_scores(data, plain::straight_quotient, 0.5);
  for (const Node child : {0, 1}) {
    for (const double configurations : {1., 2., 3., 12., 499., 500., 501., 1000., 1e6}) {
      const double price =
          plain::straight_quotient(9, configurations, static_cast<double>(data.column(child).levels.size())) + 2 * 0.5;
      const double unit = 1.0 / 4294967296.0;
      EXPECT_LE(static_cast<double>(sets->price(child, 2, configurations)) * unit, price);
      EXPECT_GE(static_cast<double>(sets->price_above(child, 2, configurations)) * unit, price);
      EXPECT_NEAR(static_cast<double>(sets->price(child, 2, configurations)) * unit, price, 1e-6 + 1e-15 * price);
    }
  }
}

}  // namespace
}  // namespace agon
