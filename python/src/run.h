// python/src/run.h
//
// Runs of the library from Python. A separate thread does the work without the interpreter's lock. The caller's thread
// waits, reports progress to Python a few times a second, and turns Ctrl-C into a request to stop with the best so far.
#pragma once

#include <nanobind/nanobind.h>

namespace agon::python {

void bind_run(nanobind::module_& module);

}  // namespace agon::python
