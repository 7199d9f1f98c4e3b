#include "agon/opponent/pc.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include "agon/data/embedded.h"
#include "agon/graph/d_separation.h"
#include "agon/graph/equivalence.h"
#include "agon/graph/measures.h"
#include "agon/graph/test_graphs.h"
#include "agon/opponent/test_oracle_independence.h"
#include "agon/score/test_scores.h"

namespace agon {
namespace {

using testing::Oracle;

TEST(Pc, AnOracleGivesTheTrueClass) {
  Rng rng(1);
  for (int trial = 0; trial < 300; ++trial) {
    const int p = 2 + rng.below(11);
    const Dag truth = test::random_dag(p, rng.uniform(0.1, 0.5), rng);
    const PcResult found = pc(Oracle(truth));
    ASSERT_EQ(found.pdag, cpdag_of(truth).pdag()) << trial;
    EXPECT_EQ(found.conflicts, 0);
    EXPECT_EQ(found.stopped_by, "all sets tried");
  }
}

class AllIndependent final : public Independence {
 public:
  explicit AllIndependent(int size) : size_(size) {}
  int size() const override { return size_; }
  std::string name() const override { return "all independent"; }
  double p_value(Node, Node, Parents) const override { return 0.5; }

 private:
  int size_;
};

// Less than what a table of so many columns is refused by (run/prepare.cpp), with the matrix of a test beside it.
TEST(Skeleton, KeepsAFewBytesOfAPair) {
  const auto allocated = [] {
    const auto now = mallinfo2();
    return static_cast<double>(now.uordblks) + static_cast<double>(now.hblkhd);
  };
  const int p = 1200;
  const double before = allocated();
  const Skeleton skeleton = find_skeleton(AllIndependent(p), {});
  const double bytes = allocated() - before;
  EXPECT_EQ(skeleton.edge_count(), 0);
  EXPECT_EQ(skeleton.separation(7, 900)->p_value, 0.5);
  EXPECT_TRUE(skeleton.separation(900, 7)->set.empty());
  if (bytes == 0) GTEST_SKIP() << "a sanitizer allocates by itself";
  EXPECT_LT(bytes, 7.0 * p * p);
}

TEST(Skeleton, KeepsTheLastThatWasSaidOfAPair) {
  Skeleton skeleton(4);
  for (const auto& [a, b] : {std::pair(0, 1), std::pair(0, 3), std::pair(2, 3)}) skeleton.join(a, b);
  EXPECT_FALSE(skeleton.separation(0, 3));
  skeleton.separate(0, 3, Separation{{1, 2}, 0.25});
  skeleton.separate(2, 3, Separation{{0}, 0.5});
  skeleton.separate(0, 1, std::nullopt);
  EXPECT_EQ(skeleton.separation(3, 0)->set, (std::vector<Node>{1, 2}));
  EXPECT_EQ(skeleton.separation(2, 3)->set, (std::vector<Node>{0}));
  EXPECT_FALSE(skeleton.separation(0, 1));
  skeleton.separate(3, 0, Separation{{}, 0.75});
  EXPECT_TRUE(skeleton.separation(0, 3)->set.empty());
  EXPECT_EQ(skeleton.separation(0, 3)->p_value, 0.75);
  skeleton.join(0, 3);
  EXPECT_FALSE(skeleton.separation(0, 3));
  EXPECT_EQ(skeleton.edge_count(), 1);
}

// a - m - b, tests of a and b given nothing and given m.
class TwoTests final : public Independence {
 public:
  TwoTests(double without, double with) : without_(without), with_(with) {}
  int size() const override { return 3; }
  std::string name() const override { return "two tests"; }
  double p_value(Node a, Node b, Parents given) const override {
    if (a == 1 || b == 1) return 0;
    return given.empty() ? without_ : with_;
  }

