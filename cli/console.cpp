#include "cli/console.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "agon/base/error.h"
#include "agon/report/table.h"

namespace agon::cli {

void print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    throw InputError("standard output", fmt::format("cannot be written: {}", std::strerror(errno)));
  }
}

std::string printable(std::string_view text) {
  std::string out;
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\n') || byte == 0x7F) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  return out;
}

void write_file(const std::string& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file.flush()) throw InputError(path, fmt::format("cannot be written: {}", std::strerror(errno)));
}

Log::Log(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO)) {
  next_ += terminal_ ? std::chrono::milliseconds(200) : std::chrono::milliseconds(1000);
}

void Log::note(std::string_view text) {
  if (quiet_) return;
  finish_line();
  fmt::print(stderr, "{}\n", printable(text));
}

void Log::warning(std::string_view text) { note(fmt::format("warning: {}", text)); }

void Log::progress(const Progress& progress) {
  if (quiet_) return;
  const std::lock_guard lock(mutex_);
  if (Clock::now() < next_) return;
  const double elapsed = std::chrono::duration<double>(Clock::now() - started_).count();
  const std::string line = fmt::format("{}: {}, {}, score {:.3f}, {}", progress.phase, counted(progress.steps, "step"),
                                       counted(progress.edges, "edge"), progress.score, duration_text(elapsed));
  if (terminal_) {
    fmt::print(stderr, "\r\033[K{}", line);
    std::fflush(stderr);
    live_ = true;
    next_ = Clock::now() + std::chrono::milliseconds(100);
  } else {
    fmt::print(stderr, "{}\n", line);
    next_ = Clock::now() + std::chrono::milliseconds(5000);
  }
}

void Log::finish_line() {
  if (live_) fmt::print(stderr, "\r\033[K");
  live_ = false;
}

}  // namespace agon::cli
