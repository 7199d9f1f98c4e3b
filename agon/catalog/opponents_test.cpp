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
  const Knowledge nothing(data.size());
  for (const OpponentEntry& entry : opponent_entries()) {
    const auto run = [&](int threads) {
      return entry.propose(
          {.score = *score, .start = empty, .knowledge = nothing, .rng = Rng(0), .threads = threads, .watch = Watch{}});
    };
    const SearchResult found = run(1);
    EXPECT_TRUE(is_acyclic(found.dag)) << entry.name;
    EXPECT_DOUBLE_EQ(found.score, total(*score, found.dag)) << entry.name;
    EXPECT_FALSE(found.stopped_by.empty()) << entry.name;
    EXPECT_EQ(run(2).dag, found.dag) << entry.name;
  }
}

TEST(Opponents, StopWhenAskedBeforeTheFirstStep) {
  const Dataset data = embedded_table("asia", 500);
  const auto score = make_score("auto", data);
  const std::atomic<bool> yes{true};
  Watch watch;
  watch.interrupted = &yes;
  const Dag empty(data.size());
  const Knowledge nothing(data.size());
  for (const OpponentEntry& entry : opponent_entries()) {
    const SearchResult found = entry.propose(
        {.score = *score, .start = empty, .knowledge = nothing, .rng = Rng(0), .threads = 1, .watch = watch});
    EXPECT_TRUE(found.stopped_by == "interrupted" || found.stopped_by == "no search") << entry.name;
    EXPECT_TRUE(is_acyclic(found.dag)) << entry.name;
  }
}

TEST(Opponents, KeepToTheKnowledge) {
  const Dataset data = embedded_table("asia", 1000);
  const auto score = make_score("auto", data);
  const Knowledge known =
      parse_knowledge("addtemporal\n1 xray dysp\n2 smoke asia\nrequiredirect\nasia smoke\nforbiddirect\nlung either\n",
                      "test", data.names());
  const Dag empty(data.size());
  const Watch watch;
  for (const OpponentEntry& entry : opponent_entries()) {
    const SearchResult found = entry.propose(
        {.score = *score, .start = empty, .knowledge = known, .rng = Rng(0), .threads = 1, .watch = watch});
    EXPECT_EQ(violations(found.dag, known, data.names()), std::vector<std::string>{}) << entry.name;
    EXPECT_GE(found.dag.edge_count(), 1) << entry.name;
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
