#include "agon/data/doctor.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "agon/base/rng.h"
#include "agon/data/csv.h"
#include "agon/data/derived_columns.h"
#include "agon/data/linear_dependence.h"

namespace agon {
namespace {

using Names = std::vector<std::string>;

std::vector<Finding> of_kind(const Dataset& data, const std::string& kind) {
  std::vector<Finding> out;
  for (const Finding& f : examine(data)) {
    if (f.kind == kind) out.push_back(f);
  }
  return out;
}

std::vector<double> normals(Rng& rng, size_t n) {
  std::vector<double> out(n);
  for (double& x : out) x = rng.normal();
  return out;
}

std::vector<int> below(Rng& rng, size_t n, int bound) {
  std::vector<int> out(n);
  for (int& x : out) x = rng.below(bound);
  return out;
}

template <class Fn>
std::vector<double> mapped_pairs(const std::vector<double>& a, const std::vector<double>& b, Fn fn) {
  std::vector<double> out;
  for (size_t i = 0; i < a.size(); ++i) out.push_back(fn(a[i], b[i]));
  return out;
}

TEST(Doctor, SaysNothingOfAHealthyTable) {
  Rng rng(1);
  Dataset numbers = make_dataset({continuous_column("a", normals(rng, 200)), continuous_column("b", normals(rng, 200)),
                                  continuous_column("c", normals(rng, 200))},
                                 "t");
  EXPECT_TRUE(examine(numbers).empty());
  Dataset labels =
      make_dataset({categorical_column("a", below(rng, 200, 3)), categorical_column("b", below(rng, 200, 2))}, "t");
  EXPECT_TRUE(examine(labels).empty());
  EXPECT_TRUE(examine(Dataset()).empty());
}

TEST(Doctor, NamesConstantColumns) {
  Rng rng(2);
  const Dataset d = make_dataset(
      {categorical_column("site", std::vector<int>(60, 0), {"A"}), categorical_column("x", below(rng, 60, 2))}, "t");
  const auto found = of_kind(d, "constant");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].severity, Severity::kInfo);
  EXPECT_EQ(found[0].columns, Names{"site"});
  EXPECT_EQ(found[0].message, "\"site\" (\"A\" in every row) is constant.");
  EXPECT_EQ(found[0].action, "Kept as an isolated node.");
}

TEST(Doctor, NamesCopiesAlsoUnderOtherLabels) {
  Rng rng(3);
  const std::vector<int> codes = below(rng, 100, 2), other = below(rng, 100, 2);
  const Dataset d = make_dataset({categorical_column("sex", codes, {"0", "1"}), categorical_column("other", other),
                                  categorical_column("gender", codes, {"m", "f"}), categorical_column("copy", other)},
                                 "t");
  const auto found = of_kind(d, "duplicate");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].message, "\"other\" is a copy of \"copy\".");
  EXPECT_NE(found[0].action.find("--drop other"), std::string::npos);
  EXPECT_EQ(found[1].columns, (Names{"gender", "sex"}));
  EXPECT_EQ(found[1].severity, Severity::kWarning);
  EXPECT_EQ(found[1].message, "\"sex\" is \"gender\" under other labels (\"1\" for \"f\", \"0\" for \"m\").");
}

TEST(Doctor, NamesAffineCopiesOfNumbers) {
  Rng rng(4);
  const std::vector<double> c = normals(rng, 300), noise = normals(rng, 300);
  const Dataset d = make_dataset(
      {continuous_column("celsius", c),
       continuous_column("fahrenheit", mapped_pairs(c, c, [](double x, double) { return 32 + 1.8 * x; })),
       continuous_column("mirror", mapped_pairs(c, c, [](double x, double) { return -x; })),
       continuous_column("close", mapped_pairs(c, noise, [](double x, double e) { return x + 1e-2 * e; }))},
      "t");
  const auto found = of_kind(d, "duplicate");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].message, "\"fahrenheit\" is a rescaled copy: \"fahrenheit\" = 1.8 \"celsius\" + 32.");
  EXPECT_EQ(found[1].message, "\"mirror\" is a rescaled copy: \"mirror\" = -\"celsius\".");
}

