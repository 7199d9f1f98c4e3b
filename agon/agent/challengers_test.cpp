#include "agon/agent/challengers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "agon/base/error.h"

namespace agon {
namespace {

const ChallengerOption& option_named(const std::vector<ChallengerOption>& all, const std::string& name) {
  for (const ChallengerOption& o : all) {
    if (o.option.name == name) return o;
  }
  throw std::logic_error("no option " + name);
}

TEST(Challengers, AutoLetsFourCompeteAndTheOthersPlayAlone) {
  std::vector<std::string> names;
  for (const Arm& arm : make_arms({})) names.push_back(arm.name);
  EXPECT_EQ(names, (std::vector<std::string>{"local trained", "local uniform", "local delta", "flat"}));
  ChallengerOptions options = challenger_entry("paper").defaults;
  options.paper.learning = false;
  ASSERT_EQ(make_arms(options).size(), 1u);
  EXPECT_EQ(make_arms(options)[0].name, "paper unlearned");
  EXPECT_EQ(make_arms(challenger_entry("local").defaults)[0].name, "local trained learning");
  EXPECT_THROW(challenger_entry("lokal"), UsageError);
}

TEST(Challengers, EveryEntryIsWhole) {
  std::set<std::string> names;
  for (const ChallengerEntry& entry : challenger_entries()) {
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
    EXPECT_EQ(entry.defaults.name, entry.name);
    EXPECT_FALSE(entry.summary.empty() || entry.source.empty()) << entry.name;
    for (const std::string& other : entry.competitors) EXPECT_NO_THROW(challenger_entry(other)) << entry.name;
    for (const Arm& arm : entry.arms(entry.defaults)) {
      EXPECT_GT(arm.cost, 0) << entry.name;
      EXPECT_GT(arm.weight, 0) << entry.name;
    }
  }
}

// Every option of a challenger that consists of competitors is an option of one of them.
TEST(Challengers, WhoLetsOthersCompeteHasTheirOptions) {
  const std::vector<ChallengerOption> all = challenger_options();
  for (const ChallengerEntry& entry : challenger_entries()) {
    ChallengerOptions options = entry.defaults;
    GameOptions game;
    entry.describe(options, game, [&](const OptionField&, const Option& option) {
      const std::vector<std::string>& owners = option_named(all, option.name).owners;
      const std::vector<std::string> who =
          entry.competitors.empty() ? std::vector<std::string>{entry.name} : entry.competitors;
      EXPECT_TRUE(std::any_of(who.begin(), who.end(),
                              [&](const std::string& name) { return std::ranges::find(owners, name) != owners.end(); }))
          << entry.name << " " << option.name;
    });
  }
}

TEST(Challengers, AnOptionOfSeveralSaysWhoHasItAndTheDefaultOfEach) {
  const std::vector<ChallengerOption> all = challenger_options();
  EXPECT_EQ(option_named(all, "batch").help, "transitions per update (1 or more; default 16, paper 512)");
  EXPECT_EQ(option_named(all, "longest").help, "local: most edits of a perturbation (1 or more; default 20)");
  EXPECT_EQ(option_named(all, "discount").help,
            "flat: weight of the rewards that follow a move (0 or more and less than 1; default 0.95); "
            "paper: weight of the rewards that follow a move (from 0 to 1; default 0.99)");
  EXPECT_EQ(option_named(all, "shortlist").help,
            "local: edits drawn per decision (1 or more; default 8); "
            "flat: moves its network sees (1 or more; default 32)");
  EXPECT_EQ(option_named(all, "lambda").help, "flat, paper: price of an edge in the reward (0 or more; default 0.005)");
  EXPECT_EQ(option_named(all, "lambda").owners, (std::vector<std::string>{"flat", "paper"}));
}

// Every number has a range, and every default is in it: what is shown is what is used.
TEST(Challengers, DefaultsLieInTheirRanges) {
  for (const ChallengerEntry& entry : challenger_entries()) {
    ChallengerOptions options = entry.defaults;
    GameOptions game;
    entry.describe(options, game, [&](const OptionField& field, const Option& option) {
      if (field.type == OptionType::kFlag || field.type == OptionType::kText) return;
      EXPECT_TRUE(option.range.stated()) << entry.name << " --" << option.name;
      EXPECT_NO_THROW(check_value(option, field.read())) << entry.name << " --" << option.name;
      EXPECT_TRUE(option.otherwise.empty()) << entry.name << " --" << option.name;
    });
  }
}

}  // namespace
}  // namespace agon
