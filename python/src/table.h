// python/src/table.h
//
// Tables of the library as Python holds them, and the short way in for a matrix of doubles, with a single copy: the
// columns of the Dataset. Other tables come through table_builder.h, column by column.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "agon/base/option_value.h"
#include "agon/run/data_settings.h"

namespace agon::python {

namespace nb = nanobind;

// What Python holds: a table that has been read and checked, shared by the runs on it.
struct Table {
  std::shared_ptr<const LoadedData> data;
  OptionList options = {};  // `missing` and `draws`, where given: what the runs are to do about the gaps that were kept
};

// An experiment: its name, what it set, "perfect" or "soft", its batch.
using ExperimentFacts = std::tuple<std::string, std::vector<std::string>, std::string, std::string>;

void bind_table(nb::module_& module);

}  // namespace agon::python
