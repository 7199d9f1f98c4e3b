#include "agon/graph/node_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "agon/base/rng.h"

namespace agon {
namespace {

std::set<Node> random_set(int p, Rng& rng) {
  std::set<Node> out;
  for (int k = rng.below(p + 1); k > 0; --k) out.insert(rng.below(p));
  return out;
}

NodeSet as_bits(int p, const std::set<Node>& nodes) {
  NodeSet out(p);
  for (Node v : nodes) out.insert(v);
  return out;
}

std::vector<Node> list(const std::set<Node>& nodes) { return {nodes.begin(), nodes.end()}; }

TEST(NodeSet, WalksItsMembersUpwardAcrossWords) {
  NodeSet s(200);
  for (Node v : {199, 0, 63, 64, 128}) s.insert(v);
  EXPECT_EQ(s.to_vector(), (std::vector<Node>{0, 63, 64, 128, 199}));
  s.erase(64);
  EXPECT_FALSE(s.contains(64));
  EXPECT_EQ(s.count(), 4);
  s.clear();
  EXPECT_TRUE(s.empty());
  EXPECT_EQ(s.to_vector(), std::vector<Node>{});
  EXPECT_TRUE(NodeSet(0).empty());
}

// Against std::set, with sizes around the ends of words.
TEST(NodeSet, AlgebraAgreesWithPlainSets) {
  Rng rng(1);
  for (int round = 0; round < 2000; ++round) {
    const int p = 1 + rng.below(140);
    const std::set<Node> a = random_set(p, rng);
    const std::set<Node> b = random_set(p, rng);
    std::vector<Node> both, either, left;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(either));
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(left));
    const NodeSet x = as_bits(p, a);
    const NodeSet y = as_bits(p, b);
    ASSERT_EQ(x.to_vector(), list(a));
    ASSERT_EQ(x.count(), static_cast<int>(a.size()));
    ASSERT_EQ(x.intersects(y), !both.empty());
    ASSERT_EQ(x.is_subset_of(y), left.empty());
    ASSERT_EQ(x == y, a == b);
    ASSERT_EQ(x.view() == y.view(), a == b);
    NodeSet z = x;
    ASSERT_EQ((z &= y).to_vector(), both);
    ASSERT_TRUE(z.is_subset_of(x));
    z = x;
    ASSERT_EQ((z |= y).to_vector(), either);
    z = x;
    ASSERT_EQ((z -= y).to_vector(), left);
  }
}

TEST(BitRows, RowsDoNotTouchEachOther) {
  BitRows rows(70);
  rows.set(3, 69);
  rows.set(4, 0);
  rows.set(3, 64);
  EXPECT_TRUE(rows.test(3, 69));
  EXPECT_FALSE(rows.test(4, 69));
  EXPECT_EQ(rows[3].to_vector(), (std::vector<Node>{64, 69}));
  EXPECT_EQ(rows[4].to_vector(), (std::vector<Node>{0}));
  rows.merge_row(4, rows[3]);
  EXPECT_EQ(rows[4].to_vector(), (std::vector<Node>{0, 64, 69}));
  rows.reset(3, 64);
  EXPECT_EQ(rows[3].to_vector(), (std::vector<Node>{69}));
  EXPECT_EQ(rows[4].count(), 3);
  rows.clear_row(4);
  EXPECT_TRUE(rows[4].empty());
  EXPECT_EQ(rows[3].count(), 1);
  const BitRows copy = rows;
  rows.set(0, 0);
  EXPECT_NE(copy, rows);
}

TEST(NodeSet, TakesARowAsAValue) {
  BitRows rows(100);
  rows.set(1, 99);
  const NodeSet kept = rows[1];
  rows.reset(1, 99);
  EXPECT_TRUE(kept.contains(99));
}

}  // namespace
}  // namespace agon
