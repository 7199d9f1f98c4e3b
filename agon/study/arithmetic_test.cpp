#include "agon/study/arithmetic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "agon/base/rng.h"
#include "agon/data/embedded.h"
#include "agon/graph/measures.h"
#include "agon/graph/test_graphs.h"
#include "agon/study/published.h"

namespace agon {
namespace {

TEST(Arithmetic, OfThePublishedTable) {
  int tpr = 0, graph = 0, score = 0;
  for (const PublishedRow& row : published_rows()) {
    const RowArithmetic sums = arithmetic_of(row.figures, published_truth(row.data));
    tpr += !sums.tpr_possible;
    graph += !sums.graph_possible;
    score += !sums.score_follows;
    EXPECT_TRUE(sums.tpr_possible || !sums.graph_possible);
  }
  EXPECT_EQ(tpr, 22);
  EXPECT_EQ(graph, 32);
  EXPECT_EQ(score, 3);
  const std::string csv = published_csv();
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 71);
  EXPECT_NE(csv.find("\nasia,KCRL,kcrl,0.55,0.25,3,0.52,0,0,1\n"), std::string::npos) << csv;
}

TEST(Arithmetic, TruthsAreThoseOfTheDataSets) {
  for (const char* name : {"asia", "sachs", "lucas", "child", "alarm", "hepar2", "andes"}) {
    EXPECT_EQ(published_truth(name).edges, static_cast<int>(embedded_truth(name).size())) << name;
  }
}

TEST(Arithmetic, ByHand) {
  // 0.55 lies between 4/8 and 5/8. A perfect answer is possible; a perfect TPR with an SHD of 1 and no false edge not.
  EXPECT_FALSE(arithmetic_of({0.55, 0.25, 3, 0.52}, {"asia", 8, 8}).tpr_possible);
  EXPECT_TRUE(arithmetic_of({1, 0, 0, 1}, {"asia", 8, 8}).graph_possible);
  EXPECT_FALSE(arithmetic_of({1, 0, 1, 0.83}, {"asia", 8, 8}).graph_possible);
  EXPECT_TRUE(arithmetic_of({0, 0, 8, 0.37}, {"asia", 8, 8}).graph_possible);  // the empty graph
}

// Whatever graph is measured, its figures are possible.
TEST(Arithmetic, EveryGraphIsPossible) {
  Rng rng(1);
  for (int round = 0; round < 200; ++round) {
    const int p = 3 + rng.below(6);
    const Dag truth = test::random_dag(p, 0.4, rng), answer = test::random_dag(p, 0.4, rng);
    if (truth.edge_count() == 0) continue;
    const Measures m = measure(truth.edges(), answer);
    const auto shown = [](double value) { return std::round(100 * value) / 100; };
    const RowArithmetic sums = arithmetic_of({shown(m.tpr), shown(m.fdr), static_cast<double>(m.shd), shown(m.score)},
                                             {"", p, truth.edge_count()});
    EXPECT_TRUE(sums.tpr_possible && sums.graph_possible && sums.score_follows)
        << m.tpr << " " << m.fdr << " " << m.shd;
  }
}

}  // namespace
}  // namespace agon