TEST(Doctor, WritesTheEquationOfALinearDependence) {
  Rng rng(5);
  const std::vector<double> a = normals(rng, 300), b = normals(rng, 300);
  const Dataset d =
      make_dataset({continuous_column("total", mapped_pairs(a, b, [](double x, double y) { return x + y; })),
                    continuous_column("a", a), continuous_column("b", b), continuous_column("free", normals(rng, 300))},
                   "t");
  const auto found = of_kind(d, "linear-dependence");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].columns, (Names{"a", "b", "total"}));
  EXPECT_EQ(found[0].message, "\"total\" = \"a\" + \"b\" (R2 = 1.000000).");
  EXPECT_NE(found[0].action.find("--drop total"), std::string::npos);
}

// Plain twin: plants relations of random shape, and checks that every reported relation holds and that dropping the
// targets leaves no relation behind.
TEST(Doctor, FindsPlantedRelationsAndNoOthers) {
  Rng rng(6);
  for (int round = 0; round < 20; ++round) {
    const size_t n = 200;
    std::vector<std::vector<double>> columns;
    for (int k = 0; k < 12; ++k) columns.push_back(normals(rng, n));
    const int planted = rng.below(4);
    for (int k = 0; k < planted; ++k) {
      std::vector<double> sum(n, 3.0 * k);
      for (int t = 0; t < 3; ++t) {
        const std::vector<double>& term = columns[rng.below(12)];
        const double weight = rng.uniform(0.5, 2);
        for (size_t i = 0; i < n; ++i) sum[i] += weight * term[i];
      }
      columns.push_back(sum);
    }
    std::vector<const std::vector<double>*> view;
    for (const auto& column : columns) view.push_back(&column);
    const std::vector<LinearRelation> found = linear_relations(view, 100);
    ASSERT_EQ(found.size(), static_cast<size_t>(planted));
    std::vector<bool> dropped(columns.size());
    for (const LinearRelation& r : found) {
      for (size_t i = 0; i < n; ++i) {
        double sum = r.offset;
        for (size_t t = 0; t < r.terms.size(); ++t) sum += r.weights[t] * columns[r.terms[t]][i];
        ASSERT_NEAR(sum, columns[r.target][i], 1e-4);
      }
      EXPECT_FALSE(dropped[r.target]);
      dropped[r.target] = true;
    }
  }
}

TEST(Doctor, SaysWhenDependenceWasNotSearched) {
  Rng rng(7);
  std::vector<Column> columns;
  for (int k = 0; k <= kMostForDependence; ++k)
    columns.push_back(continuous_column(fmt::format("v{}", k), normals(rng, 30)));
  const Dataset d = make_dataset(std::move(columns), "t");
  const auto found = of_kind(d, "linear-dependence");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].severity, Severity::kInfo);
  EXPECT_EQ(found[0].message,
            "It was not checked whether columns are sums, products or ratios of others: there are 1,001 continuous "
            "columns, more than 1,000.");
  ASSERT_EQ(of_kind(d, "few-rows").size(), 1u);
  EXPECT_NE(of_kind(d, "few-rows")[0].message.find("30 rows for 1,001 columns"), std::string::npos);
}

