#include "agon/data/bins.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "agon/base/rng.h"

namespace agon {
namespace {

using Strings = std::vector<std::string>;

Column one(std::vector<double> values, int bins, std::vector<double> weights = {}) {
  return with_bins(make_dataset({continuous_column("x", std::move(values))}, "t", {.weights = std::move(weights)}),
                   bins)
      .column(0);
}

std::vector<uint32_t> codes(const Column& column) {
  std::vector<uint32_t> out;
  for (size_t row = 0; row < column.rows(); ++row) out.push_back(column.codes[row]);
  return out;
}

TEST(Bins, CutAtQuantiles) {
  const Column x = one({6, 1, 2, 3, 5, 4}, 3);
  EXPECT_EQ(x.kind, ColumnKind::kCategorical);
  EXPECT_EQ(codes(x), (std::vector<uint32_t>{2, 0, 0, 1, 2, 1}));
  EXPECT_EQ(x.levels, (Strings{"1: below 3", "2: [3, 5)", "3: 5 and above"}));
}

TEST(Bins, EqualNumbersStayTogether) {
  const Column x = one({0, 0, 0, 0, 0, 0, 1, 2, 3, 4}, 3);
  EXPECT_EQ(codes(x), (std::vector<uint32_t>{0, 0, 0, 0, 0, 0, 1, 2, 2, 2}));
}

TEST(Bins, FewNumbersKeepALevelEach) {
  const Column x = one({10, 2, 2, -1.5, 10}, 3);
  EXPECT_EQ(x.levels, (Strings{"-1.5", "2", "10"}));
  EXPECT_EQ(codes(x), (std::vector<uint32_t>{2, 1, 1, 0, 2}));
}

TEST(Bins, BoundsAreShortAndStillSeparate) {
  const Column x = one({0.123456, 0.234567, 0.2345671, 0.9, -0.2, 0.95}, 2);
  EXPECT_EQ(x.levels, (Strings{"1: below 0.2345671", "2: 0.2345671 and above"}));
  EXPECT_EQ(one({41, 44, 61, 62}, 2).levels, (Strings{"1: below 50", "2: 50 and above"}));
  EXPECT_EQ(one({-1, -0.4, 0.3, 7}, 2).levels, (Strings{"1: below 0", "2: 0 and above"}));
}

TEST(Bins, MoreThanNineStandInOrder) {
  std::vector<double> values(24);
  for (size_t k = 0; k < values.size(); ++k) values[k] = static_cast<double>(k);
  const Column x = one(values, 12);
  ASSERT_EQ(x.levels.size(), 12u);
  EXPECT_EQ(x.levels[1], "02: [2, 4)");
  EXPECT_EQ(x.levels[11], "12: 22 and above");
  for (size_t k = 0; k < values.size(); ++k) EXPECT_EQ(x.codes[k], k / 2);
}

TEST(Bins, LeaveTheRestAlone) {
  std::vector<Column> columns = {continuous_column("x", {5, kMissingNumber, 7, 9}),
                                 categorical_column("a", {0, 1, 1, 0}), continuous_column("one", {2, 2, 2, 2})};
  columns[0].missing.insert(1);
  columns[0].drawn.insert(2);
  const Dataset data = make_dataset(columns, "t", {.weights = {1, 2, 3, 4}});
  const Dataset cut = with_bins(data, 2);
  EXPECT_TRUE(cut.check_invariants());
  EXPECT_EQ(cut.names(), data.names());
  EXPECT_EQ(cut.row_info().weights, data.row_info().weights);
  const Column& x = cut.column(cut.index_of("x"));
  EXPECT_TRUE(x.is_missing(1) && x.drawn[2]);
  EXPECT_EQ(x.levels.size(), 2u);
  EXPECT_EQ(cut.column(cut.index_of("one")).kind, ColumnKind::kContinuous);
  EXPECT_EQ(cut.column(cut.index_of("a")).levels, data.column(data.index_of("a")).levels);
}

TEST(Bins, WeightsStandForRepeatedRows) {
  EXPECT_TRUE(rc::check([](uint64_t seed) {
    Rng rng(seed);
    std::vector<double> values, repeated, weights;
    for (int row = 0, rows = 2 + rng.below(50); row < rows; ++row) {
      const int times = 1 + rng.below(5);
      values.push_back(rng.below(2) == 0 ? rng.below(6) : rng.normal());
      weights.push_back(times);
      repeated.insert(repeated.end(), static_cast<size_t>(times), values.back());
    }
    const int bins = 2 + rng.below(8);
    RC_PRE(*std::ranges::min_element(values) < *std::ranges::max_element(values));
    const Column counted = one(values, bins, weights), expanded = one(repeated, bins);
    RC_ASSERT(counted.levels == expanded.levels);
    RC_ASSERT(counted.levels.size() >= 2 && static_cast<int>(counted.levels.size()) <= bins);
    for (size_t row = 0, first = 0; row < values.size(); first += static_cast<size_t>(weights[row++])) {
      RC_ASSERT(counted.codes[row] == expanded.codes[first]);
    }
    // Increasing in the values, and no bin holds more than its share and two values.
    std::vector<double> in_bin(counted.levels.size(), 0), heaviest(counted.levels.size(), 0);
    std::map<double, double> weight_of;
    double total = 0;
    for (size_t row = 0; row < values.size(); ++row) {
      for (size_t other = 0; other < values.size(); ++other) {
        if (values[row] <= values[other]) RC_ASSERT(counted.codes[row] <= counted.codes[other]);
      }
      weight_of[values[row]] += weights[row];
      total += weights[row];
    }
    for (size_t row = 0; row < values.size(); ++row) {
      in_bin[counted.codes[row]] += weights[row];
      heaviest[counted.codes[row]] = std::max(heaviest[counted.codes[row]], weight_of[values[row]]);
    }
    for (size_t k = 0; k < in_bin.size(); ++k) RC_ASSERT(in_bin[k] <= total / bins + heaviest[k] + 1e-9);
    // Any increasing change leaves the bins alone.
    std::vector<double> changed = values;
    for (double& x : changed) x = std::exp(x) + 3;
    RC_ASSERT(codes(one(changed, bins, weights)) == codes(counted));
  }));
}

}  // namespace
}  // namespace agon
