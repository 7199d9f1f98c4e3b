// agon/run/score_settings.h
//
// The options that choose a score, shared by the commands that need one.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "agon/catalog/scores.h"
#include "agon/catalog/settings.h"
#include "agon/run/data_settings.h"
#include "agon/run/journal.h"

namespace agon {

// Makes the certificate's own version of a score.
using PlainMaker = std::function<std::unique_ptr<plain::Scorer>()>;

struct ChosenScore {
  std::unique_ptr<LocalScore> score;
  std::string reason;  // why this one, for the reader
  PlainMaker make_plain =
      nullptr;  // of the same table; null: the score is the caller's own, nobody can derive it again
};

class ScoreSettings {
 public:
  enum class Purpose { kScoreOnly, kSearch };  // --max-parents exists for searches alone
  ScoreSettings(Settings& settings, Purpose purpose);

  // Checks the options against the score and the table. A score asked for by name may want columns to be of the other
  // kind: `data` is then another table, and the log tells. The score looks at the table, so it lives no longer.
  ChosenScore make(std::shared_ptr<const LoadedData>& data, Journal& log) const;
  const ScoreOptions& options() const { return options_; }
  // The options given that choose a score or set a parameter of one: without effect on a score of the caller's own.
  std::vector<std::string> given() const;

 private:
  void refuse_other_parameters(const ScoreEntry& entry) const;

  const Settings& settings_;
  std::string name_ = "auto";
  ScoreOptions options_;
};

}  // namespace agon
