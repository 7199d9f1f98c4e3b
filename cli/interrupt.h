// cli/interrupt.h
//
// After a first Ctrl-C, searches stop cleanly and the best so far is written. A second Ctrl-C ends the program.
#pragma once

#include <atomic>

namespace agon::cli {

// From now on SIGINT and SIGTERM set the flag that this returns, instead of ending the program.
const std::atomic<bool>* catch_interrupts();

}  // namespace agon::cli
