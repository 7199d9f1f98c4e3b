#include "agon/run/test_settings.h"

#include <fmt/format.h>

#include <algorithm>

#include "agon/base/error.h"
#include "agon/base/suggest.h"

namespace agon {

bool asks_tests(const std::vector<const OpponentEntry*>& algorithms) {
  return std::any_of(algorithms.begin(), algorithms.end(), [](const OpponentEntry* entry) { return entry->tests; });
}

TestSettings::TestSettings(Settings& settings) : settings_(settings) {
  settings.value("test", asked_.name);
  settings.value("alpha", asked_.alpha);
  settings.value("max-conditioning", max_given_);
}

TestOptions TestSettings::options(const std::vector<const OpponentEntry*>& algorithms) {
  if (!asks_tests(algorithms)) {
    std::vector<std::string> chosen, others;
    for (const OpponentEntry* entry : algorithms) chosen.push_back(entry->name);
    for (const OpponentEntry& entry : opponent_entries()) {
      if (entry.tests) others.push_back(entry.name);
    }
    for (const std::string option : {"test", "alpha", "max-conditioning"}) {
      if (settings_.given(option)) {
        throw UsageError(fmt::format("--{} has no effect on {}", option, listed(chosen)),
                         "it belongs to algorithms that test independences: " + listed(others));
      }
      settings_.leave_out(option);
    }
    return {};
  }
  if (!(asked_.alpha > 0 && asked_.alpha < 1)) throw UsageError("--alpha must be more than 0 and less than 1");
  if (max_given_ < -1) throw UsageError("--max-conditioning must be 0 or more, or -1 for no limit");
  TestOptions options = asked_;
  if (settings_.given("max-conditioning")) options.max_given = max_given_;
  return options;
}

}  // namespace agon
