#include "cli/console.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "agon/base/error.h"
#include "agon/report/progress.h"

namespace agon::cli {
namespace {

TextStyle style_of(int file) {
  TextStyle style;
  if (!isatty(file)) return style;
  winsize size{};
  if (ioctl(file, TIOCGWINSZ, &size) == 0) style.width = size.ws_col;
  const auto variable = [](const char* name) { return std::string(std::getenv(name) ? std::getenv(name) : ""); };
  style.colour = variable("NO_COLOR").empty() && variable("TERM") != "dumb";
  return style;
}

}  // namespace

void print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    throw InputError("standard output", fmt::format("cannot be written: {}", std::strerror(errno)));
  }
}

TextStyle output_style() { return style_of(STDOUT_FILENO); }

Log::Log(Level level) : level_(level), terminal_(isatty(STDERR_FILENO)), style_(style_of(STDERR_FILENO)) {
  next_ += terminal_ ? std::chrono::milliseconds(200) : std::chrono::milliseconds(1000);
}

void Log::note(std::string_view text) {
  if (level_ == Level::kQuiet) return;
  finish_line();
  fmt::print(stderr, "{}\n", printable(text));
}

void Log::warning(std::string_view text) {
  finish_line();
  fmt::print(stderr, "{} {}\n", painted("warning:", Tone::kDoubtful, style_), printable(text));
}

void Log::detail(std::string_view text) {
  if (level_ == Level::kVerbose) note(text);
}

void Log::progress(const Progress& progress) {
  if (level_ == Level::kQuiet) return;
  const std::lock_guard lock(mutex_);
  if (Clock::now() < next_) return;
  const double elapsed = std::chrono::duration<double>(Clock::now() - started_).count();
  std::optional<double> left;
  if (deadline_) left = std::chrono::duration<double>(*deadline_ - Clock::now()).count();
  const std::string line = progress_line(progress, elapsed, left);
  if (terminal_) {
    const size_t room =
        style_.width > 1 ? static_cast<size_t>(style_.width) - 1 : line.size();  // a line that is wrapped
    fmt::print(stderr, "\r\033[K{}", line.substr(0, room));                      // cannot be cleared
    std::fflush(stderr);
    live_ = true;
    next_ = Clock::now() + std::chrono::milliseconds(100);
  } else {
    fmt::print(stderr, "{}\n", line);
    next_ = Clock::now() + std::chrono::milliseconds(5000);
  }
}

void Log::set_time_limit(double seconds) {
  deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

void Log::finish_line() {
  if (live_) fmt::print(stderr, "\r\033[K");
  live_ = false;
}

}  // namespace agon::cli
