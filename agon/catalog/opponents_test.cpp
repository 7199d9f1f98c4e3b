#include "agon/catalog/opponents.h"

#include <gtest/gtest.h>

#include "agon/base/error.h"
#include "agon/data/embedded.h"
#include "agon/graph/equivalence.h"
#include "agon/score/scores.h"

namespace agon {
namespace {

// What every entry promises, so that a new line in the table is tested before its author writes a test.
TEST(Opponents, ProposeAnAcyclicGraphAndItsScore) {
  const Dataset data = embedded_table("asia", 2000);
  const auto score = make_score("auto", data);
  const Dag empty(data.size());
  for (const OpponentEntry& entry : opponent_entries()) {
    const SearchResult found = entry.propose({.score = *score, .start = empty, .threads = 1, .watch = Watch{}});
    EXPECT_TRUE(is_acyclic(found.dag)) << entry.name;
    EXPECT_DOUBLE_EQ(found.score, total(*score, found.dag)) << entry.name;
    EXPECT_FALSE(found.stopped_by.empty()) << entry.name;
    const SearchResult again = entry.propose({.score = *score, .start = empty, .threads = 2, .watch = Watch{}});
    EXPECT_EQ(again.dag, found.dag) << entry.name;
  }
}

TEST(Opponents, StopWhenAskedBeforeTheFirstStep) {
  const Dataset data = embedded_table("asia", 500);
  const auto score = make_score("auto", data);
  const std::atomic<bool> yes{true};
  Watch watch;
  watch.interrupted = &yes;
  for (const OpponentEntry& entry : opponent_entries()) {
    const SearchResult found =
        entry.propose({.score = *score, .start = Dag(data.size()), .threads = 1, .watch = watch});
    EXPECT_EQ(found.stopped_by, "interrupted") << entry.name;
    EXPECT_TRUE(is_acyclic(found.dag)) << entry.name;
  }
}

TEST(Opponents, UnknownNamesGetASuggestion) {
  try {
    opponent_entry("tabo");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean tabu?"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace agon
