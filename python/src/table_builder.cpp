#include "table_builder.h"

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <unordered_map>

#include "agon/base/error.h"
#include "agon/base/suggest.h"
#include "agon/base/text.h"
#include "agon/data/column_builder.h"
#include "agon/data/csv.h"
#include "agon/data/number_text.h"
#include "agon/run/describe.h"

namespace agon::python {
namespace {

MissingCells gaps_of(const std::string& name, const Mask& mask, size_t rows) {
  MissingCells gaps;
  if (!mask) return gaps;
  if (mask->shape(0) != rows) {
    throw UsageError(fmt::format("column {} has {} cells and a mask of {}", quoted(name), rows, mask->shape(0)));
  }
  const bool* cell = mask->data();
  for (size_t row = 0; row < rows; ++row, cell += mask->stride(0)) {
    if (*cell) gaps.insert(row);
  }
  return gaps;
}

Column named_column(const std::string& name, ColumnKind kind, MissingCells missing) {
  Column column;
  column.name = name;
  column.kind = kind;
  column.missing = std::move(missing);
  return column;
}

Column column_of_numbers(const std::string& name, Numbers array, MissingCells missing) {
  Column column = named_column(name, ColumnKind::kContinuous, std::move(missing));
  column.values.resize(array.shape(0));
  const double* cell = array.data();
  for (double& value : column.values) {
    value = *cell;
    cell += array.stride(0);
  }
  return column;
}

// Whole numbers as categories whose labels are the numbers; nothing when more than `most` differ.
std::optional<Column> integers_as_labels(const std::string& name, Whole array, MissingCells missing, size_t most) {
  Column column = named_column(name, ColumnKind::kCategorical, std::move(missing));
  const size_t rows = array.shape(0);
  column.codes.reserve(rows);
  std::unordered_map<int64_t, uint32_t> code_of;
  const int64_t* cell = array.data();
  int64_t last = 0;
  uint32_t last_code = 0;
  for (size_t row = 0; row < rows; ++row, cell += array.stride(0)) {
    if (column.is_missing(row)) {
      column.codes.push_back(kMissingCode);
      continue;
    }
    if (column.levels.empty() || *cell != last) {
      last = *cell;
      const auto [at, is_new] = code_of.try_emplace(last, static_cast<uint32_t>(column.levels.size()));
      if (is_new && column.levels.size() == most) return std::nullopt;
      if (is_new) column.levels.push_back(std::to_string(last));
      last_code = at->second;
    }
    column.codes.push_back(last_code);
  }
  return column;
}

Column integers_as_numbers(const std::string& name, Whole array, MissingCells missing) {
  Column column = named_column(name, ColumnKind::kContinuous, std::move(missing));
  column.values.reserve(array.shape(0));
  const int64_t* cell = array.data();
  for (size_t row = 0; row < array.shape(0); ++row, cell += array.stride(0)) {
    column.values.push_back(static_cast<double>(*cell));
  }
  return column;
}

// Codes are renumbered as their labels occur: a category dtype may have labels that do not, and different objects
// may have the same text.
Column column_of_codes(const std::string& name, Whole array, const std::vector<std::string>& labels,
                       MissingCells missing) {
  constexpr uint32_t kUnknown = UINT32_MAX;
  Column column = named_column(name, ColumnKind::kCategorical, std::move(missing));
  const size_t rows = array.shape(0);
  column.codes.reserve(rows);
  std::vector<uint32_t> code_of(labels.size(), kUnknown);
  std::unordered_map<std::string, uint32_t> code_of_label;
  const int64_t* cell = array.data();
  for (size_t row = 0; row < rows; ++row, cell += array.stride(0)) {
    if (column.is_missing(row)) {
      column.codes.push_back(kMissingCode);
      continue;
    }
    if (*cell < 0 || *cell >= static_cast<int64_t>(labels.size())) {
      throw InputError("", fmt::format("column {}: row {} has no label", quoted(name), row + 1));
    }
    uint32_t& code = code_of[*cell];
    if (code == kUnknown) {
      const auto [at, is_new] = code_of_label.try_emplace(labels[*cell], static_cast<uint32_t>(column.levels.size()));
      if (is_new) column.levels.push_back(labels[*cell]);
      code = at->second;
    }
    column.codes.push_back(code);
  }
  return column;
}

Intervention intervention_of(const std::string& kind) {
  if (kind == "soft") return Intervention::kSoft;
  if (kind != "perfect") {
    throw UsageError(fmt::format("--intervention {} is neither perfect nor soft", quoted(kind)),
                     did_you_mean(kind, {"perfect", "soft"}));
  }
  return Intervention::kPerfect;
}

[[noreturn]] void refuse_kind(const std::string& kind) {
  throw UsageError(fmt::format("there is no kind of column {}", quoted(kind)));
}

}  // namespace

void TableBuilder::add(Column column, ColumnFacts facts, bool identifier) {
  typed_.add(std::move(column), facts);
  identifier_.push_back(identifier);
}

void TableBuilder::numbers(const std::string& name, Numbers array, Mask missing) {
  add(column_of_numbers(name, array, gaps_of(name, missing, array.shape(0))), {.told = ColumnKind::kContinuous});
}

void TableBuilder::integers(const std::string& name, Whole array, Mask missing, const std::string& kind) {
  if (!kind.empty() && kind != "category") refuse_kind(kind);
  const MissingCells gaps = gaps_of(name, missing, array.shape(0));
  ColumnFacts facts{.integers = true};
  if (!kind.empty()) facts.told = ColumnKind::kCategorical;
  const size_t most = facts.told ? array.shape(0) : kMostIntegerLevels;
  std::optional<Column> column = integers_as_labels(name, array, gaps, most);
  add(column ? std::move(*column) : integers_as_numbers(name, array, gaps), facts);
}

void TableBuilder::labels(const std::string& name, Whole codes, const std::vector<std::string>& labels, Mask missing,
                          const std::string& kind) {
  if (kind != "category" && kind != "identifier" && kind != "text") refuse_kind(kind);
  const ColumnFacts facts{.text = true, .told = ColumnKind::kCategorical};
  Column column = column_of_codes(name, codes, labels, gaps_of(name, missing, codes.shape(0)));
  if (kind == "text") {
    typed_.add_text(std::move(column), counts());
    identifier_.push_back(false);
    return;
  }
  add(std::move(column), facts, kind == "identifier");
}

// How often each row occurred; empty: once.
std::vector<double> TableBuilder::counts() const {
  return weights_ && !weights_->sampling ? weights_->weights : std::vector<double>{};
}

void TableBuilder::check_weights(const std::string& name, bool sampling, Numbers array) const {
  const RowWeights rule{.name = name, .sampling = sampling, .weights = {}};
  const double* cell = array.data();
  for (size_t row = 0; row < array.shape(0); ++row, cell += array.stride(0)) {
    if (rule.accepts(*cell)) continue;
    const std::string found = std::isnan(*cell) ? "a missing cell" : fmt::format("{}", *cell);
    throw InputError(source_,
                     fmt::format("{}: found {} in row {}, expected {}", quoted(name), found, row + 1, rule.expected()),
                     rule.hint());
  }
}

void TableBuilder::add_weights(const std::string& name, bool sampling, Numbers array, size_t rows_of_zero,
                               size_t rows_read) {
  weights_ = {.name = name, .sampling = sampling, .weights = column_of_numbers(name, array, {}).values};
  rows_of_zero_ = rows_of_zero;
  rows_read_ = rows_read;
}

void TableBuilder::row_labels(const std::string& role, const std::string& name, Whole codes,
                              const std::vector<std::string>& labels) {
  Column column = column_of_codes(name, codes, labels, {});
  if (role == "experiment") {
    row_labels_.experiment = std::move(column);
  } else if (role == "targets") {
    row_labels_.targets = std::move(column);
  } else {
    row_labels_.within.push_back(std::move(column));
  }
}

void TableBuilder::experiments(const std::vector<std::pair<std::string, std::vector<std::string>>>& targets,
                               bool batches, const std::string& intervention) {
  targets_of_.clear();
  for (const auto& [experiment, names] : targets) targets_of_.push_back({experiment, names});
  experiment_options_.batches = batches;
  experiment_options_.intervention = intervention_of(intervention);
}

void TableBuilder::copy_experiments(const std::vector<ExperimentFacts>& experiments, Whole experiment) {
  for (const auto& [name, targets, intervention, batch] : experiments) {
    copied_regimes_.push_back({name, targets, intervention_of(intervention), batch});
  }
  const int64_t* cell = experiment.data();
  for (size_t row = 0; row < experiment.shape(0); ++row, cell += experiment.stride(0)) {
    copied_regime_.push_back(static_cast<uint32_t>(*cell));
  }
}

void TableBuilder::add_experiments(RowInfo& info) {
  std::vector<std::string> variables;
  for (const Column& column : typed_.columns) variables.push_back(column.name);
  Experiments found = experiments_of(row_labels_, targets_of_, experiment_options_, variables);
  info.regimes = std::move(found.regimes);
  info.regime = std::move(found.regime);
  copied_warnings_.insert(copied_warnings_.end(), found.warnings.begin(), found.warnings.end());
  if (copied_regimes_.empty()) return;
  info.regimes = std::move(copied_regimes_);
  info.regime = std::move(copied_regime_);
}

void TableBuilder::copy_facts(std::optional<Numbers> weights, std::vector<std::string> reasons, bool kinds_inferred,
                              std::vector<std::string> warnings) {
  if (weights) copied_weights_ = column_of_numbers("", *weights, {}).values;
  copied_reasons_ = std::move(reasons);
  copied_inferred_ = kinds_inferred;
  copied_warnings_ = std::move(warnings);
}

std::vector<InferredKind> TableBuilder::kinds() const {
  std::vector<InferredKind> kinds = infer_kinds(typed_.facts(counts()));
  for (size_t k = 0; k < kinds.size(); ++k) {
    if (identifier_[k]) kinds[k].identifier = true;
  }
  return kinds;
}

Table TableBuilder::finish(std::vector<std::string> notes, size_t rows_dropped, OptionList options) {
  nb::gil_scoped_release release;
  notes.insert(notes.end(), typed_.notes.begin(), typed_.notes.end());
  RowInfo info{.weights = std::move(copied_weights_)};
  const std::vector<InferredKind> inferred = kinds();
  if (weights_) {
    settle(*weights_, source_, rows_of_zero_, rows_read_, notes);
    info.weights = std::move(weights_->weights);
  }
  copied_warnings_.insert(copied_warnings_.end(), typed_.warnings.begin(), typed_.warnings.end());
  add_experiments(info);
  std::vector<std::string> reasons = std::move(copied_reasons_);
  bool by_rule = copied_inferred_;
  const std::vector<ColumnFacts> facts = typed_.facts({});
  for (size_t k = reasons.size(); k < inferred.size(); ++k) {
    reasons.push_back(facts[k].told ? "by its type" : inferred[k].reason);
    by_rule = by_rule || !facts[k].told;
  }
  std::vector<Column> columns = with_inferred_kinds(std::move(typed_.columns), inferred, info.weights, notes);
  LoadedData loaded{make_dataset(std::move(columns), source_, std::move(info)), {}};
  loaded.record = describe_data(loaded.table);
  loaded.record.kinds_inferred = by_rule;
  loaded.record.notes = std::move(notes);
  loaded.record.warnings = std::move(copied_warnings_);
  loaded.record.rows_dropped = rows_dropped;
  describe_kinds(loaded.record, loaded.table, reasons);
  return {std::make_shared<const LoadedData>(std::move(loaded)), std::move(options)};
}

void bind_table_builder(nb::module_& module) {
  nb::class_<TableBuilder>(module, "TableBuilder",
                           "Takes columns one at a time; masks are true where a cell is missing.")
      .def(nb::init<std::string, bool>(), nb::arg("source"), nb::arg("strict") = false,
           "Text in a column of numbers is an error where it is strict.")
      .def("numbers", &TableBuilder::numbers, nb::arg("name"), nb::arg("values"), nb::arg("missing").none())
      .def("integers", &TableBuilder::integers, nb::arg("name"), nb::arg("values"), nb::arg("missing").none(),
           nb::arg("kind"), "Categories or numbers, by the rule for files, unless the kind is \"category\".")
      .def("labels", &TableBuilder::labels, nb::arg("name"), nb::arg("codes"), nb::arg("labels"),
           nb::arg("missing").none(), nb::arg("kind"), "\"text\", \"category\" or \"identifier\".")
      .def("check_weights", &TableBuilder::check_weights, nb::arg("name"), nb::arg("sampling"), nb::arg("values"))
      .def("add_weights", &TableBuilder::add_weights, nb::arg("name"), nb::arg("sampling"), nb::arg("values"),
           nb::arg("rows_of_zero"), nb::arg("rows_read"))
      .def("row_labels", &TableBuilder::row_labels, nb::arg("role"), nb::arg("name"), nb::arg("codes"),
           nb::arg("labels"), "Labels of rows: \"experiment\", \"targets\" or \"within\".")
      .def("experiments", &TableBuilder::experiments, nb::arg("targets"), nb::arg("batches"), nb::arg("intervention"))
      .def("copy_experiments", &TableBuilder::copy_experiments, nb::arg("experiments"), nb::arg("experiment"))
      .def("copy_facts", &TableBuilder::copy_facts, nb::arg("weights").none(), nb::arg("reasons"),
           nb::arg("kinds_inferred"), nb::arg("warnings"))
      .def("finish", &TableBuilder::finish, nb::arg("notes"), nb::arg("rows_dropped"), nb::arg("options"));
  module.def(
      "read_targets",
      [](const std::string& path) {
        std::vector<std::pair<std::string, std::vector<std::string>>> out;
        for (ExperimentTargets& line : read_targets(path)) out.emplace_back(line.experiment, line.targets);
        return out;
      },
      nb::arg("path"), "What each experiment set, from a file experiment,targets.");
}

}  // namespace agon::python
