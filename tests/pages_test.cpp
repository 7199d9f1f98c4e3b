// The pages show what the program prints: README.md and docs/*.md. Two kinds of blocks are read, from top to bottom, in
// one folder that holds examples/ and build/agon:
//
//   ```console          a line "$ ..." is given to a shell; what follows is what it prints, log and result. "..."
//                       stands for lines omitted; as many first and last lines must agree as the page shows.
//   ```text known.txt   a file that the commands after it read
//
// Lengths of time may differ. tools/regen rewrites the pages; the change is then reviewed as a diff.

#include <gtest/gtest.h>

#include "tests/transcript.h"

namespace agon {
namespace {

namespace fs = std::filesystem;
using testing::Sandbox;
using Lines = std::vector<std::string>;

Lines lines_of(const std::string& text) {
  std::istringstream in(text);
  Lines lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

void drop_last_blanks(Lines& lines) {
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
}

// What was printed, cut where the page cuts it.
Lines cut_like(const Lines& shown, const Lines& printed) {
  const auto gap = std::find(shown.begin(), shown.end(), "...");
  if (gap == shown.end()) return printed;
  const auto first = gap - shown.begin(), last = shown.end() - gap - 1;
  if (first + last >= static_cast<std::ptrdiff_t>(printed.size())) return printed;
  Lines kept(printed.begin(), printed.begin() + first);
  kept.push_back("...");
  kept.insert(kept.end(), printed.end() - last, printed.end());
  return kept;
}

// One block of a page again; a command keeps the text it has unless it prints something else now.
Lines replayed(const Lines& block, const Sandbox& box) {
  Lines now;
  for (size_t at = 0; at < block.size();) {
    if (!block[at].starts_with("$ ")) {  // text before the first command
      now.push_back(block[at++]);
      continue;
    }
    const std::string command = block[at++].substr(2);
    Lines shown;
    while (at < block.size() && !block[at].starts_with("$ ")) shown.push_back(block[at++]);
    drop_last_blanks(shown);
    Lines printed = lines_of(testing::printed_by(command, box));
    drop_last_blanks(printed);
    printed = cut_like(shown, printed);
    const bool same = testing::masked(joined(shown)) == testing::masked(joined(printed));
    now.push_back("$ " + command);
    now.insert(now.end(), same ? shown.begin() : printed.begin(), same ? shown.end() : printed.end());
    if (at < block.size()) now.push_back("");
  }
  return now;
}

std::string replayed(const std::string& page) {
  Sandbox box;
  fs::create_directory_symlink(AGON_SOURCE_DIR "/examples", box.path("examples"));
  fs::create_directory(box.path("build"));
  fs::create_symlink(AGON_BINARY, box.path("build/agon"));
  const std::string fence = "```", file = fence + "text ";
  Lines now;
  const Lines written = lines_of(page);
  for (size_t at = 0; at < written.size();) {
    const std::string opening = written[at++];
    now.push_back(opening);
    if (opening != fence + "console" && !opening.starts_with(file)) continue;
    Lines block;
    while (at < written.size() && written[at] != fence) block.push_back(written[at++]);
    if (opening.starts_with(file)) {
      box.write(opening.substr(file.size()), joined(block));
    } else {
      block = replayed(block, box);
    }
    now.insert(now.end(), block.begin(), block.end());
  }
  return joined(now);
}

std::vector<std::string> documents() {
  std::vector<std::string> found;
  for (const char* folder : {"", "docs/", "docs/results/"}) {
    for (const auto& entry : fs::directory_iterator(fs::path(AGON_SOURCE_DIR) / folder)) {
      if (entry.path().extension() == ".md") found.push_back(folder + entry.path().filename().string());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<std::string> documents_with_sessions() {
  std::vector<std::string> found = documents();
  std::erase_if(found, [](const std::string& document) {
    return testing::lacks(testing::read_source(document), "```console\n");
  });
  return found;
}

class Pages : public ::testing::TestWithParam<std::string> {};

TEST_P(Pages, ShowWhatTheProgramPrints) {
  const std::string written = testing::read_source(GetParam()), now = replayed(written);
  if (std::getenv("AGON_REGEN") != nullptr && now != written) {
    std::ofstream(fs::path(AGON_SOURCE_DIR) / GetParam(), std::ios::binary) << now;
    return;
  }
  EXPECT_EQ(written, now) << "tools/regen brings " << GetParam() << " up to date";
}

INSTANTIATE_TEST_SUITE_P(Files, Pages, ::testing::ValuesIn(documents_with_sessions()),
                         [](const auto& row) { return fs::path(row.param).stem().string(); });

TEST(PagesOfTheProgram, ReadmeShowsWhatTheDemoPrints) {
  const std::string makefile = testing::read_source("Makefile"), name = "\nDEMO := ";
  const size_t at = makefile.find(name) + name.size();
  const std::string command = makefile.substr(at, makefile.find('\n', at) - at);
  EXPECT_PRED2(testing::contains, testing::read_source("README.md"), "```console\n$ " + command + "\n");
}

TEST(PagesOfTheProgram, LinksLeadSomewhere) {
  const std::regex link(R"(\]\(([^)#\s]+)(#[^)\s]*)?\))");
  for (const std::string& document : documents()) {
    const std::string text = testing::read_source(document);
    for (std::sregex_iterator at(text.begin(), text.end(), link), end; at != end; ++at) {
      const std::string target = (*at)[1];
      if (target.starts_with("http")) continue;
      EXPECT_TRUE(fs::exists((fs::path(AGON_SOURCE_DIR) / document).parent_path() / target))
          << document << ": " << target;
    }
  }
}

TEST(PagesOfTheProgram, ACutKeepsTheFirstAndTheLastLines) {
  const Lines printed = {"a", "b", "c", "d", "e"};
  EXPECT_EQ(cut_like({"x", "...", "y", "z"}, printed), (Lines{"a", "...", "d", "e"}));
  EXPECT_EQ(cut_like({"x", "..."}, printed), (Lines{"a", "..."}));
  EXPECT_EQ(cut_like({"x"}, printed), printed);
  EXPECT_EQ(cut_like({"x", "...", "y"}, {"a", "b"}), (Lines{"a", "b"}));
}

TEST(PagesOfTheProgram, APageWithAnythingElseIsNoticed) {
  const std::string page = "```text x.txt\nhello\n```\n```console\n$ cat x.txt\nhello\n\n$ echo 3 s; false\n";
  EXPECT_EQ(replayed(page + "5 s\n[exit code 1]\n```\n"), page + "5 s\n[exit code 1]\n```\n");
  EXPECT_EQ(replayed(page + "bye\n```\n"), page + "3 s\n[exit code 1]\n```\n");
}

}  // namespace
}  // namespace agon
