#include "agon/data/experiments.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "agon/base/error.h"
#include "agon/base/suggest.h"
#include "agon/base/text.h"
#include "agon/data/csv.h"
#include "agon/data/records.h"
#include "agon/data/text_file.h"

namespace agon {
namespace {

bool contains(const std::vector<std::string>& list, const std::string& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

bool is_observation(const std::string& cell) {
  static const std::vector<std::string> markers = CsvOptions().missing;
  return lower(cell) == "none" || cell == "-" || contains(markers, cell);
}

// The targets that a file gives to each experiment, and what is odd about it.
std::map<std::string, std::vector<std::string>> targets_by_experiment(const std::vector<ExperimentTargets>& file,
                                                                      const Column& experiment,
                                                                      std::vector<std::string>& warnings) {
  std::map<std::string, std::vector<std::string>> of;
  for (const ExperimentTargets& line : file) {
    of[line.experiment] = line.targets;
    if (contains(experiment.levels, line.experiment)) continue;
    const std::string near = did_you_mean(line.experiment, experiment.levels);
    warnings.push_back(fmt::format("the experiment {} of --targets has no row in column {}{}", quoted(line.experiment),
                                   quoted(experiment.name), near.empty() ? "" : "; " + near));
  }
  std::vector<std::string> without;
  for (const std::string& label : experiment.levels) {
    if (!of.contains(label)) without.push_back(quoted(label));
  }
  if (!file.empty() && !without.empty()) {
    warnings.push_back(fmt::format("--targets has no line for {}: taken as observation", listed(without)));
  }
  return of;
}

}  // namespace

std::vector<ExperimentTargets> read_targets(const std::string& path) {
  const std::string text = read_text_file(path);
  RecordReader reader(text_source(text), path, {}, size_t{1} << 16);
  std::vector<Cell> cells;
  const std::string hint = "its header is experiment,targets, and each line names an experiment and what it set";
  const auto is = [&](size_t k, const char* name) { return lower(std::string(cells[k].text())) == name; };
  if (!reader.next(cells) || cells.size() != 2 || !is(0, "experiment") || !is(1, "targets")) {
    throw InputError(path, "is not a file of targets", hint);
  }
  std::vector<ExperimentTargets> out;
  std::set<std::string> seen;
  while (reader.next(cells)) {
    const std::string place = fmt::format("{}:{}", path, reader.line());
    if (cells.size() != 2) throw InputError(place, fmt::format("found {} cells, expected 2", cells.size()), hint);
    ExperimentTargets line{std::string(cells[0].text()), {}};
    if (!seen.insert(line.experiment).second) {
      throw InputError(place,
                       fmt::format("the experiment {} appears here for the second time", quoted(line.experiment)),
                       "give it one line, with its targets between semicolons");
    }
    line.targets = {std::string(cells[1].text())};  // split where the names of the variables are known
    out.push_back(std::move(line));
  }
  return out;
}

std::vector<std::string> split_targets(const std::string& cell, const std::vector<std::string>& variables) {
  const std::string whole(trimmed(cell));
  if (is_observation(whole)) return {};
  if (contains(variables, whole)) return {whole};
  // Semicolons first: a name may hold a plus.
  for (const char mark : {';', '+'}) {
    if (whole.find(mark) == std::string::npos) continue;
    std::vector<std::string> names;
    for (size_t first = 0; first <= whole.size();) {
      const size_t end = std::min(whole.find(mark, first), whole.size());
      for (const std::string& name : split_targets(whole.substr(first, end - first), variables)) names.push_back(name);
      first = end + 1;
    }
    return names;
  }
  return {whole};
}

Experiments experiments_of(const ExperimentLabels& labels, const std::vector<ExperimentTargets>& file,
                           const ExperimentOptions& options, const std::vector<std::string>& variables) {
  Experiments out;
  std::map<std::string, std::vector<std::string>> by_experiment;
  if (labels.experiment) by_experiment = targets_by_experiment(file, *labels.experiment, out.warnings);

  // The columns that tell regimes apart, and what each of their combinations says.
  std::vector<const Column*> told;
  if (labels.experiment) told.push_back(&*labels.experiment);
  if (labels.targets) told.push_back(&*labels.targets);
  for (const Column& batch : labels.within) told.push_back(&batch);
  if (told.empty()) return out;
  std::map<std::vector<uint32_t>, uint32_t> number;  // by code in each of them
  std::map<std::string, uint32_t> by_name;           // cells that mean the same, such as "a;b" and "b;a"
  std::vector<uint32_t> codes(told.size());
  for (size_t row = 0; row < told.front()->rows(); ++row) {
    for (size_t k = 0; k < told.size(); ++k) codes[k] = told[k]->codes[row];
    const auto [at, fresh] = number.try_emplace(codes, 0);
    if (fresh) {
      Regime regime{.intervention = options.intervention};
      std::vector<std::string> parts;
      size_t k = 0;
      if (labels.experiment) {
        parts.push_back(labels.experiment->levels[codes[k++]]);
        for (const std::string& cell : by_experiment[parts.back()]) {
          for (std::string& name : split_targets(cell, variables)) regime.targets.push_back(std::move(name));
        }
      }
      if (labels.targets) {
        regime.targets = split_targets(labels.targets->levels[codes[k++]], variables);
        std::sort(regime.targets.begin(), regime.targets.end());
        parts.push_back(regime.targets.empty() ? "observation" : joined(regime.targets, ";"));
      }
      for (; k < told.size(); ++k) parts.push_back(told[k]->levels[codes[k]]);
      regime.name = joined(parts, " / ");
      if (options.batches) regime.batch = regime.name;
      const auto [place, first] = by_name.try_emplace(regime.name, static_cast<uint32_t>(out.regimes.size()));
      if (first) out.regimes.push_back(std::move(regime));
      at->second = place->second;
    }
    out.regime.push_back(at->second);
  }
  return out;
}

std::string to_string(RegimeTreatment treatment) {
  if (treatment.targets) return treatment.within ? "targets + within" : "targets";
  return treatment.within ? "within" : "pooled";
}

RegimeTreatment full_treatment(const Dataset& data) {
  RegimeTreatment full;
  for (const Regime& regime : data.regimes()) {
    full.targets = full.targets || !regime.targets.empty();
    full.within = full.within || regime.batch != data.regimes().front().batch;
  }
  return full;
}

Dataset with_treatment(const Dataset& data, RegimeTreatment treatment) {
  RowInfo info = data.row_info();
  for (Regime& regime : info.regimes) {
    if (!treatment.targets) regime.targets.clear();
    if (!treatment.within) regime.batch.clear();
  }
  if (treatment == RegimeTreatment{}) {
    info.regimes.clear();
    info.regime = {};
  }
  std::vector<Column> columns;
  for (const int node : data.file_order()) columns.push_back(data.column(node));
  return make_dataset(std::move(columns), data.source(), std::move(info));
}

}  // namespace agon
