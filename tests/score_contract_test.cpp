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
        parameters += " --" + parameter.option.name + " " + std::to_string(ScoreOptions{}.*parameter.field + 1.5);
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
