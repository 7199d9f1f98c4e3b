#include "agon/certificate/plain_edge_price.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "agon/graph/test_graphs.h"
#include "agon/score/test_tables.h"

namespace agon::plain {
namespace {

// Nine columns: each parent costs ln 9.
TEST(PlainEdgePrice, EachParentHasItsPrice) {
  Rng rng(3);
  const Dataset data = testing::random_continuous(9, 16, false, rng);
  const auto bare = gaussian_bic(data, 1), scorer = with_edge_price(gaussian_bic(data, 1));
  const double price = 2 * std::log(3.0);
  EXPECT_NEAR(edge_price(*scorer), price, 1e-12);
  EXPECT_EQ(edge_price(*bare), 0);
  EXPECT_EQ(&without_edge_price(*bare), bare.get());
  EXPECT_NE(&without_edge_price(*scorer), scorer.get());
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

// One column that varies has nothing to be named among.
TEST(PlainEdgePrice, OneColumnHasNone) {
  const Dataset data = make_dataset({continuous_column("x", {1, 2, 4, 3}), continuous_column("constant", {1, 1, 1, 1})},
                                    "one that varies");
  EXPECT_EQ(edge_price(*with_edge_price(gaussian_bic(data, 1))), 0);
}

}  // namespace
}  // namespace agon::plain
