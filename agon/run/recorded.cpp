#include "agon/run/recorded.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "agon/base/error.h"
#include "agon/base/suggest.h"
#include "agon/data/bins.h"
#include "agon/data/embedded.h"
#include "agon/data/kinds.h"
#include "agon/score/own_score.h"

namespace agon {
namespace {

const std::vector<std::string> kKnowledgeOptions = {"knowledge", "required", "forbidden"};
const std::set<std::string> kPathOptions = {"knowledge", "required", "forbidden", "exclude-var", "folder"};

// How a user would type a value: "--name=value", once per item of a list.
std::vector<std::string> typed_option(const std::string& name, const OptionValue& value) {
  if (const std::string* text = std::get_if<std::string>(&value)) return {fmt::format("--{}={}", name, *text)};
  std::vector<std::string> words;
  if (const auto* items = std::get_if<std::vector<std::string>>(&value)) {
    for (const std::string& item : *items) words.push_back(fmt::format("--{}={}", name, item));
  }
  return words;
}

const OptionValue* find(const OptionList& options, const std::string& name) {
  const auto at =
      std::find_if(options.begin(), options.end(), [&](const auto& option) { return option.first == name; });
  return at == options.end() ? nullptr : &at->second;
}

// With --experiment, --targets names a file.
bool is_file_of_targets(const std::string& option, const RunRecord& record) {
  if (option != "targets") return false;
  const OptionValue* experiment = find(record.options, "experiment");
  return experiment && *experiment != OptionValue(std::string());
}
// Knowledge that came from Python as values is not in the result, which holds only its counts.
void require_places(const RunRecord& record, const std::string& place) {
  for (const std::string& source : record.knowledge.sources) {
    if (source != KnowledgeStatements().place) continue;
    throw InputError(place, "the run was given background knowledge that stands in no file",
                     "--knowledge FILE says it again: CSV with from,to,type, or a knowledge file of Tetrad");
  }
}
// A result may come from anybody, so no file that it names is opened unless the user names it too.
[[noreturn]] void refuse_path(const std::string& place, const std::string& option, const OptionValue& value) {
  std::string words;
  for (const std::string& word : typed_option(option, value)) words += " " + shell_word(word);
  throw InputError(
      place, fmt::format("the run read what its option --{} names, and paths in a result are not followed", option),
      fmt::format("if it is still there, add{}", words));
}

// Into how many bins that run cut its continuous columns; 0: it did not.
int recorded_bins(const RunRecord& record, const std::string& place) {
  for (const auto& [name, value] : record.options) {
    const int64_t* bins = name == "bins" ? std::get_if<int64_t>(&value) : nullptr;
    if (bins == nullptr || *bins == 0) continue;
    if (*bins < 2 || *bins > 20) throw InputError(place, "\"bins\" is not between 2 and 20");
    return static_cast<int>(*bins);
  }
  return 0;
}

int64_t recorded_number(const RunRecord& record, const std::string& option, int64_t otherwise) {
  for (const auto& [name, value] : record.options) {
    const int64_t* number = name == option ? std::get_if<int64_t>(&value) : nullptr;
    if (number != nullptr) return *number;
  }
  return otherwise;
}

}  // namespace

bool is_about_knowledge(const std::string& option) {
  return std::find(kKnowledgeOptions.begin(), kKnowledgeOptions.end(), option) != kKnowledgeOptions.end();
}

AsRecorded::AsRecorded(const Settings& given, const std::string& source, const RunRecord& record,
                       const std::string& place, Knowing knowing)
    : place_(place), source_(record.data.source), data_(settings_), knowledge_(settings_) {
  const bool knows = std::any_of(kKnowledgeOptions.begin(), kKnowledgeOptions.end(),
                                 [&](const std::string& name) { return given.given(name); });
  if (record.has_knowledge() && !knows && knowing == kWithKnowledge) require_places(record, place);
  data_.set_source(source);
  const OptionList given_now = given.in_force();
  for (const auto& [name, preset] : settings_.in_force()) {
    if (const OptionValue* now = find(given_now, name); now && given.given(name)) {
      settings_.set(name, *now);
      continue;
    }
    if (is_about_knowledge(name) && knowing == kTableAlone) continue;
    const OptionValue* recorded = find(record.options, name);
    if (!recorded || *recorded == preset || !has_effect(name, knows, record.data.summary)) continue;
    if (kPathOptions.contains(name) || is_file_of_targets(name, record)) refuse_path(place, name, *recorded);
    try {
      settings_.set(name, *recorded);
      from_record_ = true;
    } catch (const UsageError& error) {
      throw InputError(place, fmt::format("\"run.options\" cannot be used: {}", error.what()));
    }
  }
}

LoadedData AsRecorded::data(Journal& log) const {
  try {
    return data_.load(log, DataSettings::Findings::kSilent);
  } catch (const UsageError& error) {
    if (!from_record_) throw;
    const std::string reason = error.what();
    throw InputError(
        place_, fmt::format("was made from another table, {}: with the options of that run, {} cannot be read ({})",
                            shown(source_), shown(data_.source()), reason.substr(0, reason.find('\n'))));
  }
}

Knowledge AsRecorded::knowledge(const std::vector<std::string>& names) const {
  knowledge_.check();
  return knowledge_.load(names);
}

// Would a recorded option have an effect on this table? Knowledge given now replaces what the record names.
bool AsRecorded::has_effect(const std::string& option, bool knowledge_is_given, bool summary) const {
  if (option == "on-conflict") return true;
  if (summary && (option == "rows" || option == "covariance" || option == "spearman")) return true;
  if (is_about_knowledge(option)) return !knowledge_is_given;
  if (option == "context" || option == "within" || option == "intervention") return true;
  const bool embedded = is_embedded(data_.source()), about_samples = option == "rows" || option == "data-seed";
  return option == "folder" ? !embedded : about_samples == embedded;
}

const ScoreEntry& recorded_entry(const RunRecord& record, const std::string& place) {
  const std::string& name = record.score.name;
  if (name == kOwnScore) {
    throw InputError(place, "its score is a function that the caller wrote: nothing of it can be derived again");
  }
  const std::vector<std::string> names = score_names();
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    throw InputError(place, fmt::format("\"score.name\" is {}, which cannot be recomputed", quoted(name)),
                     "what can: " + listed(names));
  }
  return score_entry(name);
}

