// agon/run/challenger_settings.h
//
// Options about who plays the match and how: the challenger, its proposal, every hyper-parameter.
#pragma once

#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "agon/catalog/settings.h"
#include "agon/match/match.h"

namespace agon {

class ChallengerSettings {
 public:
  explicit ChallengerSettings(Settings& settings);

  // Fills in what was asked for. UsageError for a value out of range, and for an option that has no effect on the
  // challenger chosen. Afterwards the options in force are those of that challenger (Settings::in_force).
  void fill(MatchOptions& options);

 private:
  // The fields an option may act on, each with whether the challenger chosen has it.
  template <class T>
  using Fields = std::initializer_list<std::pair<bool, std::type_identity_t<T>*>>;
  template <class T>
  void apply(const std::string& name, T& given, Fields<T> all);
  void apply_hidden(Fields<std::vector<int>> fields);

  Settings& settings_;
  std::string chosen_;  // in words, for messages

  std::string challenger_ = "auto", proposal_ = "trained";
  bool no_learning_ = false, fixed_length_ = false, fixed_start_ = false;
  int moves_ = -1, patience_ = -1, round_moves_ = 0, players_ = 0, edge_budget_ = 0;
  double lambda_ = 0, step_cost_ = 0;
  int longest_ = 0, return_after_ = 0, candidates_ = 0;
  double temperature_ = 0, locality_ = 0, sharpness_ = 0, uniform_share_ = 0, delta_temperature_ = 0;
  int episode_moves_ = 0, batch_ = 0, train_every_ = 0, replay_ = 0, epsilon_steps_ = 0;
  double discount_ = 0, target_rate_ = 0, learning_rate_ = 0, future_bound_ = 0, value_temperature_ = 0;
  double epsilon_ = 0, epsilon_floor_ = 0;
  std::vector<std::string> hidden_;
};

// Widths from texts; UsageError names the option.
std::vector<int> parse_widths(const std::vector<std::string>& texts);

}  // namespace agon
