// `agon bench --suite scores`: what it prints and writes, and what it refuses.

#include <gtest/gtest.h>

#include "tests/program.h"
#include "tests/results.h"

namespace agon {
namespace {

using testing::contains;
using testing::Outcome;
using testing::Sandbox;

TEST(ScoreSuite, PrintsTheTablesAndWritesThem) {
  Sandbox box;
  const Outcome o = box.agon("bench --suite scores --quick --only asia --samples 1 --jobs 1 --out study");
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_TRUE(contains(o.out, "3 samples of 1 network")) << o.out;
  EXPECT_TRUE(contains(o.out, "| asia | 8 | 8 | 2.0 | 5000 |")) << o.out;
  EXPECT_EQ(box.read("study/scores.md"), o.out);
  EXPECT_TRUE(contains(box.read("study/scores.csv"), "asia,8,8,2.000,200,1,qnml-edges,"));
}

TEST(ScoreSuite, RefusesWhatItCannotUse) {
  Sandbox box;
  EXPECT_TRUE(contains(box.agon("bench --suite scores --algorithms ges").err, "no effect on the scores"));
  EXPECT_TRUE(contains(box.agon("bench --suite scores --only asai").err, "asia"));
  EXPECT_TRUE(contains(box.agon("bench --suite scores --data-dir nowhere").err, "holds no networks NAME.bif"));
}

}  // namespace
}  // namespace agon
