#include "agon/study/score_study.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "agon/base/error.h"
#include "agon/catalog/scores.h"
#include "agon/graph/dag.h"

namespace agon {
namespace {

TEST(ScoreStudy, EveryScoreOfCategoricalTablesTakesPart) {
  const std::vector<ScoreContender> contenders = score_contenders();
  EXPECT_EQ(contenders[0].label, "discrete-bic");
  EXPECT_EQ(contenders[0].options.penalty, 1);
  for (const ScoreEntry& entry : score_entries()) {
    const bool there =
        std::ranges::any_of(contenders, [&](const ScoreContender& contender) { return contender.score == entry.name; });
    EXPECT_EQ(there, only_kind(entry) == ColumnKind::kCategorical) << entry.name;
  }
}

TEST(ScoreStudy, NetworksAreChosenByNameAndSize) {
  EXPECT_EQ(study_networks({.only = {"asia", "random-10"}}).size(), 2u);
  for (const StudyNetwork& network : study_networks({.most_nodes = 30})) EXPECT_LE(network.make(1).size(), 30);
  EXPECT_THROW(study_networks({.only = {"asai"}}), UsageError);
  EXPECT_THROW(study_networks({.data_dir = "no/such/folder"}), InputError);
}

// Two rows learned, (0, 0) and (1, 1), then one of (0, 1). With a -> b: a is 0 with (1 + 1/2) / (2 + 1) = 1/2, and b is
// 1 given a = 0 with (0 + 1/2) / (1 + 1) = 1/4. Without the edge: 1/2 each.
TEST(ScoreStudy, HeldOutLikelihoodByHand) {
  const Dataset data = make_dataset({categorical_column("a", {0, 1, 0}), categorical_column("b", {0, 1, 1})}, "three");
  Dag dag(2);
  EXPECT_NEAR(held_out_likelihood(data, 2, dag), std::log(1 / 4.0), 1e-12);
  dag.add_edge(data.index_of("a"), data.index_of("b"));
  EXPECT_NEAR(held_out_likelihood(data, 2, dag), std::log(1 / 8.0), 1e-12);
}

// The second graph predicts best, the third significantly worse in every row, the first worse in the mean only because
// of one row; of the first two it has fewer edges.
TEST(ScoreStudy, OutOfSampleTheSmallestOfEquallyGoodGraphsIsChosen) {
  const std::vector<std::vector<double>> likelihoods = {{-1, -3, -1, -1}, {-1, -1.5, -1, -1.1}, {-2, -2.5, -2, -2.1}};
  EXPECT_EQ(choose_out_of_sample(likelihoods, {4, 6, 2}), 0u);
  EXPECT_EQ(choose_out_of_sample(likelihoods, {7, 6, 2}), 1u);
}

TEST(ScoreStudy, ASampleIsTheSameEachTime) {
  const StudyNetwork asia = study_networks({.only = {"asia"}})[0];
  const std::vector<ScoreContender> contenders = score_contenders();
  const std::vector<ScoreCell> once = study_sample(asia, 300, 2, contenders, {});
  const std::vector<ScoreCell> twice = study_sample(asia, 300, 2, contenders, {});
  ASSERT_EQ(once.size(), contenders.size());
  ASSERT_EQ(twice.size(), contenders.size());
  for (size_t k = 0; k < once.size(); ++k) {
    EXPECT_EQ(once[k].shd, twice[k].shd);
    EXPECT_EQ(once[k].held_out, twice[k].held_out);
    EXPECT_EQ(once[k].nodes, 8);
    EXPECT_EQ(once[k].levels, 2);
    EXPECT_TRUE(once[k].sid);
    EXPECT_EQ(once[k].chosen, twice[k].chosen);
    EXPECT_EQ(once[k].stable, twice[k].stable);
  }
  EXPECT_EQ(std::ranges::count_if(once, &ScoreCell::chosen), 1);
  EXPECT_EQ(std::ranges::count_if(once, &ScoreCell::stable), 1);
}

// From the sparsest on, as long as none is too unstable; the sparsest if all are.
TEST(ScoreStudy, StabilityTakesTheLastBeforeItIsTooUnstable) {
  EXPECT_EQ(choose_stable({30, 10, 20}, {0.06, 0.01, 0.04}), 2u);
  EXPECT_EQ(choose_stable({30, 10, 20}, {0.02, 0.01, 0.07}), 1u);  // 0.02 beyond one of 0.07 does not count
  EXPECT_EQ(choose_stable({30, 10, 20}, {0.2, 0.1, 0.3}), 1u);
}

ScoreCell cell(const std::string& network, int sample, const std::string& contender, int shd, double held_out) {
  ScoreCell out = {network, 5, 4, 2, 100, sample, contender};
  out.shd = shd;
  out.held_out = held_out;
  out.seconds = 1;
  return out;
}

// Two contenders: "a" is nearer in the first sample, the two tie in the second; the third was cut short and does not
// count. Held-out rows prefer "b" in the first and "a" in the second.
TEST(ScoreStudy, TheTablesByHand) {
  const std::string page =
      score_study_page({cell("one", 1, "a", 2, -3), cell("one", 1, "b", 4, -2), cell("one", 2, "a", 3, -1),
                        cell("one", 2, "b", 3, -2), cell("one", 3, "a", 9, -1)});
  EXPECT_NE(page.find("2 samples of 1 network;"), std::string::npos) << page;
  EXPECT_NE(page.find("| a | 1.25 | 0.625 | 0 % |"), std::string::npos) << page;   // ranks 1 and 1.5, SHD 2.5 of 4
  EXPECT_NE(page.find("| b | 1.75 | 0.875 | 40 % |"), std::string::npos) << page;  // 3.5 beside 2.5
  EXPECT_NE(page.find("| chosen by 5,000 further rows | 1.75 | 0.875 |"), std::string::npos) << page;
  EXPECT_NE(page.find("| one | 5 | 4 | 2.0 | 100 | **2.5** | 3.5 |"), std::string::npos) << page;
}

}  // namespace
}  // namespace agon
