// cli/cell_process.h
//
// Work in a process of its own: its cost is measured separately, a limit of CPU time applies to it alone, and a crash
// loses nothing but that piece of work.
//
//   pid_t child = start_process([&] { ... return 0; }, 60);     // in the child: cpu_limit() fires after 60 s
//   while (const auto ended = ended_process()) ...              // without waiting
//
// The parent must have only one thread. The child starts with the default signal handlers, and is ended when its parent
// ends.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <functional>
#include <optional>
#include <string>

namespace agon::cli {

// Runs `work` in a child; its result is the exit code. The child is killed when it uses far more CPU time than
// `seconds`, in case the work ignores cpu_limit(). InputError when no process can be created.
pid_t start_process(const std::function<int()>& work, double seconds);

// Returns a flag that is set once the process has used this much more CPU time (user and system, all threads).
const std::atomic<bool>* cpu_limit(double seconds);

struct EndedProcess {
  pid_t pid = 0;
  std::string trouble;  // how it ended, unless with exit code 0: "signal 9", "exit code 1"
};
std::optional<EndedProcess> ended_process();  // one that has ended and was not reported yet, if any

void end_process(pid_t pid);  // at once, and waits until it is gone

double peak_megabytes();  // most memory that this process has used so far

}  // namespace agon::cli
