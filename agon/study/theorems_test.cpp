#include "agon/study/theorems.h"

#include <gtest/gtest.h>

#include <cmath>

namespace agon {
namespace {

double number(const Study& study, size_t row, const std::string& heading) {
  const auto at = std::find(study.headings.begin(), study.headings.end(), heading) - study.headings.begin();
  return std::stod(study.rows.at(row).at(static_cast<size_t>(at)));
}

TEST(Theorem1, HoldsForRandomMatchesAndAnyNumberOfThreads) {
  const Study one = study_theorem1({.trials = 10, .seed = 3, .threads = 1});
  EXPECT_TRUE(one.holds) << one.verdict;
  EXPECT_EQ(one.rows.size(), 10u);
  for (size_t k = 0; k < one.rows.size(); ++k) {
    EXPECT_GE(number(one, k, "champion_score"), number(one, k, "opponent_score") - 1e-3);
  }
  EXPECT_EQ(one.csv(), study_theorem1({.trials = 10, .seed = 3, .threads = 2}).csv());
  EXPECT_NE(one.csv(), study_theorem1({.trials = 10, .seed = 4, .threads = 2}).csv());
}

TEST(Theorem2, BoundIsAboveWhatWasMeasured) {
  const Study study = study_theorem2({.trials = 8, .seed = 1, .threads = 2});
  EXPECT_TRUE(study.holds) << study.verdict;
  ASSERT_EQ(study.rows.size(), 32u);  // adversary and agent, warm and cold
  bool far = false;
  for (size_t k = 0; k < study.rows.size(); ++k) {
    const double distance = number(study, k, "distance"), mean = number(study, k, "mean_episodes");
    EXPECT_EQ(number(study, k, "a_max"), 12);  // the most valid moves of a DAG of four nodes: those of the empty graph
    EXPECT_DOUBLE_EQ(number(study, k, "bound"), std::pow(24, distance));
    EXPECT_TRUE(distance > 0 || mean == 1) << mean;
    far = far || (distance > 1 && mean > 1);
  }
  EXPECT_TRUE(far);
  EXPECT_EQ(study.csv(), study_theorem2({.trials = 8, .seed = 1, .threads = 1}).csv());
}

TEST(Lemma2, HoldsOnBoundedRowsAndEndsWithoutThem) {
  const Study study = study_lemma2({.trials = 4, .seed = 1, .threads = 2});
  EXPECT_TRUE(study.holds) << study.verdict;
  ASSERT_EQ(study.rows.size(), 4u);
  for (size_t k = 0; k < study.rows.size(); ++k) {
    EXPECT_GT(number(study, k, "worst_share_of_bound"), 0);
    EXPECT_LE(number(study, k, "worst_share_of_bound"), 1);
    EXPECT_LE(number(study, k, "deviation"), number(study, k, "lipschitz"));
    EXPECT_TRUE(std::isfinite(number(study, k, "moment_infinite_beyond")));
  }
  EXPECT_EQ(study.csv(), study_lemma2({.trials = 4, .seed = 1, .threads = 1}).csv());
}

TEST(Theorem3, ErrorsFallAndTheGapGrowsForCandidatesWithoutSuperfluousEdges) {
  const Study study = study_theorem3({.trials = 4, .seed = 1, .threads = 2});
  ASSERT_EQ(study.rows.size(), 8u);
  bool grows = true;
  for (size_t k = 0; k < 8; ++k) {
    EXPECT_EQ(number(study, k, "penalty"), k < 4 ? 2 : 1);
    EXPECT_EQ(number(study, k, "trials"), 4);
    EXPECT_GE(number(study, k, "candidates"), 2);
    EXPECT_LE(number(study, k, "low"), number(study, k, "error_rate"));
    EXPECT_GE(number(study, k, "high"), number(study, k, "error_rate"));
    EXPECT_GT(number(study, k, "gap"), 0);
    if (k > 0 && k < 4) grows = grows && number(study, k, "gap") > number(study, k - 1, "gap");
  }
  EXPECT_TRUE(grows) << study.csv();  // exact: the gap comes from the models' covariances, not from draws
  EXPECT_LT(number(study, 7, "gap"), number(study, 4, "gap")) << study.csv();  // its runner-up has one edge more
  EXPECT_EQ(study.verdict.find("FAILS") == std::string::npos, study.holds) << study.verdict;
  EXPECT_EQ(study.csv(), study_theorem3({.trials = 4, .seed = 1, .threads = 1}).csv());
}

TEST(Figure, HasItsPointsAndEscapesItsWords) {
  Figure figure{.title = "a < b", .x = "n", .left = "y", .right = ""};
  figure.series.push_back({.name = "s", .points = {{1, 2, 1, 3}, {2, 4}}});
  const std::string svg = figure.svg();
  EXPECT_NE(svg.find("a &lt; b"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_NE(svg.find("<polyline"), std::string::npos);
}

}  // namespace
}  // namespace agon
