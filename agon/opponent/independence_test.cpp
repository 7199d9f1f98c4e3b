#include "agon/opponent/independence.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "agon/base/distributions.h"
#include "agon/base/error.h"
#include "agon/data/simulate.h"
#include "agon/score/gaussian_score.h"
#include "agon/score/test_tables.h"

namespace agon {
namespace {

using Kind = DiscreteIndependence::Kind;

// A table with these counts of (a, b, s), columns named a, b, s.
Dataset from_counts(const std::vector<std::vector<std::vector<int>>>& counts) {
  std::vector<int> a, b, s;
  for (size_t k = 0; k < counts.size(); ++k) {
    for (size_t i = 0; i < counts[k].size(); ++i) {
      for (size_t j = 0; j < counts[k][i].size(); ++j) {
        for (int c = 0; c < counts[k][i][j]; ++c) {
          a.push_back(static_cast<int>(i));
          b.push_back(static_cast<int>(j));
          s.push_back(static_cast<int>(k));
        }
      }
    }
  }
  return make_dataset({categorical_column("a", a), categorical_column("b", b), categorical_column("s", s)}, "counts");
}

// Admissions to Berkeley in 1973 by sex (male, female), outcome (admitted, rejected) and department A to F (Bickel,
// Hammel & O'Connell 1975, Science 187).
const std::vector<std::vector<std::vector<int>>> kBerkeley = {{{512, 313}, {89, 19}},   {{353, 207}, {17, 8}},
                                                              {{120, 205}, {202, 391}}, {{138, 279}, {131, 244}},
                                                              {{53, 138}, {94, 299}},   {{22, 351}, {24, 317}}};
// Colour of hair (black, brown, red, blond) and eyes (brown, blue, hazel, green) of 592 students (Snee 1974, American
// Statistician 28).
const std::vector<std::vector<std::vector<int>>> kHair = {
    {{68, 20, 15, 5}, {119, 84, 54, 29}, {26, 17, 14, 14}, {7, 94, 10, 16}}};

TEST(Independence, GoldenValuesOfCountedTables) {
  // The expected statistics were computed from their definitions, and the tails by Simpson's rule on the density, both
  // in another language.
  struct Golden {
    const std::vector<std::vector<std::vector<int>>>& counts;
    bool given;
    double g2, chi2, dof, p_g2, p_chi2;
  };
  for (const Golden& g :
       {Golden{kBerkeley, false, 93.4494071957, 92.2052804115, 1, 4.1671745567e-22, 7.81360038899e-22},
        Golden{kBerkeley, true, 21.7355067781, 19.9384133779, 6, 0.00135199265317, 0.00284016430158},
        Golden{kHair, false, 146.443578465, 138.289841626, 9, 4.80558366982e-27, 2.3252867871e-25}}) {
    const Dataset data = from_counts(g.counts);
    const Node a = data.index_of("a"), b = data.index_of("b"), s = data.index_of("s");
    const std::vector<Node> given = g.given ? std::vector<Node>{s} : std::vector<Node>{};
    for (const Kind kind : {Kind::kG2, Kind::kChi2}) {
      const DiscreteIndependence test(data, kind);
      const TestStatistic found = test.statistic(a, b, given);
      EXPECT_NEAR(found.value, kind == Kind::kG2 ? g.g2 : g.chi2, 1e-8);
      EXPECT_EQ(found.dof, g.dof);
      const double expected = kind == Kind::kG2 ? g.p_g2 : g.p_chi2;
      EXPECT_NEAR(test.p_value(a, b, given) / expected, 1, 1e-8);
      EXPECT_NEAR(test.p_value(b, a, given) / expected, 1, 1e-8);
    }
  }
}

TEST(Independence, GoldenValuesOfCorrelations) {
  const auto p = [](std::vector<double> r, int nodes, double rows, std::vector<Node> given) {
    return FisherZ(std::move(r), nodes, rows).p_value(0, 1, given);
  };
  EXPECT_NEAR(p({1, .5, .5, 1}, 2, 30, {}), 0.004313470570616621, 1e-14);
  // Given one column: (0.6 - 0.5 * 0.4) / sqrt(0.75 * 0.84).
  EXPECT_NEAR(p({1, .6, .5, .6, 1, .4, .5, .4, 1}, 3, 50, {2}), 0.00016895526733108195, 1e-14);
  // Given two, by the recursion that removes one column after the other.
  const std::vector<double> r = {1, .3, .5, .2, .3, 1, .4, -.1, .5, .4, 1, .25, .2, -.1, .25, 1};
  EXPECT_NEAR(FisherZ(r, 4, 100).partial_correlation(0, 1, std::vector<Node>{2, 3}), 0.1506092206325, 1e-12);
  EXPECT_NEAR(p(r, 4, 100, {2, 3}), 0.1390842131331042, 1e-12);
}

using Margin = std::map<uint32_t, double>;

// Mean and variance of X2 = N (sum n_ij^2 / (r_i c_j) - 1) when the cells of one column are shuffled, from the
// factorial moments of the counts: the product of n_ij (n_ij - 1) .. p factors and n_kl .. q factors has the mean
// r_i .. c_j .. r_k .. c_l .. / N .., where equal margins and N have p + q factors.
std::pair<double, double> plain_shuffled_pearson(const Margin& rows, const Margin& columns, double n) {
  const auto falling = [](double x, int factors) {
    double out = 1;
    for (int k = 0; k < factors; ++k) out *= x - k;
    return out;
  };
  const auto over = [&](double product, int factors) { return product == 0 ? 0 : product / falling(n, factors); };
  double mean = 0, square = 0;
  for (const auto& [i, r] : rows) {
    for (const auto& [j, c] : columns) {
      for (int p : {1, 2}) mean += over(falling(r, p) * falling(c, p), p) / (r * c);
      for (const auto& [k, s] : rows) {
        for (const auto& [l, d] : columns) {
          double both = 0;
          if (i == k && j == l) {  // n^4 in falling factorials
            const double times[] = {0, 1, 7, 6, 1};
            for (int p = 1; p <= 4; ++p) both += times[p] * over(falling(r, p) * falling(c, p), p);
          } else {
            for (int p : {1, 2}) {
              for (int q : {1, 2}) {
                const double of_rows = i == k ? falling(r, p + q) : falling(r, p) * falling(s, q);
                const double of_columns = j == l ? falling(c, p + q) : falling(c, p) * falling(d, q);
                both += over(of_rows * of_columns, p + q);
              }
            }
          }
          square += both / (r * c * s * d);
        }
      }
    }
  }
  if (rows.size() < 2 || columns.size() < 2) return {0, 0};
  return {n * (mean - 1), n * n * (square - mean * mean)};
}

// The definition, row by row.
TestStatistic plain_statistic(const Dataset& data, Kind kind, Node a, Node b, const std::vector<Node>& given) {
  std::map<std::vector<uint32_t>, std::map<std::pair<uint32_t, uint32_t>, double>> tables;
  for (size_t r = 0; r < data.rows(); ++r) {
    std::vector<uint32_t> key;
    for (Node v : given) key.push_back(data.column(v).codes[r]);
    tables[key][{data.column(a).codes[r], data.column(b).codes[r]}] += 1;
  }
  TestStatistic out;
  for (const auto& [key, cells] : tables) {
    std::map<uint32_t, double> of_a, of_b;
    double n = 0;
    for (const auto& [at, count] : cells) {
      of_a[at.first] += count;
      of_b[at.second] += count;
      n += count;
    }
    const auto [mean, variance] = plain_shuffled_pearson(of_a, of_b, n);
    out.mean += mean;
    out.variance += variance;
    out.configurations += 1;
    out.dof += static_cast<double>((of_a.size() - 1) * (of_b.size() - 1));
    for (const auto& [i, row] : of_a) {
      for (const auto& [j, column] : of_b) {
        const auto cell = cells.find({i, j});
        const double seen = cell == cells.end() ? 0 : cell->second, expected = row * column / n;
        if (kind == Kind::kChi2) {
          out.value += (seen - expected) * (seen - expected) / expected;
        } else if (seen > 0) {
          out.value += 2 * seen * std::log(seen / expected);
        }
      }
    }
  }
  return out;
}

bool plain_determines(const Dataset& data, Node from, Node to) {
  std::map<uint32_t, std::set<uint32_t>> seen;
  for (size_t r = 0; r < data.rows(); ++r) seen[data.column(from).codes[r]].insert(data.column(to).codes[r]);
  return std::ranges::all_of(seen, [](const auto& entry) { return entry.second.size() == 1; });
}

TEST(Independence, CountsAgreeWithThePlainTwin) {
  Rng rng(3);
  int set_free_by_none = 0, sparse = 0;
  for (const testing::TableShape& shape :
       {testing::TableShape{.variables = 8, .rows = 400}, testing::TableShape{.variables = 8, .rows = 40, .copies = 30},
        testing::TableShape{.variables = 8, .rows = 300, .most_levels = 9},
        testing::TableShape{.variables = 8, .rows = 10, .copies = 60}}) {  // few rows: small sets determine much
    const Dataset data = testing::random_categorical(shape, rng);
    const double rows = static_cast<double>(data.rows());
    for (const Kind kind : {Kind::kG2, Kind::kChi2}) {
      const DiscreteIndependence test(data, kind);
      for (int trial = 0; trial < 60; ++trial) {
        const auto [a, given] = testing::random_family(8, 6, rng);
        std::vector<Node> others;
        for (Node b = 0; b < 8; ++b) {
          if (b != a && !std::binary_search(given.begin(), given.end(), b)) others.push_back(b);
        }
        std::vector<double> together(others.size());
        test.p_values(a, given, others, together);
        for (size_t k = 0; k < others.size(); ++k) {
          const TestStatistic found = test.statistic(a, others[k], given),
                              plain = plain_statistic(data, kind, a, others[k], given);
          ASSERT_NEAR(found.value, plain.value, 1e-9 * (1 + plain.value));
          ASSERT_EQ(found.dof, plain.dof);
          ASSERT_EQ(together[k], test.p_value(a, others[k], given));
          ASSERT_EQ(found.configurations, plain.configurations);
          double expected = 1;
          if (plain.dof > 0 && rows >= 5 * plain.dof) {
            expected = chi_square_tail(plain.value, plain.dof);
          } else if (plain.dof > 0) {
            const double value = plain_statistic(data, Kind::kChi2, a, others[k], given).value;
            const bool varies = plain.variance > 1e-9 * plain.mean;
            if (varies) {
              expected = chi_square_tail(value * 2 * plain.mean / plain.variance,
                                         2 * plain.mean * plain.mean / plain.variance);
            }
            ++sparse;
          } else if (plain.dof == 0 && !given.empty() && rows >= 5 * plain.configurations) {
            expected = 0;
            for (Node v : given) {
              if (plain_determines(data, v, a) || plain_determines(data, v, others[k])) expected = 1;
            }
            set_free_by_none += expected == 0;
          }
          ASSERT_NEAR(together[k], expected, 1e-7);
        }
      }
    }
  }
  EXPECT_GT(set_free_by_none, 0);
  EXPECT_GT(sparse, 0);
}

TEST(Independence, PartialCorrelationsAreThoseOfResiduals) {
  Rng rng(4);
  const Dataset data = testing::random_continuous(7, 80, false, rng);
  const FisherZ test(data, FisherZ::Scale::kRaw);
  for (int trial = 0; trial < 40; ++trial) {
    const auto [a, given] = testing::random_family(7, 5, rng);
    for (Node b = 0; b < 7; ++b) {
      if (b == a || std::binary_search(given.begin(), given.end(), b)) continue;
      // Residuals by Gram and Schmidt on the columns.
      std::vector<std::vector<double>> basis;
      const auto residual = [&](Node v) {
        std::vector<double> x = data.column(v).values;
        double mean = 0;
        for (double value : x) mean += value / static_cast<double>(x.size());
        for (double& value : x) value -= mean;
        for (const auto& e : basis) {
          double along = 0;
          for (size_t r = 0; r < x.size(); ++r) along += x[r] * e[r];
          for (size_t r = 0; r < x.size(); ++r) x[r] -= along * e[r];
        }
        double norm = 0;
        for (double value : x) norm += value * value;
        for (double& value : x) value /= std::sqrt(norm);
        return x;
      };
      for (Node v : given) basis.push_back(residual(v));
      const std::vector<double> x = residual(a), y = residual(b);
      double r = 0;
      for (size_t row = 0; row < x.size(); ++row) r += x[row] * y[row];
      EXPECT_NEAR(test.partial_correlation(a, b, given), r, 1e-10);
    }
  }
}

// Kolmogorov and Smirnov's distance of p-values from the uniform distribution, times the root of their number; above
// 1.95 with probability 0.001.
double ks_distance(std::vector<double> p) {
  std::sort(p.begin(), p.end());
  double worst = 0;
  const double n = static_cast<double>(p.size());
  for (size_t k = 0; k < p.size(); ++k) {
    worst = std::max({worst, static_cast<double>(k + 1) / n - p[k], p[k] - static_cast<double>(k) / n});
  }
  return worst * std::sqrt(n);
}

TEST(Independence, PValuesAreUniformUnderTheNull) {
  Rng rng(8);
  std::vector<double> g2, chi2, raw, rank;
  const Node a = 0, b = 1;
  const std::vector<Node> given = {2};
  for (int trial = 0; trial < 600; ++trial) {
    // Both depend on the third and on nothing else.
    std::vector<std::vector<int>> codes(3, std::vector<int>(1500));
    std::vector<std::vector<double>> values(3, std::vector<double>(300));
    for (int r = 0; r < 1500; ++r) {
      codes[2][r] = rng.below(3);
      for (int v : {0, 1}) codes[v][r] = rng.uniform() < 0.3 ? codes[2][r] : rng.below(3);
    }
    for (int r = 0; r < 300; ++r) {
      values[2][r] = rng.normal();
      for (int v : {0, 1}) values[v][r] = 0.7 * values[2][r] + rng.normal();
    }
    std::vector<Column> categorical, continuous;
    const std::vector<std::string> names = {"a", "b", "c"};
    std::vector<std::string> in_order;  // so that node v is column v
    for (int k : canonical_order(names)) in_order.push_back(names[k]);
    for (int v = 0; v < 3; ++v) {
      categorical.push_back(categorical_column(in_order[v], codes[v]));
      continuous.push_back(continuous_column(in_order[v], values[v]));
    }
    const Dataset discrete = make_dataset(categorical, "t"), real = make_dataset(continuous, "t");
    g2.push_back(DiscreteIndependence(discrete, Kind::kG2).p_value(a, b, given));
    chi2.push_back(DiscreteIndependence(discrete, Kind::kChi2).p_value(a, b, given));
    raw.push_back(FisherZ(real, FisherZ::Scale::kRaw).p_value(a, b, given));
    rank.push_back(FisherZ(real, FisherZ::Scale::kRank).p_value(a, b, given));
  }
  EXPECT_LT(ks_distance(g2), 1.95);
  EXPECT_LT(ks_distance(chi2), 1.95);
  EXPECT_LT(ks_distance(raw), 1.95);
  EXPECT_LT(ks_distance(rank), 1.95);
}

// Two independent columns of 25 levels in 500 rows, less than one row per degree of freedom: the tests keep their level
// there. Of 500 p-values 10 to 40 are below 0.05 with probability 0.998. A column that follows another is still found.
TEST(Independence, ManyLevelsKeepTheLevel) {
  Rng rng(9);
  int below = 0, found = 0;
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<int> a, b, follows;
    for (int r = 0; r < 500; ++r) {
      a.push_back(std::min(rng.below(25), rng.below(25)));
      b.push_back(rng.below(25));
      follows.push_back(rng.uniform() < 0.3 ? a.back() : rng.below(25));
    }
    const Dataset data = make_dataset(
        {categorical_column("a", a), categorical_column("b", b), categorical_column("follows", follows)}, "t");
    const DiscreteIndependence test(data);
    below += test.p_value(data.index_of("a"), data.index_of("b"), {}) < 0.05;
    found += test.p_value(data.index_of("a"), data.index_of("follows"), {}) < 0.05;
  }
  EXPECT_GE(below, 10);
  EXPECT_LE(below, 40);
  EXPECT_GT(found, 450);
}

// c is a function of a and b, and e follows c: given {a, b}, (c, e) has nothing left to vary, and says nothing.
TEST(Independence, WhatSeveralDetermineTogetherIsNotSetFree) {
  Rng rng(7);
  std::vector<int> a(500), b(500), either(500), effect(500);
  std::vector<double> x(500), y(500), sum(500), after(500);
  for (int r = 0; r < 500; ++r) {
    a[r] = rng.uniform() < 0.3;
    b[r] = rng.uniform() < 0.4;
    either[r] = a[r] | b[r];
    effect[r] = rng.uniform() < 0.8 ? either[r] : rng.below(2);
    x[r] = rng.normal();
    y[r] = rng.normal();
    sum[r] = x[r] + y[r];
    after[r] = sum[r] + rng.normal();
  }
  const Dataset discrete = make_dataset({categorical_column("a", a), categorical_column("b", b),
                                         categorical_column("c", either), categorical_column("e", effect)},
                                        "t");
  const Dataset real = make_dataset({continuous_column("a", x), continuous_column("b", y), continuous_column("c", sum),
                                     continuous_column("e", after)},
                                    "t");
  const std::vector<Node> causes = {0, 1};
  const Node c = 2, e = 3;
  EXPECT_EQ(DiscreteIndependence(discrete).p_value(c, e, causes), 0);
  EXPECT_EQ(DiscreteIndependence(discrete).p_value(e, c, causes), 0);
  EXPECT_GT(DiscreteIndependence(discrete).p_value(0, e, std::vector<Node>{c}), 0.01);
  EXPECT_EQ(FisherZ(real, FisherZ::Scale::kRaw).p_value(c, e, causes), 0);
  EXPECT_GT(FisherZ(real, FisherZ::Scale::kRaw).p_value(0, e, std::vector<Node>{c}), 0.01);
  const Dataset few = make_dataset({categorical_column("a", {0, 0, 1, 1}), categorical_column("b", {0, 1, 0, 1}),
                                    categorical_column("c", {0, 1, 1, 1}), categorical_column("e", {0, 1, 1, 0})},
                                   "t");
  EXPECT_EQ(DiscreteIndependence(few).p_value(c, e, causes), 1);
}

TEST(Independence, WhatCannotBeTestedIsIndependent) {
  Rng rng(5);
  std::vector<int> a(60), b(60);
  for (int r = 0; r < 60; ++r) {
    a[r] = rng.below(2);
    b[r] = rng.below(2);
  }
  const Dataset data = make_dataset({categorical_column("a", a), categorical_column("b", b),
                                     categorical_column("copy", a), categorical_column("one", std::vector<int>(60, 1))},
                                    "t");
  const DiscreteIndependence test(data);
  const Node x = data.index_of("a"), y = data.index_of("b"), copy = data.index_of("copy"), one = data.index_of("one");
  EXPECT_EQ(test.p_value(x, y, std::vector<Node>{copy}), 1);
  EXPECT_EQ(test.p_value(x, one, {}), 1);
  EXPECT_LT(test.p_value(x, copy, {}), 1e-9);
  // Two rows in each configuration, different in both columns: X2 is the same in either order.
  std::vector<int> left, right, pair;
  for (int r = 0; r < 40; ++r) {
    left.push_back(r % 2);
    right.push_back(r % 2);
    pair.push_back(r / 2);
  }
  const Dataset pairs = make_dataset(
      {categorical_column("left", left), categorical_column("right", right), categorical_column("pair", pair)}, "t");
  EXPECT_EQ(DiscreteIndependence(pairs).p_value(pairs.index_of("left"), pairs.index_of("right"),
                                                std::vector<Node>{pairs.index_of("pair")}),
            1);
  const FisherZ copies({1, 1, .3, 1, 1, .3, .3, .3, 1}, 3, 50);
  EXPECT_EQ(copies.p_value(0, 2, std::vector<Node>{1}), 1);
  EXPECT_EQ(copies.p_value(0, 1, {}), 0);
  EXPECT_EQ(FisherZ({1, .9, .9, 1}, 2, 3).p_value(0, 1, {}), 1);
}

TEST(Independence, TestsFitTheKindsOfColumns) {
  Rng rng(6);
  const Dataset discrete = testing::random_categorical({.variables = 3, .rows = 50}, rng);
  const Dataset real = testing::random_continuous(3, 50, false, rng);
  EXPECT_EQ(make_independence(discrete)->name(), "g2");
  EXPECT_EQ(make_independence(real)->name(), "fisher-z");
  EXPECT_EQ(make_independence(discrete, "chi-square-test")->name(), "chi2");
  EXPECT_EQ(make_independence(discrete, "g-square-test")->name(), "g2");
  EXPECT_EQ(make_independence(real, "fisher-z-test")->name(), "fisher-z");
  EXPECT_EQ(make_independence(real, "fisher-z-raw")->name(), "fisher-z-raw");
  EXPECT_THROW(make_independence(real, "g2"), UsageError);
  EXPECT_THROW(make_independence(discrete, "fisher-z"), UsageError);
  EXPECT_THROW(make_independence(discrete, "g3"), UsageError);
  std::vector<Column> both = discrete.columns();
  both.push_back(continuous_column("real", std::vector<double>(real.column(0).values)));
  const Dataset mixed = make_dataset(both, "t");
  EXPECT_EQ(make_independence(mixed)->name(), "block");
  EXPECT_THROW(make_independence(mixed, "g2"), UsageError);
  EXPECT_EQ(make_independence(discrete, "block")->name(), "block");
  EXPECT_EQ(make_independence(real, "dg-lr-test")->name(), "block");
}

TEST(Independence, TestsFitGapsAndWeights) {
  Rng rng(10);
  for (const Dataset& data : {testing::random_categorical({.variables = 3, .rows = 50}, rng),
                              testing::random_continuous(3, 50, false, rng)}) {
    const bool numbers = data.all_of(ColumnKind::kContinuous);
    std::vector<Column> gap = data.columns();
    gap[0].missing.insert(7);
    const Dataset gaps = make_dataset(gap, "t");
    EXPECT_EQ(make_independence(gaps)->name(), "block");
    EXPECT_THROW(make_independence(gaps, numbers ? "fisher-z" : "g2"), InputError);
    std::vector<double> weights(50, 1);
    weights[3] = 2;
    const Dataset weighted = make_dataset(data.columns(), "t", {.weights = weights});
    EXPECT_EQ(make_independence(weighted)->name(), numbers ? "block" : "g2");
    if (numbers) {
      EXPECT_THROW(make_independence(weighted, "fisher-z"), InputError);
    }
  }
}

TEST(Distributions, TailsOfChiSquare) {
  // Simpson's rule on the density.
  EXPECT_NEAR(chi_square_tail(3.841458820694124, 1), 0.05, 1e-13);
  EXPECT_NEAR(chi_square_tail(0.5, 3), 0.9188914116545, 1e-12);
  EXPECT_NEAR(chi_square_tail(18.307038053275146, 10), 0.05, 1e-13);
  EXPECT_NEAR(chi_square_tail(150, 100), 0.0009039320423538, 1e-14);
  EXPECT_NEAR(chi_square_tail(0.01, 1), std::erfc(std::sqrt(0.005)), 1e-13);
  // Two degrees of freedom: the exponential distribution, on both sides of the change of method.
  for (double x : {0.1, 1.0, 3.9, 4.1, 50.0, 700.0}) {
    EXPECT_NEAR(chi_square_tail(x, 2) / std::exp(-x / 2), 1, 1e-12) << x;
  }
  EXPECT_EQ(chi_square_tail(0, 4), 1);
}

}  // namespace
}  // namespace agon
