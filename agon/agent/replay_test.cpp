#include "agon/agent/replay.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace agon {
namespace {

std::vector<int> contents(const Replay<int>& replay) {
  std::vector<int> all;
  for (int k = 0; k < replay.size(); ++k) all.push_back(replay[k]);
  std::sort(all.begin(), all.end());
  return all;
}

TEST(Replay, ForgetsTheOldestFirst) {
  Replay<int> replay(3);
  EXPECT_EQ(replay.size(), 0);
  for (int k = 1; k <= 2; ++k) replay.add(k);
  EXPECT_EQ(contents(replay), (std::vector<int>{1, 2}));
  for (int k = 3; k <= 8; ++k) {
    replay.add(k);
    EXPECT_EQ(contents(replay), (std::vector<int>{k - 2, k - 1, k}));
  }
}

TEST(Replay, SamplesUniformlyAndRepeatably) {
  Replay<int> replay(4);
  for (int k = 0; k < 6; ++k) replay.add(k);
  Rng a(1), b(1);
  std::vector<const int*> first, second;
  replay.sample(40000, a, first);
  replay.sample(40000, b, second);
  EXPECT_EQ(first, second);
  int count[6] = {};
  for (const int* item : first) ++count[*item];
  EXPECT_EQ(count[0] + count[1], 0);
  for (int k = 2; k < 6; ++k) EXPECT_NEAR(count[k], 10000, 450);  // over 5 standard deviations
}

}  // namespace
}  // namespace agon