TEST(Doctor, NamesIdentifiersAndTheCostOfManyLevels) {
  Rng rng(8);
  std::vector<int> all(600), many = below(rng, 600, 200);
  std::vector<double> counting(600);
  for (int i = 0; i < 600; ++i) all[i] = i, counting[i] = i + 1;
  many[0] = 199;
  const Dataset d = make_dataset(
      {categorical_column("user", all), categorical_column("postcode", many), continuous_column("row", counting)}, "t");
  const auto ids = of_kind(d, "id-like");
  ASSERT_EQ(ids.size(), 2u);
  EXPECT_EQ(ids[0].columns, Names{"row"});
  EXPECT_EQ(ids[1].columns, Names{"user"});
  EXPECT_EQ(ids[0].message, "\"row\" counts the rows, like an identifier.");
  const auto levels = of_kind(d, "many-levels");
  ASSERT_EQ(levels.size(), 1u);
  EXPECT_EQ(levels[0].severity, Severity::kWarning);
  const size_t r = d.column(d.index_of("postcode")).levels.size();
  EXPECT_NE(levels[0].message.find(fmt::format("\"postcode\" has {} levels in 600 rows", r)), std::string::npos);
  EXPECT_NE(levels[0].message.find("two such parents has"), std::string::npos);
  EXPECT_NE(levels[0].action.find("--drop postcode"), std::string::npos);
}

TEST(Doctor, NamesRareLevels) {
  std::vector<int> codes(100, 0);
  for (int i = 0; i < 40; ++i) codes[i] = 1;
  codes[50] = codes[51] = 2;
  Rng rng(9);
  const Dataset d = make_dataset(
      {categorical_column("x", codes, {"a", "b", "rare"}), categorical_column("y", below(rng, 100, 2))}, "t");
  const auto found = of_kind(d, "rare-level");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].severity, Severity::kWarning);
  EXPECT_EQ(found[0].columns, Names{"x"});
  EXPECT_EQ(found[0].message, "Levels in fewer than 5 rows: \"x\" (\"rare\" in 2 rows).");
}

TEST(Doctor, NamesNumbersThatLookLikeCategories) {
  Rng rng(10);
  std::vector<double> halves;
  for (int code : below(rng, 100, 3)) halves.push_back(code + 0.5);
  const Dataset d = make_dataset({categorical_column("sex", below(rng, 100, 2)), continuous_column("age", halves),
                                  continuous_column("dose", normals(rng, 100))},
                                 "t");
  const auto few = of_kind(d, "few-values");
  ASSERT_EQ(few.size(), 1u);
  EXPECT_EQ(few[0].message, "Continuous, yet with few distinct values: \"age\" (3).");
  EXPECT_EQ(few[0].action, "If these are categories, pass --discrete age.");
}

// ------------------------------------------------------------------------------------ gaps, weights, odd tables

Column column_with_gaps(Column column, const std::vector<size_t>& rows) {
  for (const size_t row : rows) column.missing.insert(row);
  return column;
}

TEST(Doctor, CountsMissingCellsAndNamesColumnsThatAreMostlyEmpty) {
  Rng rng(11);
  std::vector<size_t> most, few, all;
  for (size_t row = 0; row < 100; ++row) {
    if (rng.below(10) < 7) most.push_back(row);
    all.push_back(row);
  }
  few = {3, 50};
  const Dataset d = make_dataset({column_with_gaps(continuous_column("a", normals(rng, 100)), most),
                                  column_with_gaps(categorical_column("b", below(rng, 100, 2)), few),
                                  column_with_gaps(continuous_column("none", normals(rng, 100)), all)},
                                 "t");
  const auto missing = of_kind(d, "missing");
  ASSERT_EQ(missing.size(), 1u);
  EXPECT_EQ(missing[0].severity, Severity::kInfo);
  EXPECT_EQ(missing[0].message, fmt::format("{} cells are missing in 100 of 100 rows: \"a\" {}, \"b\" 2, \"none\" 100.",
                                            most.size() + 102, most.size()));
  const auto mostly = of_kind(d, "mostly-missing");
  ASSERT_EQ(mostly.size(), 1u);
  EXPECT_EQ(mostly[0].severity, Severity::kWarning);
  EXPECT_EQ(mostly[0].columns, Names{"a"});
  const auto constant = of_kind(d, "constant");
  ASSERT_EQ(constant.size(), 1u);
  EXPECT_EQ(constant[0].message, "\"none\" (no cell at all) is constant.");
}