ScoreOptions recorded_options(const ScoreEntry& entry, const RunRecord& record, const std::string& place) {
  ScoreOptions options;
  for (const ScoreParameter& parameter : entry.parameters) {
    for (const auto& [name, value] : record.options) {
      if (name != parameter.option.name) continue;
      try {
        set_field(parameter.field(options), parameter.option, value);
      } catch (const UsageError& error) {
        throw InputError(place, error.what());
      }
    }
  }
  options.priced_edges = options.priced_edges || record.score.edge_price > 0;  // the run may have chosen it
  if (record.score.matrix) {                                                   // and this, by the table
    options.basis = record.score.matrix->basis;
    if (options.basis < 1 || options.basis > 5) throw InputError(place, "\"basis\" is not between 1 and 5");
  }
  return options;
}

MissingPlan recorded_missing(const RunRecord& record, const std::string& place) {
  MissingPlan plan;
  if (record.data.missing.policy.empty()) return plan;
  plan.used = missing_treatment(record.data.missing.policy);
  plan.draws = static_cast<int>(recorded_number(record, "draws", plan.draws));
  plan.seed = record.seed;
  if (plan.draws < 1 || plan.draws > 1000) throw InputError(place, "\"draws\" is not between 1 and 1000");
  return plan;
}

RegimeTreatment recorded_treatment(const RunRecord& record, const Dataset& data, const std::string& place) {
  if (record.score.treatments.empty()) return full_treatment(data);
  for (const TreatmentRecord& treatment : record.score.treatments) {
    for (const bool targets : {false, true}) {
      for (const bool within : {false, true}) {
        const RegimeTreatment known{.targets = targets, .within = within};
        if (treatment.used && treatment.name == to_string(known)) return known;
      }
    }
  }
  throw InputError(place, "\"score.treatments\" does not say which one was used");
}

Dataset converted_as_recorded(Dataset data, const RunRecord& record, const std::string& place) {
  if (const int bins = recorded_bins(record, place); bins > 0) return with_bins(data, bins);
  if (record.score.name == kOwnScore) return data;
  const auto kind = only_kind(recorded_entry(record, place));
  if (!kind) return data;
  std::vector<std::string> notes;
  return with_kind(std::move(data), *kind, notes);
}

void require_same_table(const RunRecord& record, const Dataset& data, const std::string& place) {
  if (data.checksum() == record.data.checksum) return;
  throw InputError(place,
                   fmt::format("was made from another table, {} ({}), or from this one read with other options ({})",
                               shown(record.data.source), record.data.checksum, data.checksum()),
                   "`agon verify RESULT DATA` says where they differ");
}

}  // namespace agon
