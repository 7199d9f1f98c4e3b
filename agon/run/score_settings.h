// agon/run/score_settings.h
//
// The options that choose a score, shared by the commands that need one.
#pragma once

#include <memory>
#include <string>

#include "agon/catalog/settings.h"
#include "agon/run/data_settings.h"
#include "agon/run/journal.h"
#include "agon/score/local_score.h"

namespace agon {

struct ChosenScore {
  std::unique_ptr<LocalScore> score;
  std::string reason;  // why this one, for the reader
};

class ScoreSettings {
 public:
  enum class Purpose { kScoreOnly, kSearch };  // --max-parents exists for searches alone
  ScoreSettings(Settings& settings, Purpose purpose);

  // Checks the options against the score and the table. A score asked for by name may want columns to be of the other
  // kind: `data` is then another table, and the log tells. The score looks at the table, so it lives no longer.
  ChosenScore make(std::shared_ptr<const LoadedData>& data, Journal& log) const;
  ScoreOptions options() const { return {.penalty = penalty_, .ess = ess_, .max_parents = max_parents_}; }

 private:
  const Settings& settings_;
  std::string name_ = "auto";
  double penalty_ = 1, ess_ = 10;
  int max_parents_ = 0;
};

}  // namespace agon