TEST(Doctor, NamesRowsWithoutACell) {
  Rng rng(12);
  const Dataset d = make_dataset({column_with_gaps(continuous_column("a", normals(rng, 60)), {7}),
                                  column_with_gaps(categorical_column("b", below(rng, 60, 2)), {7, 8})},
                                 "t");
  const auto found = of_kind(d, "empty-rows");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].message, "1 row has no cell at all.");
}

TEST(Doctor, NamesColumnsWhoseGapsAnotherTells) {
  Rng rng(13);
  const size_t n = 400;
  const std::vector<int> death = below(rng, n, 2);
  const std::vector<double> age = normals(rng, n);
  std::vector<size_t> living, young, nearly, at_random;
  for (size_t row = 0; row < n; ++row) {
    if (death[row] == 0) living.push_back(row);
    if (age[row] < -0.7) young.push_back(row);
    if ((death[row] == 0) != (row % 100 == 0)) nearly.push_back(row);
    if (rng.below(4) == 0) at_random.push_back(row);
  }
  const Dataset d = make_dataset(
      {categorical_column("death", death), continuous_column("age", age),
       column_with_gaps(continuous_column("yrdth", normals(rng, n)), living),
       column_with_gaps(categorical_column("cause", below(rng, n, 3)), living),
       column_with_gaps(continuous_column("income", normals(rng, n)), young),
       column_with_gaps(continuous_column("nearly", normals(rng, n)), nearly),
       column_with_gaps(continuous_column("random", normals(rng, n)), at_random),
       column_with_gaps(continuous_column("once", normals(rng, n)), {living[0]})},  // one gap: told by chance
      "t");
  const auto found = of_kind(d, "missing-told");
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].columns, (Names{"cause", "death", "yrdth"}));
  EXPECT_EQ(found[0].message, "\"cause\", \"yrdth\" are missing exactly where \"death\" is \"0\".");
  EXPECT_EQ(found[0].action, "Not missing at random: pass --drop cause,yrdth to leave them out, or --missing level.");
  EXPECT_EQ(found[1].columns, (Names{"age", "income"}));
  EXPECT_NE(found[1].message.find("\"income\" is missing exactly where \"age\" is below -0.6"), std::string::npos);
  EXPECT_EQ(found[2].message, "Where \"nearly\" is missing can be told from \"death\", which explains 96 % of it.");
}

TEST(Doctor, GapsAtRandomAreToldByNothing) {
  for (uint64_t seed = 0; seed < 30; ++seed) {
    Rng rng(seed);
    std::vector<Column> columns;
    for (int k = 0; k < 12; ++k) {
      std::vector<size_t> gaps;
      for (size_t row = 0; row < 120; ++row) {
        if (rng.below(100) < 5 * k) gaps.push_back(row);
      }
      const std::string name = fmt::format("v{}", k);
      columns.push_back(column_with_gaps(k % 2 == 0 ? continuous_column(name, normals(rng, 120))
                                                    : categorical_column(name, below(rng, 120, 2 + 3 * k)),
                                         gaps));
    }
    EXPECT_TRUE(of_kind(make_dataset(std::move(columns), "t"), "missing-told").empty()) << seed;
  }
}

