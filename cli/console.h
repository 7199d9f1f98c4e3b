// cli/console.h
//
// Where output goes: results to stdout, the log to stderr. --quiet silences the log, but neither errors nor
// warnings; --verbose adds details. Only terminals get
// colours and lines cut to a width; the variable NO_COLOR (set and not empty) and TERM=dumb switch colours off.
#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "agon/base/stop.h"
#include "agon/report/table.h"
#include "agon/run/journal.h"

namespace agon::cli {

// Writes to stdout and throws InputError when it cannot (a full disk).
void print(std::string_view text);

// What stdout allows: plain text, unless it is a terminal.
TextStyle output_style();

class Log : public Journal {
 public:
  enum class Level { kQuiet, kUsual, kVerbose };
  explicit Log(Level level);
  explicit Log(bool quiet) : Log(quiet ? Level::kQuiet : Level::kUsual) {}
  ~Log() override { finish_line(); }

  void note(std::string_view text) override;     // one line
  void warning(std::string_view text) override;  // "warning: ..."
  void detail(std::string_view text) override;

  // For Watch::report; may be called from several threads. Shows a live line on a terminal, and writes a line every few
  // seconds elsewhere.
  void progress(const Progress& progress);
  void finish_line();                   // clears the live line
  void set_time_limit(double seconds);  // from now; progress then shows the time left

 private:
  using Clock = std::chrono::steady_clock;
  std::mutex mutex_;  // held by progress()
  Level level_;
  bool terminal_;
  TextStyle style_;
  std::optional<Clock::time_point> deadline_;
  bool live_ = false;
  Clock::time_point started_ = Clock::now();
  Clock::time_point next_ = started_;
};

}  // namespace agon::cli
