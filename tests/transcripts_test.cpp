// Sessions with the program, as checked-in text: tests/transcripts/*.txt. A line that begins with "$ " is given to a
// shell; what follows is all it printed, log and result, and its exit code when that is not 0. Times are masked.
// tools/regen writes the files anew; the change is then reviewed as a diff.

#include <gtest/gtest.h>

#include <regex>

#include "tests/program.h"
#include "tests/results.h"

namespace agon {
namespace {

namespace fs = std::filesystem;
using testing::Sandbox;

// The text without what differs from run to run: lengths of time, speeds, the machine, lines of progress.
std::string masked(const std::string& text) {
  static const std::regex time(R"(\b[0-9.]+(e[-+][0-9]+)? (us|ms|s|min [0-9]+ s)\b)");
  static const std::regex speed(R"(\b[0-9,]+ rows/s\b)");
  static const std::regex machine(R"(, [0-9]+ cores?, [0-9.]+ GB of memory)");
  std::istringstream lines(text);
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    if (testing::contains(line, ", best -")) continue;
    line = std::regex_replace(line, time, "TIME");
    line = std::regex_replace(line, speed, "SPEED");
    out += std::regex_replace(line, machine, ", MACHINE") + "\n";
  }
  return out;
}

std::string read_file(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// The commands of a transcript again, with what they print now.
std::string replayed(const std::string& transcript) {
  Sandbox box;
  const std::string path = fs::path(AGON_BINARY).parent_path().string();
  std::istringstream lines(transcript);
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# ")) out += line + "\n";
    if (!line.starts_with("$ ")) continue;
    box.write(".command", line.substr(2) + "\n");
    const std::string shell =
        "cd '" + box.path("") + "' && PATH='" + path + "':\"$PATH\" sh .command >.printed 2>&1 </dev/null";
    const int status = std::system(shell.c_str());
    if (!out.empty()) out += "\n";
    out += line + "\n" + masked(box.read(".printed"));
    if (WEXITSTATUS(status) != 0) out += "[exit code " + std::to_string(WEXITSTATUS(status)) + "]\n";
  }
  return out;
}

std::vector<std::string> transcripts() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(AGON_SOURCE_DIR "/tests/transcripts")) {
    if (entry.path().extension() == ".txt") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class Transcripts : public ::testing::TestWithParam<std::string> {};

TEST_P(Transcripts, AreWhatTheProgramSays) {
  const fs::path path = fs::path(AGON_SOURCE_DIR "/tests/transcripts") / (GetParam() + ".txt");
  const std::string written = read_file(path), now = replayed(written);
  ASSERT_NE(now, "") << "no command in " << path;
  if (std::getenv("AGON_REGEN") != nullptr) {
    std::ofstream(path, std::ios::binary) << now;
    return;
  }
  std::istringstream expected(written), says(now);
  std::string command, want, got;
  while (bool(std::getline(expected, want)) | bool(std::getline(says, got))) {
    if (want.starts_with("$ ")) command = want;
    ASSERT_EQ(want, got) << "after " << command << "\ntools/regen writes the transcripts anew";
    want.clear(), got.clear();
  }
}

INSTANTIATE_TEST_SUITE_P(Files, Transcripts, ::testing::ValuesIn(transcripts()),
                         [](const auto& row) { return row.param; });

}  // namespace
}  // namespace agon
