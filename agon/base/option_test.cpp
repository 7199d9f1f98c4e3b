#include "agon/base/option.h"

#include <gtest/gtest.h>

#include <cmath>

#include "agon/base/error.h"

namespace agon {
namespace {

std::string complaint(const OptionField& field, const Option& option, const OptionValue& value) {
  try {
    set_field(field, option, value);
  } catch (const UsageError& error) {
    return std::string(error.what()).substr(0, std::string(error.what()).find('\n'));
  }
  return "";
}

TEST(Range, HoldsWhatItSays) {
  const double nan = std::nan(""), infinity = HUGE_VAL;
  struct Case {
    Range range;
    std::string text;
    std::vector<double> inside, outside;
  };
  const std::vector<Case> cases = {
      {at_least(1), "1 or more", {1, 1e300}, {0.999, -1, nan, infinity}},
      {more_than(0), "more than 0", {1e-300, 5}, {0, -1, nan, infinity}},
      {at_least(0).at_most(1), "from 0 to 1", {0, 0.5, 1}, {-0.1, 1.1, nan}},
      {at_least(0).less_than(1), "0 or more and less than 1", {0, 0.999}, {1, -1}},
      {more_than(0).at_most(1), "more than 0 and at most 1", {1, 0.1}, {0, 1.1}},
      {more_than(0).less_than(1), "more than 0 and less than 1", {0.1}, {0, 1}},
      {Range(), "", {0, -5, infinity}, {}},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(c.range.text(), c.text);
    for (const double x : c.inside) EXPECT_TRUE(c.range.holds(x)) << c.text << ": " << x;
    for (const double x : c.outside) EXPECT_FALSE(c.range.holds(x)) << c.text << ": " << x;
  }
}

TEST(Option, HelpHasTheRangeTheChoicesAndTheDefaultOfTheVariable) {
  double penalty = 1;
  int parents = 0;
  std::string missing = "error", out;
  std::vector<int> hidden = {512, 512};
  bool quiet = false;
  EXPECT_EQ(help_text({.name = "penalty", .help = "factor", .range = at_least(0)}, penalty),
            "factor (0 or more; default 1)");
  EXPECT_EQ(help_text({.name = "max-parents", .help = "most", .range = at_least(1), .otherwise = "any"}, parents),
            "most (1 or more; default: any)");
  EXPECT_EQ(help_text({.name = "missing", .help = "what to do", .choices = {"error", "drop-rows"}}, missing),
            "what to do: error or drop-rows (default error)");
  EXPECT_EQ(help_text({.name = "hidden", .help = "widths", .range = at_least(1)}, hidden),
            "widths (1 or more; default 512,512)");
  EXPECT_EQ(help_text({.name = "out", .help = "folder"}, out), "folder");
  EXPECT_EQ(help_text({.name = "quiet", .help = "no log"}, quiet), "no log");
}

TEST(Option, WhatIsOutOfRangeOrOfAnotherTypeIsRefusedAndChangesNothing) {
  double penalty = 1;
  int count = 3, low = 1, high = 9;
  uint64_t seed = 7;
  bool learning = true;
  std::string missing = "error";
  std::vector<int> hidden = {8};
  EXPECT_EQ(complaint(penalty, {.name = "penalty", .range = at_least(0)}, -1.0), "--penalty must be 0 or more");
  EXPECT_EQ(complaint(penalty, {.name = "penalty", .range = at_least(0)}, std::nan("")), "--penalty must be 0 or more");
  EXPECT_EQ(complaint(penalty, {.name = "penalty"}, std::string("much")), "--penalty takes a number");
  EXPECT_EQ(complaint(count, {.name = "count", .range = at_least(1)}, int64_t{0}), "--count must be 1 or more");
  EXPECT_EQ(complaint(count, {.name = "count"}, int64_t{1} << 40), "--count takes a whole number");
  EXPECT_EQ(complaint(seed, {.name = "seed"}, int64_t{-1}), "--seed takes a whole number of 0 or more");
  EXPECT_EQ(complaint(missing, {.name = "missing", .choices = {"error", "drop-rows"}}, std::string("dropp-rows")),
            "--missing must be error or drop-rows, not \"dropp-rows\"");
  EXPECT_EQ(complaint(hidden, {.name = "hidden", .range = at_least(1)}, std::vector<std::string>{"4", "0"}),
            "--hidden must be 1 or more");
  EXPECT_EQ(complaint(hidden, {.name = "hidden", .range = at_least(1)}, std::string("wide")),
            "--hidden takes whole numbers");
  EXPECT_EQ(complaint(OptionField::limits(low, high), {.name = "nodes", .value = "LOW,HIGH", .range = at_least(2)},
                      std::vector<std::string>{"5", "4"}),
            "--nodes takes two numbers, the smaller first");
  EXPECT_EQ(penalty, 1);
  EXPECT_EQ(count, 3);
  EXPECT_EQ(seed, 7u);
  EXPECT_EQ(missing, "error");
  EXPECT_EQ(hidden, std::vector<int>{8});
  EXPECT_EQ(complaint(OptionField::off(learning), {.name = "no-learning"}, true), "");
  EXPECT_FALSE(learning);
  EXPECT_EQ(complaint(OptionField::limits(low, high), {.name = "nodes", .range = at_least(2)},
                      std::vector<std::string>{"2", "4"}),
            "");
  EXPECT_EQ(high, 4);
}

TEST(Option, TypedWordsBecomeValues) {
  const Option option{.name = "x", .help = ""};
  EXPECT_EQ(parse_value(option, OptionType::kNumber, "1e-3"), OptionValue(1e-3));
  EXPECT_EQ(parse_value(option, OptionType::kWhole, "-1"), OptionValue(int64_t{-1}));
  EXPECT_EQ(parse_value(option, OptionType::kNatural, "+5"), OptionValue(int64_t{5}));
  EXPECT_EQ(parse_value(option, OptionType::kText, ""), OptionValue(std::string()));
  for (const std::string bad : {"", "five", "5x", "1.5", "- 1", "99999999999999999999"}) {
    EXPECT_THROW(parse_value(option, OptionType::kWhole, bad), UsageError) << bad;
  }
  EXPECT_EQ(parse_value(option, OptionType::kNatural, "-1"), OptionValue(int64_t{-1}));  // refused when it is set
  EXPECT_THROW(parse_value(option, OptionType::kNumber, "1,5"), UsageError);
}

TEST(Option, AWordMayStandInPlaceOfANumber) {
  double penalty = 3;
  bool automatic = false;
  const Option option{.name = "penalty", .help = "factor", .range = at_least(0), .choices = {"auto"}};
  const OptionField field = OptionField::number_or("auto", automatic, penalty, 1);
  EXPECT_EQ(help_text(option, field), "factor (0 or more, or auto; default 3)");
  EXPECT_EQ(parse_value(option, field.type, "auto"), OptionValue(std::string("auto")));
  EXPECT_EQ(parse_value(option, field.type, "2"), OptionValue(2.0));
  set_field(field, option, std::string("auto"));
  EXPECT_TRUE(automatic);
  EXPECT_EQ(penalty, 1);
  EXPECT_EQ(field.read(), OptionValue(std::string("auto")));
  EXPECT_EQ(help_text(option, field), "factor (0 or more, or auto; default auto)");
  EXPECT_EQ(complaint(field, option, std::string("much")), "--penalty takes a number or auto");
  EXPECT_EQ(complaint(field, option, -1.0), "--penalty must be 0 or more");
  EXPECT_TRUE(automatic);
  set_field(field, option, int64_t{2});
  EXPECT_FALSE(automatic);
  EXPECT_EQ(penalty, 2);
  EXPECT_EQ(field.read(), OptionValue(2.0));
}

TEST(Option, EveryValueOutOfRangeIsNamedAtOnce) {
  int longest = 0, batch = 5;
  double rate = -1;
  EXPECT_EQ(out_of_range([&](const Describe& option) {
              option(longest, {.name = "longest", .range = at_least(1)});
              option(batch, {.name = "batch", .range = at_least(1)});
              option(rate, {.name = "rate", .range = more_than(0)});
            }),
            "--longest must be 1 or more; --rate must be more than 0");
}

}  // namespace
}  // namespace agon
