#include "cli/cell_process.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>

#include "agon/base/error.h"

namespace agon::cli {
namespace {

std::atomic<bool> out_of_time{false};  // global, because a signal handler has no arguments of ours
static_assert(std::atomic<bool>::is_always_lock_free);

}  // namespace

pid_t start_process(const std::function<int()>& work, double seconds) {
  const pid_t parent = getpid(), child = fork();
  if (child < 0) throw InputError("", fmt::format("cannot start a process: {}", std::strerror(errno)));
  if (child > 0) return child;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);  // the parent has ended in the meantime
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);
  const auto most = static_cast<rlim_t>(std::ceil(3 * seconds)) + 60;
  const rlimit limit{most, most + 5};
  setrlimit(RLIMIT_CPU, &limit);
  int code = 1;
  try {
    code = work();
  } catch (...) {  // the parent sees the exit code
  }
  _exit(code);
}

const std::atomic<bool>* cpu_limit(double seconds) {
  struct sigaction action = {};
  action.sa_handler = [](int) { out_of_time = true; };
  action.sa_flags = SA_RESTART;
  sigaction(SIGPROF, &action, nullptr);
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  timer.it_value.tv_usec = static_cast<suseconds_t>(1e6 * (seconds - std::floor(seconds)));
  if (timer.it_value.tv_sec == 0 && timer.it_value.tv_usec == 0) timer.it_value.tv_usec = 1;
  out_of_time = false;
  setitimer(ITIMER_PROF, &timer, nullptr);
  return &out_of_time;
}

std::optional<EndedProcess> ended_process() {
  int status = 0;
  const pid_t pid = waitpid(-1, &status, WNOHANG);
  if (pid <= 0) return {};
  EndedProcess ended{pid, ""};
  if (WIFSIGNALED(status)) ended.trouble = fmt::format("signal {}", WTERMSIG(status));
  if (WIFEXITED(status) && WEXITSTATUS(status) != 0) ended.trouble = fmt::format("exit code {}", WEXITSTATUS(status));
  return ended;
}

void end_process(pid_t pid) {
  kill(pid, SIGKILL);
  while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;  // Linux counts in kilobytes
}

}  // namespace agon::cli
