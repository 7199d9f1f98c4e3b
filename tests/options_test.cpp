// The options as the program shows them and as it refuses them, against their declarations.

#include <gtest/gtest.h>

#include <algorithm>

#include "agon/base/error.h"
#include "agon/run/request.h"
#include "tests/program.h"
#include "tests/results.h"

namespace agon {
namespace {

namespace fs = std::filesystem;
using testing::contains;
using testing::Outcome;
using testing::Sandbox;

std::string read_file(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

TEST(OptionsPage, IsWhatTheProgramPrints) {
  const fs::path path = AGON_SOURCE_DIR "/docs/options.md";
  const std::string page = Sandbox().agon("list options").out;
  EXPECT_PRED2(contains, page, "`--penalty C`");
  if (std::getenv("AGON_REGEN") != nullptr) std::ofstream(path, std::ios::binary) << page;
  EXPECT_TRUE(read_file(path) == page) << "docs/options.md is out of date; tools/regen rewrites it";
}

// One number below its range and one above, refused in the same words by the command line and by a program's call.
TEST(OptionsCli, RefusesWhatSettingsRefuseInTheSameWords) {
  Settings known;
  const RunRequest names(known, RunRequest::Kind::kMatch);
  Sandbox box;
  int refused = 0;
  for (const auto& bound : known.all()) {
    const Option& option = bound->option;
    const bool number = bound->type != OptionType::kText && bound->type != OptionType::kTexts;
    for (const double x : {-2.0, 1e9}) {
      if (!number || !option.range.stated() || option.range.holds(x)) continue;
      OptionValue value = x;
      if (bound->type != OptionType::kNumber) value = static_cast<int64_t>(x);
      Settings settings;
      const RunRequest discover(settings, RunRequest::Kind::kMatch);
      std::string said;
      try {
        settings.set(option.name, value);
      } catch (const UsageError& error) {
        said = error.what();
      }
      ASSERT_NE(said, "") << option.name;
      const Outcome out = box.agon("discover asia --" + option.name + "=" + value_text(value));
      EXPECT_EQ(out.code, 2) << option.name;
      EXPECT_EQ(out.err, "agon: " + said + "\n");
      ++refused;
    }
  }
  EXPECT_GT(refused, 25);
}

TEST(OptionsCli, HelpShowsTheCommonOnesAndHelpAllTheRest) {
  Settings settings;
  const RunRequest discover(settings, RunRequest::Kind::kMatch);
  Sandbox box;
  const std::string some = box.agon("discover --help").out, all = box.agon("discover --help-all").out;
  for (const auto& bound : settings.all()) {
    const std::string line = "\n  --" + bound->option.name + (bound->option.value.empty() ? "" : " ");
    EXPECT_PRED2(contains, all, line);
    EXPECT_EQ(some.find(line) != std::string::npos, bound->option.common) << bound->option.name;
  }
  EXPECT_PRED2(contains, some, "more options: agon discover --help-all");
  EXPECT_EQ(all.find("more options"), std::string::npos);
  EXPECT_EQ(box.agon("sample --help").out.find("--help-all"), std::string::npos);
}

// Those that people use, beside --help and --help-all themselves. For one more, another must go.
TEST(OptionsCli, HelpShowsTwenty) {
  Sandbox box;
  for (const std::string command : {"discover", "run"}) {
    std::istringstream lines(box.agon(command + " --help").out);
    int shown = 0;
    for (std::string line; std::getline(lines, line);) {
      const bool is_option = line.starts_with("  --") || (line.starts_with("  -") && line.substr(4, 4) == ", --");
      shown += is_option && line.find(" --help") == std::string::npos;
    }
    EXPECT_EQ(shown, 20) << command;
  }
}

}  // namespace
}  // namespace agon
