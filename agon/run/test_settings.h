// agon/run/test_settings.h
//
// Options about tests of independence: which test, its level, how many columns it may hold fixed. For the algorithms
// that ask tests (OpponentEntry::tests), refused for others.
#pragma once

#include <string>
#include <vector>

#include "agon/catalog/opponents.h"
#include "agon/catalog/settings.h"

namespace agon {

bool asks_tests(const std::vector<const OpponentEntry*>& algorithms);  // does one of them?

class TestSettings {
 public:
  explicit TestSettings(Settings& settings);

  // What was asked for. UsageError for an option when none of these algorithms asks
  // tests; then the options are not in force either (Settings::in_force).
  TestOptions options(const std::vector<const OpponentEntry*>& algorithms);

 private:
  Settings& settings_;
  TestOptions asked_;
  int max_given_ = -1;
};

}  // namespace agon
