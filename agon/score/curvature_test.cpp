#include "agon/score/curvature.h"

#include <gtest/gtest.h>

#include <cmath>

#include "agon/score/test_tables.h"

namespace agon {
namespace {

// 10 columns that depend on 1.25 earlier ones each, by weights of 0.5 to 1.
Dataset linear_table(int rows, Rng& rng) {
  std::vector<std::vector<double>> x(10, std::vector<double>(rows));
  std::vector<Column> columns;
  for (int v = 0; v < 10; ++v) {
    for (double& cell : x[v]) cell = rng.normal();
    for (int cause = 0; cause < v; ++cause) {
      if (rng.uniform() > 2.5 / 9) continue;
      const double weight = rng.uniform(0.5, 1) * (rng.below(2) == 0 ? 1 : -1);
      for (int row = 0; row < rows; ++row) x[v][row] += weight * x[cause][row];
    }
    columns.push_back(continuous_column("v" + std::to_string(v), x[v]));
  }
  return make_dataset(std::move(columns), "linear");
}

TEST(Curvature, LinesRaiseNoAlarm) {
  Rng rng(11);
  int pairs = 0, curved = 0;
  for (int table = 0; table < 18; ++table) {
    const Curvature found = curvature(linear_table(500 << (table % 3), rng));
    pairs += found.pairs;
    curved += found.curved;
  }
  EXPECT_EQ(pairs, 810);
  EXPECT_EQ(curved, 0);
}

TEST(Curvature, CountsTheCurvedPairs) {
  Rng rng(12);
  std::vector<double> x, y, z;
  for (int row = 0; row < 500; ++row) {
    x.push_back(rng.normal());
    y.push_back(x.back() * x.back() + 0.5 * rng.normal());
    z.push_back(rng.normal());
  }
  const Dataset data =
      make_dataset({continuous_column("x", x), continuous_column("y", y), continuous_column("z", z)}, "t");
  const Curvature found = curvature(data);
  EXPECT_EQ(found.pairs, 3);
  EXPECT_EQ(found.curved, 1);
  EXPECT_EQ(curvature(data, 9 * 9 * 250).rows, 250u);
}

TEST(Curvature, LooksAtASampleOfManyColumns) {
  Rng rng(14);
  std::vector<Column> columns;
  for (int v = 0; v < 450; ++v) {
    std::vector<double> x(60);
    for (double& cell : x) cell = rng.normal();
    columns.push_back(continuous_column("v" + std::to_string(v), std::move(x)));
  }
  EXPECT_EQ(curvature(make_dataset(std::move(columns), "t")).pairs, 150 * 149 / 2);
}

TEST(Curvature, GapsAndLabelsDoNoHarm) {
  Rng rng(13);
  Column x = continuous_column("x", std::vector<double>(300)), y = x;
  y.name = "y";
  for (int row = 0; row < 300; ++row) {
    x.values[row] = rng.normal();
    y.values[row] = std::abs(x.values[row]);
    if (row % 3 == 0) x.missing.insert(row);
    if (row % 3 == 1) y.missing.insert(row);
  }
  const std::vector<int> labels(300, 0);
  EXPECT_EQ(curvature(make_dataset({x, y, categorical_column("c", labels)}, "t")).curved, 1);
  EXPECT_EQ(curvature(make_dataset({x}, "t")).pairs, 0);
}

}  // namespace
}  // namespace agon
