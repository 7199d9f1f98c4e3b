#include "agon/graph/measures.h"

#include <gtest/gtest.h>

#include "agon/base/error.h"
#include "agon/graph/equivalence.h"
#include "agon/graph/sid.h"
#include "agon/graph/test_graphs.h"

namespace agon {
namespace {

// Asia: 0 asia, 1 tub, 2 smoke, 3 lung, 4 bronc, 5 either, 6 xray, 7 dysp.
Dag asia() { return dag_from_parents({{}, {0}, {}, {2}, {2}, {1, 3}, {5}, {4, 5}}); }

TEST(Measure, WorkedByHand) {
  // truth      0 -> 1 -> 2 -> 3, 0 -> 3          CPDAG: 0 - 1 - 2, 0 -> 3 <- 2
  // predicted  0 -> 1 <- 2, 1 -> 3               CPDAG: itself
  const std::vector<Edge> truth = {{0, 1}, {1, 2}, {2, 3}, {0, 3}};
  const Dag predicted = dag_from_parents({{}, {0, 2}, {}, {1}});
  const Measures m = measure(truth, predicted);
  EXPECT_EQ(m.true_edges, 4);
  EXPECT_EQ(m.predicted_edges, 3);
  EXPECT_EQ(m.correct, 1);   // 0 -> 1
  EXPECT_EQ(m.reversed, 1);  // 2 -> 1
  EXPECT_EQ(m.extra, 1);     // 1 -> 3
  EXPECT_EQ(m.missing, 2);   // 2 -> 3, 0 -> 3
  EXPECT_DOUBLE_EQ(m.tpr, 1.0 / 4);
  EXPECT_DOUBLE_EQ(m.fdr, 2.0 / 3);
  EXPECT_EQ(m.shd, 4);
  EXPECT_EQ(m.shd_reversal_twice(), 5);
  EXPECT_DOUBLE_EQ(m.score, (1.0 / 4 + 1.0 / 3 + 1.0 / 5) / 3);
  EXPECT_DOUBLE_EQ(m.skeleton_precision, 2.0 / 3);
  EXPECT_DOUBLE_EQ(m.skeleton_recall, 2.0 / 4);
  EXPECT_DOUBLE_EQ(m.skeleton_f1, 4.0 / 7);
  EXPECT_EQ(m.shd_cpdag, 5);  // 0 1, 1 2 (marks), 0 3, 2 3 (missing), 1 3 (extra)
  // From 0: right. From 1, adjusting for 0 and 2: wrong on 2 and 3. From 2, adjusting for nothing: wrong on 0, 1, 3.
  // From 3, adjusting for 1: wrong on 0 and 2.
  EXPECT_EQ(m.sid, 7);
}

TEST(Measure, ThePerfectAndTheEmptyPrediction) {
  const Measures perfect = measure(asia().edges(), asia());
  EXPECT_EQ(perfect.shd, 0);
  EXPECT_DOUBLE_EQ(perfect.score, 1);
  EXPECT_EQ(perfect.shd_cpdag, 0);
  EXPECT_EQ(perfect.sid, 0);

  const Measures empty = measure(asia().edges(), Dag(8));
  EXPECT_EQ(empty.tpr, 0);
  EXPECT_EQ(empty.fdr, 0);
  EXPECT_EQ(empty.shd, 8);
  EXPECT_DOUBLE_EQ(empty.score, (0 + 1 + 1.0 / 9) / 3);
  EXPECT_EQ(empty.skeleton_precision, 1);
  EXPECT_EQ(empty.skeleton_recall, 0);
  EXPECT_EQ(empty.skeleton_f1, 0);
  EXPECT_EQ(empty.shd_cpdag, 8);

  const Measures nothing_there = measure({}, asia());
  EXPECT_EQ(nothing_there.tpr, 1);
  EXPECT_EQ(nothing_there.fdr, 1);
  EXPECT_EQ(nothing_there.skeleton_recall, 1);
  EXPECT_EQ(nothing_there.shd, 8);

  const Measures both_empty = measure({}, Dag(3));
  EXPECT_DOUBLE_EQ(both_empty.score, 1);
  EXPECT_EQ(both_empty.skeleton_f1, 1);
}

TEST(Measure, ACyclicTruthHasEdgeMeasuresOnly) {
  // 0 <-> 1 as a two-cycle, 1 -> 2; predicted 0 -> 1 (true, its partner missing) and 2 -> 1 (reversed).
  const std::vector<Edge> truth = {{0, 1}, {1, 0}, {1, 2}};
  const Measures m = measure(truth, dag_from_parents({{}, {0, 2}, {}}));
  EXPECT_EQ(m.true_edges, 3);
  EXPECT_EQ(m.correct, 1);
  EXPECT_EQ(m.reversed, 1);
  EXPECT_EQ(m.missing, 1);
  EXPECT_EQ(m.extra, 0);
  EXPECT_EQ(m.shd, 2);
  EXPECT_EQ(m.skeleton_f1, 1);
  EXPECT_FALSE(m.shd_cpdag.has_value());
  EXPECT_FALSE(m.sid.has_value());

  Rng rng(1);
  const MeanMeasures mean = random_control(truth, 3, 2, 10, rng);
  EXPECT_FALSE(mean.shd_cpdag.has_value());
  EXPECT_FALSE(mean.sid.has_value());
}

TEST(Measure, RefusesATruthThatIsNoGraphOnTheseNodes) {
  EXPECT_THROW(measure({{0, 0}}, Dag(2)), InputError);
  EXPECT_THROW(measure({{0, 2}}, Dag(2)), InputError);
  EXPECT_THROW(measure({{-1, 1}}, Dag(2)), InputError);
}

// By sets, one pair at a time.
TEST(Measure, AgreesWithCountingPairs) {
  Rng rng(2);
  for (int round = 0; round < 500; ++round) {
    const int p = 2 + rng.below(80);
    const Dag truth = test::random_dag(p, rng.uniform(), rng);
    const Dag predicted = test::random_dag(p, rng.uniform(), rng);
    int differ = 0, correct = 0, wrong = 0, shared = 0;
    for (Node a = 0; a < p; ++a) {
      for (Node b = a + 1; b < p; ++b) {
        const int t = truth.has_edge(a, b) ? 1 : truth.has_edge(b, a) ? 2 : 0;
        const int q = predicted.has_edge(a, b) ? 1 : predicted.has_edge(b, a) ? 2 : 0;
        differ += t != q;
        correct += t != 0 && t == q;
        wrong += q != 0 && t != q;
        shared += t != 0 && q != 0;
      }
    }
    const Measures m = measure(truth.edges(), predicted);
    ASSERT_EQ(m.shd, differ);
    ASSERT_EQ(m.correct, correct);
    ASSERT_EQ(m.reversed + m.extra, wrong);
    ASSERT_EQ(m.correct + m.reversed, shared);
    ASSERT_EQ(m.sid, sid(truth, predicted));
    ASSERT_EQ(m.shd_cpdag, shd(cpdag_of(truth), cpdag_of(predicted)));
    const PdagMeasures from_class = measure(truth.edges(), cpdag_of(predicted));
    ASSERT_EQ(from_class.shd_cpdag, m.shd_cpdag);
    ASSERT_EQ(from_class.skeleton_precision, m.skeleton_precision);
    ASSERT_EQ(from_class.skeleton_recall, m.skeleton_recall);
    ASSERT_EQ(from_class.skeleton_f1, m.skeleton_f1);
  }
}

// Truth: 0 -> 1 -> 2, 3 -> 2. Predicted: 0 - 1 (credited), 2 -> 1 (reversed), 0 - 3 (extra); 3 -> 2 is missing.
TEST(MeasureCredited, CountsOpenEdgesThatTheTruthJoins) {
  const std::vector<Edge> truth = {{0, 1}, {1, 2}, {3, 2}};
  Pdag predicted(4);
  predicted.add_undirected(0, 1);
  predicted.add_directed(2, 1);
  predicted.add_undirected(0, 3);
  const CreditedMeasures m = measure_credited(truth, predicted);
  EXPECT_DOUBLE_EQ(m.tpr, 1.0 / 3);
  EXPECT_DOUBLE_EQ(m.fdr, 2.0 / 3);
  EXPECT_EQ(m.shd, 3);
  EXPECT_DOUBLE_EQ(m.score, (1.0 / 3 + 1.0 / 3 + 1.0 / 4) / 3);
}

TEST(MeasureCredited, EveryMemberOfTheTrueClassIsWithoutFault) {
  Rng rng(5);
  for (int round = 0; round < 100; ++round) {
    const Dag truth = test::random_dag(2 + rng.below(12), rng.uniform(), rng);
    const CreditedMeasures m = measure_credited(truth.edges(), cpdag_of(truth));
    ASSERT_EQ(m.tpr, 1);
    ASSERT_EQ(m.fdr, 0);
    ASSERT_EQ(m.shd, 0);
    ASSERT_EQ(m.score, 1);
  }
}

// Where no edge is open, the two ways of counting agree.
TEST(MeasureCredited, DirectedEdgesAreMeasuredAsInADag) {
  Rng rng(6);
  for (int round = 0; round < 100; ++round) {
    const int p = 2 + rng.below(12);
    const Dag truth = test::random_dag(p, rng.uniform(), rng);
    const Dag predicted = test::random_dag(p, rng.uniform(), rng);
    const Measures plain = measure(truth.edges(), predicted);
    const CreditedMeasures m = measure_credited(truth.edges(), Pdag(predicted));
    ASSERT_EQ(m.tpr, plain.tpr);
    ASSERT_EQ(m.fdr, plain.fdr);
    ASSERT_EQ(m.shd, plain.shd);
    ASSERT_EQ(m.score, plain.score);
  }
}

TEST(Shd, CountsEachDifferingPairOnce) {
  Rng rng(3);
  for (int round = 0; round < 200; ++round) {
    const int p = 1 + rng.below(80);
    const Pdag a = test::random_pdag(p, rng.uniform(), rng);
    const Pdag b = test::random_pdag(p, rng.uniform(), rng);
    int expected = 0;
    for (Node u = 0; u < p; ++u) {
      for (Node v = u + 1; v < p; ++v) {
        expected += a.has_directed(u, v) != b.has_directed(u, v) || a.has_directed(v, u) != b.has_directed(v, u) ||
                    a.has_undirected(u, v) != b.has_undirected(u, v);
      }
    }
    ASSERT_EQ(shd(a, b), expected);
    ASSERT_EQ(shd(b, a), expected);
  }
}

TEST(ClassMean, OfAsiaIsTheMeanOverItsSixMembers) {
  // Reversible: 0 - 1, right in half of the members, and 3 - 2 - 4 with three roots, of which one has both edges
  // right and two have one. So a member has 1/2 + 2/3 reversed edges in the mean.
  const double reversed = 0.5 + 2.0 / 3;
  Rng rng(4);
  const MeanMeasures mean = class_mean(asia().edges(), cpdag_of(asia()), 4000, rng);
  // The number of reversed edges has variance 1/4 + 2/9, so the mean of 4000 has deviation 0.011; five of them.
  EXPECT_NEAR(mean.shd, reversed, 0.055);
  EXPECT_NEAR(mean.tpr, 1 - mean.shd / 8, 1e-9);
  EXPECT_NEAR(mean.fdr, mean.shd / 8, 1e-9);
  EXPECT_NEAR(mean.skeleton_f1, 1, 1e-9);
  EXPECT_EQ(mean.graphs, 4000);
  EXPECT_EQ(mean.shd_cpdag, 0);
  EXPECT_GT(mean.sid.value(), 0);
}

TEST(RandomDagLike, HasTheEdgesAskedForAndNoFavourites) {
  Rng rng(5);
  for (int edges : {0, 1, 7, 15}) {
    const Dag dag = random_dag_like(6, edges, rng);
    EXPECT_TRUE(is_acyclic(dag));
    EXPECT_EQ(dag.edge_count(), edges);
  }
  EXPECT_THROW(random_dag_like(6, 16, rng), UsageError);
  EXPECT_EQ(random_dag_like(0, 0, rng).size(), 0);

  // Each ordered pair of 5 nodes is an edge with probability 4 / 20; 8000 graphs, deviation 36, six of them.
  std::vector<int> seen(25);
  for (int k = 0; k < 8000; ++k) {
    for (const Edge& e : random_dag_like(5, 4, rng).edges()) ++seen[e.from * 5 + e.to];
  }
  for (Node a = 0; a < 5; ++a) {
    for (Node b = 0; b < 5; ++b) EXPECT_NEAR(seen[a * 5 + b], a == b ? 0 : 1600, 216);
  }
}

TEST(RandomControl, KnowsDensityAlone) {
  // Two nodes, one edge: a random edge is right half of the time. 4000 draws, deviation 0.008, five of them.
  Rng rng(6);
  const MeanMeasures mean = random_control({{0, 1}}, 2, 1, 4000, rng);
  EXPECT_NEAR(mean.tpr, 0.5, 0.04);
  EXPECT_NEAR(mean.shd, 1 - mean.tpr, 1e-9);
  EXPECT_EQ(mean.shd_cpdag, 0);
}

}  // namespace
}  // namespace agon
