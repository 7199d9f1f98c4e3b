#include "summary.h"

#include <fmt/format.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "agon/base/atomic_file.h"
#include "agon/base/error.h"
#include "agon/base/parallel.h"
#include "agon/data/summarize_files.h"
#include "agon/run/data_settings.h"
#include "agon/run/describe.h"
#include "agon/run/front_end.h"
#include "table.h"

namespace agon::python {
namespace {

constexpr const char* kAboutSummary = R"(A table of any length reduced to sums; made by :func:`agon.summarize`.

Summaries of parts are added with ``+``, in any order. :func:`agon.discover`, the algorithms and :func:`agon.table` take
one in place of a table, and so does the command line, of the file that :meth:`write` writes.

>>> import agon
>>> half = agon.summarize({"x": [1.0, 2.5, 4.0], "y": [0.5, 0.0, 3.0]})
>>> whole = half + half
>>> whole.rows, whole.names, whole.form, whole.parts, whole.dropped
(6, ['x', 'y'], 'moments', 1, 0)
>>> whole.kind("x"), whole.levels("x"), whole.experiments
('continuous', [], [])
>>> agon.Summary.of_text(whole.text).rows, whole.notes
(6, []))";

// What Python holds: sums, and what was said while they were made.
struct HeldSummary {
  Summary sums;
  std::vector<std::string> notes = {};
};

const SummaryColumn& column_of(const Summary& summary, const std::string& name) {
  const auto at = std::ranges::find(summary.columns, name, &SummaryColumn::name);
  if (at == summary.columns.end()) throw UsageError(fmt::format("the summary has no column {}", quoted(name)));
  return *at;
}

std::vector<ExperimentFacts> experiments_of_summary(const HeldSummary& held) {
  std::vector<ExperimentFacts> out;
  for (const Regime& regime : held.sums.regimes) {
    if (regime.name.empty()) continue;
    out.emplace_back(regime.name, regime.targets, to_string(regime.intervention), regime.batch);
  }
  return out;
}

// `set`: what each experiment set, a;b.
HeldSummary summarize_labelled(const Table& table, bool parts, bool drop_missing, bool moments,
                               const std::string& targets, const std::string& experiment,
                               const std::vector<std::string>& within,
                               const std::vector<std::pair<std::string, std::string>>& set, bool soft) {
  nb::gil_scoped_release release;
  ExperimentOptions options{.targets = set.empty() ? targets : "a file", .experiment = experiment, .within = within};
  options.intervention = soft ? Intervention::kSoft : Intervention::kPerfect;
  std::vector<ExperimentTargets> file;
  for (const auto& [name, of] : set) file.push_back({name, {of}});
  return {
      summarize(table.data->table, options, file, {.parts = parts, .drop_missing = drop_missing, .moments = moments})};
}

HeldSummary summarize_table(const Table& table, bool parts, bool drop_missing, bool moments) {
  nb::gil_scoped_release release;
  const Dataset& data = table.data->table;
  if (data.is_summary()) throw UsageError("a matrix cannot be summarized again", "add summaries with +");
  return {summarize(data, {.parts = parts, .drop_missing = drop_missing, .moments = moments})};
}

HeldSummary summarize_paths(const std::vector<std::string>& paths, const OptionList& options, size_t parts,
                            bool moments, int threads) {
  nb::gil_scoped_release release;
  Settings settings;
  DataSettings data(settings, DataSettings::FilesAlone{});
  for (const auto& [name, value] : options) settings.set(name, value);
  const SummarizeFilesOptions how{.csv = data.csv_options(),
                                  .parts = parts,
                                  .moments = moments,
                                  .threads = threads > 0 ? threads : hardware_threads()};
  SummarizedFiles done = summarize_files(paths, how);
  HeldSummary out{std::move(done.summary), std::move(done.notes)};
  out.notes.insert(out.notes.end(), done.warnings.begin(), done.warnings.end());
  return out;
}

Table table_of_summary(const HeldSummary& held, const std::string& source, OptionList options) {
  nb::gil_scoped_release release;
  SummaryTable made = to_table(held.sums, source);
  LoadedData loaded{std::move(made.data), {}};
  loaded.record = describe_data(loaded.table);
  loaded.record.notes = std::move(made.notes);
  return {std::make_shared<const LoadedData>(std::move(loaded)), std::move(options)};
}

}  // namespace

