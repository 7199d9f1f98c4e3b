// python/src/summary.h
//
// Summaries of tables of any length, as Python holds them: _agon.Summary, and the ways to make one.
#pragma once

#include <nanobind/nanobind.h>

namespace agon::python {

void bind_summary(nanobind::module_& module);

}  // namespace agon::python
