#include "agon/agent/arms.h"

#include <gtest/gtest.h>

#include <numeric>

namespace agon {
namespace {

double sum(const std::vector<double>& x) { return std::accumulate(x.begin(), x.end(), 0.0); }

TEST(ArmBandit, StartsByWeightAndFollowsTheGainPerCost) {
  ArmBandit bandit({4, 2, 2});
  EXPECT_EQ(bandit.shares(), (std::vector<double>{0.5, 0.25, 0.25}));
  bandit.report(0, 0, 1000);
  bandit.report(1, 10, 1000);
  bandit.report(2, 10, 4000);
  bandit.end_round();
  const std::vector<double> share = bandit.shares();
  EXPECT_NEAR(sum(share), 1, 1e-12);
  EXPECT_GT(share[1], 2 * share[2]);  // four times the gain per cost, over the floors
  EXPECT_GT(share[0], 0.1);           // a floor for who gained nothing
  for (int k = 0; k < 200; ++k) {     // long ago: forgotten
    for (size_t arm = 0; arm < 3; ++arm) bandit.report(arm, 0, 1000);
    bandit.end_round();
  }
  EXPECT_EQ(bandit.shares(), (std::vector<double>{0.5, 0.25, 0.25}));
}

TEST(Arms, AutoLetsFourCompeteAndTheOthersPlayAlone) {
  ChallengerOptions options;
  std::vector<std::string> names;
  for (const Arm& arm : make_arms(options)) {
    EXPECT_GT(arm.cost, 0);
    EXPECT_GT(arm.weight, 0);
    names.push_back(arm.name);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"local trained", "local uniform", "local delta", "flat"}));
  options.kind = ChallengerKind::kPaper;
  options.paper.learning = false;
  ASSERT_EQ(make_arms(options).size(), 1u);
  EXPECT_EQ(make_arms(options)[0].name, "paper unlearned");
  options.kind = ChallengerKind::kLocal;
  options.local.learning = true;
  EXPECT_EQ(make_arms(options)[0].name, "local trained learning");
}

}  // namespace
}  // namespace agon
