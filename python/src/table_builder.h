// python/src/table_builder.h
//
// A table from the columns that Python passes, one at a time, so that it can free each of them. What a dtype decides,
// Python says; the kinds of whole numbers and of text follow from their cells, by the rule for files (data/kinds.h).
//
//   TableBuilder builder("DataFrame");
//   builder.numbers("x", array, {});                          // continuous
//   builder.integers("n", array, mask, "");                   // by the rule: categories or numbers
//   builder.labels("word", codes, {"a", "b"}, mask, "text");  // categories, or an identifier
//   Table table = builder.finish({}, 0, {});
//
// Rows of experiments:
//   builder.row_labels("experiment", "day", codes, {"mon", "tue"});
//   builder.experiments({{"tue", {"x"}}}, true, "perfect");
//
// A mask is true where a cell is missing; what the arrays hold there is not looked at.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agon/data/experiments.h"
#include "agon/data/kinds.h"
#include "agon/data/row_weights.h"
#include "agon/data/typed_columns.h"
#include "table.h"

namespace agon::python {

using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::device::cpu>;
using Whole = nb::ndarray<const int64_t, nb::ndim<1>, nb::device::cpu>;
using Mask = std::optional<nb::ndarray<const bool, nb::ndim<1>, nb::device::cpu>>;

class TableBuilder {
 public:
  // `strict`: text in a column of numbers is an error.
  explicit TableBuilder(std::string source, bool strict = false)
      : source_(std::move(source)),
        typed_(source_, strict ? TypedColumns::StrayText::kRefused : TypedColumns::StrayText::kAccepted) {}

  void numbers(const std::string& name, Numbers array, Mask missing);
  // `kind`: "category", or "" for the rule of files.
  void integers(const std::string& name, Whole array, Mask missing, const std::string& kind);
  // `kind`: "category", "identifier", or "text" for the rule of files. That rule makes numbers of text if most of what
  // differs in it are numbers, and some are not: a file read by others comes so.
  void labels(const std::string& name, Whole codes, const std::vector<std::string>& labels, Mask missing,
              const std::string& kind);
  // InputError, with the row, for a weight that cannot be one. Weights of rows that count 0 times must not be added.
  void check_weights(const std::string& name, bool sampling, Numbers array) const;
  void add_weights(const std::string& name, bool sampling, Numbers array, size_t rows_of_zero, size_t rows_read);
  // Labels of rows, which are no variable. `role`: "experiment", "targets" or "within".
  void row_labels(const std::string& role, const std::string& name, Whole codes,
                  const std::vector<std::string>& labels);
  // What each experiment set, where that is not said by row; whether experiments are batches; "perfect" or "soft".
  void experiments(const std::vector<std::pair<std::string, std::vector<std::string>>>& targets, bool batches,
                   const std::string& intervention);
  // For the copy of a table: its experiments, as Table gives them.
  void copy_experiments(const std::vector<ExperimentFacts>& experiments, Whole experiment);
  // For the copy of a table: its weights, which are settled already, why its columns are of their kinds, and the
  // warnings about its file.
  void copy_facts(std::optional<Numbers> weights, std::vector<std::string> reasons, bool kinds_inferred,
                  std::vector<std::string> warnings);
  // `rows_dropped`: how many rows with a missing cell the caller left out. `options`: see Table.
  Table finish(std::vector<std::string> notes, size_t rows_dropped, OptionList options);

 private:
  void add(Column column, ColumnFacts facts, bool identifier = false);
  std::vector<double> counts() const;
  std::vector<InferredKind> kinds() const;
  void add_experiments(RowInfo& info);

  std::string source_;
  TypedColumns typed_;
  std::vector<bool> identifier_;  // by column: told to be one
  std::optional<RowWeights> weights_;
  size_t rows_of_zero_ = 0, rows_read_ = 0;
  ExperimentLabels row_labels_;
  ExperimentOptions experiment_options_;
  std::vector<ExperimentTargets> targets_of_;
  std::vector<Regime> copied_regimes_;
  Codes copied_regime_;
  std::vector<double> copied_weights_;
  std::vector<std::string> copied_reasons_;
  bool copied_inferred_ = false;
  std::vector<std::string> copied_warnings_;
};

void bind_table_builder(nb::module_& module);

}  // namespace agon::python
