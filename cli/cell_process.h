// cli/cell_process.h
//
// Work in a process of its own: what it costs is measured by itself, a limit of CPU time binds it alone, and a crash
// costs nothing but that piece of work.
//
//   pid_t child = start_process([&] { ... return 0; }, 60);     // in the child: cpu_limit() fires after 60 s
//   while (const auto ended = ended_process()) ...              // without waiting
//
// The parent must have one thread. The child begins with the signals as they are by default, and ends with its parent.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <functional>
#include <optional>
#include <string>

namespace agon::cli {

// Runs `work` in a child; its result is the exit code. The child is killed when it uses far more CPU time than
// `seconds`, for work that does not listen to cpu_limit(). InputError when no process can be made.
pid_t start_process(const std::function<int()>& work, double seconds);

// Sets the flag this returns once the process has used so much more CPU time (user and system, all threads).
const std::atomic<bool>* cpu_limit(double seconds);

struct EndedProcess {
  pid_t pid = 0;
  std::string trouble;  // how it ended when that was not exit code 0: "signal 9", "exit code 1"
};
std::optional<EndedProcess> ended_process();  // one that has ended since, if any

void end_process(pid_t pid);  // at once, and waits until it is gone

double peak_megabytes();  // most memory this process had so far

}  // namespace agon::cli
