#include "agon/data/summary.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "agon/base/error.h"
#include "agon/base/hash.h"
#include "agon/base/rng.h"

namespace agon {
namespace {

// Numbers far from 0, and labels whose levels differ from draw to draw.
Dataset random_rows(Rng& rng, int rows, bool numbers, bool experiments = false) {
  std::vector<double> x(rows), y(rows);
  std::vector<int> a(rows), b(rows);
  RowInfo info;
  for (int row = 0; row < rows; ++row) {
    x[row] = 1e6 + rng.normal();
    y[row] = 1e-3 * (x[row] - 1e6) + 1e-3 * rng.normal();
    a[row] = rng.below(2 + rng.below(3));
    b[row] = (a[row] + rng.below(2)) % 3;
    if (experiments) info.regime.push_back(static_cast<uint32_t>(row < 2 ? row : rng.below(2)));
  }
  if (experiments) info.regimes = {{.name = "none"}, {.name = "set", .targets = {"a"}, .batch = "set"}};
  std::vector<Column> columns = {categorical_column("a", a), categorical_column("b", b)};
  if (numbers) {
    columns.push_back(continuous_column("x", x));
    columns.push_back(continuous_column("y", y));
  }
  return make_dataset(std::move(columns), "random", std::move(info));
}

// Equal but for rounding, columns and levels in any order of the file.
void expect_close(const Summary& a, const Summary& b) {
  ASSERT_EQ(a.parts.size(), b.parts.size());
  ASSERT_EQ(a.regimes, b.regimes);
  EXPECT_EQ(a.rows(), b.rows());
  EXPECT_EQ(a.dropped, b.dropped);
  for (size_t p = 0; p < a.parts.size(); ++p) {
    for (size_t k = 0; k < a.regimes.size(); ++k) {
      const Sums &s = a.parts[p][k], &t = b.parts[p][k];
      EXPECT_EQ(s.cells, t.cells);
      EXPECT_EQ(s.weight, t.weight);
      ASSERT_EQ(s.mean.size(), t.mean.size());
      for (size_t i = 0; i < s.mean.size(); ++i) EXPECT_NEAR(s.mean[i], t.mean[i], 1e-14 * (1 + std::abs(s.mean[i])));
      for (size_t i = 0, at = 0; i < s.mean.size(); ++i) {
        for (size_t j = 0; j <= i; ++j, ++at) {
          const double scale = std::sqrt(s.scatter[i * (i + 1) / 2 + i] * s.scatter[j * (j + 1) / 2 + j]);
          EXPECT_NEAR(s.scatter[at], t.scatter[at], 1e-8 * (scale + 1e-12));
        }
      }
    }
  }
}

TEST(Summary, OfCategoriesHasTheDistinctRows) {
  const Dataset data =
      make_dataset({categorical_column("a", {0, 1, 1, 0, 1}), categorical_column("b", {0, 0, 0, 1, 0})}, "t");
  const Summary s = summarize(data);
  ASSERT_EQ(s.form, SummaryForm::kCounts);
  const std::map<std::vector<uint32_t>, double> expected = {{{0, 0}, 1}, {{0, 1}, 1}, {{1, 0}, 3}};
  EXPECT_EQ(s.parts.at(0).at(0).cells, expected);
  EXPECT_EQ(s.rows(), 5);
  const Dataset table = to_table(s, "t").data;
  EXPECT_EQ(table.rows(), 3u);
  EXPECT_EQ(table.total_weight(), 5);
  EXPECT_FALSE(table.is_summary());
}

// x = 1, 2, 3, 6: mean 3, squares 14; with y = 0, 0, 2, 2: mean 1, squares 4, products 6.
TEST(Summary, OfNumbersHasMeansAndProducts) {
  const Dataset data = make_dataset({continuous_column("x", {1, 2, 3, 6}), continuous_column("y", {0, 0, 2, 2})}, "t");
  const Sums sums = summarize(data).parts.at(0).at(0);
  EXPECT_EQ(sums.mean, (std::vector<double>{3, 1}));
  EXPECT_EQ(sums.scatter, (std::vector<double>{14, 6, 4}));
}

RC_GTEST_PROP(Summary, MergesInAnyOrderAndGrouping, ()) {
  Rng rng(*rc::gen::arbitrary<uint64_t>());
  const bool numbers = *rc::gen::arbitrary<bool>(), experiments = *rc::gen::arbitrary<bool>();
  const Summary a = summarize(random_rows(rng, 2 + rng.below(40), numbers, experiments));
  const Summary b = summarize(random_rows(rng, 2 + rng.below(40), numbers, experiments));
  const Summary c = summarize(random_rows(rng, 2 + rng.below(40), numbers, experiments));
  expect_close(merge(a, b), merge(b, a));
  expect_close(merge(merge(a, b), c), merge(a, merge(b, c)));
}

// The whole table against its halves, and a twin that sums plainly around the mean.
RC_GTEST_PROP(Summary, OfPartsIsThatOfTheWhole, ()) {
  Rng rng(*rc::gen::arbitrary<uint64_t>());
  const Dataset whole = random_rows(rng, 3000, *rc::gen::arbitrary<bool>(), *rc::gen::arbitrary<bool>());
  const size_t cut = 1 + static_cast<size_t>(rng.below(2998));
  std::vector<size_t> first, second;
  for (size_t row = 0; row < whole.rows(); ++row) (row < cut ? first : second).push_back(row);
  const Summary all = summarize(whole);
  expect_close(all, merge(summarize(with_rows(whole, first)), summarize(with_rows(whole, second))));
  if (all.form == SummaryForm::kCounts) return;
  const std::vector<double>& x = whole.column(whole.index_of("x")).values;
  long double mean = 0, squares = 0, n = 0;
  for (size_t row = 0; row < x.size(); ++row) {
    if (whole.has_regimes() && whole.regime_of(row) != 0) continue;
    mean += x[row];
    n += 1;
  }
  mean /= n;
  for (size_t row = 0; row < x.size(); ++row) {
    if (whole.has_regimes() && whole.regime_of(row) != 0) continue;
    squares += (x[row] - mean) * (x[row] - mean);
  }
  const size_t at = all.columns[0].width() + all.columns[1].width();  // a and b come before x
  const Sums& sums = all.parts[0][0];
  RC_ASSERT(std::abs(sums.mean[at] - static_cast<double>(mean)) <= 1e-9);
  RC_ASSERT(std::abs(sums.scatter[at * (at + 1) / 2 + at] - static_cast<double>(squares)) <= 1e-6 * squares + 1e-9);
}

TEST(Summary, AThousandMergesLoseNoDigits) {
  Rng rng(3);
  std::optional<Summary> sum;
  std::vector<double> all;
  for (int k = 0; k < 1000; ++k) {
    std::vector<double> x;
    for (int row = 0; row < 3; ++row) all.push_back(x.emplace_back(1e9 + rng.normal()));
    const Summary part = summarize(make_dataset({continuous_column("x", x)}, "t"));
    sum ? add(*sum, part) : void(sum = part);
  }
  long double mean = 0, squares = 0;
  for (double x : all) mean += x;
  mean /= all.size();
  for (double x : all) squares += (x - mean) * (x - mean);
  EXPECT_NEAR(sum->parts[0][0].scatter[0], static_cast<double>(squares), 1e-5 * squares);
}

TEST(Summary, UnitesLevelsByName) {
  const Summary a = summarize(make_dataset({categorical_column("a", {0, 1}, {"lo", "hi"})}, "t"));
  const Summary b = summarize(make_dataset({categorical_column("a", {0, 0}, {"mid"})}, "t"));
  const Summary both = merge(a, b);
  EXPECT_EQ(both.columns[0].levels, (std::vector<std::string>{"hi", "lo", "mid"}));
  const std::map<std::vector<uint32_t>, double> expected = {{{0}, 1}, {{1}, 1}, {{2}, 2}};
  EXPECT_EQ(both.parts[0][0].cells, expected);
}

TEST(Summary, KeepsPartsOnlyWhereBothDo) {
  const Dataset data = make_dataset({continuous_column("x", {1, 2, 4})}, "t");
  const Summary one = summarize(data, {.parts = true}), plain = summarize(data);
  EXPECT_EQ(merge(one, merge(one, one)).parts.size(), 3u);
  EXPECT_EQ(merge(merge(one, one), plain).parts.size(), 1u);
  EXPECT_EQ(merge(merge(one, one), plain).rows(), 9);
}

TEST(Summary, ConstantsStayConstant) {
  Rng rng(1);
  std::vector<double> x(5000), c(5000, 0.1);
  for (double& cell : x) cell = rng.normal();
  const Dataset data = make_dataset({continuous_column("x", x), continuous_column("c", c)}, "t");
  Summary sum = summarize(data);
  for (int k = 0; k < 5; ++k) add(sum, summarize(data));
  const Dataset table = to_table(sum, "t").data;
  EXPECT_TRUE(table.column(table.index_of("c")).is_constant());
  EXPECT_FALSE(table.column(table.index_of("x")).is_constant());
}

TEST(Summary, ItsSizeDoesNotDependOnTheRows) {
  Rng rng(9);
  const Summary one = summarize(random_rows(rng, 500, true));
  Summary many = one;
  for (int k = 0; k < 200; ++k) add(many, summarize(random_rows(rng, 500, true)));
  EXPECT_EQ(many.rows(), 100'500);
  EXPECT_EQ(to_table(many, "t").data.rows(), to_table(one, "t").data.rows());
  EXPECT_LT(summary_text(many).size(), summary_text(one).size() + 200);
}

TEST(Summary, LeavesOutRowsWithGapsWhenAsked) {
  Column x = continuous_column("x", {1, 2, kMissingNumber, 4}), a = categorical_column("a", {0, 1, 1, 2});
  x.missing.insert(2);
  a.missing.insert(3);
  const Dataset data = make_dataset({x, a}, "gaps.csv");
  EXPECT_THROW(summarize(data), InputError);
  const Summary kept = summarize(data, {.drop_missing = true});
  EXPECT_EQ(kept.rows(), 2);
  EXPECT_EQ(kept.dropped, 2);
  EXPECT_EQ(kept.columns[1].levels.size(), 2u);
}

TEST(Summary, CountsGapsOfCategories) {
  Column a = categorical_column("a", {0, 1, 1, 0});
  a.missing.insert(3);
  const Dataset data = make_dataset({a, categorical_column("b", {0, 1, 0, 1})}, "t");
  const Dataset back = to_table(parse_summary(summary_text(summarize(data)), "s"), "s").data;
  EXPECT_EQ(back.total_weight(), 4);
  EXPECT_EQ(back.column(back.index_of("a")).missing.count(), 1u);
}

TEST(Summary, CountsBecomeMomentsBesideMoments) {
  Rng rng(5);
  const Dataset data = random_rows(rng, 200, false);
  expect_close(merge(summarize(data), summarize(data, {.moments = true})),
               merge(summarize(data, {.moments = true}), summarize(data, {.moments = true})));
}

RC_GTEST_PROP(SummaryFile, ReadsBackAsItWas, ()) {
  Rng rng(*rc::gen::arbitrary<uint64_t>());
  const Dataset data = random_rows(rng, 2 + rng.below(60), *rc::gen::arbitrary<bool>(), *rc::gen::arbitrary<bool>());
  Summary sum = summarize(data, {.parts = *rc::gen::arbitrary<bool>()});
  sum.dropped = 3;
  const std::string text = summary_text(merge(sum, sum));
  const Summary back = parse_summary(text, "s");
  RC_ASSERT(summary_text(back) == text);
  RC_ASSERT(to_table(back, "s").data.checksum() == to_table(merge(sum, sum), "s").data.checksum());
}

TEST(SummaryFile, RefusesWhatWasCutShortOrChanged) {
  Rng rng(2);
  const std::string text = summary_text(summarize(random_rows(rng, 50, true)));
  EXPECT_NO_THROW(parse_summary(text, "s"));
  for (size_t size = 0; size < text.size(); size += 1 + size / 7) {
    EXPECT_THROW(parse_summary(text.substr(0, size), "s"), InputError) << size;
  }
  for (size_t at = text.find('\n') + 1; at < text.size(); at += 37) {
    std::string changed = text;
    changed[at] = changed[at] == '1' ? '2' : '1';
    EXPECT_THROW(parse_summary(changed, "s"), InputError) << at;
  }
}

std::string refusal(const std::function<void()>& job) {
  try {
    job();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

// The name of a column may begin like the first line of a summary.
TEST(SummaryFile, IsKnownByItsWholeFirstLine) {
  const std::string good = summary_text(summarize(make_dataset({categorical_column("a", {0, 1, 1})}, "t")));
  const std::string line = good.substr(0, good.find('\n'));
  EXPECT_TRUE(is_summary_text(good));
  EXPECT_TRUE(is_summary_text(line + "\n"));
  EXPECT_TRUE(is_summary_text(line + "\r\n{}"));
  for (const std::string& other :
       {line, line + ",b\n0,1\n", line + " 7\n", line.substr(0, line.size() - 1) + "\n", "a" + good,
        std::string("agon summary \n"), std::string("agon summary 1 2\n"), std::string("agon summary of may,b\n0,1\n"),
        std::string("agon summary 1 x 0123456789abcdef\n"), std::string("agon summary 1 2 0123456789ABCDEF\n"),
        "agon summary " + std::string(80, '1') + " 2 0123456789abcdef\n"}) {
    EXPECT_FALSE(is_summary_text(other)) << other;
  }
  EXPECT_THROW(parse_summary(line + "\r\n" + good.substr(line.size() + 1) + "\r\n", "s"), InputError);
}

// The refusal of the table of these sums, written down and then changed by hand in one place.
void expect_refusal(const Summary& sum, const std::string& from, const std::string& to, const std::string& part) {
  std::string text = summary_text(sum);
  text = text.substr(text.find('\n') + 1);
  const size_t at = text.find(from);
  ASSERT_NE(at, std::string::npos) << from << " in " << text;
  text.replace(at, from.size(), to);
  const std::string found = refusal([&] { to_table(detail::parse_summary_body(text, "s"), "s"); });
  EXPECT_NE(found.find(part), std::string::npos) << to << ": " << found;
}

TEST(SummaryFile, RefusesSumsThatNoRowsHave) {
  const auto says = [](const std::string& from, const std::string& to, const std::string& part) {
    const Dataset rows = make_dataset({continuous_column("x", {1, 2, 4}), continuous_column("y", {3, 1, 1})}, "t");
    expect_refusal(summarize(rows), from, to, part);
  };
  says("\"rows\":3.0", "\"rows\":-3", "the number of rows is -3");
  says("\"weight\":3.0", "\"weight\":\"many\"", "not a summary");
  says("\"weight\":3.0", "\"weight\":-1", "weight -1");
  says("\"scatter\":[4.666666666666667,", "\"scatter\":[-4,", "sum of squares of column \"x\" is -4");
  says("\"scatter\":[4.666666666666667,", "\"scatter\":[0.01,", "not positive semidefinite");
  says("\"scatter\":[4.666666666666667,", "\"scatter\":[", "2 means and 2 products");
  says("\"columns\":", "\"column\":", "not a summary");
  says("\"kind\":\"continuous\"", "\"kind\":\"vague\"", "the kind of column");
}

TEST(SummaryFile, RefusesCountsThatNoRowsHave) {
  const auto says = [](const std::string& from, const std::string& to, const std::string& part) {
    expect_refusal(summarize(make_dataset({categorical_column("a", {0, 1, 1})}, "t")), from, to, part);
  };
  says("[1,2.0]", "[1,-2.0]", "a row occurs -2 times");
  says("[1,2.0]", "[7,2.0]", "a row has level 7");
  says("[1,2.0]", "[0.5,2.0]", "a row has level 0.5");
  says("[1,2.0]", "[7e127,2.0]", "a row has level");
  says("[1,2.0]", "[0,2.0]", "counted twice");
  says("[1,2.0]", "[1,5.0]", "occur 6 times");
  says("[1,2.0]", "[1,null]", "not a summary");
}

TEST(Summary, RefusesOtherColumnsKindsAndExperiments) {
  const auto says = [](const Dataset& a, const Dataset& b, const std::string& part) {
    const std::string found = refusal([&] { merge(summarize(a), summarize(b), "b.summary"); });
    EXPECT_NE(found.find("b.summary"), std::string::npos) << found;
    EXPECT_NE(found.find(part), std::string::npos) << found;
  };
  const Dataset x = make_dataset({continuous_column("x", {1, 2})}, "t");
  says(x, make_dataset({continuous_column("z", {1, 2})}, "t"), "without \"x\", and with \"z\"");
  says(x, make_dataset({categorical_column("x", {0, 1})}, "t"),
       "column \"x\" is categorical, and was continuous before");
  const Column a = continuous_column("a", {1, 2, 4}), b = continuous_column("b", {1, 0, 4});
  const auto with = [&](const std::string& target) {
    RowInfo info{.weights = {}, .regimes = {{.name = "none"}, {.name = "drug", .targets = {target}}}, .regime = {}};
    for (uint32_t k : {0, 1, 1}) info.regime.push_back(k);
    return make_dataset({a, b}, "t", std::move(info));
  };
  says(with("a"), with("b"), "\"drug\" set b, and a before");
  says(with("a"), make_dataset({a, b}, "t"), "say nothing about it");
}

TEST(Summary, RefusesTooManyLevelsAndTooLargeNumbers) {
  std::vector<int> codes(300);
  for (int k = 0; k < 300; ++k) codes[k] = k;
  EXPECT_THROW(summarize(make_dataset({categorical_column("a", codes)}, "t")), InputError);
  EXPECT_THROW(summarize(make_dataset({continuous_column("x", {1e200, -1e200})}, "t")), InputError);
}

}  // namespace
}  // namespace agon
