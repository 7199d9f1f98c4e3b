// cli/console.h
//
// Where words go: results to stdout, the log to stderr. --quiet silences the log, never errors. Colours and lines cut
// to a width are for terminals alone; NO_COLOR (a variable that is set and not empty) and TERM=dumb switch colours off.
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

// What stdout allows: everything plain unless it is a terminal.
TextStyle output_style();

class Log : public Journal {
 public:
  explicit Log(bool quiet);
  ~Log() override { finish_line(); }

  void note(std::string_view text) override;     // one line
  void warning(std::string_view text) override;  // "warning: ..."

  // A sink for Watch::report, which may come from several threads: a live line on a terminal, a line every few seconds
  // elsewhere.
  void progress(const Progress& progress);
  void finish_line();                   // clears the live line
  void set_time_limit(double seconds);  // from now: for the time left in progress

 private:
  using Clock = std::chrono::steady_clock;
  std::mutex mutex_;  // held by progress()
  bool quiet_;
  bool terminal_;
  TextStyle style_;
  std::optional<Clock::time_point> deadline_;
  bool live_ = false;
  Clock::time_point started_ = Clock::now();
  Clock::time_point next_ = started_;
};

}  // namespace agon::cli
