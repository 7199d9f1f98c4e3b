#include "agon/data/column_plan.h"

#include <fmt/format.h>

#include <string_view>
#include <unordered_map>

#include "agon/base/error.h"
#include "agon/base/suggest.h"
#include "agon/base/text.h"

namespace agon {

ColumnPlan plan_columns(const std::vector<std::string>& names, const CsvOptions& options) {
  std::unordered_map<std::string_view, size_t> index;
  for (size_t k = 0; k < names.size(); ++k) index.emplace(names[k], k);
  std::vector<std::string> option_of(names.size());
  const auto usual = !options.kind                               ? ColumnBuilder::Wish::kInfer
                     : *options.kind == ColumnKind::kCategorical ? ColumnBuilder::Wish::kLabels
                                                                 : ColumnBuilder::Wish::kNumbers;
  ColumnPlan plan;
  plan.wish.assign(names.size(), usual);
  plan.is_variable.assign(names.size(), true);
  const auto find = [&](const std::string& name, const std::string& option) {
    const auto it = index.find(name);
    if (it == index.end()) {
      const std::string near = did_you_mean(name, names);
      std::string hint = near.empty() ? "its columns are " + listed(names) : near;
      if (option == "--targets" && name.ends_with(".csv")) {
        hint = "a file of targets goes with --experiment NAME, the column that says which experiment a row comes from";
      }
      throw UsageError(fmt::format("{}: the table has no column {}", option, quoted(name)), hint);
    }
    std::string& before = option_of[it->second];
    if (!before.empty() && before != option) {
      throw UsageError(fmt::format("column {} is named in both {} and {}", quoted(name), before, option),
                       "name it in one of them");
    }
    before = option;
    return it->second;
  };
  for (const std::string& name : options.drop) plan.is_variable[find(name, "--drop")] = false;
  for (const std::string& name : options.discrete) {
    plan.wish[find(name, "--discrete")] = ColumnBuilder::Wish::kLabels;
  }
  for (const std::string& name : options.continuous) {
    plan.wish[find(name, "--continuous")] = ColumnBuilder::Wish::kNumbers;
  }
  if (!options.counts.empty() && !options.weights.empty()) {
    throw UsageError("--counts and --weights cannot be used together",
                     "multiply them into one column, and name that in --weights");
  }
  if (!options.counts.empty()) plan.weights = find(options.counts, "--counts");
  if (!options.weights.empty()) plan.weights = find(options.weights, "--weights");
  if (plan.weights != kNoColumn) plan.is_variable[plan.weights] = false;
  const ExperimentOptions& experiments = options.experiments;
  if (!experiments.experiment.empty()) plan.labels.push_back(find(experiments.experiment, "--experiment"));
  if (!experiments.targets.empty() && !experiments.targets_in_file()) {
    plan.labels.push_back(find(experiments.targets, "--targets"));
  }
  for (const std::string& name : experiments.within) plan.labels.push_back(find(name, "--within"));
  for (size_t k : plan.labels) plan.is_variable[k] = false;
  for (const std::string& option : option_of) plan.is_named.push_back(!option.empty());
  return plan;
}

bool is_index_name(const std::string& name) {
  const std::string plain = lower(name);
  return plain == "unnamed: 0" || plain == "rownames" || plain == "index";
}

}  // namespace agon
