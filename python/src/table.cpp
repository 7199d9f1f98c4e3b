#include "table.h"

#include <fmt/format.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <sstream>
#include <unordered_map>

#include "agon/base/error.h"
#include "agon/data/csv.h"
#include "agon/run/describe.h"
#include "agon/run/graph_sources.h"

namespace agon::python {
namespace {

using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::device::cpu>;
using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::device::cpu>;
using Whole = nb::ndarray<const int64_t, nb::ndim<1>, nb::device::cpu>;

Table finished(Dataset table, std::vector<std::string> notes = {}, size_t rows_dropped = 0) {
  LoadedData loaded{std::move(table), {}};
  loaded.record = describe_data(loaded.table);
  loaded.record.notes = std::move(notes);
  loaded.record.rows_dropped = rows_dropped;
  return {std::make_shared<const LoadedData>(std::move(loaded))};
}

// The columns of a matrix, stored by rows or by columns. Rows are taken in blocks, so that cells that are close
// together in memory are read together.
Table table_of_matrix(Matrix matrix, const std::vector<std::string>& names, const std::string& source) {
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
  return finished(make_dataset(std::move(all), source));
}

Column column_of_numbers(const std::string& name, Numbers array) {
  Column column;
  column.name = name;
  column.values.resize(array.shape(0));
  const double* cell = array.data();
  for (double& value : column.values) {
    value = *cell;
    cell += array.stride(0);
  }
  return column;
}

// Whole numbers as categories: the labels are the numbers.
Column column_of_integers(const std::string& name, Whole array) {
  Column column;
  column.name = name;
  column.kind = ColumnKind::kCategorical;
  const size_t rows = array.shape(0);
  column.codes.reserve(rows);
  std::unordered_map<int64_t, uint32_t> code_of;
  const int64_t* cell = array.data();
  int64_t last = 0;
  uint32_t last_code = 0;
  for (size_t r = 0; r < rows; ++r, cell += array.stride(0)) {
    if (column.levels.empty() || *cell != last) {
      last = *cell;
      const auto [at, is_new] = code_of.try_emplace(last, static_cast<uint32_t>(column.levels.size()));
      if (is_new) column.levels.push_back(std::to_string(last));
      last_code = at->second;
    }
    column.codes.push_back(last_code);
  }
  return column;
}

Column column_of_codes(const std::string& name, Whole array, const std::vector<std::string>& labels) {
  Column column;
  column.name = name;
  column.kind = ColumnKind::kCategorical;
  column.levels = labels;
  const size_t rows = array.shape(0);
  column.codes.reserve(rows);
  const int64_t* cell = array.data();
  for (size_t r = 0; r < rows; ++r, cell += array.stride(0)) {
    if (*cell < 0 || *cell >= static_cast<int64_t>(labels.size())) {
      throw InputError("", fmt::format("column {}: row {} has no label", quoted(name), r + 1));
    }
    column.codes.push_back(static_cast<uint32_t>(*cell));
  }
  return column;
}

// Columns are passed one at a time, so that Python can free each of them.
class TableBuilder {
 public:
  explicit TableBuilder(std::string source) : source_(std::move(source)) {}
  void numbers(const std::string& name, Numbers array) { columns_.push_back(column_of_numbers(name, array)); }
  void integers(const std::string& name, Whole array) { columns_.push_back(column_of_integers(name, array)); }
  void labels(const std::string& name, Whole codes, const std::vector<std::string>& labels) {
    columns_.push_back(column_of_codes(name, codes, labels));
  }
  // `rows_dropped`: how many rows with a missing cell the caller dropped before it passed the columns.
  Table finish(const std::vector<std::string>& notes, size_t rows_dropped) {
    nb::gil_scoped_release release;
    return finished(make_dataset(std::move(columns_), source_), notes, rows_dropped);
  }

