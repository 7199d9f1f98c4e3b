#include "agon/run/test_settings.h"

#include <fmt/format.h>

#include <algorithm>

#include "agon/base/error.h"
#include "agon/base/suggest.h"

namespace agon {

bool asks_tests(const std::vector<const OpponentEntry*>& algorithms) {
  return std::any_of(algorithms.begin(), algorithms.end(), [](const OpponentEntry* entry) { return entry->tests; });
}

TestSettings::TestSettings(Settings& settings, bool alone) : settings_(settings) {
  settings.option(asked_.name, {.name = "test",
                                .value = "NAME",
                                .help = "pc, fci: test of independence: g2 or chi2 for categories, fisher-z (on ranks) "
                                        "or fisher-z-raw (on the values) for numbers, block for both kinds and for "
                                        "missing cells; auto is the first that takes the table",
                                .aliases = {"independence-test"}});
  settings.option(asked_.alpha, {.name = "alpha",
                                 .value = "A",
                                 .help = "pc, fci: level of the tests; a p-value above it means independent",
                                 .range = more_than(0).less_than(1),
                                 .common = alone});
  settings.option(max_given_, {.name = "max-conditioning",
                               .value = "M",
                               .help = "pc, fci: most columns that a test conditions on; -1: no limit; unless given, "
                                       "2 in the second step of fci",
                               .range = at_least(-1),
                               .aliases = {"depth"}});
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
  TestOptions options = asked_;
  if (settings_.given("max-conditioning")) options.max_given = max_given_;
  return options;
}

}  // namespace agon
