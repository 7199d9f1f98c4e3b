#include "agon/run/front_end.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>

namespace agon {
namespace {

TEST(AsPython, ShowsOptionsAsArguments) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"--missing drop-rows would keep the 7 complete rows", "missing=\"drop-rows\" would keep the 7 complete rows"},
      {"leave columns out with --drop NAMES or --exclude-var FILE",
       "leave columns out with drop=[...] or exclude_var=..."},
      {"Pass --drop NAME to leave them out.", "Pass drop=[...] to leave them out."},
      {"if \"O\" marks a missing value, pass --na O; if \"a\" holds labels, pass --discrete a",
       "if \"O\" marks a missing value, pass na=[\"O\"]; if \"a\" holds labels, pass discrete=[\"a\"]"},
      {"leave it out with --drop 'blood pressure'.", "leave it out with drop=[\"blood pressure\"]."},
      {"or leave the fewer out with --drop a,b.", "or leave the fewer out with drop=[\"a\", \"b\"]."},
      {"with --drop 'a b,c d'.", "with drop=[\"a b\", \"c d\"]."},
      {"with --drop '\"a,b\",c'.", "with drop=[\"a,b\", \"c\"]."},
      {"pass --no-header if the first line is data", "pass no_header=True if the first line is data"},
      {"--no-learning has no effect", "no_learning has no effect"},
      {"--penalty must be 0 or more", "penalty must be 0 or more"},
      {"its prior is set by --ess", "its prior is set by ess"},
      {"--lambda has no effect on the challenger local", "lambda_ has no effect on the challenger local"},
      {"alone with --challenger local --players 1", "alone with challenger=\"local\", players=1"},
      {"at most 2,000 moves, --moves or --time-limit changes that",
       "at most 2,000 moves, moves or time_limit changes that"},
      {"omit --opponent, or add file to it", "omit opponent, or add file to it"},
      {"--opponent names ges twice", "opponent names ges twice"},
      {"there is no option \"--penality\"\n  hint: did you mean penalty?",
       "there is no option \"penality\"\n  hint: did you mean penalty?"},
      {"let what is required win: --on-conflict required", "let what is required win: on_conflict=\"required\""},
      {"see `agon list scores`", "see `agon.list_scores()`"},
      {"see agon list datasets", "see agon.datasets.list_all()"},
      {"the algorithm file needs --start GRAPH", "the algorithm file needs start=..."},
      {"cells are separated by comma; pass --delimiter if that is wrong",
       "cells are separated by comma; pass delimiter if that is wrong"},
      {"a --> b, b --- c, c --o d", "a --> b, b --- c, c --o d"},
      {"a well-known file, my--file.csv", "a well-known file, my--file.csv"},
      {"", ""},
      {"--draws has no effect: --missing level draws nothing", "draws has no effect: missing=\"level\" draws nothing"},
      {"pass --missing draws, or a score such as --score mixed-bic",
       "pass missing=\"draws\", or a score such as score=\"mixed-bic\""},
      {"--counts and --weights cannot be used together", "counts and weights cannot be used together"},
      {"--counts names a column that says how often", "counts names a column that says how often"},
      {"--counts n would expand them", "counts=\"n\" would expand them"},
      {"--covariance needs --rows N", "covariance needs rows=..."},
      {"the graph of --start as it is", "the graph of start as it is"},
      {"The 40 strongest of 60 edges; --verbose lists all, --out DIR writes them.",
       "The 40 strongest of 60 edges; summary(full=True) lists all, edges_ holds them."},
  };
  for (const auto& [typed, python] : cases) EXPECT_EQ(as_python(typed), python);
}

// Whatever the program says, no option in the style of the command line remains.
TEST(AsPython, LeavesNoOptionOfTheTranscripts) {
  const std::regex option("--[a-z]{2}");
  int lines = 0;
  for (const auto& entry : std::filesystem::directory_iterator(AGON_SOURCE_DIR "/tests/transcripts")) {
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with("$ ")) continue;
      lines += std::regex_search(line, option);
      EXPECT_FALSE(std::regex_search(as_python(line), option)) << line << "\n" << as_python(line);
    }
  }
  EXPECT_GT(lines, 30);
}

}  // namespace
}  // namespace agon
