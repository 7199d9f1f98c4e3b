// python/src/run.h
//
// Runs of the library from Python. The work is done by a thread without the interpreter's lock; the caller's thread
// waits, hands progress to Python a few times a second, and turns Ctrl-C into a request to stop with the best so far.
#pragma once

#include <nanobind/nanobind.h>

namespace agon::python {

void bind_run(nanobind::module_& module);

}  // namespace agon::python
