#include "agon/catalog/options.h"

namespace agon {

Option seed_option() {
  return {.name = "seed",
          .value = "N",
          .help = "seed of everything random: the same seed gives the same answer",
          .range = at_least(0),
          .common = true};
}

Option threads_option() {
  return {.name = "threads",
          .value = "N",
          .help = "threads to use; the answer does not depend on it",
          .range = at_least(1),
          .otherwise = "all cores",
          .common = true};
}

Option folder_option() {
  return {.name = "folder",
          .value = "DIR",
          .group = OptionGroup::kData,
          .help = "folder of a data set that must be obtained first (dream4, see `agon list datasets`)"};
}

Option out_option(const std::string& help) {
  return {.name = "out", .value = "DIR", .group = OptionGroup::kOutput, .help = help, .common = true};
}

Option output_option(const std::string& otherwise) {
  return {.name = "output",
          .value = "FILE",
          .group = OptionGroup::kOutput,
          .help = "file to write to, - is standard output",
          .otherwise = otherwise,
          .aliases = {"o"},
          .common = true};
}

Option json_option() {
  return {.name = "json",
          .group = OptionGroup::kOutput,
          .help = "print the result as JSON instead of text",
          .common = true};
}

Option quiet_option() {
  return {.name = "quiet",
          .group = OptionGroup::kOutput,
          .help = "log nothing but warnings to stderr",
          .aliases = {"q"},
          .common = true};
}

Option verbose_option() {
  return {.name = "verbose",
          .group = OptionGroup::kOutput,
          .help = "print every edge, every choice with its reason, and how the search went",
          .aliases = {"v"},
          .common = true};
}

}  // namespace agon
