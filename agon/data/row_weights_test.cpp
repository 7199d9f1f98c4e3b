#include "agon/data/row_weights.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "agon/base/error.h"

namespace agon {
namespace {

TEST(RowWeights, CountsAreWholeAndWeightsAreNumbers) {
  const RowWeights counts{.name = "n", .sampling = false, .weights = {}}, weights{"w", true, {}};
  EXPECT_TRUE(counts.accepts(0) && counts.accepts(9007199254740992.0) && weights.accepts(0.25));
  EXPECT_FALSE(counts.accepts(2.5) || counts.accepts(-1) || counts.accepts(1e16) || weights.accepts(-0.5));
  for (const double odd : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    EXPECT_FALSE(counts.accepts(odd) || weights.accepts(odd));
  }
}

TEST(RowWeights, CountsAreKeptAndSaid) {
  RowWeights given{.name = "n", .sampling = false, .weights = {3, 1, 2}};
  std::vector<std::string> notes;
  settle(given, "cells.csv", 1, 4, notes);
  EXPECT_EQ(given.weights, (std::vector<double>{3, 1, 2}));
  EXPECT_EQ(notes, (std::vector<std::string>{"\"n\" says how often each row occurred: the 3 rows stand for 6.",
                                             "Left out 1 of 4 rows, where \"n\" is 0."}));
}

TEST(RowWeights, TooFarApart) {
  RowWeights given{.name = "w", .sampling = true, .weights = {1e-300, 1e300}};
  std::vector<std::string> notes;
  EXPECT_THROW(settle(given, "t.csv", 0, 2, notes), InputError);
}

RC_GTEST_PROP(RowWeights, SamplingWeightsSumToTheEffectiveNumberOfRows, ()) {
  const auto tenths = *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(1, 1000)));
  std::vector<double> w(tenths.begin(), tenths.end());
  RowWeights given{.name = "w", .sampling = true, .weights = w};
  std::vector<std::string> notes;
  settle(given, "t.csv", 0, w.size(), notes);
  const double sum = std::accumulate(w.begin(), w.end(), 0.0);
  const double squares = std::inner_product(w.begin(), w.end(), w.begin(), 0.0);
  const double kish = sum * sum / squares;
  RC_ASSERT(std::abs(std::accumulate(given.weights.begin(), given.weights.end(), 0.0) - kish) < 1e-9 * kish);
  for (size_t row = 0; row < w.size(); ++row) {
    RC_ASSERT(std::abs(given.weights[row] * sum - w[row] * kish) < 1e-9 * w[row] * kish);
  }
}

}  // namespace
}  // namespace agon