 private:
  std::string source_;
  std::vector<Column> columns_;
};

// The cells of a column without a copy; the array keeps the table alive.
nb::object column_values(nb::handle self, const std::string& name) {
  const Table& table = nb::cast<const Table&>(self);
  const Dataset& data = table.data->table;
  const int node = data.index_of(name);
  if (node < 0) throw UsageError(fmt::format("the table has no column {}", quoted(name)));
  const Column& column = data.column(node);
  if (column.has_missing()) {
    throw InputError(data.source(),
                     fmt::format("column {} has missing cells, which an array of its cells cannot show", quoted(name)));
  }
  if (column.kind == ColumnKind::kContinuous) {
    return nb::cast(nb::ndarray<nb::numpy, const double>(column.values.data(), {column.values.size()}, self));
  }
  return column.codes.visit([&](const auto& cells) -> nb::object {
    using Cell = typename std::decay_t<decltype(cells)>::value_type;
    return nb::cast(nb::ndarray<nb::numpy, const Cell>(cells.data(), {cells.size()}, self));
  });
}

std::vector<std::string> column_levels(const Table& table, const std::string& name) {
  const int node = table.data->table.index_of(name);
  if (node < 0) throw UsageError(fmt::format("the table has no column {}", quoted(name)));
  return table.data->table.column(node).levels;
}

std::vector<std::string> names_in_file_order(const Table& table) {
  std::vector<std::string> names;
  for (int node : table.data->table.file_order()) names.push_back(table.data->table.column(node).name);
  return names;
}

Table sampled(const std::string& network, size_t rows, uint64_t seed) {
  if (rows < 1) throw UsageError("--count must be 1 or more");
  nb::gil_scoped_release release;
  KeptJournal log;
  return finished(sample(load_network(network, log), rows, Rng(seed), network), log.warnings);
}

std::string csv_of(const Table& table) {
  std::ostringstream text;
  write_csv(text, table.data->table);
  return text.str();
}

}  // namespace

void bind_table(nb::module_& module) {
  nb::class_<Table>(module, "Table", "A table that was read and checked. Several runs may share one.")
      .def_prop_ro("rows", [](const Table& t) { return t.data->table.rows(); })
      .def_prop_ro("names", names_in_file_order, "Names of the columns in the order of their source.")
      .def_prop_ro("source", [](const Table& t) { return t.data->table.source(); })
      .def_prop_ro("checksum", [](const Table& t) { return t.data->record.checksum; })
      .def_prop_ro(
          "rows_dropped", [](const Table& t) { return t.data->record.rows_dropped; },
          "Rows that were left out for a missing cell.")
      .def_prop_ro(
          "notes", [](const Table& t) { return t.data->record.notes; }, "What was decided while the table was read.")
      .def(
          "kind",
          [](const Table& t, const std::string& name) {
            const int node = t.data->table.index_of(name);
            if (node < 0) throw UsageError(fmt::format("the table has no column {}", quoted(name)));
            return std::string(to_string(t.data->table.column(node).kind));
          },
          nb::arg("name"), "\"categorical\" or \"continuous\".")
      .def("values", column_values, nb::arg("name"),
           "Cells of a column, without a copy: numbers, or codes into levels(name).",
           nb::sig("def values(self, name: str) -> numpy.typing.NDArray[typing.Any]"))
      .def("levels", column_levels, nb::arg("name"), "Labels of a categorical column; none for a continuous one.")
      .def("to_csv", csv_of, "The table as CSV text.")
      .def("__len__", [](const Table& t) { return t.data->table.rows(); });

  nb::class_<TableBuilder>(module, "TableBuilder", "Takes columns one at a time.")
      .def(nb::init<std::string>(), nb::arg("source"))
      .def("numbers", &TableBuilder::numbers, nb::arg("name"), nb::arg("values"))
      .def("integers", &TableBuilder::integers, nb::arg("name"), nb::arg("values"))
      .def("labels", &TableBuilder::labels, nb::arg("name"), nb::arg("codes"), nb::arg("labels"))
      .def("finish", &TableBuilder::finish, nb::arg("notes"), nb::arg("rows_dropped"));

  module.def("table_of_matrix", table_of_matrix, nb::arg("matrix"), nb::arg("names"), nb::arg("source"),
             "A table of continuous columns from a matrix of doubles in either order, copied once.");
  module.def("sample", sampled, nb::arg("network"), nb::arg("rows"), nb::arg("seed"),
             "Rows drawn from an embedded network or a BIF file.");
}

}  // namespace agon::python
