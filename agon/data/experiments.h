// agon/data/experiments.h
//
// From labels of rows to regimes: which experiment each row comes from, what was set there, and in which batch it was
// measured. One rule for files and for tables that come from memory.
//
//   ExperimentLabels labels;
//   labels.targets = categorical_column("set", {0, 1, 2}, {"none", "PKC", "PKC;PIP2"});   // by row: what was set there
//   Experiments found = experiments_of(labels, {}, {}, {"PKC", "PIP2"});
//   found.regimes[2].targets;                                                // PKC, PIP2
//   Dataset as = with_treatment(data, {.targets = true, .within = false});   // means do not differ by batch
//
// A regime is what one combination of labels says. Its batch is its experiment (where rows name only their targets, the
// set of targets) together with the labels of --within.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agon/data/dataset.h"

namespace agon {

// What the options say about experiments, by names of columns.
struct ExperimentOptions {
  std::string targets = {};              // column whose cells name the variables set, or a file (see read_targets)
  std::string experiment = {};           // column of labels
  std::vector<std::string> within = {};  // columns of batches
  bool batches = true;                   // false: --within none, all rows were measured alike
  Intervention intervention = Intervention::kPerfect;

  bool any() const { return !targets.empty() || !experiment.empty() || !within.empty(); }
  // With --experiment, --targets names a file that says what each experiment set.
  bool targets_in_file() const { return !targets.empty() && !experiment.empty(); }
};

// Labels by row, as categorical columns. Each may be absent.
struct ExperimentLabels {
  std::optional<Column> targets = {};
  std::optional<Column> experiment = {};
  std::vector<Column> within = {};
};

// What a file says of one experiment.
struct ExperimentTargets {
  std::string experiment;
  std::vector<std::string> targets;
};

// A table with the header `experiment,targets`, a line for each. InputError for anything else, and for an experiment
// that is named twice.
std::vector<ExperimentTargets> read_targets(const std::string& path);

// The names in a cell, between `;` or `+`; none if it is empty, `none`, `-` or one of the usual marks of a missing
// cell. A cell that is exactly the name of a variable is that variable.
std::vector<std::string> split_targets(const std::string& cell, const std::vector<std::string>& variables);

struct Experiments {
  std::vector<Regime> regimes;
  Codes regime;                       // by row
  std::vector<std::string> warnings;  // experiments without a line, lines without a row
};

// `file`: what each experiment set, where that is not said by row. `variables`: their names, in any order; a target
// that is none of them is refused by make_dataset.
Experiments experiments_of(const ExperimentLabels& labels, const std::vector<ExperimentTargets>& file,
                           const ExperimentOptions& options, const std::vector<std::string>& variables);

// One of four ways to read the same rows.
struct RegimeTreatment {
  bool targets = false;  // a family loses the rows in which its child was set
  bool within = false;   // every variable has a mean of its own in each batch
  bool operator==(const RegimeTreatment&) const = default;
};
std::string to_string(RegimeTreatment treatment);  // "pooled", "targets", "within", "targets + within"

RegimeTreatment full_treatment(const Dataset& data);  // all that the regimes of the table allow for
// The table without its targets, or without its batches.
Dataset with_treatment(const Dataset& data, RegimeTreatment treatment);

}  // namespace agon
