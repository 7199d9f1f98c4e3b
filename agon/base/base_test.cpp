// Tests of the small things in base/: random numbers, messages, suggestions, threads.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <numeric>

#include "agon/base/build_id.h"
#include "agon/base/crew.h"
#include "agon/base/distributions.h"
#include "agon/base/error.h"
#include "agon/base/hash.h"
#include "agon/base/parallel.h"
#include "agon/base/rng.h"
#include "agon/base/stop.h"
#include "agon/base/suggest.h"

namespace agon {
namespace {

TEST(Rng, GivesTheSameNumbersForEver) {
  // Golden: a change here changes every sample, every seed and every record ever written.
  Rng rng(42);
  const uint64_t first = rng.next(), second = rng.next();
  Rng again(42);
  EXPECT_EQ(again.next(), first);
  EXPECT_EQ(again.next(), second);
  EXPECT_EQ(hex64(first), "d0764d4f4476689f");
  EXPECT_EQ(hex64(second), "519e4174576f3791");
}

TEST(Rng, StreamsDependOnSeedNameAndIndexAlone) {
  Rng a(1), b(1);
  a.next();
  EXPECT_EQ(a.split("x").next(), b.split("x").next());
  EXPECT_NE(a.split("x").next(), a.split("y").next());
  EXPECT_NE(a.split("x", 0).next(), a.split("x", 1).next());
  EXPECT_NE(Rng(1).split("x").next(), Rng(2).split("x").next());
}

TEST(Rng, MomentsAndRanges) {
  Rng rng(7);
  const int draws = 200000;
  double sum = 0, squares = 0, uniform = 0, exponential = 0;
  std::vector<int> faces(6);
  for (int k = 0; k < draws; ++k) {
    const double z = rng.normal(), u = rng.uniform();
    ASSERT_TRUE(u >= 0 && u < 1);
    sum += z;
    squares += z * z;
    uniform += u;
    exponential += rng.exponential();
    ++faces[rng.below(6)];
  }
  // Five standard errors each: a correct generator fails one of these with probability below 1e-5; the seed is fixed.
  EXPECT_NEAR(sum / draws, 0, 5 / std::sqrt(draws));
  EXPECT_NEAR(squares / draws, 1, 5 * std::sqrt(2.0 / draws));
  EXPECT_NEAR(uniform / draws, 0.5, 5 * std::sqrt(1.0 / 12 / draws));
  EXPECT_NEAR(exponential / draws, 1, 5 / std::sqrt(draws));
  for (int count : faces) EXPECT_NEAR(count, draws / 6.0, 5 * std::sqrt(draws * 5.0 / 36));
}

TEST(Rng, ShuffleIsAPermutation) {
  std::vector<int> items(50);
  std::iota(items.begin(), items.end(), 0);
  const std::vector<int> sorted = items;
  Rng(3).shuffle(items);
  EXPECT_NE(items, sorted);
  std::sort(items.begin(), items.end());
  EXPECT_EQ(items, sorted);
}

TEST(Errors, SayPlaceProblemAndHint) {
  const InputError e("asia.csv:417", "column \"smoke\": found \"O\"", "pass --na O");
  EXPECT_STREQ(e.what(), "asia.csv:417: column \"smoke\": found \"O\"\n  hint: pass --na O");
  EXPECT_STREQ(UsageError("no such thing").what(), "no such thing");
}

TEST(Suggest, FindsTheNearestWordOrNone) {
  const std::vector<std::string> words{"discrete-bic", "bdeu", "gaussian-bic", "smoke"};
  EXPECT_EQ(nearest("gausian-bic", words), "gaussian-bic");
  EXPECT_EQ(nearest("SMOKE", words), "smoke");
  EXPECT_EQ(nearest("somke", words), "smoke");
  EXPECT_EQ(nearest("zzzzzz", words), "");
  EXPECT_EQ(did_you_mean("bdue", words), "did you mean bdeu?");
  EXPECT_EQ(listed({"a", "b", "c"}, 2), "a, b, ... (3 in all)");
  EXPECT_EQ(listed({}, 2), "");
}

TEST(Parallel, DoesEveryPieceOnceForAnyNumberOfThreads) {
  for (int threads : {1, 2, 4, 100}) {
    std::vector<int> done(57);
    parallel_for(57, threads, [&](int k) { ++done[k]; });
    EXPECT_EQ(done, std::vector<int>(57, 1));
  }
  parallel_for(0, 4, [](int) { FAIL(); });
}

TEST(Parallel, RethrowsTheFirstFailureByIndex) {
  for (int threads : {1, 4}) {
    std::atomic<int> done{0};
    try {
      parallel_for(20, threads, [&](int k) {
        ++done;
        if (k % 7 == 5) throw std::runtime_error(std::to_string(k));
      });
      FAIL();
    } catch (const std::runtime_error& e) {
      EXPECT_STREQ(e.what(), "5");
    }
    EXPECT_EQ(done, 20);
  }
}

TEST(Crew, DoesEveryPieceOfEveryPhaseOnce) {
  for (int threads : {0, 1, 2, 5}) {
    Crew crew(threads);
    EXPECT_EQ(crew.size(), std::max(1, threads));
    std::vector<int> done(23);
    for (int phase = 0; phase < 300; ++phase)
      crew.run(phase % 24, [&](int k, int worker) {
        ++done[k];
        EXPECT_TRUE(worker >= 0 && worker < crew.size());
      });
    for (int k = 0; k < 23; ++k) {
      int expected = 0;
      for (int phase = 0; phase < 300; ++phase) expected += k < phase % 24;
      EXPECT_EQ(done[k], expected);
    }
  }
}

TEST(Crew, RethrowsTheFirstFailureByIndexAndGoesOn) {
  Crew crew(3);
  for (int phase = 0; phase < 20; ++phase) {
    std::atomic<int> done{0};
    try {
      crew.run(20, [&](int k, int) {
        ++done;
        if (k % 7 == 5) throw std::runtime_error(std::to_string(k));
      });
      FAIL();
    } catch (const std::runtime_error& e) {
      EXPECT_STREQ(e.what(), "5");
    }
    EXPECT_EQ(done, 20);
    crew.run(4, [&](int, int) { ++done; });
    EXPECT_EQ(done, 24);
  }
}

TEST(Distributions, AgreeWithClosedFormsAndKnownQuantiles) {
  for (double x : {1e-9, 0.01, 0.3, 0.5, 0.9, 0.999}) {
    EXPECT_NEAR(incomplete_beta(x, 1, 1), x, 1e-14);
    EXPECT_NEAR(incomplete_beta(x, 3, 1), x * x * x, 1e-14);
    EXPECT_NEAR(incomplete_beta(x, 1, 2.5), 1 - std::pow(1 - x, 2.5), 1e-14);
    EXPECT_NEAR(incomplete_beta(x, 7, 0.5) + incomplete_beta(1 - x, 0.5, 7), 1, 1e-13);
    // I_x(2, 3) = 6 x^2 - 8 x^3 + 3 x^4
    EXPECT_NEAR(incomplete_beta(x, 2, 3), x * x * (6 - 8 * x + 3 * x * x), 1e-14);
  }
  // Tables of the F distribution: 95 % and 99 % points.
  EXPECT_NEAR(f_tail(161.4476, 1, 1), 0.05, 1e-6);
  EXPECT_NEAR(f_tail(3.3258, 5, 10), 0.05, 1e-5);
  EXPECT_NEAR(f_tail(5.6363, 5, 10), 0.01, 1e-5);
  EXPECT_NEAR(f_tail(1.8799, 10, 1000) / 0.0441, 1, 0.02);
  // With two degrees of freedom above: (1 + 2 f / d)^(-d / 2), also far out in the tail.
  for (double f : {0.1, 2.0, 30.0, 400.0}) {
    EXPECT_NEAR(f_tail(f, 2, 50) / std::pow(1 + 2 * f / 50, -25), 1, 1e-10);
  }
  EXPECT_EQ(f_tail(0, 3, 4), 1);
}

TEST(BuildId, IsThatOfThisProgram) {
  EXPECT_EQ(build_id().size(), 16u);
  EXPECT_EQ(build_id().find_first_not_of("0123456789abcdef"), std::string::npos);
}

TEST(Watch, SaysWhyToStop) {
  Watch watch;
  EXPECT_FALSE(watch.stop_requested());
  EXPECT_EQ(watch.stop_reason(), "");
  watch.deadline = Watch::Clock::now() - std::chrono::seconds(1);
  EXPECT_EQ(watch.stop_reason(), "time limit");
  const std::atomic<bool> flag{true};
  watch.interrupted = &flag;
  EXPECT_EQ(watch.stop_reason(), "interrupted");
}

}  // namespace
}  // namespace agon
