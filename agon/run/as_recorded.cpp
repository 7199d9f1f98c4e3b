#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "agon/base/error.h"
#include "agon/data/embedded.h"
#include "agon/run/recorded.h"

// The options of a run, read again from its record. Apart from recorded.cpp, which needs none of the settings.
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
    throw InputError(place, "the run was given background knowledge that is in no file",
                     "pass it again with --knowledge FILE: CSV with from,to,type, or a knowledge file of Tetrad");
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

}  // namespace agon
