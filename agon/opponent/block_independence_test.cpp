#include "agon/opponent/block_independence.h"

#include <gtest/gtest.h>

#include <cmath>

#include "agon/base/distributions.h"
#include "agon/base/rng.h"
#include "agon/score/test_tables.h"

namespace agon {
namespace {

// Columns of both kinds that depend on earlier ones; `gaps` is the share of missing cells.
Dataset mixed_table(int p, int rows, double gaps, Rng& rng) {
  std::vector<Column> columns;
  std::vector<std::vector<double>> numbers(p);
  for (int v = 0; v < p; ++v) {
    const int levels = 2 + v % 4;  // of every second column
    std::vector<int> codes;
    for (int r = 0; r < rows; ++r) {
      double x = rng.normal();
      for (int u = 0; u < v; u += 2) x += 0.5 * numbers[u][r];
      numbers[v].push_back(x);
      codes.push_back(std::min(levels - 1, static_cast<int>(std::abs(x) * 1.5)));
    }
    const std::string name = "v" + std::to_string(v);
    columns.push_back(v % 2 == 0 ? continuous_column(name, numbers[v]) : categorical_column(name, codes));
    for (int r = 0; r < rows; ++r) {
      if (rng.uniform() < gaps) columns.back().missing.insert(r);
    }
  }
  return make_dataset(columns, "t");
}

double plain_determinant(std::vector<std::vector<double>> m) {
  double out = 1;
  for (size_t k = 0; k < m.size(); ++k) {
    size_t best = k;
    for (size_t i = k; i < m.size(); ++i) {
      if (std::abs(m[i][k]) > std::abs(m[best][k])) best = i;
    }
    if (best != k) {
      std::swap(m[best], m[k]);
      out = -out;
    }
    out *= m[k][k];
    for (size_t i = k + 1; i < m.size(); ++i) {
      const double factor = m[i][k] / m[k][k];
      for (size_t j = k; j < m.size(); ++j) m[i][j] -= factor * m[k][j];
    }
  }
  return out;
}

// The definition: four determinants.
double plain_information(const BlockMoments& m, Node a, Node b, const std::vector<Node>& given) {
  const auto log_det = [&](std::vector<Node> nodes) {
    nodes.insert(nodes.end(), given.begin(), given.end());
    std::vector<int> columns;
    for (const Node v : nodes) {
      for (int c = m.start[v]; c < m.start[v + 1]; ++c) columns.push_back(c);
    }
    std::vector<std::vector<double>> part(columns.size(), std::vector<double>(columns.size()));
    for (size_t i = 0; i < columns.size(); ++i) {
      for (size_t j = 0; j < columns.size(); ++j) part[i][j] = m.at(columns[i], columns[j]);
    }
    return std::log(plain_determinant(part));
  };
  return -(log_det({a, b}) + log_det({}) - log_det({a}) - log_det({b})) / 2;
}

TEST(BlockIndependence, AgreesWithThePlainTwin) {
  Rng rng(1);
  for (const double gaps : {0.0, 0.1}) {
    const Dataset data = mixed_table(8, 150, gaps, rng);
    const BlockMoments m = block_moments(data, {});
    const BlockIndependence test(data);
    for (int trial = 0; trial < 60; ++trial) {
      const auto [a, given] = testing::random_family(8, 5, rng);
      std::vector<Node> others;
      for (Node b = 0; b < 8; ++b) {
        if (b != a && !std::binary_search(given.begin(), given.end(), b)) others.push_back(b);
      }
      std::vector<double> together(others.size());
      test.p_values(a, given, others, together);
      int set = 0;
      for (const Node v : given) set += m.width(v);
      for (size_t k = 0; k < others.size(); ++k) {
        const Node b = others[k];
        const double information = plain_information(m, a, b, given);
        ASSERT_NEAR(test.information(a, b, given), information, 1e-9);
        const double rows = m.share(a, b) * (150 - 1 - set - (m.width(a) + m.width(b) + 1) / 2.0);
        const double p = chi_square_tail(2 * rows * information, m.width(a) * m.width(b));
        ASSERT_NEAR(together[k], p, 1e-8);
        ASSERT_EQ(together[k], test.p_value(a, b, given));
        ASSERT_NEAR(together[k], test.p_value(b, a, given), 1e-8);
      }
    }
  }
}

// Worked by hand, on the columns as they are and without the floor.
TEST(BlockIndependence, GoldenInformation) {
  const auto information = [](std::vector<Column> columns) {
    return BlockIndependence(block_moments(make_dataset(std::move(columns), "t"), {.raw = true},
                                           {.tolerance = 1e-13, .most_steps = 500, .floor = 0}))
        .information(0, 1, {});
  };
  EXPECT_NEAR(information({categorical_column("a", {0, 0, 1, 1}), continuous_column("x", {1, 2, 3, 4})}),
              0.5 * std::log(5), 1e-12);
  EXPECT_NEAR(information({categorical_column("b", {0, 0, 1, 1, 2, 2}), continuous_column("x", {1, 2, 3, 4, 5, 6})}),
              -0.5 * std::log(3.0 / 35), 1e-12);
  std::vector<int> a, b;
  for (int k = 0; k < 80; ++k) {
    a.push_back(k < 40);
    b.push_back(k < 30 || k >= 70);
  }
  EXPECT_NEAR(information({categorical_column("a", a), categorical_column("b", b)}), 0.5 * std::log(4.0 / 3), 1e-12);
  // Anderson's closed form: slope 1/2, residual variance 1/2, and x has variance 5/4.
  Column y = continuous_column("y", {-1, 1, 0, 0});
  y.missing.insert(3);
  const Dataset gap = make_dataset({continuous_column("x", {-1, 0, 1, 2}), y}, "t");
  const BlockMoments m = block_moments(gap, {.raw = true}, {.tolerance = 1e-13, .most_steps = 500, .floor = 0});
  EXPECT_NEAR(BlockIndependence(m).information(0, 1, {}), 0.5 * std::log(13.0 / 8), 1e-10);
  EXPECT_NEAR(m.share(0, 1), 0.75, 1e-15);
}

TEST(BlockIndependence, WeightsAreRowsRepeated) {
  Rng rng(2);
  const Dataset once = mixed_table(6, 60, 0.05, rng);
  std::vector<double> weights;
  std::vector<size_t> rows;
  for (size_t r = 0; r < once.rows(); ++r) {
    weights.push_back(1 + rng.below(3));
    for (int k = 0; k < weights.back(); ++k) rows.push_back(r);
  }
  const Dataset weighted = make_dataset(
      [&] {
        std::vector<Column> columns;
        for (const int node : once.file_order()) columns.push_back(once.column(node));
        return columns;
      }(),
      "t", {.weights = weights});
  const BlockIndependence by_weight(weighted), by_rows(with_rows(once, rows));
  for (int trial = 0; trial < 30; ++trial) {
    const auto [a, given] = testing::random_family(6, 3, rng);
    for (Node b = 0; b < 6; ++b) {
      if (b == a || std::binary_search(given.begin(), given.end(), b)) continue;
      EXPECT_NEAR(by_weight.p_value(a, b, given), by_rows.p_value(a, b, given), 1e-6);
    }
  }
}

// Given what both depend on, a category and a number are independent. p-values below 0.05 must then be as many as that:
// of 1000, 35 to 65 with probability 0.97, 29 to 71 with probability 0.998.
TEST(BlockIndependence, KeepsItsLevel) {
  Rng rng(3);
  int below = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    std::vector<double> cause, number;
    std::vector<int> group, category;
    for (int r = 0; r < 60; ++r) {
      cause.push_back(rng.normal());
      group.push_back(rng.below(3));
      number.push_back(cause.back() + 0.5 * group.back() + rng.normal());
      category.push_back(std::clamp(static_cast<int>(std::floor(0.8 * cause.back() + rng.normal())) + 2, 0, 3));
    }
    const Dataset data = make_dataset({continuous_column("cause", cause), continuous_column("number", number),
                                       categorical_column("group", group), categorical_column("category", category)},
                                      "t");
    std::vector<Node> given = {data.index_of("cause"), data.index_of("group")};
    std::sort(given.begin(), given.end());
    below += BlockIndependence(data).p_value(data.index_of("number"), data.index_of("category"), given) < 0.05;
  }
  EXPECT_GE(below, 29);
  EXPECT_LE(below, 71);
}

TEST(BlockIndependence, WhereTheDataCannotTell) {
  Rng rng(4);
  std::vector<double> x, y, sum, after, far;
  std::vector<int> bit, copy;
  for (int r = 0; r < 400; ++r) {
    x.push_back(rng.normal());
    y.push_back(rng.normal());
    sum.push_back(x.back() + y.back());
    after.push_back(sum.back() + rng.normal());
    bit.push_back(sum.back() + rng.normal() > 0);
    copy.push_back(1 - bit.back());
    far.push_back(rng.normal());
  }
  Column left = continuous_column("left", far), right = continuous_column("right", after);
  for (int r = 0; r < 400; ++r) (r < 200 ? left : right).missing.insert(r);
  const Dataset data =
      make_dataset({continuous_column("x", x), continuous_column("y", y), continuous_column("sum", sum),
                    continuous_column("after", after), categorical_column("bit", bit), categorical_column("copy", copy),
                    categorical_column("one", std::vector<int>(400, 0)), left, right},
                   "t");
  const BlockIndependence test(block_moments(data, {.raw = true}));
  const auto p = [&](const std::string& a, const std::string& b, const std::vector<std::string>& names) {
    std::vector<Node> given;
    for (const std::string& name : names) given.push_back(data.index_of(name));
    std::sort(given.begin(), given.end());
    return test.p_value(data.index_of(a), data.index_of(b), given);
  };
  EXPECT_EQ(p("sum", "after", {"x", "y"}), 0);  // several determine it together
  EXPECT_EQ(p("bit", "x", {"copy"}), 1);        // one determines it
  EXPECT_EQ(p("x", "bit", {"copy"}), 1);
  EXPECT_LT(p("bit", "copy", {"x", "y"}), 1e-9);
  EXPECT_EQ(p("one", "x", {}), 1);
  EXPECT_EQ(p("left", "right", {}), 1);  // never seen together
  const Dataset few = mixed_table(4, 3, 0, rng);
  EXPECT_EQ(BlockIndependence(few).p_value(0, 1, std::vector<Node>{2, 3}), 1);
}

}  // namespace
}  // namespace agon
