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
  EXPECT_GT(share[0], 0.1);           // an arm that gained nothing keeps a floor
  for (int k = 0; k < 200; ++k) {     // old gains are forgotten
    for (size_t arm = 0; arm < 3; ++arm) bandit.report(arm, 0, 1000);
    bandit.end_round();
  }
  EXPECT_EQ(bandit.shares(), (std::vector<double>{0.5, 0.25, 0.25}));
}

}  // namespace
}  // namespace agon
