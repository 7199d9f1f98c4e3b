// python/src/table.h
//
// Turns Python arrays into a table of the library, with a single copy: the columns of the Dataset. A column comes as
// numbers, as whole numbers that are categories, or as codes with labels.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>

#include "agon/run/data_settings.h"

namespace agon::python {

namespace nb = nanobind;

// What Python holds: a table that has been read and checked, shared by the runs on it.
struct Table {
  std::shared_ptr<const LoadedData> data;
};

void bind_table(nb::module_& module);

}  // namespace agon::python
