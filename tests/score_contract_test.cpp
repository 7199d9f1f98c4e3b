// Every score of the catalog through the program: a match is played and certified, and `agon verify` finds that all it
// wrote holds.

#include <gtest/gtest.h>

#include "agon/catalog/scores.h"
#include "tests/program.h"

namespace agon {
namespace {

TEST(ScoreContract, WhatAMatchWritesIsVerified) {
  for (const ScoreEntry& entry : score_entries()) {
    std::vector<std::string> tables;
    if (entry.takes.categorical) tables.push_back("asia");
    if (entry.takes.continuous) tables.push_back("sachs");
    for (const std::string& table : tables) {
      SCOPED_TRACE(entry.name + " on " + table);
      testing::Sandbox box;
      std::string parameters;  // other than the defaults, so that it shows whether they are recorded and read again
      for (const ScoreParameter& parameter : entry.parameters) {
        ScoreOptions defaults;
        const OptionType type = parameter.field(defaults).type;
        const std::string value = type == OptionType::kNumber
                                      ? value_text(std::get<double>(parameter.field(defaults).read()) + 1.5)
                                  : type == OptionType::kWhole ? "2"
                                                               : parameter.option.choices.back();
        parameters += " --" + parameter.option.name + " " + value;
      }
      const testing::Outcome run =
          box.agon("discover " + table + " --rows 300 --moves 1000 --opponent hc --out result --score " + entry.name +
                   parameters);
      ASSERT_EQ(run.code, 0) << run.err;
      const testing::Outcome verified = box.agon("verify result " + table);
      EXPECT_EQ(verified.code, 0) << verified.out << verified.err;
    }
  }
}

}  // namespace
}  // namespace agon