 private:
  double without_, with_;
};

TEST(Pc, AColliderIsMoreThanALuckyPValue) {
  const auto colliders = [](double without, double with) { return pc(TwoTests(without, with)).colliders; };
  EXPECT_EQ(colliders(0.8, 1e-9), 1);
  EXPECT_EQ(colliders(0.8, 0.39), 1);
  EXPECT_EQ(colliders(0.8, 0.41), 0);    // less than twice
  EXPECT_EQ(colliders(0.015, 1e-9), 0);  // below the level counts as the level, 0.01
  EXPECT_EQ(colliders(0.021, 1e-9), 1);
  EXPECT_EQ(colliders(1e-9, 0.8), 0);
}

TEST(Pc, SeparationsSeparate) {
  Rng rng(2);
  for (int trial = 0; trial < 50; ++trial) {
    const Dag truth = test::random_dag(9, 0.3, rng);
    const Skeleton skeleton = find_skeleton(Oracle(truth), {});
    for (Node a = 0; a < 9; ++a) {
      for (Node b = a + 1; b < 9; ++b) {
        ASSERT_EQ(skeleton.adjacent(a, b), truth.adjacent(a, b));
        ASSERT_EQ(skeleton.separation(a, b).has_value(), !truth.adjacent(a, b));
        if (truth.adjacent(a, b)) continue;
        NodeSet given(9);
        const Separation by = *skeleton.separation(a, b);
        for (Node v : by.set) given.insert(v);
        EXPECT_TRUE(d_separated(truth, a, b, given));
      }
    }
  }
}

// With an oracle, knowledge that is true leaves the true MPDAG.
TEST(Pc, TrueKnowledgeIsUsed) {
  Rng rng(3);
  for (int trial = 0; trial < 100; ++trial) {
    const int p = 4 + rng.below(7);
    const Dag truth = test::random_dag(p, 0.35, rng);
    std::vector<std::string> names;
    for (int v = 0; v < p; ++v) names.push_back("v" + std::to_string(v));
    KnowledgeBuilder builder(names);
    for (const Edge& e : truth.edges()) {
      const int luck = rng.below(6);
      if (luck == 0) builder.require(names[e.from], names[e.to], "test");
      if (luck == 1) builder.forbid(names[e.to], names[e.from], "test");
    }
    for (Node a = 0; a < p; ++a) {
      for (Node b = 0; b < p; ++b) {
        if (a != b && !truth.adjacent(a, b) && rng.below(8) == 0) builder.forbid(names[a], names[b], "test");
      }
    }
    const Knowledge known = builder.build();
    const PcResult found = pc(Oracle(truth), {}, known);
    const Pdag expected = mpdag_of(truth, known);
    for (Node a = 0; a < p; ++a) {
      for (Node b = 0; b < p; ++b) {
        if (a == b) continue;
        // Pairs that only the knowledge keeps apart have no separating set and imply no collider.
        ASSERT_EQ(found.pdag.adjacent(a, b), expected.adjacent(a, b));
        if (found.pdag.has_directed(a, b)) {
          EXPECT_TRUE(truth.has_edge(a, b));
        }
      }
    }
  }
}

TEST(Pc, SetsCanBeLimited) {
  Rng rng(4);
  const Dag truth = test::random_dag(10, 0.4, rng);
  const PcResult found = pc(Oracle(truth), {.skeleton = {.max_given = 1}});
  EXPECT_EQ(found.stopped_by, "set limit");
  EXPECT_EQ(found.skeleton.largest_given, 1);
  EXPECT_GT(found.pdag.edge_count(), truth.edge_count());
}

TEST(Pc, FindsAlarm) {
  const Dataset data = embedded_table("alarm", 10000);
  std::vector<Edge> truth;
  for (const auto& [from, to] : embedded_truth("alarm")) truth.push_back({data.index_of(from), data.index_of(to)});
  const auto score = make_score("discrete-bic", data);
  const SearchResult one = pc_opponent(*make_independence(data), *score, {});
  const SearchResult four = pc_opponent(*make_independence(data), *score, {.skeleton = {.threads = 4}});
  EXPECT_EQ(one.dag, four.dag);
  EXPECT_EQ(one.story, four.story);
  EXPECT_EQ(one.score, total(*score, one.dag));
  EXPECT_LE(measure(truth, one.dag).shd_cpdag, 6);
}

}  // namespace
}  // namespace agon
