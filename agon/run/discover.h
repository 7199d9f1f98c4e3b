// agon/run/discover.h
//
// The two kinds of runs, with their own options: a match (`agon discover`) and one algorithm alone (`agon run`).
//
//   Settings settings;
//   DiscoverSettings discover(settings);     // --opponent, --moves, --challenger, ... and all of search.h
//   settings.set("opponent", std::string("ges"));
//   KeptJournal log;
//   Found found = discover.run({.data = data}, "", {}, log);
#pragma once

#include <string>
#include <vector>

#include "agon/catalog/opponents.h"
#include "agon/run/challenger_settings.h"
#include "agon/run/checkpoint_settings.h"
#include "agon/run/search.h"
#include "agon/run/test_settings.h"

namespace agon {

// Called when everything was read and checked, before the search: a front end that writes files makes their folder.
using BeforeSearch = std::function<void(const Prepared&)>;

class DiscoverSettings {
 public:
  explicit DiscoverSettings(Settings& settings);
  const SearchSettings& search() const { return search_; }
  Found run(GivenInput given, const std::string& command, const Watch& watch, Journal& log,
            const BeforeSearch& before = nullptr);

 private:
  std::vector<const OpponentEntry*> chosen_opponents(bool own_score) const;
  std::string why_so(const MatchOptions& options, int columns) const;

  const Settings& settings_;
  SearchSettings search_;
  std::vector<std::string> opponents_;
  std::string prune_ = "none";
  TestSettings test_;
  ChallengerSettings challenger_;
  CheckpointSettings checkpoint_;
};

class RunSettings {
 public:
  explicit RunSettings(Settings& settings) : settings_(settings), search_(settings), test_(settings) {}
  const SearchSettings& search() const { return search_; }
  Found run(const std::string& algorithm, GivenInput given, const std::string& command, const Watch& watch,
            Journal& log, const BeforeSearch& before = nullptr);

 private:
  const Settings& settings_;
  SearchSettings search_;
  TestSettings test_;
};

}  // namespace agon
