// agon/run/data_settings.h
//
// The DATA argument and the options about reading it, shared by every command that takes a table.
//
//   Settings settings;
//   DataSettings data(settings);              // adds DATA, --rows, --delimiter, ...
//   LoadedData loaded = data.load(log);       // reads; tells the log what was decided and what the doctor found
//   data.missing_policy(); data.draws();      // what the caller is to do about the cells that are still missing
//
// load() itself leaves out incomplete rows, or refuses them, when that is the policy; under any other, gaps stay.
#pragma once

#include <string>
#include <vector>

#include "agon/base/stop.h"
#include "agon/catalog/settings.h"
#include "agon/data/csv.h"
#include "agon/data/dataset.h"
#include "agon/data/experiments.h"
#include "agon/data/missing.h"
#include "agon/report/run_record.h"
#include "agon/run/journal.h"

namespace agon {

struct LoadedData {
  Dataset table;
  DataRecord record;
};

class DataSettings {
 public:
  explicit DataSettings(Settings& settings, Settings::Need need = Settings::kRequired);
  // The options about reading files alone, for a command that takes several; csv_options() is what they say.
  struct FilesAlone {};
  DataSettings(Settings& settings, FilesAlone);
  CsvOptions csv_options() const;

  const std::string& source() const { return source_; }
  void set_source(const std::string& place) { source_ = place; }  // for callers without a command line
  const std::string& folder() const { return folder_; }           // of external data sets
  MissingTreatment missing_policy() const { return missing_treatment(missing_); }
  int draws() const { return draws_; }  // per incomplete row, where gaps are drawn
  void check_draws() const;             // UsageError for --draws where nothing is drawn; load() asks it too
  enum class Findings { kToLog, kSilent };
  // Throws Interrupted when it is interrupted while the table is read or examined. A time limit cuts the findings
  // short.
  LoadedData load(Journal& log, Findings findings = Findings::kToLog, const Watch& watch = {}) const;

 private:
  void declare_source(Settings& settings);
  void declare_format(Settings& settings);
  void declare_gaps(Settings& settings);
  void declare_rows(Settings& settings);
  void declare_columns(Settings& settings);
  void refuse(const std::vector<std::string>& options, const std::string& reason, const std::string& hint) const;
  LoadedData load_embedded(const Watch& watch) const;
  LoadedData load_external_table(const Watch& watch) const;
  LoadedData load_file(Journal& log, const Watch& watch) const;
  LoadedData load_matrix(const Watch& watch) const;
  LoadedData load_summary(const Watch& watch) const;
  ExperimentOptions experiments() const;
  void check_experiments() const;

  const Settings& settings_;
  std::string source_;
  uint64_t rows_ = 0;
  uint64_t data_seed_ = 0;
  bool no_header_ = false, covariance_ = false, spearman_ = false;
  std::string folder_, delimiter_, decimal_, quote_ = "\"", comment_ = "#", missing_ = "auto", data_type_ = "mixed",
                                             exclude_file_, counts_, weights_, targets_, experiment_,
                                             intervention_ = "perfect";
  int draws_ = 10;
  std::vector<std::string> na_, discrete_, continuous_, drop_, within_;
};

}  // namespace agon
