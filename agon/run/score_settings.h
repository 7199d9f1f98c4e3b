// agon/run/score_settings.h
//
// The options that choose a score, shared by the commands that need one.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agon/catalog/scores.h"
#include "agon/catalog/settings.h"
#include "agon/run/compare_treatments.h"
#include "agon/run/data_settings.h"
#include "agon/run/journal.h"
#include "agon/run/treatment.h"

namespace agon {

// Makes the certificate's own version of a score.
using PlainMaker = std::function<std::unique_ptr<plain::Scorer>()>;

// The score that agon would have chosen next, to be asked beside the one it chose.
struct NextScore {
  std::string label;  // "copula-bic with penalty 2"
  std::string name;
  ScoreOptions options;
};

struct ChosenScore {
  std::unique_ptr<LocalScore> score;
  std::string reason;  // why this one, for the reader
  PlainMaker make_plain =
      nullptr;                   // for the same table; null: the score is the caller's own and cannot be derived again
  ScoreOptions options = {};     // as the score was made
  MissingPlan missing = {};      // what was done about gaps
  DrawFit fit = {};              // with what, if they were drawn
  TreatmentChoice regimes = {};  // how the rows of experiments are read
  std::optional<NextScore> next = {};  // where the choice was agon's and the study of scores speaks of such rows
  // The table before that: what a resample draws its rows from. Null: the table as it was loaded.
  std::shared_ptr<const LoadedData> untreated = nullptr;
};

// What is to be done about missing cells and about experiments before the search, and with which means.
struct TreatmentRequest {
  MissingTreatment missing = MissingTreatment::kAuto;
  int draws = 10;
  uint64_t seed = 1;
  int threads = 1;
  const Watch* watch = nullptr;
  double seconds = 0;  // the time limit of the run; 0: none. To compare treatments of experiments may take a quarter.
  TreatmentSearch::Effort effort = TreatmentSearch::Effort::kThorough;  // for comparing them
  bool code_text = false;  // a score of numbers takes the codes of categories, where their labels are text
};

class ScoreSettings {
 public:
  enum class Purpose { kScoreOnly, kSearch };  // --max-parents exists only for searches
  ScoreSettings(Settings& settings, Purpose purpose);

  // Checks the options against the score and the table. The table may have to change: columns are converted to the
  // other kind, cut into bins, or their gaps are filled; of experiments only what is used remains. `data` then points
  // to the new table, and the log says so. The score refers to the table, which must outlive it.
  ChosenScore make(std::shared_ptr<const LoadedData>& data, const TreatmentRequest& request, Journal& log) const;
  const ScoreOptions& options() const { return options_; }
  // Those options given that choose a score or set a parameter of one. They have no effect on the caller's own score.
  std::vector<std::string> given() const;

 private:
  void change_kinds(std::shared_ptr<const LoadedData>& data, bool code_text, Journal& log) const;
  const ScoreEntry& entry_for(const Dataset& data) const;
  void refuse_other_parameters(const ScoreEntry& entry) const;

  const Settings& settings_;
  std::string name_ = "auto";
  ScoreOptions options_;
  int bins_ = 0;  // 0: columns are not cut
};

}  // namespace agon
