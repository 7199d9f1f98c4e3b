// agon/run/recorded.h
//
// What a run did, taken from its record: how to read its table and its knowledge again, which score it used with which
// options, what it did about missing cells and experiments. For whatever works on a result and its table later
// (`agon verify`, `agon effect`).
//
//   const AsRecorded run(settings, "my.csv", record, "result.json");
//   LoadedData data = run.data(log);                        // read with the options of that run
//   data.table = converted_as_recorded(data.table, record, "result.json");
//   require_same_table(record, data.table, "result.json");
//
// A result may come from anybody, so no file that it names is opened unless the user names it too.
#pragma once

#include <string>
#include <vector>

#include "agon/catalog/scores.h"
#include "agon/data/experiments.h"
#include "agon/graph/knowledge.h"
#include "agon/report/run_record.h"
#include "agon/run/data_settings.h"
#include "agon/run/knowledge_settings.h"
#include "agon/run/treatment.h"

namespace agon {

// Reads the table and the knowledge as the run did, with the options in its record; options given now take precedence.
class AsRecorded {
 public:
  enum Knowing { kWithKnowledge, kTableAlone };  // whether the knowledge of the run is needed, and its files asked for
  // `given` are the options of the caller; those about data and knowledge count.
  AsRecorded(const Settings& given, const std::string& source, const RunRecord& record, const std::string& place,
             Knowing knowing = kWithKnowledge);

  // An option of the record that names a column the table lacks says that it is another table.
  LoadedData data(Journal& log) const;
  Knowledge knowledge(const std::vector<std::string>& names) const;

 private:
  bool has_effect(const std::string& option, bool knowledge_is_given, bool summary) const;

  std::string place_, source_;
  bool from_record_ = false;  // some option is
  Settings settings_;
  DataSettings data_;
  KnowledgeSettings knowledge_;
};

bool is_about_knowledge(const std::string& option);  // --knowledge, --required, --forbidden

// InputError when the score is a function of the caller, or is not known.
const ScoreEntry& recorded_entry(const RunRecord& record, const std::string& place);
// The parameters of the score in that run. A parameter that the record does not hold had its default.
ScoreOptions recorded_options(const ScoreEntry& entry, const RunRecord& record, const std::string& place);
// What that run did about missing cells.
MissingPlan recorded_missing(const RunRecord& record, const std::string& place);
// How that run read the rows of experiments; as they are, where there was nothing to choose.
RegimeTreatment recorded_treatment(const RunRecord& record, const Dataset& data, const std::string& place);

// The table with the kinds of columns that the run gave it for its score: numbers cut into bins, or the like.
Dataset converted_as_recorded(Dataset data, const RunRecord& record, const std::string& place);

// InputError unless it is the table of the record, by its checksum. `data` has been converted.
void require_same_table(const RunRecord& record, const Dataset& data, const std::string& place);

}  // namespace agon
