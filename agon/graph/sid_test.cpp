#include "agon/graph/sid.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "agon/base/rng.h"
#include "agon/graph/d_separation.h"
#include "agon/graph/test_graphs.h"

namespace agon {
namespace {

// The plain twin: every path between i and j is written out and judged by the definition.
class ByPaths {
 public:
  ByPaths(const Dag& truth, const Dag& predicted) : truth_(truth), predicted_(predicted) {}

  long count() {
    long wrong = 0;
    for (Node i = 0; i < truth_.size(); ++i) {
      for (Node j = 0; j < truth_.size(); ++j) wrong += i != j && is_wrong(i, j);
    }
    return wrong;
  }

 private:
  bool is_below(Node v, Node top) const {
    NodeSet from(truth_.size());
    from.insert(top);
    return descendants(truth_, from).contains(v);
  }

  bool is_wrong(Node i, Node j) {
    if (predicted_.has_edge(j, i)) return is_below(j, i);
    path_ = {i};
    return some_path_objects(j);
  }

  bool some_path_objects(Node j) {
    if (path_.back() == j) return objects();
    for (Node u = 0; u < truth_.size(); ++u) {
      if (!truth_.adjacent(path_.back(), u) || std::count(path_.begin(), path_.end(), u)) continue;
      path_.push_back(u);
      const bool bad = some_path_objects(j);
      path_.pop_back();
      if (bad) return true;
    }
    return false;
  }

  bool objects() const {
    const NodeView adjusted = predicted_.parents(path_.front());
    bool causal = true;
    for (size_t k = 0; k + 1 < path_.size(); ++k) causal = causal && truth_.has_edge(path_[k], path_[k + 1]);
    if (causal) {
      for (size_t k = 1; k < path_.size(); ++k) {
        for (Node z : adjusted) {
          if (is_below(z, path_[k])) return true;
        }
      }
      return false;
    }
    for (size_t k = 1; k + 1 < path_.size(); ++k) {
      const Node v = path_[k];
      const bool collider = truth_.has_edge(path_[k - 1], v) && truth_.has_edge(path_[k + 1], v);
      if (!collider && adjusted.contains(v)) return false;  // blocked
      if (collider) {
        bool opened = false;
        for (Node z : adjusted) opened = opened || is_below(z, v);
        if (!opened) return false;  // blocked
      }
    }
    return true;
  }

  const Dag& truth_;
  const Dag& predicted_;
  std::vector<Node> path_;
};

TEST(Sid, WorkedExamples) {
  // The example of Peters & Buehlmann 2015: 0 -> 1, and both point at 2, 3, 4. One extra edge costs nothing; the
  // reversed edge makes every effect of 0 and of 1 wrong.
  const Dag truth = dag_from_parents({{}, {0}, {0, 1}, {0, 1}, {0, 1}});
  Dag extra = truth;
  extra.add_edge(2, 3);
  Dag reversed = truth;
  reversed.apply({MoveKind::kReverse, 0, 1});
  EXPECT_EQ(sid(truth, truth), 0);
  EXPECT_EQ(sid(truth, extra), 0);
  EXPECT_EQ(sid(truth, reversed), 8);

  // 0 -> 1 against 1 -> 0: "0 does nothing to 1" is wrong, and so is "1 moves 0".
  EXPECT_EQ(sid(dag_from_parents({{}, {0}}), dag_from_parents({{1}, {}})), 2);
  // Against the empty graph the effect of 0 on 1 is right (nothing to adjust for), that of 1 on 0 is not.
  EXPECT_EQ(sid(dag_from_parents({{}, {0}}), Dag(2)), 1);
}

TEST(Sid, AgreesWithAllPathsOnPairsOfDagsOfFourNodes) {
  const std::vector<Dag> dags = test::all_dags(4);
  for (size_t i = 0; i < dags.size(); i += 4) {
    for (const Dag& predicted : dags) {
      ASSERT_EQ(sid(dags[i], predicted), ByPaths(dags[i], predicted).count());
    }
  }
}

TEST(Sid, AgreesWithAllPathsOnRandomDags) {
  Rng rng(1);
  for (int round = 0; round < 400; ++round) {
    const int p = 5 + rng.below(3);
    const Dag truth = test::random_dag(p, rng.uniform(), rng);
    const Dag predicted = test::random_dag(p, rng.uniform(), rng);
    ASSERT_EQ(sid(truth, predicted), ByPaths(truth, predicted).count());
  }
}

TEST(Sid, AStopLeavesNoFigure) {
  const std::atomic<bool> yes{true};
  Watch stopped;
  stopped.interrupted = &yes;
  const Dag truth = dag_from_parents({{}, {0}});
  EXPECT_EQ(sid(truth, Dag(2), Watch()), 1);
  EXPECT_EQ(sid(truth, Dag(2), stopped), std::nullopt);
}

// Shown by Peters & Buehlmann 2015.
TEST(Sid, IsZeroExactlyWhenEveryTrueEdgeIsPredicted) {
  const std::vector<Dag> dags = test::all_dags(4);
  for (size_t i = 0; i < dags.size(); i += 2) {
    for (const Dag& predicted : dags) {
      bool all = true;
      for (const Edge& e : dags[i].edges()) all = all && predicted.has_edge(e.from, e.to);
      ASSERT_EQ(sid(dags[i], predicted) == 0, all);
    }
  }
}

}  // namespace
}  // namespace agon
