// agon/agent/challengers.h
//
// The challengers by name: --challenger, `agon list challengers`, the options about play and the tests over all
// challengers read this table, and adding a challenger is adding an entry to it.
//
//   ChallengerOptions options = challenger_entry("local").defaults;
//   options.local.longest = 10;
//   std::vector<Arm> arms = make_arms(options);
//   arms[0].name;                               // "local trained learning"
//
// A challenger may consist of several that compete for the budget (`auto`). An option sets the field of that name in
// the challenger that plays; if two competitors have such a field, it sets that of the first.
#pragma once

#include <any>
#include <string>
#include <vector>

#include "agon/agent/arms.h"
#include "agon/agent/flat.h"
#include "agon/agent/local.h"
#include "agon/agent/paper.h"
#include "agon/base/maturity.h"
#include "agon/base/option.h"

namespace agon {

struct ChallengerOptions {
  std::string name = "auto";  // of the entry
  LocalOptions local = {};
  FlatOptions flat = {};
  PaperOptions paper = {};
  std::any own = {};  // options of a challenger without a field above; its defaults put them here
};

struct ChallengerEntry {
  std::string name;
  std::string summary;
  std::string source;
  Maturity maturity;
  std::vector<std::string> competitors;  // the challengers whose options it takes; empty: it has its own
  ChallengerOptions defaults;            // `name` included
  void (*describe)(ChallengerOptions& options, GameOptions& game, const Describe& option);
  void (*check)(const ChallengerOptions& options);             // UsageError for values out of range or in conflict
  std::vector<Arm> (*arms)(const ChallengerOptions& options);  // what plays: at least one
};

const std::vector<ChallengerEntry>& challenger_entries();
const ChallengerEntry& challenger_entry(const std::string& name);  // UsageError with a suggestion when there is none

std::vector<Arm> make_arms(const ChallengerOptions& options);  // of the entry that the options name

// An option of challengers as a user sees it: declared by each challenger that has it, shown once.
struct ChallengerOption {
  Option option;  // has a range only if all owners agree on it
  OptionType type;
  std::string help;                 // meaning, range and default for each owner
  std::vector<std::string> owners;  // the challengers that have it
};
std::vector<ChallengerOption> challenger_options();  // in the order in which they are described

}  // namespace agon
