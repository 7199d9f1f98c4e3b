#include "agon/score/uneven.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "agon/base/rng.h"
#include "agon/score/blocks.h"

namespace agon {
namespace {

enum class Kind { kEven, kVariance, kSlope };

// Five categories of three levels, which shift five numbers; every number depends on the one before it by a
// line. The variance or the slope of the last number may change with the level of the first category.
Dataset table_of(Kind kind, int rows, Rng& rng, double strength = 1) {
  std::vector<std::vector<int>> level(5, std::vector<int>(rows));
  std::vector<std::vector<double>> x(5, std::vector<double>(rows));
  for (int row = 0; row < rows; ++row) {
    for (int v = 0; v < 5; ++v) {
      level[v][row] = rng.below(3);
      const int other = level[0][row] - 1;
      const bool last = v == 4;
      const double noise = last && kind == Kind::kVariance ? std::exp(0.7 * other) : 1;
      const double slope = last && kind == Kind::kSlope ? other : strength;
      x[v][row] = noise * rng.normal() + 0.5 * level[v][row] + (v > 0 ? slope * x[v - 1][row] : 0);
    }
  }
  std::vector<Column> columns;
  for (int v = 0; v < 5; ++v) {
    columns.push_back(continuous_column("x" + std::to_string(v), x[v]));
    columns.push_back(categorical_column("c" + std::to_string(v), level[v]));
  }
  return make_dataset(std::move(columns), "t");
}

// As they are, lines of any strength are even. Normal scores bend strong lines between numbers that are not Gaussian.
TEST(UnevenSpread, LinesRaiseNoAlarm) {
  Rng rng(21);
  int numbers = 0, uneven = 0;
  for (int table = 0; table < 24; ++table) {
    const int rows = 500 << (table % 3);
    for (const UnevenSpread& found :
         {uneven_spread(table_of(Kind::kEven, rows, rng)), uneven_spread(table_of(Kind::kEven, rows, rng, 2), true)}) {
      numbers += found.numbers;
      uneven += found.uneven;
      EXPECT_EQ(found.rows, static_cast<size_t>(rows));
    }
  }
  EXPECT_EQ(numbers, 240);
  EXPECT_EQ(uneven, 0);
}

TEST(UnevenSpread, VariancesAndSlopesThatChangeWithALevel) {
  Rng rng(22);
  for (Kind kind : {Kind::kVariance, Kind::kSlope}) {
    const UnevenSpread found = uneven_spread(table_of(kind, 1000, rng));
    EXPECT_EQ(found.numbers, 5);
    EXPECT_GE(found.uneven, 1);
    EXPECT_TRUE(found.asks_for_squares());
  }
}

TEST(UnevenSpread, ATenthOfTheNumbersIsEnough) {
  EXPECT_FALSE((UnevenSpread{.numbers = 0, .uneven = 0}.asks_for_squares()));
  EXPECT_FALSE((UnevenSpread{.numbers = 11, .uneven = 1}.asks_for_squares()));
  EXPECT_TRUE((UnevenSpread{.numbers = 10, .uneven = 1}.asks_for_squares()));
}

// The same with a regression of its own for every number, by QR, and a second one of the squares on each variable.
UnevenSpread plainly(const Dataset& data) {
  const Blocks blocks(data, {});
  const auto n = static_cast<Eigen::Index>(data.rows());
  Eigen::MatrixXd x(n, blocks.columns());
  blocks.fill(0, data.rows(), x.data());
  const auto left = [&](const Eigen::VectorXd& y, const Eigen::MatrixXd& by) -> Eigen::VectorXd {
    Eigen::MatrixXd design(n, by.cols() + 1);
    design << Eigen::VectorXd::Ones(n), by;
    return y - design * design.colPivHouseholderQr().solve(y);
  };
  UnevenSpread out;
  for (Node v = 0; v < data.size(); ++v) {
    if (data.column(v).kind != ColumnKind::kContinuous) continue;
    ++out.numbers;
    Eigen::MatrixXd others = x;
    others.col(blocks.start(v)).setZero();
    const Eigen::VectorXd squares = left(x.col(blocks.start(v)), others).array().square();
    const double spread = left(squares, Eigen::MatrixXd(n, 0)).squaredNorm();
    bool uneven = false;
    for (Node u = 0; u < data.size(); ++u) {
      if (u == v) continue;
      const double share = 1 - left(squares, x.middleCols(blocks.start(u), blocks.width(u))).squaredNorm() / spread;
      const double price = 0.5 * blocks.width(u) * std::log(n) + 2 * std::log(data.size());
      uneven = uneven || static_cast<double>(n) / 2 * share > price;
    }
    out.uneven += uneven;
  }
  return out;
}

TEST(UnevenSpread, IsWhatRegressionsOneByOneSay) {
  Rng rng(23);
  int uneven = 0;
  for (int table = 0; table < 12; ++table) {
    const Dataset data = table_of(static_cast<Kind>(table % 3), 120 + 60 * table, rng);
    EXPECT_EQ(uneven_spread(data).uneven, plainly(data).uneven) << table;
    EXPECT_EQ(uneven_spread(data).numbers, plainly(data).numbers);
    uneven += plainly(data).uneven;
  }
  EXPECT_GE(uneven, 6);
}

TEST(UnevenSpread, WeightsAreRowsRepeated) {
  Rng rng(24);
  const Dataset once = table_of(Kind::kVariance, 300, rng);
  std::vector<size_t> rows;
  std::vector<double> weights;
  for (size_t row = 0; row < once.rows(); ++row) {
    weights.push_back(static_cast<double>(1 + row % 4));
    rows.insert(rows.end(), 1 + row % 4, row);
  }
  const Dataset weighted = make_dataset({once.columns().begin(), once.columns().end()}, "t", {.weights = weights});
  const UnevenSpread found = uneven_spread(weighted), repeated = uneven_spread(with_rows(once, rows));
  EXPECT_EQ(found.uneven, repeated.uneven);
  EXPECT_GE(found.uneven, 1);
}

TEST(UnevenSpread, GapsCopiesAndFewRowsDoNoHarm) {
  Rng rng(25);
  const Dataset whole = table_of(Kind::kVariance, 1200, rng);
  std::vector<Column> columns(whole.columns().begin(), whole.columns().end());
  Column& last = columns[whole.index_of("x4")];
  for (size_t row = 0; row < 1200; row += 4) last.missing.insert(row);
  EXPECT_GE(uneven_spread(make_dataset(columns, "t")).uneven, 1);
  columns.push_back(whole.column(whole.index_of("x0")));
  columns.back().name = "copy";
  EXPECT_EQ(uneven_spread(make_dataset(columns, "t")).numbers, 4);  // neither x0 nor its copy

  EXPECT_EQ(uneven_spread(whole, false, 3 * 15 * 15 * 400).rows, 400u);  // 15 columns in the blocks
  EXPECT_EQ(uneven_spread(whole, false, 3 * 15 * 15 * 50).numbers, 0);   // fewer than 60 rows
  EXPECT_EQ(uneven_spread(table_of(Kind::kVariance, 59, rng)).numbers, 0);
}

}  // namespace
}  // namespace agon
