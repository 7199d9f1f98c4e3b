// agon/catalog/options.h
//
// Every option of the command line, described once: --help, the suggestions for a mistyped option and the provenance in
// result.json are made from this table. The spellings causal-cmd uses are aliases, so its scripts move over.
//
//   const OptionEntry& o = option_entry("penalty");
//   o.value;      // "C"
//   o.aliases;    // {"penaltyDiscount"}
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace agon {

enum class OptionGroup { kData, kSearch, kChallenger, kTraining, kResources, kOutput };
const char* to_string(OptionGroup group);  // the heading in --help

struct OptionEntry {
  std::string name;   // long spelling without dashes; the key in result.json
  std::string value;  // what stands for the value in --help; empty: a flag
  OptionGroup group;
  std::string help;                       // meaning, range, default
  std::vector<std::string> aliases = {};  // other spellings: one letter is a short option
};

const std::vector<OptionEntry>& option_entries();
const OptionEntry& option_entry(std::string_view name);  // the name must be in the table

}  // namespace agon