TEST(Doctor, RelationsAreSearchedInTheRowsThatAreSeen) {
  Rng rng(14);
  const std::vector<double> a = normals(rng, 300), b = normals(rng, 300);
  std::vector<size_t> gaps, most;
  for (size_t row = 0; row < 300; ++row) {
    if (row % 5 == 0) gaps.push_back(row);
    if (row % 15 != 1) most.push_back(row);
  }
  const Dataset d = make_dataset(
      {column_with_gaps(continuous_column("total", mapped_pairs(a, b, [](double x, double y) { return x + y; })), gaps),
       continuous_column("a", a), continuous_column("b", b), column_with_gaps(continuous_column("copy", a), gaps),
       column_with_gaps(continuous_column("double", mapped_pairs(a, a, [](double x, double) { return 2 * x + 1; })),
                        gaps),
       column_with_gaps(continuous_column("sparse", normals(rng, 300)), most)},
      "t");
  const auto copies = of_kind(d, "duplicate");  // with gaps where the other has none it is no copy to drop
  ASSERT_EQ(copies.size(), 1u);
  EXPECT_EQ(copies[0].message, "\"double\" is a rescaled copy: \"double\" = 2 \"copy\" + 1.");
  const auto found = of_kind(d, "linear-dependence");
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].message, "Linear dependence was checked without \"sparse\".");
  EXPECT_EQ(found[1].message, "\"copy\" = \"a\" (R2 = 1.000000, in the 240 rows where all are seen).");
  EXPECT_EQ(found[2].message, "\"total\" = \"a\" + \"b\" (R2 = 1.000000, in the 240 rows where all are seen).");
}

TEST(Doctor, NamesIdentifiersDatesAndSimilarLevels) {
  std::string text = "name,day,city,x\n";
  for (int row = 0; row < 60; ++row) {
    text += fmt::format("n{},2020-{:02}-{:02},{},{}\n", row, 1 + row / 28, 1 + row % 28,
                        row % 3 == 0   ? "Paris"
                        : row % 3 == 1 ? "paris"
                                       : "\"PARIS \"",
                        row * 0.37);
  }
  const Dataset d = read_csv_text(text, "t").data;
  const auto found = of_kind(d, "identifier");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].columns, (Names{"day", "name"}));
  EXPECT_EQ(found[0].message,
            "\"day\" (60 texts in 60 rows), \"name\" (60 texts in 60 rows) differ from row to row, like identifiers "
            "(names, dates, codes).");
  EXPECT_EQ(found[0].action, "Kept as isolated nodes; pass --discrete day,name to take them as categories.");
  EXPECT_TRUE(of_kind(d, "id-like").empty());
  const auto similar = of_kind(d, "similar-levels");
  ASSERT_EQ(similar.size(), 1u);
  EXPECT_EQ(similar[0].columns, Names{"city"});
  EXPECT_EQ(similar[0].message,
            "Levels that differ only in case or blanks: \"PARIS \" and \"Paris\" of \"city\", \"PARIS \" and "
            "\"paris\" of \"city\".");
}

TEST(Doctor, NamesManyRepeatedRows) {
  Rng rng(15);
  std::vector<double> x = normals(rng, 100), y = normals(rng, 100);
  for (size_t row = 0; row < 29; ++row) x[70 + row] = x[row], y[70 + row] = y[row];
  EXPECT_TRUE(
      of_kind(make_dataset({continuous_column("x", x), continuous_column("y", y)}, "t"), "duplicate-rows").empty());
  x[99] = x[29], y[99] = y[29];
  const auto found =
      of_kind(make_dataset({continuous_column("x", x), continuous_column("y", y)}, "t"), "duplicate-rows");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].severity, Severity::kInfo);
  EXPECT_EQ(found[0].message, "30 of 100 rows repeat another row in every cell (30 %).");
  EXPECT_TRUE(of_kind(make_dataset({categorical_column("x", below(rng, 100, 2))}, "t"), "duplicate-rows").empty());
}

