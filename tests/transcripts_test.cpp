// Sessions with the program, as checked-in text: tests/transcripts/*.txt. A line that begins with "$ " is given to a
// shell; what follows is all it printed, log and result, and its exit code when that is not 0. Times are masked.
// tools/regen rewrites the files; the change is then reviewed as a diff.

#include <gtest/gtest.h>

#include "tests/transcript.h"

namespace agon {
namespace {

namespace fs = std::filesystem;
using testing::Sandbox;

// The commands of a transcript again, with what they print now.
std::string transcript_of(const std::string& transcript) {
  Sandbox box;
  std::istringstream lines(transcript);
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# ")) out += line + "\n";
    if (!line.starts_with("$ ")) continue;
    if (!out.empty()) out += "\n";
    out += line + "\n" + testing::masked(testing::printed_by(line.substr(2), box));
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
  const std::string path = "tests/transcripts/" + GetParam() + ".txt";
  const std::string written = testing::read_source(path), now = transcript_of(written);
  ASSERT_NE(now, "") << "no command in " << path;
  if (std::getenv("AGON_REGEN") != nullptr) {
    std::ofstream(fs::path(AGON_SOURCE_DIR) / path, std::ios::binary) << now;
    return;
  }
  std::istringstream expected(written), says(now);
  std::string command, want, got;
  while (bool(std::getline(expected, want)) | bool(std::getline(says, got))) {
    if (want.starts_with("$ ")) command = want;
    ASSERT_EQ(want, got) << "after " << command << "\ntools/regen rewrites the transcripts";
    want.clear(), got.clear();
  }
}

INSTANTIATE_TEST_SUITE_P(Files, Transcripts, ::testing::ValuesIn(transcripts()),
                         [](const auto& row) { return row.param; });

}  // namespace
}  // namespace agon
