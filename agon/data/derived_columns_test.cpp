#include "agon/data/derived_columns.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "agon/base/rng.h"
#include "agon/data/doctor.h"
#include "agon/data/linear_dependence.h"

namespace agon {
namespace {

using Numbers = std::vector<double>;

std::vector<std::string> messages(std::vector<Column> columns) {
  std::vector<std::string> out;
  for (const Finding& finding : examine(make_dataset(std::move(columns), "t"))) {
    if (finding.kind == "product" || finding.kind == "function" || finding.kind == "linear-dependence") {
      out.push_back(finding.message);
    }
  }
  return out;
}

template <class Draw>
Numbers drawn(size_t n, Draw draw) {
  Numbers out(n);
  for (double& x : out) x = draw();
  return out;
}

template <class Fn>
Numbers mapped(const Numbers& a, const Numbers& b, Fn fn) {
  Numbers out;
  for (size_t i = 0; i < a.size(); ++i) out.push_back(fn(a[i], b[i]));
  return out;
}

Numbers product(const Numbers& a, const Numbers& b) {
  return mapped(a, b, [](double x, double y) { return x * y; });
}

// ------------------------------------------------------------------------------------ sums

TEST(DerivedColumns, ASumWithALittleNoiseIsNearlyASum) {
  Rng rng(1);
  const Numbers a = drawn(500, [&] { return rng.normal(); }), b = drawn(500, [&] { return rng.normal(); });
  const auto total = [&](double noise) {
    return mapped(a, b, [&](double x, double y) { return x + 2 * y + noise * std::sqrt(5) * rng.normal(); });
  };
  const auto found = [&](double noise) {
    return messages({continuous_column("a", a), continuous_column("b", b), continuous_column("total", total(noise))});
  };
  const std::vector<std::string> near = found(0.005);
  ASSERT_EQ(near.size(), 1u);
  EXPECT_NE(near[0].find("\"total\" = "), std::string::npos) << near[0];
  EXPECT_NE(near[0].find(", nearly (R2 = 0.99997"), std::string::npos) << near[0];
  EXPECT_EQ(found(0.02), std::vector<std::string>{});  // R2 = 0.9996: correlated, not computed
}

TEST(DerivedColumns, ARoundedSumIsFound) {
  Rng rng(2);
  const Numbers a = drawn(300, [&] { return rng.uniform(0, 100); }), b = drawn(300, [&] { return rng.uniform(0, 50); });
  const Numbers sum = mapped(a, b, [](double x, double y) { return std::round(x - y); });
  const auto found =
      messages({continuous_column("a", a), continuous_column("b", b), continuous_column("difference", sum)});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("nearly"), std::string::npos);
}

// Chains of strongly correlated columns, where each is known from its neighbours to within a few percent.
TEST(DerivedColumns, StronglyCorrelatedNoiseIsNotReported) {
  Rng rng(3);
  for (int round = 0; round < 10; ++round) {
    std::vector<Column> columns;
    Numbers last = drawn(200, [&] { return 10 + rng.normal(); });
    for (int k = 0; k < 15; ++k) {
      columns.push_back(continuous_column(fmt::format("v{}", k), last));
      for (double& x : last) x += 0.05 * rng.normal();
    }
    EXPECT_EQ(messages(std::move(columns)), std::vector<std::string>{});
  }
}

// ------------------------------------------------------------------------------------ products

TEST(DerivedColumns, ProductsAreNamedWithTheirFactors) {
  Rng rng(4);
  const Numbers a = drawn(300, [&] { return rng.uniform(1, 9); }), b = drawn(300, [&] { return rng.uniform(20, 80); });
  const Numbers share = mapped(a, b, [](double x, double y) { return 0.01 * x * y; });
  const std::vector<Finding> findings =
      examine(make_dataset({continuous_column("PERMINTE", a), continuous_column("AVYRSEXP", b),
                            continuous_column("PERMINTE_AVYRSEXP", product(a, b)), continuous_column("share", share)},
                           "t"));
  // The share is a rescaled copy of the product, and so says nothing of its own.
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].kind, "duplicate");
  EXPECT_EQ(findings[1].kind, "product");
  EXPECT_EQ(findings[1].severity, Severity::kWarning);
  EXPECT_EQ(findings[1].columns, (std::vector<std::string>{"AVYRSEXP", "PERMINTE", "PERMINTE_AVYRSEXP"}));
  EXPECT_EQ(findings[1].message, "\"PERMINTE_AVYRSEXP\" = \"AVYRSEXP\" * \"PERMINTE\" (R2 = 1.000000).");
  EXPECT_EQ(findings[1].action, "It is computed, not caused; pass --drop PERMINTE_AVYRSEXP to leave it out.");
  EXPECT_EQ(messages({continuous_column("a", a), continuous_column("b", b), continuous_column("share", share)}),
            std::vector<std::string>{"\"share\" = 0.01 \"a\" * \"b\" (R2 = 1.000000)."});
}

