#include "agon/catalog/options.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

namespace agon {
namespace {

TEST(Options, EachIsDescribedAndSpelledOnce) {
  std::set<std::string> spellings;
  for (const OptionEntry& entry : option_entries()) {
    EXPECT_FALSE(entry.help.empty()) << entry.name;
    EXPECT_TRUE(spellings.insert(entry.name).second) << entry.name;
    for (const std::string& alias : entry.aliases) EXPECT_TRUE(spellings.insert(alias).second) << alias;
    EXPECT_EQ(&option_entry(entry.name), &entry);
  }
}

// docs/options.md is this table; tools/regen writes it anew.
TEST(Options, ThePageOfTheDocsIsTheTable) {
  std::string page =
      "# Options\n\nEvery option of the command line, made from `agon/catalog/options.cpp`; `agon COMMAND --help` says "
      "which\nof them a command takes. Other spellings are accepted too, those of causal-cmd among them.\n";
  for (const OptionGroup group : {OptionGroup::kData, OptionGroup::kSearch, OptionGroup::kChallenger,
                                  OptionGroup::kTraining, OptionGroup::kResources, OptionGroup::kOutput}) {
    page += std::string("\n## ") + to_string(group) + "\n\n| option | meaning | other spellings |\n|---|---|---|\n";
    for (const OptionEntry& entry : option_entries()) {
      if (entry.group != group) continue;
      page += "| `--" + entry.name + (entry.value.empty() ? "" : " " + entry.value) + "` | ";
      for (const char c : entry.help) page += c == '|' ? std::string("\\|") : std::string(1, c);
      page += " |";
      for (const std::string& alias : entry.aliases) page += (alias.size() == 1 ? " `-" : " `--") + alias + "`";
      page += " |\n";
    }
  }
  const std::string path = AGON_SOURCE_DIR "/docs/options.md";
  if (std::getenv("AGON_REGEN") != nullptr) std::ofstream(path, std::ios::binary) << page;
  std::ostringstream written;
  written << std::ifstream(path, std::ios::binary).rdbuf();
  EXPECT_TRUE(written.str() == page) << "docs/options.md is out of date; tools/regen writes it anew";
}

}  // namespace
}  // namespace agon
