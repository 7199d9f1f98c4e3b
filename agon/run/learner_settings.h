// agon/run/learner_settings.h
//
// Options of algorithms that train a network on the table, such as rl-bic. An option that none of the algorithms of a
// run reads (OpponentEntry::learns) is refused.
#pragma once

#include <cmath>
#include <vector>

#include "agon/catalog/opponents.h"
#include "agon/catalog/settings.h"

namespace agon {

class LearnerSettings {
 public:
  explicit LearnerSettings(Settings& settings);

  // What was asked for. Options that no algorithm reads are not in force (Settings::in_force), and giving one is a
  // UsageError.
  LearnerOptions options(const std::vector<const OpponentEntry*>& algorithms);

 private:
  Settings& settings_;
  LearnerOptions asked_;
  double bias_ = std::nan("");  // unless given
};

}  // namespace agon