TEST(DerivedColumns, RatiosAreReadAsTheyWereRounded) {
  Rng rng(5);
  const Numbers people = drawn(300, [&] { return std::round(std::exp(rng.normal() + 10)); });
  const Numbers area = drawn(300, [&] { return std::exp(rng.normal() + 3); });
  const Numbers density = mapped(people, area, [](double x, double y) { return std::round(x / y * 100) / 100; });
  EXPECT_EQ(messages({continuous_column("people", people), continuous_column("area", area),
                      continuous_column("density", density)}),
            std::vector<std::string>{"\"density\" = \"people\" / \"area\" (R2 = 1.000000)."});
}

TEST(DerivedColumns, SquaresChainsGapsZerosAndSignsAreBorne) {
  Rng rng(6);
  const size_t n = 400;
  Numbers a = drawn(n, [&] { return rng.normal(); }), b = drawn(n, [&] { return rng.normal(); });
  const Numbers c = drawn(n, [&] { return rng.normal() + 1; });
  for (size_t row = 0; row < n; row += 9) a[row] = 0;
  for (size_t row = 5; row < n; row += 11) b[row] = kMissingNumber;
  Column gaps = continuous_column("b", b);
  const Numbers ab = product(a, b);
  Column product_gaps = continuous_column("ab", ab), chain = continuous_column("abc", product(ab, c));
  for (size_t row = 5; row < n; row += 11) {
    gaps.missing.insert(row), product_gaps.missing.insert(row), chain.missing.insert(row);
  }
  const auto found = messages({continuous_column("a", a), gaps, continuous_column("c", c), product_gaps, chain,
                               continuous_column("cc", product(c, c))});
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0], "\"ab\" = \"a\" * \"b\" (R2 = 1.000000).");
  EXPECT_EQ(found[1], "\"abc\" = \"ab\" * \"c\" (R2 = 1.000000).");
  EXPECT_EQ(found[2], "\"cc\" = \"c\" * \"c\" (R2 = 1.000000).");
}

TEST(DerivedColumns, NoisyProductsAreReportedAsTheThresholdSays) {
  Rng rng(7);
  const Numbers a = drawn(500, [&] { return rng.uniform(1, 9); }), b = drawn(500, [&] { return rng.uniform(2, 8); });
  const auto found = [&](double noise) {
    const Numbers z = mapped(a, b, [&](double x, double y) { return x * y + noise * 13 * rng.normal(); });
    return messages({continuous_column("a", a), continuous_column("b", b), continuous_column("z", z)}).size();
  };
  EXPECT_EQ(found(0.005), 1u);
  EXPECT_EQ(found(0.05), 0u);
}

// What a plain search over all triples finds is what is found.
TEST(DerivedColumns, ProductsAreThoseOfAPlainSearch) {
  Rng rng(8);
  for (int round = 0; round < 20; ++round) {
    std::vector<Column> columns;
    for (int k = 0; k < 8; ++k) {
      const double spread = rng.uniform(0.1, 1.5);
      columns.push_back(
          continuous_column(fmt::format("v{}", k), drawn(100, [&] { return std::exp(spread * rng.normal()); })));
    }
    const int planted = rng.below(3);
    for (int k = 0; k < planted; ++k) {
      const int x = 3 * k, y = 3 * k + 1;
      columns.push_back(continuous_column(fmt::format("p{}", k), product(columns[x].values, columns[y].values)));
    }
    std::vector<const Column*> view;
    for (const Column& column : columns) view.push_back(&column);
    std::vector<size_t> plain;
    for (size_t z = 0; z < view.size(); ++z) {
      bool is_product = false;
      for (size_t x = 0; x < view.size() && !is_product; ++x) {
        for (size_t y = x; y < view.size() && !is_product; ++y) {
          if (x == z || y == z) continue;
          is_product = true;
          for (size_t row = 0; row < 100 && is_product; ++row) {
            const double expected = view[x]->values[row] * view[y]->values[row];
            is_product = std::abs(view[z]->values[row] - expected) <= 1e-9 * expected;
          }
        }
      }
      if (is_product) plain.push_back(z);
    }
    std::vector<size_t> found;
    for (const ProductRelation& relation : product_relations(view, 50)) found.push_back(relation.target);
    EXPECT_EQ(found, plain);
    EXPECT_EQ(found.size(), static_cast<size_t>(planted));
  }
}

