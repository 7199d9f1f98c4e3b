// python/src/effects.h
//
// Effects of a result (agon/run/effects.h) for Python: each answer as the JSON of the command line and as its text.
#pragma once

#include <nanobind/nanobind.h>

namespace agon::python {

void bind_effects(nanobind::module_& module);

}  // namespace agon::python
