#include "table.h"

#include <fmt/format.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <sstream>

#include "agon/base/error.h"
#include "agon/base/text.h"
#include "agon/data/csv.h"
#include "agon/data/experiment_sample.h"
#include "agon/match/bootstrap.h"
#include "agon/run/describe.h"
#include "agon/run/front_end.h"
#include "agon/run/graph_sources.h"

namespace agon::python {
namespace {

constexpr const char* kAboutTable = R"(A table that was read and checked. Several runs may share it.

>>> import agon
>>> table = agon.table({"x": [0.5, 1.5, None, 2.5], "word": ["b", "a", "b", "b"]})
>>> table.rows, len(table), table.names, table.source, table.missing_cells, table.rows_dropped
(4, 4, ['x', 'word'], 'table', 1, 0)
>>> table.kind("x"), table.kind("word"), table.levels("word"), table.reason("x")
('continuous', 'categorical', ['a', 'b'], 'by its type')
>>> table.values("word").tolist(), table.identifiers, table.weights, table.options
([1, 0, 1, 1], [], None, [])
>>> table.experiments, table.experiment
([], None)
>>> table.notes, table.warnings, table.kinds_inferred, table.is_summary
([], [], True, False)
>>> table.resampled(1).rows, len(table.checksum), table.to_csv().splitlines()[0]
(4, 16, 'x,word'))";

using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::device::cpu>;

Table finished(Dataset table, std::vector<std::string> notes = {}, OptionList options = {}) {
  LoadedData loaded{std::move(table), {}};
  loaded.record = describe_data(loaded.table);
  loaded.record.notes = std::move(notes);
  return {std::make_shared<const LoadedData>(std::move(loaded)), std::move(options)};
}

const Column& column_of(const Table& table, const std::string& name) {
  const int node = table.data->table.index_of(name);
  if (node < 0) throw UsageError(fmt::format("the table has no column {}", quoted(name)));
  return table.data->table.column(node);
}

// The columns of a matrix, stored by rows or by columns. Rows are taken in blocks, so that cells that are close
// together in memory are read together.
Table table_of_matrix(Matrix matrix, const std::vector<std::string>& names, const std::string& source,
                      OptionList options) {
  const size_t rows = matrix.shape(0), columns = matrix.shape(1);
  if (names.size() != columns) {
    throw UsageError(fmt::format("{} names for {} columns", names.size(), columns));
  }
  const double* cells = matrix.data();
  const int64_t row_step = matrix.stride(0), column_step = matrix.stride(1);
  nb::gil_scoped_release release;
  std::vector<Column> all(columns);
  for (size_t c = 0; c < columns; ++c) {
    all[c].name = names[c];
    all[c].values.resize(rows);
  }
  const size_t block = column_step == 1 ? 512 : std::max<size_t>(rows, 1);
  for (size_t first = 0; first < rows; first += block) {
    const size_t last = std::min(rows, first + block);
    for (size_t c = 0; c < columns; ++c) {
      const double* cell = cells + static_cast<int64_t>(c) * column_step + static_cast<int64_t>(first) * row_step;
      double* out = all[c].values.data();
      for (size_t r = first; r < last; ++r, cell += row_step) out[r] = *cell;
    }
  }
  return finished(make_dataset(std::move(all), source), {}, std::move(options));
}

template <class Cell>
nb::object owned_array(std::unique_ptr<std::vector<Cell>> cells) {
  const Cell* data = cells->data();
  const size_t rows = cells->size();
  const nb::capsule owner(cells.release(), [](void* p) noexcept { delete static_cast<std::vector<Cell>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, const Cell>(data, {rows}, owner));
}

// Codes with -1 where a cell is missing, as pandas has them.
nb::object codes_with_gaps(const Column& column) {
  auto cells = std::make_unique<std::vector<int32_t>>(column.rows());
  for (size_t row = 0; row < cells->size(); ++row) {
    (*cells)[row] = column.is_missing(row) ? -1 : static_cast<int32_t>(column.codes[row]);
  }
  return owned_array(std::move(cells));
}

// The cells of a column, without a copy where possible; the array then keeps the table alive.
nb::object column_values(nb::handle self, const std::string& name) {
  const Column& column = column_of(nb::cast<const Table&>(self), name);
  if (column.kind == ColumnKind::kContinuous) {
    return nb::cast(nb::ndarray<nb::numpy, const double>(column.values.data(), {column.values.size()}, self));
  }
  if (column.has_missing()) return codes_with_gaps(column);
  return column.codes.visit([&](const auto& cells) -> nb::object {
    using Cell = typename std::decay_t<decltype(cells)>::value_type;
    return nb::cast(nb::ndarray<nb::numpy, const Cell>(cells.data(), {cells.size()}, self));
  });
}

nb::object row_weights(nb::handle self) {
  const std::vector<double>& weights = nb::cast<const Table&>(self).data->table.row_info().weights;
  if (weights.empty()) return nb::none();
  return nb::cast(nb::ndarray<nb::numpy, const double>(weights.data(), {weights.size()}, self));
}

std::vector<ExperimentFacts> experiments(const Table& table) {
  std::vector<ExperimentFacts> out;
  for (const Regime& regime : table.data->table.regimes()) {
    out.emplace_back(regime.name, regime.targets, to_string(regime.intervention), regime.batch);
  }
  return out;
}

nb::object experiment_by_row(const Table& table) {
  const Dataset& data = table.data->table;
  if (!data.has_regimes()) return nb::none();
  auto cells = std::make_unique<std::vector<int64_t>>(data.rows());
  for (size_t row = 0; row < cells->size(); ++row) (*cells)[row] = data.regime_of(row);
  return owned_array(std::move(cells));
}

std::vector<std::string> identifiers(const Table& table) {
  std::vector<std::string> names;
  for (const int node : table.data->table.file_order()) {
    const Column& column = table.data->table.column(node);
    if (column.identifier) names.push_back(column.name);
  }
  return names;
}

std::string reason_of(const Table& table, const std::string& name) {
  column_of(table, name);
  for (const ColumnRecord& column : table.data->record.columns) {
    if (column.name == name) return column.reason;
  }
  return "";
}

// Rows drawn with replacement, as the bootstrap of a run draws them; they depend on the number alone.
Table resample_of(const Table& table, uint64_t number) {
  nb::gil_scoped_release release;
  return finished(resampled(table.data->table, Rng(0x41474F4E).split("resample", number)), {}, table.options);
}

std::vector<std::string> names_in_file_order(const Table& table) {
  std::vector<std::string> names;
  for (int node : table.data->table.file_order()) names.push_back(table.data->table.column(node).name);
  return names;
}

Table sampled(const std::string& network, size_t rows, uint64_t seed, const std::vector<std::string>& settings,
              bool soft, const std::string& targets) {
  if (rows < 1) throw UsageError("--count must be 1 or more");
  nb::gil_scoped_release release;
  KeptJournal log;
  const SampleRequest request{.rows = rows,
                              .seed = seed,
                              .settings = settings,
                              .intervention = soft ? Intervention::kSoft : Intervention::kPerfect,
                              .targets = targets};
  return finished(sample(load_network(network, log), request, network), log.warnings);
}

std::vector<std::string> in_python(std::vector<std::string> sentences) {
  for (std::string& sentence : sentences) sentence = as_python(sentence);
  return sentences;
}

std::string csv_of(const Table& table) {
  std::ostringstream text;
  write_csv(text, table.data->table);
  return text.str();
}

}  // namespace

void bind_table(nb::module_& module) {
  nb::class_<Table>(module, "Table", kAboutTable)
      .def_prop_ro(
          "rows", [](const Table& t) { return t.data->table.rows(); }, "How many rows it has.")
      .def_prop_ro("names", names_in_file_order, "Names of the columns in the order of their source.")
      .def_prop_ro(
          "source", [](const Table& t) { return t.data->table.source(); }, "What messages call it: a path, or a name.")
      .def_prop_ro(
          "checksum", [](const Table& t) { return t.data->record.checksum; },
          "64 bits over names and cells, which the order of the columns does not change.")
      .def_prop_ro(
          "rows_dropped", [](const Table& t) { return t.data->record.rows_dropped; },
          "Rows that were left out for a missing cell.")
      .def_prop_ro(
          "missing_cells", [](const Table& t) { return t.data->record.missing.cells; }, "How many cells are missing.")
      .def_prop_ro("identifiers", identifiers,
                   "Columns of text that says nothing, because it differs from row to row: they get no edge.")
      .def_prop_ro("weights", row_weights, "How often each row counts; None: once.",
                   nb::sig("def weights(self) -> numpy.typing.NDArray[numpy.float64] | None"))
      .def_prop_ro("experiments", experiments,
                   "The experiments that its rows come from, by name: (name, targets, intervention, batch). Empty: all "
                   "rows were observed alike.")
      .def_prop_ro("experiment", experiment_by_row, "By row, the place of its experiment in experiments; or None.",
                   nb::sig("def experiment(self) -> numpy.typing.NDArray[numpy.int64] | None"))
      .def_prop_ro(
          "kinds_inferred", [](const Table& t) { return t.data->record.kinds_inferred; },
          "Whether the cells decided the kind of some column.")
      .def_prop_ro(
          "is_summary", [](const Table& t) { return t.data->table.is_summary(); },
          "Whether it was read from a matrix of covariances or correlations.")
      .def_ro("options", &Table::options, "missing and draws, where given: what runs do about the missing cells.")
      .def_prop_ro(
          "notes", [](const Table& t) { return in_python(t.data->record.notes); },
          "What was decided while the table was read.")
      .def_prop_ro(
          "warnings", [](const Table& t) { return in_python(t.data->record.warnings); },
          "What may be a mistake in the file or in how it was read.")
      .def(
          "kind",
          [](const Table& t, const std::string& name) { return std::string(to_string(column_of(t, name).kind)); },
          nb::arg("name"), "\"categorical\" or \"continuous\".")
      .def("reason", reason_of, nb::arg("name"), "Why a column is of its kind: \"by its type\", \"4 integers\", ...")
      .def("values", column_values, nb::arg("name"),
           "Cells of a column: numbers, or codes into levels(name). A missing cell is NaN, or the code -1. Without a "
           "copy, but for codes where a cell is missing.",
           nb::sig("def values(self, name: str) -> numpy.typing.NDArray[typing.Any]"))
      .def(
          "levels", [](const Table& t, const std::string& name) { return column_of(t, name).levels; }, nb::arg("name"),
          "Labels of a categorical column; none for a continuous one.")
      .def("resampled", resample_of, nb::arg("number"), "As many rows, drawn with replacement, by weight.")
      .def("to_csv", csv_of, "The table as CSV text.")
      .def("__len__", [](const Table& t) { return t.data->table.rows(); });

  module.def("table_of_matrix", table_of_matrix, nb::arg("matrix"), nb::arg("names"), nb::arg("source"),
             nb::arg("options"),
             "A table of continuous columns from a matrix of doubles in either order, copied once.");
  module.def("sample", sampled, nb::arg("network"), nb::arg("rows"), nb::arg("seed"), nb::arg("settings"),
             nb::arg("soft"), nb::arg("targets"), "Rows drawn from an embedded network or a BIF file.");
}

}  // namespace agon::python
