#include "cli/interrupt.h"

#include <csignal>

namespace agon::cli {
namespace {

std::atomic<bool> was_interrupted{false};  // global, because a signal handler has no arguments of ours
static_assert(std::atomic<bool>::is_always_lock_free);

}  // namespace

const std::atomic<bool>* catch_interrupts() {
  struct sigaction action = {};
  action.sa_handler = [](int) { was_interrupted = true; };
  action.sa_flags = SA_RESETHAND | SA_RESTART;  // the next signal has its usual effect
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  return &was_interrupted;
}

}  // namespace agon::cli
