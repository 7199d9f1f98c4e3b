#include "agon/catalog/options.h"

#include <gtest/gtest.h>

#include <set>

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

}  // namespace
}  // namespace agon
