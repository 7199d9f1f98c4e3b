// The program on a terminal: lines of its width, colours, one live line of progress; none of them elsewhere.

#include <gtest/gtest.h>
#include <pty.h>

#include "tests/program.h"
#include "tests/results.h"

namespace agon {
namespace {

using testing::contains;
using testing::lacks;
using testing::Outcome;
using testing::Sandbox;

// What the program writes when a terminal of so many columns is its stdin, stdout and stderr.
std::string on_terminal(const std::string& arguments, unsigned short columns, const std::string& before = "") {
  winsize size{};
  size.ws_row = 40;
  size.ws_col = columns;
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
  if (child == 0) {
    setenv("TERM", "xterm", 1);
    unsetenv("NO_COLOR");
    const std::string command = before + " '" AGON_BINARY "' " + arguments;
    execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  std::string text;
  char buffer[4096];
  for (ssize_t got = 0; (got = read(terminal, buffer, sizeof buffer)) > 0;) text.append(buffer, got);
  close(terminal);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0) << text;
  return text;
}

// The lines as they stay on the screen: without escapes, and without what a live line showed before it was cleared.
std::vector<std::string> screen(const std::string& text) {
  std::vector<std::string> lines(1);
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\n') {
      lines.emplace_back();
    } else if (text[at] == '\r') {
      if (at + 1 < text.size() && text[at + 1] != '\n') lines.back().clear();
    } else if (text[at] == '\033') {
      at = text.find_first_of("mK", at);
    } else {
      lines.back() += text[at];
    }
  }
  return lines;
}

size_t letters(const std::string& line) {
  return std::count_if(line.begin(), line.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
}

TEST(Terminal, LinesFitAndColoursAreUsed) {
  for (const unsigned short columns : {60, 100}) {
    const std::string text = on_terminal("discover asia --truth asia --moves 1000 --bootstrap 0 --quiet", columns);
    EXPECT_PRED2(contains, text, "\033[32mfixed\033[0m");
    bool seen = false;
    for (const std::string& line : screen(text)) {
      EXPECT_LE(letters(line), columns) << line;
      seen = seen || contains(line, "certificate");
    }
    EXPECT_TRUE(seen) << text;
  }
  EXPECT_PRED2(lacks, on_terminal("discover asia --moves 1000 --quiet", 80, "NO_COLOR=1"), "\033[");
}

TEST(Terminal, ProgressIsOneLiveLine) {
  const std::string text = on_terminal("discover alarm --opponent hc --moves 10000000 --time-limit 3s", 70);
  const size_t live = text.find("\r\033[Kplay: ");
  ASSERT_NE(live, std::string::npos) << text;
  for (size_t at = live; at != std::string::npos; at = text.find("\r\033[K", at + 1)) {
    const std::string line = text.substr(at + 4, text.find_first_of("\r\n", at + 4) - at - 4);
    if (contains(line, " moves, ")) {
      EXPECT_LT(letters(line), 70u) << line;
    }
  }
  for (const std::string& line : screen(text)) EXPECT_PRED2(lacks, line, ", best ") << "the live line was not cleared";
}

TEST(Terminal, ElsewhereEverythingIsPlain) {
  Sandbox box;
  const Outcome o = box.agon("discover asia --moves 1000");
  EXPECT_PRED2(lacks, o.out + o.err, "\033");
  EXPECT_PRED2(lacks, o.out + o.err, "\r");
}

}  // namespace
}  // namespace agon
