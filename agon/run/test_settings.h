// agon/run/test_settings.h
//
// Options about tests of independence: which test, its significance level, how many columns it may condition on. They
// are for algorithms that use tests (OpponentEntry::tests) and refused for others.
#pragma once

#include <string>
#include <vector>

#include "agon/catalog/opponents.h"
#include "agon/catalog/settings.h"

namespace agon {

bool asks_tests(const std::vector<const OpponentEntry*>& algorithms);  // does any of them use tests?

class TestSettings {
 public:
  // `alone`: for `agon run`, whose short --help shows the level of the tests.
  TestSettings(Settings& settings, bool alone);

  // What was asked for. When none of these algorithms uses tests, the options are not in force (Settings::in_force),
  // and giving one is a UsageError.
  TestOptions options(const std::vector<const OpponentEntry*>& algorithms);

 private:
  Settings& settings_;
  TestOptions asked_;
  int max_given_ = -1;
};

}  // namespace agon
