// agon/base/stop.h
//
// How a long computation is asked to end early, and how it reports its progress. Every search takes a `const Watch&`,
// asks `stop_requested()` between steps, and if so returns the best it has.
//
//   Watch watch;                                  // never stops, reports nothing
//   watch.deadline = Watch::Clock::now() + 60s;   // a time limit
//   std::atomic<bool> flag = false;
//   watch.interrupted = &flag;                    // Ctrl-C sets the flag
//   watch.report = [](const Progress& p) { ... }; // called from time to time
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>

namespace agon {

// A moment in a long piece of work.
struct Progress {
  std::string phase;                // e.g. "hill climbing", "forward"
  long steps = 0;                   // moves or operators so far
  int edges = 0;                    // edges of the current graph; -1: there is none
  double score = 0;                 // score of the best graph so far
  std::optional<double> gain = {};  // of it over the best opponent's, once there is one
  long budget = 0;                  // most steps there may be; 0: not known
  std::string unit = "step";        // what is counted: "move", "resample"
};

struct Watch {
  using Clock = std::chrono::steady_clock;
  std::optional<Clock::time_point> deadline;
  const std::atomic<bool>* interrupted = nullptr;
  std::function<void(const Progress&)> report;

  bool was_interrupted() const { return interrupted && interrupted->load(std::memory_order_relaxed); }
  bool out_of_time() const { return deadline && Clock::now() >= *deadline; }
  bool stop_requested() const { return was_interrupted() || out_of_time(); }
  // "" as long as nothing asked to stop, else "interrupted" or "time limit": for the record of a run.
  std::string stop_reason() const { return was_interrupted() ? "interrupted" : out_of_time() ? "time limit" : ""; }
  void tell(const Progress& progress) const {
    if (report) report(progress);
  }
};

// Thrown by work that was asked to stop before there was anything to return, such as the reading of a table.
class Interrupted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace agon