TEST(DerivedColumns, IndependentAndCorrelatedColumnsAreNoProducts) {
  Rng rng(9);
  for (int round = 0; round < 10; ++round) {
    std::vector<Column> columns;
    const Numbers common = drawn(80, [&] { return rng.normal(); });
    for (int k = 0; k < 40; ++k) {  // logs that are strongly correlated, a year, and free columns
      columns.push_back(continuous_column(fmt::format("v{}", k), mapped(common, common, [&](double u, double) {
                                            return k % 4 == 0   ? std::exp(u + 0.1 * rng.normal())
                                                   : k % 4 == 1 ? 2000 + rng.below(20) + 0.5
                                                                : 5 + rng.normal();
                                          })));
    }
    EXPECT_EQ(messages(std::move(columns)), std::vector<std::string>{});
  }
}

TEST(DerivedColumns, ALineIsNoProduct) {
  Rng rng(10);
  const Numbers a = drawn(300, [&] { return rng.uniform(1, 2); });
  const Numbers year = drawn(300, [&] { return 2000 + 0.001 * rng.normal(); });
  const Numbers z = mapped(a, year, [&](double x, double) { return 2000 * x + 0.5 * rng.normal(); });
  const auto found = messages({continuous_column("a", a), continuous_column("year", year), continuous_column("z", z)});
  for (const std::string& message : found) EXPECT_EQ(message.find('*'), std::string::npos) << message;
}

// ------------------------------------------------------------------------------------ categories

Column labels(const std::string& name, const std::vector<int>& codes) { return categorical_column(name, codes); }

TEST(DerivedColumns, AFunctionOfACategoryIsNamed) {
  Rng rng(11);
  std::vector<int> city, country, continent, free;
  for (int row = 0; row < 400; ++row) {
    city.push_back(rng.below(24));
    country.push_back(city.back() % 6);
    continent.push_back(country.back() % 2);
    free.push_back(rng.below(3));
  }
  const std::vector<Finding> found = examine(make_dataset(
      {labels("city", city), labels("country", country), labels("continent", continent), labels("free", free)}, "t"));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].message, "\"continent\" is a function of \"country\": each of its 6 levels goes with one of 2.");
  EXPECT_EQ(found[0].action, "It adds nothing to \"country\"; pass --drop continent to leave it out.");
  EXPECT_EQ(found[1].columns, (std::vector<std::string>{"city", "country"}));
  country[7] = (country[7] + 2) % 6;  // one row contradicts; the continent is as before
  EXPECT_EQ(messages({labels("city", city), labels("country", country), labels("continent", continent)}).size(), 1u);
}

TEST(DerivedColumns, FunctionsByChanceAreNotReported) {
  Rng rng(12);
  for (int round = 0; round < 50; ++round) {
    std::vector<Column> columns;
    for (int k = 0; k < 12; ++k) {  // small tables, rare levels, many levels
      std::vector<int> codes;
      const int levels = 2 + rng.below(6);
      for (int row = 0; row < 40; ++row) codes.push_back(rng.uniform() < 0.8 ? 0 : rng.below(levels));
      codes[0] = 1;
      columns.push_back(labels(fmt::format("v{}", k), codes));
    }
    EXPECT_EQ(messages(std::move(columns)), std::vector<std::string>{});
  }
}

TEST(DerivedColumns, WorkIsBounded) {
  std::vector<Column> columns;
  const size_t n = 4000;
  for (int k = 0; k < 200; ++k) {  // all rows but the last are alike: pairs are contradicted late
    std::vector<int> codes(n, 0);
    for (int level = 1; level <= 1 + k; ++level) codes[n - 1 - static_cast<size_t>(level % 3)] = level;
    codes[n - 4] = k % 2;
    Column column = labels(fmt::format("v{}", k), codes);
    column.levels.resize(static_cast<size_t>(k) + 2, "x");
    columns.push_back(std::move(column));
  }
  std::vector<const Column*> view;
  for (const Column& column : columns) view.push_back(&column);
  EXPECT_TRUE(category_functions(view, 50).stopped);
}

}  // namespace
}  // namespace agon