// A table of counts gets the findings of the table written out, but for what is said of rows.
TEST(Doctor, CountsRowsByTheirWeights) {
  std::string counted = "a,b,n\n", whole = "a,b\n";
  const std::vector<int> counts = {40, 30, 2, 28};
  for (int row = 0; row < 4; ++row) {
    const std::string cells = fmt::format("{},{}", row == 2 ? "rare" : row % 3 == 0 ? "x" : "y", row % 2);
    counted += fmt::format("{},{}\n", cells, counts[row]);
    for (int k = 0; k < counts[row]; ++k) whole += cells + "\n";
  }
  const auto one = examine(read_csv_text(counted, "t", {.counts = "n"}).data),
             two = examine(read_csv_text(whole, "t").data);
  ASSERT_EQ(one.size(), 1u);
  ASSERT_EQ(two.size(), 1u);
  EXPECT_EQ(one[0].message, "Levels in fewer than 5 rows: \"a\" (\"rare\" in 2 rows).");
  EXPECT_EQ(one[0].message, two[0].message);
}

TEST(Doctor, DoesNotDependOnTheOrderOfColumns) {
  // Copies, a sum, a constant, both kinds.
  const std::string forward = "a,b,c,d,e,f\n1,x,0.5,x,1,0.5\n2,y,1.5,y,1,1.5\n3,x,2.5,x,1,2.5\n1,x,0.5,x,1,0.5\n",
                    backward = "f,e,d,c,b,a\n0.5,1,x,0.5,x,1\n1.5,1,y,1.5,y,2\n2.5,1,x,2.5,x,3\n0.5,1,x,0.5,x,1\n";
  const auto one = examine(read_csv_text(forward, "t").data), two = examine(read_csv_text(backward, "t").data);
  ASSERT_GE(one.size(), 4u);
  ASSERT_EQ(one.size(), two.size());
  for (size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].columns, two[i].columns);
    EXPECT_EQ(one[i].message, two[i].message);
    EXPECT_EQ(one[i].action, two[i].action);
  }
}

TEST(Doctor, BearsHugeAndTinyNumbers) {
  const Dataset d = make_dataset(
      {continuous_column("huge", {1e308, -1e308, 1e308, 5e307, 0}),
       continuous_column("tiny", {1e-300, 2e-300, 0, 1e-305, 3e-300}), continuous_column("plain", {1.5, 2, 3, 4, 6})},
      "t");
  EXPECT_TRUE(of_kind(d, "duplicate").empty());
  EXPECT_TRUE(of_kind(d, "linear-dependence").empty());
}

TEST(Doctor, IsStoppedByATimeLimitAndSaysSo) {
  Rng rng(8);
  const std::vector<double> a = normals(rng, 200), b = normals(rng, 200);
  const Dataset data =
      make_dataset({continuous_column("a", a), continuous_column("b", b), continuous_column("copy", a),
                    continuous_column("sum", mapped_pairs(a, b, [](double x, double y) { return x + y; })),
                    continuous_column("product", mapped_pairs(a, b, [](double x, double y) { return x * y; }))},
                   "five");
  const std::vector<Finding> all = examine(data);
  EXPECT_GE(all.size(), 3u);
  EXPECT_TRUE(std::ranges::none_of(all, [](const Finding& f) { return f.kind == "unexamined"; }));

  Watch late;
  late.deadline = Watch::Clock::now();
  const std::vector<Finding> cut = examine(data, late);
  ASSERT_EQ(cut.size(), 1u);
  EXPECT_EQ(cut[0].kind, "unexamined");

  const std::atomic<bool> flag = true;
  Watch interrupted;
  interrupted.interrupted = &flag;
  EXPECT_THROW(examine(data, interrupted), Interrupted);

  // Each long check looks at the watch by itself.
  const std::vector<double> sum = mapped_pairs(a, b, [](double x, double y) { return x + y; });
  EXPECT_EQ(linear_relations({&a, &b, &sum}, 10).size(), 1u);
  EXPECT_TRUE(linear_relations({&a, &b, &sum}, 10, late).empty());
  std::vector<const Column*> columns;
  for (const char* name : {"a", "b", "product"}) columns.push_back(&data.column(data.index_of(name)));
  EXPECT_EQ(product_relations(columns, 10).size(), 1u);
  EXPECT_TRUE(product_relations(columns, 10, late).empty());
}

}  // namespace
}  // namespace agon
