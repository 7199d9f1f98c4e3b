// cli/score_args.h
//
// The options that choose a score, shared by the commands that need one.
#pragma once

#include <memory>
#include <string>

#include "agon/score/local_score.h"
#include "cli/binding.h"
#include "cli/console.h"
#include "cli/data_args.h"

namespace agon::cli {

struct ChosenScore {
  std::unique_ptr<LocalScore> score;
  std::string reason;  // why this one, for the reader
};

class ScoreArgs {
 public:
  enum class Purpose { kScoreOnly, kSearch };  // --max-parents exists for searches alone
  ScoreArgs(Binding& binding, Purpose purpose);

  // Checks the options against the score and the table. A score asked for by name may change the kind of columns in
  // `data`, which the log tells. The score looks at the table, so it lives no longer.
  ChosenScore make(LoadedData& data, Log& log) const;
  ScoreOptions options() const {
    return {.penalty = penalty_, .sample_size = sample_size_, .max_parents = max_parents_};
  }

 private:
  const Binding& binding_;
  std::string name_ = "auto";
  double penalty_ = 1, sample_size_ = 10;
  int max_parents_ = 0;
};

}  // namespace agon::cli
