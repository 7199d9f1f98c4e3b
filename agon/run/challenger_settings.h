// agon/run/challenger_settings.h
//
// Options about who plays the match and how: the challenger, and the options that challengers declare themselves
// (ChallengerEntry::describe).
#pragma once

#include <string>

#include "agon/catalog/settings.h"
#include "agon/match/match.h"

namespace agon {

class ChallengerSettings {
 public:
  explicit ChallengerSettings(Settings& settings);

  // Fills in what was asked for. UsageError for a value out of range, and for an option that has no effect on the
  // chosen challenger. Afterwards the options in force (Settings::in_force) are those of that challenger.
  void fill(MatchOptions& options);

 private:
  void refuse_without_effect(const ChallengerEntry& entry, const OptionList& acting, const std::string& chosen) const;

  Settings& settings_;
  MatchOptions asked_;
};

}  // namespace agon