void bind_summary(nb::module_& module) {
  nb::class_<HeldSummary>(module, "Summary", kAboutSummary)
      .def_prop_ro(
          "rows", [](const HeldSummary& s) { return std::llround(s.sums.rows()); }, "How many rows were added up.")
      .def_prop_ro(
          "dropped", [](const HeldSummary& s) { return std::llround(s.sums.dropped); },
          "Rows that were left out for a missing cell.")
      .def_prop_ro(
          "names",
          [](const HeldSummary& s) {
            std::vector<std::string> names;
            for (const SummaryColumn& column : s.sums.columns) names.push_back(column.name);
            return names;
          },
          "Names of the columns.")
      .def_prop_ro(
          "form",
          [](const HeldSummary& s) { return std::string(s.sums.form == SummaryForm::kCounts ? "counts" : "moments"); },
          "\"counts\": the distinct rows of a table of categories; \"moments\": means and products.")
      .def_prop_ro(
          "parts", [](const HeldSummary& s) { return s.sums.parts.size(); },
          "How many parts are kept apart; a bootstrap of moments resamples 20 or more.")
      .def_prop_ro("experiments", experiments_of_summary,
                   "The experiments that its rows come from: (name, targets, intervention, batch).")
      .def_prop_ro(
          "notes",
          [](const HeldSummary& s) {
            std::vector<std::string> notes = s.notes;
            for (std::string& note : notes) note = as_python(note);
            return notes;
          },
          "What was decided while it was made of files.")
      .def_prop_ro(
          "text", [](const HeldSummary& s) { return summary_text(s.sums); }, "The text of its file.")
      .def(
          "kind",
          [](const HeldSummary& s, const std::string& name) {
            const SummaryColumn& column = column_of(s.sums, name);
            return std::string(column.identifier ? "identifier" : to_string(column.kind));
          },
          nb::arg("name"), "\"categorical\", \"continuous\" or \"identifier\".")
      .def(
          "levels", [](const HeldSummary& s, const std::string& name) { return column_of(s.sums, name).levels; },
          nb::arg("name"), "Labels of a categorical column that occurred; none for a continuous one.")
      .def(
          "write",
          [](const HeldSummary& s, nb::object path) {
            const std::string to = nb::cast<std::string>(nb::module_::import_("os").attr("fspath")(path));
            write_file_atomically(to, summary_text(s.sums));
          },
          nb::arg("path"), "Write the file that ``agon discover`` and every other command reads in place of a table.",
          nb::sig("def write(self, path: str | os.PathLike[str]) -> None"))
      .def_static(
          "of_text", [](const std::string& text) { return HeldSummary{parse_summary(text, "the text")}; },
          nb::arg("text"), "The summary of :attr:`text`.")
      .def(
          "__add__", [](const HeldSummary& a, const HeldSummary& b) { return HeldSummary{merge(a.sums, b.sums)}; },
          nb::arg("other"))
      .def("__len__", [](const HeldSummary& s) { return std::llround(s.sums.rows()); })
      .def("__getstate__", [](const HeldSummary& s) { return summary_text(s.sums); })
      .def("__setstate__",
           [](HeldSummary& s, const std::string& text) { new (&s) HeldSummary{parse_summary(text, "the text")}; })
      .def("__repr__", [](const HeldSummary& s) {
        return fmt::format("<agon.Summary: {}, {}, {}>", counted(std::llround(s.sums.rows()), "row"),
                           counted(static_cast<long long>(s.sums.columns.size()), "column"),
                           s.sums.form == SummaryForm::kCounts ? "counts" : "moments");
      });

  module.def("summarize_table", summarize_table, nb::arg("table"), nb::arg("parts"), nb::arg("drop_missing"),
             nb::arg("moments"), "The sums of a table.");
  module.def("summarize_labelled", summarize_labelled, nb::arg("table"), nb::arg("parts"), nb::arg("drop_missing"),
             nb::arg("moments"), nb::arg("targets"), nb::arg("experiment"), nb::arg("within"), nb::arg("set"),
             nb::arg("soft"), "The same where columns say which experiment a row comes from.");
  module.def("summarize_files", summarize_paths, nb::arg("paths"), nb::arg("options"), nb::arg("parts"),
             nb::arg("moments"), nb::arg("threads"), "The sums of CSV files and of summaries.");
  module.def(
      "summary_of_sums",
      [](const std::string& json) { return HeldSummary{detail::parse_summary_body(json, "the sums")}; },
      nb::arg("json"), "A summary of sums that an engine computed, as the JSON of its file.");
  module.def(
      "in_label_order",
      [](std::vector<std::string> labels) {
        std::sort(labels.begin(), labels.end(), label_less);
        return labels;
      },
      nb::arg("labels"), "Labels as a category lists them: numbers by value, then text.");
  module.def("table_of_summary", table_of_summary, nb::arg("summary"), nb::arg("source"), nb::arg("options"),
             "What a run takes in place of the rows.");
}

}  // namespace agon::python
