#include "agon/certificate/plain_extended.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "agon/graph/test_graphs.h"
#include "agon/score/test_tables.h"

namespace agon::plain {
namespace {

// Nine columns and 16 rows: each parent costs ln 9 - 1/2 ln 16 = 2 ln 3 - 2 ln 2.
TEST(PlainExtended, EachParentHasItsPrice) {
  Rng rng(3);
  const Dataset data = testing::random_continuous(9, 16, false, rng);
  const auto bare = gaussian_bic(data, 1), scorer = extended_bic(gaussian_bic(data, 1));
  const double price = 2 * std::log(1.5);
  EXPECT_NEAR(price_of(*scorer), price, 1e-12);
  EXPECT_EQ(price_of(*bare), 0);
  EXPECT_EQ(&without_price(*bare), bare.get());
  EXPECT_NE(&without_price(*scorer), scorer.get());
  const std::vector<Node> parents = {1, 4};
  EXPECT_NEAR(scorer->local(0, parents).score, bare->local(0, parents).score - 2 * price, 1e-12);
  const std::vector<Node> candidates = {2, 7};
  const std::vector<Value> added = scorer->additions(0, parents, candidates);
  for (size_t k = 0; k < 2; ++k) {
    std::vector<Node> all = {1, 4, candidates[k]};
    std::sort(all.begin(), all.end());
    EXPECT_NEAR(added[k].score, scorer->local(0, all).score, 1e-9);
  }
  const std::vector<Family> families = {{0, {1, 4}}, {3, {}}};
  const std::vector<double> scores = scorer->resampler(families)->scores(std::vector<uint32_t>(16, 1));
  EXPECT_NEAR(scores[0], scorer->local(0, parents).score, 1e-9);
  EXPECT_NEAR(scores[1], bare->local(3, {}).score, 1e-9);
}

TEST(PlainExtended, ManyRowsHaveNone) {
  Rng rng(4);
  EXPECT_EQ(price_of(*extended_bic(copula_bic(testing::random_continuous(9, 81, false, rng), 1))), 0);
}

}  // namespace
}  // namespace agon::plain
