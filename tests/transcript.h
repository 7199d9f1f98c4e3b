// tests/transcript.h
//
// Sessions with the program as checked-in text: what a command prints, and what of it is the same in every run.
//
//   Sandbox box;
//   std::string said = printed_by("agon discover asia", box);
//   masked(said) == masked(written);
#pragma once

#include <regex>

#include "tests/program.h"
#include "tests/results.h"

namespace agon::testing {

// Whether a line of the log tells how far a search has come, which it does every second or so.
inline bool is_progress(const std::string& line) {
  return contains(line, ", best -") || (line.starts_with("bootstrap: ") && contains(line, " resamples, "));
}

// All that the command prints, log and result, but for lines of progress; then its exit code when that is not 0. A
// shell reads it, whose working folder is the sandbox and which finds agon.
inline std::string printed_by(const std::string& command, const Sandbox& box) {
  const std::string path = std::filesystem::path(AGON_BINARY).parent_path().string();
  box.write(".command", command + "\n");
  const std::string shell =
      "cd '" + box.path("") + "' && PATH='" + path + "':\"$PATH\" sh .command >.printed 2>&1 </dev/null";
  const int status = std::system(shell.c_str());
  std::istringstream lines(box.read(".printed"));
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    if (!is_progress(line)) out += line + "\n";
  }
  if (WEXITSTATUS(status) != 0) out += "[exit code " + std::to_string(WEXITSTATUS(status)) + "]\n";
  return out;
}

// The text without what differs from run to run: lengths of time, speeds, the machine.
inline std::string masked(const std::string& text) {
  static const std::regex time(R"(\b[0-9.]+(e[-+][0-9]+)? (us|ms|s|min [0-9]+ s)\b)");
  static const std::regex speed(R"(\b[0-9,]+ rows/s\b)");
  static const std::regex machine(R"(, [0-9]+ cores?, [0-9.]+ GB of memory)");
  const std::string timeless = std::regex_replace(text, time, "TIME");
  return std::regex_replace(std::regex_replace(timeless, speed, "SPEED"), machine, ", MACHINE");
}

inline std::string read_source(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(std::filesystem::path(AGON_SOURCE_DIR) / path, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace agon::testing
