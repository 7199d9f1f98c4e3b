#include "agon/study/as_published.h"

#include <gtest/gtest.h>

#include "agon/catalog/opponents.h"
#include "agon/catalog/scores.h"
#include "agon/data/embedded.h"

namespace agon {
namespace {

TEST(AsPublished, CodesAreTheIndicesOfLevels) {
  const Dataset data = embedded_table("child", 50, 1), codes = as_codes(data);
  ASSERT_EQ(codes.names(), data.names());
  for (int node = 0; node < data.size(); ++node) {
    ASSERT_EQ(codes.column(node).kind, ColumnKind::kContinuous);
    for (size_t row = 0; row < data.rows(); ++row) {
      ASSERT_EQ(codes.column(node).values[row], data.column(node).codes[row]);
    }
  }
}

// Every variant answers with a graph that the score can judge, and differs from the algorithm as agon runs it on at
// least one of these tables: otherwise it would not be a variant.
TEST(AsPublished, VariantsAreOthersThanTheDefaults) {
  for (const PublishedVariant& variant : published_variants()) {
    bool differs = false;
    for (const char* name : {"asia", "lucas", "child"}) {
      const Dataset data = embedded_table(name, 400, 1);
      const auto score = make_score("discrete-bic", data);
      const SearchResult found = variant.search(data, *score, Rng(1), {});
      EXPECT_NEAR(found.score, total(*score, found.dag), 1e-6) << variant.name;
      const Dag start(data.size());
      const Knowledge nothing(data.size());
      const SearchResult usual =
          opponent_entry(variant.of)
              .propose(
                  {.data = data, .score = *score, .start = start, .knowledge = nothing, .rng = Rng(1), .watch = {}});
      differs = !(found.dag == usual.dag);
      if (differs) break;
    }
    EXPECT_TRUE(differs) << variant.name;
  }
  EXPECT_EQ(published_variant("ges"), nullptr);
}

}  // namespace
}  // namespace agon
