#include "agon/score/wide_sets.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <thread>

#include "agon/score/test_mixed_tables.h"

namespace agon {
namespace {

// Schur complements and determinants straight from their definitions.
TEST(WideSets, EverySetLeavesWhatItsInverseSays) {
  Rng rng(3);
  const Dataset data = testing::random_mixed({.variables = 9, .rows = 300, .most_levels = 9}, rng);
  const BlockMoments m = block_moments(data, {});
  const WideSets sets(m, 1);
  std::vector<Node> wide;
  std::vector<int> narrow;
  for (Node v = 0; v < m.size(); ++v) {
    EXPECT_EQ(sets.mark(v) != 0, m.width(v) > 1);
    if (m.width(v) > 1) wide.push_back(v);
    if (m.width(v) == 1) narrow.push_back(m.start[v]);
  }
  ASSERT_GE(wide.size(), 3u);
  ASSERT_GE(narrow.size(), 2u);
  const Eigen::MatrixXd r = Eigen::Map<const Eigen::MatrixXd>(m.matrix.data(), m.columns(), m.columns());
  for (unsigned chosen = 0; chosen < 1u << wide.size(); ++chosen) {
    WideSets::Mask set = 0;
    std::vector<int> given;
    for (size_t k = 0; k < wide.size(); ++k) {
      if ((chosen >> k & 1) == 0) continue;
      set |= sets.mark(wide[k]);
      for (int c = m.start[wide[k]]; c < m.start[wide[k] + 1]; ++c) given.push_back(c);
    }
    Eigen::MatrixXd left = r(narrow, narrow);
    double log_determinant = 0;
    if (!given.empty()) {
      const Eigen::MatrixXd block = r(given, given);
      left -= r(narrow, given) * block.inverse() * r(given, narrow);
      log_determinant = std::log(block.determinant());
    }
    const WideSets::Rest& rest = sets.given(set);
    EXPECT_NEAR(rest.log_determinant, log_determinant, 1e-9);
    ASSERT_EQ(rest.narrow.count, static_cast<int>(narrow.size()));
    for (int a = 0; a < rest.narrow.count; ++a) {
      for (int b = 0; b < rest.narrow.count; ++b) EXPECT_NEAR(rest.narrow.row(a)[b], left(a, b), 1e-9);
    }
  }
}

TEST(WideSets, HaveTheSameBitsInWhateverOrderAndByHowManyThreadsTheyAreAsked) {
  Rng rng(3);
  const Dataset data = testing::random_mixed({.variables = 9, .rows = 300, .most_levels = 9}, rng);
  const BlockMoments m = block_moments(data, {});
  const WideSets one(m, 1), other(m, 1);
  WideSets::Mask all = 0;
  for (Node v = 0; v < m.size(); ++v) all |= one.mark(v);
  ASSERT_NE(all, 0u);
  {
    std::vector<std::jthread> crew;
    for (int k = 0; k < 4; ++k) {
      crew.emplace_back([&] {
        for (WideSets::Mask set = all + 1; set-- > 0;) other.given(set);
      });
    }
  }
  for (WideSets::Mask set = 0; set <= all; ++set) {
    const WideSets::Rest &a = one.given(set), &b = other.given(set);
    EXPECT_EQ(a.log_determinant, b.log_determinant);
    for (int c = 0; c < a.narrow.count; ++c) {
      for (int d = 0; d < a.narrow.count; ++d) EXPECT_EQ(a.narrow.row(c)[d], b.narrow.row(c)[d]);
    }
  }
}

TEST(WideSets, AreFewerWhereTheyWouldTakeTooMuchMemory) {
  Rng rng(3);
  const Dataset data = testing::random_mixed({.variables = 9, .rows = 300, .most_levels = 9}, rng);
  const BlockMoments m = block_moments(data, {});
  const auto wide = [&](double bytes) {
    const WideSets sets(m, 1, bytes);
    int count = 0;
    for (Node v = 0; v < m.size(); ++v) count += sets.mark(v) != 0;
    return count;
  };
  EXPECT_EQ(wide(0), 0);
  EXPECT_LT(wide(2.0 * 8 * m.columns() * m.columns()), wide(1e9));
  EXPECT_TRUE(WideSets(m, m.columns()).empty());
}

}  // namespace
}  // namespace agon
