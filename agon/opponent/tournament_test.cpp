#include "agon/opponent/tournament.h"

#include <gtest/gtest.h>

#include "agon/base/rng.h"

namespace agon {
namespace {

int plain_first(const std::vector<double>& values, double bar, int from) {
  int k = from;
  while (k < static_cast<int>(values.size()) && !(values[k] >= bar)) ++k;
  return k;
}

TEST(Tournament, SaysWhatALookAtEveryNumberSays) {
  for (const int size : {0, 1, 2, 3, 7, 8, 9, 100}) {
    Rng rng(static_cast<uint64_t>(size));
    Tournament tree(size);
    std::vector<double> plain(size, -std::numeric_limits<double>::infinity());
    EXPECT_EQ(tree.most(), -std::numeric_limits<double>::infinity());
    for (int round = 0; round < 300 && size > 0; ++round) {
      const int k = rng.below(size);
      plain[k] = rng.below(4) == 0 ? -std::numeric_limits<double>::infinity() : rng.below(10);
      tree.set(k, plain[k]);
      ASSERT_EQ(tree.most(), *std::ranges::max_element(plain));
      ASSERT_EQ(tree[k], plain[k]);
      const int from = rng.below(size + 1);
      const double bar = rng.below(11) - 0.5;
      ASSERT_EQ(tree.first(bar, from), plain_first(plain, bar, from)) << size << ", " << bar << " from " << from;
    }
  }
}

}  // namespace
}  // namespace agon
