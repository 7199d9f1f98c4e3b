#include "agon/report/table.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "agon/report/progress.h"

namespace agon {
namespace {

TEST(Table, LinesUpByLettersNotBytes) {
  Table table({"name", ">value"});
  table.row({"größe", "1"});
  table.row({"x", "10.5"});
  EXPECT_EQ(table.text(), "name   value\ngröße      1\nx       10.5\n");
}

// Letters on the longest line.
size_t longest(const std::string& text) {
  size_t most = 0, now = 0;
  for (const char c : text) {
    if (c == '\n') now = 0;
    if (c != '\n' && (static_cast<unsigned char>(c) & 0xC0) != 0x80) most = std::max(most, ++now);
  }
  return most;
}

TEST(Table, FitsTheWidthAskedFor) {
  Table table({"name", ">value", "~story"});
  table.row({"a_very_long_name_of_a_column", "-12345.678", "what happened then, and what happened after that"});
  table.row({"x", "1", "nothing"});
  const std::string wide = table.text();
  EXPECT_EQ(std::count(wide.begin(), wide.end(), '\n'), 3);
  EXPECT_EQ(table.text({.width = 200}), wide);
  const std::string wrapped = table.text({.width = 70});
  EXPECT_LE(longest(wrapped), 70u);
  EXPECT_NE(wrapped.find("a_very_long_name_of_a_column"), std::string::npos);  // lines are broken before names are cut
  EXPECT_EQ(std::count(wrapped.begin(), wrapped.end(), '\n'), 4);
  const std::string narrow = table.text({.width = 50});
  EXPECT_LE(longest(narrow), 50u);
  EXPECT_NE(narrow.find("a_very_l…"), std::string::npos) << narrow;
  EXPECT_NE(narrow.find("-12345.678"), std::string::npos);  // numbers are never cut
  EXPECT_EQ(shortened("größenordnung", 7), "grö…ung");
  EXPECT_EQ(shortened("abc", 3), "abc");
  EXPECT_EQ(agon::wrapped("one two three four five six", {.width = 20}, "  ", 2),
            "  one two three four\n    five six\n");
}

TEST(Table, SpellsSentencesAsAskedBeforeItBreaksThem) {
  const auto spelling = [](std::string_view text) { return std::string(text) + " indeed"; };
  Table table({"name", "~story"});
  table.row({"x", "all is well"});
  EXPECT_EQ(table.text({.spelling = spelling}), "name  story indeed\nx     all is well indeed\n");
  EXPECT_EQ(agon::wrapped("one two three four", {.width = 22, .spelling = spelling}), "one two three four\nindeed\n");
}

TEST(Table, ColoursOnlyWhenAsked) {
  Table table({"a", ">b"});
  table.row({{"good", Tone::kGood}, {"1", Tone::kStrong}});
  table.row({"fine", "10"});
  EXPECT_EQ(table.text(), "a      b\ngood   1\nfine  10\n");
  EXPECT_EQ(table.text({.colour = true}),
            "\033[2ma\033[0m      \033[2mb\033[0m\n\033[32mgood\033[0m   \033[1m1\033[0m\nfine  10\n");
}

TEST(ProgressLine, SaysWhatIsKnown) {
  EXPECT_EQ(progress_line({"play", 5000, 12, -71.5, 2.25, 9000, "move"}, 1.2, 58.8),
            "play: 5,000 of 9,000 moves, 12 edges, best -71.500, gain +2.250, 1.2 s, 58.8 s left");
  EXPECT_EQ(progress_line({"ges, forward", 1, 1, -2}, 0.5), "ges, forward: 1 step, 1 edge, best -2.000, 500 ms");
  EXPECT_EQ(progress_line({"bootstrap", 3, -1, 0, {}, 200, "resample"}, 2), "bootstrap: 3 of 200 resamples, 2 s");
}

}  // namespace
}  // namespace agon
